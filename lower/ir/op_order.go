package ir

import "fmt"

// Reverse runs through the elements along Dims backwards. Dims are strictly
// increasing. iree-compile 3.13 cannot reverse U8, so it is not defined for it.
type Reverse struct{ Dims []int }

// Mnemonic implements [Op].
func (Reverse) Mnemonic() string { return "reverse" }

func (o Reverse) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	if args[0].dtype == U8 {
		return Type{}, undefinedFor(U8)
	}
	for i, d := range o.Dims {
		if err := checkDim(d, args[0]); err != nil {
			return Type{}, err
		}
		if i > 0 && o.Dims[i-1] >= d {
			return Type{}, fmt.Errorf("dims %v are not increasing", o.Dims)
		}
	}
	return args[0], nil
}

func (o Reverse) attrs() string { return "dims=" + ints(o.Dims) }

// Reverse runs through x's elements along dims backwards; see [Reverse].
func (b *Builder) Reverse(x *Value, dims ...int) *Value { return b.Apply(Reverse{Dims: dims}, x) }
