package kernel

import (
	"math"
	"testing"

	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

// nearAttention allows what another order of the sums and exp within a few units change:
// the reference subtracts the largest of all scores and sums once, the kernel rescales. Scores of
// 10 carry an error of 10 units into the exponent.
var nearAttention = within(4e-6)

// attentionTrial has the given positions. Rows that no query may see are garbage for the
// kernel; the wanted results are those with zeros there, of positions inside the context.
func attentionTrial(t *testing.T, k Attention, positions []int32, seed uint64) trial {
	t.Helper()
	rng := random(seed)
	var args, clean []interp.Tensor
	for _, o := range k.operands() {
		switch o.hint {
		case "position":
			args = append(args, integers(t, positions...))
		case "keys", "values":
			x := normal(t, rng, o.typ, 1).Float64s()
			garbage := append([]float64(nil), x...)
			for i := range x {
				if !k.sees(positions, i/(k.KVHeads*k.D)) {
					x[i], garbage[i] = 0, []float64{math.NaN(), math.Inf(1), 3e4, math.Inf(-1)}[rng.IntN(4)]
				}
			}
			args = append(args, floats(t, o.typ, func(i int) float64 { return garbage[i] }))
			clean = append(clean, floats(t, o.typ, func(i int) float64 { return x[i] }))
			continue
		default:
			args = append(args, normal(t, rng, o.typ, 2))
		}
		clean = append(clean, args[len(args)-1])
	}
	want := reference(t, []trial{{kernel: k, args: clean}})[0][0].Float64s()
	width := k.Heads * k.D
	for i, p := range positions { // rows without a meaning
		if p < 0 || int(p) >= k.Context {
			for j := range width {
				want[i*width+j] = 0
			}
		}
	}
	return trial{kernel: k, args: args, near: func(_ int, got, _ interp.Tensor) error {
		g := got.Float64s()
		for i, p := range positions {
			if p < 0 || int(p) >= k.Context {
				for j := range width {
					g[i*width+j] = 0
				}
			}
		}
		typ := ir.T(ir.F32, k.T, width)
		return nearAttention(0, floats(t, typ, func(i int) float64 { return g[i] }), floats(t, typ, func(i int) float64 { return want[i] }))
	}}
}

// sees reports whether any query sees a row of the caches.
func (k Attention) sees(positions []int32, row int) bool {
	for t, p := range positions {
		slot := 0
		if k.Slots > 1 {
			slot = t
		}
		j := row - slot*k.Rows
		if j >= 0 && j < k.Rows && j <= int(p) && int(p) < k.Context && (k.Window == 0 || j > int(p)-k.Window) {
			return true
		}
	}
	return false
}

// upTo counts from start.
func upTo(start, n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(start + i)
	}
	return p
}

func TestAttention(t *testing.T) {
	type call struct {
		k         Attention
		positions []int32
	}
	calls := []call{
		// One row: before, in and behind the first block.
		{Attention{T: 1, Heads: 9, KVHeads: 3, D: 64, Rows: 80, Context: 70, Slots: 1}, []int32{0}},
		{Attention{T: 1, Heads: 9, KVHeads: 3, D: 64, Rows: 80, Context: 70, Slots: 1}, []int32{31}},
		{Attention{T: 1, Heads: 9, KVHeads: 3, D: 64, Rows: 80, Context: 70, Slots: 1}, []int32{32}},
		{Attention{T: 1, Heads: 9, KVHeads: 3, D: 64, Rows: 80, Context: 70, Slots: 1}, []int32{69}},
		{Attention{T: 1, Heads: 9, KVHeads: 3, D: 64, Rows: 80, Context: 70, Slots: 1}, []int32{-1}},
		{Attention{T: 1, Heads: 4, KVHeads: 4, D: 80, Rows: 40, Context: 40, Slots: 1, Window: 7}, []int32{38}},
		{Attention{T: 1, Heads: 8, KVHeads: 1, D: 16, Rows: 100, Context: 100, Slots: 1, Window: 64, Sinks: true}, []int32{97}},
		{Attention{T: 1, Heads: 4, KVHeads: 1, D: 128, Rows: 50, Context: 50, Slots: 1, Softcap: 3}, []int32{49}},
		{Attention{T: 1, Heads: 2, KVHeads: 1, D: 576, Rows: 20, Context: 20, Slots: 1}, []int32{11}},
		// A batch: each row its own sequence, one without a token.
		{Attention{T: 2, Heads: 3, KVHeads: 1, D: 64, Rows: 41, Context: 40, Slots: 2}, []int32{3, 39}},
		{Attention{T: 4, Heads: 6, KVHeads: 2, D: 16, Rows: 71, Context: 70, Slots: 4, Sinks: true}, []int32{69, 70, 0, 33}},
		{Attention{T: 3, Heads: 2, KVHeads: 2, D: 80, Rows: 90, Context: 64, Slots: 3, Window: 5, Softcap: 20}, []int32{2, 5, 63}},
		// A few rows of one sequence.
		{Attention{T: 2, Heads: 9, KVHeads: 3, D: 64, Rows: 40, Context: 40, Slots: 1}, upTo(30, 2)},
		{Attention{T: 5, Heads: 4, KVHeads: 1, D: 16, Rows: 20, Context: 16, Slots: 1, Window: 3}, upTo(0, 5)},
		// Many: tiles, the last of which is not full; positions behind the context.
		{Attention{T: 17, Heads: 9, KVHeads: 3, D: 64, Rows: 60, Context: 50, Slots: 1}, upTo(0, 17)},
		{Attention{T: 32, Heads: 3, KVHeads: 1, D: 80, Rows: 150, Context: 100, Slots: 1}, upTo(60, 32)},
		{Attention{T: 40, Heads: 2, KVHeads: 2, D: 16, Rows: 150, Context: 110, Slots: 1, Window: 9}, upTo(80, 40)},
		{Attention{T: 33, Heads: 8, KVHeads: 1, D: 128, Rows: 40, Context: 40, Slots: 1, Softcap: 5, Sinks: true}, upTo(0, 33)},
		{Attention{T: 8, Heads: 4, KVHeads: 2, D: 16, Rows: 90, Context: 80, Slots: 1, Sinks: true, Window: 33}, upTo(40, 8)},
		{Attention{T: 19, Heads: 5, KVHeads: 1, D: 256, Rows: 40, Context: 40, Slots: 1}, upTo(15, 19)},
	}
	for _, isa := range ISAs() {
		t.Run(isa.Name, func(t *testing.T) {
			var trials []trial
			for i, c := range calls {
				c.k.Scale = 1 / math.Sqrt(float64(c.k.D))
				for _, d := range []ir.DType{ir.F32, ir.F16} {
					if c.k.KV = d; c.k.Supports(isa) == nil {
						trials = append(trials, attentionTrial(t, c.k, c.positions, uint64(i)))
					}
				}
			}
			check(t, isa, trials...)
		})
	}
}
