package decoder

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// KeyRole is the role of layer n's key cache.
func KeyRole(n int) string { return fmt.Sprintf("kv.%d.k", n) }

// ValueRole is the role of layer n's value cache, which latent attention does not have.
func ValueRole(n int) string { return fmt.Sprintf("kv.%d.v", n) }

// cache is a layer's keys and values: as they came in, and as they stand, the rows of
// all slots one after another. Without values the keys are all that is kept.
type cache struct{ keyArg, valueArg, keys, values *ir.Value }

// caches are the arguments of all layers.
func (g *graph) caches() []cache {
	a := &g.spec.Attention
	heads, width := a.KVHeads, a.HeadDim
	if a.MLA != nil {
		heads, width = 1, a.MLA.KVRank+a.MLA.RoPE
	}
	t := ir.T(cmp.Or(g.opts.KV, ir.F32), append(slices.Clone(g.batch), g.opts.Rows, heads, width)...)
	flat := func(v *ir.Value) *ir.Value { return g.Reshape(v, g.slots*g.opts.Rows, heads, width) }
	list := make([]cache, len(g.spec.Layers))
	for n := range list {
		c := &list[n]
		c.keyArg = g.arg(KeyRole(n), t)
		c.keys = flat(c.keyArg)
		if a.MLA == nil {
			c.valueArg = g.arg(ValueRole(n), t)
			c.values = flat(c.valueArg)
		}
	}
	return list
}

// results returns the caches to where they came from.
func (g *graph) results(caches []cache) {
	for n, c := range caches {
		g.ResultInPlace(KeyRole(n), g.Reshape(c.keys, c.keyArg.Shape()...), c.keyArg)
		if c.valueArg != nil {
			g.ResultInPlace(ValueRole(n), g.Reshape(c.values, c.valueArg.Shape()...), c.valueArg)
		}
	}
}
