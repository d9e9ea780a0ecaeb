package vm

import (
	"context"
	"fmt"
	"math"

	"github.com/hlocc/hlocc/internal/diag"
)

// HostFunc implements one import. It reads its arguments from c and stores its
// results in c, both by position in the calling convention that it was resolved
// for. It must not keep c, and must not invoke the instance that is calling it.
type HostFunc func(c *Call) error

// Resolver provides the imports of a module.
type Resolver interface {
	// Resolve gives the function for the fully qualified name, such as
	// "hal.fence.create". cconv is the calling convention the module calls it
	// with, such as "0rI_r"; Resolve must refuse, with an error, a convention
	// that the function is not written for. A nil function with a nil error
	// means that there is no such import: an error unless the module marks the
	// import optional.
	Resolve(name, cconv string) (HostFunc, error)
}

// ResolverFunc makes a Resolver of a function.
type ResolverFunc func(name, cconv string) (HostFunc, error)

func (f ResolverFunc) Resolve(name, cconv string) (HostFunc, error) { return f(name, cconv) }

// Call is one call of an import. Arguments and results are numbered by their
// position in the calling convention; a variadic span (C...D) is one argument.
// Reading a position as a kind that it does not have yields zero and makes the
// call fail once the HostFunc returns. No method allocates.
type Call struct {
	ctx  context.Context
	name string
	sig  *signature
	site *callSite

	regs []uint32 // the caller's registers
	refs []Ref

	ret    []uint64 // results, stored in registers after the call
	retRef []Ref
	misuse misuse
}

// misuse records the first wrong use of a Call by a HostFunc.
type misuse struct {
	set    bool
	result bool
	index  int
	kind   Kind
}

// Context is the context of the invocation.
func (c *Call) Context() context.Context { return c.ctx }

// Name is the import's fully qualified name.
func (c *Call) Name() string { return c.name }

func (c *Call) bad(result bool, i int, k Kind) {
	if !c.misuse.set {
		c.misuse = misuse{true, result, i, k}
	}
}

// arg is the entry of the operand list that holds argument i, checked to be of kind k.
func (c *Call) arg(i int, k Kind) (uint16, bool) {
	if uint(i) >= uint(len(c.sig.args)) || c.sig.args[i].kind != k {
		c.bad(false, i, k)
		return 0, false
	}
	return c.site.ops[c.site.args[i].first], true
}

func (c *Call) pair(r uint16) uint64 {
	return uint64(c.regs[r]) | uint64(c.regs[r+1])<<32
}

// I32 is argument i, an i32.
func (c *Call) I32(i int) int32 {
	r, ok := c.arg(i, KindI32)
	if !ok {
		return 0
	}
	return int32(c.regs[r])
}

// I64 is argument i, an i64.
func (c *Call) I64(i int) int64 {
	r, ok := c.arg(i, KindI64)
	if !ok {
		return 0
	}
	return int64(c.pair(r))
}

// F32 is argument i, an f32.
func (c *Call) F32(i int) float32 {
	r, ok := c.arg(i, KindF32)
	if !ok {
		return 0
	}
	return math.Float32frombits(c.regs[r])
}

// F64 is argument i, an f64.
func (c *Call) F64(i int) float64 {
	r, ok := c.arg(i, KindF64)
	if !ok {
		return 0
	}
	return math.Float64frombits(c.pair(r))
}

// Ref is argument i, a reference; nil if it is the null reference.
func (c *Call) Ref(i int) Ref {
	r, ok := c.arg(i, KindRef)
	if !ok {
		return nil
	}
	return c.refs[r&regOrdinal]
}

// Span is the number of elements of argument i, a variadic span.
func (c *Call) Span(i int) int {
	if uint(i) >= uint(len(c.sig.args)) || c.sig.args[i].kind != kindSpan {
		c.bad(false, i, kindSpan)
		return 0
	}
	return int(c.site.args[i].count)
}

