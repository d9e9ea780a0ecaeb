package build

import (
	"context"
	"errors"
	"fmt"
	"math"
	goruntime "runtime"
	"slices"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/progress"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/quantize"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// Replay says how a target of the bundle was proven.
type Replay struct {
	Target string `json:"target"`
	// Skipped says why this machine cannot run the target; then nothing else is set.
	Skipped      string  `json:"skipped,omitempty"`
	Tokens       int     `json:"tokens,omitempty"`
	MaxAbsDLogit float64 `json:"max_abs_dlogit,omitempty"`
	// Unproven are batches that were not run: this machine has no memory for their caches.
	Unproven []string `json:"unproven,omitempty"`
}

// replayTolerance bounds the difference between a logit of compiled code and the
// interpreter's, in units of the row's standard deviation (at least 1). Both
// compute in float32 and sum in different orders; the oracles of the test suite
// agree to 1e-4, and deeper models spread more.
const replayTolerance = 1e-3

// replay opens the bundle with our own runtime and compares, for every target
// that this machine runs, decode steps, prefill and batches with the interpreter. Where the
// length of a sequence makes a difference to all of it, both cases are compared.
func replay(ctx context.Context, m *arch.Model, p *Plan, targets []compile.Target, path string, report *progress.Reporter) ([]Replay, error) {
	prompt := replayPrompt(m, p)
	var runnable int64
	for _, t := range targets {
		if cannotRun(t) == "" {
			runnable++
		}
	}
	runs := []replayRun{{}}
	if at := decoder.Switch(m.Spec, p.Context); at > 0 {
		runs = append(runs, replayRun{expected: at + 1}) // the same tokens as the start of a long sequence
	}
	stage := report.Stage("replay", int64(len(runs)*len(prompt))+runnable, progress.Items)
	defer stage.Abandon()
	if runnable > 0 {
		b, err := bundle.Open(path)
		if err != nil {
			return nil, err
		}
		defer b.Close()
		r := NewReference(m, p.RowMajor())
		r.archive = b.Tensor
		for i := range runs {
			if err := runs[i].expect(ctx, r, prompt, stage); err != nil {
				return nil, err
			}
		}
		if p.Act == quantize.Fast {
			r := NewReference(m, p.exact())
			r.archive = b.Tensor
			for i := range runs {
				if err := runs[i].allowRounding(ctx, r, prompt); err != nil {
					return nil, err
				}
			}
		}
	}
	var list []Replay
	for _, t := range targets {
		if why := cannotRun(t); why != "" {
			list = append(list, Replay{Target: t.Name, Skipped: why})
			continue
		}
		proof := Replay{Target: t.Name, Tokens: len(prompt)}
		if err := proof.run(ctx, path, p, prompt, runs); err != nil {
			return nil, err
		}
		list = append(list, proof)
		stage.Add(1)
	}
	stage.Done("")
	return list, nil
}

// replayPrompt is a few tokens spread over the vocabulary.
func replayPrompt(m *arch.Model, p *Plan) []int32 {
	v := m.Spec.Vocab
	prompt := []int32{int32(v / 3), int32(2 * v / 3), int32(v - 1)}
	if bos := m.Generation.BOS; len(bos) > 0 {
		prompt[0] = int32(bos[0])
	}
	return prompt[:min(len(prompt), p.Context)]
}

func cannotRun(t compile.Target) string {
	if goruntime.GOOS != "linux" || goruntime.GOARCH != t.Arch {
		return fmt.Sprintf("runs on linux/%s, this is %s/%s", t.Arch, goruntime.GOOS, goruntime.GOARCH)
	}
	if ok, missing := t.Runs(cpu.Host()); !ok {
		return fmt.Sprintf("this CPU lacks %v", missing)
	}
	return ""
}

// outcome is what the interpreter gives after a token.
type outcome struct {
	next   int32
	logits []float32
	limit  float64 // how far compiled code may be off
}

// replayRun is one run of the prompt: how many tokens the sequence is said to get, and
// what the interpreter gives after each token.
type replayRun struct {
	expected int
	want     []outcome
}

// expect asks the interpreter.
func (r *replayRun) expect(ctx context.Context, ref *Reference, prompt []int32, stage *progress.Stage) error {
	ref.Reset()
	ref.Expect(r.expected)
	for _, token := range prompt {
		next, logits, err := ref.Step(ctx, token)
		if err != nil {
			return err
		}
		r.want = append(r.want, outcome{next, logits, replayTolerance * math.Max(1, deviation(logits))})
		stage.Add(1)
	}
	return nil
}

// allowRounding widens the limits of a model whose activations are rounded to 8 bits. A
// difference in the last bit of a float32 rounds some of them the other way, and where
// one group holds a huge value that is felt by all logits: as much as by rounding at all. Both
// the interpreter and compiled code are such roundings of the model with exact
// activations, which says how much that is: on SmolLM2 a change of activations by one
// part in 10^7 moves logits by up to 0.8, and rounding moves them by 1.6.
func (r *replayRun) allowRounding(ctx context.Context, exact *Reference, prompt []int32) error {
	exact.Reset()
	exact.Expect(r.expected)
	for i, token := range prompt {
		_, logits, err := exact.Step(ctx, token)
		if err != nil {
			return err
		}
		d, _ := maxDifference(logits, r.want[i].logits)
		r.want[i].limit += 2 * d
	}
	return nil
}

// run runs the prompt by decode steps, through every prefill graph and in the slots of
// every batch.
func (r *Replay) run(ctx context.Context, path string, p *Plan, prompt []int32, runs []replayRun) error {
	for _, g := range p.Graphs {
		o := hlocc.Options{Target: r.Target, PrefillGraphsOnly: true, Buckets: []int{g.Bucket}}
		each := func(replay func(run replayRun) (float64, error)) error {
			for _, run := range runs {
				d, err := replay(run)
				r.MaxAbsDLogit = math.Max(r.MaxAbsDLogit, d)
				if err != nil {
					return err
				}
			}
			return nil
		}
		err := withModel(ctx, path, o, func(m *hlocc.Model) error {
			if g.Batch > 0 {
				b, err := m.NewBatch(g.Batch)
				if err != nil {
					return err
				}
				defer b.Close()
				return each(func(run replayRun) (float64, error) { return run.batch(ctx, b, g, prompt, r.Target) })
			}
			s, err := m.NewSession()
			if err != nil {
				return err
			}
			defer s.Close()
			return each(func(run replayRun) (float64, error) { return run.replay(ctx, s, g, prompt, r.Target) })
		})
		var de *diag.Error
		if g.Batch > 0 && errors.As(err, &de) && de.Code == "no_memory" {
			r.Unproven = append(r.Unproven, g.ID)
			continue
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// replay runs the prompt through one graph and compares what it gives.
func (r replayRun) replay(ctx context.Context, s *hlocc.Session, g GraphPlan, prompt []int32, target string) (worst float64, err error) {
	s.Reset()
	s.Expect(r.expected)
	compare := func(i int, got hlocc.Output) error {
		d, err := r.want[i].compare(got)
		worst = math.Max(worst, d)
		if err != nil {
			err.Where = fmt.Sprintf("target %s, graph %s, token %d, %s", target, g.ID, i, err.Where)
			return err
		}
		return nil
	}
	if g.Kind == decoder.Prefill {
		// A prompt longer than the bucket runs in chunks.
		out, err := s.Prefill(ctx, prompt)
		if err == nil {
			err = compare(len(prompt)-1, out)
		}
		return worst, err
	}
	for i, token := range prompt {
		out, err := s.Step(ctx, token)
		if err == nil {
			err = compare(i, out)
		}
		if err != nil {
			return worst, err
		}
	}
	return worst, nil
}

// batch runs the prompt in every slot, beginning at one step in the first and a step
// later in each of the next ones, and compares what they give.
func (r replayRun) batch(ctx context.Context, b *hlocc.Batch, g GraphPlan, prompt []int32, target string) (worst float64, err error) {
	for slot := range b.Size() {
		b.Slot(slot).Reset()
		b.Slot(slot).Expect(r.expected)
	}
	for step := range 2*len(prompt) - 1 {
		tokens := make([]int32, b.Size())
		for slot := range tokens {
			tokens[slot] = hlocc.Idle
			if i := step - slot%len(prompt); i >= 0 && i < len(prompt) {
				tokens[slot] = prompt[i]
			}
		}
		if !slices.ContainsFunc(tokens, func(t int32) bool { return t != hlocc.Idle }) {
			continue // of a batch smaller than the prompt
		}
		outs, err := b.Step(ctx, tokens)
		if err != nil {
			return worst, err
		}
		for slot, out := range outs {
			if tokens[slot] == hlocc.Idle {
				continue
			}
			i := b.Slot(slot).Len() - 1
			d, err := r.want[i].compare(out)
			worst = math.Max(worst, d)
			if err != nil {
				err.Where = fmt.Sprintf("target %s, graph %s, slot %d, token %d, %s", target, g.ID, slot, i, err.Where)
				return worst, err
			}
		}
	}
	return worst, nil
}

func withModel(ctx context.Context, path string, o hlocc.Options, use func(*hlocc.Model) error) (err error) {
	model, err := hlocc.OpenContext(ctx, path, o)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, model.Close()) }()
	return use(model)
}

// compare holds what compiled code gave against the interpreter. The token must
// be the same, unless another one's logit is as near as the tolerance.
func (w outcome) compare(got hlocc.Output) (worst float64, problem *diag.Error) {
	wrong := func(where, want, found string) *diag.Error {
		return &diag.Error{Kind: diag.Verification, Code: "replay", Where: where,
			Message: "compiled code disagrees with the interpreter", Want: want, Found: found,
			Fix: "no bundle was written; this is a bug in hlocc or in the compiler: please report it with the model's config.json"}
	}
	limit := w.limit
	worst, at := maxDifference(w.logits, got.Logits)
	if !(worst <= limit) {
		return worst, wrong(fmt.Sprintf("logit %d", at), fmt.Sprintf("%g within %g", w.logits[at], limit), fmt.Sprint(got.Logits[at]))
	}
	if t := int(got.Token); t < 0 || t >= len(w.logits) || float64(w.logits[w.next]-w.logits[t]) > 2*limit {
		return worst, wrong("next token", fmt.Sprint(w.next), fmt.Sprint(got.Token))
	}
	return worst, nil
}

// maxDifference is the largest difference and where it is; NaN counts as largest.
func maxDifference(want, got []float32) (d float64, at int) {
	for i := range want {
		if e := math.Abs(float64(got[i]) - float64(want[i])); e > d || math.IsNaN(e) {
			if d, at = e, i; math.IsNaN(e) {
				return math.Inf(1), i
			}
		}
	}
	return d, at
}

// deviation is the standard deviation of a row.
func deviation(row []float32) float64 {
	var sum, squares float64
	for _, v := range row {
		sum += float64(v)
		squares += float64(float64(v) * float64(v))
	}
	n := float64(len(row))
	mean := sum / n
	return math.Sqrt(math.Max(0, squares/n-float64(mean*mean)))
}
