package build

import (
	"bytes"
	"fmt"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/kernel"
	"github.com/hlocc/hlocc/lower/pass"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

// Lowered is one graph in the forms that a build needs.
type Lowered struct {
	Plan  GraphPlan
	Graph *ir.Graph // portable
	Text  []byte    // StableHLO of it

	spec  *arch.Spec
	plan  *Plan
	texts map[string]*text // by instruction set
}

// text is a graph as the compiler gets it.
type text struct {
	bytes   []byte
	listing *stablehlo.Listing // maps its lines to locations in the model
}

// Lower builds one graph of the plan: decoder, passes, text.
func Lower(spec *arch.Spec, p *Plan, g GraphPlan) (*Lowered, error) {
	graph, err := Graph(spec, p, g)
	if err != nil {
		return nil, err
	}
	t, err := printed(graph, stablehlo.Options{})
	if err != nil {
		return nil, err
	}
	return &Lowered{Plan: g, Graph: graph, Text: t.bytes, spec: spec, plan: p, texts: map[string]*text{}}, nil
}

// textFor is the graph for a target, with kernels of ours.
func (l *Lowered) textFor(t compile.Target) (*text, error) {
	isa := kernel.Choose(t.Features)
	if l.texts[isa.Name] == nil {
		graph, err := lowered(l.spec, l.plan, l.Plan, pass.ForCPU(isa))
		if err != nil {
			return nil, err
		}
		if l.texts[isa.Name], err = printed(graph, stablehlo.Options{Kernel: kernelText(isa)}); err != nil {
			return nil, err
		}
	}
	return l.texts[isa.Name], nil
}

// kernelText prints kernels for an instruction set.
func kernelText(isa kernel.ISA) func(ir.Kernel) (string, error) {
	return func(k ir.Kernel) (string, error) {
		printer, ok := k.(kernel.Kernel)
		if !ok {
			return "", fmt.Errorf("%T has no text: BUG in the list of passes", k)
		}
		return printer.Text(isa)
	}
}

func printed(g *ir.Graph, o stablehlo.Options) (*text, error) {
	var b bytes.Buffer
	listing, err := stablehlo.Print(&b, g, o)
	if err != nil {
		return nil, fmt.Errorf("print graph %s: %w", g.Name(), err)
	}
	return &text{b.Bytes(), listing}, nil
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
	types := map[ir.DType]bundle.DType{ir.F32: bundle.F32, ir.F16: bundle.F16, ir.I32: bundle.I32}
	d, ok := types[t.DType()]
	if !ok {
		return bundle.Port{}, fmt.Errorf("role %s has element type %v", role, t.DType())
	}
	return bundle.Port{Role: role, DType: d, Shape: t.Shape()}, nil
}
