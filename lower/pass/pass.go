// Package pass holds the rewrites between lower/decoder and lower/stablehlo: functions from a
// graph to a graph that computes the same. [Portable] lists them in the order in which they run.
//
// A pass is made with ir.Rewrite, which keeps arguments, results and their order, drops what
// nothing uses any more, names the values after their locations again and verifies the outcome.
package pass

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// A Pass is a named rewrite.
type Pass struct {
	Name string // stable, lower case
	Doc  string // what it is for, one line
	Run  func(*ir.Graph) (*ir.Graph, error)
}

// Portable are the passes for every target, in order. What they produce is the pure StableHLO graph.
func Portable() []Pass {
	return []Pass{
		{"expand", "writes the model's own operations as portable ones", Expand},
		{"fold", "drops operations that change nothing and computes with constants", Fold},
	}
}

// Reference are the passes for the interpreter.
func Reference() []Pass {
	return []Pass{
		{"expand-reference", "writes the model's own operations, quantized linears excepted, as portable ones", expandButQuantized},
		{"fold", "drops operations that change nothing and computes with constants", Fold},
	}
}

// Run applies passes in order.
func Run(g *ir.Graph, passes []Pass) (*ir.Graph, error) {
	for _, p := range passes {
		next, err := p.Run(g)
		if err != nil {
			return nil, fmt.Errorf("pass %s: %w", p.Name, err)
		}
		g = next
	}
	return g, nil
}
