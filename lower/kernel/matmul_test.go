package kernel

import (
	"testing"

	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/lower/ir"
)

// TestMatmul covers what the strategy for many rows distinguishes: tiles of two sizes,
// panels that are cut short, partial blocks and groups, rows in several workgroups.
func TestMatmul(t *testing.T) {
	var trials []trial
	for i, s := range []struct{ t, n, k int }{{17, 64, 64}, {18, 16, 65}, {33, 17, 128}, {37, 40, 192}, {100, 64, 2048}, {23, 7, 130}, {22, 50, 64}} {
		for _, j := range []int{i % 2, 3 - i%2} {
			k := Linear{T: s.t, N: s.n, K: s.k, Bits: 4 + 4*(j%2), ActI8: j < 2, Scales: ir.F16, Bias: (i+j)%3 == 0, Residual: i%3 == 1}
			if i%3 == 0 {
				k.Scales = ir.F32
			}
			trials = append(trials, linearTrial(t, k, uint64(4*i+j)))
		}
	}
	checkAll(t, trials...)
}

// TestMatmulFewRows: so wide a matrix that the strategy for few rows has no room for sums.
func TestMatmulFewRows(t *testing.T) {
	k := Linear{T: 16, N: 24, K: 32000, Bits: 4, Scales: ir.F16}
	if k.matvecBytes() <= stackBytes {
		t.Fatalf("%d bytes are not too many", k.matvecBytes())
	}
	tr := linearTrial(t, k, 1)
	tr.near = within(2e-5) // sums of so many
	check(t, Choose(cpu.Host().Names()), tr)
}

func TestMatmulGate(t *testing.T) {
	// Where all of GELU's results are next to nothing, the reference has zeros to quantize.
	var trials []trial
	for i, k := range []Linear{
		{T: 17, N: 96, K: 64, Bits: 4, ActI8: true, Scales: ir.F16, Gate: ir.SiLU, Residual: true}, // an odd number of panels
		{T: 36, N: 128, K: 192, Bits: 8, ActI8: true, Scales: ir.F32, Gate: ir.GELUTanh, Bias: true},
		{T: 29, N: 128, K: 64, Bits: 4, Scales: ir.F16, Gate: ir.GELUTanh},
		{T: 25, N: 256, K: 192, Bits: 4, ActI8: true, Scales: ir.F16, Gate: ir.SiLU, Bias: true, QuantizeOut: true},
		{T: 25, N: 128, K: 2048, Bits: 8, ActI8: true, Scales: ir.F16, Residual: true, QuantizeOut: true},
	} {
		trials = append(trials, linearTrial(t, k, uint64(i)))
	}
	checkAll(t, trials...)
}

// TestMatmulExtremes: the largest sums that the formats allow, and rows of zeros.
func TestMatmulExtremes(t *testing.T) {
	var trials []trial
	for _, bits := range []int{4, 8} {
		for _, x := range []int{-127, 127, 0} {
			k := Linear{T: 17, N: 16, K: 128, Bits: bits, ActI8: true, Scales: ir.F32}
			tr := linearTrial(t, k, 1)
			tr.args[0] = bytesOf(t, k.operands()[0].typ, func(int) byte { return byte(int8(x)) })
			tr.args[2] = bytesOf(t, k.operands()[2].typ, func(int) byte { return 255 })
			trials = append(trials, tr)
		}
	}
	checkAll(t, trials...)
}
