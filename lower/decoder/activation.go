package decoder

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

// activation is an elementwise function of x; name is the module, for those with
// learned numbers. The formulas are in [arch.Activation].
func (g *graph) activation(name string, kind arch.Activation, x *ir.Value) *ir.Value {
	switch kind {
	case arch.SiLU:
		return g.Mul(x, g.Logistic(x))
	case arch.GELUTanh:
		cube := g.Mul(g.Mul(x, x), x)
		inner := g.Mul(g.Add(x, g.Mul(cube, g.SplatLike(x, 0.044715))), g.SplatLike(x, math.Sqrt(2/math.Pi)))
		return g.Mul(g.Mul(x, g.SplatLike(x, 0.5)), g.Add(g.Tanh(inner), g.SplatLike(x, 1)))
	case arch.ReLU2:
		y := g.Max(x, g.SplatLike(x, 0))
		return g.Mul(y, y)
	}
	return g.Fail(fmt.Errorf("unknown activation %q", kind))
}
