package quantize

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Groups that no model should have become numbers all the same, close to what they were.
func TestExtremeGroups(t *testing.T) {
	spread := normal(5, 64)
	group := func(number func(k int) float32) []float32 {
		w := make([]float32, 64)
		for k := range w {
			w[k] = number(k)
		}
		return w
	}
	for _, c := range []struct {
		name   string
		w      []float32
		params safetensors.DType
		// error allowed for each number: of a step between the smallest and the largest
		// number, and in itself for what a scale of the type cannot express
		steps, own float64
	}{
		{"zeros", group(func(int) float32 { return 0 }), "F16", 0, 0},
		{"negative zeros", group(func(int) float32 { return float32(math.Copysign(0, -1)) }), "F16", 0, 0},
		{"constant", group(func(int) float32 { return -0.75 }), "F16", 0, 0},
		{"two values", group(func(k int) float32 { return float32(k % 2) }), "F32", 0.001, 0},
		{"sixteen values", group(func(k int) float32 { return float32(k % 16) }), "F16", 0.001, 0.005},
		{"one outlier", group(func(k int) float32 { return spread[k] * []float32{1, 1000}[k/63] }), "F16", 0.6, 0},
		{"outlier of 1e30", group(func(k int) float32 { return spread[k] * []float32{1, 1e30}[k/63] }), "F32", 0.6, 0},
		{"both ends of float32 over 4", group(func(k int) float32 { return math.MaxFloat32 / 8 * []float32{-1, 1, spread[k] / 4}[k%3] }), "F32", 0.6, 0},
		{"below the least f16", group(func(k int) float32 { return spread[k] * 1e-9 }), "F16", 0, 1e-7},
		{"scale below normal f16", group(func(k int) float32 { return spread[k] * 1e-5 }), "F16", 0.6, 5e-7},
		{"scale just above the least f16", group(func(k int) float32 { return spread[k] * 2e-7 }), "F16", 0.6, 1e-6},
		{"subnormal", group(func(k int) float32 { return spread[k] * 1e-40 }), "F32", 0, 1e-36},
		{"almost constant", group(func(k int) float32 { return 1000 + spread[k]*1e-4 }), "F32", 0.7, 1e-4},
		{"large f16", group(func(k int) float32 { return []float32{-65504, 65504, spread[k] * 10000}[k%3] }), "F16", 0.6, 40},
	} {
		for _, s := range []Storage{{Scheme: Int4, Method: Nearest}, {Scheme: Int4, Method: Search}, {Scheme: Int8, Method: Nearest}} {
			s.Shape, s.Params = []int{1, 64}, c.params
			q, scale, offset, sum := encoded(t, s, c.w, nil)
			back, err := s.Dequantize(q, scale, offset)
			if err != nil {
				t.Fatal(err)
			}
			lo, hi := c.w[0], c.w[0]
			for _, x := range c.w {
				lo, hi = min(lo, x), max(hi, x)
			}
			step := (float64(hi) - float64(lo)) / float64(int(1)<<s.Scheme.Bits()-1)
			largest, worst := -1.0, 0
			for k, x := range c.w {
				d := math.Abs(float64(back[k]) - float64(x))
				if math.IsNaN(d) || math.IsInf(d, 0) {
					t.Fatalf("%s, %s %s: number %d is %g", c.name, s.Scheme, s.Method, k, back[k])
				}
				if d > largest {
					largest, worst = d, k
				}
			}
			limit := c.steps*step + c.own
			if s.Method == Search && c.steps >= 0.5 {
				limit += 2.5 * step // it may clip
			}
			if !(largest <= limit) {
				t.Errorf("%s, %s %s: number %d is %g, want %g within %g", c.name, s.Scheme, s.Method, worst, back[worst], c.w[worst], limit)
			}
			if r := sum.report(s); math.Abs(r.MaxError-largest) > 1e-6*largest || math.IsNaN(r.RelativeError) {
				t.Errorf("%s, %s %s: reported as %+v, largest error %g", c.name, s.Scheme, s.Method, r, largest)
			}
		}
	}
}

func TestBadWeights(t *testing.T) {
	shape := testModel{hidden: 64, inter: 64, headDim: 16, heads: 4, kvHeads: 2, vocab: 32, dtype: safetensors.F32}
	for _, c := range []struct {
		name, tensor string
		row, col     int
		x            float64
		want         []string
	}{
		{"NaN", "model.layers.0.self_attn.v_proj.weight", 7, 33, math.NaN(), []string{"v_proj.weight", "row 7, column 33", "NaN", "model.safetensors"}},
		{"infinity", "model.layers.0.mlp.down_proj.weight", 63, 63, math.Inf(-1), []string{"down_proj.weight", "row 63, column 63", "infinity"}},
		{"in the head", "lm_head.weight", 31, 0, math.Inf(1), []string{"lm_head.weight", "row 31, column 0", "infinity"}},
		{"NaN in a norm", "model.layers.0.post_attention_layernorm.weight", 0, 5, math.NaN(), []string{"post_attention_layernorm.weight", "element 5", "NaN", "download"}},
		{"infinity in a norm", "model.norm.weight", 0, 63, math.Inf(1), []string{"model.norm.weight", "element 63", "infinity"}},
		{"too large for f16", "model.layers.0.mlp.up_proj.weight", 20, 5, -7e4, []string{"up_proj.weight", "row 20, column 0", "too large", "f32"}},
		{"too far apart", "model.layers.0.mlp.up_proj.weight", 20, 5, 3e38, []string{"up_proj.weight", "row 20", "too large", "f32"}},
	} {
		shape.number = func(tensor string, row, col int) float32 {
			if tensor == c.tensor && row == c.row && col == c.col {
				return float32(c.x)
			}
			return float32(row%7-3) / float32(col+3)
		}
		m := shape.open(t)
		_, err := WriteAll(context.Background(), m, Plan(m.Weights, Options{Scheme: Int4}), nil, newArchive().tensor)
		var e *diag.Error
		if !errors.As(err, &e) || e.Kind != diag.BadInput {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %q in it", c.name, err, want)
			}
		}
	}
}

