package hal

import (
	"math"
	"runtime"
	"testing"
	"time"

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
