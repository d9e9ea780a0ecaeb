// Package evaluate measures a model: logits at every position, perplexity,
// agreement with an oracle, speed and memory.
package evaluate

import (
	"context"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime"
)

// Sequence is what is asked of a *runtime.Session.
type Sequence interface {
	Prefill(ctx context.Context, tokens []int32) (runtime.Output, error)
	Step(ctx context.Context, token int32) (runtime.Output, error)
	Len() int
	Truncate(n int) error
	Reset()
	Expect(n int)
}

// Mode says which graphs compute a row of logits.
type Mode uint8

// The modes of Logits. All agree within the tolerance of float32 sums in
// another order.
const (
	ByDecode  Mode = iota // one decode step for each token
	ByPrefill             // each prefix from an empty cache, in as few calls as possible
	ByChunks              // pieces of a given size, each on top of the ones before
)

// Check refuses tokens that a model with this vocabulary and context cannot
// take, so that nothing is printed before the error.
func Check(tokens []int32, vocab, context int) error {
	bad := func(code, message, want, found, fix string) error {
		return &diag.Error{Kind: diag.BadInput, Code: code, Where: "--tokens", Message: message, Want: want, Found: found, Fix: fix}
	}
	switch {
	case len(tokens) == 0:
		return bad("empty_prompt", "there are no tokens", "", "", "give at least one token")
	case len(tokens) > context:
		return bad("context_full", "the tokens do not fit into the context", fmt.Sprintf("at most %d", context), fmt.Sprint(len(tokens)),
			fmt.Sprintf("give fewer, or build the bundle with a --context above %d", context))
	}
	for i, id := range tokens {
		if id < 0 || int(id) >= vocab {
			return bad("token_id", fmt.Sprintf("token %d is not in the vocabulary", i), fmt.Sprintf("an id from 0 to %d", vocab-1),
				fmt.Sprint(id), "check that the ids were made with this model's tokenizer")
		}
	}
	return nil
}

// Logits calls row with the logits after every token, in order; a row is valid
// until it returns. The rows are those of one sequence of all tokens, also where
// a shorter one would have others. chunk is the size of the pieces of ByChunks.
func Logits(ctx context.Context, s Sequence, tokens []int32, mode Mode, chunk int, row func(i int, logits []float32) error) error {
	s.Reset()
	s.Expect(len(tokens))
	for i, token := range tokens {
		var out runtime.Output
		var err error
		switch mode {
		case ByDecode:
			out, err = s.Step(ctx, token)
		case ByPrefill:
			if err = s.Truncate(0); err == nil {
				out, err = s.Prefill(ctx, tokens[:i+1])
			}
		case ByChunks:
			// The whole pieces before are in the cache from the rows before.
			start := i / chunk * chunk
			if err = s.Truncate(start); err == nil {
				out, err = s.Prefill(ctx, tokens[start:i+1])
			}
		}
		if err != nil {
			return err
		}
		if err := row(i, out.Logits); err != nil {
			return err
		}
	}
	return nil
}
