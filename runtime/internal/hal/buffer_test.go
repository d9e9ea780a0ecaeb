package hal

import (
	"math"
	"testing"

	"github.com/hlocc/hlocc/runtime/internal/vm"
)

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

// holding is what an instance could hold.
type holding []vm.Ref

func (h *holding) each(f func(vm.Ref)) {
	for _, r := range *h {
		f(r)
	}
}

func (f *fixture) alloca(n int64) *Buffer {
	f.Helper()
	return f.call("hal.device.queue.alloca", f.dev, int64(-1), nil, nil, int64(0), 0, 0, n, int64(0))[0].Ref().(*Buffer)
}

func (f *fixture) inUse() int64 {
	n, _, _ := f.dev.Memory()
	return n
}

// Transient memory is reused as soon as it is given back.
func TestReuse(t *testing.T) {
	f := newFixture(t, 1)
	a := f.alloca(10000)
	p := &a.Bytes()[0]
	f.call("hal.device.queue.dealloca", f.dev, int64(-1), nil, nil, a, int64(0))
	b := f.alloca(9000) // the same number of pages
	if &b.Bytes()[0] != p {
		t.Error("released memory was not reused")
	}
	b.Bytes()[0] = 1
	f.call("hal.device.queue.dealloca", f.dev, int64(-1), nil, nil, b, int64(0))
	if c, err := f.dev.NewBuffer(9000); err != nil || c.Bytes()[0] != 0 {
		t.Errorf("memory for the caller is not zero: %v", err)
	}
}

// What the module has dropped is reused, or freed at the end of the call.
func TestDropped(t *testing.T) {
	f := newFixture(t, 1)
	var held holding
	f.host.objects.roots = held.each
	f.host.Begin()
	a := f.alloca(10000)
	p := &a.Bytes()[0]
	b := f.alloca(10000) // a is not held
	if &b.Bytes()[0] != p || a.Bytes() != nil {
		t.Error("memory that was dropped was not reused")
	}
	sub, err := b.Subspan(0, 64)
	if err != nil {
		t.Fatal(err)
	}
	held = holding{sub}
	c := f.alloca(20000)
	cb := &CommandBuffer{rec: &recording{bindings: []binding{{slot: 1}, {buf: c}}}}
	held = append(held, cb)
	v, err := NewBufferView(f.alloca(30000), I8, []int{5})
	if err != nil {
		t.Fatal(err)
	}
	held = append(held, &CommandBuffer{}, v, f.dev, newFence())
	f.alloca(40000)
	f.alloca(40000)
	if b.Bytes() == nil || c.Bytes() == nil || v.Bytes() == nil {
		t.Error("memory was freed that is still in use")
	}
	f.host.End(nil)
	if n := f.inUse(); n != (3+5+8)*4096 {
		t.Errorf("%d bytes in use after the call", n)
	}
	held = nil
	f.host.Begin()
	f.host.End(nil)
	if n := f.inUse(); n != 0 {
		t.Errorf("%d bytes in use when nothing is held", n)
	}
	f.alloca(100)
	f.host.Close()
	if n := f.inUse(); n != 0 {
		t.Errorf("%d bytes in use after Close", n)
	}
}

// The time of collections is bounded by the number of allocations.
func TestCollectionsAreAmortised(t *testing.T) {
	f := newFixture(t, 1)
	var held holding
	looks := 0
	f.host.objects.roots = func(yield func(vm.Ref)) { looks += len(held); held.each(yield) }
	for range 2000 {
		held = append(held, f.alloca(4096))
	}
	if looks > 2000*64 {
		t.Errorf("%d references were looked at for 2000 allocations", looks)
	}
}

// Results belong to the caller.
func TestResults(t *testing.T) {
	f := newFixture(t, 1)
	var held holding
	f.host.objects.roots = held.each
	view := func(b *Buffer) *BufferView {
		v, err := NewBufferView(b, F32, []int{4})
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	f.host.Begin()
	slab := f.alloca(8192)
	sub, err := slab.Subspan(4096, 64)
	if err != nil {
		t.Fatal(err)
	}
	v, w, arg := view(slab), view(sub), view(f.buffer(make([]byte, 64)...))
	held = holding{slab}
	global := f.alloca(64)
	held = append(held, global)
	kept := view(global)
	lost := f.alloca(123456)
	held = holding{global} // what the call leaves behind
	f.host.End([]vm.Value{vm.RefValue(v), vm.RefValue(w), vm.RefValue(arg), vm.RefValue(w), vm.RefValue(kept), vm.I32Value(3)})
	if lost.Bytes() != nil {
		t.Error("what the call dropped was kept")
	}
	f.host.Begin()
	again := view(slab) // passed in, and out again in place
	f.host.End([]vm.Value{vm.RefValue(again)})
	again.Release()
	v.Release()
	v.Release()
	if w.Bytes() == nil {
		t.Error("results that share memory were released together")
	}
	w.Release()
	arg.Release()
	kept.Release()
	if w.Bytes() != nil || arg.Bytes() == nil || kept.Bytes() == nil {
		t.Error("the wrong memory was released")
	}
	f.host.Close()
	if kept.Bytes() != nil {
		t.Error("memory of the instance outlives it")
	}
}

func TestArenaBounds(t *testing.T) {
	var a arena
	a.init(64 << 10)
	var blocks []block
	for range 20 {
		b, _, err := a.get(8<<10, nil)
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
		b, _, err := a.get(int64(i)*4096, nil)
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
	if _, _, err := a.get(1, nil); err == nil {
		t.Error("a closed arena gives memory")
	}
}

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
