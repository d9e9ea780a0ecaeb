package hal

import (
	"encoding/binary"
	"fmt"
	"sync"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/elf"
)

// Executable is a set of dispatches in native code.
type Executable struct {
	lib   *elf.Library
	index map[string]int
}

func (*Executable) RefType() string { return "hal.executable" }

// lookup gives the id of a function: its ordinal.
func (x *Executable) lookup(name string) (int64, error) {
	i, ok := x.index[name]
	if !ok {
		return 0, bad("executable_function", fmt.Sprintf("the executable %q has no function %q", x.lib.Name, name), "", fmt.Sprintf("%d functions", len(x.index)))
	}
	return int64(i), nil
}

// Executables are the mapped executables of one program, shared by all its
// instances. Any number of goroutines may use it.
type Executables struct {
	dev *Device

	mu     sync.Mutex
	loaded map[executableKey]*Executable
	closed bool
}

// executableKey identifies an executable by where its bytes are: they belong to
// the module, which outlives the mapping.
type executableKey struct {
	data      *byte
	size      int
	constants string
}

// NewExecutables makes an empty set.
func NewExecutables(d *Device) *Executables {
	return &Executables{dev: d, loaded: map[executableKey]*Executable{}}
}

// load maps an executable unless it is mapped already.
func (s *Executables) load(format string, data, constants []byte) (*Executable, error) {
	if want := elf.Host().Format(); format != want {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "executable_format", Where: "executable",
			Message: "the program was compiled for another kind of device", Want: want, Found: fmt.Sprintf("%q", format),
			Fix: "build for a CPU target of this machine"}
	}
	if len(constants)%4 != 0 {
		return nil, bad("executable_constants", "size of the specialization constants", "a multiple of 4", byteCount(int64(len(constants))))
	}
	key := executableKey{unsafe.SliceData(data), len(data), string(constants)}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil, errClosed
	}
	if x := s.loaded[key]; x != nil {
		return x, nil
	}
	words := make([]uint32, len(constants)/4)
	for i := range words {
		words[i] = binary.LittleEndian.Uint32(constants[4*i:])
	}
	lib, err := elf.Load(data, s.dev.processor, words)
	if err != nil {
		return nil, err
	}
	x := &Executable{lib: lib, index: make(map[string]int, len(lib.Exports))}
	for i := range lib.Exports {
		x.index[lib.Exports[i].Name] = i
	}
	s.loaded[key] = x
	return x, nil
}

// Close unmaps all executables. None of them may be running.
func (s *Executables) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	var first error
	for k, x := range s.loaded {
		if err := x.lib.Close(); err != nil && first == nil {
			first = err
		}
		delete(s.loaded, k)
	}
	return first
}
