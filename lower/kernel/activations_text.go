package kernel

import (
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// activationsPerGroup is how many elements a workgroup should have at least: a
// fraction of a microsecond, some times what it costs to start one.
const activationsPerGroup = 8192

// Text implements [Kernel]. Rows are dealt out to workgroups; a row is read twice
// (three times for LayerNorm), from the first-level cache but the first time.
func (k Activations) Text(ISA) (string, error) {
	if err := k.check(); err != nil {
		return "", err
	}
	rows := min(max(1, activationsPerGroup/k.K), k.T)
	bindings := append(k.operands(), activationBindings(k.T, k.K, k.Quantize)...)
	groups := [3]int{(k.T + rows - 1) / rows}
	return executable(k.Name(), bindings, groups, func(e *emit, args []string) {
		w := activationsText{emit: e, k: k, mem: map[string]memory{}}
		for i, b := range bindings {
			w.mem[b.hint] = e.memory(args[i], b)
		}
		first, end := e.span(0, rows, k.T)
		e.loop("t", first, end, e.index(1), nil, func(t string, _ []string) []string {
			w.row(t)
			return nil
		})
	}), nil
}

// A memory is a binding as a memref.
type memory struct{ name, typ string }

// memory is a view of a binding in its own shape.
func (e *emit) memory(binding string, b binding) memory {
	typ := ""
	for _, n := range b.typ.Shape() {
		typ += fmt.Sprintf("%dx", n)
	}
	if b.typ.DType() == ir.U8 { // integers have no sign here
		typ += "i8"
	} else {
		typ += b.typ.DType().String()
	}
	return memory{e.view(b.hint, binding, 0, typ), "memref<" + typ + ">"}
}

// A chunk is the part of a row that one vector of 16 lanes holds; lanes beyond the
// row's end are masked.
const chunkLanes = 16

const f32x16 = "vector<16xf32>"

type activationsText struct {
	*emit
	k   Activations
	mem map[string]memory
}

// row writes the kernel for the row t.
func (w *activationsText) row(t string) {
	mean, scale := "", ""
	if w.k.Norm.Centered {
		mean = w.mean(w.sum(t, "", func(v string) string { return v }))
	}
	if w.k.Normalize {
		square := w.sum(t, mean, func(v string) string { return w.val("square", "arith.mulf %s, %s : %s", v, v, f32x16) })
		eps := w.constant("eps", "dense<"+floatText(w.k.Norm.Eps)+"> : vector<1xf32>")
		root := w.val("root", "math.sqrt %s : vector<1xf32>", w.val("plus", "arith.addf %s, %s : vector<1xf32>", w.mean1(square), eps))
		one := w.constant("one", "dense<1.0> : vector<1xf32>")
		scale = w.val("rstd", "vector.broadcast %s : vector<1xf32> to %s", w.val("inverse", "arith.divf %s, %s : vector<1xf32>", one, root), f32x16)
	}
	full := w.k.K / ir.GroupSize
	if full > 0 {
		w.loop("g", w.index(0), w.index(full), w.index(1), nil, func(g string, _ []string) []string {
			w.group64(t, g, w.val("k", "arith.muli %s, %s : index", g, w.index(ir.GroupSize)), ir.GroupSize, mean, scale)
			return nil
		})
	}
	if rest := w.k.K % ir.GroupSize; rest > 0 {
		w.group64(t, w.index(full), w.index(full*ir.GroupSize), rest, mean, scale)
	}
}

// sum adds up f(x - mean) over a row; mean may be "" for 0.
func (w *activationsText) sum(t, mean string, f func(string) string) string {
	const step = 4 * chunkLanes // four sums, since an addition takes several cycles
	zero := w.constant("zero", "dense<0.0> : "+f32x16)
	sums := []string{zero, zero, zero, zero}
	add := func(k string, width int, sums []string) []string {
		sums = slices.Clone(sums)
		for i := range sums {
			if n := min(width-i*chunkLanes, chunkLanes); n > 0 {
				x := w.load("x", w.offset(k, i*chunkLanes), n, mean, t)
				sums[i] = w.val("sum", "arith.addf %s, %s : %s", sums[i], f(w.centered(x, mean)), f32x16)
			}
		}
		return sums
	}
	full := w.k.K / step * step
	if full > 0 {
		vars := make([]carried, len(sums))
		for i := range vars {
			vars[i] = carried{"sum", f32x16, zero}
		}
		sums = w.loop("k", w.index(0), w.index(full), w.index(step), vars, func(k string, sums []string) []string { return add(k, step, sums) })
	}
	if rest := w.k.K - full; rest > 0 {
		sums = add(w.index(full), rest, sums)
	}
	a := w.val("sum", "arith.addf %s, %s : %s", sums[0], sums[1], f32x16)
	b := w.val("sum", "arith.addf %s, %s : %s", sums[2], sums[3], f32x16)
	c := w.val("sum", "arith.addf %s, %s : %s", a, b, f32x16)
	return w.val("total", "vector.reduction <add>, %s fastmath<reassoc> : %s into f32", c, f32x16)
}

// mean1 is a sum over the width of a row, as vector of one lane.
func (w *activationsText) mean1(sum string) string {
	width := w.constant("width", "dense<"+floatText(float64(w.k.K))+"> : vector<1xf32>")
	v := w.val("total", "vector.broadcast %s : f32 to vector<1xf32>", sum)
	return w.val("mean", "arith.divf %s, %s : vector<1xf32>", v, width)
}

func (w *activationsText) mean(sum string) string {
	return w.val("mean", "vector.broadcast %s : vector<1xf32> to %s", w.mean1(sum), f32x16)
}

func (w *activationsText) centered(x, mean string) string {
	if mean == "" {
		return x
	}
	return w.val("x", "arith.subf %s, %s : %s", x, mean, f32x16)
}

// offset is k + n.
func (e *emit) offset(k string, n int) string {
	if n == 0 {
		return k
	}
	return e.val("k", "arith.addi %s, %s : index", k, e.index(n))
}

// load reads n elements from k on; the lanes beyond hold rest ("" for 0). The indices of the
// leading dimensions come last.
func (w *activationsText) load(from, k string, n int, rest string, lead ...string) string {
	m := w.mem[from]
	at := list(append(slices.Clone(lead), k))
	if n == chunkLanes {
		return w.val(from, "vector.load %s[%s] : %s, %s", m.name, at, m.typ, f32x16)
	}
	if rest == "" {
		rest = w.constant("zero", "dense<0.0> : "+f32x16)
	}
	mask := w.val("mask", "vector.constant_mask [%d] : vector<16xi1>", n)
	return w.val(from, "vector.maskedload %s[%s], %s, %s : %s, vector<16xi1>, %s into %s", m.name, at, mask, rest, m.typ, f32x16, f32x16)
}

// group64 normalizes and writes the elements of group g, which begin at k; those from
// width on are zeros.
func (w *activationsText) group64(t, g, k string, width int, mean, scale string) {
	var x []string
	for i := 0; i < ir.GroupSize; i += chunkLanes {
		n := min(width-i, chunkLanes)
		if n <= 0 {
			x = append(x, w.constant("zero", "dense<0.0> : "+f32x16))
			continue
		}
		at := w.offset(k, i)
		v := w.centered(w.load("x", at, n, mean, t), mean)
		if scale != "" {
			v = w.val("x", "arith.mulf %s, %s : %s", v, scale, f32x16)
		}
		if w.k.Params > 0 {
			weight := w.load("weight", at, n, "")
			if w.k.Norm.UnitOffset {
				weight = w.val("weight", "arith.addf %s, %s : %s", weight, w.constant("ones", "dense<1.0> : "+f32x16), f32x16)
			}
			v = w.val("x", "arith.mulf %s, %s : %s", v, weight, f32x16)
		}
		if w.k.Params > 1 {
			v = w.val("x", "arith.addf %s, %s : %s", v, w.load("bias", at, n, ""), f32x16)
		}
		x = append(x, v)
	}
	if w.k.Quantize {
		w.quantized(x, w.mem["xq"], w.mem["xs"], t, g)
		return
	}
	out := w.mem["xp"]
	for i, v := range x {
		w.line("vector.store %s, %s[%s, %s] : %s, %s", v, out.name, t, w.offset(k, i*chunkLanes), out.typ, f32x16)
	}
}

// quantized writes one group of row t as [Activations] says: x is its 64 elements in
// vectors of 16.
func (e *emit) quantized(x []string, xq, xs memory, t, g string) {
	const i32x16 = "vector<16xi32>"
	a := ""
	for _, v := range x {
		m := e.val("abs", "math.absf %s : %s", v, f32x16)
		if a != "" {
			m = e.val("max", "arith.maximumf %s, %s : %s", a, m, f32x16)
		}
		a = m
	}
	top := e.val("top", "vector.reduction <maximumf>, %s : %s into f32", a, f32x16)
	zero := e.constant("zero1", "0.0 : f32")
	product := e.val("product", "arith.mulf %s, %s : f32", top, e.constant("inverse127", floatText(inverse127)+" : f32"))
	quotient := e.val("quotient", "arith.divf %s, %s : f32", e.constant("c127f", "127.0 : f32"), top)
	some := e.val("some", "arith.cmpf uge, %s, %s : f32", top, e.constant("tiny", floatText(tiny)+" : f32"))
	scale := e.val("scale", "arith.select %s, %s, %s : f32", some, product, zero)
	inverse := e.val("inverse", "arith.select %s, %s, %s : f32", some, quotient, zero)
	factor := e.val("factor", "vector.broadcast %s : f32 to %s", inverse, f32x16)
	k := e.val("k", "arith.muli %s, %s : index", g, e.index(ir.GroupSize))
	total := ""
	for i, v := range x {
		scaled := e.val("scaled", "arith.mulf %s, %s : %s", v, factor, f32x16)
		q := e.val("q", "arith.fptosi %s : %s to %s", e.val("rounded", "math.roundeven %s : %s", scaled, f32x16), f32x16, i32x16)
		bytes := e.val("q", "arith.trunci %s : %s to vector<16xi8>", q, i32x16)
		e.line("vector.store %s, %s[%s, %s] : %s, vector<16xi8>", bytes, xq.name, t, e.offset(k, i*chunkLanes), xq.typ)
		if total != "" {
			q = e.val("sum", "arith.addi %s, %s : %s", total, q, i32x16)
		}
		total = q
	}
	sum := e.val("sum", "arith.sitofp %s : i32 to f32", e.val("sum", "vector.reduction <add>, %s : %s into i32", total, i32x16))
	e.line("memref.store %s, %s[%s, %s, %s] : %s", scale, xs.name, e.index(0), t, g, xs.typ)
	e.line("memref.store %s, %s[%s, %s, %s] : %s", e.val("sum", "arith.mulf %s, %s : f32", scale, sum), xs.name, e.index(1), t, g, xs.typ)
}
