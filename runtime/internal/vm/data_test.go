package vm

import (
	"math"
	"runtime"
	"testing"
)

func TestGlobals(t *testing.T) {
	in := newInstance(t, testModule(
		testFunc{"set", "0iIfF_v", 8, 0, newAsm().block("a").
			op("global.store.i32", 0, 0).op("global.store.i64", 4, 2).op("global.store.f32", 12, 4).op("global.store.f64", 16, 6).
			op("return", regs{})},
		testFunc{"get", "0v_iIfF", 8, 0, newAsm().block("a").
			op("global.load.i32", 0, 0).op("global.load.i64", 4, 2).op("global.load.f32", 12, 4).op("global.load.f64", 16, 6).
			op("return", regs{0, 2, 4, 6})},
		testFunc{"move", "0i_iIfF", 10, 0, newAsm().block("a").
			op("const.i32", 4, 1).op("const.i32", 12, 8).op("const.i32", 16, 9).
			op("global.load.indirect.i32", 0, 6).op("global.store.indirect.i32", 0, 6).
			op("global.load.indirect.i64", 1, 2).op("global.store.indirect.i64", 1, 2).
			op("global.load.indirect.f32", 8, 7).op("global.store.indirect.f32", 8, 7).
			op("global.load.indirect.f64", 9, 4).op("global.store.indirect.f64", 9, 4).
			op("return", regs{6, 2, 7, 4})},
	), noImports, Limits{})
	want := []Value{I32Value(7), I64Value(-1 << 50), F32Value(0.5), F64Value(math.Pi)}
	invoke(t, in, "set", want...)
	if got := invoke(t, in, "get"); !sameValues(got, want) {
		t.Errorf("got %v", got)
	}
	if got := invoke(t, in, "move", I32Value(0)); !sameValues(got, want) {
		t.Errorf("indirect: got %v", got)
	}
	fails(t, in, "move", "vm_out_of_range", "a global of 4 bytes at 29 of 32", I32Value(29))
	fails(t, in, "move", "vm_out_of_range", "a global of 4 bytes at 4294967295 of 32", I32Value(-1))

	for _, op := range []string{"load", "store"} {
		for _, k := range []struct {
			kind, cconv string
			size        int32
		}{{"i32", "0iv_v", 4}, {"i64", "0i_v", 8}, {"f32", "0i_v", 4}, {"f64", "0i_v", 8}} {
			in := single(t, "0i_v", 4, 0, newAsm().block("a").op("global."+op+".indirect."+k.kind, 0, 2).op("return", regs{}))
			invoke(t, in, "f", I32Value(32-k.size))
			fails(t, in, "f", "vm_out_of_range", "of 32", I32Value(33-k.size))
		}
	}
}

