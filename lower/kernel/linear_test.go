package kernel

import (
	"math/rand/v2"
	"testing"

	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

// bytesOf makes a tensor of U8 or I8 elements.
func bytesOf(t testing.TB, typ ir.Type, f func(i int) byte) interp.Tensor {
	t.Helper()
	b := make([]byte, typ.Elems())
	for i := range b {
		b[i] = f(i)
	}
	x, err := interp.FromBytes(typ, b)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// linearArgs makes operands as models have them: q over its whole range, a weight of
// mean zero.
func linearArgs(t testing.TB, k Linear, rng *rand.Rand) []interp.Tensor {
	var args []interp.Tensor
	for _, o := range k.operands() {
		var x interp.Tensor
		switch o.hint {
		case "xq":
			x = bytesOf(t, o.typ, func(int) byte { return byte(int8(rng.IntN(255) - 127)) })
		case "q":
			x = bytesOf(t, o.typ, func(int) byte { return byte(rng.IntN(256)) })
		case "scale":
			x = floats(t, o.typ, func(int) float64 { return 0.01 * (0.5 + rng.Float64()) })
		case "offset":
			x = floats(t, o.typ, func(int) float64 { return -0.01 * (0.5 + rng.Float64()) * float64(int(1)<<(k.Bits-1)) })
		case "xs":
			x = floats(t, o.typ, func(int) float64 { return 0.01 * rng.Float64() })
		default:
			x = normal(t, rng, o.typ, 1)
		}
		args = append(args, x)
	}
	return args
}

// nearLinear allows float32 sums in another order: of K products in f32, of G otherwise.
func nearLinear(k Linear) func(int, interp.Tensor, interp.Tensor) error {
	if k.QuantizeOut {
		return nearActivations(true)
	}
	return within(3e-6)
}

func linearTrial(t testing.TB, k Linear, seed uint64) trial {
	return trial{k, linearArgs(t, k, random(seed)), nearLinear(k)}
}

// shapes covers what kernels distinguish: rows, partial blocks, partial groups.
var shapes = []struct{ t, n, k int }{
	{1, 16, 64}, {1, 17, 64}, {2, 48, 65}, {3, 100, 576}, {5, 16, 128}, {8, 33, 192}, {16, 48, 64}, {1, 960, 576}, {1, 128, 1536}, {4, 64, 256},
}

func TestLinear(t *testing.T) {
	var trials []trial
	for i, s := range shapes {
		for j := range 4 {
			k := Linear{T: s.t, N: s.n, K: s.k, Bits: 4 + 4*(j%2), ActI8: j < 2, Scales: ir.F16, Bias: (i+j)%3 == 0, Residual: (i+j)%4 == 1}
			if i%3 == 0 {
				k.Scales = ir.F32
			}
			trials = append(trials, linearTrial(t, k, uint64(4*i+j)))
		}
	}
	checkAll(t, trials...)
}

func TestLinearGate(t *testing.T) {
	var trials []trial
	for i, rows := range []int{1, 2, 7, 16} {
		for j, quantize := range []bool{false, true} {
			k := Linear{T: rows, N: 256, K: 192, Bits: 4, ActI8: i%2 == 0, Scales: ir.F16, Gate: ir.SiLU, Bias: i > 1, QuantizeOut: quantize}
			if j == 1 {
				k.Gate, k.Bits = ir.GELUTanh, 8
			}
			trials = append(trials, linearTrial(t, k, uint64(2*i+j)))
		}
	}
	trials = append(trials, linearTrial(t, Linear{T: 3, N: 64, K: 64, Bits: 4, ActI8: true, Scales: ir.F32, Residual: true, QuantizeOut: true}, 99))
	checkAll(t, trials...)
}

// TestLinearExtremes: the largest sums that the formats allow, and rows of zeros.
func TestLinearExtremes(t *testing.T) {
	var trials []trial
	for _, bits := range []int{4, 8} {
		for _, rows := range []int{1, 4} {
			for _, sign := range []int{-127, 127, 0} {
				k := Linear{T: rows, N: 16, K: 128, Bits: bits, ActI8: true, Scales: ir.F32}
				tr := linearTrial(t, k, 1)
				tr.args[0] = bytesOf(t, k.operands()[0].typ, func(int) byte { return byte(int8(sign)) })
				tr.args[2] = bytesOf(t, k.operands()[2].typ, func(int) byte { return 255 })
				trials = append(trials, tr)
			}
		}
	}
	checkAll(t, trials...)
}

func TestShare(t *testing.T) {
	for _, test := range []struct{ units, bytes, want int }{
		{1, 100, 1}, {36, 5184, 3}, {60, 5184, 3}, {96, 10368, 2}, {3072, 10000, 48}, {7, 1 << 20, 1}, {101, 1 << 20, 2},
	} {
		if got := share(test.units, test.bytes); got != test.want {
			t.Errorf("share(%d, %d) = %d, want %d", test.units, test.bytes, got, test.want)
		}
	}
}
