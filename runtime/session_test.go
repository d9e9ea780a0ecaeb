package runtime

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
)

var bg = context.Background()

func newSession(t *testing.T, m *Model) *Session {
	t.Helper()
	s, err := m.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// prompt is n different tokens.
func prompt(n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32(i*7+n) % toyVocab
	}
	return p
}

// TestPrefillEqualsSteps: whatever the buckets and the cuts, the output is that
// of the whole sequence.
func TestPrefillEqualsSteps(t *testing.T) {
	for _, buckets := range [][]int{nil, {4}, {32}, {2, 8, 16}} {
		for _, only := range []bool{false, true} {
			f := &fake{}
			m := openToy(t, f, Options{PrefillGraphsOnly: only}, buckets...)
			s := newSession(t, m)
			for n := 1; n <= toyContext; n++ {
				p := prompt(n)
				for _, cut := range []int{0, n / 3, n / 2} {
					s.Reset()
					if cut > 0 {
						if _, err := s.Prefill(bg, p[:cut]); err != nil {
							t.Fatal(err)
						}
					}
					out, err := s.Prefill(bg, p[cut:])
					if err != nil {
						t.Fatalf("%d tokens cut at %d, buckets %v: %v", n, cut, buckets, err)
					}
					if want := toyNext(p); out.Token != want || s.Len() != n || len(out.Logits) != toyVocab || out.Logits[want] != float32(want)+1000 {
						t.Fatalf("%d tokens cut at %d, buckets %v: token %d, want %d; length %d", n, cut, buckets, out.Token, want, s.Len())
					}
				}
			}
			if calls := strings.Join(f.calls, " "); only && len(buckets) > 0 && strings.Contains(calls, "decode") {
				t.Errorf("buckets %v: decode steps in %s", buckets, calls)
			}
		}
	}
}

func TestSteps(t *testing.T) {
	m := openToy(t, &fake{}, Options{}, 4)
	s := newSession(t, m)
	p := prompt(9)
	out, err := s.Prefill(bg, p)
	var got []int32
	for range 12 {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, out.Token)
		out, err = s.Step(bg, out.Token)
	}
	if want := toyTokens(p, 12); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if s.Len() != 9+12 {
		t.Errorf("length %d", s.Len())
	}
	// Back to the middle and on: the same again.
	if err := s.Truncate(11); err != nil {
		t.Fatal(err)
	}
	out, err = s.Step(bg, got[2])
	if err != nil || out.Token != got[3] || s.Len() != 12 {
		t.Errorf("after Truncate: %d, %v, length %d", out.Token, err, s.Len())
	}
	for _, n := range []int{-1, 13} {
		if err := s.Truncate(n); diag.KindOf(err) != diag.BadInput || s.Len() != 12 {
			t.Errorf("Truncate(%d): %v", n, err)
		}
	}
}

func TestBadInputLeavesSessionUnchanged(t *testing.T) {
	m := openToy(t, &fake{}, Options{}, 4, 16)
	s := newSession(t, m)
	p := prompt(10)
	first, err := s.Prefill(bg, p)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, code, text string
		do               func() error
	}{
		{"empty", "empty_prompt", "empty", func() error { _, err := s.Prefill(bg, nil); return err }},
		{"too long", "context_full", "31 more tokens do not fit into the context, 10 are in it: want at most 30", func() error { _, err := s.Prefill(bg, prompt(31)); return err }},
		{"negative", "token_id", "token 1 of the input is not in the vocabulary: want an id from 0 to 49, found -1", func() error { _, err := s.Prefill(bg, []int32{1, -1}); return err }},
		{"too large", "token_id", "found 50", func() error { _, err := s.Step(bg, 50); return err }},
	} {
		err := c.do()
		var e *diag.Error
		if !errors.As(err, &e) || e.Kind != diag.BadInput || e.Code != c.code || !strings.Contains(err.Error(), c.text) || s.Len() != 10 {
			t.Errorf("%s: %v; length %d", c.name, err, s.Len())
		}
	}
	if out, err := s.Step(bg, first.Token); err != nil || out.Token != toyTokens(p, 2)[1] {
		t.Errorf("afterwards: %v, %v", out.Token, err)
	}
	if _, err := s.Prefill(bg, prompt(29)); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Step(bg, 0); diag.KindOf(err) != diag.BadInput || s.Len() != toyContext {
		t.Errorf("step in a full session: %v", err)
	}
}

