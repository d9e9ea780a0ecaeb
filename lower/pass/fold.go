package pass

import (
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// Fold drops operations that change nothing (a reshape to the same shape, a product with 1), joins
// reshapes of reshapes, and replaces what only moves or converts a constant of equal elements by such
// a constant. Decoder code may so be written without regard to special cases: a model with one
// KV head, or with a scale of 1, gets the graph that it would have got from code of its own. Results
// are equal to the bit.
func Fold(g *ir.Graph) (*ir.Graph, error) { return ir.Rewrite(g, fold) }

func fold(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	if len(args) == 0 {
		return nil
	}
	if unchanged(v, args) {
		return args[0]
	}
	if c, ok := splat(args[0]); ok && moves(v.Op()) {
		return b.Splat(v.Type(), c)
	}
	switch o := v.Op().(type) {
	case ir.Reshape:
		if _, ok := args[0].Op().(ir.Reshape); ok {
			return b.Reshape(args[0].Args()[0], o.Shape...)
		}
	case ir.Convert:
		// Rounded as the program would round; other types would be cut or wrapped, or have no constants.
		if c, ok := splat(args[0]); ok && (o.To == ir.F32 || o.To == ir.F64) {
			return b.Splat(v.Type(), c)
		}
	case ir.Binary:
		return foldBinary(o.Fn, args)
	}
	return nil
}

// unchanged reports whether v is its first operand.
func unchanged(v *ir.Value, args []*ir.Value) bool {
	if args[0].Type() != v.Type() {
		return false
	}
	switch o := v.Op().(type) {
	case ir.Reshape, ir.Convert, ir.Bitcast, ir.Broadcast, ir.Slice, ir.Pad:
		return true // to the same type; a slice or broadcast of the whole is the whole
	case ir.Concat:
		return len(args) == 1
	case ir.Transpose:
		return slices.IsSorted(o.Perm)
	case ir.Reverse:
		return !slices.ContainsFunc(o.Dims, func(d int) bool { return v.Type().Dim(d) > 1 })
	}
	return false
}

// moves reports whether every element of the result is some element of the first operand.
func moves(op ir.Op) bool {
	switch op.(type) {
	case ir.Reshape, ir.Broadcast, ir.Transpose, ir.Slice, ir.Reverse:
		return true
	}
	return false
}

// splat is the element of a constant whose elements are equal.
func splat(v *ir.Value) (float64, bool) {
	c, ok := v.Op().(ir.Constant)
	if !ok || !c.Splat() {
		return 0, false
	}
	return c.Values[0], true
}

// foldBinary drops factors and divisors of 1, exact for every x but a NaN's payload.
func foldBinary(fn ir.BinaryFn, args []*ir.Value) *ir.Value {
	one := func(v *ir.Value) bool { c, ok := splat(v); return ok && c == 1 }
	switch {
	case (fn == ir.Multiply || fn == ir.Divide) && one(args[1]):
		return args[0]
	case fn == ir.Multiply && one(args[0]):
		return args[1]
	}
	return nil
}
