// Package report shows what quantization did to a bundle: as a table of text, as
// data, and as a page with plots that needs nothing but itself.
package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/quantize"
)

// Stored is the report of a build, as the manifest keeps it.
type Stored struct {
	Weights []quantize.Report `json:"weights"` // those that are quantized, in the order of the plan
}

// Report is what is known of the weights of a bundle.
type Report struct {
	File    string `json:"file"`
	Digest  string `json:"digest"`
	Name    string `json:"name,omitempty"`
	Family  string `json:"family"`
	Context int    `json:"context"`
	Bytes   int64  `json:"bytes"`        // of the file
	Archive int64  `json:"weight_bytes"` // of all tensors
	// Groups are sums over weights of one kind and scheme, the largest first.
	Groups  []Group  `json:"groups"`
	Weights []Weight `json:"weights"` // in the order of the archive
	// Calibrated says that 4-bit weights have weighted errors.
	Calibrated bool `json:"calibrated"`
}

// Group sums up the weights that are kept alike.
type Group struct {
	Kind    string  `json:"kind"`
	Scheme  string  `json:"scheme"`
	Count   int     `json:"count"`
	Numbers int64   `json:"numbers"`
	Bytes   int64   `json:"bytes"`
	Bits    float64 `json:"bits"` // by number, scales and padding included
	// MedianError and WorstError are relative errors, not weighted; 0 of floats.
	MedianError float64 `json:"median_error,omitempty"`
	WorstError  float64 `json:"worst_error,omitempty"`
}

// Weight is one weight of the archive.
type Weight struct {
	Name string `json:"name"`
	// Kind is the name without the layer, Layer the layer's number or -1.
	Kind  string `json:"kind"`
	Layer int    `json:"layer"`
	// Scheme is how numbers are encoded, the type if they are floats.
	Scheme  string  `json:"scheme"`
	Shape   []int   `json:"shape"`
	Numbers int64   `json:"numbers"`
	Bytes   int64   `json:"bytes"`
	Bits    float64 `json:"bits"`
	// Loss is what quantization cost, nil of floats.
	Loss *Loss `json:"loss,omitempty"`
}

// Loss is how far a quantized weight is from what was quantized.
type Loss struct {
	RelativeError float64 `json:"relative_error"` // length of the difference over length of the weight
	// WeightedError is the same with every column weighted by the mean square of what it
	// is multiplied with; 0 without a calibration.
	WeightedError float64 `json:"weighted_error,omitempty"`
	MaxError      float64 `json:"max_error"` // of a number
	MaxWeight     float64 `json:"max_weight"`
	Saturated     float64 `json:"saturated"` // share of numbers outside of their group's range
}

// Of reads the report of a bundle. A bundle without quantized weights has one with
// floats only.
func Of(r *bundle.Reader) (*Report, error) {
	report, err := fromManifest(r.Manifest())
	if err != nil {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "report", File: r.Path(), Where: "report", Message: "the bundle's report cannot be read",
			Fix: "use the hlocc that built the bundle", Cause: err}
	}
	report.File, report.Digest, report.Bytes = r.Path(), r.Digest(), r.Size()
	return report, nil
}

func fromManifest(m *bundle.Manifest) (*Report, error) {
	var stored Stored
	if len(m.Report) > 0 {
		if err := json.Unmarshal(m.Report, &stored); err != nil {
			return nil, err
		}
	}
	report := &Report{Name: m.Model.Name, Family: m.Model.Family, Context: m.Model.Context}
	quantized := map[string]*quantize.Report{}
	for i := range stored.Weights {
		quantized[stored.Weights[i].Weight] = &stored.Weights[i]
	}
	at := map[string]int{} // of quantized weights in report.Weights
	for _, t := range m.Weights {
		report.Archive += t.Length
		name := t.Name
		for _, part := range []string{".q", ".scale", ".offset"} {
			if base, ok := strings.CutSuffix(t.Name, part); ok && quantized[base] != nil {
				name = base
			}
		}
		q := quantized[name]
		if i, ok := at[name]; ok && q != nil {
			report.Weights[i].Bytes += t.Length
			continue
		}
		w := Weight{Name: name, Scheme: string(t.DType), Shape: t.Shape, Bytes: t.Length}
		w.Kind, w.Layer = split(name)
		if q != nil {
			at[name] = len(report.Weights)
			w.Scheme, w.Shape = string(q.Scheme), q.Shape
			report.Calibrated = report.Calibrated || q.WeightedError > 0
			w.Loss = &Loss{q.RelativeError, q.WeightedError, q.MaxError, q.MaxWeight, q.Saturated}
		}
		report.Weights = append(report.Weights, w)
	}
	for i := range report.Weights {
		w := &report.Weights[i]
		w.Numbers, w.Bits = sizes(w.Shape, w.Bytes)
	}
	report.Groups = group(report.Weights)
	return report, nil
}

