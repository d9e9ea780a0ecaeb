// Package calibrate measures on a text what the linear layers of a model are multiplied
// with: the mean square of every column. Quantization uses it to tell which errors matter.
//
// A model is run layer by layer, as compiled code, so that memory holds one layer's
// weights and the activations of the text, and never a whole model. Layers of the same form
// share a module.
package calibrate

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/progress"
	"github.com/hlocc/hlocc/runtime/raw"
)

// Target is what calibration is compiled for, whatever the bundle is: the last bits of
// sums depend on the instructions that make them, and the same inputs must give the same
// bundle on all machines. Every x86 processor since 2013 runs it.
const Target = "x86-64-v3"

const (
	// Window is the length of the sequences that a text is cut into unless the caller wants
	// another or the model has fewer positions.
	Window = 512
	// MaxTokens is how much of a text is used. Statistics of the columns of SmolLM2 hardly
	// change beyond a tenth of that.
	MaxTokens = 8192
)

// Options are what Collect runs a model with.
type Options struct {
	Compiler *compile.Compiler
	Cache    *compile.Cache
	Window   int                // 0 for the default
	Threads  int                // 0 for one for each CPU
	Progress *progress.Reporter // may be nil
}

// Statistics are what a text says about a model.
type Statistics struct {
	// Columns has for each logical weight that rows are multiplied with the mean
	// square of each of its K columns; experts share those of all their rows.
	Columns map[string][]float32
	Tokens  int // that were used
	Window  int // tokens of a sequence
}

// Digest is a sha256 of the statistics, hex: equal digests mean equal bundles.
func (s *Statistics) Digest() string {
	h := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(s.Columns)) {
		fmt.Fprintf(h, "%s %d\n", name, len(s.Columns[name]))
		var b [4]byte
		for _, v := range s.Columns[name] {
			binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
			h.Write(b[:])
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// Collect runs the tokens of a text through the model. Tokens that do not fill a window
// are left out, and those beyond MaxTokens.
func Collect(ctx context.Context, m *arch.Model, tokens []int32, o Options) (*Statistics, error) {
	target, err := compile.FindTarget(Target, cpu.Host())
	if err != nil {
		return nil, err
	}
	if ok, missing := target.Runs(cpu.Host()); !ok {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "calibrate_cpu", Where: "--calibrate", Message: "this machine cannot run the code that calibration uses",
			Want: Target, Found: fmt.Sprintf("a CPU without %v", missing), Fix: "build on another machine, or without calibration"}
	}
	for i, id := range tokens {
		if id < 0 || int(id) >= m.Spec.Vocab {
			return nil, &diag.Error{Kind: diag.BadInput, Code: "token_id", Where: "--calibrate", Message: fmt.Sprintf("token %d of the text is not in the model's vocabulary", i),
				Want: fmt.Sprintf("an id from 0 to %d", m.Spec.Vocab-1), Found: fmt.Sprint(id), Fix: "check that tokenizer.json belongs to the model"}
		}
	}
	s := &Statistics{Columns: map[string][]float32{}, Window: min(cmp.Or(o.Window, Window), m.Spec.MaxPositions, len(tokens))}
	if s.Window == 0 {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "text_too_short", Where: "--calibrate", Message: "there is nothing in the text to calibrate with",
			Fix: "give a text of some thousand words"}
	}
	s.Tokens = min(len(tokens), MaxTokens) / s.Window * s.Window
	dev, err := raw.Open(o.Threads)
	if err != nil {
		return nil, err
	}
	defer dev.Close()
	stage := o.Progress.Stage("calibrate", int64(len(m.Spec.Layers)), progress.Items)
	defer stage.Abandon()
	r := &run{Statistics: s, ctx: ctx, model: m, target: target, pool: compile.New(compile.Options{Compiler: o.Compiler, Cache: o.Cache}),
		dev: dev, modules: map[[sha256.Size]byte]*raw.Module{}}
	defer r.close()
	if err := r.embed(tokens[:s.Tokens]); err != nil {
		return nil, err
	}
	for n := range m.Spec.Layers {
		if err := r.layer(n); err != nil {
			return nil, err
		}
		stage.Add(1)
	}
	stage.Done(fmt.Sprintf("%d tokens", s.Tokens))
	return s, nil
}
