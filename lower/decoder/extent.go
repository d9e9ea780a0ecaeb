package decoder

import (
	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

// UsesExtent says whether the graphs of a context have the input "extent": how many
// tokens the sequence has when the call, or the series of prefill chunks that it is
// part of, is done. Longrope chooses between two sets of frequencies by it, for all
// positions alike.
func UsesExtent(s *arch.Spec, context int) bool { return Switch(s, context) > 0 }

// Switch is the number of tokens up to which a sequence has the frequencies that it
// starts with, 0 if that is all of the context. With more tokens, what is in its
// caches is of no use and must be computed again.
func Switch(s *arch.Spec, context int) int {
	at := 0
	for i := range s.RoPE {
		if r := &s.RoPE[i]; r.Switches(context) {
			at = r.OriginalMaxPositions
		}
	}
	return at
}

// tableRow is the row of each position in the tables of a rotary embedding, i32[T];
// see [arch.RoPETables].
func (g *graph) tableRow(r *arch.RoPE) *ir.Value {
	if !r.Switches(g.opts.Context) {
		return g.position
	}
	t := g.extent.Type()
	long := g.Compare(ir.GT, g.extent, g.Splat(t, float64(r.OriginalMaxPositions)))
	first := g.Select(long, g.Splat(t, float64(g.opts.Context)), g.Splat(t, 0))
	return g.Add(g.position, g.spread(first, g.position.Type(), 0))
}
