package decoder

import (
	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/pass"
)

// portable builds a graph without high operations.
func portable(s *arch.Spec, o Options) (*ir.Graph, error) {
	g, err := Build(s, o)
	if err != nil {
		return nil, err
	}
	return pass.Expand(g)
}

// finish is g's graph without high operations.
func (g *graph) finish() (*ir.Graph, error) {
	high, err := g.Finish()
	if err != nil {
		return nil, err
	}
	return pass.Expand(high)
}
