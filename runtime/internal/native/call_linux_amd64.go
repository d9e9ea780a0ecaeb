package native

import (
	_ "unsafe" // go:linkname

	"golang.org/x/sys/unix"
)

// Supported is nil where native code can run.
func Supported() error { return nil }

func callAsm(fn, a0, a1, a2, stack uintptr) uintptr

// readFunction is the address of the dispatch that a Probe runs.
func readFunction() uintptr

// readPiece has the calling convention of a dispatch: not to be called from Go.
//
//lint:ignore U1000 readFunction gives its address
func readPiece()

func adviseHuge(mem []byte) { _ = unix.Madvise(mem, unix.MADV_HUGEPAGE) }

// pause is a short wait, a few hundred cycles.
func pause()

//go:noescape
func serialAsm(l *loop, ws, stack uintptr)

//go:noescape
func parallelAsm(l *loop, ws, stack uintptr)

// The runtime keeps these two for packages that call foreign code on their
// own (go.dev/issue/67401). Between them the goroutine counts as being in a
// system call: no Go code may run, but the collector and other goroutines may.

//go:linkname entersyscall runtime.entersyscall
func entersyscall()

//go:linkname exitsyscall runtime.exitsyscall
func exitsyscall()

// The functions below are nosplit because entersyscall records their frame,
// which must stay where it is until exitsyscall.

//go:nosplit
func enterCall(fn, a0, a1, a2, stack uintptr) uintptr {
	entersyscall()
	r := callAsm(fn, a0, a1, a2, stack)
	exitsyscall()
	return r
}

//go:nosplit
func enterSerial(l *loop, ws, stack uintptr) {
	entersyscall()
	serialAsm(l, ws, stack)
	exitsyscall()
}

//go:nosplit
func enterParallel(l *loop, ws, stack uintptr) {
	entersyscall()
	parallelAsm(l, ws, stack)
	exitsyscall()
}
