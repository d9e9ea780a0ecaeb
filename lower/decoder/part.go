package decoder

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

// Part is a piece of the decoder that can be lowered by itself.
type Part string

// The parts, with their inputs; T rows are those of a prefill of that bucket. The
// result is y.
const (
	PartEmbed     Part = "embed" // tokens i32[T], and position i32[T] if positions are learned
	PartNorm      Part = "norm"  // x [T,H]
	PartRoPE      Part = "rope"  // position, extent if it is used, x [T,heads,D]
	PartAttention Part = "attn"  // position, x [T,H], and the caches of layer 0
	PartMLP       Part = "mlp"   // x [T,H], of layer 0 as all that follow
	PartMoE       Part = "moe"   // x [T,H]
	PartLayer     Part = "layer" // as PartAttention
	PartHead      Part = "head"  // x [T,H]
)

// BuildPart lowers one part of a Spec, of which it needs no more than that part, as
// [Build] does within the graph that opts choose.
func BuildPart(spec *arch.Spec, opts Options, part Part) (*ir.Graph, error) {
	g := newGraph(string(part), spec, opts)
	x := func(shape ...int) *ir.Value {
		return g.Arg("x", "x", ir.T(ir.F32, append([]int{g.rows}, shape...)...))
	}
	position := func() {
		g.position = g.arg(RolePosition, ir.T(ir.I32, g.rows))
		g.place()
	}
	var y *ir.Value
	var caches []cache
	switch part {
	case PartEmbed:
		tokens := g.arg(RoleTokens, ir.T(ir.I32, g.rows))
		if spec.Embed.Positions > 0 {
			position()
		}
		y = g.embed(tokens)
	case PartNorm:
		y = g.norm("norm", x(spec.Hidden))
	case PartRoPE:
		position()
		g.tables()
		y = g.rope(0, x(spec.Attention.Heads, spec.Attention.HeadDim))
	case PartAttention, PartLayer:
		position()
		caches = g.caches()
		g.tables()
		g.makeMasks()
		if layer := spec.Layers[0]; part == PartLayer {
			y = g.at("layers.0").layer(0, layer, x(spec.Hidden), &caches[0])
		} else {
			y = g.at("attn").attention("layers.0.attn.", layer, x(spec.Hidden), &caches[0])
		}
	case PartMLP, PartMoE:
		y = g.feedForward("layers.0.", arch.Layer{Sparse: part == PartMoE}, x(spec.Hidden))
	case PartHead:
		y = g.logits(x(spec.Hidden))
	default:
		return nil, fmt.Errorf("decoder: unknown part %q", part)
	}
	g.Result("y", y)
	g.results(caches)
	g.squares.results(g)
	return g.Finish()
}
