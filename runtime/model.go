package runtime

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/native"
)

// MaxThreads is the largest Options.Threads.
const MaxThreads = native.MaxThreads

// Options are optional settings of Open.
type Options struct {
	// Threads is the number of threads that share the work of one call, at most
	// MaxThreads; 0 means one for each CPU that the process may use, as far as
	// that allows.
	Threads int
	// Target is the name of the target whose modules are to be run; "" picks the
	// one that uses the most of this CPU.
	Target string
	// Verify checks the digests of the weights before they are used. That reads
	// all of them.
	Verify bool
	// CopyWeights reads the bundle into memory of its own instead of mapping it: no
	// page of it is shared with other processes or comes from the page cache, and
	// its speed does not depend on how that holds the file. Memory must have room
	// for both.
	CopyWeights bool
	// Progress is told how far Verify is, in bytes, from any goroutine.
	Progress func(done, total int64)
	// PrefillGraphsOnly keeps Prefill from using decode steps for the last few
	// tokens where that is faster.
	PrefillGraphsOnly bool
	// Buckets limits prefill to the graphs of these sizes; nil allows all that the
	// bundle has. Sizes that it does not have are passed over.
	Buckets []int
	// Profile makes the model measure what its time is spent on; see TakeProfile.
	Profile bool
}

// Model is an open bundle, ready to run. All its methods may be called from
// several goroutines.
type Model struct {
	reader   *bundle.Reader
	manifest *bundle.Manifest
	path     string
	opts     Options
	target   *bundle.Target
	reason   string
	device   device
	caches   map[string]int     // role to index of Model.KV
	programs map[string]program // by graph id; written under mu once the model is open
	decode   *bundle.Graph
	prefills []*bundle.Graph // ascending by bucket
	batches  []*bundle.Graph // ascending by batch; loaded by NewBatch

	tokenizer func() (*Tokenizer, error)

	closing atomic.Bool
	mu      sync.Mutex
	open    map[*executor]io.Closer // the sessions and batches
	closed  bool
}

// ErrClosed is what calls on a closed Model or Session, or on a Session whose
// Model was closed, return in their chain.
var ErrClosed = errors.New("closed")

// Open opens the bundle at path and loads the modules of the target that fits
// this machine. The bundle is checked first, all but the weights (see
// Options.Verify); one that is damaged or cannot run here is an error, and
// nothing of it is executed.
func Open(path string, opts Options) (*Model, error) {
	return OpenContext(context.Background(), path, opts)
}

// OpenContext is Open with a context that can end Options.Verify.
func OpenContext(ctx context.Context, path string, opts Options) (*Model, error) {
	if opts.Threads < 0 || opts.Threads > MaxThreads {
		return nil, &diag.Error{Kind: diag.Usage, Code: "threads", Message: fmt.Sprintf("there cannot be %d threads", opts.Threads),
			Want: fmt.Sprintf("1 to %d", MaxThreads), Fix: "give a number in this range, or 0 for one for each CPU"}
	}
	r, err := bundle.Open(path)
	if err != nil {
		return nil, err
	}
	m, err := openReader(ctx, r, opts, thisMachine(), newEngineDevice)
	if err != nil {
		_ = r.Close()
		return nil, err
	}
	return m, nil
}

