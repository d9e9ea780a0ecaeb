package build

import (
	"io"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

// PrintOptions choose one graph of a model and the form of its text.
type PrintOptions struct {
	Graph      string // "prefill" or "decode"
	Bucket     int    // of a prefill; 0 is the smallest of a build
	Context    int    // 0 is the default
	Locations  bool
	WeightArgs bool // weights as arguments, row-major as in the checkpoint, and not as parameters
}

// PrintGraph writes the StableHLO of a graph as a build would compile it.
func PrintGraph(w io.Writer, m *arch.Model, o PrintOptions) (*stablehlo.Listing, error) {
	po := PlanOptions{Context: o.Context}
	if o.Bucket != 0 {
		po.Buckets = []int{o.Bucket}
	}
	p, err := NewPlan(m, po)
	if err != nil {
		return nil, err
	}
	so := stablehlo.Options{Locations: o.Locations}
	if o.WeightArgs {
		p, so.Weights = p.RowMajor(), stablehlo.Args
	}
	for _, g := range p.Graphs {
		if string(g.Kind) != o.Graph {
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
