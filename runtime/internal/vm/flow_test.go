package vm

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
)

func ints(vs ...int32) []Value {
	out := make([]Value, len(vs))
	for i, v := range vs {
		out[i] = I32Value(v)
	}
	return out
}

func sameValues(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// sum is a loop that adds the numbers below its argument.
func sum() *asm {
	return newAsm().block("entry").
		op("const.i32.zero", 1).op("const.i32.zero", 2).op("const.i32", 1, 3).
		op("br", "head", moves{}).
		block("head").
		op("cmp.lt.i32.s", 1, 0, 4).
		op("cond_br", 4, "body", moves{}, "exit", moves{{2, 5}}).
		block("body").
		op("add.i32", 2, 1, 6).op("add.i32", 1, 3, 7).
		op("br", "head", moves{{6, 2}, {7, 1}}).
		block("exit").
		op("return", regs{5})
}

func TestLoop(t *testing.T) {
	in := single(t, "0i_i", 8, 0, sum())
	for n, want := range map[int32]int32{0: 0, 1: 0, 10: 45, 5000: 12497500, -3: 0} {
		if got := invoke(t, in, "f", I32Value(n)); !sameValues(got, ints(want)) {
			t.Errorf("sum below %d: got %v, want %d", n, got, want)
		}
	}
}

func TestBranchTable(t *testing.T) {
	in := single(t, "0i_i", 3, 0, newAsm().block("a").
		op("const.i32", 100, 1).
		op("br_table", 0, "out", moves{{1, 2}}, "zero", moves{}, "out", moves{{0, 2}}, "out", moves{{0, 1}, {1, 2}}).
		block("zero").op("const.i32", -7, 2).op("br", "out", moves{}).
		block("out").op("return", regs{2}))
	for n, want := range map[int32]int32{0: -7, 1: 1, 2: 2, 3: 100, -1: 100, 1 << 30: 100} {
		if got := invoke(t, in, "f", I32Value(n)); !sameValues(got, ints(want)) {
			t.Errorf("%d: got %v, want %d", n, got, want)
		}
	}
}

// Moves happen in order: what a move overwrites is gone for those behind it.
func TestBranchMovesInOrder(t *testing.T) {
	in := single(t, "0ii_ii", 3, 0, newAsm().block("a").
		op("br", "b", moves{{0, 2}, {1, 0}, {2, 1}}).
		block("b").op("return", regs{0, 1}))
	if got := invoke(t, in, "f", ints(1, 2)...); !sameValues(got, ints(2, 1)) {
		t.Errorf("got %v", got)
	}
}

func TestYieldAndBreakpointsGoOn(t *testing.T) {
	in := single(t, "0i_i", 2, 0, newAsm().block("a").
		op("yield", "b", moves{{0, 1}}).
		block("b").op("break", "c", moves{}).
		block("c").op("cond_break", 0, "d", moves{}).
		block("d").op("trace", "event", regs{0}).op("print", "text", regs{}).op("return", regs{1}))
	if got := invoke(t, in, "f", I32Value(5)); !sameValues(got, ints(5)) {
		t.Errorf("got %v", got)
	}
}

func TestFail(t *testing.T) {
	in := single(t, "0i_i", 1, 0, newAsm().block("a").op("fail", 0, "the shape is wrong").
		block("b").op("return", regs{0}))
	if got := invoke(t, in, "f", I32Value(0)); !sameValues(got, ints(0)) {
		t.Errorf("got %v", got)
	}
	fails(t, in, "f", "vm_failed_precondition", "test.f+0x1: the shape is wrong", I32Value(9))
	fails(t, in, "f", "vm_status_1000", "the shape is wrong", I32Value(1000))
	in = single(t, "0v_v", 1, 0, newAsm().block("a").op("const.i32", 3, 0).op("fail", 0, ""))
	fails(t, in, "f", "vm_invalid_argument", "the compiled function failed with invalid_argument")
}

func TestEndOfFunction(t *testing.T) {
	in := single(t, "0v_v", 1, 0, newAsm().block("a").op("fail", 0, "not now"))
	fails(t, in, "f", "vm_internal", "the end of the function is reached")
}

func TestDivision(t *testing.T) {
	for _, op := range []string{"div.i32.s", "div.i32.u", "rem.i32.s", "rem.i32.u"} {
		in := single(t, "0ii_i", 3, 0, newAsm().block("a").op(op, 0, 1, 2).op("return", regs{2}))
		fails(t, in, "f", "vm_invalid_argument", "division by zero", ints(5, 0)...)
	}
	for _, op := range []string{"div.i64.s", "div.i64.u", "rem.i64.s", "rem.i64.u"} {
		in := single(t, "0II_I", 6, 0, newAsm().block("a").op(op, 0, 2, 4).op("return", regs{4}))
		fails(t, in, "f", "vm_invalid_argument", "division by zero", I64Value(5), I64Value(0))
	}
	const min32, min64 = -1 << 31, -1 << 63
	for op, want := range map[string]int32{"div.i32.s": min32, "rem.i32.s": 0, "div.i32.u": 0, "rem.i32.u": min32} {
		in := single(t, "0ii_i", 3, 0, newAsm().block("a").op(op, 0, 1, 2).op("return", regs{2}))
		if got := invoke(t, in, "f", ints(min32, -1)...); !sameValues(got, ints(want)) {
			t.Errorf("%s: got %v, want %d", op, got, want)
		}
	}
	for op, want := range map[string]int64{"div.i64.s": min64, "rem.i64.s": 0, "div.i64.u": 0, "rem.i64.u": min64} {
		in := single(t, "0II_I", 6, 0, newAsm().block("a").op(op, 0, 2, 4).op("return", regs{4}))
		if got := invoke(t, in, "f", I64Value(min64), I64Value(-1)); got[0] != I64Value(want) {
			t.Errorf("%s: got %v, want %d", op, got, want)
		}
	}
}

// 64-bit arguments of internal calls go to even registers, whatever is before
// them; operand and result lists have one entry for each.
func TestInternalCall(t *testing.T) {
	callee := newAsm().block("a"). // i at 0, I at 2, i at 4, F at 6, r at 0
					op("ext.i32.i64.s", 0, 8).op("add.i64", 8, 2, 8).op("ext.i32.i64.u", 4, 10).op("add.i64", 8, 10, 8).
					op("trunc.f64.f32", 6, 1).
					op("return", regs{1, 8, mv(0), 0})
	caller := newAsm().block("a"). // I at 0, i at 2, F at 4
					op("const.i32", 1000, 7).
					op("const.ref.rodata", 0, ref(0)).
					op("call", 0, regs{2, 0, 7, 4, mv(0)}, regs{3, 8, ref(1), 6}).
					op("cmp.nz.ref", ref(0), 10).op("cmp.nz.ref", ref(1), 11).
					op("return", regs{8, 3, 6, 10, 11})
	in := newInstance(t, testModule(
		testFunc{"g", "0iIiFr_fIri", 12, 1, callee},
		testFunc{"f", "0IiF_Ifiii", 12, 2, caller}), noImports, Limits{})
	got := invoke(t, in, "f", I64Value(1<<40), I32Value(-5), F64Value(2.5))
	want := []Value{I64Value(1<<40 - 5 + 1000), F32Value(2.5), I32Value(-5), I32Value(0), I32Value(1)}
	if !sameValues(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func fib() *asm {
	return newAsm().block("a").
		op("const.i32", 2, 1).op("cmp.lt.i32.s", 0, 1, 2).op("cond_br", 2, "base", moves{}, "rec", moves{}).
		block("base").op("return", regs{0}).
		block("rec").
		op("const.i32", 1, 3).op("sub.i32", 0, 3, 3).op("sub.i32", 0, 1, 4).
		op("call", 0, regs{3}, regs{3}).
		op("call.yieldable", 0, regs{4}, "done", regs{4}).
		block("done").op("add.i32", 3, 4, 0).op("return", regs{0})
}

func TestRecursion(t *testing.T) {
	in := single(t, "0i_i", 5, 0, fib())
	if got := invoke(t, in, "f", I32Value(20)); !sameValues(got, ints(6765)) {
		t.Errorf("got %v", got)
	}
}

func TestStackLimits(t *testing.T) {
	endless := newAsm().block("a").op("call", 0, regs{0}, regs{0}).op("return", regs{0})
	m := testModule(testFunc{"f", "0i_i", 100, 10, endless})
	in := newInstance(t, m, noImports, Limits{Depth: 50})
	fails(t, in, "f", "vm_resource_exhausted", "calls are nested 50 deep", I32Value(0))
	in = newInstance(t, m, noImports, Limits{Stack: 5000})
	fails(t, in, "f", "vm_resource_exhausted", "no room for 5060 registers", I32Value(0))
	fails(t, in, "f", "vm_resource_exhausted", "no room", I32Value(0)) // still usable
}

func TestSteps(t *testing.T) {
	in := newInstance(t, testModule(testFunc{"f", "0i_i", 8, 0, sum()}), noImports, Limits{Steps: 5000})
	invoke(t, in, "f", I32Value(4999))
	fails(t, in, "f", "vm_resource_exhausted", "more than 5000 steps", I32Value(5002))
	invoke(t, in, "f", I32Value(4999)) // counted by invocation
}

func TestCancel(t *testing.T) {
	forever := newAsm().block("a").op("br", "a", moves{})
	in := single(t, "0v_v", 0, 0, forever)
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	_, err := in.Invoke(ctx, "f", nil)
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
	ctx, cancel = context.WithCancel(context.Background())
	cancel()
	_, err = in.Invoke(ctx, "f", nil)
	var d *diag.Error
	if !errors.Is(err, context.Canceled) || !errors.As(err, &d) || d.Code != "vm_cancelled" {
		t.Fatalf("got %v", err)
	}
}

func TestArguments(t *testing.T) {
	in := single(t, "0iI_i", 4, 0, newAsm().block("a").op("return", regs{0}))
	fails(t, in, "f", "vm_arguments", `1 arguments for "0iI_i"`, I32Value(1))
	fails(t, in, "f", "vm_arguments", `argument 1 is i32, "0iI_i" wants i64`, I32Value(1), I32Value(1))
	fails(t, in, "nothing", "vm_no_export", `no function "nothing"`)
	other := single(t, "0iI_i", 4, 0, newAsm().block("a").op("return", regs{0}))
	f, _ := other.Program().Export("f")
	if _, err := in.InvokeAppend(context.Background(), nil, f, nil); err == nil {
		t.Error("a function of another program was accepted")
	}
}

func TestInitAndClose(t *testing.T) {
	set := newAsm().block("a").op("const.i32", 42, 0).op("global.store.i32", 0, 0).op("return", regs{})
	get := newAsm().block("a").op("global.load.i32", 0, 0).op("return", regs{0})
	var calls []string
	imports := ResolverFunc(func(name, _ string) (HostFunc, error) {
		return func(*Call) error { calls = append(calls, name); return nil }, nil
	})
	bye := newAsm().block("a").op("call", 1<<31, regs{}, regs{}).op("return", regs{})
	m := withImports(testModule(testFunc{"__init", "0v_v", 1, 0, set}, testFunc{"get", "0v_i", 1, 0, get},
		testFunc{"__deinit", "0v_v", 0, 0, bye}), "test.bye", "0v_v")
	p, err := NewProgram(m)
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.NewInstance(imports, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	fails(t, in, "get", "vm_instance_misuse", "before it was initialised")
	if err := in.Init(ctx); err != nil {
		t.Fatal(err)
	}
	if err := in.Init(ctx); err == nil {
		t.Error("initialised twice")
	}
	if got := invoke(t, in, "get"); !sameValues(got, ints(42)) {
		t.Errorf("got %v", got)
	}
	for range 2 {
		if err := in.Close(ctx); err != nil {
			t.Fatal(err)
		}
	}
	if fmt.Sprint(calls) != "[test.bye]" {
		t.Errorf("__deinit called %v", calls)
	}
	fails(t, in, "get", "vm_instance_misuse", "after it was closed")
}

func TestInitFails(t *testing.T) {
	bad := newAsm().block("a").op("const.i32", 5, 0).op("fail", 0, "no such device")
	p, err := NewProgram(testModule(testFunc{"__init", "0v_v", 1, 0, bad}))
	if err != nil {
		t.Fatal(err)
	}
	in, err := p.NewInstance(noImports, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	var d *diag.Error
	if err := in.Init(ctx); !errors.As(err, &d) || d.Code != "vm_not_found" || d.Where != "test.__init+0x8" {
		t.Errorf("got %v", err)
	}
	if err := in.Close(ctx); err != nil {
		t.Error(err)
	}
	fails(t, in, "__init", "vm_instance_misuse", "after it was closed")
}
