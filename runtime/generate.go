package runtime

import (
	"context"
	"slices"
	"time"
)

// GenerateOptions are the settings of Session.Generate.
type GenerateOptions struct {
	// MaxNewTokens limits the number of generated tokens; below 0 only the
	// context limits it.
	MaxNewTokens int
	// IgnoreEOS goes on after the model's end-of-sequence tokens.
	IgnoreEOS bool
	// StopIDs end the generation like end-of-sequence tokens, with StopToken as
	// the reason.
	StopIDs []int32
	// OnToken is called with every token as soon as it is known; if it returns
	// false the generation ends there.
	OnToken func(token int32) bool
}

// StopReason says why a generation ended.
type StopReason string

// The reasons to stop.
const (
	StopEOS    StopReason = "eos"    // an end-of-sequence token of the model
	StopLength StopReason = "length" // MaxNewTokens, or the context is full
	StopToken  StopReason = "stop"   // one of StopIDs, or OnToken said so
	StopCancel StopReason = "cancel" // the context was cancelled
)

// Generation is the result of Session.Generate.
type Generation struct {
	// Tokens are the new tokens. One that ended the generation is the last.
	Tokens []int32
	Stop   StopReason
	// PromptTime is the time until the first token was known, StepTime that of
	// the others together, of which there are Steps.
	PromptTime, StepTime time.Duration
	Steps                int
}

// Generate appends prompt and then greedily chosen tokens until one of the
// options, the context or ctx ends it. The last token of the result is not in
// the session yet: it is the next one to be given to Prefill or Step.
//
// If ctx ends, the error is ctx's and the result has the tokens so far, with
// StopCancel. After any error the session has the tokens that were completed.
func (s *Session) Generate(ctx context.Context, prompt []int32, opts GenerateOptions) (g Generation, err error) {
	begin := time.Now()
	out, err := s.Prefill(ctx, prompt)
	g.PromptTime = time.Since(begin)
	begin = time.Now()
	defer func() { g.StepTime = time.Since(begin) }()
	eos := s.m.manifest.Model.EOS
	for {
		switch {
		case err != nil:
			if ctx.Err() != nil {
				g.Stop = StopCancel
			}
			return g, err
		case opts.MaxNewTokens >= 0 && len(g.Tokens) >= opts.MaxNewTokens:
			g.Stop = StopLength
			return g, nil
		}
		g.Tokens = append(g.Tokens, out.Token)
		more := opts.OnToken == nil || opts.OnToken(out.Token)
		switch {
		case !opts.IgnoreEOS && slices.Contains(eos, out.Token):
			g.Stop = StopEOS
		case !more || slices.Contains(opts.StopIDs, out.Token):
			g.Stop = StopToken
		case len(g.Tokens) == opts.MaxNewTokens || s.Len() == s.m.manifest.Model.Context:
			g.Stop = StopLength
		}
		if g.Stop != "" {
			return g, nil
		}
		if out, err = s.Step(ctx, out.Token); err == nil {
			g.Steps++
		}
	}
}
