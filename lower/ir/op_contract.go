package ir

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// DotGeneral multiplies corresponding elements and sums over the contracting
// dimensions, separately for every index of the batch dimensions. The result has
// the batch dimensions, then the other dimensions of the left operand, then those of the right.
//
// Operands have one element type. F16, BF16 and F32 give F32, products and sums
// in F32; F64 gives F64; I8 and I32 give I32, which wraps. The order of summation is open.
type DotGeneral struct {
	LHSBatch, RHSBatch       []int
	LHSContract, RHSContract []int
}

// Mnemonic implements [Op].
func (DotGeneral) Mnemonic() string { return "dot" }

func (o DotGeneral) infer(args []Type) (Type, error) {
	if len(args) != 2 {
		return Type{}, arity(2, args)
	}
	l, r := args[0], args[1]
	if l.dtype != r.dtype {
		return Type{}, fmt.Errorf("element types of %v and %v differ", l, r)
	}
	out, err := dotResult(l.dtype)
	if err != nil {
		return Type{}, err
	}
	lhs, err := freeDims(l, o.LHSBatch, o.LHSContract)
	if err != nil {
		return Type{}, err
	}
	rhs, err := freeDims(r, o.RHSBatch, o.RHSContract)
	if err != nil {
		return Type{}, err
	}
	if err := pairDims("batch", l, r, o.LHSBatch, o.RHSBatch); err != nil {
		return Type{}, err
	}
	if err := pairDims("contracting", l, r, o.LHSContract, o.RHSContract); err != nil {
		return Type{}, err
	}
	var shape []int
	for _, d := range o.LHSBatch {
		shape = append(shape, l.Dim(d))
	}
	for _, d := range lhs {
		shape = append(shape, l.Dim(d))
	}
	for _, d := range rhs {
		shape = append(shape, r.Dim(d))
	}
	t := T(out, shape...)
	return t, t.Check()
}

func (o DotGeneral) attrs() string {
	s := "contract=" + ints(o.LHSContract) + "x" + ints(o.RHSContract)
	if len(o.LHSBatch) > 0 || len(o.RHSBatch) > 0 {
		s = "batch=" + ints(o.LHSBatch) + "x" + ints(o.RHSBatch) + " " + s
	}
	return s
}

func dotResult(d DType) (DType, error) {
	switch d {
	case F16, BF16, F32:
		return F32, nil
	case F64:
		return F64, nil
	case I8, I32:
		return I32, nil
	}
	return Invalid, fmt.Errorf("not defined for %v", d)
}

// freeDims lists the dimensions of t that are neither batch nor contracting.
func freeDims(t Type, batch, contract []int) ([]int, error) {
	used := make([]bool, t.Rank())
	for _, d := range slices.Concat(batch, contract) {
		if err := checkDim(d, t); err != nil {
			return nil, err
		}
		if used[d] {
			return nil, fmt.Errorf("dimension %d of %v is named twice", d, t)
		}
		used[d] = true
	}
	var free []int
	for d, u := range used {
		if !u {
			free = append(free, d)
		}
	}
	return free, nil
}

// FreeDims lists the dimensions of the operands that are neither batch nor
// contracting, in order, for operands that fit o.
func (o DotGeneral) FreeDims(l, r Type) (lhs, rhs []int) {
	lhs, errL := freeDims(l, o.LHSBatch, o.LHSContract)
	rhs, errR := freeDims(r, o.RHSBatch, o.RHSContract)
	if err := errors.Join(errL, errR); err != nil {
		misuse("", "dot of %v and %v: %v", l, r, err)
	}
	return lhs, rhs
}

func pairDims(what string, l, r Type, ld, rd []int) error {
	if len(ld) != len(rd) {
		return fmt.Errorf("%s dimensions %v and %v differ in number", what, ld, rd)
	}
	for i := range ld {
		if l.Dim(ld[i]) != r.Dim(rd[i]) {
			return fmt.Errorf("%s sizes differ: dimension %d of %v and %d of %v", what, ld[i], l, rd[i], r)
		}
	}
	return nil
}

