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
	s := g.spec
	k, d := s.KVHeads, s.HeadDim
	project := func(part string, bias bool, heads int) *ir.Value { // [T,heads,D]
		y := g.at(part).linear(x, name+part+".weight", biasName(bias, name+part), heads*d, s.Hidden)
		return g.Reshape(y, g.rows, heads, d)
	}
	query := g.rope(project("q", s.AttnBias.Q, s.Heads))
	key := g.rope(project("k", s.AttnBias.K, k))
	value := project("v", s.AttnBias.V, k)
	if g.qscale != nil {
		query = g.Mul(query, g.spread(g.qscale, query.Type(), 0))
	}

	c.keys = g.ScatterRows(c.keys, g.position, key, true)
	c.values = g.ScatterRows(c.values, g.position, value, true)
	keys := g.SliceDim(c.keys, 0, 0, g.opts.Context) // a static slice of the cache is free
	values := g.SliceDim(c.values, 0, 0, g.opts.Context)

	query = g.Reshape(query, g.rows, k, s.Heads/k, d)
	mask := g.masks[g.window(layer)]
	var blocks []*ir.Value
	for from := 0; from < g.rows; from += g.blockRows() {
		to := min(from+g.blockRows(), g.rows)
		q, m := query, mask
		if to-from < g.rows {
			q, m = g.SliceDim(query, 0, from, to), g.SliceDim(mask, 0, from, to)
		}
		blocks = append(blocks, g.attend(q, keys, values, m))
	}
	mixed := blocks[0]
	if len(blocks) > 1 {
		mixed = g.Concat(0, blocks...)
	}
	return g.at("o").linear(mixed, name+"o.weight", biasName(s.AttnBias.O, name+"o"), s.Hidden, s.Heads*d)
}

// attend is softmax(q·kᵀ * scale, masked) · v for a block of T query rows:
// q [T,K,G,D], keys and values [C,K,D], mask i1[T,C]; result [T, K*G*D].
func (g *graph) attend(q, keys, values, mask *ir.Value) *ir.Value {
	rows, k, group, d := dim(q, 0), dim(q, 1), dim(q, 2), dim(q, 3)
	scores := g.Dot(q, keys, ir.DotGeneral{ // [K,T,G,C]
		LHSBatch: []int{1}, RHSBatch: []int{1},
		LHSContract: []int{3}, RHSContract: []int{2},
	})
	t := scores.Type()
	scores = g.Mul(scores, g.Splat(t, g.spec.AttnScale))
	scores = g.Select(g.spread(mask, t, 1, 3), scores, g.Splat(t, masked))

	// Softmax over the keys, the largest score subtracted as usual.
	top := g.Reduce(ir.ReduceMax, scores, 3)
	e := g.Exp(g.Sub(scores, g.spread(top, t, 0, 1, 2)))
	p := g.Div(e, g.spread(g.Reduce(ir.ReduceAdd, e, 3), t, 0, 1, 2))

	mixed := g.Dot(p, values, ir.DotGeneral{ // [K,T,G,D]
		LHSBatch: []int{0}, RHSBatch: []int{1},
		LHSContract: []int{3}, RHSContract: []int{0},
	})
	return g.Reshape(g.Transpose(mixed, 1, 0, 2, 3), rows, k*group*d)
}

// blockRows is how many query rows are attended at once: the largest power of
// two whose scores fit scoreBudget, at least 16.
func (g *graph) blockRows() int {
	perRow := 4 * g.spec.Heads * g.opts.Context
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

// rope rotates x [T,heads,D] by the position of each row, half-split: with
// (a, b) the two halves of a head, (a·cos - b·sin, b·cos + a·sin).
//
// Written over [T,heads,2,D/2] with the halves swapped by a reversal, it is one
// elementwise operation; slices and a concatenation would be four.
func (g *graph) rope(x *ir.Value) *ir.Value {
	heads, d := dim(x, 1), dim(x, 2)
	halves := g.Reshape(x, g.rows, heads, 2, d/2)
	t := halves.Type()
	first := g.Compare(ir.EQ, g.Iota(ir.T(ir.I32, t.Shape()...), 2), g.Splat(ir.T(ir.I32, t.Shape()...), 0))
	sin := g.spread(g.sin, t, 0, 3)
	turned := g.Mul(g.Reverse(halves, 2), g.Select(first, g.Neg(sin), sin))
	return g.Reshape(g.Add(g.Mul(halves, g.spread(g.cos, t, 0, 3)), turned), g.rows, heads, d)
}
