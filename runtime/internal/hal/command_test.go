package hal

import (
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/runtime/internal/vm"
)

// adder is an executable with one dispatch that adds two tensors of 32 floats
// (see package elf's testdata), and buffers for it.
type adder struct {
	*fixture
	exe     *Executable
	a, b, c *Buffer
}

func newAdder(t testing.TB) *adder {
	t.Helper()
	f := newFixture(t, 2)
	data, err := os.ReadFile(filepath.Join("..", "elf", "testdata", "add_x86_64.so"))
	if err != nil {
		t.Fatal(err)
	}
	x := &adder{fixture: f}
	x.exe = f.call("hal.executable.create", f.dev, int64(-1), "embedded-elf-x86_64", string(data), nil)[0].Ref().(*Executable)
	x.a, x.b, x.c = x.floats(1), x.floats(2), x.floats(0)
	return x
}

// floats is a buffer of 32 floats of one value.
func (x *adder) floats(v float32) *Buffer {
	b := x.buffer(make([]byte, 128)...)
	for i := range 32 {
		binary.LittleEndian.PutUint32(b.Bytes()[4*i:], math.Float32bits(v))
	}
	return b
}

func (x *adder) all(b *Buffer, want float32) {
	x.Helper()
	for i := range 32 {
		if v := math.Float32frombits(binary.LittleEndian.Uint32(b.Bytes()[4*i:])); v != want {
			x.Fatalf("element %d is %v, want %v", i, v, want)
		}
	}
}

func (x *adder) commands(modes, slots int) *CommandBuffer {
	x.Helper()
	return x.call("hal.command_buffer.create", x.dev, modes, 3, int64(-1), slots)[0].Ref().(*CommandBuffer)
}

// bind is the fields of a binding: a buffer or a slot.
func bind(b any, off, n int64) []any {
	if slot, ok := b.(int); ok {
		return []any{0, slot, nil, off, n}
	}
	return []any{0, 0, b, off, n}
}

func dispatchArgs(cb *CommandBuffer, exe *Executable, id int64, groups [3]int, bindings ...[]any) []any {
	args := []any{cb, exe, id, groups[0], groups[1], groups[2], int64(0), spans{0, len(bindings)}}
	for _, b := range bindings {
		args = append(args, b...)
	}
	return args
}

func (x *adder) dispatch(cb *CommandBuffer, a, b, c any) {
	x.Helper()
	x.call("hal.command_buffer.dispatch", dispatchArgs(cb, x.exe, 0, [3]int{1, 1, 1}, bind(a, 0, 128), bind(b, 0, 128), bind(c, 0, 128))...)
}

func (x *adder) barrier(cb *CommandBuffer) {
	x.Helper()
	x.call("hal.command_buffer.execution_barrier", cb, 0, 0, int64(0))
}

func (x *adder) execute(cb *CommandBuffer, table ...any) error {
	args := []any{x.dev, int64(-1), nil, nil, cb, int64(0)}
	if len(table) == 0 {
		_, err := x.try("hal.device.queue.execute", args...)
		return err
	}
	_, err := x.try("hal.device.queue.execute.indirect", append(append(args, spans{len(table) / 3}), table...)...)
	return err
}

func TestExecutables(t *testing.T) {
	x := newAdder(t)
	name := x.exe.lib.Exports[0].Name
	if id := x.call("hal.executable.lookup.function", x.exe, name)[0].I64(); id != 0 {
		t.Errorf("function %d", id)
	}
	x.fails("has no function", "hal.executable.lookup.function", x.exe, "nothing")
	x.fails(`want embedded-elf-x86_64, found "embedded-elf-arm_64"`, "hal.executable.create", x.dev, int64(-1), "embedded-elf-arm_64", "", nil)
	x.fails("too short for an ELF header", "hal.executable.create", x.dev, int64(-1), "embedded-elf-x86_64", "", nil)
	x.fails("multiple of 4", "hal.executable.create", x.dev, int64(-1), "embedded-elf-x86_64", "", "abc")
	data := vm.NewBuffer([]byte(x.elf()), true)
	x.fails("specialization constants", "hal.executable.create", x.dev, int64(-1), "embedded-elf-x86_64", data, "abcd")
	one := x.call("hal.executable.create", x.dev, int64(-1), "embedded-elf-x86_64", data, nil)[0].Ref()
	if x.call("hal.executable.create", x.dev, int64(-1), "embedded-elf-x86_64", data, nil)[0].Ref() != one {
		t.Error("the same executable was mapped twice")
	}
}

