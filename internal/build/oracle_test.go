package build

import (
	"testing"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/oracle"
)

// Every fixture passes its Hugging Face oracle on the interpreter: all rows by
// decode steps, every prefix by prefill, chunked prefill, and the greedy tokens,
// with weights row-major and in blocks.
func TestOraclesOnInterpreter(t *testing.T) {
	for _, name := range fixtures.Names(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			m, err := arch.Open(fixtures.Dir(t, name))
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			o, err := oracle.Load(fixtures.OracleFile(t, name))
			if err != nil {
				t.Fatal(err)
			}
			plan, err := NewPlan(m, PlanOptions{Context: 64, Buckets: []int{8, 32}})
			if err != nil {
				t.Fatal(err)
			}
			for i := range o.Cases {
				c := &o.Cases[i]
				checkDecode(t, NewReference(m, plan), c)
				checkDecode(t, NewReference(m, plan.RowMajor()), c)
				checkPrefill(t, NewReference(m, plan), c, plan.Graphs[1])
				checkChunks(t, NewReference(m, plan), c, plan.Graphs[0])
			}
		})
	}
}

// checkDecode steps through the prompt and the greedy continuation.
func checkDecode(t *testing.T, r *Reference, c *oracle.Case) {
	t.Helper()
	check := oracle.NewCheck(c)
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

// checkPrefill computes the row of each position by a prefill of its prefix.
func checkPrefill(t *testing.T, r *Reference, c *oracle.Case, g GraphPlan) {
	t.Helper()
	check := oracle.NewCheck(&oracle.Case{Name: c.Name, Prompt: c.Prompt, Logits: c.Logits})
	for n := 1; n <= len(c.Prompt); n++ {
		r.Reset()
		_, logits, err := r.Prefill(t.Context(), g, c.Prompt[:n])
		if err != nil {
			t.Fatal(err)
		}
		check.PromptRow(n-1, logits)
	}
	if v := check.Result(); !v.Pass() {
		t.Errorf("case %s by prefill: %+v", v.Name, v)
	}
}

// checkChunks runs the prompt in chunks and compares the rows at their ends.
func checkChunks(t *testing.T, r *Reference, c *oracle.Case, g GraphPlan) {
	t.Helper()
	for from := 0; from < len(c.Prompt); from += g.Bucket - 1 { // not a multiple of the bucket
		to := min(from+g.Bucket-1, len(c.Prompt))
		next, logits, err := r.Prefill(t.Context(), g, c.Prompt[from:to])
		if err != nil {
			t.Fatal(err)
		}
		tolerance := oracle.RowTolerance(c.Logits[to-1])
		for v, want := range c.Logits[to-1] {
			if d := float64(logits[v] - want); d > tolerance || d < -tolerance {
				t.Fatalf("case %s, chunk ending at %d: logit %d is %v, want %v", c.Name, to, v, logits[v], want)
			}
		}
		if to == len(c.Prompt) && next != c.New[0] {
			t.Errorf("case %s by chunks: next token %d, want %d", c.Name, next, c.New[0])
		}
	}
}
