package quantize

import (
	"bytes"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Element (n,k) of a matrix in blocks of b rows stands at [n/b][k][n%b], however
// the stream is cut into pieces.
func TestBlocker(t *testing.T) {
	const rows, cols, block, size = 12, 70, 4, 2
	var in, want []byte
	for n := range rows {
		for k := range cols {
			in = append(in, byte(n), byte(k))
		}
	}
	for n := 0; n < rows; n += block {
		for k := range cols {
			for r := range block {
				want = append(want, byte(n+r), byte(k))
			}
		}
	}
	for _, piece := range []int{1, 7, cols * size, 5*cols*size + 3, len(in)} {
		var got bytes.Buffer
		b := newBlocker(&got, cols, block, size)
		for from := 0; from < len(in); from += piece {
			part := in[from:min(from+piece, len(in))]
			if n, err := b.Write(part); n != len(part) || err != nil {
				t.Fatalf("pieces of %d: wrote %d of %d, %v", piece, n, len(part), err)
			}
		}
		if !bytes.Equal(got.Bytes(), want) || b.have != 0 {
			t.Errorf("pieces of %d: wrong order", piece)
		}
	}
}

func TestPlan(t *testing.T) {
	weights := []arch.Weight{
		{Name: "even", Shape: []int{64, 48}, DType: safetensors.BF16},
		{Name: "sixteen", Shape: []int{48, 48}, DType: safetensors.F16},
		{Name: "odd", Shape: []int{33, 48}, DType: safetensors.BF16},
		{Name: "vector", Shape: []int{64}, DType: safetensors.BF16},
		{Name: "single", Shape: []int{64, 48}, DType: safetensors.F32},
		{Name: "double", Shape: []int{64, 48}, DType: safetensors.F64},
		{Name: "layers.0.attn.q_norm.weight", Shape: []int{64, 48}, DType: safetensors.BF16},
		{Name: "layers.0.moe.experts.up.bias", Shape: []int{64, 48}, DType: safetensors.BF16},
		{Name: "layers.0.attn.k_up.weight", Shape: []int{4, 64, 48}, DType: safetensors.BF16},
		{Name: "layers.0.moe.experts.up.weight", Shape: []int{4, 64, 48}, DType: safetensors.BF16},
		{Name: "layers.0.moe.experts.up.weight", Shape: []int{4, 24, 48}, DType: safetensors.F32},
		{Name: "layers.0.moe.experts.up.weight", Shape: []int{4, 30, 48}, DType: safetensors.F32},
		{Name: "layers.0.attn.v_up.weight", Shape: []int{4, 64, 48}, DType: safetensors.BF16},
	}
	type form struct {
		dtype safetensors.DType
		block int
	}
	for _, test := range []struct {
		dtype safetensors.DType
		want  []form
	}{
		{"", []form{{safetensors.BF16, 32}, {safetensors.F16, 16}, {safetensors.BF16, 0}, {safetensors.BF16, 0}, {safetensors.F32, 0}, {safetensors.F32, 0},
			{safetensors.BF16, 0}, {safetensors.BF16, 0}, {safetensors.BF16, 0}, {safetensors.BF16, 16}, {safetensors.F32, 8}, {safetensors.F32, 0}, {safetensors.BF16, 32}}},
		{safetensors.F32, []form{{safetensors.F32, 0}, {safetensors.F32, 0}, {safetensors.F32, 0}, {safetensors.F32, 0}, {safetensors.F32, 0}, {safetensors.F32, 0},
			{safetensors.F32, 0}, {safetensors.F32, 0}, {safetensors.F32, 0}, {safetensors.F32, 16}, {safetensors.F32, 8}, {safetensors.F32, 0}, {safetensors.F32, 0}}},
		{safetensors.F16, []form{{safetensors.F16, 32}, {safetensors.F16, 16}, {safetensors.F16, 0}, {safetensors.F16, 0}, {safetensors.F16, 32}, {safetensors.F16, 32},
			{safetensors.F16, 0}, {safetensors.F16, 0}, {safetensors.F16, 0}, {safetensors.F16, 16}, {safetensors.F16, 8}, {safetensors.F16, 0}, {safetensors.F16, 32}}},
	} {
		for i, s := range Plan(weights, Options{DType: test.dtype}) {
			if (form{s.DType, s.Block}) != test.want[i] {
				t.Errorf("--dtype %q: %s is kept as %s in blocks of %d, want %v", test.dtype, s.Weight, s.DType, s.Block, test.want[i])
			}
			if s.Block != 0 {
				shape := s.StoredShape()
				n := len(shape) - 3
				if n != len(s.Shape)-2 || shape[n]*shape[n+2] != s.Shape[n] || shape[n+1] != s.Shape[n+1] || shape[0] != s.Shape[0] && n > 0 {
					t.Errorf("%s: stored shape %v of %v", s.Weight, shape, s.Shape)
				}
			}
		}
	}
}