// spanArg is the operand entry of one field of element e of the span at i. A
// span of plain values has the one field 0; C...D of several values has as many.
func (c *Call) spanArg(i, e, field int, k Kind) (uint16, bool) {
	if uint(i) < uint(len(c.sig.args)) && c.sig.args[i].kind == kindSpan {
		fields := c.sig.args[i].fields
		a := &c.site.args[i]
		if uint(field) < uint(len(fields)) && fields[field] == k && uint(e) < uint(a.count) {
			return c.site.ops[int(a.first)+e*len(fields)+field], true
		}
	}
	c.bad(false, i, k)
	return 0, false
}

// SpanI32 is field field of element e of the span at argument i, an i32.
func (c *Call) SpanI32(i, e, field int) int32 {
	r, ok := c.spanArg(i, e, field, KindI32)
	if !ok {
		return 0
	}
	return int32(c.regs[r])
}

// SpanI64 is field field of element e of the span at argument i, an i64.
func (c *Call) SpanI64(i, e, field int) int64 {
	r, ok := c.spanArg(i, e, field, KindI64)
	if !ok {
		return 0
	}
	return int64(c.pair(r))
}

// SpanF32 is field field of element e of the span at argument i, an f32.
func (c *Call) SpanF32(i, e, field int) float32 {
	r, ok := c.spanArg(i, e, field, KindF32)
	if !ok {
		return 0
	}
	return math.Float32frombits(c.regs[r])
}

// SpanF64 is field field of element e of the span at argument i, an f64.
func (c *Call) SpanF64(i, e, field int) float64 {
	r, ok := c.spanArg(i, e, field, KindF64)
	if !ok {
		return 0
	}
	return math.Float64frombits(c.pair(r))
}

// SpanRef is field field of element e of the span at argument i, a reference.
func (c *Call) SpanRef(i, e, field int) Ref {
	r, ok := c.spanArg(i, e, field, KindRef)
	if !ok {
		return nil
	}
	return c.refs[r&regOrdinal]
}

func (c *Call) setBits(i int, k Kind, v uint64) {
	if uint(i) >= uint(len(c.sig.results)) || c.sig.results[i] != k {
		c.bad(true, i, k)
		return
	}
	c.ret[i] = v
}

// Results that a HostFunc does not set are zero or null.

// SetI32 stores result i, an i32.
func (c *Call) SetI32(i int, v int32) { c.setBits(i, KindI32, uint64(uint32(v))) }

// SetI64 stores result i, an i64.
func (c *Call) SetI64(i int, v int64) { c.setBits(i, KindI64, uint64(v)) }

// SetF32 stores result i, an f32.
func (c *Call) SetF32(i int, v float32) { c.setBits(i, KindF32, uint64(math.Float32bits(v))) }

// SetF64 stores result i, an f64.
func (c *Call) SetF64(i int, v float64) { c.setBits(i, KindF64, math.Float64bits(v)) }

// SetRef stores result i, a reference; nil is the null reference.
func (c *Call) SetRef(i int, v Ref) {
	if uint(i) >= uint(len(c.sig.results)) || c.sig.results[i] != KindRef {
		c.bad(true, i, KindRef)
		return
	}
	c.retRef[i] = v
}

// misused is the error for a HostFunc that used c wrongly, nil if it did not.
func (c *Call) misused() error {
	if !c.misuse.set {
		return nil
	}
	what := "argument"
	if c.misuse.result {
		what = "result"
	}
	return &diag.Error{
		Kind: diag.Failed, Code: "vm_host_misuse",
		Message: fmt.Sprintf("internal error: the implementation of %s uses %s %d as %s", c.name, what, c.misuse.index, c.misuse.kind),
		Want:    "the calling convention " + c.sig.text,
	}
}

