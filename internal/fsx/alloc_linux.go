package fsx

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// adviseHuge asks for huge pages. Where there are none, small ones do.
func adviseHuge(mem []byte) { _ = unix.Madvise(mem, unix.MADV_HUGEPAGE) }

func allocate(f *os.File, n int64) error {
	for {
		err := unix.Fallocate(int(f.Fd()), 0, 0, n)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EOPNOTSUPP), errors.Is(err, unix.ENOSYS):
			return grow(f, n)
		}
		return err
	}
}
