package runtime

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"testing"
)

// expected is the toy's next token after a sequence that has or will have extent tokens.
func (f *fake) expected(tokens []int32, extent int) int32 {
	next := toyNext(tokens)
	if max(len(tokens), extent) > f.past {
		next = (next + 1) % toyVocab
	}
	return next
}

// TestRecompute appends, truncates, announces and fails at random: every output
// is that of the sequence as it then is. The toy refuses rows of the other length.
func TestRecompute(t *testing.T) {
	boom := errors.New("boom")
	for _, buckets := range [][]int{nil, {4}, {2, 8, 16}} {
		for _, only := range []bool{false, true} {
			r := rand.New(rand.NewPCG(1, 2))
			f := &fake{past: 13}
			s := newSession(t, openToy(t, f, Options{PrefillGraphsOnly: only}, buckets...))
			var tokens []int32
			expect, failures := 0, 0
			for i := range 3000 {
				switch k := r.IntN(12); {
				case k == 0:
					s.Reset()
					tokens, expect = nil, 0
				case k == 1:
					tokens = tokens[:r.IntN(len(tokens)+1)]
					if err := s.Truncate(len(tokens)); err != nil {
						t.Fatal(err)
					}
				case k == 2:
					expect = r.IntN(toyContext + 1)
					s.Expect(expect)
				default:
					more := prompt(1 + r.IntN(12))
					if k < 8 {
						more = more[:1]
					}
					if len(tokens)+len(more) > toyContext {
						continue
					}
					f.before = nil
					if left := r.IntN(20); left < 3 { // fail in one of the first calls
						f.before = func(context.Context, string) error {
							if left--; left < 0 {
								return boom
							}
							return nil
						}
					}
					var out Output
					var err error
					if k < 8 {
						out, err = s.Step(bg, more[0])
					} else {
						out, err = s.Prefill(bg, more)
					}
					if errors.Is(err, boom) {
						failures++
						break
					}
					if tokens = append(slices.Clip(tokens), more...); err != nil || out.Token != f.expected(tokens, expect) {
						t.Fatalf("%d: buckets %v, %d tokens, %d expected: %d, %v", i, buckets, len(tokens), expect, out.Token, err)
					}
				}
				if s.Len() != len(tokens) {
					t.Fatalf("%d: length %d, want %d", i, s.Len(), len(tokens))
				}
			}
			if failures < 50 {
				t.Errorf("%d failures", failures)
			}
		}
	}
}

// TestRecomputeOnce: the sequence is computed again when it grows past the length,
// not before and not after, and not at all if the length was announced.
func TestRecomputeOnce(t *testing.T) {
	f := &fake{past: 13}
	s := newSession(t, openToy(t, f, Options{}, 4, 16))
	count := func(want int, do func() (Output, error)) {
		t.Helper()
		f.calls = nil
		if _, err := do(); err != nil {
			t.Fatal(err)
		}
		if len(f.calls) != want {
			t.Errorf("length %d: calls %v, want %d", s.Len(), f.calls, want)
		}
	}
	step := func() (Output, error) { return s.Step(bg, 7) }
	fill := func() (Output, error) { return s.Prefill(bg, prompt(12)) }
	count(1, fill)
	count(1, step) // 13
	f.calls = nil
	if _, err := step(); err != nil || f.calls[0] != "prefill_16:14" || len(f.calls) != 1 {
		t.Errorf("calls %v, %v", f.calls, err)
	}
	count(1, step)
	if err := s.Truncate(13); err != nil {
		t.Fatal(err)
	}
	count(1, step) // 14 again: still the right rows
	if err := s.Truncate(3); err != nil {
		t.Fatal(err)
	}
	count(1, step) // 4: all again, in one call
	if f.calls[0] != "prefill_4:4" {
		t.Errorf("calls %v", f.calls)
	}
	s.Reset()
	s.Expect(20)
	count(1, fill)
	for range 8 {
		count(1, step)
	}
}
