package decoder

import (
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// SquaresRole is the role of a result of graphs with Options.Squares, f32[K]: the mean,
// over all rows of the graph, of the squares of each of the K columns that the weight
// [N,K] is multiplied with; of experts, over the rows of all experts. It says how much
// an error in a column of the weight matters. Padded rows of a prefill count as well.
func SquaresRole(weight string) string { return "squares." + weight }

// squares collects what those results are made of.
type squares struct {
	weights []string
	means   []*ir.Value
}

// of takes the rows x [...,K] that a weight is multiplied with.
func (s *squares) of(g *graph, weight string, x *ir.Value) {
	if s == nil || slices.Contains(s.weights, weight) {
		return
	}
	axes := firstAxes(len(x.Shape()) - 1)
	rows := 1
	for _, a := range axes {
		rows *= dim(x, a)
	}
	sum := g.Reduce(ir.ReduceAdd, g.Mul(x, x), axes...)
	s.weights = append(s.weights, weight)
	s.means = append(s.means, g.Div(sum, g.SplatLike(sum, float64(rows))))
}

func (s *squares) results(g *graph) {
	if s == nil {
		return
	}
	for i, w := range s.weights {
		g.Result(SquaresRole(w), s.means[i])
	}
}
