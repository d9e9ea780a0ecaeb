package evaluate

import (
	"context"
	"math"

	"github.com/hlocc/hlocc/internal/diag"
)

// Perplexity is how well a model predicts a text.
type Perplexity struct {
	Perplexity float64 `json:"perplexity"`    // exp(NLL)
	NLL        float64 `json:"nll"`           // mean of -ln p of the scored tokens
	Scored     int     `json:"tokens_scored"` // all but the first
	Tokens     int     `json:"tokens"`
	Window     int     `json:"window"`
	Stride     int     `json:"stride"`
	Windows    int     `json:"windows"`
}

// MeasurePerplexity scores tokens by decode steps in windows of the given size.
// Each window starts half a window after the one before, so that every token but
// those of the first window has at least half a window before it; a token is
// scored once, by the first window that reaches it; a window is one sequence. step is called after every
// token that was run, of total in all.
func MeasurePerplexity(ctx context.Context, s Sequence, tokens []int32, window int, step func(total int)) (Perplexity, error) {
	stride := max(1, window/2)
	p := Perplexity{Tokens: len(tokens), Window: window, Stride: stride}
	if len(tokens) < 2 || window < 2 {
		return p, &diag.Error{Kind: diag.BadInput, Code: "text_too_short", Message: "the text has nothing to predict",
			Want: "2 tokens or more", Found: plural(len(tokens), "token")}
	}
	total := 0
	for start := 0; ; start += stride {
		end := min(start+window, len(tokens))
		total += end - 1 - start
		if end == len(tokens) {
			break
		}
	}
	var sum float64
	scored := 1 // tokens before this one have been scored; nothing predicts the first
	for start := 0; scored < len(tokens); start += stride {
		p.Windows++
		s.Reset()
		end := min(start+window, len(tokens))
		s.Expect(end - start)
		for i := start; i+1 < end; i++ {
			out, err := s.Step(ctx, tokens[i])
			if err != nil {
				return p, err
			}
			if i+1 >= scored {
				nll, err := negLogProb(out.Logits, tokens[i+1])
				if err != nil {
					return p, err
				}
				sum += nll
				scored = i + 2
				p.Scored++
			}
			step(total)
		}
	}
	p.NLL = sum / float64(p.Scored)
	p.Perplexity = math.Exp(p.NLL)
	return p, nil
}

// negLogProb is -ln of the probability that logits give to token.
func negLogProb(logits []float32, token int32) (float64, error) {
	if token < 0 || int(token) >= len(logits) {
		return 0, Check([]int32{token}, len(logits), 1)
	}
	highest := math.Inf(-1)
	for _, v := range logits {
		highest = max(highest, float64(v))
	}
	var sum float64
	for _, v := range logits {
		sum += math.Exp(float64(v) - highest)
	}
	nll := highest + math.Log(sum) - float64(logits[token])
	if math.IsNaN(nll) || math.IsInf(nll, 0) {
		return 0, &diag.Error{Kind: diag.Failed, Code: "not_finite", Message: "the model gives logits that are not numbers",
			Fix: "check the bundle with hlocc verify, and the checkpoint against its source"}
	}
	return nll, nil
}
