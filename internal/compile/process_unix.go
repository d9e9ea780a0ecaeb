//go:build linux || darwin || freebsd

package compile

import (
	"os"
	"os/exec"
	"syscall"
)

// isolate puts the compiler and what it starts (its linker) into a process group
// of their own, so that they can be ended together and a ^C meant for us does
// not reach them first.
func isolate(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	dieWithParent(cmd.SysProcAttr)
	cmd.Cancel = func() error {
		return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// killedBy is the signal that ended the process, 0 if none did.
func killedBy(state *os.ProcessState) (signal int, name string) {
	if ws, ok := state.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return int(ws.Signal()), ws.Signal().String()
	}
	return 0, ""
}

func inode(info os.FileInfo) uint64 {
	if st, ok := info.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Ino)
	}
	return 0
}

// childEnv is the whole environment of the compiler. It runs in a folder of its
// own and finds its temporary files there by a relative name: it passes paths to
// a shell without quoting them, so that none may come from the user.
func childEnv() []string { return []string{"TMPDIR=."} }

const quotesPaths = false
