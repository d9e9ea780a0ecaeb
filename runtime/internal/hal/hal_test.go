package hal

import (
	"bytes"
	"context"
	"encoding/binary"
	"math"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/hlocc/hlocc/runtime/internal/params"
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

// fixture is a host with a device of its own.
type fixture struct {
	testing.TB
	dev  *Device
	host *Host
}

func newFixture(t testing.TB, threads int) *fixture {
	t.Helper()
	dev, err := NewDevice(DeviceOptions{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	x := NewExecutables(dev)
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		dev.Close()
	})
	return &fixture{t, dev, NewHost(dev, x, nil)}
}

// values makes arguments: references, int32, int64, nil for the null reference.
func values(args ...any) (vs []vm.Value) {
	for _, a := range args {
		switch a := a.(type) {
		case nil:
			vs = append(vs, vm.RefValue(nil))
		case int:
			vs = append(vs, vm.I32Value(int32(a)))
		case int64:
			vs = append(vs, vm.I64Value(a))
		case string:
			vs = append(vs, vm.RefValue(vm.NewBuffer([]byte(a), true)))
		case vm.Ref:
			vs = append(vs, vm.RefValue(a))
		}
	}
	return vs
}

type spans []int

// try calls an import by name; spans among the arguments tell the sizes of the
// variadic ones.
func (f *fixture) try(name string, args ...any) ([]vm.Value, error) {
	f.Helper()
	var n spans
	for i, a := range args {
		if s, ok := a.(spans); ok {
			n = s
			args = append(args[:i:i], args[i+1:]...)
			break
		}
	}
	e, ok := exports[name]
	if !ok {
		f.Fatalf("no export %s", name)
	}
	fn, err := f.host.Resolve(name, e.cconv)
	if err != nil {
		f.Fatal(err)
	}
	return vm.CallHost(context.Background(), e.cconv, fn, values(args...), n...)
}

func (f *fixture) call(name string, args ...any) []vm.Value {
	f.Helper()
	r, err := f.try(name, args...)
	if err != nil {
		f.Fatalf("%s: %v", name, err)
	}
	return r
}

// fails checks that a call ends with an error that holds want.
func (f *fixture) fails(want, name string, args ...any) {
	f.Helper()
	if _, err := f.try(name, args...); err == nil || !strings.Contains(err.Error(), want) {
		f.Errorf("%s: got %v, want an error with %q", name, err, want)
	}
}

// buffer is a device buffer with the given contents.
func (f *fixture) buffer(data ...byte) *Buffer {
	f.Helper()
	b, err := f.dev.NewBuffer(int64(len(data)))
	if err != nil {
		f.Fatal(err)
	}
	copy(b.Bytes(), data)
	return b
}

func (f *fixture) holds(b *Buffer, want ...byte) {
	f.Helper()
	if !bytes.Equal(b.Bytes(), want) {
		f.Errorf("buffer holds %v, want %v", b.Bytes(), want)
	}
}

// Every function of the interface is there, but for channels and collectives.
func TestExports(t *testing.T) {
	// hal.imports.mlir and io_parameters.imports.mlir, in their order
	want := strings.Fields(`hal.ex.file.from_memory hal.allocator.select hal.allocator.allocate hal.allocator.import
		hal.buffer.assert hal.buffer.allocation.preserve hal.buffer.allocation.discard hal.buffer.allocation.is_terminal
		hal.buffer.subspan hal.buffer.length hal.buffer.load hal.buffer.store
		hal.buffer_view.create hal.buffer_view.assert hal.buffer_view.buffer hal.buffer_view.element_type
		hal.buffer_view.encoding_type hal.buffer_view.rank hal.buffer_view.dim hal.buffer_view.trace
		hal.command_buffer.create hal.command_buffer.finalize hal.command_buffer.begin_debug_group
		hal.command_buffer.end_debug_group hal.command_buffer.execution_barrier hal.command_buffer.advise_buffer
		hal.command_buffer.fill_buffer hal.command_buffer.update_buffer hal.command_buffer.copy_buffer
		hal.command_buffer.dispatch hal.command_buffer.dispatch.indirect
		hal.device.allocator hal.device.query.i64 hal.device.queue.alloca hal.device.queue.dealloca
		hal.device.queue.fill hal.device.queue.update hal.device.queue.copy hal.device.queue.read
		hal.device.queue.write hal.device.queue.barrier hal.device.queue.execute hal.device.queue.execute.indirect
		hal.device.queue.flush hal.devices.count hal.devices.get hal.executable.create hal.executable.lookup.function
		hal.fence.create hal.fence.join hal.fence.query hal.fence.signal hal.fence.fail hal.fence.await
		io_parameters.load io_parameters.gather io_parameters.scatter`)
	for _, name := range want {
		if _, ok := exports[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	if len(exports) != len(want) {
		t.Errorf("%d exports, want %d", len(exports), len(want))
	}
	h := &Host{}
	if _, err := h.Resolve("hal.fence.create", "0r_r"); err == nil || !strings.Contains(err.Error(), "want 0rI_r, found 0r_r") {
		t.Errorf("another calling convention: %v", err)
	}
	if f, err := h.Resolve("hal.channel.create", "0rIIrrii_r"); f != nil || err != nil {
		t.Errorf("an unknown import: %v", err)
	}
}

// No function panics or takes a null or wrong reference for what it expects.
func TestWrongReferences(t *testing.T) {
	f := newFixture(t, 1)
	for name, e := range exports {
		for _, ref := range []vm.Ref{nil, &File{}} {
			args, n := []vm.Value{}, []int{}
			in, _, _ := strings.Cut(e.cconv[1:], "_")
			span := false
			for _, c := range in {
				switch c {
				case 'C':
					span = true
					n = append(n, 1)
				case 'D':
					span = false
				case 'r':
					args = append(args, vm.RefValue(ref))
				case 'i':
					args = append(args, vm.I32Value(-1))
				case 'I':
					args = append(args, vm.I64Value(math.MinInt64))
				}
			}
			_ = span
			fn, err := f.host.Resolve(name, e.cconv)
			if err != nil {
				t.Fatal(err)
			}
			_, err = vm.CallHost(context.Background(), e.cconv, fn, args, n...)
			refs := strings.Contains(in, "r")
			optional := map[string]bool{ // all references may be null
				"hal.fence.await": true, "hal.fence.join": true, "hal.buffer_view.trace": true,
			}
			if refs && err == nil && !(optional[name] && (ref == nil || name == "hal.buffer_view.trace")) {
				t.Errorf("%s accepts %v", name, ref)
			}
		}
	}
}

func TestDeviceQueries(t *testing.T) {
	f := newFixture(t, 2)
	for _, c := range []struct {
		category, key string
		ok            int32
		value         int64
	}{
		{"hal.device.id", "local*", 1, 1},
		{"hal.device.id", "local", 1, 1},
		{"hal.device.id", "*ca?", 1, 1},
		{"hal.device.id", "cuda*", 1, 0},
		{"hal.device.id", "localhost", 1, 0},
		{"hal.device.id", "loc", 1, 0},
		{"hal.executable.format", "embedded-elf-x86_64", 1, 1},
		{"hal.executable.format", "embedded-elf-arm_64", 1, 0},
		{"hal.device", "concurrency", 1, 1},
		{"hal.dispatch", "concurrency", 1, 2},
		{"hal.cpu", "sse3", 1, 1},
		{"hal.cpu", "no-such-feature", 0, 0},
		{"hal.device", "other", 0, 0},
		{"something", "else", 0, 0},
	} {
		r := f.call("hal.device.query.i64", f.dev, c.category, c.key)
		if r[0].I32() != c.ok || r[1].I64() != c.value {
			t.Errorf("%s %s: %d, %d", c.category, c.key, r[0].I32(), r[1].I64())
		}
	}
	if r := f.call("hal.devices.count"); r[0].I32() != 1 {
		t.Errorf("%d devices", r[0].I32())
	}
	if f.call("hal.devices.get", 0)[0].Ref() != vm.Ref(f.dev) || f.call("hal.devices.get", 1)[0].Ref() != nil {
		t.Error("devices")
	}
	r := f.call("hal.allocator.select", 0, 0, int64(0), spans{2}, f.dev, int64(5), f.dev, int64(6))
	if r[0].Ref() != vm.Ref(f.dev) || r[1].I64() != 5 {
		t.Errorf("selected %v", r)
	}
}

func TestBuffers(t *testing.T) {
	f := newFixture(t, 1)
	alloc := f.call("hal.device.allocator", f.dev)[0].Ref()
	b := f.call("hal.allocator.allocate", alloc, int64(-1), 0, 0, int64(100))[0].Ref().(*Buffer)
	if b.Len() != 100 || address(b.Bytes())%Alignment != 0 {
		t.Errorf("%d bytes at %#x", b.Len(), address(b.Bytes()))
	}
	f.call("hal.buffer.store", 0x01020304, b, int64(96), 4)
	f.call("hal.buffer.store", -1, b, int64(99), 1)
	if v := f.call("hal.buffer.load", b, int64(96), 4)[0].I32(); v != -1<<24|0x020304 {
		t.Errorf("loaded %#x", v)
	}
	if v := f.call("hal.buffer.load", b, int64(97), 2)[0].I32(); v != 0x0203 {
		t.Errorf("loaded %#x", v)
	}
	f.fails("outside its buffer", "hal.buffer.load", b, int64(97), 4)
	f.fails("outside its buffer", "hal.buffer.load", b, int64(-1), 1)
	f.fails("outside its buffer", "hal.buffer.store", 0, b, int64(math.MaxInt64), 4)
	f.fails("size of a load", "hal.buffer.load", b, int64(0), 5)
	f.fails("size of a load", "hal.buffer.store", 0, b, int64(0), -1)
	if n := f.call("hal.buffer.length", b)[0].I64(); n != 100 {
		t.Errorf("length %d", n)
	}
	s := f.call("hal.buffer.subspan", b, int64(64), int64(36))[0].Ref().(*Buffer)
	if s.Len() != 36 || &s.Bytes()[32] != &b.Bytes()[96] || s.Same(b) {
		t.Error("subspan")
	}
	if f.call("hal.buffer.subspan", b, int64(0), int64(100))[0].Ref() != vm.Ref(b) {
		t.Error("the whole of a buffer is another buffer")
	}
	f.fails("subspan lies outside", "hal.buffer.subspan", b, int64(1), int64(100))
	f.call("hal.buffer.assert", b, "input", alloc, int64(100), 0, 0)
	f.fails("input: the buffer is too small", "hal.buffer.assert", b, "input", alloc, int64(101), 0, 0)
	f.fails("size of an allocation", "hal.allocator.allocate", alloc, int64(-1), 0, 0, int64(-1))
	f.fails("size of an allocation", "hal.allocator.allocate", alloc, int64(-1), 0, 0, int64(1)<<50)

	if f.call("hal.buffer.allocation.is_terminal", b)[0].I32() != 1 {
		t.Error("a new buffer has several owners")
	}
	f.call("hal.buffer.allocation.preserve", s)
	if f.call("hal.buffer.allocation.is_terminal", b)[0].I32() != 0 || f.call("hal.buffer.allocation.discard", b)[0].I32() != 0 ||
		f.call("hal.buffer.allocation.discard", b)[0].I32() != 1 {
		t.Error("owners are counted wrongly")
	}
	s.Release()
	if b.Bytes() == nil {
		t.Error("releasing a subspan released the buffer")
	}
	b.Release()
	b.Release()
	if b.Bytes() != nil || s.Bytes() != nil {
		t.Error("a released buffer has bytes")
	}
	f.fails("was released", "hal.buffer.load", b, int64(0), 4)
	f.fails("was released", "hal.buffer.load", s, int64(0), 4)
}

func TestImport(t *testing.T) {
	f := newFixture(t, 1)
	alloc := f.dev.allocator
	mem := f.buffer(make([]byte, 256)...).Bytes()
	constant, mutable := vm.NewBuffer(mem, true), vm.NewBuffer(mem, false)
	b := f.call("hal.allocator.import", alloc, 0, int64(-1), 0, usageImmutable, constant, int64(64), int64(-1))[0].Ref().(*Buffer)
	if b.Len() != 192 || &b.Bytes()[0] != &mem[64] || !b.ReadOnly() {
		t.Error("the memory was not used in place")
	}
	f.fails("read-only", "hal.buffer.store", 0, b, int64(0), 4)
	b = f.call("hal.allocator.import", alloc, 0, int64(-1), 0, 0, mutable, int64(0), int64(64))[0].Ref().(*Buffer)
	f.call("hal.buffer.store", 7, b, int64(0), 4)
	if mem[0] != 7 {
		t.Error("a store into imported memory went elsewhere")
	}
	f.fails("imported for writing", "hal.allocator.import", alloc, 0, int64(-1), 0, 0, constant, int64(0), int64(-1))
	f.fails("not aligned", "hal.allocator.import", alloc, 0, int64(-1), 0, 0, mutable, int64(8), int64(-1))
	if f.call("hal.allocator.import", alloc, 1, int64(-1), 0, 0, mutable, int64(8), int64(-1))[0].Ref() != nil {
		t.Error("an import that is only tried succeeded")
	}
	f.fails("outside its buffer", "hal.allocator.import", alloc, 1, int64(-1), 0, 0, mutable, int64(0), int64(257))
}

func TestViews(t *testing.T) {
	f := newFixture(t, 1)
	b := f.buffer(make([]byte, 96)...)
	v := f.call("hal.buffer_view.create", b, int64(0), int64(96), int(F32), 1, spans{2}, int64(4), int64(6))[0].Ref().(*BufferView)
	if v.Buffer() != b || v.String() != "f32[4 6]" || len(v.Bytes()) != 96 {
		t.Errorf("view %v", v)
	}
	if f.call("hal.buffer_view.buffer", v)[0].Ref() != vm.Ref(b) || f.call("hal.buffer_view.rank", v)[0].I32() != 2 ||
		f.call("hal.buffer_view.dim", v, 1)[0].I64() != 6 || ElementType(f.call("hal.buffer_view.element_type", v)[0].I32()) != F32 ||
		f.call("hal.buffer_view.encoding_type", v)[0].I32() != 1 {
		t.Error("properties of the view")
	}
	f.fails("no such dimension", "hal.buffer_view.dim", v, 2)
	f.fails("no such dimension", "hal.buffer_view.dim", v, -1)
	f.fails("too small for f32[5 6]", "hal.buffer_view.create", b, int64(0), int64(96), int(F32), 1, spans{2}, int64(5), int64(6))
	f.fails("too small", "hal.buffer_view.create", b, int64(0), int64(96), int(F64), 1, spans{1}, int64(-1))
	f.fails("too small", "hal.buffer_view.create", b, int64(0), int64(96), int(F32), 1, spans{3}, int64(1)<<40, int64(1)<<40, int64(1)<<40)
	f.fails("outside its buffer", "hal.buffer_view.create", b, int64(8), int64(96), int(F32), 1, spans{0})
	many := []any{b, int64(0), int64(96), int(F32), 1, spans{129}}
	for range 129 {
		many = append(many, int64(1))
	}
	f.fails("too many dimensions", "hal.buffer_view.create", many...)

	f.call("hal.buffer_view.assert", v, "input0", int(F32), 1, spans{2}, int64(4), int64(6))
	f.fails("input0: the tensor does not fit: want f16[4 6], found f32[4 6]", "hal.buffer_view.assert", v, "input0", int(F16), 1, spans{2}, int64(4), int64(6))
	f.fails("want f32[4], found f32[4 6]", "hal.buffer_view.assert", v, "input0", int(F32), 1, spans{1}, int64(4))
	f.fails("want f32[4 7], found f32[4 6]", "hal.buffer_view.assert", v, "input0", int(F32), 1, spans{2}, int64(4), int64(7))
	f.fails("does not fit", "hal.buffer_view.assert", v, "input0", int(F32), 2, spans{2}, int64(4), int64(6))
	u, err := NewBufferView(b, U32, []int{3})
	if err != nil {
		t.Fatal(err)
	}
	f.call("hal.buffer_view.assert", u, "", int(I32), 1, spans{1}, int64(3))
	f.fails("does not fit", "hal.buffer_view.assert", u, "", int(F32), 1, spans{1}, int64(3))

	f.call("hal.buffer_view.trace", "key", spans{1}, v) // nobody listens
	var got string
	f.dev.opts.Trace = func(key string, views []*BufferView) { got = key + " " + views[1].String() }
	f.call("hal.buffer_view.trace", "key", spans{2}, v, u)
	if got != "key ui32[3]" {
		t.Errorf("traced %q", got)
	}
}

func TestFences(t *testing.T) {
	f := newFixture(t, 1)
	fence := func() *Fence { return f.call("hal.fence.create", f.dev, int64(0))[0].Ref().(*Fence) }
	a, b, c := fence(), fence(), fence()
	query := func(x *Fence) int32 { return f.call("hal.fence.query", x)[0].I32() }
	if query(a) != statusDeferred {
		t.Error("a new fence is reached")
	}
	if s := f.call("hal.fence.await", -1, int64(0), spans{2}, nil, a)[0].I32(); s != statusDeadlineExceeded {
		t.Errorf("waiting for what never comes: %d", s)
	}
	f.fails("nothing signals", "hal.device.queue.barrier", f.dev, int64(-1), a, b, int64(0))
	f.call("hal.fence.signal", a)
	f.call("hal.device.queue.barrier", f.dev, int64(-1), a, b, int64(0))
	if query(a) != 0 || query(b) != 0 {
		t.Error("the barrier did not signal")
	}
	if j := f.call("hal.fence.join", int64(0), spans{3}, a, nil, b)[0].Ref(); j != nil {
		t.Error("a join of what is reached is not null")
	}
	d := fence()
	j := f.call("hal.fence.join", int64(0), spans{3}, a, c, d)[0].Ref().(*Fence)
	if query(j) != statusDeferred {
		t.Error("a join is reached before its parts")
	}
	f.call("hal.fence.signal", c)
	f.call("hal.fence.signal", d)
	if query(j) != 0 || f.call("hal.fence.await", -1, int64(0), spans{2}, j, a)[0].I32() != 0 {
		t.Error("a join is not reached")
	}
	e := fence()
	f.call("hal.fence.fail", e, 13)
	if query(e) != 13 || f.call("hal.fence.await", 0, int64(0), spans{2}, fence(), e)[0].I32() != 13 {
		t.Error("a failure is lost")
	}
	f.fails("status 13", "hal.device.queue.barrier", f.dev, int64(-1), e, nil, int64(0))
	f.call("hal.device.queue.flush", f.dev, int64(-1))
}

func TestQueueTransfers(t *testing.T) {
	f := newFixture(t, 1)
	a, b := f.buffer(1, 2, 3, 4, 5, 6, 7, 8), f.buffer(make([]byte, 8)...)
	signal := newFence()
	f.call("hal.device.queue.copy", f.dev, int64(-1), nil, signal, a, int64(2), b, int64(1), int64(3), int64(0))
	f.holds(b, 0, 3, 4, 5, 0, 0, 0, 0)
	if signal.status() != statusOK {
		t.Error("the fence was not signaled")
	}
	f.call("hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(4), int64(4), int64(0x0a0b), 2, int64(0))
	f.holds(b, 0, 3, 4, 5, 0x0b, 0x0a, 0x0b, 0x0a)
	f.call("hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(0), int64(8), int64(0x0100), 1, int64(0))
	f.holds(b, 0, 0, 0, 0, 0, 0, 0, 0)
	f.call("hal.device.queue.update", f.dev, int64(-1), nil, nil, vm.NewBuffer([]byte{9, 8, 7}, true), int64(1), b, int64(6), int64(2), int64(0))
	f.holds(b, 0, 0, 0, 0, 0, 0, 8, 7)
	file := f.call("hal.ex.file.from_memory", f.dev, int64(-1), 1, vm.NewBuffer([]byte{1, 2, 3, 4}, true), int64(1), int64(3), 0)[0].Ref()
	f.call("hal.device.queue.read", f.dev, int64(-1), nil, nil, file, int64(1), b, int64(0), int64(2), int64(0))
	f.holds(b, 3, 4, 0, 0, 0, 0, 8, 7)

	f.fails("outside its buffer", "hal.device.queue.read", f.dev, int64(-1), nil, nil, file, int64(2), b, int64(0), int64(2), int64(0))
	f.fails("only be read", "hal.device.queue.write", f.dev, int64(-1), nil, nil, b, int64(0), file, int64(0), int64(2), int64(0))
	f.fails("only be read", "hal.ex.file.from_memory", f.dev, int64(-1), 3, vm.NewBuffer(nil, true), int64(0), int64(0), 0)
	f.fails("outside its buffer", "hal.device.queue.copy", f.dev, int64(-1), nil, nil, a, int64(6), b, int64(0), int64(3), int64(0))
	f.fails("outside its buffer", "hal.device.queue.copy", f.dev, int64(-1), nil, nil, a, int64(0), b, int64(6), int64(3), int64(0))
	f.fails("outside its buffer", "hal.device.queue.update", f.dev, int64(-1), nil, nil, vm.NewBuffer([]byte{9}, true), int64(0), b, int64(0), int64(2), int64(0))
	f.fails("fill pattern", "hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(0), int64(6), int64(1), 3, int64(0))
	f.fails("multiple of its pattern", "hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(0), int64(6), int64(1), 4, int64(0))
	f.fails("read-only", "hal.device.queue.fill", f.dev, int64(-1), nil, nil, Wrap(make([]byte, 8), true, nil), int64(0), int64(4), int64(1), 4, int64(0))
	f.fails("memory pool", "hal.device.queue.alloca", f.dev, int64(-1), nil, nil, int64(1), 0, 0, int64(8), int64(0))
}

// Transient memory is reused, and what a call leaves behind is settled at its end.
func TestMemory(t *testing.T) {
	f := newFixture(t, 1)
	alloca := func(n int64) *Buffer {
		return f.call("hal.device.queue.alloca", f.dev, int64(-1), nil, nil, int64(0), 0, 0, n, int64(0))[0].Ref().(*Buffer)
	}
	f.host.Begin()
	a := alloca(10000)
	p := &a.Bytes()[0]
	f.call("hal.device.queue.dealloca", f.dev, int64(-1), nil, nil, a, int64(0))
	b := alloca(9000) // the same number of pages
	if &b.Bytes()[0] != p {
		t.Error("released memory was not reused")
	}
	b.Bytes()[0] = 1
	f.call("hal.device.queue.dealloca", f.dev, int64(-1), nil, nil, b, int64(0))
	if c, err := f.dev.NewBuffer(9000); err != nil || c.Bytes()[0] != 0 {
		t.Errorf("memory for the caller is not zero: %v", err)
	} else {
		c.Release()
	}
	base, _, _ := f.dev.Memory()
	lost := alloca(5000)
	f.host.End(true, nil)
	if n, _, _ := f.dev.Memory(); n != base || lost.Bytes() != nil {
		t.Errorf("%d bytes in use after a call that failed, %d before", n, base)
	}

	f.host.Begin()
	slab := alloca(8192)
	sub, err := slab.Subspan(4096, 64)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := NewBufferView(slab, F32, []int{4})
	w, _ := NewBufferView(sub, F32, []int{4})
	arg, _ := NewBufferView(f.buffer(make([]byte, 64)...), F32, []int{16})
	f.host.End(false, []vm.Value{vm.RefValue(v), vm.RefValue(w), vm.RefValue(arg), vm.RefValue(w), vm.I32Value(3)})
	v.Release()
	v.Release()
	if w.Bytes() == nil {
		t.Error("results that share memory were released together")
	}
	w.Release()
	arg.Release()
	if w.Bytes() != nil || arg.Bytes() == nil {
		t.Error("the wrong memory was released")
	}
}

// Memory that a module forgets comes back.
func TestUnreachable(t *testing.T) {
	f := newFixture(t, 1)
	f.host.Begin()
	for range 100 {
		if _, err := f.host.allocate(1 << 20); err != nil {
			t.Fatal(err)
		}
	}
	f.host.End(false, nil)
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(time.Millisecond) {
		runtime.GC()
		n, peak, _ := f.dev.Memory()
		if n == 0 && peak >= 100<<20 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d bytes are still in use", n)
		}
	}
	// A result is its owner's: its bytes may be all that is left of it.
	f.host.Begin()
	b, err := f.host.allocate(4096)
	if err != nil {
		t.Fatal(err)
	}
	v, _ := NewBufferView(b, I8, []int{4096})
	f.host.End(false, []vm.Value{vm.RefValue(v)})
	mem := v.Bytes()
	mem[0] = 42
	b, v = nil, nil
	for range 5 {
		runtime.GC()
		time.Sleep(time.Millisecond)
	}
	if n, _, _ := f.dev.Memory(); n != 4096 || mem[0] != 42 {
		t.Errorf("a result was released by itself: %d bytes in use", n)
	}
}

func TestArenaBounds(t *testing.T) {
	var a arena
	a.init(64 << 10)
	var blocks []block
	for range 20 {
		b, _, err := a.get(8 << 10)
		if err != nil {
			t.Fatal(err)
		}
		blocks = append(blocks, b)
	}
	for _, b := range blocks {
		a.put(b)
	}
	if a.bytes > 64<<10 || a.inUse != 0 {
		t.Errorf("%d bytes kept, %d in use", a.bytes, a.inUse)
	}
	for i := range 2 * maxCachedBlocks {
		b, _, err := a.get(int64(i) * 4096)
		if err != nil {
			t.Fatal(err)
		}
		a.put(b)
	}
	if len(a.cached) > maxCachedBlocks {
		t.Errorf("%d blocks kept", len(a.cached))
	}
	a.trim()
	if a.bytes != 0 || len(a.cached) != 0 {
		t.Error("trim kept memory")
	}
	a.close()
	if _, _, err := a.get(1); err == nil {
		t.Error("a closed arena gives memory")
	}
}

func TestFill(t *testing.T) {
	for _, c := range []struct {
		size    int
		pattern uint64
		n       int
		want    string
	}{
		{4, 0x41, 1, "AAAA"}, {6, 0x4241, 2, "ABABAB"}, {12, 0x44434241, 4, "ABCDABCDABCD"},
		{16, 0x4847464544434241, 8, "ABCDEFGHABCDEFGH"}, {0, 1, 4, ""}, {4, 0xff00, 1, "\x00\x00\x00\x00"},
	} {
		mem := bytes.Repeat([]byte{0x55}, c.size)
		if err := fill(mem, c.pattern, c.n); err != nil || string(mem) != c.want {
			t.Errorf("%+v: %q, %v", c, mem, err)
		}
	}
}

func TestParameters(t *testing.T) {
	f := newFixture(t, 1)
	mem := f.buffer(make([]byte, 4096)...).Bytes()
	for i := range mem {
		mem[i] = byte(i)
	}
	source := params.Map{}
	source.Add("model", "a", mem[:128])
	source.Add("model", "bb", mem[128:256])
	source.Add("model", "odd", mem[1:65])
	f.host.params = source
	le := binary.LittleEndian
	tables := func(spans ...any) (keys, text, table string) {
		var k, t []byte
		for i := 0; i < len(spans); i += 4 {
			name := spans[i].(string)
			k = le.AppendUint32(le.AppendUint32(k, uint32(len(text))), uint32(len(name)))
			text += name
			for _, v := range spans[i+1 : i+4] {
				t = le.AppendUint64(t, uint64(v.(int)))
			}
		}
		return string(k), text, string(t)
	}
	load := func(spans ...any) ([]vm.Value, error) {
		k, d, s := tables(spans...)
		return f.try("io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, k, d, s)
	}
	r, err := load("a", 0, 0, 128, "bb", 64, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	l := r[0].Ref().(*vm.List)
	for i, want := range []int{0, 192} {
		b := l.At(i).Ref().(*Buffer)
		if &b.Bytes()[0] != &mem[want] || !b.ReadOnly() {
			t.Errorf("parameter %d is not used in place", i)
		}
	}
	for _, c := range []struct {
		want  string
		spans []any
	}{
		{"needs a parameter", []any{"c", 0, 0, 1}},
		{"another size", []any{"a", 0, 0, 129}},
		{"another size", []any{"a", 129, 0, 0}},
		{"another size", []any{"a", -1, 0, 1}},
		{"not aligned", []any{"odd", 0, 0, 64}},
		{"not aligned", []any{"a", 8, 0, 8}},
	} {
		if _, err := load(c.spans...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want an error with %q", c.spans, err, c.want)
		}
	}
	k, d, s := tables("a", 0, 0, 1)
	f.fails("parameter tables", "io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, k, d, s+"x")
	f.fails("parameter tables", "io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, "", d, s)
	f.fails("outside its text", "io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, k, "", s)
	f.fails("needs a parameter", "io_parameters.load", f.dev, int64(-1), nil, nil, "other", int64(-1), 0, 0, k, d, s)

	target := f.buffer(make([]byte, 8)...)
	k, d, s = tables("a", 5, 0, 2, "bb", 1, 4, 3)
	f.call("io_parameters.gather", f.dev, int64(-1), nil, nil, "model", target, k, d, s)
	f.holds(target, 5, 6, 0, 0, 129, 130, 131, 0)
	k, d, s = tables("a", 0, 7, 2)
	f.fails("outside its buffer", "io_parameters.gather", f.dev, int64(-1), nil, nil, "model", target, k, d, s)
	f.fails("can only be read", "io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
	f.host.params = writable{source}
	k, d, s = tables("a", 10, 4, 2)
	f.call("io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
	if mem[10] != 129 || mem[11] != 130 || mem[12] != 12 {
		t.Errorf("scattered %v", mem[8:16])
	}
	k, d, s = tables("a", 10, 7, 2)
	f.fails("outside its buffer", "io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
	k, d, s = tables("zz", 0, 0, 2)
	f.fails("needs a parameter", "io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
}

type writable struct{ params.Map }

func (w writable) WriteParameter(scope, key string) ([]byte, error) { return w.Map[scope][key], nil }

func TestElementTypes(t *testing.T) {
	for _, c := range []struct {
		e     ElementType
		shape []int
		size  int64
		text  string
	}{
		{F32, []int{2, 3}, 24, "f32[2 3]"}, {BF16, []int{}, 2, "bf16[]"}, {Bool8, []int{3}, 3, "bool8[3]"},
		{ElementType(classInteger<<24 | 4), []int{3}, 2, "i4[3]"}, {F64, []int{0, 1 << 60, 1 << 60}, 0, ""},
		{I8, []int{1 << 40, 1 << 40}, -1, ""}, {I8, []int{-1}, -1, ""}, {F64, []int{1 << 56, 64}, -1, ""},
	} {
		if n := byteSize(c.e, c.shape); n != c.size {
			t.Errorf("%v%v: %d bytes, want %d", c.e, c.shape, n, c.size)
		}
		if s := describe(c.e, c.shape); c.text != "" && s != c.text {
			t.Errorf("%q, want %q", s, c.text)
		}
	}
	if !I32.fits(U32) || !S8.fits(I8) || F32.fits(I32) || I32.fits(I64) || BF16.fits(F16) || !Opaque8.fits(F32) || Bool8.fits(I8) {
		t.Error("fits")
	}
}
