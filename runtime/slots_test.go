package runtime

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
)

func newBatch(t *testing.T, m *Model, size int) *Batch {
	t.Helper()
	b, err := m.NewBatch(size)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestSlots: sequences join, pause, go back, leave and are stepped alone or together,
// some of it in vain; each gives what it gives alone. The toy refuses rows that its
// sequence did not write, and rows of the other length.
func TestSlots(t *testing.T) {
	boom := errors.New("boom")
	for _, past := range []int{0, 13} {
		for _, buckets := range [][]int{nil, {2, 8, 16}} {
			r := rand.New(rand.NewPCG(3, uint64(past)))
			f := &fake{past: past, batches: []int{2, 5}}
			b := newBatch(t, openToy(t, f, Options{}, buckets...), 4)
			if b.Size() != 4 {
				t.Fatalf("%d slots", b.Size())
			}
			want := func(seq []int32, extent int) int32 {
				if past > 0 {
					return f.expected(seq, extent)
				}
				return toyNext(seq)
			}
			var seqs [4][]int32
			var expect [4]int
			failures, together := 0, 0
			for n := range 4000 {
				f.before = nil
				if left := r.IntN(20); left < 3 { // fail in one of the first calls
					f.before = func(context.Context, string) error {
						if left--; left < 0 {
							return boom
						}
						return nil
					}
				}
				i := r.IntN(4)
				s := b.Slot(i)
				switch k := r.IntN(20); {
				case k == 0:
					s.Reset()
					seqs[i], expect[i] = nil, 0
				case k == 1:
					seqs[i] = seqs[i][:r.IntN(len(seqs[i])+1)]
					if err := s.Truncate(len(seqs[i])); err != nil {
						t.Fatal(err)
					}
				case k == 2:
					expect[i] = r.IntN(toyContext + 1)
					s.Expect(expect[i])
				case k < 6:
					more := prompt(1 + r.IntN(12))
					if len(seqs[i])+len(more) > toyContext {
						continue
					}
					out, err := s.Prefill(bg, more)
					if errors.Is(err, boom) {
						failures++
						break
					}
					seqs[i] = append(slices.Clip(seqs[i]), more...)
					if err != nil || out.Token != want(seqs[i], expect[i]) {
						t.Fatalf("%d: prefill of slot %d: %v, %v", n, i, out.Token, err)
					}
				default:
					tokens := []int32{Idle, Idle, Idle, Idle}
					active := 0
					for j := range tokens {
						if r.IntN(3) > 0 && len(seqs[j]) < toyContext {
							tokens[j] = int32(r.IntN(toyVocab))
							active++
						}
					}
					outs, err := b.Step(bg, tokens)
					if active == 0 {
						if diag.KindOf(err) != diag.BadInput {
							t.Fatalf("%d: a step without tokens: %v", n, err)
						}
						break
					}
					if errors.Is(err, boom) {
						failures++
						break
					}
					if err != nil || len(outs) != 4 {
						t.Fatalf("%d: %v", n, err)
					}
					if active > 1 {
						together++
					}
					for j, token := range tokens {
						if token == Idle {
							if outs[j].Logits != nil || outs[j].Token != 0 {
								t.Fatalf("%d: output of idle slot %d: %v", n, j, outs[j])
							}
							continue
						}
						seqs[j] = append(slices.Clip(seqs[j]), token)
						if id := want(seqs[j], expect[j]); outs[j].Token != id || outs[j].Logits[id] != float32(id)+1000 {
							t.Fatalf("%d: slot %d: %d, want %d", n, j, outs[j].Token, id)
						}
					}
				}
				for j := range seqs {
					if b.Slot(j).Len() != len(seqs[j]) {
						t.Fatalf("%d: slot %d has length %d, want %d", n, j, b.Slot(j).Len(), len(seqs[j]))
					}
				}
			}
			if failures < 100 || together < 1000 {
				t.Errorf("%d failures, %d steps of several slots", failures, together)
			}
			if slices.Contains(f.calls, "decode_batch_2:1") || !slices.Contains(f.calls, "decode_batch_5:1") {
				t.Error("not the batch that was asked for")
			}
		}
	}
}

func TestNewBatchRefuses(t *testing.T) {
	for _, c := range []struct {
		name    string
		batches []int
		size    int
		want    []string
	}{
		{"none", nil, 4, []string{"it has none", "--slots 4"}},
		{"none, one slot", nil, 1, []string{"--slots 2"}},
		{"too large", []int{2, 5}, 6, []string{"a batch of 6 sequences", "want 1 to 5", "--slots 6"}},
		{"zero", []int{2}, 0, []string{"a batch of 0 sequences", "want 1 to 2"}},
		{"negative", []int{2}, -1, []string{"want 1 to 2"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := openToy(t, &fake{batches: c.batches}, Options{}, 4)
			_, err := m.NewBatch(c.size)
			for _, s := range append(c.want, "toy.hlocc") {
				if diag.KindOf(err) != diag.Unsupported || !strings.Contains(err.Error(), s) {
					t.Errorf("%v\nlacks %q", err, s)
				}
			}
		})
	}
	t.Run("alignment", func(t *testing.T) {
		manifest := toyManifest(4)
		for i := range manifest.Model.KV {
			manifest.Model.KV[i].Shape[0]++
		}
		m := openManifest(t, &fake{}, Options{}, withBatches(manifest, 2))
		if _, err := m.NewBatch(2); diag.KindOf(err) != diag.Unsupported || !strings.Contains(err.Error(), "want a multiple of 64 bytes for each, found 196 bytes") {
			t.Errorf("%v", err)
		}
	})
}

func TestNewBatchFailsCleanly(t *testing.T) {
	for n := int64(1); n < 9; n++ {
		f := &fake{failTensors: n, batches: []int{2}}
		m := openToy(t, f, Options{}, 4)
		if _, err := m.NewBatch(2); err == nil {
			t.Errorf("with %d tensors: no error", n)
		}
		if f.tensors.Load() != 0 || f.instances.Load() != 0 {
			t.Errorf("with %d tensors: %d tensors, %d instances left", n, f.tensors.Load(), f.instances.Load())
		}
	}
	for _, f := range []*fake{{failInstance: "decode_batch_2"}, {failLoad: "decode_batch_2"}} {
		f.batches = []int{2}
		m := openToy(t, f, Options{}, 4)
		if _, err := m.NewBatch(2); err == nil || !strings.Contains(err.Error(), "decode_batch_2") {
			t.Errorf("%v", err)
		}
		if f.tensors.Load() != 0 || f.instances.Load() != 0 {
			t.Errorf("%d tensors, %d instances left", f.tensors.Load(), f.instances.Load())
		}
	}
}

func TestBatchBadInput(t *testing.T) {
	m := openToy(t, &fake{batches: []int{3}}, Options{}, 4, 32)
	b := newBatch(t, m, 3)
	if _, err := b.Slot(1).Prefill(bg, prompt(toyContext)); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Slot(2).Prefill(bg, prompt(7)); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		tokens []int32
		code   string
		text   string
	}{
		{nil, "batch_size", "want 3, found 0"},
		{make([]int32, 4), "batch_size", "want 3, found 4"},
		{[]int32{Idle, Idle, Idle}, "empty_step", "all slots are idle"},
		{[]int32{1, 1, 1}, "context_full", "slot 1"},
		{[]int32{1, Idle, toyVocab}, "token_id", "slot 2"},
		{[]int32{-2, Idle, 1}, "token_id", "slot 0"},
	} {
		_, err := b.Step(bg, c.tokens)
		var e *diag.Error
		if !errors.As(err, &e) || e.Kind != diag.BadInput || e.Code != c.code || !strings.Contains(err.Error(), c.text) {
			t.Errorf("%v: %v", c.tokens, err)
		}
		if b.Slot(0).Len() != 0 || b.Slot(1).Len() != toyContext || b.Slot(2).Len() != 7 {
			t.Errorf("%v changed the lengths", c.tokens)
		}
	}
	ctx, cancel := context.WithCancel(bg)
	cancel()
	if _, err := b.Step(ctx, []int32{1, Idle, 1}); !errors.Is(err, context.Canceled) || b.Slot(2).Len() != 7 {
		t.Errorf("cancelled: %v", err)
	}
	outs, err := b.Step(bg, []int32{1, Idle, 1})
	if err != nil || outs[2].Token != toyNext(append(prompt(7), 1)) {
		t.Errorf("afterwards: %v", err)
	}
}

