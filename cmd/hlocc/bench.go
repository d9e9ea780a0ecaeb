package main

import (
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/evaluate"
	"github.com/hlocc/hlocc/internal/progress"
)

func benchCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "bench",
		Usage:     "measure the speed of a bundle on this machine",
		ArgsUsage: "FILE",
		Description: examples("Loads the bundle 11 times, then runs a prompt and greedy decoding at least 5 times, each after one run that is not\n"+
			"counted, and prints medians with their quartiles. What decoding reads is compared with the speed at which as many\n"+
			"threads read memory that no cache holds, measured between the runs.",
			"hlocc bench smol.hlocc", "hlocc bench smol.hlocc --threads 1 --prompt-tokens 128,512 --json",
			"hlocc bench smol.hlocc --concurrency 8 --profile"),
		Flags: append(modelFlags(),
			&cli.StringFlag{Name: "prompt-tokens", Usage: "`LENGTHS` of the prompts, separated by commas (default: 128, or half of the context)"},
			&cli.IntFlag{Name: "gen-tokens", Usage: "decode `N` tokens (default: 64, or what the context leaves)"},
			&cli.IntFlag{Name: "concurrency", Value: 1, Usage: "run `B` sequences at the same time, in a batch if the bundle has one"},
			&cli.IntFlag{Name: "runs", Value: 5, Usage: "count `N` runs, 5 or more"},
			&cli.BoolFlag{Name: "profile", Usage: "print the time by kernel, too", DisableDefaultText: true},
			jsonFlag(),
		),
		Action: action(e, runBench),
	}
}

func runBench(c *cli.Context, e *env) error {
	args, err := positional(c, "FILE")
	if err != nil {
		return err
	}
	mo, err := e.modelOptions(c)
	if err != nil {
		return err
	}
	for _, f := range []struct {
		name  string
		least int
	}{{"gen-tokens", 1}, {"concurrency", 1}, {"runs", 5}} {
		if c.IsSet(f.name) && c.Int(f.name) < f.least {
			return usage("--"+f.name, fmt.Sprintf("give %d or more", f.least), "%d is too few", c.Int(f.name))
		}
	}
	prompts, err := sizes(c, "prompt-tokens", "128,512")
	if err != nil {
		return err
	}
	if len(prompts) > 0 && slices.Min(prompts) < 1 {
		return usage("--prompt-tokens", "give 1 or more", "%d is too few", slices.Min(prompts))
	}
	var stage *progress.Stage
	r, err := evaluate.Bench(c.Context, args[0], evaluate.BenchOptions{
		Threads: mo.Threads, Target: mo.Target, CopyWeights: mo.CopyWeights, Prompts: prompts, Generate: c.Int("gen-tokens"),
		Concurrency: c.Int("concurrency"), Runs: c.Int("runs"), Profile: c.Bool("profile"),
		Step: func(total int) {
			if stage == nil {
				stage = e.progress().Stage("bench", int64(total), progress.Items)
			}
			stage.Add(1)
		},
	})
	stage.Abandon()
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(r)
	}
	together := ""
	if r.Batch > 0 {
		together = fmt.Sprintf(" in a batch of %d", r.Batch)
	}
	e.printf("%s, %d threads, %d sequences%s, medians of %d runs (quartiles)\n", r.Target, r.Threads, r.Concurrency, together, r.Runs)
	e.row("load", "%.1f ms (%.1f to %.1f)", r.LoadMS, r.LoadQuartiles[0], r.LoadQuartiles[1])
	for _, l := range r.Lengths {
		e.row("prefill", "%.1f tokens/s (%.1f to %.1f), %d tokens", l.Prefill, l.PrefillQuartiles[0], l.PrefillQuartiles[1], l.PromptTokens)
		e.row("decode", "%.1f tokens/s (%.1f to %.1f), %d tokens after %d", l.Decode, l.DecodeQuartiles[0], l.DecodeQuartiles[1], r.GenTokens, l.PromptTokens)
		e.row("", "%s a token, %.1f GB/s%s", size(l.BytesPerToken), l.GBps, share(l.BandwidthShare))
	}
	if r.ReadGBps > 0 {
		e.row("memory", "%.1f GB/s (%.1f to %.1f) read by as many threads", r.ReadGBps, r.ReadQuartiles[0], r.ReadQuartiles[1])
	}
	if r.PeakRSS > 0 {
		e.row("peak memory", "%s", size(r.PeakRSS))
	}
	if p := r.Profile; p != nil {
		e.kernels(fmt.Sprintf("%d prompts of %d tokens", r.Concurrency, p.PromptTokens), p.Prefill)
		e.kernels("a decode step of all sequences", p.Decode)
	}
	return nil
}

// share is how a fraction of the memory's speed is told, nothing if it is not known.
func share(x float64) string {
	if x == 0 {
		return ""
	}
	return fmt.Sprintf(", %.0f%% of what memory gives", 100*x)
}

// kernels prints the kernels that matter.
func (e *env) kernels(of string, list []evaluate.KernelShare) {
	e.printf("\nmicroseconds of %s\n", of)
	var rest evaluate.KernelShare
	for i, k := range list {
		if k.Share < 0.005 && i < len(list)-1 {
			rest.Calls += k.Calls
			rest.Microseconds += k.Microseconds
			rest.Share += k.Share
			continue
		}
		e.kernel(k)
	}
	if rest.Name = "all others"; rest.Calls > 0 {
		e.kernel(rest)
	}
}

func (e *env) kernel(k evaluate.KernelShare) {
	e.printf("  %10.1f %5.1f%% %6.0f calls  %s\n", k.Microseconds, 100*k.Share, k.Calls, k.Name)
}
