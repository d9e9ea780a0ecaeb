package evaluate

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	goruntime "runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/runtime"
)

// fake is a model of 5 tokens whose logits are a function of all tokens so far,
// as a transformer's are, and of whether there are or will be more than past.
// Chunks of a prefill are recorded.
type fake struct {
	tokens []int32
	past   int // 0: nothing depends on the length
	expect int
	calls  []string
	fail   error
	bias   float32 // added to one logit, as a wrong model would
}

func (f *fake) out() runtime.Output {
	logits := make([]float32, 5)
	h := uint32(17)
	if f.past > 0 && max(len(f.tokens), f.expect) > f.past {
		h++
	}
	for _, t := range f.tokens {
		h = h*31 + uint32(t) + 7
	}
	best := 0
	for i := range logits {
		logits[i] = float32(h>>(3*i)&7) - 3
		if logits[i] > logits[best] {
			best = i
		}
	}
	logits[4] += f.bias
	return runtime.Output{Token: int32(best), Logits: logits}
}

func (f *fake) Prefill(_ context.Context, tokens []int32) (runtime.Output, error) {
	f.calls = append(f.calls, strings.Repeat("p", len(tokens)))
	f.tokens = append(f.tokens, tokens...)
	return f.out(), f.fail
}

func (f *fake) Step(_ context.Context, token int32) (runtime.Output, error) {
	f.calls = append(f.calls, "s")
	f.tokens = append(f.tokens, token)
	return f.out(), f.fail
}

func (f *fake) Len() int             { return len(f.tokens) }
func (f *fake) Truncate(n int) error { f.tokens = f.tokens[:n]; return nil }
func (f *fake) Reset()               { f.tokens, f.expect = nil, 0 }
func (f *fake) Expect(n int)         { f.expect = n }

