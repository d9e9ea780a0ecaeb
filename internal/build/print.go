package build

import (
	"context"
	"errors"
	"io"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/lower/kernel"
	"github.com/hlocc/hlocc/lower/pass"
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
	WeightArgs bool // weights as arguments, floats row-major as in the checkpoint, and not as parameters

	Weights quantize.Options // how weights are stored
	Act     quantize.Act
	Kernels *compile.Target // calls the kernels of this target; nil for a portable graph
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
		passes := pass.Portable()
		if o.Kernels != nil {
			isa := kernel.Choose(o.Kernels.Features)
			passes, so.Kernel = pass.ForCPU(isa), kernelText(isa)
		}
		graph, err := lowered(m.Spec, p, g, passes)
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
	ref := NewReference(m, p)
	var out []safetensors.Out
	for _, s := range p.Weights {
		for _, t := range s.Tensors() {
			out = append(out, safetensors.Out{Name: t.Name, DType: t.DType, Shape: t.Shape, Data: func(w io.Writer) error {
				if !s.Quantized() {
					return quantize.WriteFloats(ctx, m, s, w)
				}
				raw, err := ref.stored(ctx, t.Name)
				if err == nil {
					_, err = w.Write(raw)
				}
				return err
			}})
		}
	}
	for _, t := range tables(m.Spec, p.Context) {
		out = append(out, safetensors.Out{Name: t.Name, DType: safetensors.F32, Shape: t.Shape,
			Data: func(w io.Writer) error { return writeFloats(w, t.values()) }})
	}
	return safetensors.Write(w, nil, out)
}

func (o PrintOptions) plan(m *arch.Model) (*Plan, error) {
	po := PlanOptions{Context: o.Context, Weights: o.Weights, Act: o.Act}
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
