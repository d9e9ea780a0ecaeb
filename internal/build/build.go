package build

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/fsx"
	"github.com/hlocc/hlocc/internal/progress"
	"github.com/hlocc/hlocc/internal/version"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/quantize"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// Options of a build.
type Options struct {
	Dir     string   // model directory
	Output  string   // bundle to write
	Targets []string // empty for the best that this CPU runs
	Plan    PlanOptions

	Calibration *Calibration // nil for none; used where a plan searches

	Compiler *compile.Compiler
	Cache    *compile.Cache
	Jobs     int // compilations at once, 0 for the default

	Progress *progress.Reporter // may be nil
}

// Result is what a build did.
type Result struct {
	Output  string         `json:"output"`
	Digest  string         `json:"digest"` // root digest of the bundle
	Bytes   int64          `json:"bytes"`
	Family  string         `json:"family"`
	Context int            `json:"context"`
	Targets []string       `json:"targets"`
	Modules []ModuleResult `json:"modules"`
	Replays []Replay       `json:"replays"`
	Seconds float64        `json:"seconds"`
	// Calibration is what the plan records of it, nil without.
	Calibration *CalibrationPlan `json:"calibration,omitempty"`
}

// ModuleResult is one compilation.
type ModuleResult struct {
	Graph   string  `json:"graph"`
	Target  string  `json:"target"`
	Bytes   int     `json:"bytes"`
	Cached  bool    `json:"cached"`
	Seconds float64 `json:"seconds"`
}

// Run builds a bundle. The output appears whole and proven or not at all.
func Run(ctx context.Context, o Options) (*Result, error) {
	start := time.Now()
	m, err := arch.Open(o.Dir)
	if err != nil {
		return nil, err
	}
	defer m.Close()
	plan, err := NewPlan(m, o.Plan)
	if err != nil {
		return nil, err
	}
	targets, err := resolveTargets(o.Targets)
	if err != nil {
		return nil, err
	}
	texts, err := readTexts(o.Dir)
	if err != nil {
		return nil, err
	}
	if err := plan.calibrate(ctx, m, o); err != nil {
		return nil, err
	}
	manifest, err := newManifest(m, plan, targets, o.Compiler)
	if err != nil {
		return nil, err
	}
	lowered := make([]*Lowered, len(plan.Graphs))
	for i, g := range plan.Graphs {
		if lowered[i], err = Lower(m.Spec, plan, g); err != nil {
			return nil, err
		}
		described, err := lowered[i].describe()
		if err != nil {
			return nil, err
		}
		manifest.Graphs = append(manifest.Graphs, described)
	}

	result := &Result{Output: o.Output, Family: m.Family, Context: plan.Context, Calibration: plan.Calibration}
	for _, t := range targets {
		result.Targets = append(result.Targets, t.Name)
	}
	var copied *progress.Stage
	seen := meter(func(n int64) { copied.Add(n) })
	w, err := bundle.Create(o.Output, plan.tensorSpecs(), bundle.WriterOptions{
		Progress: seen,
		Prove: func(path string) (err error) {
			result.Replays, err = replay(ctx, m, plan, targets, path, o.Progress)
			return err
		},
	})
	if err != nil {
		return nil, err
	}
	defer w.Abort()

	// Weights come off the disk while the compiler uses the CPU.
	var modules []*compile.Module
	group, groupCtx := errgroup.WithContext(ctx)
	copied = o.Progress.Stage("weights", plan.WeightBytes(), progress.Bytes)
	defer copied.Abandon()
	group.Go(func() error {
		reports, err := writeWeights(groupCtx, w, m, plan)
		if err != nil {
			return err
		}
		if reports != nil {
			if manifest.Report, err = json.Marshal(map[string][]quantize.Report{"weights": reports}); err != nil {
				return err
			}
		}
		copied.Done("")
		return nil
	})
	compiled := o.Progress.Stage("compile", int64(len(lowered)*len(targets)), progress.Items)
	defer compiled.Abandon()
	group.Go(func() (err error) {
		modules, err = compileAll(groupCtx, o, lowered, targets, compiled)
		return err
	})
	if err := group.Wait(); err != nil {
		if ctx.Err() != nil { // the group cancels its own context, which is not the user's doing
			return nil, ctx.Err()
		}
		return nil, err
	}

	for _, l := range lowered {
		texts = append(texts, member{bundle.GraphTextPath(l.Plan.ID), l.Text})
	}
	for _, t := range texts {
		if err := w.AddMember(t.path, t.data, bundle.Zstd); err != nil {
			return nil, err
		}
	}
	for _, mod := range modules {
		if err := w.AddMember(bundle.ModulePath(mod.Target, mod.Graph), mod.Bytes, bundle.None); err != nil {
			return nil, err
		}
		result.Modules = append(result.Modules, ModuleResult{
			Graph: mod.Graph, Target: mod.Target, Bytes: len(mod.Bytes), Cached: mod.Cached, Seconds: mod.Elapsed.Seconds(),
		})
	}
	if result.Digest, err = w.Finish(manifest); err != nil {
		return nil, err
	}
	if info, err := os.Stat(o.Output); err == nil {
		result.Bytes = info.Size()
	}
	result.Seconds = time.Since(start).Seconds()
	return result, nil
}

// meter turns a running total, reported from several goroutines, into increments.
func meter(add func(int64)) func(written, total int64) {
	last := make(chan int64, 1)
	last <- 0
	return func(written, _ int64) {
		was := <-last
		if written > was {
			add(written - was)
			was = written
		}
		last <- was
	}
}

