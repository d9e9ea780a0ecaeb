package ir

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Argument is an input of the function.
type Argument struct {
	Name string
	Role string // what the runtime finds it by
	// Alias is the index of the result that takes over this argument's memory,
	// -1 if none: the caller gives the buffer away and gets it back, updated in
	// place, as that result.
	Alias int
}

// Mnemonic implements [Op].
func (Argument) Mnemonic() string { return "arg" }

func (Argument) infer([]Type) (Type, error) { return Type{}, errors.New("has a declared type") }

func (o Argument) attrs() string {
	s := "role=" + o.Role
	if o.Alias >= 0 {
		s += fmt.Sprintf(" alias=%d", o.Alias)
	}
	return s
}

// Parameter is a weight, found by its key when the program is loaded. It is
// constant as far as the graph is concerned, and its values are never printed.
type Parameter struct{ Key string }

// Mnemonic implements [Op].
func (Parameter) Mnemonic() string { return "param" }

func (Parameter) infer([]Type) (Type, error) { return Type{}, errors.New("has a declared type") }

func (o Parameter) attrs() string { return "key=" + o.Key }

// MaxDense is the largest number of elements of a dense [Constant]; larger
// tables are parameters.
const MaxDense = 1024

// Constant is a tensor whose elements are all equal (one element in Values) or
// listed in row-major order. Values hold what the element type can represent
// exactly: floats already rounded to it, integers of at most 2^53 in magnitude, 0 or 1
// for I1. The storage types F16 and BF16 have no constants.
type Constant struct {
	Type   Type
	Values []float64
}

// Splat reports whether all elements are the same single value.
func (o Constant) Splat() bool { return len(o.Values) == 1 }

// Mnemonic implements [Op].
func (Constant) Mnemonic() string { return "const" }

func (o Constant) infer(args []Type) (Type, error) {
	if len(args) != 0 {
		return Type{}, arity(0, args)
	}
	if err := o.Type.Check(); err != nil {
		return Type{}, err
	}
	if n := len(o.Values); n != 1 && n != o.Type.Elems() {
		return Type{}, fmt.Errorf("%d values for %v", n, o.Type)
	} else if n > MaxDense {
		return Type{}, fmt.Errorf("%d values, at most %d fit in a graph: use a parameter", n, MaxDense)
	}
	if o.Type.dtype != I1 && !o.Type.dtype.computes() {
		return Type{}, undefinedFor(o.Type.dtype)
	}
	for _, v := range o.Values {
		if !representable(o.Type.dtype, v) {
			return Type{}, fmt.Errorf("%v is not a value of %v", v, o.Type.dtype)
		}
	}
	return o.Type, nil
}

func (o Constant) attrs() string {
	s := make([]string, len(o.Values))
	for i, v := range o.Values {
		s[i] = strconv.FormatFloat(v, 'g', -1, 64)
		if o.Type.dtype == F32 {
			s[i] = strconv.FormatFloat(v, 'g', -1, 32)
		}
	}
	if o.Splat() {
		return s[0]
	}
	return "[" + strings.Join(s, " ") + "]"
}

// representable reports whether v is exactly a value of d.
func representable(d DType, v float64) bool {
	switch d {
	case F64:
		return true
	case F32:
		return math.IsNaN(v) || float64(float32(v)) == v
	}
	if v != math.Trunc(v) || math.Signbit(v) && v == 0 {
		return false
	}
	switch d {
	case I1:
		return v == 0 || v == 1
	case U8:
		return 0 <= v && v <= math.MaxUint8
	case I8:
		return math.MinInt8 <= v && v <= math.MaxInt8
	case I32:
		return math.MinInt32 <= v && v <= math.MaxInt32
	case I64:
		return math.Abs(v) <= 1<<53
	}
	return false
}

// Iota counts 0, 1, 2, ... along dimension Dim and is constant along the others.
type Iota struct {
	Type Type
	Dim  int
}

// Mnemonic implements [Op].
func (Iota) Mnemonic() string { return "iota" }

func (o Iota) infer(args []Type) (Type, error) {
	if len(args) != 0 {
		return Type{}, arity(0, args)
	}
	if err := o.Type.Check(); err != nil {
		return Type{}, err
	}
	if !o.Type.dtype.computes() {
		return Type{}, fmt.Errorf("not defined for %v", o.Type.dtype)
	}
	if err := checkDim(o.Dim, o.Type); err != nil {
		return Type{}, err
	}
	if last := float64(o.Type.Dim(o.Dim) - 1); !representable(o.Type.dtype, last) {
		return Type{}, fmt.Errorf("%v cannot count to %v exactly", o.Type.dtype, last)
	}
	return o.Type, nil
}

func (o Iota) attrs() string { return fmt.Sprintf("dim=%d", o.Dim) }

// arity is the error for a wrong number of operands.
func arity(want int, args []Type) error {
	return fmt.Errorf("takes %d operands, got %d", want, len(args))
}

// checkDim reports a dimension that t does not have.
func checkDim(dim int, t Type) error {
	if dim < 0 || dim >= t.Rank() {
		return fmt.Errorf("no dimension %d in %v", dim, t)
	}
	return nil
}
