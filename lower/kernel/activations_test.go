package kernel

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

// floats makes a tensor of a float type whose elements f gives.
func floats(t testing.TB, typ ir.Type, f func(i int) float64) interp.Tensor {
	t.Helper()
	v := make([]float64, typ.Elems())
	for i := range v {
		v[i] = f(i)
	}
	x, err := interp.Floats(typ, v)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// normal makes normally distributed elements.
func normal(t testing.TB, rng *rand.Rand, typ ir.Type, scale float64) interp.Tensor {
	return floats(t, typ, func(int) float64 { return rng.NormFloat64() * scale })
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// nearActivations allows what the order of a sum and fused multiply-adds change: a few
// units of float32, and, quantized, the neighbouring integer where such a difference lies at a
// half.
func nearActivations(quantized bool) func(int, interp.Tensor, interp.Tensor) error {
	return func(result int, got, want interp.Tensor) error {
		if !quantized {
			return within(1e-6)(result, got, want)
		}
		g, w := got.Float64s(), want.Float64s()
		if result == 1 {
			half := len(w) / 2 // scales, then sums, of which one unit of an element is one scale
			for i := range half {
				if math.Abs(g[i]-w[i]) > 1e-6*w[i] || math.Abs(g[half+i]-w[half+i]) > 1e-6*math.Abs(w[half+i])+1.001*w[i] {
					return fmt.Errorf("group %d: scale %v, sum %v, want %v, %v", i, g[i], g[half+i], w[i], w[half+i])
				}
			}
			return nil
		}
		off := 0
		for i := range w {
			if d := math.Abs(g[i] - w[i]); d > 1 {
				return fmt.Errorf("element %d is %v, want %v", i, g[i], w[i])
			} else if d > 0 {
				off++
			}
		}
		if off > 1+len(w)/1000 {
			return fmt.Errorf("%d of %d elements are off by one", off, len(w))
		}
		return nil
	}
}

func activationTrial(t testing.TB, k Activations, seed uint64) trial {
	rng := random(seed)
	tr := trial{kernel: k, near: nearActivations(k.Quantize)}
	for _, o := range k.operands() {
		scale := 1.0
		if o.hint == "x" {
			scale = math.Exp(rng.NormFloat64() * 3)
		}
		tr.args = append(tr.args, normal(t, rng, o.typ, scale))
	}
	return tr
}

func TestActivations(t *testing.T) {
	var trials []trial
	for i, k := range []Activations{
		{},
		{Normalize: true, Norm: ir.Norm{Eps: 1e-5}, Params: 1},
		{Normalize: true, Norm: ir.Norm{Eps: 1e-6, UnitOffset: true}, Params: 1},
		{Normalize: true, Norm: ir.Norm{Eps: 1e-5}},
		{Normalize: true, Norm: ir.Norm{Eps: 1e-5}, Params: 2},
		{Normalize: true, Norm: ir.Norm{Centered: true, Eps: 1e-5}, Params: 1},
		{Normalize: true, Norm: ir.Norm{Centered: true, Eps: 1e-5, UnitOffset: true}, Params: 2},
		{Normalize: true, Norm: ir.Norm{Centered: true}},
	} {
		for j, width := range []int{64, 65, 3, 100, 576, 1536}[i%3:] {
			k.T, k.K, k.Quantize = []int{1, 3, 17}[(i+j)%3], width, j%2 == 0
			trials = append(trials, activationTrial(t, k, uint64(8*i+j)))
		}
	}
	// Zeros, a negative zero, denormals, the smallest group that counts, the largest numbers.
	edges := [][]float64{{0}, {math.Copysign(0, -1)}, {1e-40, -1e-42}, {0x1p-100, -0x1p-101}, {0x1p-101, 1e-45},
		{math.MaxFloat32, -1}, {1, 0.5, -0.5 / 127, 1.5 / 127, 2.5 / 127}}
	x := floats(t, ir.T(ir.F32, len(edges), 128), func(i int) float64 {
		e := edges[i/128]
		if i%128 < 64 {
			return e[i%len(e)]
		}
		return float64(i % 5)
	})
	trials = append(trials, trial{Activations{T: len(edges), K: 128, Quantize: true}, []interp.Tensor{x}, nil})
	checkAll(t, trials...)
}
