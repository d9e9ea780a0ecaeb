package compile

import (
	"os"
	"syscall"
)

// dieWithParent ends the compiler when the thread that started it ends, which is
// when this process is killed: the caller keeps that thread locked. It does not
// reach the compiler's own children: a linker that runs just then goes on to its
// own end, and its working folder is removed when it is stale.
func dieWithParent(attr *syscall.SysProcAttr) { attr.Pdeathsig = syscall.SIGKILL }

// peakRSS is the largest resident size that the process reached, bytes.
func peakRSS(state *os.ProcessState) int64 {
	if u, ok := state.SysUsage().(*syscall.Rusage); ok {
		return int64(u.Maxrss) * 1024
	}
	return 0
}
