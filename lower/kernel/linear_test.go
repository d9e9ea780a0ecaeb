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
	var scales []float32
	for _, o := range k.operands() {
		var x interp.Tensor
		switch o.hint {
		case "xq":
			x = bytesOf(t, o.typ, func(int) byte { return byte(int8(rng.IntN(255) - 127)) })
		case "q":
			x = bytesOf(t, o.typ, func(int) byte { return byte(rng.IntN(256)) })
		case "scale":
			x = floats(t, o.typ, func(int) float64 { return 0.01 * (0.5 + rng.Float64()) })
			scales = x.Float32s()
		case "offset":
			x = floats(t, o.typ, func(i int) float64 { return -float64(scales[i]) * float64(int(1)<<(k.Bits-1)) })
		case "expert": // one of them out of range
			e := make([]int32, k.T)
			for i := range e {
				e[i] = int32((5*i)%(k.Experts+1)) - int32(i%2)
			}
			v, err := interp.Int32s(e, k.T)
			if err != nil {
				t.Fatal(err)
			}
			x = v
		case "xs":
			x = floats(t, o.typ, groupScales(args[0].Float64s(), rng))
		default:
			x = normal(t, rng, o.typ, 1)
		}
		args = append(args, x)
	}
	return args
}

// groupScales gives random scales of groups of xq, and then their sums.
func groupScales(xq []float64, rng *rand.Rand) func(int) float64 {
	var scales []float64
	return func(i int) float64 {
		if g := i - len(xq)/ir.GroupSize; g >= 0 {
			sum := 0.0
			for _, q := range xq[g*ir.GroupSize : (g+1)*ir.GroupSize] {
				sum += q
			}
			return float64(float32(scales[g])) * sum
		}
		scales = append(scales, 0.01*(0.5+rng.Float64()))
		return scales[i]
	}
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

// TestLinear covers what kernels distinguish: one row and several, tiles that the rows
// fill and do not, partial blocks of the matrix, partial groups of columns.
func TestLinear(t *testing.T) {
	var trials []trial
	for i, s := range []struct{ t, n, k, bits int }{
		{1, 16, 64, 4}, {1, 17, 65, 8}, {1, 960, 576, 4}, {1, 40, 1536, 8}, {2, 48, 192, 4}, {3, 33, 128, 8}, {5, 100, 100, 4}, {8, 32, 192, 8}, {16, 50, 64, 4},
	} {
		for j := range 2 {
			k := Linear{T: s.t, N: s.n, K: s.k, Bits: s.bits, ActI8: j == 0, Scales: ir.F16, Bias: (i+j)%3 == 0, Residual: (i+j)%4 == 1}
			if i%3 == 0 {
				k.Scales = ir.F32
			}
			trials = append(trials, linearTrial(t, k, uint64(2*i+j)))
		}
	}
	checkAll(t, trials...)
}

func TestLinearGate(t *testing.T) {
	checkAll(t,
		linearTrial(t, Linear{T: 1, N: 256, K: 192, Bits: 4, ActI8: true, Scales: ir.F16, Gate: ir.SiLU, QuantizeOut: true}, 1),
		linearTrial(t, Linear{T: 2, N: 96, K: 64, Bits: 4, Scales: ir.F16, Gate: ir.GELUTanh, Bias: true}, 2),
		linearTrial(t, Linear{T: 7, N: 128, K: 64, Bits: 8, ActI8: true, Scales: ir.F32, Gate: ir.GELUTanh, Bias: true, QuantizeOut: true}, 3),
		linearTrial(t, Linear{T: 3, N: 64, K: 64, Bits: 4, ActI8: true, Scales: ir.F32, Residual: true, QuantizeOut: true}, 4),
	)
}

// TestLinearExtremes: the largest sums that the formats allow, and rows of zeros.
func TestLinearExtremes(t *testing.T) {
	var trials []trial
	for _, bits := range []int{4, 8} {
		for _, rows := range []int{1, 3} {
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