func (x *adder) elf() string {
	data, err := os.ReadFile(filepath.Join("..", "elf", "testdata", "add_x86_64.so"))
	if err != nil {
		x.Fatal(err)
	}
	return string(data)
}

func TestOneShot(t *testing.T) {
	x := newAdder(t)
	for range 3 {
		clear(x.c.Bytes())
		cb := x.commands(1, 0)
		x.dispatch(cb, x.a, x.b, x.c) // 3
		x.barrier(cb)
		x.dispatch(cb, x.c, x.b, x.a) // 5
		x.call("hal.command_buffer.finalize", cb)
		if err := x.execute(cb); err != nil {
			t.Fatal(err)
		}
		x.all(x.c, 3)
		x.all(x.a, 5)
		if err := x.execute(cb); err == nil || !strings.Contains(err.Error(), "once more than it may be") {
			t.Errorf("executed again: %v", err)
		}
		x.a = x.floats(1)
	}
	if len(x.host.spare) != 1 {
		t.Errorf("%d recordings for reuse", len(x.host.spare))
	}
	x.call("hal.device.queue.execute", x.dev, int64(-1), nil, nil, nil, int64(0))
}

func TestBindingTable(t *testing.T) {
	x := newAdder(t)
	cb := x.commands(0, 2)
	x.dispatch(cb, x.a, 0, 1) // slot 1 = a + slot 0
	x.barrier(cb)
	x.dispatch(cb, 1, 1, x.c) // c = twice slot 1
	x.call("hal.command_buffer.finalize", cb)
	two, out := x.floats(2), x.floats(0)
	slab := x.buffer(make([]byte, 256)...)
	part, err := slab.Subspan(128, 128)
	if err != nil {
		t.Fatal(err)
	}
	copy(part.Bytes(), x.floats(7).Bytes())
	for _, c := range []struct {
		in   *Buffer
		off  int64
		want float32
	}{{two, 0, 6}, {two, 0, 6}, {slab, 128, 16}, {part, 0, 16}, {two, 0, 6}} {
		if err := x.execute(cb, c.in, c.off, int64(128), out, int64(0), int64(-1)); err != nil {
			t.Fatal(err)
		}
		x.all(out, c.want/2)
		x.all(x.c, c.want)
	}
	small := x.buffer(make([]byte, 64)...)
	for _, c := range []struct {
		want  string
		table []any
	}{
		{"too few entries", []any{two, int64(0), int64(128)}},
		{"slot 0 of the binding table is used and empty", []any{nil, int64(0), int64(128), out, int64(0), int64(128)}},
		{"outside its buffer", []any{two, int64(64), int64(128), out, int64(0), int64(128)}},
		{"outside its buffer", []any{two, int64(0), int64(64), out, int64(0), int64(128)}},
		{"outside its buffer", []any{small, int64(0), int64(-1), out, int64(0), int64(128)}},
		{"not aligned: want a multiple of 64, found 32 more", []any{slab, int64(32), int64(128), out, int64(0), int64(128)}},
	} {
		if err := x.execute(cb, c.table...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want an error with %q", c.table, err, c.want)
		}
	}
	if err := x.execute(cb, two, int64(0), int64(128), out, int64(0), int64(128)); err != nil {
		t.Errorf("after errors: %v", err)
	}
	x.all(x.c, 6)
	two.Release()
	if err := x.execute(cb, two, int64(0), int64(128), out, int64(0), int64(128)); err == nil || !strings.Contains(err.Error(), "released") {
		t.Errorf("a released buffer in the table: %v", err)
	}
	x.c.Release()
	if err := x.execute(cb, out, int64(0), int64(128), out, int64(0), int64(128)); err == nil || !strings.Contains(err.Error(), "released") {
		t.Errorf("a released buffer in a command: %v", err)
	}
}

