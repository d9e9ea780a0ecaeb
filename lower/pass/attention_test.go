package pass

import (
	"testing"

	"github.com/hlocc/hlocc/lower/ir"
)

// The scores that one block of query rows materializes stay within the budget.
func TestScoreBudget(t *testing.T) {
	for _, test := range []struct {
		context, blocks int // for 512 rows
		budget          int64
	}{
		{1 << 13, 4, scoreBudget},      // 128 rows of 4 heads: 16 MiB
		{1 << 15, 8, 4 * scoreBudget},  // not more than 8 blocks
		{1 << 17, 16, 4 * scoreBudget}, // unless four times the budget is full
	} {
		const rows = 512
		b := ir.New("g")
		cache := b.Arg("cache", "cache", ir.T(ir.F32, test.context, 2, 16))
		b.Result("y", b.Attention(ir.Attention{Scale: 0.25, Context: test.context, Rows: test.context, Slots: 1},
			b.Arg("q", "q", ir.T(ir.F32, rows, 4, 16)), cache, cache,
			b.Arg("mask", "mask", ir.T(ir.I1, rows, test.context)), b.Arg("position", "position", ir.T(ir.I32, rows))))
		g, err := b.Finish()
		if err == nil {
			g, err = Expand(g)
		}
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		for _, v := range g.Ops() {
			if _, dot := v.Op().(ir.DotGeneral); !dot || v.Type().Rank() != 4 || v.Type().Dim(3) != test.context {
				continue
			}
			blocks++
			if n := int64(v.Type().Bytes()); n > test.budget {
				t.Errorf("context %d: scores of %v are %d bytes, more than %d", test.context, v.Type(), n, test.budget)
			}
		}
		if blocks != test.blocks {
			t.Errorf("context %d: %d blocks of scores, want %d", test.context, blocks, test.blocks)
		}
	}
}
