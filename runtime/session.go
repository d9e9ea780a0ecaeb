package runtime

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
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
// goroutine at a time; different sessions of a Model are independent.
//
// The cache belongs to the session and is updated in place. A call that fails
// leaves the session at the length that it had, whatever part of the work was
// done: rows of the cache beyond the length are never read.
type Session struct {
	m *Model

	mu     sync.Mutex // held during calls; Model.Close takes it
	closed bool
	broken error // set when the state of the cache is not known any more
	length int

	kv     map[string]tensor // by role
	start  tensor            // prefill: length of the sequence before
	real   tensor            // prefill: real tokens
	token  tensor            // decode
	pos    tensor            // decode
	extent tensor            // both, nil unless the model has a use for it
	calls  map[string]*call  // by graph id
	logits []float32

	history // of a model that computes long sequences in another way
}

// call is a graph made ready to be called: the arguments never change, only the
// contents of their memory does.
type call struct {
	graph    *bundle.Graph
	instance instance
	tokens   tensor   // of a prefill
	args     []tensor // in the order of the compiled function
	inPlace  []tensor // for each result the argument that it must be, nil if it is new memory
}

// init allocates the cache and makes every graph ready.
func (s *Session) init() (err error) {
	s.kv, s.calls = map[string]tensor{}, map[string]*call{}
	for _, kv := range s.m.manifest.Model.KV {
		if s.kv[kv.Role], err = s.m.device.tensor(kv.DType, kv.Shape); err != nil {
			return err
		}
	}
	for _, t := range []*tensor{&s.start, &s.real, &s.token, &s.pos} {
		if *t, err = s.m.device.tensor(bundle.I32, []int{1}); err != nil {
			return err
		}
	}
	if s.m.manifest.Model.RecomputePast > 0 {
		if s.extent, err = s.m.device.tensor(bundle.I32, []int{1}); err != nil {
			return err
		}
	}
	s.logits = make([]float32, s.m.manifest.Model.VocabSize)
	for _, g := range s.m.graphs() {
		c := &call{graph: g}
		s.calls[g.ID] = c
		if g.Kind == bundle.Prefill {
			if c.tokens, err = s.m.device.tensor(bundle.I32, []int{g.Bucket}); err != nil {
				return err
			}
		}
		for _, in := range g.Inputs {
			c.args = append(c.args, s.input(c, in.Role))
		}
		for _, r := range g.Results {
			c.inPlace = append(c.inPlace, s.kv[r.Role]) // nil for next_id and logits
		}
		if c.instance, err = s.m.programs[g.ID].instance(context.Background()); err != nil {
			return at(err, fmt.Sprintf("graph %q", g.ID))
		}
	}
	return nil
}

// input finds the memory of a role. The manifest was checked to have no others.
func (s *Session) input(c *call, role string) tensor {
	switch role {
	case bundle.RoleTokens:
		return c.tokens
	case bundle.RoleStart:
		return s.start
	case bundle.RoleLength:
		return s.real
	case bundle.RoleToken:
		return s.token
	case bundle.RolePosition:
		return s.pos
	case bundle.RoleExtent:
		return s.extent
	}
	return s.kv[role]
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
	if s.extent != nil {
		if first = s.follow(s.length, tokens, s.m.manifest.Model.RecomputePast); first < s.length {
			tokens, plan = s.tokens[first:], s.plan(length-first)
		}
		putInts(s.extent, []int32{int32(max(length, s.expected))})
	}
	var out Output
	for _, ch := range plan {
		var err error
		if out, err = s.run(ctx, ch, tokens[:ch.length], first); err != nil {
			return Output{}, err
		}
		tokens, first = tokens[ch.length:], first+ch.length
		s.cached = min(first, s.length)
	}
	s.length, s.cached = length, length
	return out, nil
}

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