func TestCancel(t *testing.T) {
	f := &fake{}
	m := openToy(t, f, Options{}, 4, 8)
	s := newSession(t, m)
	if _, err := s.Prefill(bg, prompt(3)); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(bg)
	n := 0
	f.before = func(ctx context.Context, graph string) error {
		if n++; n == 2 {
			cancel() // in the second chunk, which notices
			return fmt.Errorf("stopped: %w", ctx.Err())
		}
		return nil
	}
	p := prompt(24)
	if _, err := s.Prefill(ctx, p); !errors.Is(err, context.Canceled) || s.Len() != 3 {
		t.Errorf("during: %v, length %d", err, s.Len())
	}
	f.before = nil
	calls := len(f.calls)
	if _, err := s.Step(ctx, 1); !errors.Is(err, context.Canceled) || s.Len() != 3 || len(f.calls) != calls {
		t.Errorf("before: %v, length %d", err, s.Len())
	}
	out, err := s.Prefill(bg, p)
	if err != nil || out.Token != toyNext(append(prompt(3), p...)) {
		t.Errorf("again: %v, %v", out.Token, err)
	}
}

func TestGraphErrors(t *testing.T) {
	boom := errors.New("boom")
	foreign := func(f *fake) tensor { return f.alloc(bundle.F32, []int{toyContext + 1, 1, 1}) }
	for _, c := range []struct {
		name   string
		set    func(f *fake)
		want   string
		broken bool
	}{
		{"fails", func(f *fake) { f.before = func(context.Context, string) error { return boom } }, "boom", false},
		{"kv copied", func(f *fake) {
			f.after = func(r []tensor) []tensor { r[0] = foreign(f); return r }
		}, "did not update the KV cache in place", true},
		{"kv swapped", func(f *fake) {
			f.after = func(r []tensor) []tensor { r[0], r[2] = r[2], r[0]; return r }
		}, "did not update the KV cache in place", true},
		{"results missing", func(f *fake) {
			f.after = func(r []tensor) []tensor { r[3].release(); return r[:3] }
		}, "3 results, the manifest has 4", true},
		{"wrong size", func(f *fake) {
			f.after = func(r []tensor) []tensor { r[3].release(); r[3] = foreign(f); return r }
		}, `result "next_id" has 164 bytes, want 4`, true},
		{"token", func(f *fake) {
			f.after = func(r []tensor) []tensor { r[3].bytes()[1] = 1; return r }
		}, "outside the vocabulary", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := &fake{}
			m := openToy(t, f, Options{}, 4)
			s := newSession(t, m)
			if _, err := s.Prefill(bg, prompt(5)); err != nil {
				t.Fatal(err)
			}
			c.set(f)
			_, err := s.Step(bg, 1)
			if diag.KindOf(err) != diag.Failed || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "toy.hlocc") || s.Len() != 5 {
				t.Errorf("%v, length %d", err, s.Len())
			}
			f.before, f.after = nil, nil
			_, err = s.Step(bg, 1)
			if (err != nil) != c.broken {
				t.Errorf("afterwards: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestManySessions(t *testing.T) {
	m := openToy(t, &fake{}, Options{}, 4, 16)
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			s, err := m.NewSession()
			if err != nil {
				t.Error(err)
				return
			}
			defer func() { _ = s.Close() }()
			p := prompt(i + 1)
			g, err := s.Generate(bg, p, GenerateOptions{MaxNewTokens: 15, IgnoreEOS: true})
			if want := toyTokens(p, 15); err != nil || !slices.Equal(g.Tokens, want) {
				t.Errorf("%v, %v, want %v", g.Tokens, err, want)
			}
		})
	}
	wg.Wait()
}

// TestCloseTogether closes a model while one of its sessions is being closed:
// nothing may be freed under it.
func TestCloseTogether(t *testing.T) {
	f := &fake{}
	m := openToy(t, f, Options{}, 4)
	s := newSession(t, m)
	inside, goOn := make(chan bool), make(chan bool)
	var once sync.Once
	f.closing = func(string) { once.Do(func() { close(inside); <-goOn }) }
	session, model := make(chan error, 1), make(chan error, 1)
	go func() { session <- s.Close() }()
	<-inside
	go func() { model <- m.Close() }()
	select {
	case err := <-model:
		t.Errorf("Model.Close did not wait: %v", err)
		model <- err
	case <-time.After(20 * time.Millisecond):
	}
	close(goOn)
	for _, c := range []chan error{session, model} {
		if err := <-c; err != nil {
			t.Error(err)
		}
	}
	f.clean(t)
}

