package decoder

import (
	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

// latentAttention is multi-head latent attention (see [arch.MLA]) in the absorbed
// form: x is [T,H], and the cache has one row for each position, the latent vector
// [L] and the rotated key [P] that all heads share.
//
// A head's keys are k_up·latent, so that query·(k_up·latent) = (query·k_up)·latent:
// queries go into the latent space and keys stay there. In the same way values are
// mixed as latent vectors and expanded once, by v_up.
func (g *graph) latentAttention(name string, layer arch.Layer, x *ir.Value, c *cache) *ir.Value {
	a, m := &g.spec.Attention, g.spec.Attention.MLA
	h := a.Heads

	query := g.Reshape(g.latentQuery(name, x), g.rows, h, a.HeadDim)
	turned := g.rope(layer.RoPE, g.SliceDim(query, 2, m.NoPE, a.HeadDim))                                   // [T,h,P]
	query = g.Concat(2, g.at("k_up").toLatent(name+"k_up.weight", g.SliceDim(query, 2, 0, m.NoPE)), turned) // [T,h,L+P]

	row := g.at("kv_a").linear(x, name+"kv_a.weight", biasName(a.Bias.K, name+"kv_a"), m.KVRank+m.RoPE, g.spec.Hidden)
	latent := g.at("kv_a_norm").latentNorm(name+"kv_a_norm", g.SliceDim(row, 1, 0, m.KVRank))
	key := g.rope(layer.RoPE, g.Reshape(g.SliceDim(row, 1, m.KVRank, m.KVRank+m.RoPE), g.rows, 1, m.RoPE))
	c.keys = g.store(c.keys, g.Concat(2, g.Reshape(latent, g.rows, 1, m.KVRank), key))

	// One key head for all. Whole rows are mixed, and the part of the rotated keys
	// dropped: to take the latent part first would copy the cache.
	mixed := g.attendAll(query, c.keys, c.keys, layer, nil)
	mixed = g.SliceDim(g.Reshape(mixed, g.rows, h, m.KVRank+m.RoPE), 2, 0, m.KVRank)
	value := g.at("v_up").fromLatent(name+"v_up.weight", mixed)
	return g.at("o").linear(value, name+"o.weight", biasName(a.Bias.O, name+"o"), g.spec.Hidden, h*m.Value)
}

// latentQuery is the query of all heads, [T, heads*HeadDim].
func (g *graph) latentQuery(name string, x *ir.Value) *ir.Value {
	a, m := &g.spec.Attention, g.spec.Attention.MLA
	width := a.Heads * a.HeadDim
	if m.QRank == 0 {
		return g.at("q").linear(x, name+"q.weight", "", width, g.spec.Hidden)
	}
	low := g.at("q_a").linear(x, name+"q_a.weight", biasName(a.Bias.Q, name+"q_a"), m.QRank, g.spec.Hidden)
	return g.at("q_b").linear(g.at("q_a_norm").latentNorm(name+"q_a_norm", low), name+"q_b.weight", "", width, m.QRank)
}

// latentNorm is the RMSNorm of a latent vector [T,L].
func (g *graph) latentNorm(name string, x *ir.Value) *ir.Value {
	return g.weighted(ir.Norm{Eps: g.spec.Attention.MLA.Eps}, name, false, x, dim(x, 1))
}

// toLatent is x[t,h]·W[h] for each head: x [T,h,N], W [h,N,L], result [T,h,L].
func (g *graph) toLatent(weight string, x *ir.Value) *ir.Value {
	rows, heads, n, rank := dim(x, 0), dim(x, 1), dim(x, 2), g.spec.Attention.MLA.KVRank
	w := g.vector(weight, heads, n, rank)
	if rows == 1 { // as in times
		sum := g.Reduce(ir.ReduceAdd, g.Mul(g.spread(g.Reshape(x, heads, n), w.Type(), 0, 1), w), 1)
		return g.Reshape(sum, 1, heads, rank)
	}
	y := g.Dot(x, w, ir.DotGeneral{LHSBatch: []int{1}, RHSBatch: []int{0}, LHSContract: []int{2}, RHSContract: []int{1}})
	return g.Transpose(y, 1, 0, 2)
}

// fromLatent is W[h]·x[t,h] for each head: x [T,h,L], W [h,N,L], result [T, h*N].
func (g *graph) fromLatent(weight string, x *ir.Value) *ir.Value {
	rows, heads, rank, n := dim(x, 0), dim(x, 1), dim(x, 2), g.spec.Attention.MLA.Value
	s := g.opts.Weight(weight)
	if s.Block == 0 {
		y := g.Dot(x, g.vector(weight, heads, n, rank), ir.DotGeneral{LHSBatch: []int{1}, RHSBatch: []int{0}, LHSContract: []int{2}, RHSContract: []int{2}})
		return g.Reshape(g.Transpose(y, 1, 0, 2), rows, heads*n) // of [h,T,N]
	}
	w := g.vector(weight, heads, n/s.Block, rank, s.Block)
	if rows == 1 { // as in times
		sum := g.Reduce(ir.ReduceAdd, g.Mul(g.spread(g.Reshape(x, heads, rank), w.Type(), 0, 2), w), 2)
		return g.Reshape(sum, 1, heads*n)
	}
	each := g.Broadcast(g.Transpose(x, 1, 0, 2), []int{heads, n / s.Block, rows, rank}, 0, 2, 3)
	y := g.Dot(each, w, ir.DotGeneral{ // [h, N/block, T, block]
		LHSBatch: []int{0, 1}, RHSBatch: []int{0, 1}, LHSContract: []int{3}, RHSContract: []int{2},
	})
	return g.Reshape(g.Transpose(y, 2, 0, 1, 3), rows, heads*n)
}
