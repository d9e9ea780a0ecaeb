package build

import (
	"context"
	"slices"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/calibrate"
	"github.com/hlocc/hlocc/quantize"
)

// Calibration is a text that tells which errors of quantization matter.
type Calibration struct {
	Name   string  // of the text, for people and the plan
	SHA256 string  // of the text, hex
	Tokens []int32 // of the text, as the model reads it
}

// CalibrationPlan is what a plan records of its calibration.
type CalibrationPlan struct {
	Text       string `json:"text"`
	SHA256     string `json:"sha256"`     // of the text
	Tokens     int    `json:"tokens"`     // that were used
	Window     int    `json:"window"`     // tokens of a sequence
	Statistics string `json:"statistics"` // sha256
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
	s, err := calibrate.Collect(ctx, m, o.Calibration.Tokens, calibrate.Options{Compiler: o.Compiler, Cache: o.Cache, Progress: o.Progress})
	if err != nil {
		return err
	}
	p.importance = s.Columns
	p.Calibration = &CalibrationPlan{Text: o.Calibration.Name, SHA256: o.Calibration.SHA256, Tokens: s.Tokens, Window: s.Window, Statistics: s.Digest()}
	return nil
}
