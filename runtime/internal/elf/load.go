package elf

import (
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/native"
)

// loaded is the number of libraries that are mapped, for tests.
var loaded atomic.Int64

// Loaded is the number of libraries that are mapped in this process.
func Loaded() int { return int(loaded.Load()) }

// Library is an executable that is mapped and ready to be called. It may be
// used by any number of goroutines.
type Library struct {
	Name    string
	Exports []Export

	env       *native.Environment // native code holds its address
	constants []uint32
	mem       []byte
	close     sync.Once
}

// Host is the machine whose executables this process can run, 0 if none.
func Host() Machine {
	if native.Supported() != nil {
		return 0
	}
	switch runtime.GOARCH {
	case "amd64":
		return X86_64
	case "arm64":
		return AArch64
	}
	return 0
}

// Load maps an executable and asks it for its exports. processor is the CPU
// feature data that dispatches may look at; constants are its specialization
// constants, of which there must be as many as it declares. data is not kept.
func Load(data []byte, processor [8]uint64, constants []uint32) (*Library, error) {
	if err := native.Supported(); err != nil {
		return nil, err
	}
	f, err := Parse(data)
	if err != nil {
		return nil, err
	}
	if f.Machine != Host() {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "executable_machine", Where: "executable",
			Message: "the executable is for another kind of processor", Want: Host().String(), Found: f.Machine.String(),
			Fix: "build for a target of this machine"}
	}
	l := &Library{env: &native.Environment{Processor: processor}, constants: constants}
	l.env.Constants = uintptr(unsafe.Pointer(unsafe.SliceData(constants)))
	if l.mem, err = mapImage(int(f.size)); err != nil {
		return nil, mapError("allocated", err)
	}
	loaded.Add(1)
	if err := l.link(f); err != nil {
		_ = l.Close()
		return nil, err
	}
	return l, nil
}

func (l *Library) link(f *File) error {
	m := f.place(l.mem, uint64(uintptr(unsafe.Pointer(unsafe.SliceData(l.mem)))))
	query, err := m.link()
	if err != nil {
		return err
	}
	if err := protect(m); err != nil {
		return mapError("protected", err)
	}
	lib, err := native.Call(uintptr(m.base+query), Version, uintptr(unsafe.Pointer(l.env)), 0)
	if err != nil {
		return err
	}
	if lib == 0 {
		return &diag.Error{Kind: diag.Unsupported, Code: "executable_version", Where: "executable",
			Message: "the executable does not support our version of the library interface", Want: fmt.Sprint(Version),
			Fix: "compile with the compiler version that this program was made for"}
	}
	t, err := m.readLibrary(uint64(lib))
	if err != nil {
		return err
	}
	if t.constants != len(l.constants) {
		return bad("executable", "number of specialization constants", fmt.Sprint(t.constants), fmt.Sprint(len(l.constants)))
	}
	l.Name, l.Exports = t.name, t.exports
	return nil
}

// protect gives every page its final access: that of its segment, read-only for
// what relocation was the last to write, none between segments.
func protect(m *image) error {
	if err := protectPages(m.mem, 0); err != nil {
		return err
	}
	for i := range m.segments {
		s := &m.segments[i]
		if err := protectPages(m.mem[s.start:s.end], s.flags); err != nil {
			return err
		}
	}
	start, end := m.relro.off&^(pageSize-1), (m.relro.off+m.relro.len)&^(pageSize-1)
	if start < end {
		return protectPages(m.mem[start:end], flagR)
	}
	return nil
}

// Environment is the address of what dispatches get as their environment.
func (l *Library) Environment() uintptr { return uintptr(unsafe.Pointer(l.env)) }

// Close unmaps the library. Nothing of it may be running.
func (l *Library) Close() error {
	var err error
	l.close.Do(func() {
		err = unmapImage(l.mem)
		l.mem, l.Exports = nil, nil
		loaded.Add(-1)
	})
	return err
}

func mapError(what string, err error) error {
	return &diag.Error{Kind: diag.Failed, Code: "map_executable", Message: "memory for compiled code cannot be " + what, Cause: err,
		Fix: "allow the process to make memory executable, and check its memory limits"}
}