// openReader is Open with its dependencies as arguments. The reader belongs to
// the Model if there is no error.
func openReader(ctx context.Context, r *bundle.Reader, opts Options, mc machine, open func(Options) (device, error)) (*Model, error) {
	m := &Model{reader: r, manifest: r.Manifest(), path: r.Path(), opts: opts,
		caches: map[string]int{}, programs: map[string]program{}, open: map[*executor]io.Closer{}}
	for i, kv := range m.manifest.Model.KV {
		m.caches[kv.Role] = i
	}
	m.tokenizer = sync.OnceValues(m.readTokenizer)
	var err error
	if m.target, m.reason, err = pickTarget(m.manifest, mc, opts.Target); err != nil {
		return nil, m.inFile(err)
	}
	if err := m.pickGraphs(); err != nil {
		return nil, m.inFile(err)
	}
	if opts.Verify {
		if err := r.VerifyWeights(ctx, opts.Progress); err != nil {
			return nil, err
		}
	}
	if opts.CopyWeights {
		if err := r.Load(); err != nil {
			return nil, err
		}
	}
	if m.device, err = open(opts); err != nil {
		return nil, m.inFile(err)
	}
	if err := m.load(); err != nil {
		_ = m.free()
		return nil, m.inFile(err)
	}
	return m, nil
}

// load loads the modules of all graphs at once.
func (m *Model) load() error {
	graphs := m.graphs()
	programs := make([]program, len(graphs))
	var group errgroup.Group
	for i, g := range graphs {
		group.Go(func() (err error) {
			programs[i], err = m.loadGraph(g)
			return err
		})
	}
	err := group.Wait()
	for i, g := range graphs {
		if programs[i] != nil {
			m.programs[g.ID] = programs[i]
		}
	}
	return err
}

// pickGraphs finds the graphs that sessions and batches call, of those that the
// target has modules for.
func (m *Model) pickGraphs() error {
	for i := range m.manifest.Graphs {
		g := &m.manifest.Graphs[i]
		switch {
		case m.target.Module(g.ID) == "":
		case g.Kind == bundle.Prefill:
			if m.opts.Buckets == nil || slices.Contains(m.opts.Buckets, g.Bucket) {
				m.prefills = append(m.prefills, g)
			}
		case g.Kind == bundle.Decode && g.Batch > 1:
			m.batches = append(m.batches, g)
		case g.Kind == bundle.Decode && m.decode == nil:
			m.decode = g
		}
	}
	slices.SortFunc(m.batches, func(a, b *bundle.Graph) int { return a.Batch - b.Batch })
	m.batches = slices.CompactFunc(m.batches, func(a, b *bundle.Graph) bool { return a.Batch == b.Batch })
	slices.SortFunc(m.prefills, func(a, b *bundle.Graph) int { return a.Bucket - b.Bucket })
	m.prefills = slices.CompactFunc(m.prefills, func(a, b *bundle.Graph) bool { return a.Bucket == b.Bucket })
	if m.decode == nil {
		return &diag.Error{Kind: diag.Unsupported, Code: "no_decode", Where: fmt.Sprintf("target %q", m.target.Name),
			Message: "the bundle has no decode step for one sequence", Fix: "build it again with hlocc build"}
	}
	return nil
}

// graphs lists the graphs that sessions call, which are loaded from the start.
func (m *Model) graphs() []*bundle.Graph { return append(slices.Clone(m.prefills), m.decode) }

func (m *Model) loadGraph(g *bundle.Graph) (program, error) {
	member := m.target.Module(g.ID)
	code, err := m.reader.Member(member)
	if err != nil {
		return nil, err
	}
	p, err := m.device.load(code, m.reader.Tensor)
	if err != nil {
		return nil, at(err, fmt.Sprintf("member %q", member))
	}
	return p, nil
}

// NewSession starts an empty sequence. Close it to give its cache back.
func (m *Model) NewSession() (*Session, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, m.errClosed("the model")
	}
	s := sessionOf(&executor{m: m, what: "session"}, false)
	if err := s.init(); err != nil {
		_ = s.free()
		return nil, m.inFile(err)
	}
	m.open[s.executor] = s
	return s, nil
}

// Target is the target whose modules the model runs, and why it was taken.
func (m *Model) Target() Target { return Target{Name: m.target.Name, Reason: m.reason} }

// Manifest describes the bundle; it must not be changed.
func (m *Model) Manifest() *bundle.Manifest { return m.manifest }