// A weight whose steps f16 does not hold is refused, and kept with scales in f32. A
// small group of a weight is not.
func TestSmallWeights(t *testing.T) {
	for _, c := range []struct {
		name, tensor string
		params       safetensors.DType
		from         int // the row from which numbers are small
		ok           bool
	}{
		{"f16", "down_proj.weight", safetensors.F16, 0, false},
		{"part of a stack", "up_proj.weight", safetensors.F16, 0, false},
		{"f32", "down_proj.weight", safetensors.F32, 0, true},
		{"some rows, f16", "down_proj.weight", safetensors.F16, 1, true},
	} {
		shape := testModel{hidden: 64, inter: 64, headDim: 16, heads: 4, kvHeads: 2, vocab: 32, dtype: safetensors.F32}
		shape.number = func(tensor string, row, col int) float32 {
			x := float32((row*5+col*3)%17-8) / 64
			if strings.Contains(tensor, c.tensor) && row >= c.from {
				x *= 1e-8
			}
			return x
		}
		m := shape.open(t)
		reports, err := WriteAll(context.Background(), m, Plan(m.Weights, Options{Scheme: Int4, Params: c.params}), nil, newArchive().tensor)
		if !c.ok {
			var e *diag.Error
			if !errors.As(err, &e) || e.Code != "quant_range" || !strings.Contains(e.Where, c.tensor) || !strings.Contains(e.Fix, "--scales f32") {
				t.Errorf("%s: %v", c.name, err)
			}
			continue
		}
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		for _, r := range reports {
			if r.RelativeError > 0.1 {
				t.Errorf("%s: relative error of %s is %g", c.name, r.Weight, r.RelativeError)
			}
		}
	}
}

// The bytes and the reports do not depend on who does the work.
func TestDeterministic(t *testing.T) {
	m := testModel{hidden: 128, inter: 192, headDim: 32, heads: 4, kvHeads: 2, vocab: 250}.open(t)
	plan := Plan(m.Weights, Options{Scheme: Int4})
	var want *archive
	var reports []Report
	for _, workers := range []int{1, 2, 3, 8} {
		a := newArchive()
		var all []Report
		for _, s := range plan {
			r, err := write(context.Background(), m, s, nil, a.tensor, workers)
			if err != nil {
				t.Fatal(err)
			}
			if r != nil {
				all = append(all, *r)
			}
		}
		if want == nil {
			want, reports = a, all
		}
		for name := range want.tensors {
			if !bytes.Equal(a.tensors[name].Bytes(), want.tensors[name].Bytes()) {
				t.Errorf("%d workers: other bytes in %s", workers, name)
			}
		}
		if !reflect.DeepEqual(all, reports) {
			t.Errorf("%d workers: other reports", workers)
		}
	}
}

// A disk that is full stops all of it.
func TestSinkFails(t *testing.T) {
	m := testModel{hidden: 128, inter: 192, headDim: 32, heads: 4, kvHeads: 2, vocab: 250}.open(t)
	plan := Plan(m.Weights, Options{Scheme: Int4})
	full := errors.New("full")
	for _, c := range []struct {
		name string
		sink Sink
	}{
		{"open", func(name string) (io.WriteCloser, error) { return nil, full }},
		{"write", func(name string) (io.WriteCloser, error) { return &failing{write: full}, nil }},
		{"close", func(name string) (io.WriteCloser, error) { return &failing{close: full}, nil }},
	} {
		if _, err := WriteAll(context.Background(), m, plan, nil, c.sink); !errors.Is(err, full) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := WriteAll(ctx, m, plan, nil, newArchive().tensor); !errors.Is(err, context.Canceled) {
		t.Errorf("canceled: %v", err)
	}
}

type failing struct{ write, close error }

func (f *failing) Write(p []byte) (int, error) { return len(p), f.write }
func (f *failing) Close() error                { return f.close }

// The search is no worse than the nearest steps anywhere, and better by what the
// report of a typical matrix says.
func TestSearchIsBetter(t *testing.T) {
	outliers := normal(7, 64*512)
	for i := range outliers {
		if i%97 == 0 {
			outliers[i] *= 10
		}
	}
	for _, c := range []struct {
		name string
		w    []float32
		most float64 // squared error, of that of the nearest steps
	}{
		{"normal", normal(6, 64*512), 0.84},
		{"with outliers", outliers, 0.86},
	} {
		w := c.w
		for i := range w {
			w[i] = floats.FromBF16(floats.ToBF16(w[i] * 0.02))
		}
		loss := map[Method]float64{}
		for _, method := range []Method{Nearest, Search} {
			s := Storage{Scheme: Int4, Method: method, Params: safetensors.F16, Shape: []int{512, 64}}
			_, _, _, sum := encoded(t, s, w, nil)
			loss[method] = sum.difference
		}
		t.Logf("%s: squared error of %s is %.3f of that of %s", c.name, Search, loss[Search]/loss[Nearest], Nearest)
		if loss[Search] > c.most*loss[Nearest] {
			t.Errorf("%s: squared error is %.3f of that of nearest, want %g", c.name, loss[Search]/loss[Nearest], c.most)
		}
	}
}
