package build

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/evaluate"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/internal/testenv"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// toolchain is the pinned compiler with the cache that all tests share.
func toolchain(t *testing.T) (*compile.Compiler, *compile.Cache) {
	t.Helper()
	cache, err := compile.OpenCache(testenv.CacheDir(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Find(t.Context(), compile.DefaultSearch(testenv.IREE(t).Compile), cache)
	if err != nil {
		t.Fatal(err)
	}
	return c, cache
}

// smallPlan keeps compilations few: all tests but the oracles' share its graphs.
var smallPlan = PlanOptions{Context: 64, Buckets: []int{8, 32}}

// buildFixture builds a fixture into a temporary folder.
func buildFixture(t *testing.T, name string, change func(*Options)) (string, *Result) {
	t.Helper()
	c, cache := toolchain(t)
	o := Options{Dir: fixtures.Dir(t, name), Output: filepath.Join(t.TempDir(), name+".hlocc"), Plan: smallPlan, Compiler: c, Cache: cache}
	if change != nil {
		change(&o)
	}
	r, err := Run(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	return o.Output, r
}

func openModel(t *testing.T, path string, o hlocc.Options) *hlocc.Model {
	t.Helper()
	m, err := hlocc.Open(path, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

func newSession(t *testing.T, m *hlocc.Model) *hlocc.Session {
	t.Helper()
	s, err := m.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.Close() })
	return s
}

// Every fixture, built and run by our own runtime, passes its Hugging Face
// oracle: every row by decode steps, every prefix by prefill, the prompt in
// chunks, and greedy decoding after it; of fixtures that are not compiled whole, by
// decode steps only.
func TestOraclesOnRuntime(t *testing.T) {
	for _, name := range fixtures.Names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, o, plan := openFixture(t, name)
			if !compiledWhole(name) {
				plan.Buckets = []int{} // prompts run by decode steps
			}
			path, r := buildFixture(t, name, func(o *Options) { o.Plan = plan })
			if len(r.Replays) != 1 || r.Replays[0].Skipped != "" {
				t.Errorf("the build was not replayed: %+v", r.Replays)
			}
			for _, opts := range []hlocc.Options{{Threads: 1, PrefillGraphsOnly: true}, {Threads: 2}} {
				m := openModel(t, path, opts)
				s := newSession(t, m)
				v, err := evaluate.Validate(t.Context(), s, o, plan.Context, func() {})
				if err != nil || !v.Pass {
					t.Fatalf("%+v, %v", v, err)
				}
				for i := range o.Cases {
					c := &o.Cases[i]
					for _, mode := range []evaluate.Mode{evaluate.ByPrefill, evaluate.ByChunks} {
						check := oracle.NewCheck(&oracle.Case{Name: c.Name, Prompt: c.Prompt, Logits: c.Logits})
						s.Reset()
						err := evaluate.Logits(t.Context(), s, c.Prompt, mode, 5, func(i int, row []float32) error {
							check.PromptRow(i, row)
							return nil
						})
						if result := check.Result(); err != nil || !result.Pass() {
							t.Errorf("mode %v: %+v, %v", mode, result, err)
						}
					}
				}
			}
		})
	}
}

// Two checkpoints whose Specs differ only in numbers that are parameters share
// their programs: equal text, and the second build compiles nothing.
func TestEqualProgramsAreCompiledOnce(t *testing.T) {
	var texts [2][]string
	for i, name := range []string{"llama", "internlm3"} {
		m, err := arch.Open(fixtures.Dir(t, name))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		plan, err := NewPlan(m, smallPlan)
		if err != nil {
			t.Fatal(err)
		}
		for _, g := range plan.Graphs {
			l, err := Lower(m.Spec, plan, g)
			if err != nil {
				t.Fatal(err)
			}
			texts[i] = append(texts[i], string(l.Text))
		}
	}
	if !slices.Equal(texts[0], texts[1]) {
		t.Fatal("llama and internlm3 have different programs")
	}
	buildFixture(t, "llama", nil)
	_, r := buildFixture(t, "internlm3", nil)
	for _, m := range r.Modules {
		if !m.Cached {
			t.Errorf("%s was compiled a second time", m.Graph)
		}
	}
}

