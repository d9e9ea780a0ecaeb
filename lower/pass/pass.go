// Package pass holds the rewrites between the decoder's graph and its text, in
// the order in which they run.
package pass

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// A Pass is a named rewrite. It keeps the arguments, results and numbers of a graph.
type Pass struct {
	Name string
	Run  func(*ir.Graph) (*ir.Graph, error)
}

// Passes is the list for every graph and target.
var Passes = []Pass{
	{"dce", deadCode}, // drop what contributes to no result
}

// Run runs all passes.
func Run(g *ir.Graph) (*ir.Graph, error) {
	for _, p := range Passes {
		var err error
		if g, err = p.Run(g); err != nil {
			return nil, fmt.Errorf("pass %s: %w", p.Name, err)
		}
	}
	return g, nil
}

func deadCode(g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g, func(*ir.Builder, *ir.Value, []*ir.Value) *ir.Value { return nil })
}