func TestClose(t *testing.T) {
	f := &fake{}
	m := openToy(t, f, Options{}, 4)
	s1, s2, s3 := newSession(t, m), newSession(t, m), newSession(t, m)
	for range 2 {
		if err := s1.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := s1.Step(bg, 1); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "the session was closed") {
		t.Errorf("%v", err)
	}
	if err := s1.Truncate(0); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	s1.Reset()
	// A prefill is under way in s2 when the model is closed: it ends after its chunk.
	started, goOn := make(chan bool), make(chan bool)
	n := 0
	f.before = func(context.Context, string) error {
		if n++; n == 1 {
			close(started)
			<-goOn
		}
		return nil
	}
	result := make(chan error)
	go func() {
		_, err := s2.Prefill(bg, prompt(30))
		result <- err
	}()
	<-started
	closed := make(chan error)
	go func() { closed <- m.Close() }()
	select {
	case <-closed:
		t.Error("Close did not wait")
	case <-time.After(20 * time.Millisecond):
	}
	close(goOn)
	if err := <-result; !errors.Is(err, ErrClosed) {
		t.Errorf("running call: %v", err)
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	f.clean(t)
	if n != 1 {
		t.Errorf("%d graph calls", n)
	}
	if _, err := s3.Step(bg, 1); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "the model was closed") {
		t.Errorf("%v", err)
	}
	if _, err := m.NewSession(); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
	if err := s3.Close(); err != nil {
		t.Error(err)
	}
}

func TestGenerate(t *testing.T) {
	f := &fake{}
	m := openToy(t, f, Options{}, 4, 16)
	s := newSession(t, m)
	// A prompt whose continuation has an end-of-sequence token neither first nor last.
	var p []int32
	var all []int32
	end := -1
	for n := 1; end < 2; n++ {
		p = prompt(n % 20)
		p = append(p, int32(n%toyVocab))
		all = toyTokens(p, 12)
		end = slices.IndexFunc(all, func(id int32) bool { return id == 3 || id == 4 })
	}
	for _, c := range []struct {
		name string
		opts GenerateOptions
		want []int32
		stop StopReason
	}{
		{"eos", GenerateOptions{MaxNewTokens: 12}, all[:end+1], StopEOS},
		{"length", GenerateOptions{MaxNewTokens: end}, all[:end], StopLength},
		{"length and eos", GenerateOptions{MaxNewTokens: end + 1}, all[:end+1], StopEOS},
		{"none", GenerateOptions{}, nil, StopLength},
		{"ignore", GenerateOptions{MaxNewTokens: 12, IgnoreEOS: true}, all, StopLength},
		{"context", GenerateOptions{MaxNewTokens: -1, IgnoreEOS: true}, toyTokens(p, toyContext-len(p)+1), StopLength},
		{"stop id", GenerateOptions{MaxNewTokens: 12, StopIDs: all[1:2]}, all[:slices.Index(all, all[1])+1], StopToken},
		{"callback", GenerateOptions{MaxNewTokens: 12, OnToken: func(id int32) bool { return false }}, all[:1], StopToken},
	} {
		t.Run(c.name, func(t *testing.T) {
			s.Reset()
			g, err := s.Generate(bg, p, c.opts)
			if err != nil || g.Stop != c.stop || !slices.Equal(g.Tokens, c.want) {
				t.Errorf("%v %v %v, want %v %v", g.Tokens, g.Stop, err, c.want, c.stop)
			}
			if want := len(p) + max(0, len(c.want)-1); s.Len() != want || g.Steps != max(0, len(c.want)-1) {
				t.Errorf("length %d, want %d; %d steps", s.Len(), want, g.Steps)
			}
			if g.PromptTime <= 0 || g.Steps > 0 && g.StepTime <= 0 {
				t.Errorf("times %v and %v for %d steps", g.PromptTime, g.StepTime, g.Steps)
			}
		})
	}
	t.Run("cancel", func(t *testing.T) {
		s.Reset()
		ctx, cancel := context.WithCancel(bg)
		defer cancel()
		var seen []int32
		g, err := s.Generate(ctx, p, GenerateOptions{MaxNewTokens: 12, IgnoreEOS: true, OnToken: func(id int32) bool {
			if seen = append(seen, id); len(seen) == 3 {
				cancel()
			}
			return true
		}})
		if !errors.Is(err, context.Canceled) || g.Stop != StopCancel || !slices.Equal(g.Tokens, all[:3]) || !slices.Equal(seen, all[:3]) || s.Len() != len(p)+2 {
			t.Errorf("%+v %v, length %d", g, err, s.Len())
		}
	})
	t.Run("bad prompt", func(t *testing.T) {
		s.Reset()
		if g, err := s.Generate(bg, nil, GenerateOptions{}); diag.KindOf(err) != diag.BadInput || g.Stop != "" {
			t.Errorf("%+v %v", g, err)
		}
	})
}

func TestLogitsSurviveClose(t *testing.T) {
	m := openToy(t, &fake{}, Options{}, 4)
	s := newSession(t, m)
	out, err := s.Prefill(bg, prompt(2))
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if out.Logits[out.Token] != float32(out.Token)+1000 {
		t.Error("the logits changed")
	}
}
