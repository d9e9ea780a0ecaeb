package decoder

import (
	"math"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

// The norm of latent vectors is x * rsqrt(mean(x²) + eps) * w with the epsilon of
// MLA and not the one of the residual stream. Published models have 1e-6 there,
// which no oracle of a few numbers tells from another small one.
func TestLatentNorm(t *testing.T) {
	const eps = 0.25
	s := small()
	s.Norm.Eps, s.Attention.MLA = 7, &arch.MLA{Eps: eps}
	g := &graph{Builder: ir.New("latent_norm"), spec: s, opts: Options{Weight: func(string) Stored { return Stored{DType: ir.F32} }}}
	g.Result("y", g.latentNorm("norm", g.Arg("x", "x", ir.T(ir.F32, 2, 3))))
	graph, err := g.finish()
	if err != nil {
		t.Fatal(err)
	}
	x, w := []float32{1, -2, 0.5, 0.125, 0, -0.25}, []float32{0.5, 3, -1}
	arg, err := interp.Float32s(x, 2, 3)
	if err != nil {
		t.Fatal(err)
	}
	out, err := interp.Eval(t.Context(), graph, []interp.Tensor{arg}, interp.Options{
		Param: func(string, ir.Type) (interp.Tensor, error) { return interp.Float32s(w, 3) },
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, got := range out[0].Float32s() {
		var squares float64
		for _, v := range x[i/3*3 : i/3*3+3] {
			squares += float64(v) * float64(v)
		}
		want := float64(x[i]) / math.Sqrt(squares/3+eps) * float64(w[i%3])
		if math.Abs(float64(got)-want) > 1e-6 {
			t.Errorf("element %d: %v, want %v", i, got, want)
		}
	}
}
