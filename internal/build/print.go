package build

import (
	"context"
	"errors"
	"io"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/lower/stablehlo"
	"github.com/hlocc/hlocc/quantize"
)

// PrintOptions choose one graph of a model and the form of its text.
type PrintOptions struct {
	Graph      string // "prefill" or "decode"
	Bucket     int    // of a prefill; 0 is the smallest of a build
	Batch      int    // of a decode; 0 and 1 are the graph of one sequence
	Context    int    // 0 is the default
	Locations  bool
	WeightArgs bool // weights as arguments, row-major as in the checkpoint, and not as parameters
}

// PrintGraph writes the StableHLO of a graph as a build would compile it.
func PrintGraph(w io.Writer, m *arch.Model, o PrintOptions) (*stablehlo.Listing, error) {
	p, err := o.plan(m)
	if err != nil {
		return nil, err
	}
	so := stablehlo.Options{Locations: o.Locations}
	if o.WeightArgs {
		p, so.Weights = p.RowMajor(), stablehlo.Args
	}
	for _, g := range p.Graphs {
		if string(g.Kind) != o.Graph || g.Batch > 0 != (o.Batch > 1) {
			continue
		}
		graph, err := Graph(m.Spec, p, g)
		if err != nil {
			return nil, err
		}
		return stablehlo.Print(w, graph, so)
	}
	return nil, &diag.Error{Kind: diag.Usage, Code: "no_graph", Where: "--graph", Message: "a build makes no such graph", Found: o.Graph, Want: "prefill or decode"}
}

// WriteValues writes what the weight arguments of the graphs hold, tables
// included, as a safetensors file under the arguments' names. It is the same for
// every graph of one context.
func WriteValues(ctx context.Context, w io.Writer, m *arch.Model, o PrintOptions) error {
	p, err := o.plan(m)
	if err != nil {
		return err
	}
	p = p.RowMajor()
	var out []safetensors.Out
	for _, s := range p.Weights {
		out = append(out, safetensors.Out{Name: s.Weight, DType: s.DType, Shape: s.StoredShape(),
			Data: func(w io.Writer) error { return quantize.WriteFloats(ctx, m, s, w) }})
	}
	for _, t := range tables(m.Spec, p.Context) {
		out = append(out, safetensors.Out{Name: t.Name, DType: safetensors.F32, Shape: t.Shape,
			Data: func(w io.Writer) error { return writeFloats(w, t.values()) }})
	}
	return safetensors.Write(w, nil, out)
}

func (o PrintOptions) plan(m *arch.Model) (*Plan, error) {
	po := PlanOptions{Context: o.Context}
	if o.Bucket != 0 {
		po.Buckets = []int{o.Bucket}
	}
	if o.Batch > 1 {
		po.Slots = []int{o.Batch}
	}
	p, err := NewPlan(m, po)
	var e *diag.Error
	if errors.As(err, &e) { // one graph has one size, and flags that say so
		switch e.Where {
		case "--buckets":
			e.Where = "--bucket"
		case "--slots":
			e.Where = "--batch"
		}
	}
	return p, err
}
