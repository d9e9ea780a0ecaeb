package build

import (
	"bytes"
	"fmt"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/pass"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

// Lowered is one graph in the forms that a build needs.
type Lowered struct {
	Plan    GraphPlan
	Graph   *ir.Graph
	Text    []byte             // StableHLO, as compiled
	Listing *stablehlo.Listing // maps lines of Text to locations in the model
}

// Lower builds one graph of the plan: decoder, passes, text.
func Lower(spec *arch.Spec, p *Plan, g GraphPlan) (*Lowered, error) {
	graph, err := Graph(spec, p, g)
	if err != nil {
		return nil, err
	}
	var text bytes.Buffer
	listing, err := stablehlo.Print(&text, graph, stablehlo.Options{})
	if err != nil {
		return nil, fmt.Errorf("print graph %s: %w", g.ID, err)
	}
	return &Lowered{Plan: g, Graph: graph, Text: text.Bytes(), Listing: listing}, nil
}

// Graph builds one graph of the plan in portable operations.
func Graph(spec *arch.Spec, p *Plan, g GraphPlan) (*ir.Graph, error) {
	return lowered(spec, p, g, pass.Portable())
}

// lowered builds one graph of the plan and runs passes on it.
func lowered(spec *arch.Spec, p *Plan, g GraphPlan, passes []pass.Pass) (*ir.Graph, error) {
	graph, err := decoder.Build(spec, p.Options(g))
	if err == nil {
		graph, err = pass.Run(graph, passes)
	}
	if err != nil {
		return nil, fmt.Errorf("build graph %s: %w", g.ID, err)
	}
	return graph, nil
}

// describe is a graph as the manifest has it.
func (l *Lowered) describe() (bundle.Graph, error) {
	g := bundle.Graph{ID: l.Plan.ID, Function: l.Graph.Name(), Bucket: l.Plan.Bucket, Batch: max(1, l.Plan.Batch)}
	switch l.Plan.Kind {
	case decoder.Prefill:
		g.Kind = bundle.Prefill
	case decoder.Decode:
		g.Kind = bundle.Decode
	default:
		return g, fmt.Errorf("graph %s: kind %q has no form in a bundle", g.ID, l.Plan.Kind)
	}
	for _, v := range l.Graph.Args() {
		port, err := describePort(v.Op().(ir.Argument).Role, v.Type())
		if err != nil {
			return g, fmt.Errorf("graph %s: %w", g.ID, err)
		}
		g.Inputs = append(g.Inputs, port)
	}
	for _, r := range l.Graph.Results() {
		port, err := describePort(r.Role, r.Value.Type())
		if err != nil {
			return g, fmt.Errorf("graph %s: %w", g.ID, err)
		}
		g.Results = append(g.Results, port)
	}
	return g, nil
}

func describePort(role string, t ir.Type) (bundle.Port, error) {
	types := map[ir.DType]bundle.DType{ir.F32: bundle.F32, ir.I32: bundle.I32}
	d, ok := types[t.DType()]
	if !ok {
		return bundle.Port{}, fmt.Errorf("role %s has element type %v", role, t.DType())
	}
	return bundle.Port{Role: role, DType: d, Shape: t.Shape()}, nil
}
