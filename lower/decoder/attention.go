package decoder

import (
	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

// attention is grouped-query attention over the cache, which it updates; x is [T,H].
//
// T are the query rows, C the context, K the KV heads, G = Heads/K the queries
// that share one, D the width of a head.
func (g *graph) attention(name string, layer arch.Layer, x *ir.Value, c *cache) *ir.Value {
	a := &g.spec.Attention
	if a.MLA != nil {
		return g.latentAttention(name, layer, x, c)
	}
	k, d := a.KVHeads, a.HeadDim
	project := func(part string, bias bool, heads int) *ir.Value { // [T,heads,D]
		y := g.at(part).linear(x, name+part+".weight", biasName(bias, name+part), heads*d, g.spec.Hidden)
		return g.Reshape(g.clip(y, a.Clip), g.rows, heads, d)
	}
	query := g.placed(name+"q_norm", layer, project("q", a.Bias.Q, a.Heads))
	key := g.placed(name+"k_norm", layer, project("k", a.Bias.K, k))
	value := project("v", a.Bias.V, k)
	if g.qscale != nil {
		query = g.Mul(query, g.spread(g.qscale, query.Type(), 0))
	}

	c.keys, c.values = g.store(c.keys, key), g.store(c.values, value)
	keys, values := g.visible(c.keys), g.visible(c.values)
	query = g.Reshape(query, g.rows, k, a.Heads/k, d)
	mixed := g.attendAll(query, keys, values, g.masks[g.window(layer)])
	return g.at("o").linear(mixed, name+"o.weight", biasName(a.Bias.O, name+"o"), g.spec.Hidden, a.Heads*d)
}

// placed normalizes and rotates queries or keys [T,heads,D], as the Spec has it.
func (g *graph) placed(norm string, layer arch.Layer, x *ir.Value) *ir.Value {
	n := g.spec.Attention.QKNorm
	if n != nil && !n.AfterRoPE {
		x = g.qkNorm(norm, x)
	}
	if layer.RoPE != arch.NoRoPE {
		x = g.rope(layer.RoPE, x)
	}
	if n != nil && n.AfterRoPE {
		x = g.qkNorm(norm, x)
	}
	return x
}

// qkNorm normalizes queries or keys [T,heads,D]; see [arch.QKNorm].
func (g *graph) qkNorm(name string, x *ir.Value) *ir.Value {
	n := g.spec.Attention.QKNorm
	t := x.Type()
	heads, d := dim(x, 1), dim(x, 2)
	shape, axes := []int{d}, []int{2}
	switch n.Over {
	case arch.OverHeadOwn:
		shape, axes = []int{heads, d}, []int{1, 2}
	case arch.OverAll:
		x = g.Reshape(x, g.rows, heads*d)
		shape, axes = []int{heads * d}, []int{1}
	}
	y := g.normalize(x, n.Kind, n.Eps)
	y = g.Mul(y, g.spread(g.normWeight(name+".weight", n.UnitOffset, shape...), y.Type(), axes...))
	if n.Bias {
		y = g.Add(y, g.spread(g.vector(name+".bias", shape...), y.Type(), axes...))
	}
	return g.Reshape(y, t.Shape()...)
}

// store writes the keys or values of the query rows, [T,...], into a cache: [R,...],
// or [B,R,...] if each row is of a sequence of its own.
func (g *graph) store(cache, rows *ir.Value) *ir.Value {
	shape := cache.Shape()
	element := shape[min(len(shape), len(g.batch)+1):]
	flat := g.Reshape(cache, append([]int{g.slots * g.opts.Rows}, element...)...)
	return g.Reshape(g.ScatterRows(flat, g.cacheRow, rows, true), shape...)
}

// visible is the part of a cache that queries may see, [C,...] or [B,C,...].
func (g *graph) visible(cache *ir.Value) *ir.Value {
	return g.SliceDim(cache, len(g.batch), 0, g.opts.Context) // a static slice of the cache is free
}

// attendAll is [graph.attend] for all query rows, in blocks whose scores fit scoreBudget.
func (g *graph) attendAll(q, keys, values, mask *ir.Value) *ir.Value {
	var blocks []*ir.Value
	for from := 0; from < g.rows; from += g.blockRows() {
		to := min(from+g.blockRows(), g.rows)
		part := func(v *ir.Value) *ir.Value {
			if to-from == g.rows {
				return v
			}
			return g.SliceDim(v, 0, from, to)
		}
		k, v := keys, values
		if len(g.batch) > 0 {
			k, v = part(k), part(v)
		}
		blocks = append(blocks, g.attend(part(q), k, v, part(mask)))
	}
	if len(blocks) == 1 {
		return blocks[0]
	}
	return g.Concat(0, blocks...)
}

// attend is softmax(q·kᵀ * scale, masked) · v for a block of T query rows:
// q [T,K,G,D], mask i1[T,C]; result [T, K*G*D]. Keys and values are those of the
// sequence that all rows belong to, [C,K,D], or of each row's own, [T,C,K,D].
func (g *graph) attend(q, keys, values, mask *ir.Value) *ir.Value {
	// The scores are [K,T,G,C] or [T,K,G,C].
	head, row := 0, 1
	dots := [2]ir.DotGeneral{
		{LHSBatch: []int{1}, RHSBatch: []int{1}, LHSContract: []int{3}, RHSContract: []int{2}},
		{LHSBatch: []int{0}, RHSBatch: []int{1}, LHSContract: []int{3}, RHSContract: []int{0}},
	}
	if len(keys.Shape()) == 4 {
		head, row = 1, 0
		dots = [2]ir.DotGeneral{
			{LHSBatch: []int{0, 1}, RHSBatch: []int{0, 2}, LHSContract: []int{3}, RHSContract: []int{3}},
			{LHSBatch: []int{0, 1}, RHSBatch: []int{0, 2}, LHSContract: []int{3}, RHSContract: []int{1}},
		}
	}
	scores := g.Dot(q, keys, dots[0])
	t := scores.Type()
	scores = g.softcap(g.Mul(scores, g.Splat(t, g.spec.Attention.Scale)), g.spec.Attention.Softcap)
	scores = g.Select(g.spread(mask, t, row, 3), scores, g.Splat(t, masked))

	// Softmax over the keys, the largest score subtracted as usual.
	top := g.Reduce(ir.ReduceMax, scores, 3)
	e := g.Exp(g.Sub(scores, g.spread(top, t, 0, 1, 2)))
	p := g.Div(e, g.spread(g.Reduce(ir.ReduceAdd, e, 3), t, 0, 1, 2))

	mixed := g.Dot(p, values, dots[1]) // [K,T,G,D] or [T,K,G,D]
	rows, width := dim(q, 0), dim(q, 1)*dim(q, 2)*dim(mixed, 3)
	return g.Reshape(g.Transpose(mixed, row, head, 2, 3), rows, width)
}

// blockRows is how many query rows are attended at once: the largest power of
// two whose scores fit scoreBudget, at least 16.
func (g *graph) blockRows() int {
	perRow := 4 * g.spec.Attention.Heads * g.opts.Context
	n := 16
	for 2*n*perRow <= scoreBudget {
		n *= 2
	}
	return n
}

// window is the layer's sliding window, 0 where it hides nothing within the context.
func (g *graph) window(layer arch.Layer) int {
	if layer.Window >= g.opts.Context {
		return 0
	}
	return layer.Window
}

// mask is i1[T,C]: whether the key at position j is visible to the query of each
// row, in a layer of the given window (0: all before it).
func (g *graph) mask(window int) *ir.Value {
	t := ir.T(ir.I32, g.rows, g.opts.Context)
	key := g.Iota(t, 1)
	query := g.spread(g.position, t, 0)
	m := g.Compare(ir.LE, key, query)
	if window > 0 {
		m = g.And(m, g.Compare(ir.LT, g.Sub(query, key), g.Splat(t, float64(window))))
	}
	return m
}

// rope rotates x [T,heads,D] by the position of each row: with (a, b) a pair of
// elements, (a·cos - b·sin, b·cos + a·sin). The pairs are the two halves of the
// rotated part, or neighbours.
//
// With a pair axis of 2 that is reversed to swap a and b, it is one elementwise
// operation; slices and a concatenation would be four.
func (g *graph) rope(entry int, x *ir.Value) *ir.Value {
	r, table := &g.spec.RoPE[entry], g.rotary[entry]
	heads, d, n := dim(x, 1), dim(x, 2), r.Dims
	rest := x
	if n < d {
		x, rest = g.SliceDim(x, 2, 0, n), g.SliceDim(x, 2, n, d)
	}
	shape, pair, angle := []int{g.rows, heads, 2, n / 2}, 2, 3
	if r.Interleaved {
		shape, pair, angle = []int{g.rows, heads, n / 2, 2}, 3, 2
	}
	pairs := g.Reshape(x, shape...)
	t := pairs.Type()
	counter := ir.T(ir.I32, t.Shape()...)
	first := g.Compare(ir.EQ, g.Iota(counter, pair), g.Splat(counter, 0))
	sin := g.spread(table.sin, t, 0, angle)
	turned := g.Mul(g.Reverse(pairs, pair), g.Select(first, g.Neg(sin), sin))
	y := g.Reshape(g.Add(g.Mul(pairs, g.spread(table.cos, t, 0, angle)), turned), g.rows, heads, n)
	if n < d {
		y = g.Concat(2, y, rest)
	}
	return y
}
