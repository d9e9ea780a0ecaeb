package vm

import (
	"math"
	"testing"
)

func TestBufferLoads(t *testing.T) {
	data := []byte{0xfe, 0xff, 0x80, 0x01, 0x7f, 0, 0, 0xc0, 1, 2, 3, 4, 5, 6, 7, 8, 9}
	b := RefValue(NewBuffer(data, true))
	for _, c := range []struct {
		op     string
		offset int64
		want   Value
	}{
		{"buffer.load.i8.u", 0, I32Value(0xfe)},
		{"buffer.load.i8.s", 0, I32Value(-2)},
		{"buffer.load.i8.s", 16, I32Value(9)},
		{"buffer.load.i16.u", 0, I32Value(0xfffe)},
		{"buffer.load.i16.s", 0, I32Value(-2)},
		{"buffer.load.i16.u", 1, I32Value(0x180)}, // offsets count elements
		{"buffer.load.i32", 1, I32Value(-0x3fffff81)},
		{"buffer.load.i32", 3, I32Value(0x08070605)},
		{"buffer.load.i64", 1, I64Value(0x0807060504030201)},
		{"buffer.load.f32", 1, F32Value(math.Float32frombits(0xc000007f))},
		{"buffer.load.f64", 1, F64Value(math.Float64frombits(0x0807060504030201))},
	} {
		in := single(t, "0rI_"+string(c.want.Kind()), 6, 1, newAsm().block("a").op(c.op, ref(0), 0, 2).op("return", regs{2}))
		if got := invoke(t, in, "f", b, I64Value(c.offset)); got[0] != c.want {
			t.Errorf("%s at %d: got %#x, want %#x", c.op, c.offset, got[0].bits, c.want.bits)
		}
		for _, bad := range []int64{17, -1, 1 << 61, 1 << 62, math.MinInt64} {
			fails(t, in, "f", "vm_out_of_range", "of a buffer of 17 bytes", b, I64Value(bad))
		}
		fails(t, in, "f", "vm_invalid_argument", "a null reference where a buffer is needed", RefValue(nil), I64Value(0))
		fails(t, in, "f", "vm_invalid_argument", "a reference to test.thing where a buffer is needed", RefValue(&thing{}), I64Value(0))
	}
}

func TestBufferStoresAndFills(t *testing.T) {
	for _, c := range []struct {
		kind string
		v    Value
		size int
		want []byte
	}{
		{"i8", I32Value(0x1234), 1, []byte{0x34}},
		{"i16", I32Value(0x12345), 2, []byte{0x45, 0x23}},
		{"i32", I32Value(0x12345678), 4, []byte{0x78, 0x56, 0x34, 0x12}},
		{"i64", I64Value(0x0102030405060708), 8, []byte{8, 7, 6, 5, 4, 3, 2, 1}},
		{"f32", F32Value(1), 4, []byte{0, 0, 0x80, 0x3f}},
		{"f64", F64Value(1), 8, []byte{0, 0, 0, 0, 0, 0, 0xf0, 0x3f}},
	} {
		k := string(c.v.Kind())
		store := single(t, "0rI"+k+"_v", 8, 1, newAsm().block("a").op("buffer.store."+c.kind, ref(0), 0, 2).op("return", regs{}))
		data := make([]byte, 5*c.size)
		b := RefValue(NewBuffer(data, false))
		invoke(t, store, "f", b, I64Value(2), c.v)
		for i, x := range data {
			want := byte(0)
			if i/c.size == 2 {
				want = c.want[i%c.size]
			}
			if x != want {
				t.Errorf("store.%s: %x", c.kind, data)
				break
			}
		}
		constant := RefValue(NewBuffer(data, true))
		fails(t, store, "f", "vm_permission_denied", "a store into a constant buffer", constant, I64Value(0), c.v)
		for _, bad := range []int64{5, -1, 1 << 61} {
			fails(t, store, "f", "vm_out_of_range", "1 elements of", b, I64Value(bad), c.v)
		}
		fails(t, store, "f", "vm_invalid_argument", "where a buffer is needed", RefValue(nil), I64Value(0), c.v)

		fill := single(t, "0rII"+k+"_v", 8, 1, newAsm().block("a").op("buffer.fill."+c.kind, ref(0), 0, 2, 4).op("return", regs{}))
		clear(data)
		invoke(t, fill, "f", b, I64Value(1), I64Value(3), c.v)
		for i, x := range data {
			want := c.want[i%c.size]
			if i < c.size || i >= 4*c.size {
				want = 0
			}
			if x != want {
				t.Errorf("fill.%s: %x", c.kind, data)
				break
			}
		}
		invoke(t, fill, "f", b, I64Value(5), I64Value(0), c.v)
		for _, bad := range [][2]int64{{1, 5}, {6, 0}, {0, -1}, {1 << 61, 1}, {math.MaxInt64, math.MaxInt64}, {1, math.MaxInt64}} {
			fails(t, fill, "f", "vm_out_of_range", "of a buffer of", b, I64Value(bad[0]), I64Value(bad[1]), c.v)
		}
		fails(t, fill, "f", "vm_permission_denied", "constant", constant, I64Value(0), I64Value(1), c.v)
		fails(t, fill, "f", "vm_invalid_argument", "where a buffer is needed", RefValue(nil), I64Value(0), I64Value(1), c.v)
	}
}