func rows(t *testing.T, f *fake, tokens []int32, mode Mode, chunk int) (rows [][]float32) {
	t.Helper()
	err := Logits(t.Context(), f, tokens, mode, chunk, func(i int, row []float32) error {
		if i != len(rows) {
			t.Errorf("row %d comes as %d", len(rows), i)
		}
		rows = append(rows, slices.Clone(row))
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func TestLogitsModesAgree(t *testing.T) {
	tokens := []int32{1, 4, 0, 2, 3, 3, 1}
	want := rows(t, &fake{}, tokens, ByDecode, 0)
	if len(want) != len(tokens) {
		t.Fatalf("%d rows", len(want))
	}
	for _, c := range []struct {
		mode  Mode
		chunk int
		calls string
	}{
		{ByDecode, 0, "s s s s s s s"},
		{ByPrefill, 0, "p pp ppp pppp ppppp pppppp ppppppp"},
		{ByChunks, 3, "p pp ppp p pp ppp p"},
		{ByChunks, 1, "p p p p p p p"},
		{ByChunks, 100, "p pp ppp pppp ppppp pppppp ppppppp"},
	} {
		f := &fake{tokens: []int32{4, 4}} // what was there before does not matter
		got := rows(t, f, tokens, c.mode, c.chunk)
		for i := range want {
			if !slices.Equal(got[i], want[i]) {
				t.Errorf("mode %d chunk %d: row %d differs", c.mode, c.chunk, i)
			}
		}
		if calls := strings.Join(f.calls, " "); calls != c.calls {
			t.Errorf("mode %d chunk %d: calls %s, want %s", c.mode, c.chunk, calls, c.calls)
		}
	}
}

// Every row is that of the whole sequence, also before the length at which the
// model changes.
func TestLogitsOfOneSequence(t *testing.T) {
	tokens := []int32{1, 4, 0, 2, 3, 3, 1}
	for past := 1; past <= len(tokens); past++ {
		for _, mode := range []Mode{ByDecode, ByPrefill, ByChunks} {
			got := rows(t, &fake{past: past}, tokens, mode, 3)
			for i := range tokens {
				f := &fake{past: past, expect: len(tokens), tokens: tokens[:i+1]}
				if !slices.Equal(got[i], f.out().Logits) {
					t.Errorf("past %d mode %d: row %d differs", past, mode, i)
				}
			}
		}
	}
}

func TestLogitsErrors(t *testing.T) {
	boom := errors.New("boom")
	if err := Logits(t.Context(), &fake{fail: boom}, []int32{1}, ByDecode, 0, nil); !errors.Is(err, boom) {
		t.Errorf("model: %v", err)
	}
	err := Logits(t.Context(), &fake{}, []int32{1}, ByDecode, 0, func(int, []float32) error { return boom })
	if !errors.Is(err, boom) {
		t.Errorf("row: %v", err)
	}
}

func TestCheck(t *testing.T) {
	for _, c := range []struct {
		tokens []int32
		code   string
	}{
		{[]int32{0, 4, 2}, ""}, {nil, "empty_prompt"}, {[]int32{1, 1, 1, 1}, "context_full"}, {[]int32{5}, "token_id"}, {[]int32{-1}, "token_id"},
	} {
		err := Check(c.tokens, 5, 3)
		var d *diag.Error
		if (err != nil) != (c.code != "") || errors.As(err, &d) && (d.Code != c.code || d.Kind != diag.BadInput) {
			t.Errorf("Check(%v) = %v, want %q", c.tokens, err, c.code)
		}
	}
}

// naive is perplexity by its definition, window by window.
func naive(tokens []int32, window, past int) (nll float64, scored int) {
	stride := window / 2
	done := 1
	for start := 0; done < len(tokens); start += stride {
		end := min(start+window, len(tokens))
		for target := max(done, start+1); target < end; target++ {
			f := &fake{tokens: slices.Clone(tokens[start:target]), past: past, expect: end - start}
			logits := f.out().Logits
			var sum float64
			for _, v := range logits {
				sum += math.Exp(float64(v))
			}
			nll += math.Log(sum) - float64(logits[tokens[target]])
			scored++
		}
		done = end
	}
	return nll / float64(scored), scored
}

// fakes are lanes that step together.
type fakes []*fake

func several(n int) (list fakes) {
	for range n {
		list = append(list, &fake{past: 5})
	}
	return list
}

func (f fakes) Size() int           { return len(f) }
func (f fakes) Lane(i int) Sequence { return f[i] }
func (f fakes) Step(ctx context.Context, tokens []int32) ([]runtime.Output, error) {
	outs := make([]runtime.Output, len(f))
	idle := true
	for i, token := range tokens {
		if token != runtime.Idle {
			idle = false
			outs[i], _ = f[i].Step(ctx, token)
		}
	}
	if idle {
		return nil, errors.New("all lanes are idle")
	}
	return outs, nil
}

func TestPerplexity(t *testing.T) {
	var tokens []int32
	for i := range 53 {
		tokens = append(tokens, int32(i*i%5))
	}
	for _, window := range []int{2, 3, 8, 52, 53, 54, 1000} {
		for _, n := range []int{2, 8, 9, 53} {
			nll, scored := naive(tokens[:n], window, 5)
			var first Perplexity
			for _, lanes := range []Lanes{One(&fake{past: 5}), several(2), several(7)} {
				steps, total := 0, 0
				p, err := MeasurePerplexity(t.Context(), lanes, tokens[:n], window, func(n int) { steps++; total = n })
				if err != nil {
					t.Fatal(err)
				}
				if math.Abs(p.NLL-nll) > 1e-9 || p.Scored != scored || p.Scored != n-1 || math.Abs(p.Perplexity-math.Exp(nll)) > 1e-6 {
					t.Errorf("window %d of %d tokens: %+v, want nll %v of %d", window, n, p, nll, scored)
				}
				if steps != total {
					t.Errorf("window %d of %d tokens: %d steps of %d", window, n, steps, total)
				}
				if lanes.Size() == 1 {
					first = p
				} else if p != first { // to the last bit
					t.Errorf("window %d of %d tokens: %+v in %d lanes, %+v in one", window, n, p, lanes.Size(), first)
				}
			}
		}
	}
}

func TestPerplexityErrors(t *testing.T) {
	boom := errors.New("boom")
	for name, f := range map[string]func() error{
		"one token": func() error { _, err := MeasurePerplexity(t.Context(), One(&fake{}), []int32{1}, 8, nil); return err },
		"model": func() error {
			_, err := MeasurePerplexity(t.Context(), One(&fake{fail: boom}), []int32{1, 2}, 8, nil)
			if !errors.Is(err, boom) {
				t.Errorf("error %v", err)
			}
			return err
		},
		"not a number": func() error {
			_, err := MeasurePerplexity(t.Context(), One(&fake{bias: float32(math.NaN())}), []int32{1, 2}, 8, nil)
			return err
		},
		"id": func() error {
			_, err := MeasurePerplexity(t.Context(), One(&fake{}), []int32{1, 9}, 8, nil)
			return err
		},
	} {
		if f() == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// expect makes an oracle from the fake.
func expect(prompt []int32, n int) *oracle.Oracle {
	c := oracle.Case{Name: "case", Prompt: prompt}
	f := &fake{}
	var out runtime.Output
	for _, t := range prompt {
		out, _ = f.Step(context.Background(), t)
		c.Logits = append(c.Logits, out.Logits)
	}
	for range n {
		c.New = append(c.New, out.Token)
		c.LastLogits = out.Logits
		out, _ = f.Step(context.Background(), out.Token)
	}
	return &oracle.Oracle{Name: "fake", Cases: []oracle.Case{c, c}}
}

func TestValidate(t *testing.T) {
	o := expect([]int32{1, 2, 3, 0}, 6)
	f := &fake{}
	cases := 0
	v, err := Validate(t.Context(), f, o, 9, func() { cases++ })
	if err != nil || !v.Pass || len(v.Cases) != 2 || cases != 2 {
		t.Fatalf("%+v, %v", v, err)
	}
	if r := v.Cases[0]; r.TokensAgree != 6 || r.TokensTotal != 6 || r.MaxAbsDLogit != 0 {
		t.Errorf("%+v", r)
	}
	if calls := strings.Join(f.calls[:10], " "); calls != "s s s s pppp s s s s s" {
		t.Errorf("calls %s", calls)
	}
	v, err = Validate(t.Context(), &fake{bias: 0.01}, o, 9, func() {})
	if err != nil || v.Pass || v.Cases[0].MaxAbsDLogit < 0.009 {
		t.Errorf("wrong model: %+v, %v", v, err)
	}
	if _, err = Validate(t.Context(), &fake{}, o, 8, func() {}); diag.KindOf(err) != diag.Usage {
		t.Errorf("short context: %v", err)
	}
	boom := errors.New("boom")
	if _, err = Validate(t.Context(), &fake{fail: boom}, o, 9, func() {}); !errors.Is(err, boom) {
		t.Errorf("model: %v", err)
	}
}

func TestMedian(t *testing.T) {
	m, q := median([]float64{5, 1, 4, 2, 3})
	if m != 3 || q != [2]float64{2, 4} {
		t.Errorf("%v %v", m, q)
	}
	if m, q = median([]float64{1, 2, 3, 4}); m != 2.5 || q != [2]float64{1.75, 3.25} {
		t.Errorf("%v %v", m, q)
	}
	if m, _ = median([]float64{7}); m != 7 {
		t.Errorf("%v", m)
	}
}

func TestBenchLengths(t *testing.T) {
	for _, c := range []struct {
		o        BenchOptions
		context  int
		prompts  []int
		generate int
		ok       bool
	}{
		{BenchOptions{}, 2048, []int{128}, 64, true},
		{BenchOptions{}, 100, []int{50}, 50, true},
		{BenchOptions{}, 1, []int{1}, 1, false},
		{BenchOptions{Prompts: []int{100}}, 128, []int{100}, 28, true},
		{BenchOptions{Prompts: []int{512, 32, 512}}, 2048, []int{512, 32, 512}, 64, true},
		{BenchOptions{Prompts: []int{100}, Generate: 29}, 128, nil, 29, false},
		{BenchOptions{Prompts: []int{10, 100}, Generate: 29}, 128, nil, 29, false},
		{BenchOptions{Prompts: []int{2000}}, 128, nil, 1, false},
		{BenchOptions{Prompts: []int{10, -1}}, 128, nil, 64, false},
	} {
		var r BenchResult
		err := r.lengths(c.o, c.context)
		var prompts []int
		for _, l := range r.Lengths {
			prompts = append(prompts, l.PromptTokens)
		}
		if !slices.Equal(prompts, c.prompts) && c.ok || r.GenTokens != c.generate || (err == nil) != c.ok {
			t.Errorf("%+v in %d: %v and %d, %v", c.o, c.context, prompts, r.GenTokens, err)
		}
	}
}

// TestTraffic: what a step reads of a model with two layers, one of them with a window.
func TestTraffic(t *testing.T) {
	tensor := func(name string, n int64) bundle.Tensor { return bundle.Tensor{Name: name, Length: n} }
	kv := func(role string) bundle.KV { return bundle.KV{Role: role, DType: bundle.F32, Shape: []int{100, 2, 4}} }
	m := &bundle.Manifest{Model: bundle.Model{KV: []bundle.KV{kv("kv.0.k"), kv("kv.0.v"), kv("kv.1.k"), kv("kv.1.v")}}}
	m.Weights = []bundle.Tensor{
		tensor("embed.weight.q", 1000), tensor("embed.weight.scale", 100), tensor("embed.positions", 50), tensor("rope.cos", 10), tensor("query_scale", 10),
		tensor("layers.0.attn.qkv.weight.q", 5), tensor("layers.1.experts.up.weight", 80),
	}
	for _, c := range []struct {
		spec      string
		sequences int
		weights   int64
		positions int
		cache     int64
	}{
		{``, 1, 85, 10, 10 * 4 * 32},
		{`{"head":{"tied":true},"layers":[{"window":0},{"window":0}]}`, 1, 1185, 1, 4 * 32},
		{`{"head":{"tied":false},"layers":[{"window":4},{"window":0}]}`, 8, 85, 10, 2*4*32 + 2*10*32},
		{`{"moe":{"experts":8,"top_k":2}}`, 1, 5 + 20, 0, 0},
		{`{"moe":{"experts":8,"top_k":2}}`, 3, 5 + 60, 0, 0},
		{`{"moe":{"experts":8,"top_k":2}}`, 9, 5 + 80, 0, 0},
		{`{"moe":{"experts":0,"top_k":2}}`, 1, 5 + 80, 0, 0}, // a bundle that somebody made up
	} {
		m.Spec = json.RawMessage(c.spec)
		tr, err := newTraffic(m)
		if err != nil {
			t.Fatal(err)
		}
		if w, k := tr.weights(c.sequences), tr.cache(c.positions); w != c.weights || k != c.cache {
			t.Errorf("%s, %d sequences: %d and %d bytes, want %d and %d", c.spec, c.sequences, w, k, c.weights, c.cache)
		}
	}
	m.Spec = json.RawMessage(`{"head":1}`)
	if _, err := newTraffic(m); err == nil {
		t.Error("a wrong spec is no error")
	}
}

func TestCompare(t *testing.T) {
	m := &bundle.Manifest{Weights: []bundle.Tensor{{Name: "w", Length: 8e6}},
		Model: bundle.Model{KV: []bundle.KV{{Role: "kv.0.k", DType: bundle.F32, Shape: []int{100, 25, 10}}}}} // 1 kB a row
	tr, err := newTraffic(m)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		r     BenchResult
		bytes int64
		share float64
	}{
		{BenchResult{Concurrency: 1, GenTokens: 10, ReadGBps: 16.03}, 8e6 + 15e3, 0.5},
		{BenchResult{Concurrency: 4, GenTokens: 10, ReadGBps: 16.03}, 8e6 + 15e3, 0.5},
		{BenchResult{Concurrency: 4, GenTokens: 10, Batch: 8, ReadGBps: 4.03}, 2e6 + 15e3, 0.5},
		{BenchResult{Concurrency: 1, GenTokens: 10}, 8e6 + 15e3, 0},
	} {
		c.r.Lengths = []Speed{{PromptTokens: 10, Decode: 1000}}
		c.r.compare(tr)
		if l := c.r.Lengths[0]; l.BytesPerToken != c.bytes || math.Abs(l.GBps-float64(c.bytes)/1e6) > 1e-9 || math.Abs(l.BandwidthShare-c.share) > 1e-9 {
			t.Errorf("%+v", c.r)
		}
	}
}

func TestShares(t *testing.T) {
	got := shares([]runtime.KernelTime{{Name: "a", Calls: 20, Time: 6 * time.Millisecond}, {Name: "b", Calls: 10, Time: 3 * time.Millisecond}}, 10*time.Millisecond, 10)
	want := []KernelShare{{"a", 2, 600, 0.6}, {"b", 1, 300, 0.3}, {"outside", 0, 100, 0.1}}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestPeakRSS(t *testing.T) {
	if goruntime.GOOS != "linux" {
		if n := PeakRSS(); n != 0 {
			t.Errorf("%d bytes", n)
		}
		return
	}
	if n := PeakRSS(); n < 1<<20 || n > 1<<40 {
		t.Errorf("%d bytes", n)
	}
}