func TestReferences(t *testing.T) {
	a, b := &thing{1}, &thing{2}
	run := func(cconv string, refs int, body *asm, args ...Value) []Value {
		t.Helper()
		return invoke(t, single(t, cconv, 4, refs, body), "f", args...)
	}
	check := func(what string, got []Value, want ...Value) {
		t.Helper()
		if !sameValues(got, want) {
			t.Errorf("%s: got %v, want %v", what, got, want)
		}
	}
	A, B, null := RefValue(a), RefValue(b), RefValue(nil)

	check("assign", run("0r_rr", 2, newAsm().block("a").op("assign.ref", ref(0), ref(1)).op("return", regs{ref(0), ref(1)}), A), A, A)
	check("move", run("0r_rr", 2, newAsm().block("a").op("assign.ref", mv(0), ref(1)).op("return", regs{ref(0), ref(1)}), A), null, A)
	check("move to itself", run("0r_r", 1, newAsm().block("a").op("assign.ref", mv(0), ref(0)).op("return", regs{ref(0)}), A), A)
	check("zero", run("0r_r", 1, newAsm().block("a").op("const.ref.zero", ref(0)).op("return", regs{ref(0)}), A), null)
	check("discard", run("0rr_rr", 2, newAsm().block("a").op("discard.refs", regs{mv(1), 0}).op("return", regs{ref(0), ref(1)}), A, B), A, null)
	check("trace", run("0rr_rr", 2, newAsm().block("a").op("trace", "e", regs{mv(1), ref(0)}).op("return", regs{ref(0), ref(1)}), A, B), A, null)
	check("compare", run("0rr_iiii", 3, newAsm().block("a").
		op("cmp.eq.ref", ref(0), ref(1), 0).op("cmp.ne.ref", ref(0), ref(1), 1).op("cmp.nz.ref", ref(0), 2).op("cmp.eq.ref", ref(2), ref(2), 3).
		op("return", regs{0, 1, 2, 3}), A, B), ints(0, 1, 1, 1)...)

	sel := newAsm().block("a").op("select.ref", 0, tThing, mv(0), mv(1), ref(2)).op("return", regs{ref(0), ref(1), ref(2)})
	check("select true", run("0irr_rrr", 3, sel, I32Value(1), A, B), null, null, A)
	check("select false", run("0irr_rrr", 3, sel, I32Value(0), A, B), null, null, B)
	into := newAsm().block("a").op("select.ref", 0, tAny, mv(0), mv(1), ref(1)).op("return", regs{ref(0), ref(1)})
	check("select into an operand", run("0irr_rr", 2, into, I32Value(1), A, B), null, A)
	check("select into an operand", run("0irr_rr", 2, into, I32Value(0), A, B), null, B)

	sw := newAsm().block("a").op("switch.ref", 0, tThing, ref(2), regs{ref(0), mv(1)}, ref(3)).op("return", regs{ref(1), ref(3)})
	check("switch 0", run("0irr_rr", 4, sw, I32Value(0), A, B), B, A)
	check("switch 1", run("0irr_rr", 4, sw, I32Value(1), A, B), null, B)
	check("switch default", run("0irr_rr", 4, sw, I32Value(2), A, B), B, null)
	check("switch negative", run("0irr_rr", 4, sw, I32Value(-1), A, B), B, null)

	for id, ok := range map[int]bool{tThing: true, tAny: true, tRef: true, tBuffer: false, tList: false, tI32: false} {
		in := single(t, "0r_r", 2, 2, newAsm().block("a").op("cast.any.ref", mv(0), id, ref(1)).op("return", regs{ref(1)}))
		check("cast of null", invoke(t, in, "f", null), null)
		if ok {
			check("cast", invoke(t, in, "f", A), A)
		} else {
			fails(t, in, "f", "vm_invalid_argument", "a reference to test.thing where "+in.Program().Module().Types[id]+" is needed", A)
		}
	}
}

func TestSwitch(t *testing.T) {
	in := newInstance(t, testModule(
		testFunc{"i", "0iiii_i", 5, 0, newAsm().block("a").op("switch.i32", 0, 1, regs{2, 3}, 4).op("return", regs{4})},
		testFunc{"I", "0iIII_I", 10, 0, newAsm().block("a").op("switch.i64", 0, 2, regs{4, 6}, 8).op("return", regs{8})},
		testFunc{"f", "0ifff_f", 5, 0, newAsm().block("a").op("switch.f32", 0, 1, regs{2, 3}, 4).op("return", regs{4})},
		testFunc{"F", "0iFFF_F", 10, 0, newAsm().block("a").op("switch.f64", 0, 2, regs{4, 6}, 8).op("return", regs{8})},
		testFunc{"none", "0ii_i", 5, 0, newAsm().block("a").op("switch.i32", 0, 1, regs{}, 4).op("return", regs{4})},
	), noImports, Limits{})
	for index, want := range map[int32]int{0: 1, 1: 2, 2: 0, -1: 0, math.MinInt32: 0} {
		for f, v := range map[string][]Value{
			"i": {I32Value(-5), I32Value(6), I32Value(7)}, "I": {I64Value(-5), I64Value(1 << 40), I64Value(7)},
			"f": {F32Value(-5), F32Value(6), F32Value(7)}, "F": {F64Value(-5), F64Value(6.5), F64Value(7)},
		} {
			if got := invoke(t, in, f, append([]Value{I32Value(index)}, v...)...); got[0] != v[want] {
				t.Errorf("%s of %d: got %v, want %v", f, index, got, v[want])
			}
		}
	}
	if got := invoke(t, in, "none", ints(0, 9)...); !sameValues(got, ints(9)) {
		t.Errorf("got %v", got)
	}
}

