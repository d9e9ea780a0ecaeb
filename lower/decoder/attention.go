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
		return g.Reshape(y, g.rows, heads, d)
	}
	query := g.placed(name+"q_norm", layer, project("q", a.Bias.Q, a.Heads))
	key := g.placed(name+"k_norm", layer, project("k", a.Bias.K, k))
	value := g.clip(project("v", a.Bias.V, k), a.Clip)
	if g.qscale != nil {
		query = g.Mul(query, g.spread(g.qscale, query.Type(), 0))
	}

	c.keys, c.values = g.store(c.keys, key), g.store(c.values, value)
	var sinks *ir.Value
	if a.Sinks {
		sinks = g.Reshape(g.vector(name+"sinks", a.Heads), k, a.Heads/k)
	}
	mixed := g.attendAll(query, c.keys, c.values, g.masks[g.window(layer)], sinks)
	return g.at("o").linear(mixed, name+"o.weight", biasName(a.Bias.O, name+"o"), g.spec.Hidden, a.Heads*d)
}

// placed normalizes, clips and rotates queries or keys [T,heads,D], as the Spec has it.
func (g *graph) placed(norm string, layer arch.Layer, x *ir.Value) *ir.Value {
	n := g.spec.Attention.QKNorm
	if n != nil && !n.AfterRoPE {
		x = g.qkNorm(norm, x)
	}
	x = g.clip(x, g.spec.Attention.Clip)
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

// store writes the keys or values of the query rows, [T,...], into a cache.
func (g *graph) store(cache, rows *ir.Value) *ir.Value {
	return g.ScatterRows(cache, g.cacheRow, rows, true)
}

// attendAll is [graph.attend] for all query rows, [T,heads,D], over caches of K heads,
// in blocks whose scores fit scoreBudget. Of a batch each row is a block, with the rows
// of its own slot: dots that have the slots as a dimension would transpose the caches.
func (g *graph) attendAll(q, keys, values, mask, sinks *ir.Value) *ir.Value {
	visible := func(slot int) (k, v *ir.Value) { // a static slice of a cache is free
		from := slot * g.opts.Rows
		k = g.SliceDim(keys, 0, from, from+g.opts.Context)
		if values == keys {
			return k, k
		}
		return k, g.SliceDim(values, 0, from, from+g.opts.Context)
	}
	k, v := visible(0)
	q = g.Reshape(q, g.rows, dim(keys, 1), dim(q, 1)/dim(keys, 1), dim(q, 2))
	size := g.blockRows()
	if g.slots > 1 {
		size = 1
	}
	var blocks []*ir.Value
	for from := 0; from < g.rows; from += size {
		to := min(from+size, g.rows)
		qs, masks := q, mask
		if to-from < g.rows {
			qs, masks = g.SliceDim(q, 0, from, to), g.SliceDim(mask, 0, from, to)
		}
		if g.slots > 1 && from > 0 {
			k, v = visible(from)
		}
		blocks = append(blocks, g.attend(qs, k, v, masks, sinks))
	}
	if len(blocks) == 1 {
		return blocks[0]
	}
	return g.Concat(0, blocks...)
}

// attend is softmax(q·kᵀ * scale, masked) · v for a block of T query rows:
// q [T,K,G,D], keys and values [C,K,D], mask i1[T,C]; result [T, K*G*D]. sinks, if
// not nil, are scores [K,G] that take part in the softmax and have no value.
func (g *graph) attend(q, keys, values, mask, sinks *ir.Value) *ir.Value {
	rows, k, group, d := dim(q, 0), dim(q, 1), dim(q, 2), dim(q, 3)
	scores := g.Dot(q, keys, ir.DotGeneral{ // [K,T,G,C]
		LHSBatch: []int{1}, RHSBatch: []int{1},
		LHSContract: []int{3}, RHSContract: []int{2},
	})
	t := scores.Type()
	scores = g.softcap(g.Mul(scores, g.Splat(t, g.spec.Attention.Scale)), g.spec.Attention.Softcap)
	scores = g.Select(g.spread(mask, t, 1, 3), scores, g.Splat(t, masked))

	// Softmax over the keys, the largest score subtracted as usual.
	top := g.Reduce(ir.ReduceMax, scores, 3) // [K,T,G]
	if sinks != nil {
		sinks = g.spread(sinks, top.Type(), 0, 2)
		top = g.Max(top, sinks)
	}
	e := g.Exp(g.Sub(scores, g.spread(top, t, 0, 1, 2)))
	sum := g.Reduce(ir.ReduceAdd, e, 3)
	if sinks != nil {
		sum = g.Add(sum, g.Exp(g.Sub(sinks, top)))
	}
	p := g.Div(e, g.spread(sum, t, 0, 1, 2))

	mixed := g.Dot(p, values, ir.DotGeneral{ // [K,T,G,D]
		LHSBatch: []int{0}, RHSBatch: []int{1},
		LHSContract: []int{3}, RHSContract: []int{0},
	})
	return g.Reshape(g.Transpose(mixed, 1, 0, 2, 3), rows, k*group*d)
}

// blockRows is how many query rows are attended at once: the largest power of
// two whose scores fit scoreBudget, at least 16. Models of very many heads get four
// times the budget where more than 8 blocks a layer would make the graph large.
func (g *graph) blockRows() int {
	perRow := 4 * g.spec.Attention.Heads * g.opts.Context
	n := 16
	for 2*n*perRow <= scoreBudget || 16*n <= g.rows && 2*n*perRow <= 4*scoreBudget {
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
