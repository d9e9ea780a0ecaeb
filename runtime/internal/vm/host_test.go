package vm

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// withImports adds imports, given as names and calling conventions; one whose
// name starts with '?' is optional.
func withImports(m *vmfb.Module, imports ...string) *vmfb.Module {
	for i := 0; i < len(imports); i += 2 {
		name, optional := strings.CutPrefix(imports[i], "?")
		m.Imports = append(m.Imports, vmfb.Import{Name: name, CConv: imports[i+1], Optional: optional})
	}
	return m
}

// hosts is a Resolver of a map.
type hosts map[string]HostFunc

func (h hosts) Resolve(name, _ string) (HostFunc, error) { return h[name], nil }

const imp = 1 << 31 // of an import's ordinal, in a call

func TestImportArguments(t *testing.T) {
	a := &thing{1}
	mix := func(c *Call) error {
		if c.Name() != "test.mix" || c.I32(0) != -3 || c.I64(1) != 1<<40 || c.F32(2) != 1.5 || c.F64(3) != -2.25 || c.Ref(4) != a {
			t.Errorf("arguments of %s: %d %d %g %g %v", c.Name(), c.I32(0), c.I64(1), c.F32(2), c.F64(3), c.Ref(4))
		}
		c.SetI32(0, c.I32(0)-1)
		c.SetI64(1, c.I64(1)+1)
		c.SetF32(2, c.F32(2)*2)
		c.SetF64(3, c.F64(3)*2)
		c.SetRef(4, c.Ref(4))
		return nil
	}
	// Results overwrite the registers of the operands, and the moved reference
	// is gone: registers are written after the call.
	body := newAsm().block("a").
		op("call", imp, regs{0, 2, 4, 6, mv(0)}, regs{4, 6, 0, 2, ref(1)}).
		op("cmp.nz.ref", ref(0), 8).
		op("return", regs{4, 6, 0, 2, ref(1), 8})
	in := newInstance(t, withImports(testModule(testFunc{"f", "0iIfFr_iIfFri", 10, 2, body}), "test.mix", "0iIfFr_iIfFr"),
		hosts{"test.mix": mix}, Limits{})
	got := invoke(t, in, "f", I32Value(-3), I64Value(1<<40), F32Value(1.5), F64Value(-2.25), RefValue(a))
	want := []Value{I32Value(-4), I64Value(1<<40 + 1), F32Value(3), F64Value(-4.5), RefValue(a), I32Value(0)}
	if !sameValues(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestImportSpans(t *testing.T) {
	a, b := &thing{1}, &thing{2}
	span := func(c *Call) error {
		if c.Span(1) != 2 || c.Span(2) != 0 || c.Span(3) != 3 {
			t.Errorf("spans of %d, %d and %d", c.Span(1), c.Span(2), c.Span(3))
		}
		if c.SpanRef(1, 0, 0) != a || c.SpanI64(1, 0, 1) != 10 || c.SpanRef(1, 1, 0) != b || c.SpanI64(1, 1, 1) != 20 ||
			c.SpanF64(1, 0, 2) != 0.5 || c.SpanF32(1, 1, 3) != 0.25 {
			t.Error("wrong fields")
		}
		s := c.I32(0) + c.I32(4)
		for e := range c.Span(3) {
			s += c.SpanI32(3, e, 0)
		}
		c.SetI32(0, s)
		return nil
	}
	body := func(op string) *asm {
		a := newAsm().block("a").op("const.i32", 1, 0).op("const.i32", 2, 1).op("const.i64", 10, 2).op("const.i64", 20, 4).
			op("const.f64", 0.5, 6).op("const.f32", 0.25, 8)
		args := []any{imp, regs{raw(0xffff), raw(2), raw(0), raw(3), raw(0xffff)},
			regs{0, ref(0), 2, 6, 8, mv(1), 4, 6, 8, 0, 1, 1, 1}}
		if op == "call.variadic.yieldable" {
			return a.op(op, append(args, "b", regs{0})...).block("b").op("return", regs{0})
		}
		return a.op(op, append(args, regs{0})...).op("return", regs{0})
	}
	m := withImports(testModule(testFunc{"f", "0rr_i", 10, 2, body("call.variadic")},
		testFunc{"y", "0rr_i", 10, 2, body("call.variadic.yieldable")}), "test.span", "0iCrIFfDCrDCiDi_i")
	in := newInstance(t, m, hosts{"test.span": span}, Limits{})
	for _, f := range []string{"f", "y"} {
		if got := invoke(t, in, f, RefValue(a), RefValue(b)); !sameValues(got, ints(1+2+1+2+2)) {
			t.Errorf("%s: got %v", f, got)
		}
	}
}

func TestOptionalImport(t *testing.T) {
	body := newAsm().block("a").
		op("import.resolved", imp, 0).op("import.resolved", imp|1, 1).
		op("return", regs{0, 1})
	use := newAsm().block("a").op("call", imp|1, regs{}, regs{}).op("return", regs{})
	m := withImports(testModule(testFunc{"f", "0v_ii", 2, 0, body}, testFunc{"use", "0v_v", 0, 0, use}),
		"test.there", "0v_v", "?test.maybe", "0v_v")
	in := newInstance(t, m, hosts{"test.there": func(*Call) error { return nil }}, Limits{})
	if got := invoke(t, in, "f"); !sameValues(got, ints(1, 0)) {
		t.Errorf("got %v", got)
	}
	fails(t, in, "use", "vm_not_found", "the optional import test.maybe is not provided")

	p := in.Program()
	_, err := p.NewInstance(hosts{}, Limits{})
	var d *diag.Error
	if !errors.As(err, &d) || d.Kind != diag.Unsupported || d.Where != "import test.there" {
		t.Errorf("a missing import gives %v", err)
	}
	refusal := errors.New("wrong convention")
	if _, err := p.NewInstance(ResolverFunc(func(string, string) (HostFunc, error) { return nil, refusal }), Limits{}); !errors.Is(err, refusal) {
		t.Errorf("a refused import gives %v", err)
	}
}

func TestHostErrors(t *testing.T) {
	cause := &diag.Error{Kind: diag.BadInput, Code: "shape", Message: "the shape is wrong"}
	h := hosts{
		"test.fail":  func(*Call) error { return cause },
		"test.args":  func(c *Call) error { c.I64(0); return nil },
		"test.span":  func(c *Call) error { c.SpanI32(0, 1, 0); return nil },
		"test.count": func(c *Call) error { c.Span(0); return nil },
		"test.ret":   func(c *Call) error { c.SetRef(0, nil); return nil },
		"test.ret2":  func(c *Call) error { c.SetF32(2, 1); return nil },
	}
	var fns []testFunc
	var imports []string
	for i, name := range []string{"test.fail", "test.args", "test.span", "test.count", "test.ret", "test.ret2"} {
		fns = append(fns, testFunc{name, "0i_i", 2, 0, newAsm().block("a").
			op("call.variadic", imp|i, regs{raw(0), raw(1)}, regs{0, 0}, regs{1}).op("return", regs{1})})
		imports = append(imports, name, "0iCiD_i")
	}
	in := newInstance(t, withImports(testModule(fns...), imports...), h, Limits{})
	_, err := in.Invoke(context.Background(), "test.fail", ints(1))
	if !errors.Is(err, cause) || diag.KindOf(err) != diag.BadInput || err.Error() != "test.test.fail+0x1: test.fail failed: the shape is wrong" {
		t.Errorf("got %v", err)
	}
	fails(t, in, "test.args", "vm_import", "the implementation of test.args uses argument 0 as i64", I32Value(1))
	fails(t, in, "test.span", "vm_import", "uses argument 0 as i32", I32Value(1))
	fails(t, in, "test.count", "vm_import", "test.count uses argument 0 as span", I32Value(1))
	fails(t, in, "test.ret", "vm_import", "uses result 0 as ref", I32Value(1))
	fails(t, in, "test.ret2", "vm_import", "uses result 2 as f32", I32Value(1))
}

func TestHostCannotReenter(t *testing.T) {
	var in *Instance
	h := hosts{"test.again": func(c *Call) error {
		_, err := in.Invoke(c.Context(), "f", nil)
		return err
	}}
	body := newAsm().block("a").op("call", imp, regs{}, regs{}).op("return", regs{})
	in = newInstance(t, withImports(testModule(testFunc{"f", "0v_v", 0, 0, body}), "test.again", "0v_v"), h, Limits{})
	fails(t, in, "f", "vm_import", "while it is running")
}

func TestCallHost(t *testing.T) {
	sum := func(c *Call) error {
		s := c.I64(0)
		for e := range c.Span(1) {
			s += c.SpanI64(1, e, 1) * int64(c.SpanI32(1, e, 0))
		}
		c.SetI64(0, s)
		c.SetRef(1, c.Ref(2))
		return nil
	}
	ctx := context.Background()
	a := &thing{}
	args := []Value{I64Value(1), I32Value(2), I64Value(10), I32Value(3), I64Value(100), RefValue(a)}
	got, err := CallHost(ctx, "0ICiIDr_Ir", sum, args, 2)
	if err != nil || !sameValues(got, []Value{I64Value(321), RefValue(a)}) {
		t.Errorf("got %v, %v", got, err)
	}
	for _, bad := range []struct {
		cconv string
		args  []Value
		spans []int
	}{
		{"0ICiIDr_Ir", args[1:], []int{2}},
		{"0ICiIDr_Ir", args, nil},
		{"0ICiIDr_Ir", args, []int{1}},
		{"0ICiIDr_Ir", args[:5], []int{2}},
		{"0ICiIDr_Ir", args, []int{2, 1}},
		{"9", nil, nil},
	} {
		if _, err := CallHost(ctx, bad.cconv, sum, bad.args, bad.spans...); err == nil {
			t.Errorf("%v was accepted", bad)
		}
	}
}

// Wrong use of a Call is an error of the call, never a panic.
func TestCallMisuse(t *testing.T) {
	for i, use := range []func(c *Call){
		func(c *Call) { c.I32(9) }, func(c *Call) { c.I64(-1) }, func(c *Call) { c.F32(0) }, func(c *Call) { c.F64(0) },
		func(c *Call) { c.Ref(0) }, func(c *Call) { c.Span(0) }, func(c *Call) { c.I32(1) },
		func(c *Call) { c.SpanI32(1, 2, 0) }, func(c *Call) { c.SpanI64(1, 0, 0) }, func(c *Call) { c.SpanF32(1, 0, 1) },
		func(c *Call) { c.SpanF64(1, -1, 0) }, func(c *Call) { c.SpanRef(1, 0, 0) },
		func(c *Call) { c.SetI32(1, 0) }, func(c *Call) { c.SetI64(0, 0) }, func(c *Call) { c.SetF32(0, 0) },
		func(c *Call) { c.SetF64(0, 0) }, func(c *Call) { c.SetRef(-1, nil) },
	} {
		_, err := CallHost(context.Background(), "0iCiD_i", func(c *Call) error { use(c); return nil }, ints(1, 2, 3), 2)
		var d *diag.Error
		if !errors.As(err, &d) || d.Code != "vm_host_misuse" {
			t.Errorf("use %d: got %v", i, err)
		}
	}
}
