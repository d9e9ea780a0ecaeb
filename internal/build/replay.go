package build

import (
	"context"
	"fmt"
	"math"
	goruntime "runtime"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/progress"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// Replay says how a target of the bundle was proven.
type Replay struct {
	Target string `json:"target"`
	// Skipped says why this machine cannot run the target; then nothing else is set.
	Skipped      string  `json:"skipped,omitempty"`
	Tokens       int     `json:"tokens,omitempty"`
	MaxAbsDLogit float64 `json:"max_abs_dlogit,omitempty"`
}

// replayTolerance bounds the difference between a logit of compiled code and the
// interpreter's, in units of the row's standard deviation (at least 1). Both
// compute in float32 and sum in different orders; the oracles of the test suite
// agree to 1e-4, and deeper models spread more.
const replayTolerance = 1e-3

// replay opens the bundle with our own runtime and compares, for every target
// that this machine runs, decode steps and prefill with the interpreter.
func replay(ctx context.Context, m *arch.Model, p *Plan, targets []compile.Target, path string, report *progress.Reporter) ([]Replay, error) {
	prompt := replayPrompt(m, p)
	var runnable int64
	for _, t := range targets {
		if cannotRun(t) == "" {
			runnable++
		}
	}
	stage := report.Stage("replay", int64(len(prompt))+runnable, progress.Items)
	defer stage.Abandon()
	var rows [][]float32
	if runnable > 0 {
		r := NewReference(m, p.RowMajor())
		for _, token := range prompt {
			_, logits, err := r.Step(ctx, token)
			if err != nil {
				return nil, err
			}
			rows = append(rows, logits)
			stage.Add(1)
		}
	}
	var list []Replay
	for _, t := range targets {
		if why := cannotRun(t); why != "" {
			list = append(list, Replay{Target: t.Name, Skipped: why})
			continue
		}
		worst, err := replayTarget(ctx, path, t.Name, prompt, rows)
		if err != nil {
			return nil, err
		}
		list = append(list, Replay{Target: t.Name, Tokens: len(prompt), MaxAbsDLogit: worst})
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

func replayTarget(ctx context.Context, path, target string, prompt []int32, rows [][]float32) (worst float64, err error) {
	model, err := hlocc.OpenContext(ctx, path, hlocc.Options{Target: target, PrefillGraphsOnly: true})
	if err != nil {
		return 0, err
	}
	defer model.Close()
	session, err := model.NewSession()
	if err != nil {
		return 0, err
	}
	defer session.Close()
	compare := func(how string, i int, got []float32) error {
		d, at := maxDifference(rows[i], got)
		worst = math.Max(worst, d)
		if limit := replayTolerance * math.Max(1, deviation(rows[i])); !(d <= limit) {
			return &diag.Error{Kind: diag.Verification, Code: "replay", Where: fmt.Sprintf("target %s, %s, token %d, logit %d", target, how, i, at),
				Message: "compiled code disagrees with the interpreter", Want: fmt.Sprintf("%g within %g", rows[i][at], limit), Found: fmt.Sprint(got[at]),
				Fix: "no bundle was written; this is a bug in hlocc or in the compiler: please report it with the model's config.json"}
		}
		return nil
	}
	for i, token := range prompt {
		out, err := session.Step(ctx, token)
		if err == nil {
			err = compare("decode", i, out.Logits)
		}
		if err != nil {
			return worst, err
		}
	}
	session.Reset()
	out, err := session.Prefill(ctx, prompt)
	if err == nil {
		err = compare("prefill", len(prompt)-1, out.Logits)
	}
	return worst, err
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
