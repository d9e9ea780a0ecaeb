package evaluate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime"
)

// BenchOptions are the settings of Bench. Zero values mean the defaults.
type BenchOptions struct {
	Threads     int    // for one call; 0 is one for each CPU
	Target      string // "" is the best that this CPU can run
	CopyWeights bool   // see runtime.Options
	Prompt      int    // tokens of the prompt, 128 or half of the context
	Generate    int    // decode steps, 64 or what the context leaves
	Concurrency int    // sessions at the same time, 1
	Runs        int    // at least 5, which is the default
	// Step is called after every run, of total in all.
	Step func(total int)
}

const (
	minRuns  = 5
	loadRuns = 11
)

// BenchResult holds medians over the runs.
type BenchResult struct {
	Target       string  `json:"target"`
	Threads      int     `json:"threads"`
	PromptTokens int     `json:"prompt_tokens"`
	GenTokens    int     `json:"gen_tokens"`
	Concurrency  int     `json:"concurrency"`
	Runs         int     `json:"runs"`
	Prefill      float64 `json:"prefill_tokens_per_s"` // all sessions together
	Decode       float64 `json:"decode_tokens_per_s"`
	// LoadMS is the time from Open to the first session, in milliseconds.
	LoadMS float64 `json:"load_ms"`
	// PeakRSS is the process's highest resident memory, mapped weights included;
	// 0 where the system does not tell.
	PeakRSS int64 `json:"peak_rss_bytes"`
	// The runs' quartiles say how far to trust the medians.
	PrefillQuartiles [2]float64 `json:"prefill_quartiles"`
	DecodeQuartiles  [2]float64 `json:"decode_quartiles"`
	LoadQuartiles    [2]float64 `json:"load_ms_quartiles"`
}

// Bench measures a bundle: loading, then prefill of a prompt and greedy decoding
// after it. The first run of each is not counted.
func Bench(ctx context.Context, path string, o BenchOptions) (BenchResult, error) {
	o.Runs = max(o.Runs, minRuns)
	o.Concurrency = max(o.Concurrency, 1)
	total := loadRuns + 1 + o.Runs + 1
	step := func() {
		if o.Step != nil {
			o.Step(total)
		}
	}
	r := BenchResult{Runs: o.Runs, Concurrency: o.Concurrency}
	var loads []float64
	for range loadRuns + 1 {
		ms, err := loadTime(ctx, path, o)
		if err != nil {
			return r, err
		}
		loads = append(loads, ms)
		step()
	}
	r.LoadMS, r.LoadQuartiles = median(loads[1:])

	m, err := runtime.OpenContext(ctx, path, runtime.Options{Threads: o.Threads, Target: o.Target, CopyWeights: o.CopyWeights})
	if err != nil {
		return r, err
	}
	defer m.Close()
	c := m.Capabilities()
	r.Target, r.Threads = c.Target.Name, c.Threads
	if err := r.lengths(o, c.Context); err != nil {
		return r, err
	}
	sessions := make([]Sequence, o.Concurrency)
	for i := range sessions {
		s, err := m.NewSession()
		if err != nil {
			return r, err
		}
		defer s.Close()
		sessions[i] = s
	}
	var prefills, decodes []float64
	for range o.Runs + 1 {
		p, d, err := benchRun(ctx, sessions, r.PromptTokens, r.GenTokens, c.VocabSize)
		if err != nil {
			return r, err
		}
		prefills, decodes = append(prefills, p), append(decodes, d)
		step()
	}
	r.Prefill, r.PrefillQuartiles = median(prefills[1:])
	r.Decode, r.DecodeQuartiles = median(decodes[1:])
	r.PeakRSS = PeakRSS()
	return r, nil
}

// lengths chooses what was not asked for and checks what was.
func (r *BenchResult) lengths(o BenchOptions, context int) error {
	r.PromptTokens, r.GenTokens = o.Prompt, o.Generate
	if o.Prompt == 0 {
		r.PromptTokens = max(1, min(128, context/2))
	}
	if o.Generate == 0 {
		r.GenTokens = max(1, min(64, context-r.PromptTokens))
	}
	if r.PromptTokens < 1 || r.GenTokens < 1 || r.PromptTokens+r.GenTokens > context {
		return &diag.Error{Kind: diag.Usage, Code: "bench_lengths", Message: "the benchmark does not fit into the context",
			Want:  fmt.Sprintf("--prompt-tokens and --gen-tokens of 1 or more, together at most %d", context),
			Found: fmt.Sprintf("%d and %d", r.PromptTokens, r.GenTokens)}
	}
	return nil
}

func loadTime(ctx context.Context, path string, o BenchOptions) (ms float64, err error) {
	begin := time.Now()
	m, err := runtime.OpenContext(ctx, path, runtime.Options{Threads: o.Threads, Target: o.Target, CopyWeights: o.CopyWeights})
	if err != nil {
		return 0, err
	}
	defer m.Close()
	s, err := m.NewSession()
	if err != nil {
		return 0, err
	}
	ms = float64(time.Since(begin)) / float64(time.Millisecond)
	return ms, s.Close()
}

// benchRun gives tokens per second of prefill and of decoding.
func benchRun(ctx context.Context, sessions []Sequence, prompt, generate, vocab int) (prefill, decode float64, err error) {
	outs := make([]runtime.Output, len(sessions))
	each := func(f func(ctx context.Context, i int) error) (time.Duration, error) {
		begin := time.Now()
		group, ctx := errgroup.WithContext(ctx)
		for i := range sessions {
			group.Go(func() error { return f(ctx, i) })
		}
		err := group.Wait()
		return time.Since(begin), err
	}
	d, err := each(func(ctx context.Context, i int) (err error) {
		sessions[i].Reset()
		outs[i], err = sessions[i].Prefill(ctx, benchPrompt(i, prompt, vocab))
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	prefill = float64(prompt*len(sessions)) / d.Seconds()
	d, err = each(func(ctx context.Context, i int) (err error) {
		for range generate {
			if outs[i], err = sessions[i].Step(ctx, outs[i].Token); err != nil {
				return err
			}
		}
		return nil
	})
	return prefill, float64(generate*len(sessions)) / d.Seconds(), err
}

// benchPrompt is a fixed sequence of ids; speed does not depend on which.
func benchPrompt(session, n, vocab int) []int32 {
	ids := make([]int32, n)
	for i := range ids {
		ids[i] = int32((session*7919 + i*104729 + 12345) % vocab)
	}
	return ids
}

// median gives the median and the quartiles, by interpolation between ranks.
func median(v []float64) (float64, [2]float64) {
	s := slices.Sorted(slices.Values(v))
	at := func(q float64) float64 {
		x := q * float64(len(s)-1)
		i := int(x)
		if i+1 == len(s) {
			return s[i]
		}
		return s[i] + (x-float64(i))*(s[i+1]-s[i])
	}
	return at(0.5), [2]float64{at(0.25), at(0.75)}
}
