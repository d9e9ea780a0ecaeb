package kernel

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// placeRows is how many rows a workgroup places: one is too little work.
const placeRows = 4

// Text implements [Kernel]. A cache is one binding that is read and written, although it
// is both operand and result.
func (k Place) Text(isa ISA) (string, error) {
	if err := k.Supports(isa); err != nil {
		return "", err
	}
	bindings := append(k.operands(), k.queries())
	return executable(k.Name(), bindings, [3]int{ir.CeilDiv(k.T, placeRows)}, func(e *emit, args []string) {
		w := placeText{emit: e, k: k, mem: map[string]memory{}}
		for i, b := range bindings {
			if b.hint == "qkv" {
				b.typ = ir.T(ir.F32, k.T, k.Heads+2*k.KVHeads, k.D)
			}
			w.mem[b.hint] = e.memory(args[i], b)
		}
		first := e.val("first", "arith.muli %s, %s : index", e.group(0), e.index(placeRows))
		end := e.val("end", "arith.addi %s, %s : index", first, e.index(placeRows))
		end = e.val("end", "arith.minui %s, %s : index", end, e.index(k.T))
		e.loop("t", first, end, e.index(1), nil, func(t string, _ []string) []string {
			w.row(t)
			return nil
		})
	}), nil
}

type placeText struct {
	*emit
	k   Place
	mem map[string]memory
}

func (w *placeText) row(t string) {
	k := w.k
	row := w.val("row", "arith.index_cast %s : i32 to index", w.val("row", "memref.load %s[%s] : %s", w.mem["rows"].name, t, w.mem["rows"].typ))
	each := func(heads int, f func(h string)) {
		w.loop("h", w.index(0), w.index(heads), w.index(1), nil, func(h string, _ []string) []string { f(h); return nil })
	}
	each(k.Heads, func(h string) {
		scale := ""
		if k.QScale {
			scale = w.val("scale", "memref.load %s[%s] : %s", w.mem["scale"].name, t, w.mem["scale"].typ)
		}
		w.head(t, h, "q_norm", scale, func(v, d string, n int) { w.storeFloats(v, w.mem["queries"], ir.F32, n, t, h, d) })
	})
	each(k.KVHeads, func(h string) {
		w.head(t, w.offset(h, k.Heads), "k_norm", "", func(v, d string, n int) { w.storeFloats(v, w.mem["keys"], k.KV, n, row, h, d) })
		from := w.offset(h, k.Heads+k.KVHeads)
		for d, n := range vectors(0, k.D) {
			at := w.index(d)
			w.storeFloats(w.loadFloats("v", w.mem["qkv"], ir.F32, n, t, from, at), w.mem["values"], k.KV, n, row, h, at)
		}
	})
}

// head places queries or keys of head h among the columns of row t.
func (w *placeText) head(t, h, norm, scale string, store func(v, d string, n int)) {
	k, qkv := w.k, w.mem["qkv"]
	root := ""
	if k.QKNorm.On {
		root = w.root(t, h)
	}
	load := func(d, n int) string {
		at, typ := w.index(d), f32s(n)
		x := w.loadFloats("x", qkv, ir.F32, n, t, h, at)
		if root == "" {
			return x
		}
		weight := w.loadFloats("w", w.mem[norm], ir.F32, n, at)
		if k.QKNorm.UnitOffset {
			weight = w.val("w", "arith.addf %s, %s : %s", weight, w.constant("ones", "dense<1.0> : "+typ), typ)
		}
		x = w.val("x", "arith.mulf %s, %s : %s", x, w.val("root", "vector.broadcast %s : f32 to %s", root, typ), typ)
		return w.val("x", "arith.mulf %s, %s : %s", x, weight, typ)
	}
	put := func(v string, d, n int) {
		if scale != "" {
			v = w.val("y", "arith.mulf %s, %s : %s", v, w.val("scale", "vector.broadcast %s : f32 to %s", scale, f32s(n)), f32s(n))
		}
		store(v, w.index(d), n)
	}
	half := k.Dims / 2
	for i, n := range vectors(0, half) {
		cos, sin := w.loadFloats("cos", w.mem["cos"], ir.F32, n, t, w.index(i)), w.loadFloats("sin", w.mem["sin"], ir.F32, n, t, w.index(i))
		if !k.Interleaved {
			a, b := w.turn(load(i, n), load(half+i, n), cos, sin, f32s(n))
			put(a, i, n)
			put(b, half+i, n)
			continue
		}
		pairs := load(2*i, 2*n)
		a, b := w.turn(w.shuffle(pairs, pairs, 2*n, lanes(n, 2, 0)), w.shuffle(pairs, pairs, 2*n, lanes(n, 2, 1)), cos, sin, f32s(n))
		zip := make([]int, 0, 2*n)
		for j := range n {
			zip = append(zip, j, n+j)
		}
		put(w.shuffle(a, b, n, zip), 2*i, 2*n)
	}
	for d, n := range vectors(k.Dims, k.D) {
		put(load(d, n), d, n)
	}
}

// turn rotates the pair (a, b).
func (w *placeText) turn(a, b, cos, sin, typ string) (x, y string) {
	mul := func(u, v string) string { return w.val("p", "arith.mulf %s, %s : %s", u, v, typ) }
	x = w.val("y", "arith.subf %s, %s : %s", mul(a, cos), mul(b, sin), typ)
	return x, w.val("y", "arith.addf %s, %s : %s", mul(b, cos), mul(a, sin), typ)
}

// root is 1/sqrt(mean(x²) + eps) of a head.
func (w *placeText) root(t, h string) string {
	const one = "vector<1xf32>"
	sum := w.constant("zero1", "0.0 : f32")
	for d, n := range vectors(0, w.k.D) {
		x := w.loadFloats("x", w.mem["qkv"], ir.F32, n, t, h, w.index(d))
		square := w.val("square", "arith.mulf %s, %s : %s", x, x, f32s(n))
		sum = w.val("sum", "vector.reduction <add>, %s, %s fastmath<reassoc> : %s into f32", square, sum, f32s(n))
	}
	mean := w.val("mean", "arith.divf %s, %s : %s", w.val("sum", "vector.broadcast %s : f32 to %s", sum, one),
		w.constant("width", fmt.Sprintf("dense<%s> : %s", floatText(float64(w.k.D)), one)), one)
	mean = w.val("mean", "arith.addf %s, %s : %s", mean, w.constant("eps", fmt.Sprintf("dense<%s> : %s", floatText(w.k.QKNorm.Eps), one)), one)
	root := w.val("root", "arith.divf %s, %s : %s", w.constant("one1", "dense<1.0> : "+one), w.val("root", "math.sqrt %s : %s", mean, one), one)
	return w.val("root", "vector.extract %s[0] : f32 from %s", root, one)
}
