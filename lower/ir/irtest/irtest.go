// Package irtest holds one table of examples for every operation of lower/ir: tiny
// operands, and results written by hand from the StableHLO specification. The tests of
// ir, stablehlo and interp all range over it, so that an operation that lacks a shape
// rule, a text form or an evaluator, or whose compiled code disagrees, fails by name.
// Only tests may import it.
package irtest

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/lower/ir"
)

// A Tensor is a type with its elements in row-major order.
type Tensor struct {
	Type   ir.Type
	Values []float64
}

// Build makes the operations of a case from its operands.
type Build func(b *ir.Builder, in []*ir.Value) []*ir.Value

// A Case is a small program with its expected results.
type Case struct {
	Name  string
	Args  []Tensor
	Build Build
	Want  []Tensor
	// ULP is how many units in the last place of float32 a result may be off; 0 means
	// equal bits, except that any NaN equals any other.
	ULP float64
	// NotCompiled says why compiled code may give something else, "" if it may not.
	NotCompiled string
}

var (
	nan     = math.NaN()
	inf     = math.Inf(1)
	negZero = math.Copysign(0, -1)
)

// Graph makes one graph of several cases: arguments cN.M and results cN.M for the M-th
// operand and result of case N.
func Graph(name string, cases []Case) (*ir.Graph, error) {
	b := ir.New(name)
	args := make([][]*ir.Value, len(cases))
	for n, c := range cases {
		for m, a := range c.Args {
			id := fmt.Sprintf("c%d.%d", n, m)
			args[n] = append(args[n], b.Arg(id, id, a.Type))
		}
	}
	for n, c := range cases {
		for m, v := range c.Build(b.Atf("c%d", n), args[n]) {
			b.Result(fmt.Sprintf("c%d.%d", n, m), v)
		}
	}
	return b.Finish()
}

// Check compares the results of c, as float64, with what is wanted.
func (c Case) Check(got []Tensor) error {
	if len(got) != len(c.Want) {
		return fmt.Errorf("%s: %d results, want %d", c.Name, len(got), len(c.Want))
	}
	for i, w := range c.Want {
		if got[i].Type != w.Type {
			return fmt.Errorf("%s: result %d is %v, want %v", c.Name, i, got[i].Type, w.Type)
		}
		for j, x := range w.Values {
			if !near(got[i].Values[j], x, c.ULP) {
				return fmt.Errorf("%s: result %d: got %v, want %v (element %d)", c.Name, i, got[i].Values, w.Values, j)
			}
		}
	}
	return nil
}

// near reports whether x is within ulp units of y's last float32 place.
func near(x, y, ulp float64) bool {
	if math.IsNaN(y) {
		return math.IsNaN(x)
	}
	if x == y && math.Signbit(x) == math.Signbit(y) {
		return true
	}
	if math.IsInf(y, 0) || math.IsNaN(x) || ulp == 0 {
		return false
	}
	unit := float64(math.Nextafter32(float32(math.Abs(y)), float32(inf))) - float64(float32(math.Abs(y)))
	return math.Abs(x-y) <= ulp*unit
}

// tensor is short for a tensor of any element type.
func tensor(d ir.DType, shape []int, values ...float64) Tensor {
	t := ir.T(d, shape...)
	if len(values) != t.Elems() {
		panic(fmt.Sprintf("%v with %d values", t, len(values)))
	}
	return Tensor{t, values}
}

// vec is a vector.
func vec(d ir.DType, values ...float64) Tensor { return tensor(d, []int{len(values)}, values...) }

// scalar is a tensor without dimensions.
func scalar(d ir.DType, v float64) Tensor { return tensor(d, nil, v) }

// f32 is a float32 tensor; a value that float32 cannot represent is rounded.
func f32(shape []int, values ...float64) Tensor {
	for i, v := range values {
		values[i] = float64(float32(v))
	}
	return tensor(ir.F32, shape, values...)
}

func dims(d ...int) []int { return d }

// count is first, first+1, ... for n elements.
func count(first, n int) []float64 {
	v := make([]float64, n)
	for i := range v {
		v[i] = float64(first + i)
	}
	return v
}
