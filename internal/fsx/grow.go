package fsx

import "os"

// grow makes the file at least n bytes long, without blocks behind them.
func grow(f *os.File, n int64) error {
	st, err := f.Stat()
	if err != nil || st.Size() >= n {
		return err
	}
	return f.Truncate(n)
}