// maxLayers is beyond every model: a bundle's names are not to be trusted.
const maxLayers = 1 << 16

// split cuts "layers.3.attn.qkv.weight" into "attn.qkv" and 3. What is not of a
// layer has layer -1.
func split(name string) (kind string, layer int) {
	name = strings.TrimSuffix(name, ".weight")
	if rest, ok := strings.CutPrefix(name, "layers."); ok {
		if number, kind, ok := strings.Cut(rest, "."); ok {
			if layer, err := strconv.Atoi(number); err == nil && layer >= 0 && layer < maxLayers {
				return kind, layer
			}
		}
	}
	return name, -1
}

// sizes counts the numbers of a weight, and bits of each.
func sizes(shape []int, bytes int64) (numbers int64, bits float64) {
	numbers = 1
	for _, d := range shape {
		numbers *= int64(d)
	}
	if numbers > 0 {
		bits = 8 * float64(bytes) / float64(numbers)
	}
	return numbers, bits
}

func group(weights []Weight) []Group {
	groups := []Group{}
	at := map[[2]string]int{}
	errors := map[[2]string][]float64{}
	for _, w := range weights {
		key := [2]string{w.Kind, w.Scheme}
		i, ok := at[key]
		if !ok {
			i = len(groups)
			at[key] = i
			groups = append(groups, Group{Kind: w.Kind, Scheme: w.Scheme})
		}
		g := &groups[i]
		g.Count++
		g.Numbers += w.Numbers
		g.Bytes += w.Bytes
		if w.Loss != nil {
			errors[key] = append(errors[key], w.Loss.RelativeError)
		}
	}
	for i := range groups {
		g := &groups[i]
		if g.Numbers > 0 {
			g.Bits = 8 * float64(g.Bytes) / float64(g.Numbers)
		}
		if e := errors[[2]string{g.Kind, g.Scheme}]; len(e) > 0 {
			slices.Sort(e)
			g.MedianError, g.WorstError = (e[(len(e)-1)/2]+e[len(e)/2])/2, e[len(e)-1]
		}
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return int(min(max(b.Bytes-a.Bytes, -1), 1)) })
	return groups
}

// Quantized are the weights with a loss.
func (r *Report) Quantized() []Weight {
	return slices.DeleteFunc(slices.Clone(r.Weights), func(w Weight) bool { return w.Loss == nil })
}

// Bits is the size of all quantized weights by number, in bits; 0 if there are none.
func (r *Report) Bits() float64 {
	var bytes, numbers int64
	for _, w := range r.Quantized() {
		bytes, numbers = bytes+w.Bytes, numbers+w.Numbers
	}
	if numbers == 0 {
		return 0
	}
	return 8 * float64(bytes) / float64(numbers)
}

// Cost is the error that counts: the weighted one if there is a calibration.
func (l *Loss) Cost() float64 { return cmp.Or(l.WeightedError, l.RelativeError) }

// Worst are the n quantized weights with the largest costs, the worst first.
func (r *Report) Worst(n int) []Weight {
	w := r.Quantized()
	slices.SortStableFunc(w, func(a, b Weight) int { return cmp.Compare(b.Loss.Cost(), a.Loss.Cost()) })
	return w[:min(n, len(w))]
}

func percent(f float64) string {
	switch {
	case f == 0:
		return "0"
	case f < 0.0001:
		return "<0.01 %"
	}
	return fmt.Sprintf("%.2f %%", 100*f)
}

func shape(s []int) string {
	var parts []string
	for _, d := range s {
		parts = append(parts, strconv.Itoa(d))
	}
	return strings.Join(parts, " × ")
}
