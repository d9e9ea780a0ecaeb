package arch

import (
	"slices"
	"strings"
)

// Dim is one dimension of a tensor, with the name that config.json has for it.
type Dim struct {
	Size int
	Name string
}

// Rule says how one logical weight is made from checkpoint tensors. In names a
// '*' stands for the layer number: the rule then holds for every layer.
//
// A weight is the concatenation, along its first axis, of pieces; a piece is a
// range of rows of a tensor. That one form covers a plain tensor (one piece, all
// rows), splitting a fused tensor (one piece, some rows), concatenation, and
// stacking experts (row-major, a stack is a concatenation).
type Rule struct {
	Logical string
	Shape   []int
	Pieces  []RulePiece
	// Or lists other forms of the same weight: a checkpoint has one of them.
	Or [][]RulePiece
	// On says which layers a rule with a '*' holds for.
	On LayerKind
}

// rename is r with other names of tensors.
func (r Rule) rename(of func(string) string) Rule {
	renamed := func(pieces []RulePiece) []RulePiece {
		out := slices.Clone(pieces)
		for i := range out {
			out[i].Tensor = of(out[i].Tensor)
			if out[i].Scales != "" {
				out[i].Scales = of(out[i].Scales)
			}
		}
		return out
	}
	r.Pieces, r.Or = renamed(r.Pieces), slices.Clone(r.Or)
	for i := range r.Or {
		r.Or[i] = renamed(r.Or[i])
	}
	return r
}

// LayerKind selects layers by their feed-forward block.
type LayerKind int

const (
	AllLayers LayerKind = iota
	DenseLayers
	SparseLayers
)

func (k LayerKind) has(l Layer) bool {
	return k == AllLayers || l.Sparse == (k == SparseLayers)
}

// RulePiece is a range of rows of a checkpoint tensor, which may be a stack of
// matrices.
type RulePiece struct {
	Tensor string
	Dims   []Dim // the shape that the tensor must have
	// Leading is how many leading axes are counted through as rows; 0 means 1.
	Leading int
	// Rows is the half-open range taken, counted after Transpose. {0, 0} means all.
	Rows [2]int
	// Step takes every Step-th row of the range, and with Run the Run rows from
	// there on; 0 means 1. Run does not go with Transpose.
	Step, Run int
	// Transpose swaps the last two axes first; a row is then a line of the last
	// axis, counted through all leading ones.
	Transpose bool
	// Scales names the tensor of MXFP4 scales, whose blocks are in Tensor; see
	// mxfp4.go. Dims is the shape of the weight that they encode.
	Scales string
}

// Direct is a weight that is a tensor as it stands.
func Direct(logical, tensor string, dims ...Dim) Rule {
	return Rule{Logical: logical, Shape: sizes(dims), Pieces: []RulePiece{{Tensor: tensor, Dims: dims}}}
}

// Transposed is a weight that is a tensor with its last two axes swapped.
func Transposed(logical, tensor string, dims ...Dim) Rule {
	shape := sizes(dims)
	n := len(shape)
	shape[n-1], shape[n-2] = shape[n-2], shape[n-1]
	return Rule{Logical: logical, Shape: shape, Pieces: []RulePiece{{Tensor: tensor, Dims: dims, Transpose: true}}}
}

// Concat is a weight made of several tensors of equal shape one after another
// along the first axis.
func Concat(logical string, tensors []string, dims ...Dim) Rule {
	r := Rule{Logical: logical, Shape: sizes(dims)}
	r.Shape[0] *= len(tensors)
	for _, t := range tensors {
		r.Pieces = append(r.Pieces, RulePiece{Tensor: t, Dims: dims})
	}
	return r
}

// Stack is a weight with a new first axis made of several tensors of equal
// shape, such as the experts of a layer.
func Stack(logical string, tensors []string, dims ...Dim) Rule {
	r := Concat(logical, tensors, dims...)
	r.Shape = append([]int{len(tensors)}, sizes(dims)...)
	return r
}

func sizes(dims []Dim) []int {
	shape := make([]int, len(dims))
	for i, d := range dims {
		shape[i] = d.Size
	}
	return shape
}

// matchPattern matches a name against a pattern in which '*' stands for one or
// more characters. It takes time proportional to the product of the lengths.
func matchPattern(pattern, name string) bool {
	prefix, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	if !strings.HasPrefix(name, prefix) {
		return false
	}
	name = name[len(prefix):]
	parts := strings.Split(rest, "*")
	for _, part := range parts[:len(parts)-1] {
		if name == "" {
			return false
		}
		i := strings.Index(name[1:], part)
		if i < 0 {
			return false
		}
		name = name[1+i+len(part):]
	}
	last := parts[len(parts)-1]
	return len(name) > len(last) && strings.HasSuffix(name, last)
}
