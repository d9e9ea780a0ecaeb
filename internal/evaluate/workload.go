package evaluate

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/hlocc/hlocc/runtime"
)

// workload is a number of sequences that are run at the same time.
type workload interface {
	// prefill starts all sequences anew with prompts of n tokens.
	prefill(ctx context.Context, n int) error
	// decode appends n greedily chosen tokens to each.
	decode(ctx context.Context, n int) error
	close() error
}

// newWorkload runs one sequence in a session, several in the slots of a batch if the
// bundle has one that is large enough, and else in a session each. It says how many
// sequences the compiled batch is for, 0 if there is none.
func newWorkload(m *runtime.Model, sequences int) (workload, int, error) {
	c := m.Capabilities()
	for _, batch := range c.Batches {
		if sequences > 1 && batch >= sequences {
			b, err := m.NewBatch(sequences)
			if err != nil {
				return nil, 0, err
			}
			return &batched{b: b, vocab: c.VocabSize, tokens: make([]int32, sequences)}, batch, nil
		}
	}
	s := &separate{vocab: c.VocabSize, outs: make([]runtime.Output, sequences)}
	for range sequences {
		one, err := m.NewSession()
		if err != nil {
			_ = s.close()
			return nil, 0, err
		}
		s.sessions = append(s.sessions, one)
	}
	return s, 0, nil
}

// batched runs its sequences in the slots of a batch.
type batched struct {
	b      *runtime.Batch
	vocab  int
	tokens []int32 // the next of each slot
}

func (w *batched) prefill(ctx context.Context, n int) error {
	for i := range w.tokens {
		w.b.Slot(i).Reset()
		out, err := w.b.Slot(i).Prefill(ctx, benchPrompt(i, n, w.vocab))
		if err != nil {
			return err
		}
		w.tokens[i] = out.Token
	}
	return nil
}

func (w *batched) decode(ctx context.Context, n int) error {
	for range n {
		outs, err := w.b.Step(ctx, w.tokens)
		if err != nil {
			return err
		}
		for i, out := range outs {
			w.tokens[i] = out.Token
		}
	}
	return nil
}

func (w *batched) close() error { return w.b.Close() }

// separate runs its sequences in sessions of their own, side by side.
type separate struct {
	sessions []*runtime.Session
	vocab    int
	outs     []runtime.Output
}

func (w *separate) prefill(ctx context.Context, n int) error {
	return w.each(ctx, func(ctx context.Context, i int, s *runtime.Session) (err error) {
		s.Reset()
		w.outs[i], err = s.Prefill(ctx, benchPrompt(i, n, w.vocab))
		return err
	})
}

func (w *separate) decode(ctx context.Context, n int) error {
	return w.each(ctx, func(ctx context.Context, i int, s *runtime.Session) (err error) {
		for range n {
			if w.outs[i], err = s.Step(ctx, w.outs[i].Token); err != nil {
				return err
			}
		}
		return nil
	})
}

func (w *separate) each(ctx context.Context, f func(ctx context.Context, i int, s *runtime.Session) error) error {
	group, ctx := errgroup.WithContext(ctx)
	for i, s := range w.sessions {
		group.Go(func() error { return f(ctx, i, s) })
	}
	return group.Wait()
}

func (w *separate) close() (err error) {
	for _, s := range w.sessions {
		if e := s.Close(); err == nil {
			err = e
		}
	}
	return err
}

// benchPrompt is a fixed sequence of ids; speed does not depend on which.
func benchPrompt(sequence, n, vocab int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32((sequence*7919 + i*104729 + 12345) % vocab)
	}
	return ids
}
