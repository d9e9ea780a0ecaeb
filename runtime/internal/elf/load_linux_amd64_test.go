package elf

import (
	"bufio"
	"fmt"
	"os"
	"strings"
	"testing"
	"unsafe"

	"github.com/hlocc/hlocc/runtime/internal/native"
)

func TestLoad(t *testing.T) {
	before := Loaded()
	l, err := Load(read(t, "add_x86_64.so"), [8]uint64{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if Loaded() != before+1 || len(l.Exports) != 1 || l.Exports[0].Bindings != 3 {
		t.Errorf("%d loaded, exports %+v", Loaded(), l.Exports)
	}
	if w, x := writableAndExecutable(t, l.mem); w || !x {
		t.Errorf("pages writable and executable: %v, executable: %v", w, x)
	}
	add(t, l)
	if err := l.Close(); err != nil {
		t.Error(err)
	}
	if err := l.Close(); err != nil || Loaded() != before {
		t.Errorf("second Close: %v, %d loaded", err, Loaded())
	}
}

// add runs the one dispatch of add_x86_64.so.
func add(t *testing.T, l *Library) {
	t.Helper()
	type aligned struct {
		data [3][32]float32
		_    [64]byte
	}
	buf := make([]aligned, 1)
	base := unsafe.Pointer(&buf[0])
	base = unsafe.Add(base, -uintptr(base)&63)
	v := (*[3][32]float32)(base)
	var ptrs [3]uintptr
	lens := [3]uint64{128, 128, 128}
	for i := range v {
		ptrs[i] = uintptr(unsafe.Pointer(&v[i]))
	}
	for i := range 32 {
		v[0][i], v[1][i] = float32(i), 0.5
	}
	e := l.Exports[0]
	state := &native.DispatchState{SizeX: 1, SizeY: 1, SizeZ: 1, CountX: 1, CountY: 1, CountZ: 1, MaxConcurrency: 1, BindingCount: 3,
		Bindings: uintptr(unsafe.Pointer(&ptrs)), Lengths: uintptr(unsafe.Pointer(&lens))}
	p, err := native.NewPool(1)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	var b native.Batch
	if err := b.Add(native.Dispatch{Fn: e.Entry, Env: l.Environment(), State: uintptr(unsafe.Pointer(state)), Groups: [3]uint32{1, 1, 1}}); err != nil {
		t.Fatal(err)
	}
	if err := p.Run(&b, false, new(uint32)); err != nil {
		t.Fatal(err)
	}
	for i, x := range v[2] {
		if x != float32(i)+0.5 {
			t.Fatalf("element %d is %v", i, x)
		}
	}
	_ = fmt.Sprint(ptrs, lens, state) // used by address above
}

// writableAndExecutable looks a mapping up in the process's memory map.
func writableAndExecutable(t *testing.T, mem []byte) (both, executable bool) {
	t.Helper()
	f, err := os.Open("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	start := uint64(uintptr(unsafe.Pointer(&mem[0])))
	for s := bufio.NewScanner(f); s.Scan(); {
		var lo, hi uint64
		var perm string
		if _, err := fmt.Sscanf(s.Text(), "%x-%x %s", &lo, &hi, &perm); err != nil || hi <= start || lo >= start+uint64(len(mem)) {
			continue
		}
		x := strings.Contains(perm, "x")
		executable = executable || x
		both = both || x && strings.Contains(perm, "w")
	}
	return both, executable
}

func TestLoadRefused(t *testing.T) {
	before := Loaded()
	if _, err := Load(read(t, "add_arm_64.so"), [8]uint64{}, nil); err == nil || !strings.Contains(err.Error(), "aarch64") {
		t.Errorf("an executable for aarch64: %v", err)
	}
	if _, err := Load(read(t, "add_x86_64.so"), [8]uint64{}, []uint32{1}); err == nil || !strings.Contains(err.Error(), "specialization") {
		t.Errorf("a constant too many: %v", err)
	}
	// The table says version 6; patch it before it is loaded.
	d := read(t, "add_x86_64.so")
	m, _, err := linked(d)
	if err != nil {
		t.Fatal(err)
	}
	_, lib := tableOf(m)
	header := le.Uint64(m.mem[lib:]) - m.base
	for _, s := range m.segments {
		if header >= s.addr && header < s.addr+s.fileSize {
			le.PutUint32(d[s.offset+header-s.addr:], 7)
		}
	}
	if _, err := Load(d, [8]uint64{}, nil); err == nil || !strings.Contains(err.Error(), "want 6, found 7") {
		t.Errorf("another library version: %v", err)
	}
	if Loaded() != before {
		t.Errorf("%d libraries are still mapped", Loaded()-before)
	}
}
