package runtime

import (
	"context"
	"fmt"

	"github.com/hlocc/hlocc/bundle"
)

// Output is what a session gives after the last token that it took.
type Output struct {
	// Token is the most probable next token; of several, the one with the
	// lowest id.
	Token int32
	// Logits has one number for every token of the vocabulary, before any
	// softmax. It is overwritten by the session's next call.
	Logits []float32
}

// Session is one sequence of tokens and its key/value cache. It is for one
// goroutine at a time; different sessions of a Model are independent, but those
// of the slots of one Batch are for one goroutine together.
//
// The cache belongs to the session and is updated in place. A call that fails
// leaves the session at the length that it had, whatever part of the work was
// done: rows of the cache beyond the length are never read.
type Session struct {
	*executor
	slot   bool     // of a Batch, to which the executor and the cache belong
	kv     []tensor // the cache, in the order of the manifest
	length int
	logits []float32
	row    [1]*Session // s itself: the rows of a graph of one sequence
	out    [1]Output

	history // of a model that computes long sequences in another way
}

func sessionOf(e *executor, slot bool) *Session {
	s := &Session{executor: e, slot: slot, logits: make([]float32, e.m.manifest.Model.VocabSize)}
	s.row[0] = s
	return s
}

// init allocates the cache and makes the graphs of one sequence ready.
func (s *Session) init() error {
	for _, kv := range s.m.manifest.Model.KV {
		t, err := s.m.device.tensor(kv.DType, kv.Shape)
		if err != nil {
			return err
		}
		s.kv = append(s.kv, t)
	}
	return s.prepareSequence()
}

// Len is the number of tokens in the session.
func (s *Session) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.length
}

// Prefill appends tokens and gives the output after the last. A long prompt is
// cut into chunks, each run by a compiled graph of the best size. If ctx ends,
// the work stops at the end of the dispatch that is running or, where threads
// share the work, of all dispatches that run side by side with it. The session
// then has the length it had before, as after any other error: no tokens, a
// token outside the vocabulary, more tokens than there is room for.
func (s *Session) Prefill(ctx context.Context, tokens []int32) (Output, error) {
	if err := s.begin(); err != nil {
		return Output{}, err
	}
	defer s.mu.Unlock()
	if len(tokens) == 0 {
		return Output{}, s.m.badInput("empty_prompt", "the prompt is empty", "", "", "give at least one token")
	}
	if err := s.check(tokens); err != nil {
		return Output{}, err
	}
	return s.extend(ctx, tokens, s.plan(len(tokens)))
}

// plan divides n tokens into calls.
func (s *Session) plan(n int) []chunk {
	return planPrefill(n, s.m.buckets(), !s.m.opts.PrefillGraphsOnly || len(s.m.prefills) == 0)
}

// extend appends tokens by the calls of plan or, if some of those before them have
// to be computed again, by as many calls as that takes.
func (s *Session) extend(ctx context.Context, tokens []int32, plan []chunk) (Output, error) {
	length, first := s.length+len(tokens), s.length
	if past := s.m.manifest.Model.RecomputePast; past > 0 {
		if first = s.follow(s.length, tokens, past); first < s.length {
			tokens, plan = s.tokens[first:], s.plan(length-first)
		}
	}
	out, err := s.compute(ctx, tokens, plan, first, length)
	if err == nil {
		s.length, s.cached = length, length
	}
	return out, err
}

// compute runs the calls of plan for tokens that follow the first at tokens of a
// sequence that will have length of them.
func (s *Session) compute(ctx context.Context, tokens []int32, plan []chunk, first, length int) (out Output, err error) {
	for _, ch := range plan {
		if out, err = s.run(ctx, ch, tokens[:ch.length], first, length); err != nil {
			return Output{}, err
		}
		tokens, first = tokens[ch.length:], first+ch.length
		s.cached = min(first, s.length)
	}
	return out, nil
}

