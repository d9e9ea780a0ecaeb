package evaluate

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime"
)

// BenchOptions are the settings of Bench. Zero values mean the defaults.
type BenchOptions struct {
	Threads     int    // for one call; 0 is one for each CPU
	Target      string // "" is the best that this CPU can run
	CopyWeights bool   // see runtime.Options
	Prompts     []int  // lengths of the prompts, 128 or half of the context
	Generate    int    // decode steps, 64 or what the context leaves
	Concurrency int    // sequences at the same time, 1
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
	Target      string `json:"target"`
	Threads     int    `json:"threads"`
	Concurrency int    `json:"concurrency"`
	// Batch is how many sequences the compiled batch is for that ran them together; 0
	// means that each ran by itself.
	Batch     int `json:"batch"`
	GenTokens int `json:"gen_tokens"`
	Runs      int `json:"runs"`
	// Speed is that of the first prompt length.
	Speed
	// Lengths are the speeds of all prompt lengths, in the order that was asked for.
	Lengths []Speed `json:"lengths"`
	// LoadMS is the time from Open to the first session, in milliseconds.
	LoadMS        float64    `json:"load_ms"`
	LoadQuartiles [2]float64 `json:"load_ms_quartiles"`
	// PeakRSS is the process's highest resident memory, mapped weights included;
	// 0 where the system does not tell.
	PeakRSS int64 `json:"peak_rss_bytes"`
}

// Speed is that of prompts of one length and of decoding after them, in tokens per
// second of all sequences together. The quartiles say how far to trust the medians.
type Speed struct {
	PromptTokens     int        `json:"prompt_tokens"`
	Prefill          float64    `json:"prefill_tokens_per_s"`
	PrefillQuartiles [2]float64 `json:"prefill_quartiles"`
	Decode           float64    `json:"decode_tokens_per_s"`
	DecodeQuartiles  [2]float64 `json:"decode_quartiles"`
}

// Bench measures a bundle: loading, then prefill of prompts and greedy decoding
// after them. The first run of each is not counted.
func Bench(ctx context.Context, path string, o BenchOptions) (BenchResult, error) {
	o.Runs = max(o.Runs, minRuns)
	o.Concurrency = max(o.Concurrency, 1)
	total := loadRuns + 1 + (o.Runs+1)*max(len(o.Prompts), 1)
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
	w, batch, err := newWorkload(m, o.Concurrency)
	if err != nil {
		return r, err
	}
	defer w.close()
	r.Batch = batch
	if err := r.measure(ctx, w, step); err != nil {
		return r, err
	}
	r.Speed = r.Lengths[0]
	r.PeakRSS = PeakRSS()
	return r, nil
}

// lengths chooses what was not asked for and checks what was.
func (r *BenchResult) lengths(o BenchOptions, context int) error {
	prompts := o.Prompts
	if len(prompts) == 0 {
		prompts = []int{max(1, min(128, context/2))}
	}
	longest := slices.Max(prompts)
	if r.GenTokens = o.Generate; o.Generate == 0 {
		r.GenTokens = max(1, min(64, context-longest))
	}
	if slices.Min(prompts) < 1 || r.GenTokens < 1 || longest+r.GenTokens > context {
		return &diag.Error{Kind: diag.Usage, Code: "bench_lengths", Message: "the benchmark does not fit into the context",
			Want:  fmt.Sprintf("--prompt-tokens and --gen-tokens of 1 or more, together at most %d", context),
			Found: fmt.Sprintf("%v and %d", prompts, r.GenTokens)}
	}
	r.Lengths = nil
	for _, n := range prompts {
		r.Lengths = append(r.Lengths, Speed{PromptTokens: n})
	}
	return nil
}

// measure runs all prompt lengths in turns, so that what the machine does meanwhile
// affects them alike.
func (r *BenchResult) measure(ctx context.Context, w workload, step func()) error {
	prefills, decodes := make([][]float64, len(r.Lengths)), make([][]float64, len(r.Lengths))
	for range r.Runs + 1 {
		for i, l := range r.Lengths {
			begin := time.Now()
			if err := w.prefill(ctx, l.PromptTokens); err != nil {
				return err
			}
			middle := time.Now()
			if err := w.decode(ctx, r.GenTokens); err != nil {
				return err
			}
			prefills[i] = append(prefills[i], float64(l.PromptTokens*r.Concurrency)/middle.Sub(begin).Seconds())
			decodes[i] = append(decodes[i], float64(r.GenTokens*r.Concurrency)/time.Since(middle).Seconds())
			step()
		}
	}
	for i := range r.Lengths {
		l := &r.Lengths[i]
		l.Prefill, l.PrefillQuartiles = median(prefills[i][1:])
		l.Decode, l.DecodeQuartiles = median(decodes[i][1:])
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