func TestGlobalReferences(t *testing.T) {
	set := newAsm().block("a").op("global.store.ref", 1, tThing, mv(0)).op("return", regs{ref(0)})
	get := newAsm().block("a").op("global.load.ref", 1, tThing, ref(0)).op("return", regs{ref(0)})
	take := newAsm().block("a").op("global.load.ref", 1, tThing, mv(0)).op("return", regs{ref(0)})
	iset := newAsm().block("a").op("global.store.indirect.ref", 0, tAny, ref(0)).op("return", regs{ref(0)})
	iget := newAsm().block("a").op("global.load.indirect.ref", 0, tBuffer, ref(0)).op("return", regs{ref(0)})
	in := newInstance(t, testModule(testFunc{"set", "0r_r", 0, 1, set}, testFunc{"get", "0v_r", 0, 1, get},
		testFunc{"take", "0v_r", 0, 1, take}, testFunc{"iset", "0ir_r", 1, 1, iset}, testFunc{"iget", "0i_r", 1, 1, iget}), noImports, Limits{})
	A, null := RefValue(&thing{}), RefValue(nil)
	steps := []struct {
		f          string
		args, want []Value
	}{
		{"get", nil, []Value{null}},
		{"set", []Value{A}, []Value{null}},
		{"get", nil, []Value{A}},
		{"get", nil, []Value{A}},
		{"take", nil, []Value{A}},
		{"get", nil, []Value{null}},
		{"iset", []Value{I32Value(2), A}, []Value{A}},
		{"iget", []Value{I32Value(3)}, []Value{null}},
	}
	for _, s := range steps {
		if got := invoke(t, in, s.f, s.args...); !sameValues(got, s.want) {
			t.Errorf("%s: got %v, want %v", s.f, got, s.want)
		}
	}
	fails(t, in, "set", "vm_invalid_argument", "a reference to vm.buffer where !test.thing is needed", RefValue(NewBuffer(nil, true)))
	fails(t, in, "iget", "vm_invalid_argument", "a reference to test.thing where !vm.buffer is needed", I32Value(2))
	fails(t, in, "iget", "vm_out_of_range", "global reference 4 of 4", I32Value(4))
	fails(t, in, "iset", "vm_out_of_range", "global reference 4294967295 of 4", I32Value(-1), A)
}

// A list converts integers to each other and floats to each other, and nothing else.
func TestLists(t *testing.T) {
	for _, c := range []struct {
		elem     int
		set, get string
		in, out  Value
	}{
		{tI8, "i32", "i32", I32Value(0x1ff), I32Value(-1)},
		{tI8, "i64", "i64", I64Value(0x17f), I64Value(127)},
		{tI16, "i32", "i64", I32Value(0x18000), I64Value(-32768)},
		{tI32, "i32", "i32", I32Value(-9), I32Value(-9)},
		{tI32, "i64", "i32", I64Value(1<<40 - 2), I32Value(-2)},
		{tI32, "i32", "i64", I32Value(-9), I64Value(-9)},
		{tI64, "i32", "i64", I32Value(-9), I64Value(-9)},
		{tI64, "i64", "i64", I64Value(1 << 60), I64Value(1 << 60)},
		{tI64, "i64", "i32", I64Value(1<<60 + 5), I32Value(5)},
		{tF32, "f32", "f32", F32Value(0.1), F32Value(0.1)},
		{tF32, "f64", "f32", F64Value(0.1), F32Value(0.1)},
		{tF64, "f32", "f64", F32Value(0.5), F64Value(0.5)},
		{tF64, "f64", "f64", F64Value(0.1), F64Value(0.1)},
		{tF64, "f64", "f32", F64Value(0.1), F32Value(0.1)},
		{tF32, "i32", "f32", I32Value(3), F32Value(0)},
		{tI32, "f64", "i32", F64Value(3), I32Value(0)},
		{tAny, "i32", "i64", I32Value(-1), I64Value(-1)},
		{tAny, "f32", "f64", F32Value(1.5), F64Value(1.5)},
	} {
		kind := string(c.in.Kind()) + "_" + string(c.out.Kind())
		in := single(t, "0"+kind, 6, 1, newAsm().block("a").op("const.i32", 2, 2).op("const.i32", 1, 3).
			op("list.alloc", c.elem, 2, ref(0)).op("list.reserve", ref(0), 2).op("list.resize", ref(0), 2).
			op("list.set."+c.set, ref(0), 3, 0).op("list.get."+c.get, ref(0), 3, 4).op("return", regs{4}))
		if got := invoke(t, in, "f", c.in); got[0] != c.out {
			t.Errorf("%s list, set %s %v, get %s: got %v, want %v", in.prog.module.Types[c.elem], c.set, c.in, c.get, got[0], c.out)
		}
	}
}

