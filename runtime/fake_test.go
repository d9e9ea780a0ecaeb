package runtime

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/cpu"
)

// A toy model for testing sessions without compiled code. Its cache holds the
// tokens; the next token is a hash of all tokens so far; logit i is i, plus
// 1000 for the next token.

const (
	toyVocab   = 50
	toyContext = 40
)

func toyNext(tokens []int32) int32 {
	h := uint32(17)
	for _, t := range tokens {
		h = h*31 + uint32(t) + 1
	}
	return int32(h>>3) % toyVocab
}

// toyTokens is the greedy continuation of a prompt.
func toyTokens(prompt []int32, n int) []int32 {
	seq := append([]int32{}, prompt...)
	for range n {
		seq = append(seq, toyNext(seq))
	}
	return seq[len(prompt):]
}

// toyManifest describes the toy with the given prefill buckets. Inputs and
// results stand in an order that no caller would guess.
func toyManifest(buckets ...int) *bundle.Manifest {
	rows := toyContext + 8 // slots of a batch are aligned, and have a row behind the context
	for _, b := range buckets {
		rows = max(rows, (toyContext+b+15)&^15)
	}
	kv := []bundle.KV{
		{Role: "kv.0.k", DType: bundle.F32, Shape: []int{rows, 1, 1}},
		{Role: "kv.0.v", DType: bundle.F32, Shape: []int{rows, 1, 1}},
	}
	m := &bundle.Manifest{Model: bundle.Model{Name: "toy", VocabSize: toyVocab, BOS: []int32{1}, EOS: []int32{3, 4}, Context: toyContext, KV: kv}}
	i32 := func(role string, n int) bundle.Port {
		return bundle.Port{Role: role, DType: bundle.I32, Shape: []int{n}}
	}
	results := []bundle.Port{bundle.Port(kv[1]), {Role: bundle.RoleLogits, DType: bundle.F32, Shape: []int{toyVocab}}, bundle.Port(kv[0]), i32(bundle.RoleNextID, 1)}
	m.Graphs = []bundle.Graph{{ID: "decode", Kind: bundle.Decode, Function: "decode", Batch: 1, Results: results,
		Inputs: []bundle.Port{bundle.Port(kv[1]), i32(bundle.RolePosition, 1), bundle.Port(kv[0]), i32(bundle.RoleToken, 1)}}}
	for _, b := range buckets {
		id := fmt.Sprintf("prefill_%d", b)
		m.Graphs = append(m.Graphs, bundle.Graph{ID: id, Kind: bundle.Prefill, Function: id, Bucket: b, Batch: 1, Results: results,
			Inputs: []bundle.Port{i32(bundle.RoleLength, 1), bundle.Port(kv[0]), i32(bundle.RoleTokens, b), bundle.Port(kv[1]), i32(bundle.RoleStart, 1)}})
	}
	t := bundle.Target{Name: "x86-64-v3", OS: "linux", Arch: "amd64", CPUFeatures: []string{"avx2"}, ABI: ABI()}
	for _, g := range m.Graphs {
		t.Modules = append(t.Modules, bundle.Module{Graph: g.ID, Member: bundle.ModulePath(t.Name, g.ID)})
	}
	m.Targets = []bundle.Target{t}
	return m
}

// withBatches adds batched decode steps to the toy.
func withBatches(m *bundle.Manifest, batches ...int) *bundle.Manifest {
	kv := m.Model.KV
	for _, b := range batches {
		id := fmt.Sprintf("decode_batch_%d", b)
		port := func(role string, d bundle.DType, shape ...int) bundle.Port {
			return bundle.Port{Role: role, DType: d, Shape: append([]int{b}, shape...)}
		}
		v, k := port(kv[1].Role, bundle.F32, kv[1].Shape...), port(kv[0].Role, bundle.F32, kv[0].Shape...)
		m.Graphs = append(m.Graphs, bundle.Graph{ID: id, Kind: bundle.Decode, Function: id, Batch: b,
			Inputs:  []bundle.Port{v, port(bundle.RolePosition, bundle.I32), k, port(bundle.RoleToken, bundle.I32)},
			Results: []bundle.Port{v, port(bundle.RoleLogits, bundle.F32, toyVocab), k, port(bundle.RoleNextID, bundle.I32)}})
		t := &m.Targets[0]
		t.Modules = append(t.Modules, bundle.Module{Graph: id, Member: bundle.ModulePath(t.Name, id)})
	}
	return m
}

// changing makes the toy one that computes sequences of more than past tokens in
// another way: rows of its cache are of no use to the other kind, and its next
// token is one more.
func changing(m *bundle.Manifest, past int) *bundle.Manifest {
	m.Model.RecomputePast = past
	for i := range m.Graphs {
		g := &m.Graphs[i]
		g.Inputs = append(g.Inputs, bundle.Port{Role: bundle.RoleExtent, DType: bundle.I32, Shape: []int{g.Batch}})
	}
	return m
}

const toyLong = 1 << 20 // marks rows of a long sequence

