package build

import (
	"slices"
	"testing"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/oracle"
)

// compileEverything is set with the tag real (make test-real).
var compileEverything = false

// compiledWhole says that a fixture's prefill graphs are compiled, too: of each family
// the first one that proves it. The others differ from it in a switch of their Spec, which
// the compiled decode step has as well as prefill; a prefill graph takes two thirds of the
// time to compile. make test-real compiles all of them.
func compiledWhole(name string) bool {
	for _, f := range arch.Families() {
		if len(f.Proof) > 0 && f.Proof[0] == name {
			return true
		}
	}
	return compileEverything || slices.Contains(severalBuckets, name)
}

// severalBuckets names the fixtures that are compiled with two prefill buckets.
// What a second bucket adds is the choice between them, which no family changes.
var severalBuckets = []string{"llama", "qwen2_sw", "internlm3"}

// openFixture opens a fixture with its oracle and the plan that its tests share.
//
// The bucket of 16 is smaller than the usual prompt of 22 to 24 tokens and no
// divisor of it: whole prompts run in chunks, the last of them padded.
func openFixture(t testing.TB, name string) (*arch.Model, *oracle.Oracle, PlanOptions) {
	t.Helper()
	m, err := arch.Open(fixtures.Dir(t, name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	o, err := oracle.Load(fixtures.OracleFile(t, name))
	if err != nil {
		t.Fatal(err)
	}
	plan := PlanOptions{Context: smallPlan.Context, Buckets: []int{16}}
	if slices.Contains(severalBuckets, name) {
		plan.Buckets = smallPlan.Buckets
	}
	for i := range o.Cases {
		plan.Context = max(plan.Context, o.Cases[i].MaxTokens())
	}
	plan.Context = min(plan.Context, m.Spec.MaxPositions)
	return m, o, plan
}

// Every fixture passes its Hugging Face oracle on the interpreter: all rows by
// decode steps, prefixes by prefill, chunked prefill, and the greedy tokens. Decode
// steps run with weights row-major as well as in blocks; with prefill, only the
// product of two matrices would differ.
func TestOraclesOnInterpreter(t *testing.T) {
	for _, name := range fixtures.Names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, o, options := openFixture(t, name)
			plan := func(buckets ...int) *Plan {
				options.Buckets = buckets
				plan, err := NewPlan(m, options)
				if err != nil {
					t.Fatal(err)
				}
				return plan
			}
			small := plan(8, 32)
			blocked, rowMajor := NewReference(m, small), NewReference(m, small.RowMajor())
			for i := range o.Cases {
				c := &o.Cases[i]
				checkDecode(t, blocked, c)
				checkDecode(t, rowMajor, c)
				checkChunks(t, blocked, c, small.Graphs[0])
				whole := blocked
				if len(c.Prompt) > 32 {
					whole = NewReference(m, plan(len(c.Prompt)))
				}
				checkPrefill(t, whole, c, whole.plan.Graphs[len(whole.plan.Graphs)-2])
			}
		})
	}
}

// checkDecode steps through the prompt and the greedy continuation.
func checkDecode(t *testing.T, r *Reference, c *oracle.Case) {
	t.Helper()
	r.Reset()
	check := oracle.NewCheck(c)
	r.Expect(len(c.Prompt))
	var next int32
	var logits []float32
	var err error
	step := func(token int32) {
		if next, logits, err = r.Step(t.Context(), token); err != nil {
			t.Fatal(err)
		}
	}
	for i, token := range c.Prompt {
		step(token)
		check.PromptRow(i, logits)
	}
	for i := range c.New {
		if i > 0 {
			step(c.New[i-1])
		}
		check.Step(i, logits, next)
	}
	if v := check.Result(); !v.Pass() {
		t.Errorf("case %s by decode steps: %+v", v.Name, v)
	}
}

// checkPrefill computes the row of a position by one prefill of its prefix: every
// position of short prompts. Of long ones every ninth and the last will do, since
// decode steps and chunks see all of them.
func checkPrefill(t *testing.T, r *Reference, c *oracle.Case, g GraphPlan) {
	t.Helper()
	for n := 1; n <= len(c.Prompt); n++ {
		if len(c.Prompt) > 32 && n%9 != 0 && n != len(c.Prompt) {
			continue
		}
		r.Reset()
		r.Expect(len(c.Prompt))
		_, logits, err := r.Prefill(t.Context(), g, c.Prompt[:n])
		if err != nil {
			t.Fatal(err)
		}
		row := oracle.NewCheck(&oracle.Case{Name: c.Name, Prompt: c.Prompt[n-1 : n], Logits: c.Logits[n-1 : n]})
		row.PromptRow(0, logits)
		if v := row.Result(); !v.Pass() {
			t.Errorf("case %s, prefill of %d tokens: %+v", v.Name, n, v)
		}
	}
}

// checkChunks runs the prompt in chunks and compares the rows at their ends.
func checkChunks(t *testing.T, r *Reference, c *oracle.Case, g GraphPlan) {
	t.Helper()
	r.Reset()
	r.Expect(len(c.Prompt))
	for from := 0; from < len(c.Prompt); from += g.Bucket - 1 { // not a multiple of the bucket
		to := min(from+g.Bucket-1, len(c.Prompt))
		next, logits, err := r.Prefill(t.Context(), g, c.Prompt[from:to])
		if err != nil {
			t.Fatal(err)
		}
		row := oracle.NewCheck(&oracle.Case{Name: c.Name, Prompt: c.Prompt[to-1 : to], Logits: c.Logits[to-1 : to]})
		row.PromptRow(0, logits)
		if v := row.Result(); !v.Pass() {
			t.Errorf("case %s, chunk ending at %d: %+v", v.Name, to, v)
		}
		if to == len(c.Prompt) && next != c.New[0] {
			t.Errorf("case %s by chunks: next token %d, want %d", c.Name, next, c.New[0])
		}
	}
}