// begin prepares c for a call of an import from the frame with the given registers.
func (c *Call) begin(ctx context.Context, im *importFunc, site *callSite, regs []uint32, refs []Ref) {
	c.ctx, c.name, c.sig, c.site, c.regs, c.refs = ctx, im.name, im.sig, site, regs, refs
	clear(c.ret[:len(im.sig.results)])
	clear(c.retRef[:len(im.sig.results)])
	c.misuse.set = false
}

// reset drops what the last call refers to.
func (c *Call) reset() {
	c.ctx, c.sig, c.site, c.regs, c.refs = nil, nil, nil, nil, nil
	clear(c.retRef)
}

// hostSteps is what the call of an import counts: they are much longer than a
// branch, so a cancelled context should be seen after some of them.
const hostSteps = 64

func (in *Instance) callHost(site *callSite, regs []uint32, refs []Ref) error {
	im := &in.prog.imports[site.callee]
	h := in.host[site.callee]
	if h == nil {
		return trap(statusNotFound, "the optional import %s is not provided", im.name)
	}
	if err := in.step(hostSteps); err != nil {
		return err
	}
	c := &in.call
	c.begin(in.ctx, im, site, regs, refs)
	err := h(c)
	if err == nil {
		err = c.misused()
	}
	if err != nil {
		return &importError{im.name, err}
	}
	for _, r := range site.moved {
		refs[r] = nil
	}
	for k, r := range site.results {
		switch im.sig.results[k] {
		case KindI32, KindF32:
			regs[r] = uint32(c.ret[k])
		case KindI64, KindF64:
			set64(regs, r, c.ret[k])
		case KindRef:
			refs[r] = c.retRef[k]
			c.retRef[k] = nil
		}
	}
	return nil
}

// CallHost calls fn outside of any module, as a module would with the calling
// convention cconv: for tests of host functions. args are the arguments in
// order; the values of a span are its fields, element by element, and spans
// holds the number of elements of each span in order.
func CallHost(ctx context.Context, cconv string, fn HostFunc, args []Value, spans ...int) ([]Value, error) {
	sig, err := parseSignature(cconv)
	if err != nil {
		return nil, err
	}
	site := &callSite{}
	var regs []uint32
	var refs []Ref
	put := func(k Kind) error {
		if len(args) == 0 || args[0].kind != k {
			return fmt.Errorf("too few arguments, or not %s, for %q", k, cconv)
		}
		if v := args[0]; k == KindRef {
			site.ops = append(site.ops, regRef|uint16(len(refs)))
			refs = append(refs, v.ref)
		} else {
			site.ops = append(site.ops, uint16(len(regs)))
			regs = append(regs, uint32(v.bits), uint32(v.bits>>32))
		}
		args = args[1:]
		return nil
	}
	for i := range sig.args {
		p := &sig.args[i]
		first, count, fields := uint16(len(site.ops)), 1, []Kind{p.kind}
		if p.kind == kindSpan {
			if len(spans) == 0 {
				return nil, fmt.Errorf("no size for the span at argument %d of %q", i, cconv)
			}
			count, spans, fields = spans[0], spans[1:], p.fields
		}
		for range count {
			for _, k := range fields {
				if err := put(k); err != nil {
					return nil, err
				}
			}
		}
		site.args = append(site.args, callArg{first, uint16(count)})
	}
	if len(args) > 0 || len(spans) > 0 {
		return nil, fmt.Errorf("too many arguments for %q", cconv)
	}
	n := len(sig.results)
	c := &Call{ret: make([]uint64, n), retRef: make([]Ref, n)}
	c.begin(ctx, &importFunc{name: "host function", sig: sig}, site, regs, refs)
	if err := fn(c); err != nil {
		return nil, err
	}
	if err := c.misused(); err != nil {
		return nil, err
	}
	results := make([]Value, n)
	for i, k := range sig.results {
		results[i] = Value{k, c.ret[i], c.retRef[i]}
	}
	return results, nil
}