// check refuses a dot product of values that were unsigned a moment ago: iree-compile
// 3.13 folds the conversion into the contraction and sign-extends, so that 200 becomes
// -56. Any arithmetic in between is enough to stop it.
func (DotGeneral) check(args []*Value) error {
	for _, a := range args {
		for v := a.moved(); ; v = v.args[0].moved() {
			if _, ok := v.op.(Convert); !ok {
				break
			}
			if from := v.args[0].typ.dtype; from == U8 || from == I1 {
				return fmt.Errorf("operand %v is converted from unsigned %v, which the compiler mistakes for signed; "+
					"do arithmetic in between", a.typ, from)
			}
		}
	}
	return nil
}

// moved is the value whose elements v only puts into another order or shape.
func (v *Value) moved() *Value {
	for {
		switch v.op.(type) {
		case Reshape, Broadcast, Transpose, Reverse, Slice:
			v = v.args[0]
		default:
			return v
		}
	}
}

// ReduceFn is how a [Reduce] combines elements.
type ReduceFn uint8

// The reductions with their value for nothing: sum 0, product 1, maximum the
// smallest value (-Inf), minimum the largest (+Inf), all true and any false. Maximum
// and minimum of floats give NaN if there is a NaN. The order of combination is open.
const (
	ReduceAdd ReduceFn = iota + 1
	ReduceMul
	ReduceMax
	ReduceMin
	ReduceAnd
	ReduceOr
)

// ReduceFns lists all reductions.
func ReduceFns() []ReduceFn {
	return []ReduceFn{ReduceAdd, ReduceMul, ReduceMax, ReduceMin, ReduceAnd, ReduceOr}
}

// Binary is the function of two elements that f repeats.
func (f ReduceFn) Binary() BinaryFn {
	switch f {
	case ReduceAdd:
		return Add
	case ReduceMul:
		return Multiply
	case ReduceMax:
		return Maximum
	case ReduceMin:
		return Minimum
	case ReduceAnd:
		return And
	case ReduceOr:
		return Or
	}
	return 0
}

func (f ReduceFn) String() string { return "reduce_" + f.Binary().String() }

// Reduce combines the elements along Dims, which the result no longer has. Dims
// are strictly increasing.
type Reduce struct {
	Fn   ReduceFn
	Dims []int
}

// Mnemonic implements [Op].
func (o Reduce) Mnemonic() string { return o.Fn.String() }

func (o Reduce) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	x := args[0]
	if !o.Fn.Binary().Defined(x.dtype) {
		return Type{}, undefinedFor(x.dtype)
	}
	if len(o.Dims) == 0 {
		return Type{}, errors.New("no dimensions to reduce")
	}
	for i, d := range o.Dims {
		if err := checkDim(d, x); err != nil {
			return Type{}, err
		}
		if i > 0 && o.Dims[i-1] >= d {
			return Type{}, fmt.Errorf("dims %v are not increasing", o.Dims)
		}
	}
	return dropDims(x, o.Dims), nil
}

func (o Reduce) attrs() string { return "dims=" + ints(o.Dims) }

// ArgMax is the I32 index of the largest element along Dim, which the result no
// longer has. Of equal elements the lowest index wins. NaN counts as larger than
// everything: the index of the first NaN, if there is one.
type ArgMax struct{ Dim int }

// Mnemonic implements [Op].
func (ArgMax) Mnemonic() string { return "argmax" }

func (o ArgMax) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	x := args[0]
	if !x.dtype.computes() {
		return Type{}, undefinedFor(x.dtype)
	}
	if err := checkDim(o.Dim, x); err != nil {
		return Type{}, err
	}
	if x.Dim(o.Dim) > math.MaxInt32 {
		return Type{}, fmt.Errorf("dimension %d of %v is too long for an i32 index", o.Dim, x)
	}
	return dropDims(x, []int{o.Dim}).WithDType(I32), nil
}

func (o ArgMax) attrs() string { return fmt.Sprintf("dim=%d", o.Dim) }

// dropDims is x without the dimensions dims.
func dropDims(x Type, dims []int) Type {
	var shape []int
	for i, n := range x.Shape() {
		if !slices.Contains(dims, i) {
			shape = append(shape, n)
		}
	}
	return T(x.dtype, shape...)
}
