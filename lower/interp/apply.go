package interp

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// apply evaluates one operation and returns the elements of its result. Shapes need no
// checks: the graph is verified.
func (e *evaluation) apply(v *ir.Value, args []Tensor) (any, error) {
	switch o := v.Op().(type) {
	case ir.Constant:
		return e.constant(o), nil
	case ir.Iota:
		return e.iota(o), nil
	case ir.Unary:
		return applyUnary(o.Fn, args[0]), nil
	case ir.Binary:
		return applyBinary(o.Fn, args[0], args[1]), nil
	case ir.Compare:
		return applyCompare(o.Dir, args[0], args[1]), nil
	case ir.Select:
		return choose(spread(args[0], v.Shape()), args[1], args[2]), nil
	case ir.Clamp:
		x := args[1]
		x.data = applyBinary(ir.Maximum, x, spread(args[0], x.typ.Shape()))
		return applyBinary(ir.Minimum, x, spread(args[2], x.typ.Shape())), nil
	case ir.Convert:
		return e.convert(args[0], o.To), nil
	case ir.Bitcast:
		t, err := FromBytes(v.Type(), args[0].Bytes())
		return t.data, err
	case ir.Reshape:
		return args[0].data, nil
	case ir.Broadcast:
		return broadcast(args[0], o.Shape, o.Dims), nil
	case ir.Transpose:
		return transpose(args[0], o.Perm).data, nil
	case ir.Reverse:
		return reverse(args[0], o.Dims), nil
	case ir.Slice:
		return slice(args[0], o), nil
	case ir.Concat:
		return concat(o.Dim, v.Type(), args), nil
	case ir.Pad:
		return pad(o, v.Type(), args[0], args[1]), nil
	case ir.DynamicSlice:
		return dynamicSlice(args[0], v.Type(), args[1:]), nil
	case ir.DynamicUpdateSlice:
		return dynamicUpdateSlice(args[0], args[1], args[2:]), nil
	case ir.GatherRows:
		return gatherRows(args[0], args[1].Int32s(), v.Type()), nil
	case ir.ScatterRows:
		return scatterRows(args[0], args[1].Int32s(), args[2], o.Unique)
	case ir.DotGeneral:
		return dot(o, args[0], args[1]), nil
	case ir.Reduce:
		return reduce(o, args[0]), nil
	case ir.ArgMax:
		return argMax(o, args[0]), nil
	case ir.QuantizedLinear:
		return quantizedLinear(o, args), nil
	}
	return nil, fmt.Errorf("no evaluator for %T", v.Op())
}
