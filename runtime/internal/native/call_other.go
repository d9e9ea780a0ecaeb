//go:build !(linux && amd64)

package native

import (
	"runtime"

	"github.com/hlocc/hlocc/internal/diag"
)

// Supported is nil where native code can run.
func Supported() error {
	return &diag.Error{
		Kind: diag.Unsupported, Code: "platform",
		Message: "compiled programs cannot run on this platform",
		Want:    "linux/amd64", Found: runtime.GOOS + "/" + runtime.GOARCH,
		Fix: "run it on linux/amd64; building, inspecting and verifying work here",
	}
}

func enterCall(fn, a0, a1, a2, stack uintptr) uintptr { panic(Supported()) }
func enterSerial(l *loop, ws, stack uintptr)          { panic(Supported()) }
func enterParallel(l *loop, ws, stack uintptr)        { panic(Supported()) }
func pause()                                          {}
func readFunction() uintptr                           { panic(Supported()) }
func adviseHuge(mem []byte)                           {}