// TestBatchNotInPlace: a batch whose caches are not known any more says so, and still
// gives everything back.
func TestBatchNotInPlace(t *testing.T) {
	f := &fake{batches: []int{2}}
	b := newBatch(t, openToy(t, f, Options{}, 4), 2)
	if _, err := b.Slot(0).Prefill(bg, prompt(5)); err != nil {
		t.Fatal(err)
	}
	f.after = func(r []tensor) []tensor { r[0] = f.alloc(bundle.F32, []int{1}); return r }
	if _, err := b.Step(bg, []int32{1, 2}); err == nil || !strings.Contains(err.Error(), "did not update the KV cache in place") || b.Slot(0).Len() != 5 {
		t.Errorf("%v", err)
	}
	f.after = nil
	if _, err := b.Slot(1).Step(bg, 1); err == nil || !strings.Contains(err.Error(), "this batch cannot be used any more") {
		t.Errorf("afterwards: %v", err)
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
}

func TestBatchClose(t *testing.T) {
	f := &fake{batches: []int{2}}
	m := openToy(t, f, Options{}, 4)
	b := newBatch(t, m, 2)
	s := b.Slot(1)
	if _, err := s.Prefill(bg, prompt(3)); err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil || s.Len() != 0 {
		t.Errorf("Close of a slot: %v, length %d", err, s.Len())
	}
	if _, err := s.Prefill(bg, prompt(3)); err != nil {
		t.Errorf("a slot after its Close: %v", err)
	}
	for range 2 {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	}
	for name, do := range map[string]func() error{
		"batch": func() error { _, err := b.Step(bg, []int32{1, 1}); return err },
		"slot":  func() error { _, err := s.Step(bg, 1); return err },
	} {
		if err := do(); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "the batch was closed") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A step is under way when the model is closed, which waits for it.
	b = newBatch(t, m, 2)
	started, goOn := make(chan bool), make(chan bool)
	f.before = func(context.Context, string) error { close(started); <-goOn; return nil }
	stepped, closed := make(chan error, 1), make(chan error, 1)
	go func() { _, err := b.Step(bg, []int32{1, 1}); stepped <- err }()
	<-started
	go func() { closed <- m.Close() }()
	select {
	case <-closed:
		t.Error("Close did not wait")
	case <-time.After(20 * time.Millisecond):
	}
	close(goOn)
	if err := errors.Join(<-stepped, <-closed); err != nil {
		t.Error(err)
	}
	f.clean(t)
	if _, err := b.Step(bg, []int32{1, 1}); !errors.Is(err, ErrClosed) || !strings.Contains(err.Error(), "the model was closed") {
		t.Errorf("%v", err)
	}
	if _, err := m.NewBatch(2); !errors.Is(err, ErrClosed) {
		t.Errorf("%v", err)
	}
}
