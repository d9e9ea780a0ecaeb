package decoder

import (
	"encoding/binary"
	"fmt"
	"math"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/ir/irtest"
)

const alphaP, alphaN = 0.75, -1.25 // of xIELU, exact in float32

// activations are the formulas in float64, as transformers' activations.py has them.
var activations = []struct {
	kind arch.Activation
	f    func(x float64) float64
}{
	{arch.SiLU, func(x float64) float64 { return x / (1 + math.Exp(-x)) }},
	{arch.GELU, func(x float64) float64 { return 0.5 * x * (1 + math.Erf(x/math.Sqrt2)) }},
	{arch.GELUTanh, func(x float64) float64 {
		return 0.5 * x * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
	}},
	{arch.ReLU2, func(x float64) float64 { return max(x, 0) * max(x, 0) }},
	{arch.XIELU, func(x float64) float64 {
		softplus := func(a float64) float64 { return math.Log1p(math.Exp(a)) }
		if x > 0 {
			return softplus(alphaP)*x*x + 0.5*x
		}
		return (math.Expm1(min(x, -1e-6))-x)*(0.5+softplus(alphaN)) + 0.5*x
	}},
}

// inputs covers both tails, the neighbourhood of 0 and what lies between.
func inputs() []float32 {
	xs := []float32{0, 1e-30, -1e-30, 1e-7, -1e-7, -9e-7, -1.1e-6, 100, -100, 1e4, -1e4}
	for i := -1600; i <= 1600; i++ {
		xs = append(xs, float32(i)/100+0.003, float32(i)*1e-5)
	}
	return xs
}

// Every activation is its formula, on the interpreter and as compiled code.
func TestActivations(t *testing.T) {
	xs := inputs()
	g := &graph{Builder: ir.New("activations"), spec: small(), opts: Options{Weight: func(string) Stored { return Stored{DType: ir.F32} }}}
	x := g.Arg("x", "x", ir.T(ir.F32, 1, len(xs)))
	for _, a := range activations {
		g.Result(string(a.kind), g.activation("m.", a.kind, x))
	}
	graph, err := g.finish()
	if err != nil {
		t.Fatal(err)
	}
	alpha := map[string]float32{"m.alpha_p": alphaP, "m.alpha_n": alphaN}
	input, err := interp.Float32s(xs, 1, len(xs))
	if err != nil {
		t.Fatal(err)
	}
	results, err := interp.Eval(t.Context(), graph, []interp.Tensor{input}, interp.Options{
		Param: func(key string, _ ir.Type) (interp.Tensor, error) { return interp.Float32s([]float32{alpha[key]}, 1) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range activations {
		checkActivation(t, "interpreted", a.kind, a.f, xs, results[i].Float32s())
	}
	bytes := func(v ...float32) (b []byte) {
		for _, f := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
		}
		return b
	}
	args := [][]byte{bytes(xs...)}
	for _, p := range graph.Params() {
		args = append(args, bytes(alpha[p.Op().(ir.Parameter).Key]))
	}
	compiled, err := irtest.Compiled(t, graph, args)
	if err != nil {
		t.Fatal(err)
	}
	for i, a := range activations {
		out := make([]float32, len(xs))
		for j := range out {
			out[j] = math.Float32frombits(binary.LittleEndian.Uint32(compiled[i][4*j:]))
		}
		checkActivation(t, "compiled", a.kind, a.f, xs, out)
	}
}

func checkActivation(t *testing.T, how string, kind arch.Activation, f func(float64) float64, xs, got []float32) {
	t.Helper()
	worst, at := 0.0, ""
	for i, x := range xs {
		want := f(float64(x))
		// float32 keeps 1e-7 of a result or of an argument, whichever is larger: the
		// formulas subtract numbers of that size.
		e := math.Abs(float64(got[i])-want) / max(math.Abs(want), math.Abs(float64(x)), 1e-30)
		if !(e <= worst) {
			worst, at = e, fmt.Sprintf("x = %v: found %v, want %v", x, got[i], want)
		}
	}
	t.Logf("%s, %s: relative error %.1e at %s", kind, how, worst, at)
	if !(worst <= 4e-7) {
		t.Errorf("%s, %s: relative error %.1e at %s", kind, how, worst, at)
	}
}
