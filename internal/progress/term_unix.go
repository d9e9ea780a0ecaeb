//go:build linux || darwin

package progress

import (
	"os"

	"golang.org/x/sys/unix"
)

// TerminalWidth is the number of columns of the terminal that f is, 0 if f is
// none or one that cannot rewrite a line (TERM=dumb).
func TerminalWidth(f *os.File) int {
	if os.Getenv("TERM") == "dumb" {
		return 0
	}
	size, err := unix.IoctlGetWinsize(int(f.Fd()), unix.TIOCGWINSZ)
	switch {
	case err != nil:
		return 0
	case size.Col == 0: // a terminal that does not know its size
		return 80
	}
	return int(size.Col)
}