func TestListErrors(t *testing.T) {
	access := func(elem int, op string, args ...any) *Instance {
		return single(t, "0i_i", 6, 2, newAsm().block("a").op("const.i32", 3, 1).
			op("list.alloc", elem, 1, ref(0)).op("list.resize", ref(0), 1).op(op, args...).op("list.size", ref(0), 2).op("return", regs{2}))
	}
	for _, op := range []string{"list.get.i32", "list.set.i32", "list.get.i64", "list.set.i64", "list.get.f32", "list.set.f32", "list.get.f64", "list.set.f64"} {
		in := access(tI32, op, ref(0), 0, 4)
		if got := invoke(t, in, "f", I32Value(2)); !sameValues(got, ints(3)) {
			t.Errorf("%s: got %v", op, got)
		}
		fails(t, in, "f", "vm_out_of_range", "element 3 of a list of 3", I32Value(3))
		fails(t, in, "f", "vm_out_of_range", "element 4294967295 of a list of 3", I32Value(-1))
		fails(t, access(tI32, op, ref(1), 0, 4), "f", "vm_invalid_argument", "a null reference where a list is needed", I32Value(0))
	}
	fails(t, access(tI32, "list.get.ref", ref(0), 0, tAny, ref(1)), "f", "vm_failed_precondition", "element 0 of the list is not a reference", I32Value(0))
	fails(t, access(tI32, "list.set.ref", ref(0), 0, ref(1)), "f", "vm_invalid_argument", "a null reference for a list that does not hold it", I32Value(0))
	fails(t, access(tBuffer, "list.get.i32", ref(0), 0, 4), "f", "vm_failed_precondition", "element 1 of the list is not a plain value", I32Value(1))
	fails(t, access(tBuffer, "list.set.i64", ref(0), 0, 4), "f", "vm_failed_precondition", "a plain value for a list of references", I32Value(1))
	fails(t, access(tBuffer, "list.set.ref", ref(0), 0, ref(0)), "f", "vm_invalid_argument", "a reference to vm.list for a list that does not hold it", I32Value(1))
	fails(t, access(tAny, "list.get.i32", ref(0), 0, 4), "f", "vm_failed_precondition", "is not a plain value", I32Value(1))
	fails(t, access(tAny, "list.size", ref(1), 2), "f", "vm_invalid_argument", "a null reference where a list", I32Value(1))
	fails(t, access(tAny, "list.get.ref", ref(0), 0, tAny, ref(1)), "f", "vm_out_of_range", "element 7 of a list of 3", I32Value(7))
	fails(t, access(tAny, "list.set.ref", ref(0), 0, ref(1)), "f", "vm_out_of_range", "element 7 of a list of 3", I32Value(7))
	fails(t, access(tI64, "list.reserve", ref(0), 0), "f", "vm_resource_exhausted", "no memory for a list of 4294967295 elements", I32Value(-1))
	fails(t, access(tI64, "list.resize", ref(0), 0), "f", "vm_resource_exhausted", "no memory for a list of 4294967295 elements", I32Value(-1))
}