// Capabilities says what a model can do and what it takes.
type Capabilities struct {
	Target    Target `json:"target"`
	Threads   int    `json:"threads"`    // that share the work of one call
	VocabSize int    `json:"vocab_size"` // token ids are 0 <= id < VocabSize
	Context   int    `json:"context"`    // tokens that one session can hold
	// BOS and EOS are the ids that begin a sequence and end a generation.
	BOS []int32 `json:"bos"`
	EOS []int32 `json:"eos"`
	// Buckets are the sizes of the prefill graphs, ascending.
	Buckets []int `json:"buckets"`
	// Batches are the sizes that batches were compiled for, ascending.
	Batches []int `json:"batches"`
	// Text says whether the bundle has a tokenizer.
	Text bool `json:"text"`
	// Sampling is the checkpoint's recommendation, nil if it gives none.
	Sampling *bundle.Sampling `json:"sampling,omitempty"`
	// WeightBytes are mapped once, SessionBytes allocated for each session and slot
	// of a batch.
	WeightBytes  int64 `json:"weight_bytes"`
	SessionBytes int64 `json:"session_bytes"`
}

// Capabilities says what the model can do and what it takes.
func (m *Model) Capabilities() Capabilities {
	c := Capabilities{
		Target: m.Target(), Threads: m.device.threads(),
		VocabSize: m.manifest.Model.VocabSize, Context: m.manifest.Model.Context,
		BOS: slices.Clone(m.manifest.Model.BOS), EOS: slices.Clone(m.manifest.Model.EOS),
		Buckets: m.buckets(), Batches: []int{}, Text: m.reader.HasMember(bundle.PathTokenizer), Sampling: m.manifest.Model.Sampling,
	}
	for _, g := range m.batches {
		c.Batches = append(c.Batches, g.Batch)
	}
	for _, t := range m.manifest.Weights {
		c.WeightBytes += t.Length
	}
	for _, kv := range m.manifest.Model.KV {
		c.SessionBytes += kv.Bytes()
	}
	return c
}

func (m *Model) buckets() []int {
	b := []int{}
	for _, g := range m.prefills {
		b = append(b, g.Bucket)
	}
	return b
}

// Close frees everything. Sessions and batches that are still open are closed too: a call
// that is running in one ends after the graph that it is in (one decode step or
// one chunk of a prefill) with ErrClosed, and later calls fail with it. A second
// Close does nothing.
func (m *Model) Close() error {
	m.closing.Store(true)
	m.mu.Lock()
	if m.closed {
		m.mu.Unlock()
		return nil
	}
	m.closed = true
	open := slices.Collect(maps.Values(m.open))
	m.mu.Unlock()
	for _, s := range open {
		_ = s.Close()
	}
	err := m.free()
	if e := m.reader.Close(); err == nil {
		err = e
	}
	return err
}

// free releases the programs and the device.
func (m *Model) free() error {
	var errs []error
	for _, p := range m.programs {
		errs = append(errs, p.close())
	}
	if m.device != nil {
		errs = append(errs, m.device.close())
	}
	return errors.Join(errs...)
}

func (m *Model) errClosed(what string) error {
	return &diag.Error{Kind: diag.Failed, Code: "closed", File: m.path, Message: what + " was closed", Cause: ErrClosed}
}

// inFile puts the bundle's name into an error that has none.
func (m *Model) inFile(err error) error {
	var e *diag.Error
	if !errors.As(err, &e) || e.File != "" {
		return err
	}
	c := *e
	c.File = m.path
	return &c
}

// at says where in the bundle an error arose.
func at(err error, where string) error {
	var e *diag.Error
	if !errors.As(err, &e) {
		return &diag.Error{Kind: diag.Failed, Code: "load", Where: where, Message: "cannot be loaded", Cause: err}
	}
	c := *e
	if c.Where != "" {
		where += ": " + c.Where
	}
	c.Where = where
	return &c
}
