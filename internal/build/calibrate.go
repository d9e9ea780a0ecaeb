package build

import (
	"context"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/calibrate"
	"github.com/hlocc/hlocc/quantize"
)

// Calibration is a text that tells which errors of quantization matter.
type Calibration struct {
	// Default says that the user did not ask for it: a model with large layers does without.
	Default bool
	Name    string  // of the text, for people and the plan
	SHA256  string  // of the text, hex
	Tokens  []int32 // of the text, as the model reads it
}

// CalibrationPlan is what a plan records of its calibration.
type CalibrationPlan struct {
	Text       string `json:"text"`
	Skipped    string `json:"skipped,omitempty"`    // why there was none after all; then nothing else is set
	SHA256     string `json:"sha256,omitempty"`     // of the text
	Tokens     int    `json:"tokens,omitempty"`     // that were used
	Window     int    `json:"window,omitempty"`     // tokens of a sequence
	Statistics string `json:"statistics,omitempty"` // sha256
}

// maxDefaultCalibration bounds the layer, as float32, that is calibrated without being
// asked for, in bytes: builds stay within 1 GB of memory.
const maxDefaultCalibration = 600 << 20

// largestLayer is the number of elements of the largest layer.
func largestLayer(m *arch.Model) int64 {
	layers := map[string]int64{}
	var most int64
	for i := range m.Weights {
		w := &m.Weights[i]
		name, ok := strings.CutPrefix(w.Name, "layers.")
		if !ok {
			continue
		}
		number, _, _ := strings.Cut(name, ".")
		layers[number] += w.Elements()
		most = max(most, layers[number])
	}
	return most
}

// Searches says that the plan has a use for calibration.
func (p *Plan) Searches() bool {
	return slices.ContainsFunc(p.Weights, func(s quantize.Storage) bool { return s.Quantized() && s.Method == quantize.Search })
}

// calibrate runs the text through the model, if the plan has a use for it.
func (p *Plan) calibrate(ctx context.Context, m *arch.Model, o Options) error {
	if o.Calibration == nil || !p.Searches() {
		return nil
	}
	if o.Calibration.Default && largestLayer(m)*4 > maxDefaultCalibration {
		p.Calibration = &CalibrationPlan{Text: o.Calibration.Name, Skipped: "a layer in float32 takes more memory than a build should"}
		return nil
	}
	s, err := calibrate.Collect(ctx, m, o.Calibration.Tokens, calibrate.Options{Compiler: o.Compiler, Cache: o.Cache, Progress: o.Progress})
	if err != nil {
		return err
	}
	p.importance = s.Columns
	p.Calibration = &CalibrationPlan{Text: o.Calibration.Name, SHA256: o.Calibration.SHA256, Tokens: s.Tokens, Window: s.Window, Statistics: s.Digest()}
	return nil
}