// The same inputs give the same bytes, wherever and with however many CPUs.
func TestSameBytes(t *testing.T) {
	c, cache := toolchain(t)
	model := filepath.Join(t.TempDir(), "another place")
	if err := os.CopyFS(model, os.DirFS(fixtures.Dir(t, "qwen2_sw"))); err != nil {
		t.Fatal(err)
	}
	o := Options{Dir: fixtures.Dir(t, "qwen2_sw"), Output: filepath.Join(t.TempDir(), "m.hlocc"), Plan: smallPlan, Compiler: c, Cache: cache}
	read := func() []byte {
		if _, err := Run(t.Context(), o); err != nil {
			t.Fatal(err)
		}
		data, err := os.ReadFile(o.Output)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	want := read()
	t.Chdir(t.TempDir())
	o.Dir, o.Output = model, "x.hlocc"
	for _, procs := range []int{1, 4} {
		was := goruntime.GOMAXPROCS(procs)
		o.Jobs = procs
		got := read()
		goruntime.GOMAXPROCS(was)
		if !bytes.Equal(got, want) {
			t.Errorf("GOMAXPROCS=%d: the bundle differs", procs)
		}
	}
}

// A bundle with bf16 weights gives the numbers of one with the same weights
// widened to float32, for every target that this machine runs; the formats
// differ in layout, so only the order of summation does.
func TestStoredTypesAndTargetsAgree(t *testing.T) {
	var names []string
	for _, target := range compile.Targets() {
		if cannotRun(target) == "" {
			names = append(names, target.Name)
		}
	}
	if len(names) == 0 {
		t.Fatal("this machine runs no target")
	}
	var want []float32
	for _, dtype := range []safetensors.DType{safetensors.BF16, safetensors.F32} {
		path, _ := buildFixture(t, "llama", func(o *Options) { o.Plan.Weights.DType, o.Targets = dtype, names })
		for _, target := range names {
			m := openModel(t, path, hlocc.Options{Target: target})
			out, err := newSession(t, m).Prefill(t.Context(), []int32{1, 17, 99, 200, 3})
			if err != nil {
				t.Fatal(err)
			}
			if want == nil {
				want = slices.Clone(out.Logits)
			}
			if d, at := maxDifference(want, out.Logits); d > 1e-4*max(1, deviation(want)) {
				t.Errorf("%s on %s: logit %d differs by %g", dtype, target, at, d)
			}
		}
	}
}

// Sessions of one model do not disturb each other, nor does the number of threads.
func TestSessionsAtTheSameTime(t *testing.T) {
	path, _ := buildFixture(t, "mistral", nil)
	m := openModel(t, path, hlocc.Options{Threads: 2})
	generate := func(first int32) []int32 {
		s, err := m.NewSession()
		if err != nil {
			t.Error(err)
			return nil
		}
		defer s.Close()
		g, err := s.Generate(t.Context(), []int32{first, 5, 9, 3, 7, 1, 2, 3, 4, 5, 6}, hlocc.GenerateOptions{MaxNewTokens: 20, IgnoreEOS: true})
		if err != nil {
			t.Error(err)
		}
		return g.Tokens
	}
	var want [4][]int32
	for i := range want {
		want[i] = generate(int32(10 * i))
	}
	if slices.Equal(want[0], want[1]) {
		t.Fatal("the prompts do not tell the sessions apart")
	}
	var wait sync.WaitGroup
	for i := range want {
		wait.Go(func() {
			for range 3 {
				if got := generate(int32(10 * i)); !slices.Equal(got, want[i]) {
					t.Errorf("session %d: %v, alone %v", i, got, want[i])
				}
			}
		})
	}
	wait.Wait()
}

// Whatever ends a build, the output is what it was before and no temporary file
// is left.
func TestFailedBuildsLeaveNothing(t *testing.T) {
	c, cache := toolchain(t)
	dir := t.TempDir()
	out := filepath.Join(dir, "m.hlocc")
	const old = "what was there"
	if err := os.WriteFile(out, []byte(old), 0o644); err != nil {
		t.Fatal(err)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	broken := filepath.Join(t.TempDir(), "sharded")
	if err := os.CopyFS(broken, os.DirFS(fixtures.Dir(t, "llama_f16_sharded"))); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(broken, "model-00002-of-00002.safetensors")); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name   string
		ctx    context.Context
		change func(*Options)
		kind   diag.Kind
		says   string
	}{
		{"cancelled", cancelled, func(*Options) {}, 0, "canceled"},
		{"missing shard", t.Context(), func(o *Options) { o.Dir = broken }, diag.BadInput, "model-00002-of-00002.safetensors"},
		{"no directory", t.Context(), func(o *Options) { o.Dir = filepath.Join(dir, "nowhere") }, diag.BadInput, "config.json"},
		{"context beyond the model", t.Context(), func(o *Options) { o.Plan.Context = 129 }, diag.Unsupported, "128"},
		{"bucket beyond the context", t.Context(), func(o *Options) { o.Plan.Buckets = []int{65} }, diag.Usage, "65"},
		{"unknown target", t.Context(), func(o *Options) { o.Targets = []string{"z80"} }, diag.Unsupported, "x86-64-v3"},
	} {
		o := Options{Dir: fixtures.Dir(t, "llama"), Output: out, Plan: smallPlan, Compiler: c, Cache: cache}
		test.change(&o)
		_, err := Run(test.ctx, o)
		if err == nil || !strings.Contains(err.Error(), test.says) {
			t.Errorf("%s: error %v, want one that says %q", test.name, err, test.says)
		}
		if test.kind != 0 && diag.KindOf(err) != test.kind {
			t.Errorf("%s: kind %v, want %v", test.name, diag.KindOf(err), test.kind)
		}
		if test.kind == 0 && !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v is not a cancellation", test.name, err)
		}
		if left, _ := os.ReadDir(dir); len(left) != 1 {
			t.Errorf("%s: left %v", test.name, left)
		}
		if now, _ := os.ReadFile(out); string(now) != old {
			t.Errorf("%s: the old output is gone", test.name)
		}
	}
}

