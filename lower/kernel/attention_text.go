package kernel

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/lower/ir"
)

// Text implements [Kernel].
func (k Attention) Text(isa ISA) (string, error) {
	if err := k.Supports(isa); err != nil {
		return "", err
	}
	bindings := append(k.operands(), binding{"out", ir.T(ir.F32, k.T, k.Heads, k.D)})
	write := func(groups [3]int, body func(w *attentionText)) string {
		return executable(k.Name(), bindings, groups, func(e *emit, args []string) {
			w := &attentionText{emit: e, k: k, isa: isa, mem: map[string]memory{}}
			for i, b := range bindings {
				w.mem[b.hint] = e.memory(args[i], b)
			}
			body(w)
		})
	}
	if t, ok := k.tiling(isa); ok {
		return write(t.groups(k, isa), func(w *attentionText) { w.tiles(t) }), nil
	}
	return write([3]int{ir.CeilDiv(k.KVHeads, k.rowHeads()), k.T}, (*attentionText).rows), nil
}

// attentionText writes the forms of an Attention. Vectors are of the instruction set's
// lanes.
type attentionText struct {
	*emit
	k   Attention
	isa ISA
	mem map[string]memory
}

// vec is the type of a vector of scores or of a part of a head.
func (w *attentionText) vec() string { return f32s(w.isa.Lanes) }

// splat is a constant vector.
func (w *attentionText) splat(hint string, v float64) string {
	return w.constant(hint, fmt.Sprintf("dense<%s> : %s", floatText(v), w.vec()))
}

func (w *attentionText) add(a, b string) string {
	return w.val("a", "arith.addf %s, %s : %s", a, b, w.vec())
}

func (w *attentionText) sub(a, b string) string {
	return w.val("d", "arith.subf %s, %s : %s", a, b, w.vec())
}

func (w *attentionText) mul(a, b string) string {
	return w.val("p", "arith.mulf %s, %s : %s", a, b, w.vec())
}

// fma is a*b + c. Targets without the instruction would call a library.
func (w *attentionText) fma(a, b, c string) string {
	if w.isa.Level == Generic.Level {
		return w.add(w.mul(a, b), c)
	}
	return w.val("f", "vector.fma %s, %s, %s : %s", a, b, c, w.vec())
}

// max is the larger of a and b. A comparison and a selection become one instruction; the
// maxima of the arith dialect care for NaN, and become four.
func (w *attentionText) max(a, b string) string {
	greater := w.val("greater", "arith.cmpf ogt, %s, %s : %s", a, b, w.vec())
	return w.val("max", "arith.select %s, %s, %s : vector<%dxi1>, %s", greater, a, b, w.isa.Lanes, w.vec())
}

// broadcast is a vector of one element of a memory of float32.
func (w *attentionText) broadcast(m memory, at ...string) string {
	x := w.val("x", "memref.load %s[%s] : %s", m.name, list(at), m.typ)
	return w.val("x", "vector.broadcast %s : f32 to %s", x, w.vec())
}

// cached loads a vector of a cache as float32.
func (w *attentionText) cached(cache, row, h, d string) string {
	return w.loadFloats("kv", w.mem[cache], w.k.KV, w.isa.Lanes, row, h, d)
}

func (w *attentionText) load(m memory, at ...string) string {
	return w.loadFloats("v", m, ir.F32, w.isa.Lanes, at...)
}

func (w *attentionText) store(v string, m memory, at ...string) {
	w.storeFloats(v, m, ir.F32, w.isa.Lanes, at...)
}

// scratch is memory on the stack, of which a kernel has 32 KiB.
func (e *emit) scratch(hint, memref string) memory {
	typ := "memref<" + memref + ">"
	return memory{e.val(hint, "memref.alloca() alignment = 64 : %s", typ), typ}
}

// Scores are logarithms to base 2, which makes their exponential cheap: what they are
// multiplied by in the end has a factor of log2(e).

// scale is the factor of the products of queries and keys, capped the score for the result.
func (w *attentionText) scale() float64 {
	if w.k.Softcap != 0 {
		return w.k.Scale
	}
	return w.k.Scale * math.Log2E
}

func (w *attentionText) capped(s string) string {
	if w.k.Softcap == 0 {
		return s
	}
	s = w.tanh(w.val("s", "arith.divf %s, %s : %s", s, w.splat("cap", w.k.Softcap), w.vec()), w.isa.Lanes)
	return w.mul(s, w.splat("cap", w.k.Softcap*math.Log2E))
}

// sink is the score of a query's sink.
func (w *attentionText) sink(query string) string {
	return w.mul(w.broadcast(w.mem["sinks"], query), w.splat("log2e", math.Log2E))
}

// power is 2^x for x <= 0, and 2^-126 for all that is less. With n the integer next to x it is
// 2^n, made from its bits, times a polynomial of x-n, the best of its degree by
// relative error: 9e-8, with rounding 1.7e-7. A NaN goes through.
func (w *attentionText) power(x string) string {
	vec, ints := w.vec(), fmt.Sprintf("vector<%dxi32>", w.isa.Lanes)
	least := w.splat("least", -126)
	less := w.val("less", "arith.cmpf olt, %s, %s : %s", x, least, vec)
	x = w.val("x", "arith.select %s, %s, %s : vector<%dxi1>, %s", less, least, x, w.isa.Lanes, vec)
	n := w.val("n", "math.roundeven %s : %s", x, vec)
	rest := w.sub(x, n)
	factors := []float64{0.0013264727, 0.009671513, 0.055507336, 0.24022242, 0.693147, 1}
	p := w.splat("c", factors[0])
	for _, c := range factors[1:] {
		p = w.fma(p, rest, w.splat("c", c))
	}
	bits := w.val("bits", "arith.fptosi %s : %s to %s", n, vec, ints)
	bits = w.val("bits", "arith.addi %s, %s : %s", bits, w.constant("bias", "dense<127> : "+ints), ints)
	bits = w.val("bits", "arith.shli %s, %s : %s", bits, w.constant("mantissa", "dense<23> : "+ints), ints)
	return w.mul(p, w.val("power", "arith.bitcast %s : %s to %s", bits, ints, vec))
}

// each writes a loop over 0..n-1 without results, or the body alone for one.
func (e *emit) each(hint string, n int, body func(i string)) {
	if n == 1 {
		body(e.index(0))
		return
	}
	e.loop(hint, e.index(0), e.index(n), e.index(1), nil, func(i string, _ []string) []string { body(i); return nil })
}

// parts covers a head with parts of at most most vectors: as a loop over equal parts, and
// one more for the rest. body gets where a part begins and its vectors.
func (w *attentionText) parts(most int, body func(d string, vectors int)) {
	n := w.k.D / w.isa.Lanes
	full := n / most
	if full > 1 {
		w.loop("d", w.index(0), w.index(full*most*w.isa.Lanes), w.index(most*w.isa.Lanes), nil, func(d string, _ []string) []string {
			body(d, most)
			return nil
		})
	} else if full == 1 {
		body(w.index(0), most)
	}
	if rest := n % most; rest > 0 {
		body(w.index(full*most*w.isa.Lanes), rest)
	}
}
