package build

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/quantize"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// quantizedFixtures have, between them, all forms that kernels take: norms with weight,
// offset and bias, biases, gates and none, windows, soft caps, sinks, norms of queries and
// keys, experts, latent attention. What is left out of them in everyday tests, which
// compile only so much, is run by `make test-real`.
var quantizedFixtures = []struct {
	name    string
	buckets []int
	acts    []quantize.Act
}{
	{"llama", []int{8, 32}, []quantize.Act{quantize.Exact, quantize.Fast}},
	{"gemma2", []int{}, []quantize.Act{quantize.Fast}},
	{"qwen2", []int{}, []quantize.Act{quantize.Exact}},
	{"qwen3_moe", []int{}, []quantize.Act{quantize.Fast}},
	{"gpt2", []int{8}, nil},
	{"qwen3", []int{32}, nil},
	{"gpt_oss", []int{8}, nil},
	{"deepseek_v3", []int{32}, nil},
}

// A quantized model, compiled with kernels, gives what the interpreter makes of the same
// quantized weights: by decode steps and by prefills of both kinds of linear, few rows
// and many.
func TestQuantizedModels(t *testing.T) {
	for _, f := range quantizedFixtures {
		acts := f.acts
		if compileEverything {
			acts = []quantize.Act{quantize.Exact, quantize.Fast}
		}
		for _, act := range acts {
			t.Run(fmt.Sprintf("%s/%s", f.name, act), func(t *testing.T) {
				t.Parallel()
				testQuantized(t, f.name, PlanOptions{Context: 64, Buckets: f.buckets, Act: act, Weights: quantize.Options{Scheme: quantize.Int4}})
			})
		}
	}
	t.Run("llama/kv f16", func(t *testing.T) {
		t.Parallel()
		testQuantized(t, "llama", PlanOptions{Context: 64, Buckets: []int{8}, KV: ir.F16, Weights: quantize.Options{Scheme: quantize.Int4}})
	})
	t.Run("llama/int8-g64", func(t *testing.T) {
		t.Parallel()
		testQuantized(t, "llama", PlanOptions{Context: 64, Buckets: []int{}, Act: quantize.Fast,
			Weights: quantize.Options{Scheme: quantize.Int8, Head: quantize.Head{Scheme: quantize.Int4}, Params: "F32"}})
	})
}

func testQuantized(t *testing.T, name string, o PlanOptions, targets ...string) {
	m, err := arch.Open(fixtures.Dir(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	plan, err := NewPlan(m, o)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(plan.Weights, quantize.Storage.Quantized) {
		t.Fatal("nothing is quantized")
	}
	path, _ := buildFixture(t, name, func(b *Options) { b.Plan, b.Targets = o, targets })
	const steps = 40
	tokens := make([]int32, steps)
	for i := range tokens {
		tokens[i] = int32((17*i + 5) % m.Spec.Vocab)
	}
	want := make([][]float32, steps)
	limits := make([]float64, steps) // sums in another order
	ref, exact := NewReference(m, plan), NewReference(m, plan.exact())
	for i, token := range tokens {
		if _, want[i], err = ref.Step(t.Context(), token); err != nil {
			t.Fatal(err)
		}
		limits[i] = 1e-4 * math.Max(1, deviation(want[i]))
		if o.KV == ir.F16 { // a key may round to the other neighbour, 2^-11 away
			limits[i] *= 10
		}
	}
	tight := slices.Clone(limits)
	if o.Act == quantize.Fast {
		// Activations that lie between two steps of 8 bits may go the other way, and the
		// caches remember it; see replayRun.allowRounding. Until one does, rows agree.
		for i, token := range tokens {
			_, logits, err := exact.Step(t.Context(), token)
			if err != nil {
				t.Fatal(err)
			}
			d, _ := maxDifference(logits, want[i])
			limits[i] += 2 * d
		}
	}
	rows, agree := 0, 0
	check := func(i int, got []float32, what string) {
		d, at := maxDifference(want[i], got)
		if d > limits[i] {
			t.Errorf("%s, row %d: logit %d is %v, want %v within %.1e", what, i, at, got[at], want[i][at], limits[i])
		}
		if rows++; d <= tight[i] {
			agree++
		}
	}
	for _, opts := range []hlocc.Options{{Threads: 1, PrefillGraphsOnly: true}, {Threads: 2}} {
		s := newSession(t, openModel(t, path, opts))
		for i, token := range tokens {
			out, err := s.Step(t.Context(), token)
			if err != nil {
				t.Fatal(err)
			}
			check(i, out.Logits, "decode step")
		}
		for _, n := range []int{1, 5, 8, 23, 32, 40} { // 40 is in chunks
			s.Reset()
			out, err := s.Prefill(t.Context(), tokens[:n])
			if err != nil {
				t.Fatal(err)
			}
			check(n-1, out.Logits, fmt.Sprintf("prefill of %d", n))
		}
	}
	if agree < rows/10 {
		t.Errorf("%d of %d rows agree but for the order of sums", agree, rows)
	}
}

// Every instruction set that this machine has gives the same, within rounding.
func TestQuantizedTargets(t *testing.T) {
	for _, target := range compile.Targets() {
		if ok, _ := target.Runs(cpu.Host()); !ok {
			continue
		}
		t.Run(target.Name, func(t *testing.T) {
			t.Parallel()
			acts := []quantize.Act{quantize.Fast}
			if compileEverything {
				acts = append(acts, quantize.Exact)
			}
			for _, act := range acts {
				testQuantized(t, "llama", PlanOptions{Context: 64, Buckets: []int{32}, Act: act, Weights: quantize.Options{Scheme: quantize.Int4}}, target.Name)
			}
		})
	}
}