// A replay that finds a wrong logit says where, and the bundle does not appear.
func TestReplayFindsWrongNumbers(t *testing.T) {
	path, _ := buildFixture(t, "llama", nil)
	m, err := arch.Open(fixtures.Dir(t, "internlm3")) // the same shapes, but for dynamic RoPE the same weights
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	other, err := arch.Open(fixtures.Dir(t, "llama_f16_sharded")) // the same shapes, other weights
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	target, err := compile.DefaultTarget(cpu.Host())
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		m    *arch.Model
		good bool
	}{{m, true}, {other, false}} {
		plan, err := NewPlan(test.m, smallPlan)
		if err != nil {
			t.Fatal(err)
		}
		_, err = replay(t.Context(), test.m, plan, []compile.Target{target}, path, nil)
		if (err == nil) != test.good {
			t.Errorf("%s against the bundle of llama: %v", test.m.Dir, err)
		}
		if err != nil && diag.KindOf(err) != diag.Verification {
			t.Errorf("kind %v", diag.KindOf(err))
		}
	}
}

// The replay of a model whose rotary frequencies depend on the length of the
// sequence sees a difference in those of long ones, which its prompt is not.
func TestReplayCoversLongSequences(t *testing.T) {
	const name = "phi3_longrope_long"
	m, _, options := openFixture(t, name)
	path, _ := buildFixture(t, name, func(o *Options) { o.Plan = options })
	target, err := compile.DefaultTarget(cpu.Host())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := NewPlan(m, options)
	if err != nil {
		t.Fatal(err)
	}
	run := func() error {
		_, err := replay(t.Context(), m, plan, []compile.Target{target}, path, nil)
		return err
	}
	if err := run(); err != nil {
		t.Fatal(err)
	}
	m.Spec.RoPE[0].LongFactors[0] *= 2
	if err := run(); diag.KindOf(err) != diag.Verification {
		t.Errorf("with another long factor: %v", err)
	}
}
