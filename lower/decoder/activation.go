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
		return g.Activate(ir.SiLU, x)
	case arch.GELU:
		return g.Mul(x, g.normalCDF(x))
	case arch.GELUTanh:
		return g.Activate(ir.GELUTanh, x)
	case arch.ReLU2:
		y := g.Max(x, g.SplatLike(x, 0))
		return g.Mul(y, y)
	case arch.XIELU:
		return g.xielu(name, x)
	}
	return g.Fail(fmt.Errorf("unknown activation %q", kind))
}

// Coefficients of Abramowitz and Stegun, Handbook of Mathematical Functions,
// formula 7.1.26: with t = 1/(1 + p·z), z >= 0,
// erf(z) = 1 - (a1·t + ... + a5·t⁵)·exp(-z²), within 1.5e-7.
const erfP = 0.3275911

var erfA = []float64{0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429}

// normalCDF is Φ(x) = (1 + erf(x/√2))/2 within 1e-7. StableHLO has no error
// function. The upper tail, 1 - Φ(|x|), is computed first, so that the lower one
// keeps its digits.
func (g *graph) normalCDF(x *ir.Value) *ir.Value {
	one := g.SplatLike(x, 1)
	z := g.Abs(x)
	t := g.Div(one, g.Add(one, g.Mul(z, g.SplatLike(x, erfP/math.Sqrt2))))
	var sum *ir.Value
	for i := len(erfA) - 1; i >= 0; i-- {
		a := g.SplatLike(x, erfA[i]/2)
		if sum == nil {
			sum = a
		} else {
			sum = g.Add(g.Mul(sum, t), a)
		}
	}
	tail := g.Mul(g.Mul(sum, t), g.Exp(g.Mul(g.Mul(z, z), g.SplatLike(x, -0.5))))
	return g.Select(g.Compare(ir.LT, x, g.SplatLike(x, 0)), tail, g.Sub(one, tail))
}

// xielu is [arch.XIELU] of x [T,I]. Its parameters are stored as they were
// trained, before softplus.
func (g *graph) xielu(name string, x *ir.Value) *ir.Value {
	parameter := func(part string) *ir.Value { return g.softplus(g.vector(name+part, 1)) }
	spread := func(v *ir.Value) *ir.Value { return g.spread(g.Reshape(v), x.Type()) }
	const beta, eps = 0.5, -1e-6
	p := parameter("alpha_p")
	n := parameter("alpha_n")
	n = g.Add(n, g.SplatLike(n, beta))
	positive := g.Mul(spread(p), g.Mul(x, x))
	negative := g.Mul(spread(n), g.Sub(g.expm1(g.Min(x, g.SplatLike(x, eps))), x))
	curve := g.Select(g.Compare(ir.GT, x, g.SplatLike(x, 0)), positive, negative)
	return g.Add(curve, g.Mul(x, g.SplatLike(x, beta)))
}

// expm1 is exp(x) - 1 = tanh(x/2)·(exp(x) + 1), without the cancellation near 0.
func (g *graph) expm1(x *ir.Value) *ir.Value {
	return g.Mul(g.Tanh(g.Mul(x, g.SplatLike(x, 0.5))), g.Add(g.Exp(x), g.SplatLike(x, 1)))
}

// softplus is log(1 + exp(x)) = max(x, 0) + log(1 + exp(-|x|)), which cannot overflow.
func (g *graph) softplus(x *ir.Value) *ir.Value {
	return g.Add(g.Max(x, g.SplatLike(x, 0)), g.Log(g.Add(g.SplatLike(x, 1), g.Exp(g.Neg(g.Abs(x))))))
}
