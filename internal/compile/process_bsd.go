//go:build darwin || freebsd

package compile

import (
	"os"
	"syscall"
)

func dieWithParent(*syscall.SysProcAttr) {}

// peakRSS is the largest resident size that the process reached, bytes.
func peakRSS(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Maxrss) // darwin counts bytes
	}
	return 0
}
