package kernel

import (
	"fmt"

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
	return write([3]int{1, k.T}, (*attentionText).rows), nil
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

// capped is the scores' softcap, if there is one.
func (w *attentionText) capped(s string) string {
	if w.k.Softcap == 0 {
		return s
	}
	c := w.splat("cap", w.k.Softcap)
	s = w.tanh(w.val("s", "arith.divf %s, %s : %s", s, c, w.vec()), w.isa.Lanes)
	return w.mul(s, c)
}

// position is the position of row t, 0 if it is none of the context, as an i32.
func (w *attentionText) position(t string) string {
	p := w.val("position", "memref.load %s[%s] : %s", w.mem["position"].name, t, w.mem["position"].typ)
	inside := w.val("inside", "arith.cmpi ult, %s, %s : i32", p, w.constant("context", fmt.Sprintf("%d : i32", w.k.Context)))
	return w.val("position", "arith.select %s, %s, %s : i32", inside, p, w.constant("none", "0 : i32"))
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
