package ir

import (
	"errors"
	"fmt"
)

// UnaryFn is an elementwise function of one operand.
type UnaryFn uint8

// The unary functions. Abs and Negate wrap on the smallest integer. Floats:
// exact functions (Negate, Abs, Sqrt, Floor, Ceil, Round) are correctly rounded,
// the others within a few units in the last place. Logistic is 1/(1+exp(-x)).
// Round is to nearest, ties to even. Not flips every bit, for I1 the truth value.
const (
	Negate UnaryFn = iota + 1
	Abs
	Exp
	Log
	Sqrt
	Rsqrt
	Tanh
	Logistic
	Cosine
	Sine
	Floor
	Ceil
	Round
	Not
)

var unaryNames = [...]string{
	Negate: "neg", Abs: "abs", Exp: "exp", Log: "log", Sqrt: "sqrt", Rsqrt: "rsqrt", Tanh: "tanh",
	Logistic: "logistic", Cosine: "cos", Sine: "sin", Floor: "floor", Ceil: "ceil", Round: "round", Not: "not",
}

// UnaryFns lists all unary functions.
func UnaryFns() []UnaryFn {
	return []UnaryFn{Negate, Abs, Exp, Log, Sqrt, Rsqrt, Tanh, Logistic, Cosine, Sine, Floor, Ceil, Round, Not}
}

func (f UnaryFn) String() string {
	if f == 0 || int(f) >= len(unaryNames) {
		return "unary"
	}
	return unaryNames[f]
}

// Defined reports whether f is defined for elements of type d.
func (f UnaryFn) Defined(d DType) bool {
	switch f {
	case Not:
		return d == I1 || d.IsInt()
	case Negate, Abs:
		return d.computes() && d != U8
	}
	return d == F32 || d == F64
}

// Unary applies Fn to every element.
type Unary struct{ Fn UnaryFn }

// Mnemonic implements [Op].
func (o Unary) Mnemonic() string { return o.Fn.String() }

func (o Unary) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	if !o.Fn.Defined(args[0].dtype) {
		return Type{}, undefinedFor(args[0].dtype)
	}
	return args[0], nil
}

func (Unary) attrs() string { return "" }

// BinaryFn is an elementwise function of two operands.
type BinaryFn uint8

// The binary functions. Integers wrap around; integer division truncates,
// x/0 is -1 (all bits set), x rem 0 is x, and the smallest integer divided by -1
// is itself with remainder 0. Rem of floats has the sign of the dividend. Max and
// Min give NaN if either operand is NaN, and order -0 below 0. And, Or and Xor are
// bitwise. Power is defined for positive bases: for others compiled code may give NaN, the
// interpreter follows IEEE 754. A shift by a negative amount or by at least the width of the type gives 0,
// in [ShiftRightArithmetic] copies of the sign.
const (
	Add BinaryFn = iota + 1
	Subtract
	Multiply
	Divide
	Maximum
	Minimum
	Power
	Remainder
	And
	Or
	Xor
	ShiftLeft
	ShiftRightLogical
	ShiftRightArithmetic
)

var binaryNames = [...]string{
	Add: "add", Subtract: "sub", Multiply: "mul", Divide: "div", Maximum: "max", Minimum: "min", Power: "pow",
	Remainder: "rem", And: "and", Or: "or", Xor: "xor", ShiftLeft: "shl", ShiftRightLogical: "shr", ShiftRightArithmetic: "sar",
}

// BinaryFns lists all binary functions.
func BinaryFns() []BinaryFn {
	return []BinaryFn{Add, Subtract, Multiply, Divide, Maximum, Minimum, Power, Remainder, And, Or, Xor,
		ShiftLeft, ShiftRightLogical, ShiftRightArithmetic}
}

func (f BinaryFn) String() string {
	if f == 0 || int(f) >= len(binaryNames) {
		return "binary"
	}
	return binaryNames[f]
}

// Defined reports whether f is defined for elements of type d.
func (f BinaryFn) Defined(d DType) bool {
	switch f {
	case And, Or, Xor:
		return d == I1 || d.IsInt()
	case ShiftLeft, ShiftRightLogical, ShiftRightArithmetic:
		return d.IsInt()
	case Power:
		return d == F32 || d == F64
	}
	return d.computes()
}

// Binary applies Fn to corresponding elements of two tensors of one type. There
// is no implicit broadcast.
type Binary struct{ Fn BinaryFn }

// Mnemonic implements [Op].
func (o Binary) Mnemonic() string { return o.Fn.String() }

func (o Binary) infer(args []Type) (Type, error) {
	if err := sameTypes(args); err != nil {
		return Type{}, err
	}
	if !o.Fn.Defined(args[0].dtype) {
		return Type{}, undefinedFor(args[0].dtype)
	}
	return args[0], nil
}

func (Binary) attrs() string { return "" }

// Direction is the relation that a [Compare] tests.
type Direction uint8

// The relations. Any but NE is false when an operand is NaN; NE is true.
const (
	EQ Direction = iota + 1
	NE
	LT
	LE
	GT
	GE
)

