package kernel

import (
	"testing"

	"github.com/hlocc/hlocc/lower/ir"
)

// Each row goes through the matrix of its own expert, whatever the number of rows.
func TestExperts(t *testing.T) {
	var trials []trial
	for i, rows := range []int{1, 4, 40} {
		k := Linear{T: rows, N: 48, K: 128, Bits: 4, ActI8: i != 1, Scales: ir.F16, Experts: 3}
		trials = append(trials, linearTrial(t, k, uint64(i)))
		k.N, k.Gate, k.Bits = 128, ir.SiLU, 8
		trials = append(trials, linearTrial(t, k, uint64(10+i)))
		k.QuantizeOut = true
		trials = append(trials, linearTrial(t, k, uint64(20+i)))
	}
	checkAll(t, trials...)
}
