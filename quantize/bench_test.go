package quantize

import (
	"testing"

	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// BenchmarkEncode quantizes bfloat16 weights on one core.
func BenchmarkEncode(b *testing.B) {
	for _, c := range []struct {
		scheme Scheme
		method Method
	}{{Int4, Nearest}, {Int4, Search}, {Int8, Nearest}} {
		b.Run(string(c.scheme)+"/"+string(c.method), func(b *testing.B) {
			s := Storage{Weight: "w", Shape: []int{16, 2048}, Scheme: c.scheme, Params: safetensors.F16, Method: c.method}
			e := &encoder{matrix: s.matrix(), params: paramsOf(s.Params), method: s.Method}
			block := newBlock(e, 0)
			block.part, block.rows = &part{dtype: safetensors.BF16, rows: 16}, 16
			for _, x := range normal(1, 16*2048) {
				h := floats.ToBF16(x)
				block.raw = append(block.raw, byte(h), byte(h>>8))
			}
			b.SetBytes(int64(len(block.raw)))
			for b.Loop() {
				e.encode(block)
			}
		})
	}
}