// A variant list holds anything; asking it for another type gives null.
func TestListVariants(t *testing.T) {
	a := &thing{}
	in := single(t, "0r_rrrri", 4, 6, newAsm().block("a").op("const.i32", 4, 0).op("const.i32", 1, 1).
		op("list.alloc", tAny, 0, ref(2)).op("list.resize", ref(2), 0).
		op("list.set.ref", ref(2), 1, mv(0)).
		op("list.get.ref", ref(2), 1, tThing, ref(1)).  // it
		op("list.get.ref", ref(2), 1, tBuffer, ref(3)). // null
		op("list.get.ref", ref(2), 1, tRef, mv(4)).     // it, out of the list
		op("list.get.ref", ref(2), 1, tRef, ref(5)).    // null
		op("const.i32", 2, 0).op("list.resize", ref(2), 0).op("list.size", ref(2), 0).
		op("return", regs{ref(1), ref(3), ref(4), ref(5), 0}))
	got := invoke(t, in, "f", RefValue(a))
	want := []Value{RefValue(a), RefValue(nil), RefValue(a), RefValue(nil), I32Value(2)}
	if !sameValues(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestHostList(t *testing.T) {
	l := NewList(KindI64, 2)
	if !l.Set(1, I64Value(5)) || l.Set(2, I64Value(5)) || l.Set(0, I32Value(5)) || !l.Append(I64Value(6)) || l.Append(F32Value(1)) {
		t.Error("wrong answers")
	}
	if l.Len() != 3 || l.At(0) != I64Value(0) || l.At(1).I64() != 5 || l.At(2).I64() != 6 || l.At(3) != (Value{}) {
		t.Errorf("wrong elements %v", l.items)
	}
	v := NewList(0, 1)
	if v.At(0) != (Value{}) || !v.Set(0, F64Value(2)) || !v.Append(RefValue(l)) || v.At(0).F64() != 2 || v.At(1).Ref() != l {
		t.Errorf("wrong elements %v", v.items)
	}
	r := NewList(KindRef, 1)
	if r.At(0) != RefValue(nil) || r.Append(I32Value(1)) || !r.Append(RefValue(v)) {
		t.Errorf("wrong elements %v", r.items)
	}
}

func TestMemoryLimit(t *testing.T) {
	buffer := newAsm().block("a").op("buffer.alloc", 0, 2, ref(0)).op("return", regs{mv(0)})
	list := newAsm().block("a").op("list.alloc", tAny, 0, ref(0)).op("list.resize", ref(0), 0).op("return", regs{mv(0)})
	in := newInstance(t, testModule(testFunc{"b", "0I_r", 3, 1, buffer}, testFunc{"l", "0i_r", 1, 1, list}), noImports, Limits{Memory: 1 << 20})
	fails(t, in, "b", "vm_resource_exhausted", "no memory for a buffer of 1048577 bytes", I64Value(1<<20+1))
	fails(t, in, "b", "vm_resource_exhausted", "no memory for a buffer of 18446744073709551615 bytes", I64Value(-1))
	fails(t, in, "l", "vm_resource_exhausted", "no memory for a list of 32768 elements", I32Value(1<<15))
	for range 20 { // garbage does not count
		invoke(t, in, "b", I64Value(700000))
		invoke(t, in, "l", I32Value(20000))
	}
	var held []Value
	for range 3 {
		held = append(held, invoke(t, in, "b", I64Value(300000))...)
	}
	fails(t, in, "b", "vm_resource_exhausted", "no memory for a buffer of 300000 bytes", I64Value(300000))
	runtime.KeepAlive(held)
}

func TestConstants(t *testing.T) {
	in := single(t, "0v_iiIIffFF", 16, 0, newAsm().block("a").
		op("const.i32.zero", 0).op("const.i32", -5, 1).op("const.i64.zero", 2).op("const.i64", -1<<40, 4).
		op("const.f32.zero", 6).op("const.f32", 0.1, 7).op("const.f64.zero", 8).op("const.f64", 0.1, 10).
		op("return", regs{0, 1, 2, 4, 6, 7, 8, 10}))
	want := []Value{I32Value(0), I32Value(-5), I64Value(0), I64Value(-1 << 40), F32Value(0), F32Value(0.1), F64Value(0), F64Value(0.1)}
	if got := invoke(t, in, "f"); !sameValues(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
