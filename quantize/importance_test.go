package quantize

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/safetensors"
)

// With an importance the weighted error is smaller than without, in every matrix and by
// much if few columns matter.
func TestImportance(t *testing.T) {
	m := testModel{hidden: 192, inter: 256, headDim: 64, heads: 4, kvHeads: 1, vocab: 64}.open(t)
	importance := Importance{}
	for i := range m.Weights {
		w := &m.Weights[i]
		if kindOf(w) != linear {
			continue
		}
		squares := make([]float32, w.Shape[1])
		for k := range squares {
			squares[k] = 1 + 200*float32(k%23/22) // one of 23 columns
		}
		importance[w.Name] = squares
	}
	delete(importance, "layers.0.attn.o.weight")
	plan := Plan(m.Weights, Options{Scheme: Int4})
	sinkFor := func(a *archive) Sink { return a.tensor }
	a := newArchive()
	reports, err := WriteAll(context.Background(), m, plan, importance, sinkFor(a))
	if err != nil {
		t.Fatal(err)
	}
	plain, _ := written(t, m, plan)
	for i, s := range plan {
		if s.Scheme != Int4 {
			continue
		}
		var r *Report
		for j := range reports {
			if reports[j].Weight == s.Weight {
				r = &reports[j]
			}
		}
		if s.Weight == "layers.0.attn.o.weight" {
			if r.WeightedError != 0 || a.tensors[s.QName()].String() != plain.tensors[s.QName()].String() {
				t.Errorf("%s has an importance: %+v", s.Weight, r)
			}
			continue
		}
		weighted := func(a *archive) float64 {
			want, got := original(t, m, s), a.dequantize(t, s)
			name := s.Weight
			if len(s.Parts) > 0 {
				name = s.Parts[0]
			}
			var d, w float64
			for j, x := range want {
				v := float64(importance[name][j%s.Shape[1]])
				d += v * (float64(got[j]) - float64(x)) * (float64(got[j]) - float64(x))
				w += v * float64(x) * float64(x)
			}
			return math.Sqrt(d / w)
		}
		with, without := weighted(a), weighted(plain)
		if !(with < 0.8*without) {
			t.Errorf("plan %d, %s: weighted error %.4f, %.4f without importance", i, s.Weight, with, without)
		}
		if math.Abs(r.WeightedError-with) > 0.03*with { // the importance has a floor
			t.Errorf("%s is reported with %.4f, want %.4f", s.Weight, r.WeightedError, with)
		}
	}
	for _, bad := range []struct {
		squares []float32
		want    string
	}{{make([]float32, 191), "192"}, {append(make([]float32, 191), -1), "column 191"}, {append(make([]float32, 191), float32(math.NaN())), "NaN"}} {
		_, err := WriteAll(context.Background(), m, plan, Importance{"layers.0.mlp.up.weight": bad.squares}, newArchive().tensor)
		if err == nil || !strings.Contains(err.Error(), bad.want) {
			t.Errorf("%v, want %q", err, bad.want)
		}
	}
	// Columns that were all zero count alike.
	zero, err := Importance{"layers.0.mlp.up.weight": make([]float32, 192)}.columns(m.Weight("layers.0.mlp.up.weight"))
	if err != nil || zero[0] != 1 || zero[191] != 1 {
		t.Errorf("importance of unused columns: %v, %v", zero, err)
	}
}

// Same bytes on every machine, whether it fuses multiplications with additions or not:
// run by `make test-numbers`.
func TestSameBytesEverywhere(t *testing.T) {
	const rows, cols = 20, 200
	w, squares := make([]float32, rows*cols), make([]float32, cols)
	state := uint32(1)
	next := func() float32 { // between -1 and 1
		state = state*1664525 + 1013904223
		return float32(int32(state)>>8) / (1 << 23)
	}
	for i := range w {
		w[i] = next() * next() * next()
	}
	for i := range squares {
		squares[i] = 1 + next()
	}
	for _, c := range []struct {
		s          Storage
		importance []float32
		want       string
	}{
		{Storage{Scheme: Int4, Method: Nearest, Params: safetensors.F16}, nil, "a9926b1609201c4b"},
		{Storage{Scheme: Int4, Method: Search, Params: safetensors.F16}, nil, "432d7908e5bacad6"},
		{Storage{Scheme: Int4, Method: Search, Params: safetensors.F32}, squares, "5dd73b2a59a245d7"},
		{Storage{Scheme: Int8, Method: Nearest, Params: safetensors.F32}, nil, "10a9dbae392da4d3"},
	} {
		c.s.Shape = []int{rows, cols}
		if got := digest(t, c.s, w, c.importance); got != c.want {
			t.Errorf("%s %s %s: digest %s, want %s", c.s.Scheme, c.s.Method, c.s.Params, got, c.want)
		}
	}
}
