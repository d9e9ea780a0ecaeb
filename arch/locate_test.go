package arch_test

import (
	"encoding/binary"
	"math"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// The number that Locate points at is the one that the weight has there: in weights
// that are split, stacked, interleaved and transposed.
func TestLocate(t *testing.T) {
	for _, name := range []string{"llama", "gpt2", "phi3", "internlm2", "gpt_neox", "deepseek_v3", "qwen3_moe", "granitemoe", "gpt_oss"} {
		m, err := arch.Open(fixtures.Dir(t, name))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		for i := range m.Weights {
			w := &m.Weights[i]
			if len(w.Shape) < 2 || strings.HasSuffix(w.Name, ".bias") {
				continue
			}
			numbers, err := m.ReadFloat32(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			cols := w.Shape[len(w.Shape)-1]
			for at := 0; at < len(numbers); at += 1 + len(numbers)/97 {
				tensor, row, col := w.Locate(at/cols, at%cols)
				size := tensor.DType.Bits() / 8
				raw := make([]byte, size)
				if _, err := tensor.ReadAt(raw, int64(row*tensor.Shape[len(tensor.Shape)-1]+col)*int64(size)); err != nil {
					t.Fatal(err)
				}
				var x float32
				switch tensor.DType {
				case safetensors.BF16:
					x = floats.FromBF16(binary.LittleEndian.Uint16(raw))
				case safetensors.F16:
					x = floats.FromF16(binary.LittleEndian.Uint16(raw))
				default:
					x = math.Float32frombits(binary.LittleEndian.Uint32(raw))
				}
				if x != numbers[at] {
					t.Fatalf("%s: number %d of row %d of %s is %g; tensor %s has %g in row %d, column %d",
						name, at%cols, at/cols, w.Name, numbers[at], tensor.Name, x, row, col)
				}
			}
		}
	}
}