func TestDispatchRefused(t *testing.T) {
	x := newAdder(t)
	good := [3][]any{bind(x.a, 0, 128), bind(x.b, 0, 128), bind(x.c, 0, 128)}
	cb := x.commands(0, 1)
	one := [3]int{1, 1, 1}
	for _, c := range []struct {
		want string
		args []any
	}{
		{"unknown function", dispatchArgs(cb, x.exe, 1, one, good[:]...)},
		{"unknown function", dispatchArgs(cb, x.exe, -1, one, good[:]...)},
		{"want 0 constants and 3 bindings, found 0 and 2", dispatchArgs(cb, x.exe, 0, one, good[:2]...)},
		{"too many workgroups", dispatchArgs(cb, x.exe, 0, [3]int{-1, -1, 1}, good[:]...)},
		{"too many workgroups", dispatchArgs(cb, x.exe, 0, [3]int{1, 1, 65536}, good[:]...)},
		{"outside its buffer", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(x.c, 64, 128))},
		{"outside its buffer", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(x.c, -64, 128))},
		{"outside its buffer", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(x.c, math.MaxInt64, math.MaxInt64))},
		{"slot outside the binding table", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(1, 0, 128))},
		{"slot outside the binding table", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(-1, 0, 128))},
		{"impossible", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(0, math.MaxInt64, 128))},
		{"impossible", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(0, 0, -2))},
	} {
		x.fails(c.want, "hal.command_buffer.dispatch", c.args...)
	}
	args := dispatchArgs(cb, x.exe, 0, one, good[:]...)
	args[6] = int64(1 << 2)
	x.fails("flags that are not supported", "hal.command_buffer.dispatch", args...)

	// Alignment is known when the commands are linked.
	cb = x.commands(0, 0)
	big := x.buffer(make([]byte, 256)...)
	x.call("hal.command_buffer.dispatch", dispatchArgs(cb, x.exe, 0, one, good[0], good[1], bind(big, 16, 128))...)
	x.fails("dispatch "+x.exe.lib.Exports[0].Name+": binding 2 is not aligned", "hal.command_buffer.finalize", cb)

	x.fails("unknown mode", "hal.command_buffer.create", x.dev, 2, 3, int64(-1), 0)
	x.fails("size of the binding table", "hal.command_buffer.create", x.dev, 0, 3, int64(-1), -1)
	x.fails("size of the binding table", "hal.command_buffer.create", x.dev, 0, 3, int64(-1), 1<<30)

	cb = x.commands(0, 0)
	if err := x.execute(cb); err == nil || !strings.Contains(err.Error(), "before it is finalized") {
		t.Errorf("executed while recording: %v", err)
	}
	x.call("hal.command_buffer.begin_debug_group", cb, "label")
	x.call("hal.command_buffer.end_debug_group", cb)
	x.fails("was not begun", "hal.command_buffer.end_debug_group", cb)
	x.call("hal.command_buffer.advise_buffer", cb, x.a, int64(0), int64(0), int64(0), 0)
	x.call("hal.command_buffer.finalize", cb)
	x.fails("after the command buffer was finalized", "hal.command_buffer.finalize", cb)
	x.fails("after the command buffer was finalized", "hal.command_buffer.execution_barrier", cb, 0, 0, int64(0))
	x.fails("after the command buffer was finalized", "hal.command_buffer.dispatch", dispatchArgs(cb, x.exe, 0, one, good[:]...)...)
	if err := x.execute(cb); err != nil {
		t.Errorf("an empty command buffer: %v", err)
	}
}

