package decoder

import (
	"cmp"

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
	part := g.projections(x, name, g.spec.Hidden, projection{"q", a.Bias.Q, a.Heads * d}, projection{"k", a.Bias.K, k * d}, projection{"v", a.Bias.V, k * d})
	project := func(i, heads int) *ir.Value { return g.Reshape(part(i), g.rows, heads, d) } // [T,heads,D]
	query := g.placed(name+"q_norm", layer, project(0, a.Heads))
	key := g.placed(name+"k_norm", layer, project(1, k))
	value := g.clip(project(2, k), a.Clip)
	if g.qscale != nil {
		query = g.Mul(query, g.spread(g.qscale, query.Type(), 0))
	}

	c.keys, c.values = g.store(c.keys, key), g.store(c.values, value)
	var sinks *ir.Value
	if a.Sinks {
		sinks = g.Reshape(g.vector(name+"sinks", a.Heads), k, a.Heads/k)
	}
	mixed := g.attendAll(query, c.keys, c.values, layer, sinks)
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
	shape := []int{d}
	switch n.Over {
	case arch.OverHeadOwn:
		shape = []int{heads, d}
	case arch.OverAll:
		x = g.Reshape(x, g.rows, heads*d)
		shape = []int{heads * d}
	}
	y := g.weighted(ir.Norm{Centered: n.Kind == arch.LayerNorm, Eps: n.Eps, UnitOffset: n.UnitOffset}, name, n.Bias, x, shape...)
	return g.Reshape(y, t.Shape()...)
}

// store writes the keys or values of the query rows, [T,...], into a cache.
func (g *graph) store(cache, rows *ir.Value) *ir.Value {
	return g.ScatterRows(cache, g.cacheRow, g.Convert(rows, cmp.Or(g.opts.KV, ir.F32)), true)
}

// attendAll mixes values for all query rows, [T,heads,D], over caches of K heads; result
// [T,heads*D]. sinks, if not nil, are scores [K,heads/K] that take part in the softmax and
// have no value.
func (g *graph) attendAll(q, keys, values *ir.Value, layer arch.Layer, sinks *ir.Value) *ir.Value {
	a := &g.spec.Attention
	window := g.window(layer)
	o := ir.Attention{
		Scale: a.Scale, Softcap: a.Softcap, Window: window, Context: g.opts.Context, Rows: g.opts.Rows, Slots: g.slots, Sinks: sinks != nil,
	}
	if sinks != nil {
		return g.Attention(o, q, keys, values, g.masks[window], g.position, sinks)
	}
	return g.Attention(o, q, keys, values, g.masks[window], g.position)
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

// rope rotates x [T,heads,D] by the position of each row.
func (g *graph) rope(entry int, x *ir.Value) *ir.Value {
	table := &g.rotary[entry]
	return g.Rotate(ir.Rotate{Interleaved: g.spec.RoPE[entry].Interleaved}, x, table.cos, table.sin)
}