// extent is how many tokens the sequence is taken to have when it has length.
func (s *Session) extent(length int) int32 { return int32(max(length, s.expected)) }

// Step appends one token and gives the output after it. Its errors are those of
// Prefill.
func (s *Session) Step(ctx context.Context, token int32) (Output, error) {
	if err := s.begin(); err != nil {
		return Output{}, err
	}
	defer s.mu.Unlock()
	tokens := [1]int32{token}
	if err := s.check(tokens[:]); err != nil {
		return Output{}, err
	}
	return s.extend(ctx, tokens[:], []chunk{{0, 1}})
}

// Expect says that the sequence will have n tokens, where that makes a difference
// to the outputs before: some models compute all of a sequence in another way when
// it exceeds a certain length (bundle.Model.RecomputePast). Without it such a model's
// outputs are those of the tokens so far, and what was computed before is computed
// again when the sequence grows past that length. It holds until Reset, whatever is
// appended or truncated.
func (s *Session) Expect(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.expected = min(n, s.m.manifest.Model.Context)
}

// check says whether tokens can be appended.
func (s *Session) check(tokens []int32) error {
	context, vocab := s.m.manifest.Model.Context, s.m.manifest.Model.VocabSize
	if len(tokens) > context-s.length {
		what := fmt.Sprintf("%d tokens do not fit into the context", len(tokens))
		if s.length > 0 {
			what = fmt.Sprintf("%d more tokens do not fit into the context, %d are in it", len(tokens), s.length)
		}
		return s.m.badInput("context_full", what, fmt.Sprintf("at most %d", context-s.length), "",
			fmt.Sprintf("shorten the prompt, or build the bundle with a --context above %d", context))
	}
	for i, id := range tokens {
		if id < 0 || int(id) >= vocab {
			return s.m.badInput("token_id", fmt.Sprintf("token %d of the input is not in the vocabulary", i),
				fmt.Sprintf("an id from 0 to %d", vocab-1), fmt.Sprint(id), "check that the ids were made with this model's tokenizer")
		}
	}
	return nil
}

// run calls one graph for tokens that follow the first at tokens of the sequence,
// which will have length of them.
func (s *Session) run(ctx context.Context, ch chunk, tokens []int32, at, length int) (Output, error) {
	c := s.decode
	if ch.bucket == 0 {
		c.put(bundle.RoleToken, 0, tokens[0])
		c.put(bundle.RolePosition, 0, int32(at))
	} else {
		c = s.prefills[ch.bucket]
		for i, t := range tokens {
			c.put(bundle.RoleTokens, i, t)
		}
		c.put(bundle.RoleStart, 0, int32(at))
		c.put(bundle.RoleLength, 0, int32(ch.length))
	}
	c.put(bundle.RoleExtent, 0, s.extent(length))
	err := s.call(ctx, c, s.kv, s.row[:], s.out[:])
	return s.out[0], err
}

// Reset empties the session.
func (s *Session) Reset() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.length, s.cached, s.expected = 0, 0, 0
}

// Truncate forgets all tokens from the n-th on, so that the session has n. More
// than it has is an error.
func (s *Session) Truncate(n int) error {
	if err := s.begin(); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if n < 0 || n > s.length {
		return s.m.badInput("truncate", "a session cannot be truncated to this length", fmt.Sprintf("0 to %d", s.length), fmt.Sprint(n), "")
	}
	s.length, s.cached = n, min(s.cached, n)
	return nil
}

// Close gives the session's memory back. It waits for a call that is running in
// another goroutine. A second Close does nothing. The session of a batch's slot has
// no memory of its own: Close resets it.
func (s *Session) Close() error {
	if s.slot {
		s.Reset()
		return nil
	}
	return s.shut(s)
}

// free releases what init has got so far.
func (s *Session) free() error {
	for _, t := range s.kv {
		t.release()
	}
	s.kv = nil
	return s.executor.free()
}