// Host commands and dispatches happen in order.
func TestTransfersInCommands(t *testing.T) {
	x := newAdder(t)
	for _, modes := range []int{0, 1} {
		cb := x.commands(modes, 2)
		tmp := x.floats(0)
		three := uint32(math.Float32bits(3))
		x.call("hal.command_buffer.fill_buffer", cb, tmp, int64(0), int64(128), 0, int64(three), 4, int64(0)) // tmp = 3
		x.barrier(cb)
		x.dispatch(cb, tmp, x.a, 0) // slot 0 = 4
		x.barrier(cb)
		x.call("hal.command_buffer.copy_buffer", cb, 0, 1, nil, int64(0), nil, int64(0), int64(128), int64(0)) // slot 1 = 4
		x.call("hal.command_buffer.update_buffer", cb, vm.NewBuffer(x.floats(10).Bytes(), true), int64(64), tmp, int64(0), int64(64), 0, int64(0))
		x.barrier(cb)
		x.dispatch(cb, tmp, 1, x.c) // 14, 7
		x.call("hal.command_buffer.finalize", cb)
		s0, s1 := x.floats(0), x.floats(0)
		rounds := 2
		if modes == 1 {
			rounds = 1
		}
		for range rounds {
			clear(s0.Bytes())
			if err := x.execute(cb, s0, int64(0), int64(128), s1, int64(0), int64(128)); err != nil {
				t.Fatal(err)
			}
			x.all(s0, 4)
			x.all(s1, 4)
			for i := range 32 {
				want := float32(14)
				if i >= 16 {
					want = 7
				}
				if v := math.Float32frombits(binary.LittleEndian.Uint32(x.c.Bytes()[4*i:])); v != want {
					t.Fatalf("element %d is %v, want %v", i, v, want)
				}
			}
		}
	}
	constant := Wrap(x.floats(1).Bytes(), true, nil)
	cb := x.commands(0, 1)
	x.call("hal.command_buffer.fill_buffer", cb, nil, int64(0), int64(128), 0, int64(1), 4, int64(0))
	x.call("hal.command_buffer.finalize", cb)
	if err := x.execute(cb, constant, int64(0), int64(128)); err == nil || !strings.Contains(err.Error(), "read-only") {
		t.Errorf("a fill of read-only memory: %v", err)
	}
	cb = x.commands(0, 0)
	x.call("hal.command_buffer.copy_buffer", cb, 0, 0, x.a, int64(0), constant, int64(0), int64(128), int64(0))
	x.fails("copy: a command writes to read-only memory", "hal.command_buffer.finalize", cb)
	x.fails("fill pattern", "hal.command_buffer.fill_buffer", x.commands(0, 0), x.a, int64(0), int64(128), 0, int64(1), 5, int64(0))
	x.fails("outside its buffer", "hal.command_buffer.update_buffer", x.commands(0, 0), vm.NewBuffer(make([]byte, 8), true), int64(4), x.a, int64(0), int64(8), 0, int64(0))
}

func TestIndirectDispatch(t *testing.T) {
	x := newAdder(t)
	counts := x.buffer(1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0)
	cb := x.commands(0, 2)
	args := []any{cb, x.exe, int64(0), 1, nil, int64(0), int64(0), spans{0, 3}}
	for _, b := range [][]any{bind(x.a, 0, 128), bind(x.b, 0, 128), bind(0, 0, 128)} {
		args = append(args, b...)
	}
	x.call("hal.command_buffer.dispatch.indirect", args...)
	x.call("hal.command_buffer.finalize", cb)
	out := x.floats(0)
	run := func(off int64) error { return x.execute(cb, out, int64(0), int64(128), counts, off, int64(-1)) }
	if err := run(0); err != nil {
		t.Fatal(err)
	}
	x.all(out, 3)
	clear(out.Bytes())
	counts.Bytes()[4] = 0 // no workgroups
	if err := run(0); err != nil {
		t.Fatal(err)
	}
	x.all(out, 0)
	counts.Bytes()[11] = 1 // z beyond 16 bits
	counts.Bytes()[4] = 1
	if err := run(0); err == nil || !strings.Contains(err.Error(), "too many workgroups") {
		t.Errorf("counts out of range: %v", err)
	}
	if err := run(8); err == nil || !strings.Contains(err.Error(), "outside its buffer") {
		t.Errorf("counts outside the buffer: %v", err)
	}
	// The counts need no alignment: only the host reads them.
	copy(counts.Bytes()[4:], []byte{1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0})
	if err := run(4); err != nil {
		t.Fatal(err)
	}
	x.all(out, 3)
}

// Memoised commands cost no allocation.
func TestExecuteAllocates(t *testing.T) {
	x := newAdder(t)
	cb := x.commands(0, 1)
	for range 10 {
		x.dispatch(cb, x.a, x.b, 0)
		x.barrier(cb)
	}
	x.call("hal.command_buffer.finalize", cb)
	table := []tableEntry{{x.c, 0, 128}}
	n := testing.AllocsPerRun(100, func() {
		if err := x.host.execute(cb, table); err != nil {
			t.Fatal(err)
		}
	})
	if n > 0 {
		t.Errorf("%v allocations", n)
	}
	runtime.KeepAlive(x)
}

func BenchmarkMemoised(b *testing.B) {
	x := newAdder(b)
	cb := x.commands(0, 2)
	for range 300 {
		x.dispatch(cb, x.a, 1, 0)
		x.barrier(cb)
	}
	x.call("hal.command_buffer.finalize", cb)
	out := [2]*Buffer{x.floats(0), x.floats(0)}
	for i := 0; b.Loop(); i++ {
		// The output changes on every run, so that its slot is bound anew.
		if err := x.host.execute(cb, []tableEntry{{out[i%2], 0, 128}, {x.b, 0, 128}}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/300, "ns/dispatch")
}
