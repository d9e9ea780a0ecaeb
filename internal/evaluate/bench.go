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
	Profile     bool   // time by kernel, too
	// Step is called after every run, of total in all.
	Step func(total int)
}

const (
	minRuns  = 5
	loadRuns = 11
	// probeBytes is what is read to measure the machine: more than any cache holds.
	probeBytes = 1 << 30
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
	// WeightBytes is what a decode step reads of the weights.
	WeightBytes int64 `json:"step_weight_bytes"`
	// ReadGBps is how many gigabytes (1e9) per second the same threads read from memory,
	// measured in between; 0 if there was no memory for it.
	ReadGBps      float64    `json:"read_gb_per_s"`
	ReadQuartiles [2]float64 `json:"read_gb_per_s_quartiles"`
	// Profile is time by kernel, nil unless asked for.
	Profile *Profile `json:"profile,omitempty"`
}

// Speed is that of prompts of one length and of decoding after them, in tokens per
// second of all sequences together. The quartiles say how far to trust the medians.
type Speed struct {
	PromptTokens     int        `json:"prompt_tokens"`
	Prefill          float64    `json:"prefill_tokens_per_s"`
	PrefillQuartiles [2]float64 `json:"prefill_quartiles"`
	Decode           float64    `json:"decode_tokens_per_s"`
	DecodeQuartiles  [2]float64 `json:"decode_quartiles"`
	// BytesPerToken is what decoding has to read for a token, weights and cache, at the
	// mean length; GBps the speed at which it did, BandwidthShare that divided by ReadGBps.
	BytesPerToken  int64   `json:"bytes_per_token"`
	GBps           float64 `json:"gb_per_s"`
	BandwidthShare float64 `json:"bandwidth_share"`
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
	if err := r.measure(ctx, m, w, step); err != nil {
		return r, err
	}
	t, err := newTraffic(m.Manifest())
	if err != nil {
		return r, err
	}
	r.compare(t)
	r.Speed = r.Lengths[0]
	if o.Profile {
		r.Profile, err = profile(ctx, path, o, r)
	}
	return r, err
}

// compare holds decoding against the machine's memory.
func (r *BenchResult) compare(t *traffic) {
	together := 1 // sequences that share the weights of a step
	if r.Batch > 0 {
		together = r.Concurrency
	}
	r.WeightBytes = t.weights(together)
	for i := range r.Lengths {
		l := &r.Lengths[i]
		l.BytesPerToken = r.WeightBytes/int64(together) + t.cache(l.PromptTokens+r.GenTokens/2)
		l.GBps = l.Decode * float64(l.BytesPerToken) / 1e9
		if r.ReadGBps > 0 {
			l.BandwidthShare = l.GBps / r.ReadGBps
		}
	}
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

// measure runs all prompt lengths in turns, and reads memory in between, so that what
// the machine does meanwhile affects them alike.
func (r *BenchResult) measure(ctx context.Context, m *runtime.Model, w workload, step func()) error {
	prefills, decodes := make([][]float64, len(r.Lengths)), make([][]float64, len(r.Lengths))
	var reads []float64
	var probe *runtime.MemoryProbe
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
		if probe == nil && reads == nil {
			// After one run of all, which need as much memory as any.
			r.PeakRSS = PeakRSS()
			if probe, _ = m.NewMemoryProbe(probeBytes); probe != nil {
				defer probe.Close()
			}
			reads = []float64{}
		}
		if probe != nil {
			speed, err := probe.Run()
			if err != nil {
				return err
			}
			reads = append(reads, speed/1e9)
		}
	}
	for i := range r.Lengths {
		l := &r.Lengths[i]
		l.Prefill, l.PrefillQuartiles = median(prefills[i][1:])
		l.Decode, l.DecodeQuartiles = median(decodes[i][1:])
	}
	if len(reads) > 0 {
		r.ReadGBps, r.ReadQuartiles = median(reads[1:])
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