// begin locks the session; there is nothing to unlock after an error.
func (s *Session) begin() error {
	s.mu.Lock()
	err := s.broken
	switch {
	case s.closed && s.m.closing.Load():
		err = s.m.errClosed("the model")
	case s.closed:
		err = s.m.errClosed("the session")
	}
	if err != nil {
		s.mu.Unlock()
	}
	return err
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

// run calls one graph for tokens that follow the first at tokens of the sequence.
func (s *Session) run(ctx context.Context, ch chunk, tokens []int32, at int) (Output, error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	if s.m.closing.Load() {
		return Output{}, s.m.errClosed("the model")
	}
	c := s.calls[s.m.decode.ID]
	if ch.bucket == 0 {
		putInts(s.token, tokens)
		putInts(s.pos, []int32{int32(at)})
	} else {
		for _, g := range s.m.prefills {
			if g.Bucket == ch.bucket {
				c = s.calls[g.ID]
			}
		}
		putInts(c.tokens, tokens)
		putInts(s.start, []int32{int32(at)})
		putInts(s.real, []int32{int32(ch.length)})
	}
	results, err := c.instance.call(ctx, c.graph.Function, c.args)
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return Output{}, err
		}
		return Output{}, s.m.graphError(c.graph, err)
	}
	return s.take(c, results)
}

// take reads the results of a call and releases those that are not the session's own.
func (s *Session) take(c *call, results []tensor) (Output, error) {
	var out Output
	err := s.read(c, results, &out)
	if err == nil {
		for i, t := range results {
			if c.inPlace[i] == nil {
				t.release()
			}
		}
		return out, nil
	}
	s.broken = err
	for _, t := range results {
		if !slices.ContainsFunc(c.args, t.same) {
			t.release()
		}
	}
	return Output{}, err
}

func (s *Session) read(c *call, results []tensor, out *Output) error {
	if len(results) != len(c.graph.Results) {
		return s.m.graphError(c.graph, fmt.Errorf("%d results, the manifest has %d", len(results), len(c.graph.Results)))
	}
	for i, r := range c.graph.Results {
		if want := c.inPlace[i]; want != nil {
			if !results[i].same(want) {
				return &diag.Error{Kind: diag.Failed, Code: "kv_not_in_place", File: s.m.path, Where: fmt.Sprintf("graph %q, result %q", c.graph.ID, r.Role),
					Message: "the compiled module did not update the KV cache in place", Fix: "build the bundle again; this session cannot be used any more"}
			}
			continue
		}
		b, want := results[i].bytes(), 4
		if r.Role == bundle.RoleLogits {
			want = 4 * len(s.logits)
		}
		if len(b) != want {
			return s.m.graphError(c.graph, fmt.Errorf("result %q has %d bytes, want %d", r.Role, len(b), want))
		}
		if r.Role == bundle.RoleNextID {
			out.Token = int32(binary.LittleEndian.Uint32(b))
			if out.Token < 0 || int(out.Token) >= len(s.logits) {
				return s.m.graphError(c.graph, fmt.Errorf("next token %d is outside the vocabulary", out.Token))
			}
			continue
		}
		// A copy: what a caller holds must not be memory that Close unmaps.
		for j := range s.logits {
			s.logits[j] = math.Float32frombits(binary.LittleEndian.Uint32(b[4*j:]))
		}
		out.Logits = s.logits
	}
	return nil
}

func putInts(t tensor, v []int32) {
	b := t.bytes()
	for i, x := range v {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(x))
	}
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
// another goroutine. A second Close does nothing.
func (s *Session) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	// Freed before it leaves the list: Model.Close waits for those that it finds
	// there, and unmaps what instances use.
	err := s.free()
	s.m.mu.Lock()
	delete(s.m.sessions, s)
	s.m.mu.Unlock()
	return err
}

// free releases what init has got so far.
func (s *Session) free() error {
	var errs []error
	for _, c := range s.calls {
		if c.instance != nil {
			errs = append(errs, c.instance.close())
		}
		if c.tokens != nil {
			c.tokens.release()
		}
	}
	for _, t := range s.kv {
		if t != nil {
			t.release()
		}
	}
	for _, t := range []tensor{s.start, s.real, s.token, s.pos, s.extent} {
		if t != nil {
			t.release()
		}
	}
	s.kv, s.calls = nil, nil
	return errors.Join(errs...)
}

func (m *Model) badInput(code, message, want, found, fix string) error {
	return &diag.Error{Kind: diag.BadInput, Code: code, Message: message, Want: want, Found: found, Fix: fix}
}

// graphError reports a graph that failed although its arguments were right.
func (m *Model) graphError(g *bundle.Graph, err error) error {
	return &diag.Error{Kind: diag.Failed, Code: "graph", File: m.path, Where: fmt.Sprintf("graph %q of target %q", g.ID, m.target.Name),
		Message: "failed while running", Cause: err, Fix: "check the bundle with hlocc verify"}
}
