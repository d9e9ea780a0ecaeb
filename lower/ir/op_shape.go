package ir

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
)

// Reshape reads the elements in row-major order into another shape.
type Reshape struct{ Shape []int }

// Mnemonic implements [Op].
func (Reshape) Mnemonic() string { return "reshape" }

func (o Reshape) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	t := T(args[0].dtype, o.Shape...)
	if err := t.Check(); err != nil {
		return Type{}, err
	}
	if t.Elems() != args[0].Elems() {
		return Type{}, fmt.Errorf("%v has %d elements, %v has %d", args[0], args[0].Elems(), t, t.Elems())
	}
	return t, nil
}

func (Reshape) attrs() string { return "" }

// Broadcast repeats the operand: its dimension i becomes dimension Dims[i] of the
// result, with the same size or repeated from size 1; the other dimensions of the
// result repeat the whole. Dims are strictly increasing.
type Broadcast struct {
	Shape []int
	Dims  []int
}

// Mnemonic implements [Op].
func (Broadcast) Mnemonic() string { return "broadcast" }

func (o Broadcast) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	x, t := args[0], T(args[0].dtype, o.Shape...)
	if err := t.Check(); err != nil {
		return Type{}, err
	}
	if len(o.Dims) != x.Rank() {
		return Type{}, fmt.Errorf("%d dims for operand %v", len(o.Dims), x)
	}
	for i, d := range o.Dims {
		if err := checkDim(d, t); err != nil {
			return Type{}, err
		}
		if i > 0 && o.Dims[i-1] >= d {
			return Type{}, fmt.Errorf("dims %v are not increasing", o.Dims)
		}
		if n := x.Dim(i); n != 1 && n != t.Dim(d) {
			return Type{}, fmt.Errorf("dimension %d of %v does not broadcast to dimension %d of %v", i, x, d, t)
		}
	}
	return t, nil
}

func (o Broadcast) attrs() string { return "dims=" + ints(o.Dims) }

// Transpose permutes dimensions: dimension i of the result is dimension Perm[i]
// of the operand.
type Transpose struct{ Perm []int }

// Mnemonic implements [Op].
func (Transpose) Mnemonic() string { return "transpose" }

func (o Transpose) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	x := args[0]
	seen := make([]bool, x.Rank())
	if len(o.Perm) != x.Rank() {
		return Type{}, fmt.Errorf("permutation %v for %v", o.Perm, x)
	}
	t := x
	for i, p := range o.Perm {
		if p < 0 || p >= len(seen) || seen[p] {
			return Type{}, fmt.Errorf("%v is not a permutation", o.Perm)
		}
		seen[p] = true
		t.dims[i] = x.dims[p]
	}
	return t, nil
}

func (o Transpose) attrs() string { return "perm=" + ints(o.Perm) }

// Slice takes the elements Start[i], Start[i]+Stride[i], ... below Limit[i] of
// each dimension i.
type Slice struct{ Start, Limit, Stride []int }

// Mnemonic implements [Op].
func (Slice) Mnemonic() string { return "slice" }

func (o Slice) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	x := args[0]
	if r := x.Rank(); len(o.Start) != r || len(o.Limit) != r || len(o.Stride) != r {
		return Type{}, fmt.Errorf("%s has another rank than %v", o.attrs(), x)
	}
	t := x
	for i := range o.Start {
		if o.Start[i] < 0 || o.Start[i] >= o.Limit[i] || o.Limit[i] > x.dims[i] || o.Stride[i] < 1 {
			return Type{}, fmt.Errorf("range %d:%d:%d of dimension %d of %v", o.Start[i], o.Limit[i], o.Stride[i], i, x)
		}
		t.dims[i] = (o.Limit[i] - o.Start[i] + o.Stride[i] - 1) / o.Stride[i]
	}
	return t, nil
}

func (o Slice) attrs() string {
	s := make([]string, len(o.Start))
	for i := range s {
		if i < len(o.Limit) && i < len(o.Stride) {
			s[i] = fmt.Sprintf("%d:%d", o.Start[i], o.Limit[i])
			if o.Stride[i] != 1 {
				s[i] += fmt.Sprintf(":%d", o.Stride[i])
			}
		}
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// Concat joins tensors that differ at most in the size of dimension Dim.
type Concat struct{ Dim int }

// Mnemonic implements [Op].
func (Concat) Mnemonic() string { return "concat" }

func (o Concat) infer(args []Type) (Type, error) {
	if len(args) == 0 {
		return Type{}, errors.New("takes at least one operand")
	}
	t := args[0]
	if err := checkDim(o.Dim, t); err != nil {
		return Type{}, err
	}
	for _, a := range args[1:] {
		same := a
		same.dims[o.Dim] = args[0].dims[o.Dim]
		if same != args[0] {
			return Type{}, fmt.Errorf("%v and %v differ elsewhere than in dimension %d", args[0], a, o.Dim)
		}
		if t.dims[o.Dim] > math.MaxInt-a.dims[o.Dim] {
			return Type{}, fmt.Errorf("%v and %v: size overflows", t, a)
		}
		t.dims[o.Dim] += a.dims[o.Dim]
	}
	return t, t.Check()
}

func (o Concat) attrs() string { return fmt.Sprintf("dim=%d", o.Dim) }

// Pad puts Low[i] elements before and High[i] after the first operand in dimension
// i, all equal to the second operand, a scalar.
type Pad struct{ Low, High []int }

// Mnemonic implements [Op].
func (Pad) Mnemonic() string { return "pad" }

func (o Pad) infer(args []Type) (Type, error) {
	if len(args) != 2 {
		return Type{}, arity(2, args)
	}
	x := args[0]
	if args[1] != T(x.dtype) {
		return Type{}, fmt.Errorf("%v padded with %v, not with a scalar of its type", x, args[1])
	}
	if len(o.Low) != x.Rank() || len(o.High) != x.Rank() {
		return Type{}, fmt.Errorf("low %v high %v for %v", o.Low, o.High, x)
	}
	t := x
	for i := range o.Low {
		if uint(o.Low[i]) > math.MaxInt32 || uint(o.High[i]) > math.MaxInt32 {
			return Type{}, fmt.Errorf("low %v high %v out of range", o.Low, o.High)
		}
		t.dims[i] += o.Low[i] + o.High[i]
	}
	return t, t.Check()
}

func (o Pad) attrs() string { return "low=" + ints(o.Low) + " high=" + ints(o.High) }

// ints prints a list of integers: [1,2].
func ints(a []int) string {
	return strings.ReplaceAll(fmt.Sprint(slices.Clone(a)), " ", ",")
}
