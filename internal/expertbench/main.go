// Command expertbench shows what the number of experts costs when a token uses the
// same number of them: models of random weights that differ in nothing else, their
// decode steps in turns, and how much of each model a few steps from a cold start read.
//
//	go run ./internal/expertbench -hlocc bin/hlocc -dir DIR
//
// It prints one table row per model: the median of its decode steps with the
// quartiles, the ratio to the first model, and for a start without any page of the
// file in memory (Linux only) the megabytes that the kernel has read after -cold steps.
// DIR needs room for twice the weights (5 GB for the largest model by default).
package main

import (
	"context"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/hlocc/hlocc/internal/synthetic"
	hlocc "github.com/hlocc/hlocc/runtime"
)

type bench struct {
	shape   synthetic.Experts
	tool    string // hlocc
	dir     string
	threads int
	rounds  int
	steps   int
	cold    int
}

func main() {
	var b bench
	experts := flag.String("experts", "8,32,128", "numbers of experts, separated by commas")
	flag.StringVar(&b.tool, "hlocc", "bin/hlocc", "the command that builds")
	flag.StringVar(&b.dir, "dir", "", "folder for the models; existing ones are used again")
	flag.IntVar(&b.threads, "threads", 1, "threads")
	flag.IntVar(&b.rounds, "rounds", 50, "interleaved rounds")
	flag.IntVar(&b.steps, "steps", 10, "decode steps of a round")
	flag.IntVar(&b.cold, "cold", 4, "decode steps from a cold start")
	flag.IntVar(&b.shape.TopK, "top-k", 4, "experts of a token")
	flag.IntVar(&b.shape.Hidden, "hidden", 1024, "hidden size")
	flag.IntVar(&b.shape.Intermediate, "intermediate", 512, "intermediate size of an expert")
	flag.IntVar(&b.shape.Layers, "layers", 6, "layers")
	flag.Parse()
	b.shape.Vocab = 4096
	if flag.NArg() != 0 || b.dir == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := b.run(ctx, strings.Split(*experts, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "expertbench:", err)
		os.Exit(1)
	}
}

// model is one model of the comparison.
type model struct {
	experts int
	path    string // of its bundle
	read    int64  // bytes of the bundle in memory after a cold start, -1 if unknown
	size    int64
	times   []time.Duration // of decode steps
}

func (b *bench) run(ctx context.Context, experts []string) error {
	var models []*model
	for _, text := range experts {
		n, err := strconv.Atoi(text)
		if err != nil || n < b.shape.TopK {
			return fmt.Errorf("%q experts of which a token uses %d", text, b.shape.TopK)
		}
		m := &model{experts: n}
		if err := b.build(ctx, m); err != nil {
			return err
		}
		models = append(models, m)
	}
	for _, m := range models {
		if err := b.coldStart(ctx, m); err != nil {
			return err
		}
	}
	if err := b.measure(ctx, models); err != nil {
		return err
	}
	fmt.Printf("top-k %d, hidden %d, intermediate %d, %d layers, %d threads, %d rounds of %d steps\n\n", b.shape.TopK, b.shape.Hidden,
		b.shape.Intermediate, b.shape.Layers, b.threads, b.rounds, b.steps)
	fmt.Printf("| experts | bundle MB | step ms | quartiles | ratio | MB read by %d cold steps |\n|---|---|---|---|---|---|\n", b.cold)
	first := quantile(models[0].times, 2)
	for _, m := range models {
		read := "unknown"
		if m.read >= 0 {
			read = fmt.Sprintf("%.0f", float64(m.read)/1e6)
		}
		fmt.Printf("| %d | %.0f | %.2f | %.2f to %.2f | %.2f | %s |\n", m.experts, float64(m.size)/1e6, quantile(m.times, 2),
			quantile(m.times, 1), quantile(m.times, 3), quantile(m.times, 2)/first, read)
	}
	return nil
}

// build makes the bundle of a model, unless it is there.
func (b *bench) build(ctx context.Context, m *model) error {
	shape := b.shape
	shape.Experts = m.experts
	name := fmt.Sprintf("e%d_k%d_h%d_i%d_l%d", shape.Experts, shape.TopK, shape.Hidden, shape.Intermediate, shape.Layers)
	m.path = filepath.Join(b.dir, name+".hlocc")
	if _, err := os.Stat(m.path); err == nil {
		return nil
	}
	checkpoint := filepath.Join(b.dir, name)
	if err := os.MkdirAll(checkpoint, 0o755); err != nil {
		return err
	}
	defer os.RemoveAll(checkpoint)
	if err := shape.Write(checkpoint); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, b.tool, "build", checkpoint, "-o", m.path, "--context", "256", "--buckets", "32")
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	return cmd.Run()
}

// tokens are as good as any others: the router's choice depends on them.
func (b *bench) token(rng *rand.Rand) int32 { return int32(rng.IntN(b.shape.Vocab)) }

// coldStart runs a few steps with no page of the bundle in memory.
func (b *bench) coldStart(ctx context.Context, m *model) error {
	info, err := os.Stat(m.path)
	if err != nil {
		return err
	}
	m.size, m.read = info.Size(), -1
	if err := evict(m.path); err != nil {
		return err
	}
	if left, err := cached(m.path); err != nil || left > 1<<20 {
		return err // a filesystem that lives in memory
	}
	s, closeAll, err := b.open(m)
	if err != nil {
		return err
	}
	defer closeAll()
	rng := rand.New(rand.NewPCG(7, 7))
	for range b.cold {
		if _, err := s.Step(ctx, b.token(rng)); err != nil {
			return err
		}
	}
	m.read, err = cached(m.path)
	return err
}

func (b *bench) open(m *model) (*hlocc.Session, func(), error) {
	opened, err := hlocc.Open(m.path, hlocc.Options{Threads: b.threads})
	if err != nil {
		return nil, nil, err
	}
	s, err := opened.NewSession()
	if err != nil {
		_ = opened.Close()
		return nil, nil, err
	}
	return s, func() { _ = s.Close(); _ = opened.Close() }, nil
}

// warmUp is how many steps run before those that count: of 128 experts of which
// each chooses 4, one in 600 has not been read by then.
const warmUp = 200

// measure times the steps of all models in turns.
func (b *bench) measure(ctx context.Context, models []*model) error {
	sessions := make([]*hlocc.Session, len(models))
	for i, m := range models {
		s, closeAll, err := b.open(m)
		if err != nil {
			return err
		}
		defer closeAll()
		sessions[i] = s
		if err := b.round(ctx, s, warmUp, 0, nil); err != nil {
			return err
		}
	}
	for n := range b.rounds {
		for i, m := range models {
			if err := b.round(ctx, sessions[i], b.steps, uint64(n+1), &m.times); err != nil {
				return err
			}
		}
	}
	return nil
}

func (b *bench) round(ctx context.Context, s *hlocc.Session, steps int, seed uint64, times *[]time.Duration) error {
	rng := rand.New(rand.NewPCG(seed, 3))
	for i := range steps {
		if i%128 == 0 {
			s.Reset()
		}
		start := time.Now()
		if _, err := s.Step(ctx, b.token(rng)); err != nil {
			return err
		}
		if times != nil {
			*times = append(*times, time.Since(start))
		}
	}
	return nil
}

// quantile is the n-th quartile, in milliseconds.
func quantile(times []time.Duration, n int) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[(len(sorted)-1)*n/4].Seconds() * 1e3
}
