package oracle

import (
	"fmt"
	"math"
)

// Result is the verdict on a case.
type Result struct {
	Name string `json:"name"`
	// MaxAbsDLogit is the largest difference of a logit, and Tolerance what was
	// allowed in that row. Of several rows the one nearest to (or furthest past)
	// its tolerance is told.
	MaxAbsDLogit float64 `json:"max_abs_dlogit"`
	Tolerance    float64 `json:"tolerance"`
	TokensAgree  int     `json:"tokens_agree"`
	TokensTotal  int     `json:"tokens_total"`
	// Problem says in words what is wrong first; empty if the case passes.
	Problem string `json:"problem,omitempty"`
}

// Pass says whether everything agrees.
func (r *Result) Pass() bool { return r.Problem == "" }

// Check compares what an engine computes with a case, row by row.
type Check struct {
	c     *Case
	r     Result
	worst float64 // largest ratio of difference to tolerance
	rows  map[string]bool
}

// NewCheck starts the comparison with a case.
func NewCheck(c *Case) *Check {
	return &Check{c: c, r: Result{Name: c.Name, TokensTotal: len(c.New), Tolerance: TopTolerance}, rows: map[string]bool{}}
}

// PromptRow compares the logits after prompt token i; it does nothing where the
// oracle has none.
func (k *Check) PromptRow(i int, logits []float32) {
	if k.c.Logits != nil {
		k.full(fmt.Sprintf("prompt position %d", i), k.c.Logits[i], logits)
	}
}

// Step compares the row of logits that chose new token i, and the token. For i
// = 0 that is the last row of the prompt. The engine must continue with the
// oracle's token, New[i], so that later steps stay comparable.
func (k *Check) Step(i int, logits []float32, token int32) {
	where := fmt.Sprintf("new token %d", i)
	if token == k.c.New[i] {
		k.r.TokensAgree++
	} else {
		k.problem("%s: want id %d, found %d", where, k.c.New[i], token)
	}
	switch {
	case k.c.Top != nil:
		top := k.c.Top[i]
		for j, id := range top.IDs {
			if int(id) >= len(logits) {
				k.problem("%s: the oracle has id %d, the model %d logits", where, id, len(logits))
				return
			}
			k.compare(where, int(id), float64(top.Logits[j]), float64(logits[id]), TopTolerance)
		}
	case i == len(k.c.New)-1 && k.c.LastLogits != nil:
		k.full(where, k.c.LastLogits, logits)
	}
	k.rows[where] = true
}

func (k *Check) full(where string, want, found []float32) {
	k.rows[where] = true
	if len(want) != len(found) {
		k.problem("%s: want %d logits, found %d", where, len(want), len(found))
		return
	}
	tolerance := RowTolerance(want)
	for id := range want {
		k.compare(where, id, float64(want[id]), float64(found[id]), tolerance)
	}
}

func (k *Check) compare(where string, id int, want, found, tolerance float64) {
	diff := math.Abs(want - found)
	if math.IsNaN(diff) {
		diff = math.MaxFloat64 // JSON has no NaN or Inf
	}
	diff = min(diff, math.MaxFloat64)
	if ratio := diff / tolerance; ratio > k.worst {
		k.worst, k.r.MaxAbsDLogit, k.r.Tolerance = ratio, diff, tolerance
	}
	if diff > tolerance {
		k.problem("%s: logit %d: want %g, found %g, more than %.3g apart", where, id, float32(want), float32(found), tolerance)
	}
}

func (k *Check) problem(format string, args ...any) {
	if k.r.Problem == "" {
		k.r.Problem = fmt.Sprintf(format, args...)
	}
}

// Result is the verdict. A case of which rows were left out does not pass.
func (k *Check) Result() Result {
	want := len(k.c.New)
	if k.c.Logits != nil {
		want += len(k.c.Prompt)
	}
	if len(k.rows) < want {
		k.problem("only %d of %d rows were compared", len(k.rows), want)
	}
	return k.r
}