// Directions lists all relations.
func Directions() []Direction { return []Direction{EQ, NE, LT, LE, GT, GE} }

var directionNames = [...]string{EQ: "eq", NE: "ne", LT: "lt", LE: "le", GT: "gt", GE: "ge"}

func (d Direction) String() string {
	if d == 0 || int(d) >= len(directionNames) {
		return "compare"
	}
	return directionNames[d]
}

// Compare tests a relation elementwise and gives I1.
type Compare struct{ Dir Direction }

// Mnemonic implements [Op].
func (o Compare) Mnemonic() string { return o.Dir.String() }

func (o Compare) infer(args []Type) (Type, error) {
	if o.Dir == 0 || int(o.Dir) >= len(directionNames) {
		return Type{}, errors.New("unknown relation")
	}
	if err := sameTypes(args); err != nil {
		return Type{}, err
	}
	if !args[0].dtype.computes() {
		return Type{}, undefinedFor(args[0].dtype)
	}
	return args[0].WithDType(I1), nil
}

func (Compare) attrs() string { return "" }

// Select takes each element from the second operand where the first, a tensor
// or a scalar of I1, is true, and from the third elsewhere.
type Select struct{}

// Mnemonic implements [Op].
func (Select) Mnemonic() string { return "select" }

func (Select) infer(args []Type) (Type, error) {
	if len(args) != 3 {
		return Type{}, arity(3, args)
	}
	if err := sameTypes(args[1:]); err != nil {
		return Type{}, err
	}
	if p := args[0]; p.dtype != I1 || p.Rank() != 0 && !p.SameShape(args[1]) {
		return Type{}, fmt.Errorf("condition %v selects between %v", p, args[1])
	}
	return args[1], nil
}

func (Select) attrs() string { return "" }

// Clamp is min(max(x, lo), hi) for operands lo, x, hi; lo and hi have x's type or
// are scalars of its element type.
type Clamp struct{}

// Mnemonic implements [Op].
func (Clamp) Mnemonic() string { return "clamp" }

func (Clamp) infer(args []Type) (Type, error) {
	if len(args) != 3 {
		return Type{}, arity(3, args)
	}
	x := args[1]
	if !x.dtype.computes() {
		return Type{}, undefinedFor(x.dtype)
	}
	for _, bound := range []Type{args[0], args[2]} {
		if bound.dtype != x.dtype || bound.Rank() != 0 && bound != x {
			return Type{}, fmt.Errorf("bound %v for %v", bound, x)
		}
	}
	return x, nil
}

func (Clamp) attrs() string { return "" }

// Convert changes the element type. To a float: rounded to nearest, ties to
// even. Float to integer: truncated; out of range and NaN are undefined (the
// interpreter saturates and gives 0 for NaN). Integer to narrower integer: wraps.
// To I1: x != 0. From I1: 0 or 1. The storage types F16 and BF16 convert from and to F32
// only; the compiler has no direct way to the others either.
type Convert struct{ To DType }

// Mnemonic implements [Op].
func (Convert) Mnemonic() string { return "convert" }

func (o Convert) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	if !o.To.Valid() {
		return Type{}, errors.New("invalid element type")
	}
	from := args[0].dtype
	if from != o.To && (from.stores() && o.To != F32 || o.To.stores() && from != F32) {
		return Type{}, fmt.Errorf("%v to %v, must go by way of f32", from, o.To)
	}
	return args[0].WithDType(o.To), nil
}

func (Convert) attrs() string { return "" }

// check refuses an integer on its way to a storage type: iree-compile 3.13 joins the two
// conversions into one that its code generator cannot do.
func (o Convert) check(args []*Value) error {
	v := args[0].moved()
	if c, ok := v.op.(Convert); ok && o.To.stores() && c.To == F32 && !v.args[0].typ.dtype.IsFloat() {
		return fmt.Errorf("%v to %v by way of f32, which the compiler cannot do; do arithmetic in between", v.args[0].typ.dtype, o.To)
	}
	return nil
}

// Bitcast reinterprets the bits of every element as another type of the same size.
// I1 has no bits to reinterpret.
type Bitcast struct{ To DType }

// Mnemonic implements [Op].
func (Bitcast) Mnemonic() string { return "bitcast" }

func (o Bitcast) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	from := args[0].dtype
	if from == I1 || o.To == I1 || !o.To.Valid() || from.Size() != o.To.Size() {
		return Type{}, fmt.Errorf("%v cannot be read as %v", from, o.To)
	}
	return args[0].WithDType(o.To), nil
}

func (Bitcast) attrs() string { return "" }

// sameTypes reports whether there are two operands of one type.
func sameTypes(args []Type) error {
	if len(args) != 2 {
		return arity(2, args)
	}
	if args[0] != args[1] {
		return fmt.Errorf("operand types %v and %v differ", args[0], args[1])
	}
	return nil
}

func undefinedFor(d DType) error {
	if d.stores() {
		return fmt.Errorf("not defined for %v, a storage type: convert to f32 first", d)
	}
	return fmt.Errorf("not defined for %v", d)
}