func resolveTargets(names []string) ([]compile.Target, error) {
	machine := cpu.Host()
	if len(names) == 0 {
		t, err := compile.DefaultTarget(machine)
		return []compile.Target{t}, err
	}
	var targets []compile.Target
	seen := map[string]bool{}
	for _, name := range names {
		t, err := compile.FindTarget(name, machine)
		if err != nil {
			return nil, err
		}
		if !seen[t.Name] {
			seen[t.Name] = true
			targets = append(targets, t)
		}
	}
	return targets, nil
}

func compileAll(ctx context.Context, o Options, lowered []*Lowered, targets []compile.Target, stage *progress.Stage) ([]*compile.Module, error) {
	pool := compile.New(compile.Options{Compiler: o.Compiler, Cache: o.Cache, Jobs: o.Jobs})
	var actions []compile.Action
	for _, t := range targets {
		for _, l := range lowered {
			text, err := l.textFor(t)
			if err != nil {
				return nil, err
			}
			actions = append(actions, compile.Action{Graph: l.Plan.ID, Text: text.bytes, Target: t, Location: text.listing.Location})
		}
	}
	cached := 0
	modules, err := pool.CompileAll(ctx, actions, func(m *compile.Module) {
		if m.Cached {
			cached++
		}
		stage.Add(1)
	})
	if err != nil {
		return nil, err
	}
	stage.Done(fmt.Sprintf("%d of %d from the cache", cached, len(actions)))
	return modules, nil
}

// newManifest is the manifest without its graphs, weights and members.
func newManifest(m *arch.Model, p *Plan, targets []compile.Target, c *compile.Compiler) (*bundle.Manifest, error) {
	man := &bundle.Manifest{Model: bundle.Model{
		Family: m.Family, VocabSize: m.Spec.Vocab, Context: p.Context, RecomputePast: decoder.Switch(m.Spec, p.Context),
		BOS: ids(m.Generation.BOS), EOS: ids(m.Generation.EOS), Sampling: sampling(m.Generation.Sampling),
	}}
	kv, err := p.kv(m.Spec)
	if err != nil {
		return nil, err
	}
	man.Model.KV = kv
	for _, t := range targets {
		target := bundle.Target{
			Name: t.Name, OS: "linux", Arch: t.Arch, CPUFeatures: t.Features, ABI: hlocc.ABI(),
			Compiler: bundle.Compiler{Version: c.Version, SHA256: c.Digest, Flags: t.Flags()},
		}
		for _, g := range p.Graphs {
			target.Modules = append(target.Modules, bundle.Module{Graph: g.ID, Member: bundle.ModulePath(t.Name, g.ID)})
		}
		man.Targets = append(man.Targets, target)
	}
	provenance := struct {
		Hlocc   string         `json:"hlocc"`
		Ignored []arch.Ignored `json:"ignored_tensors,omitempty"`
	}{version.Version, m.Ignored}
	for _, part := range []struct {
		to    *json.RawMessage
		value any
	}{{&man.Spec, m.Spec}, {&man.Plan, p}, {&man.Provenance, provenance}} {
		if *part.to, err = json.Marshal(part.value); err != nil {
			return nil, err
		}
	}
	return man, nil
}

// kv lists the caches by asking the decode graph, which has all of them.
func (p *Plan) kv(spec *arch.Spec) ([]bundle.KV, error) {
	g, err := Graph(spec, p, p.Decode())
	if err != nil {
		return nil, err
	}
	var kv []bundle.KV
	for _, v := range g.Args() {
		if a := v.Op().(ir.Argument); a.Alias >= 0 {
			port, err := describePort(a.Role, v.Type())
			if err != nil {
				return nil, err
			}
			kv = append(kv, bundle.KV(port))
		}
	}
	return kv, nil
}

func ids(in []int) []int32 {
	out := make([]int32, len(in))
	for i, id := range in {
		out[i] = int32(id)
	}
	return out
}

func sampling(s arch.Sampling) *bundle.Sampling {
	if !s.Sample {
		return nil
	}
	return &bundle.Sampling{
		DoSample: true, Temperature: s.Temperature, TopK: s.TopK, TopP: s.TopP, MinP: s.MinP, RepetitionPenalty: s.RepetitionPenalty,
	}
}

// member is a text that goes into the bundle.
type member struct {
	path string
	data []byte
}

// maxText bounds the texts of a model directory; the largest tokenizers have 35 MB.
const maxText = 256 << 20

// readTexts reads the texts of a model directory that a bundle keeps.
func readTexts(dir string) ([]member, error) {
	var list []member
	for _, f := range []struct{ name, path string }{
		{"config.json", bundle.PathConfig},
		{"generation_config.json", bundle.PathGenerationConfig},
		{"tokenizer.json", bundle.PathTokenizer},
		{"tokenizer_config.json", bundle.PathTokenizerConfig},
		{"chat_template.jinja", bundle.PathChatTemplate},
	} {
		name := filepath.Join(dir, f.name)
		info, err := os.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && info.Size() > maxText {
			return nil, &diag.Error{Kind: diag.BadInput, Code: "text_too_large", File: name, Message: "file is too large",
				Want: "at most " + fsx.Bytes(maxText), Found: fsx.Bytes(info.Size())}
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, diag.FileError("unreadable", "cannot be read", name, err)
		}
		list = append(list, member{f.path, data})
	}
	return list, nil
}
