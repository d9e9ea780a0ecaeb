package evaluate

import (
	"context"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/oracle"
)

// Validation is the verdict on a model.
type Validation struct {
	Cases []oracle.Result `json:"cases"`
	Pass  bool            `json:"pass"`
}

// Validate replays every case of an oracle: the prompt by decode steps where the
// oracle has logits at every position, and then again by prefill, from which
// greedy decoding goes on. The model is always given the oracle's tokens, so
// that one wrong token does not hide what follows. step is called after every
// case. context is the model's.
func Validate(ctx context.Context, s Sequence, o *oracle.Oracle, context int, step func()) (Validation, error) {
	v := Validation{Cases: []oracle.Result{}, Pass: true}
	for i := range o.Cases {
		c := &o.Cases[i]
		if need := c.MaxTokens() - 1; need > context {
			return v, &diag.Error{Kind: diag.Usage, Code: "context", Where: c.Name, Message: "the oracle's case is longer than the context",
				Want: plural(need, "token"), Found: plural(context, "token"), Fix: fmt.Sprintf("give --context %d or more", need)}
		}
		check := oracle.NewCheck(c)
		if err := replay(ctx, s, c, check); err != nil {
			return v, err
		}
		r := check.Result()
		v.Cases = append(v.Cases, r)
		v.Pass = v.Pass && r.Pass()
		step()
	}
	return v, nil
}

func replay(ctx context.Context, s Sequence, c *oracle.Case, check *oracle.Check) error {
	if c.Logits != nil {
		err := Logits(ctx, s, c.Prompt, ByDecode, 0, func(i int, row []float32) error {
			check.PromptRow(i, row)
			return nil
		})
		if err != nil {
			return err
		}
	}
	s.Reset()
	out, err := s.Prefill(ctx, c.Prompt)
	for i := range c.New {
		if i > 0 {
			out, err = s.Step(ctx, c.New[i-1])
		}
		if err != nil {
			return err
		}
		if i == 0 && c.Logits != nil { // what prefill says of the last row
			check.PromptRow(len(c.Prompt)-1, out.Logits)
		}
		check.Step(i, out.Logits, out.Token)
	}
	return nil
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
