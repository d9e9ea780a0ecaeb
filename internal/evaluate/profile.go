package evaluate

import (
	"context"
	"time"

	"github.com/hlocc/hlocc/runtime"
)

// Profile is what prefill and decoding spend their time on.
type Profile struct {
	PromptTokens int           `json:"prompt_tokens"`
	Prefill      []KernelShare `json:"prefill"` // of one prompt of each sequence
	Decode       []KernelShare `json:"decode"`  // of one step of all sequences
}

// KernelShare is the part of one kernel. The last of a list, named "outside", is what
// passed between kernels: the bytecode, copies of results, handing work to threads.
type KernelShare struct {
	Name         string  `json:"name"`
	Calls        float64 `json:"calls"`
	Microseconds float64 `json:"us"`
	Share        float64 `json:"share"` // of all
}

// outside is no name of a compiled function.
const outside = "outside"

// profile runs the first prompt length once more, in a model that measures its kernels;
// one that does not loses nothing.
func profile(ctx context.Context, path string, o BenchOptions, r BenchResult) (*Profile, error) {
	m, err := runtime.OpenContext(ctx, path, runtime.Options{Threads: o.Threads, Target: o.Target, CopyWeights: o.CopyWeights, Profile: true})
	if err != nil {
		return nil, err
	}
	defer m.Close()
	w, _, err := newWorkload(m, r.Concurrency)
	if err != nil {
		return nil, err
	}
	defer w.close()
	p := &Profile{PromptTokens: r.PromptTokens}
	for range 2 { // the first time is not counted
		m.TakeProfile()
		begin := time.Now()
		if err := w.prefill(ctx, r.PromptTokens); err != nil {
			return nil, err
		}
		p.Prefill = shares(m.TakeProfile(), time.Since(begin), 1)
		begin = time.Now()
		if err := w.decode(ctx, r.GenTokens); err != nil {
			return nil, err
		}
		p.Decode = shares(m.TakeProfile(), time.Since(begin), r.GenTokens)
	}
	return p, nil
}

// shares divides times by a number of rounds and by what they took in all.
func shares(times []runtime.KernelTime, all time.Duration, rounds int) []KernelShare {
	rest := all
	for _, t := range times {
		rest -= t.Time
	}
	var list []KernelShare
	for _, t := range append(times, runtime.KernelTime{Name: outside, Time: max(rest, 0)}) {
		list = append(list, KernelShare{
			Name: t.Name, Calls: float64(t.Calls) / float64(rounds),
			Microseconds: float64(t.Time) / float64(time.Microsecond) / float64(rounds), Share: float64(t.Time) / float64(all),
		})
	}
	return list
}