func TestBufferOperations(t *testing.T) {
	in := newInstance(t, testModule(
		testFunc{"length", "0r_I", 2, 1, newAsm().block("a").op("buffer.length", ref(0), 0).op("return", regs{0})},
		testFunc{"alloc", "0Ii_r", 3, 1, newAsm().block("a").op("buffer.alloc", 0, 2, ref(0)).op("return", regs{mv(0)})},
		testFunc{"clone", "0rIIi_r", 5, 2, newAsm().block("a").op("buffer.clone", ref(0), 0, 2, 4, ref(1)).op("return", regs{mv(1)})},
		testFunc{"copy", "0rIrII_v", 6, 2, newAsm().block("a").op("buffer.copy", ref(0), 0, ref(1), 2, 4).op("return", regs{})},
		testFunc{"compare", "0rIrII_i", 7, 2, newAsm().block("a").op("buffer.compare", ref(0), 0, ref(1), 2, 4, 6).op("return", regs{6})},
		testFunc{"hash", "0rII_I", 6, 1, newAsm().block("a").op("buffer.hash", ref(0), 0, 2, 4).op("return", regs{4})},
		testFunc{"const", "0v_r", 0, 1, newAsm().block("a").op("const.ref.rodata", 1, ref(0)).op("return", regs{ref(0)})},
	), noImports, Limits{})
	constant := invoke(t, in, "const")[0]
	n := func(v int64) Value { return I64Value(v) }
	if got := invoke(t, in, "length", constant); got[0].I64() != 16 {
		t.Errorf("length %v", got)
	}
	fails(t, in, "length", "vm_invalid_argument", "a null reference", RefValue(nil))

	fresh := invoke(t, in, "alloc", n(5), I32Value(64))[0]
	if b := fresh.Ref().(*Buffer); string(b.Bytes()) != "\x00\x00\x00\x00\x00" || b.ReadOnly() {
		t.Errorf("alloc gives %q", b.Bytes())
	}
	clone := invoke(t, in, "clone", constant, n(3), n(4), I32Value(1))[0]
	if b := clone.Ref().(*Buffer); string(b.Bytes()) != "3456" || b.ReadOnly() {
		t.Errorf("clone gives %q", b.Bytes())
	}
	invoke(t, in, "copy", constant, n(10), fresh, n(1), n(3))
	if got := string(fresh.Ref().(*Buffer).Bytes()); got != "\x00abc\x00" {
		t.Errorf("copy gives %q", got)
	}
	invoke(t, in, "copy", fresh, n(1), fresh, n(2), n(3)) // overlapping
	if got := string(fresh.Ref().(*Buffer).Bytes()); got != "\x00aabc" {
		t.Errorf("copy gives %q", got)
	}
	for _, c := range []struct {
		a, b, n int64
		want    int32
	}{{0, 3, 0, 1}, {3, 0, 4, 1}, {3, 0, 3, 1}, {2, 0, 3, 0}} {
		if got := invoke(t, in, "compare", constant, n(c.a), clone, n(c.b), n(c.n)); got[0].I32() != c.want {
			t.Errorf("compare %v: got %v", c, got)
		}
	}
	// Test vectors of the SipHash paper and its reference implementation.
	bytes15 := RefValue(in.prog.rodata[0])
	for length, want := range map[int64]uint64{0: 0x726fdb47dd0e0e31, 1: 0x74f839c593dc67fd, 8: 0x93f5f5799a932462, 15: 0xa129ca6149be45e5} {
		if got := invoke(t, in, "hash", bytes15, n(0), n(length)); uint64(got[0].I64()) != want {
			t.Errorf("hash of %d bytes: %#x", length, got[0].I64())
		}
	}
	for f, args := range map[string][]Value{
		"clone":   {constant, n(3), n(14), I32Value(1)},
		"hash":    {constant, n(-1), n(2)},
		"copy":    {constant, n(0), fresh, n(3), n(3)},
		"compare": {constant, n(0), fresh, n(3), n(3)},
	} {
		fails(t, in, f, "vm_out_of_range", "of a buffer of", args...)
	}
	fails(t, in, "copy", "vm_out_of_range", "3 elements of 1 bytes at 14", constant, n(14), fresh, n(0), n(3))
	fails(t, in, "compare", "vm_out_of_range", "3 elements of 1 bytes at 14", constant, n(14), fresh, n(0), n(3))
	fails(t, in, "copy", "vm_permission_denied", "constant", constant, n(0), constant, n(0), n(3))
	fails(t, in, "copy", "vm_invalid_argument", "a null reference", constant, n(0), RefValue(nil), n(0), n(3))
	var typedNil *Buffer
	fails(t, in, "length", "vm_invalid_argument", "where a buffer is needed", RefValue(typedNil))
}
