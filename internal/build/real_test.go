//go:build real

package build

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/evaluate"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/internal/testenv"
	hlocc "github.com/hlocc/hlocc/runtime"
)

func init() { compileEverything = true }

// The real SmolLM2-135M-Instruct (`make test-real` fetches it), for every named
// target that this machine runs: the oracle's prompts give Hugging Face's tokens
// and logits, and it does not matter whether a prompt goes through one bucket,
// through chunks or token by token.
func TestRealModel(t *testing.T) {
	dir := os.Getenv("HLOCC_REAL_MODEL")
	if dir == "" {
		t.Fatal("HLOCC_REAL_MODEL is not set; run `make test-real`")
	}
	o, err := oracle.Load(testenv.Fixture(t, "smollm2", "oracle.json"))
	if err != nil {
		t.Fatal(err)
	}
	c, cache := toolchain(t)
	var targets []string
	for _, target := range compile.Targets() {
		if target.Name != "x86-64-v2" && cannotRun(target) == "" {
			targets = append(targets, target.Name)
		}
	}
	out := filepath.Join(t.TempDir(), "real.hlocc")
	r, err := Run(t.Context(), Options{Dir: dir, Output: out, Targets: targets, Compiler: c, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("built in %.1fs: %+v", r.Seconds, r.Replays)

	var reference [][]float32 // the last row of each prompt, of the first target
	for n, target := range targets {
		m := openModel(t, out, hlocc.Options{Target: target, PrefillGraphsOnly: true})
		s := newSession(t, m)
		v, err := evaluate.Validate(t.Context(), s, o, r.Context, func() {})
		if err != nil || !v.Pass {
			t.Fatalf("%s: %+v, %v", target, v, err)
		}
		for _, result := range v.Cases {
			t.Logf("%s %s: %d tokens, logits within %.2g", target, result.Name, result.TokensAgree, result.MaxAbsDLogit)
		}
		for i := range o.Cases {
			prompt := o.Cases[i].Prompt
			for k, chunk := range []int{len(prompt), 40, 7, 1} {
				s.Reset()
				var row []float32
				for from := 0; from < len(prompt); from += chunk {
					out, err := s.Prefill(t.Context(), prompt[from:min(from+chunk, len(prompt))])
					if err != nil {
						t.Fatal(err)
					}
					row = append(row[:0], out.Logits...)
				}
				if n == 0 && k == 0 {
					reference = append(reference, row)
				}
				if d, at := maxDifference(reference[i], row); d > oracle.TopTolerance {
					t.Errorf("%s, prompt %s in chunks of %d: logit %d differs by %g", target, o.Cases[i].Name, chunk, at, d)
				}
			}
		}
	}
}
