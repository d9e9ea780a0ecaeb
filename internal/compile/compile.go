package compile

import (
	"context"
	"errors"
	"runtime"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"golang.org/x/sync/semaphore"
)

// An Action is one graph to be compiled for one target.
type Action struct {
	Graph  string // its name, for messages
	Text   []byte // StableHLO
	Target Target

	// Location maps a line of the text, counted from 1, to the place in the model
	// that it was printed for ("" if there is none). It may be nil.
	Location func(line int) string
}

// A Module is a compiled Action.
type Module struct {
	Graph   string
	Target  string
	Key     string // digest of text, flags and compiler identity
	Bytes   []byte
	Cached  bool
	Elapsed time.Duration // of this run, waiting included
	PeakRSS int64         // of the compiler, bytes; 0 if cached or unknown
}

// Options of a Pool. Only Compiler and Cache are required.
type Options struct {
	Compiler *Compiler
	Cache    *Cache
	Executor Executor      // default: Local
	Jobs     int           // compilations at once; default: the number of CPUs
	Memory   int64         // bytes that they may take together by estimate; default 1 GiB
	Timeout  time.Duration // of one compilation; default 15 minutes
}

// A Pool compiles actions, several at once, through the cache. It is safe for
// concurrent use.
type Pool struct {
	o      Options
	jobs   *semaphore.Weighted
	memory *semaphore.Weighted
}

// New makes a Pool.
func New(o Options) *Pool {
	if o.Jobs <= 0 {
		o.Jobs = runtime.GOMAXPROCS(0)
	}
	if o.Memory <= 0 {
		o.Memory = 1 << 30
	}
	if o.Timeout <= 0 {
		o.Timeout = 15 * time.Minute
	}
	if o.Executor == nil {
		o.Executor = &Local{Compiler: o.Compiler.Path, TempDir: o.Cache.path("tmp"), Timeout: o.Timeout}
	}
	return &Pool{o: o, jobs: semaphore.NewWeighted(int64(o.Jobs)), memory: semaphore.NewWeighted(o.Memory)}
}

// estimate is the memory that compiling a text takes, bytes. Measured with
// 3.13.0 on whole decoders of 30 layers: 166 MB for 573 kB of text (decode),
// 197 MB for 854 kB (prefill of 512 rows).
func estimate(text []byte) int64 { return 128<<20 + 160*int64(len(text)) }

// Compile gives the module of an action, from the cache or newly compiled.
func (p *Pool) Compile(ctx context.Context, a Action) (*Module, error) {
	start := time.Now()
	flags := a.Target.Flags()
	m := &Module{Graph: a.Graph, Target: a.Target.Name, Key: Key(a.Text, flags, p.o.Compiler)}
	err := p.compile(ctx, a, flags, m)
	if err != nil {
		return nil, err
	}
	m.Elapsed = time.Since(start)
	return m, nil
}

func (p *Pool) compile(ctx context.Context, a Action, flags []string, m *Module) error {
	if m.Bytes, m.Cached = p.o.Cache.get(m.Key); m.Cached {
		return nil
	}
	lock, err := p.o.Cache.lock(ctx, m.Key)
	if err != nil {
		return err
	}
	defer lock.unlock()
	// While we waited, whoever held the lock may have done the work.
	if m.Bytes, m.Cached = p.o.Cache.get(m.Key); m.Cached {
		return nil
	}
	if err := p.jobs.Acquire(ctx, 1); err != nil {
		return err
	}
	defer p.jobs.Release(1)
	need := min(estimate(a.Text), p.o.Memory) // one that exceeds the budget runs alone
	if err := p.memory.Acquire(ctx, need); err != nil {
		return err
	}
	defer p.memory.Release(need)

	out, err := p.o.Executor.Execute(ctx, Job{Graph: a.Graph, Target: a.Target.Name, Text: a.Text, Flags: flags})
	var failure *Failure
	if errors.As(err, &failure) {
		report := ""
		if !failure.DiskFull {
			report = p.o.Cache.fail(m.Key, a.Text, failure.Stderr)
		}
		return diagnose(a, err, report)
	}
	if err != nil {
		return err
	}
	m.Bytes, m.PeakRSS = out.Module, out.PeakRSS
	return p.o.Cache.put(m.Key, a, p.o.Compiler, out.Module)
}

// CompileAll compiles all actions and gives their modules in the order of the
// actions. After the first failure the others are stopped. done, if not nil, is
// called for each module as it becomes ready, one call at a time.
func (p *Pool) CompileAll(ctx context.Context, actions []Action, done func(m *Module)) ([]*Module, error) {
	// Long compilations first, so that none is left to run alone at the end.
	order := make([]int, len(actions))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int { return len(actions[j].Text) - len(actions[i].Text) })

	modules := make([]*Module, len(actions))
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(p.o.Jobs)
	for _, i := range order {
		group.Go(func() error {
			m, err := p.Compile(ctx, actions[i])
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			modules[i] = m
			if done != nil {
				done(m)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return modules, nil
}
