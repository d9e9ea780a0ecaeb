package engine

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/runtime/internal/hal"
)

// chainModule is n dispatches, each of which needs the one before.
func chainModule(n int) string {
	var b strings.Builder
	b.WriteString("module @chain {\nfunc.func public @main(%x0: tensor<64xf32>, %w: tensor<64x64xf32>) -> tensor<64xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, "%%m%d = stablehlo.dot_general %%x%d, %%w, contracting_dims = [0] x [0] : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>\n", i, i)
		fmt.Fprintf(&b, "%%x%d = stablehlo.tanh %%m%d : tensor<64xf32>\n", i+1, i)
	}
	fmt.Fprintf(&b, "return %%x%d : tensor<64xf32>\n}\n}\n", n)
	return b.String()
}

// BenchmarkChain is a function of many small dispatches.
func BenchmarkChain(b *testing.B) {
	const n = 300
	path := compile(b, chainModule(n), "x86-64-v3")
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			dev := device(b, threads)
			inv := invoker(b, load(b, dev, path, nil))
			x := view(b, dev, &tensor{hal.F32, []int{64}, make([]byte, 256)})
			w := view(b, dev, &tensor{hal.F32, []int{64, 64}, make([]byte, 64*256)})
			ctx := context.Background()
			var out []*hal.BufferView
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, err = inv.CallAppend(ctx, out[:0], "main", []*hal.BufferView{x, w}); err != nil {
					b.Fatal(err)
				}
				for _, r := range out {
					r.Release()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/dispatch")
		})
	}
}