// writeToy writes a bundle whose modules are the names of their graphs.
func writeToy(t testing.TB, m *bundle.Manifest, texts map[string]string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "toy.hlocc")
	w, err := bundle.Create(path, []bundle.TensorSpec{{Name: "scale", DType: bundle.F32, Shape: []int{3}}}, bundle.WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	if err := w.WriteTensor("scale", func(out io.Writer) error { _, err := out.Write(make([]byte, 12)); return err }); err != nil {
		t.Fatal(err)
	}
	for _, tg := range m.Targets {
		for _, mod := range tg.Modules {
			if err := w.AddMember(mod.Member, []byte(mod.Graph), bundle.None); err != nil {
				t.Fatal(err)
			}
		}
	}
	for path, text := range texts {
		if err := w.AddMember(path, []byte(text), bundle.Zstd); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := w.Finish(m); err != nil {
		t.Fatal(err)
	}
	return path
}

var testMachine = machine{"linux", "amd64", cpu.NewSet("amd64", "avx2")}

// fake is a device that runs toys. The counters say what is alive.
type fake struct {
	tensors, programs, instances, devices atomic.Int64

	mu    sync.Mutex
	calls []string // graph and real tokens of every call

	// Faults, to be set before use.
	failLoad, failInstance string // graph
	failTensors            int64  // fail once so many are alive
	past                   int    // of changing
	batches                []int  // of withBatches
	before                 func(ctx context.Context, graph string) error
	after                  func(results []tensor) []tensor
	closing                func(graph string) // when an instance is closed
}

func (f *fake) open(Options) (device, error) { f.devices.Add(1); return f, nil }
func (f *fake) threads() int                 { return 1 }
func (f *fake) probe(int64) (prober, error)  { return nil, errors.New("toys do not measure") }
func (f *fake) profile() []KernelTime        { return nil }

func (f *fake) close() error {
	if n := f.tensors.Load(); n > 0 {
		return fmt.Errorf("%d tensors outlive the device", n)
	}
	f.devices.Add(-1)
	return nil
}

func (f *fake) load(module []byte, parameter func(string) ([]byte, error)) (program, error) {
	if string(module) == f.failLoad {
		return nil, errors.New("cannot load")
	}
	if b, err := parameter("scale"); err != nil || len(b) != 12 {
		return nil, fmt.Errorf("parameter: %v, %v", b, err)
	}
	if _, err := parameter("none"); err == nil {
		return nil, errors.New("there is no such parameter")
	}
	f.programs.Add(1)
	return &fakeProgram{f, string(module)}, nil
}

func (f *fake) tensor(d bundle.DType, shape []int) (tensor, error) {
	if f.failTensors > 0 && f.tensors.Load() >= f.failTensors {
		return nil, errors.New("no memory")
	}
	return f.alloc(d, shape), nil
}

func (f *fake) alloc(d bundle.DType, shape []int) *fakeTensor {
	n := d.Size()
	for _, x := range shape {
		n *= x
	}
	f.tensors.Add(1)
	return &fakeTensor{f: f, b: make([]byte, n)}
}

// clean fails the test if anything is alive.
func (f *fake) clean(t *testing.T) {
	t.Helper()
	if f.tensors.Load() != 0 || f.instances.Load() != 0 || f.programs.Load() != 0 || f.devices.Load() != 0 {
		t.Errorf("left over: %d tensors, %d instances, %d programs, %d devices", f.tensors.Load(), f.instances.Load(), f.programs.Load(), f.devices.Load())
	}
}

func (f *fake) part(of tensor, off int64, d bundle.DType, shape []int) (tensor, error) {
	n := d.Size()
	for _, x := range shape {
		n *= x
	}
	return &fakeTensor{f: f, b: of.bytes()[off:][:n], view: true}, nil
}

type fakeTensor struct {
	f    *fake
	b    []byte
	view bool
}

func (t *fakeTensor) bytes() []byte      { return t.b }
func (t *fakeTensor) same(o tensor) bool { return tensor(t) == o }
func (t *fakeTensor) release() {
	if t.view {
		return
	}
	if t.b == nil {
		panic("released twice")
	}
	t.f.tensors.Add(-1)
	t.b = nil
}

type fakeProgram struct {
	f     *fake
	graph string
}

func (p *fakeProgram) close() error {
	if n := p.f.instances.Load(); n > 0 {
		return fmt.Errorf("%d instances outlive a program", n)
	}
	p.f.programs.Add(-1)
	return nil
}

func (p *fakeProgram) instance(context.Context) (instance, error) {
	if p.graph == p.f.failInstance {
		return nil, errors.New("cannot start")
	}
	p.f.instances.Add(1)
	return &fakeInstance{fakeProgram: p}, nil
}

type fakeInstance struct {
	*fakeProgram
	busy atomic.Bool
}

func (i *fakeInstance) close() error {
	if i.f.closing != nil {
		i.f.closing(i.graph)
	}
	i.f.instances.Add(-1)
	return nil
}

func (i *fakeInstance) call(ctx context.Context, function string, args []tensor) ([]tensor, error) {
	if !i.busy.CompareAndSwap(false, true) {
		return nil, errors.New("two calls at once")
	}
	defer i.busy.Store(false)
	if function != i.graph {
		return nil, fmt.Errorf("function %q in the module of %q", function, i.graph)
	}
	if i.f.before != nil {
		if err := i.f.before(ctx, i.graph); err != nil {
			return nil, err
		}
	}
	results, err := i.run(args)
	if err == nil && i.f.after != nil {
		results = i.f.after(results)
	}
	return results, err
}

func ints(t tensor) []int32 {
	var v []int32
	for b := t.bytes(); len(b) > 0; b = b[4:] {
		v = append(v, int32(binary.LittleEndian.Uint32(b)))
	}
	return v
}

func (i *fakeInstance) run(args []tensor) ([]tensor, error) {
	var k, v, extents tensor
	var tokens, starts []int32
	length, prefill := 1, strings.HasPrefix(i.graph, "prefill")
	if prefill {
		length, k, tokens, v, starts = int(ints(args[0])[0]), args[1], ints(args[2]), args[3], ints(args[4])
		if b, _ := strconv.Atoi(strings.TrimPrefix(i.graph, "prefill_")); b != len(tokens) {
			return nil, fmt.Errorf("%d tokens for %s", len(tokens), i.graph)
		}
	} else {
		v, starts, k, tokens = args[0], ints(args[1]), args[2], ints(args[3])
	}
	if n := len(args); n == 5 && !prefill || n == 6 {
		extents = args[n-1]
	}
	i.f.mu.Lock()
	i.f.calls = append(i.f.calls, fmt.Sprintf("%s:%d", i.graph, length))
	i.f.mu.Unlock()
	slots := len(starts)
	next, logits := i.f.alloc(bundle.I32, []int{slots}), i.f.alloc(bundle.F32, []int{slots, toyVocab})
	rows, each := len(k.bytes())/slots, len(tokens)/slots
	for slot, start := range starts {
		id := int32(-1) // what an idle slot gives must not matter
		if slots == 1 || start != toyContext {
			extent := int32(0)
			if extents != nil {
				extent = ints(extents)[slot]
			}
			var err error
			if id, err = i.sequence(k.bytes()[slot*rows:][:rows], v.bytes()[slot*rows:][:rows], tokens[slot*each:][:each], int(start), length, int(extent)); err != nil {
				next.release()
				logits.release()
				return nil, fmt.Errorf("slot %d: %w", slot, err)
			}
		} else {
			binary.LittleEndian.PutUint32(k.bytes()[slot*rows+4*toyContext:], 99)
		}
		binary.LittleEndian.PutUint32(next.b[4*slot:], uint32(id))
		for j := range toyVocab {
			x := float32(j)
			if int32(j) == id {
				x += 1000
			}
			binary.LittleEndian.PutUint32(logits.b[4*(slot*toyVocab+j):], math.Float32bits(x))
		}
	}
	return []tensor{v, logits, k, next}, nil
}

// sequence appends tokens, of which length are real, to one sequence and gives the next.
// extent is 0 where the model has none.
func (i *fakeInstance) sequence(k, v []byte, tokens []int32, start, length, extent int) (int32, error) {
	if length < 1 || length > len(tokens) || start < 0 || start+length > toyContext {
		return 0, fmt.Errorf("start %d, length %d", start, length)
	}
	var mark uint32
	if i.f.past > 0 {
		if extent < start+length {
			return 0, fmt.Errorf("extent %d of %d tokens", extent, start+length)
		}
		if extent > i.f.past {
			mark = toyLong
		}
	}
	for j, tok := range tokens {
		row := start + j // padded ones too
		binary.LittleEndian.PutUint32(k[4*row:], mark+uint32(tok)+1)
		binary.LittleEndian.PutUint32(v[4*row:], mark+uint32(tok)+1)
	}
	var seq []int32
	for row := range start + length {
		tok := int32(binary.LittleEndian.Uint32(k[4*row:]) ^ mark)
		if tok == 0 || tok > toyVocab {
			return 0, fmt.Errorf("row %d was never written, or for another length", row)
		}
		seq = append(seq, tok-1)
	}
	id := toyNext(seq)
	if mark > 0 {
		id = (id + 1) % toyVocab
	}
	return id, nil
}

// openToy opens a toy model on a fake device; the model is closed, and the
// device must be clean, at the end of the test.
func openToy(t *testing.T, f *fake, opts Options, buckets ...int) *Model {
	t.Helper()
	manifest := withBatches(toyManifest(buckets...), f.batches...)
	if f.past > 0 {
		changing(manifest, f.past)
	}
	return openManifest(t, f, opts, manifest)
}

func openManifest(t *testing.T, f *fake, opts Options, manifest *bundle.Manifest) *Model {
	t.Helper()
	r, err := bundle.Open(writeToy(t, manifest, nil))
	if err != nil {
		t.Fatal(err)
	}
	m, err := openReader(context.Background(), r, opts, testMachine, f.open)
	if err != nil {
		_ = r.Close()
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		f.clean(t)
	})
	return m
}
