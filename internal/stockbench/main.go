// Command stockbench compares our runtime with the stock IREE runtime on the
// modules of a bundle: the same .vmfb, the same weights, the same arguments, in
// turns, with one thread and with two.
//
//	go run ./internal/stockbench -benchmark-module PATH BUNDLE
//
// It prints one table row per graph and number of threads: medians, and the
// median of the ratios of neighbouring runs with its interquartile range. Above 1
// our runtime is faster. "Stock" is the faster of local-sync and local-task. "Huge"
// is the share of the mapped bundle that our process has in huge pages; the stock
// tool copies the weights into memory of its own, in small ones.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"time"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/extract"
	"github.com/hlocc/hlocc/internal/ireebench"
	hlocc "github.com/hlocc/hlocc/runtime"
)

func main() {
	tool := flag.String("benchmark-module", "iree-benchmark-module", "the stock tool")
	rounds := flag.Int("rounds", 9, "interleaved rounds")
	seconds := flag.Float64("seconds", 2, "time of one measurement")
	copyWeights := flag.Bool("copy-weights", false, "our runtime copies the weights too")
	graphs := flag.String("graphs", "decode", "graphs, separated by commas")
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	b := bench{tool: *tool, path: flag.Arg(0), rounds: *rounds, each: time.Duration(*seconds * float64(time.Second)), copyWeights: *copyWeights}
	if err := b.run(ctx, strings.Split(*graphs, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "stockbench:", err)
		os.Exit(1)
	}
}

type bench struct {
	tool, path string
	rounds     int
	each       time.Duration

	copyWeights bool

	commands map[string][]string // graph -> iree-run-module and its arguments
	target   string
}

func (b *bench) run(ctx context.Context, graphs []string) error {
	dir, err := os.MkdirTemp("", "stockbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	model, err := hlocc.Open(b.path, hlocc.Options{Threads: 1})
	if err != nil {
		return err
	}
	b.target = model.Target().Name
	manifest := model.Manifest()
	if err := model.Close(); err != nil {
		return err
	}
	if err := b.extract(ctx, filepath.Join(dir, "files")); err != nil {
		return err
	}
	fmt.Printf("target %s, %d CPUs, %d rounds of %v\n\n", b.target, goruntime.NumCPU(), b.rounds, b.each)
	fmt.Println("| graph | threads | ours ms | stock ms | stock device | ratio | quartiles | huge |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	for _, id := range graphs {
		g := manifest.Graph(id)
		if g == nil {
			return fmt.Errorf("%s has no graph %q", b.path, id)
		}
		for _, threads := range []int{1, 2} {
			if err := b.compare(ctx, g, threads); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) extract(ctx context.Context, dir string) error {
	r, err := bundle.Open(b.path)
	if err != nil {
		return err
	}
	defer r.Close()
	files, err := extract.Run(ctx, r, dir, []string{b.target}, func(int64, int64) {})
	if err != nil {
		return err
	}
	b.commands = map[string][]string{}
	for _, f := range files {
		b.commands[f.Graph] = f.Command
	}
	return nil
}

func (b *bench) compare(ctx context.Context, g *bundle.Graph, threads int) error {
	model, err := hlocc.Open(b.path, hlocc.Options{Threads: threads, PrefillGraphsOnly: true, CopyWeights: b.copyWeights})
	if err != nil {
		return err
	}
	defer model.Close()
	s, err := model.NewSession()
	if err != nil {
		return err
	}
	defer s.Close()
	if err := touch(ctx, s, model.Manifest().Model.Context); err != nil {
		return err
	}
	devices := map[string][]string{
		"local-sync": {"--device=local-sync"},
		"local-task": {"--device=local-task", fmt.Sprintf("--task_topology_group_count=%d", threads)},
	}
	stock := map[string][]float64{}
	var ours []float64
	for range b.rounds {
		t, err := b.ours(ctx, s, g)
		if err != nil {
			return err
		}
		ours = append(ours, t)
		for _, name := range []string{"local-sync", "local-task"} {
			if threads > 1 && name == "local-sync" && len(stock[name]) > 2 {
				continue // one thread: a few runs tell whether it is the faster one
			}
			t, err := b.stock(ctx, g, devices[name])
			if err != nil {
				return err
			}
			stock[name] = append(stock[name], t)
		}
	}
	best := "local-sync"
	if median(stock["local-task"]) < median(stock[best]) {
		best = "local-task"
	}
	var ratios []float64
	for i, t := range stock[best] {
		ratios = append(ratios, t/ours[i])
	}
	slices.Sort(ratios)
	share := "unknown"
	if huge, mapped := hugePages(b.path); mapped > 0 {
		share = fmt.Sprintf("%.0f%%", 100*float64(huge)/float64(mapped))
	}
	fmt.Printf("| %s | %d | %.2f | %.2f | %s | %.3f | %.3f to %.3f | %s |\n", g.ID, threads, median(ours), median(stock[best]), best,
		median(ratios), ratios[len(ratios)/4], ratios[len(ratios)*3/4], share)
	return nil
}

// touch writes every row of the cache. Pages that were never written are all the
// same page of zeros, which stays in the processor's cache and would flatter us:
// the stock tool fills its arguments.
func touch(ctx context.Context, s *hlocc.Session, context int) error {
	_, err := s.Prefill(ctx, make([]int32, context))
	return err
}

// ours is the time of one call in milliseconds, of as many as fit the time: from
// an empty cache, as the stock tool does it.
func (b *bench) ours(ctx context.Context, s *hlocc.Session, g *bundle.Graph) (float64, error) {
	prompt := make([]int32, max(1, g.Bucket))
	call := func() error {
		s.Reset()
		var err error
		if g.Kind == bundle.Prefill {
			_, err = s.Prefill(ctx, prompt)
		} else {
			_, err = s.Step(ctx, 0)
		}
		return err
	}
	if err := call(); err != nil {
		return 0, err
	}
	n, start := 0, time.Now()
	for time.Since(start) < b.each {
		if err := call(); err != nil {
			return 0, err
		}
		n++
	}
	return time.Since(start).Seconds() * 1e3 / float64(n), nil
}

// stock runs the stock tool once and gives its time of one call in milliseconds.
func (b *bench) stock(ctx context.Context, g *bundle.Graph, device []string) (float64, error) {
	args := slices.Clone(device)
	for _, a := range b.commands[g.ID][1:] {
		if strings.HasPrefix(a, "--device") {
			continue
		}
		args = append(args, a)
	}
	for i, in := range g.Inputs {
		if in.Role == bundle.RoleLength {
			args[len(args)-len(g.Inputs)+i] = fmt.Sprintf("--input=1xi32=%d", g.Bucket)
		}
	}
	times, err := ireebench.Run(ctx, b.tool, b.each.Seconds(), args...)
	return 1000 * times.Real, err
}

func median(v []float64) float64 {
	s := slices.Sorted(slices.Values(v))
	return s[len(s)/2]
}
