package interp

import (
	"math"

	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/lower/ir"
)

// Elementwise functions are defined once on float64 and once on int64, and the result
// is rounded or cut to the element type. For +, -, *, / and square root of float32 that is
// the same as computing in float32: 53 bits are more than twice 24 plus 2.

func (e *evaluation) constant(o ir.Constant) any {
	data := e.fromFloats(o.Values, o.Type.DType())
	if o.Splat() {
		return spread(Tensor{ir.T(o.Type.DType()), data}, o.Type.Shape()).data
	}
	return data
}

func (e *evaluation) iota(o ir.Iota) any {
	n := o.Type.Dim(o.Dim)
	inner := strides(o.Type.Shape())[o.Dim]
	values := make([]float64, o.Type.Elems())
	for i := range values {
		values[i] = float64(i / inner % n)
	}
	return e.fromFloats(values, o.Type.DType())
}

func applyUnary(fn ir.UnaryFn, x Tensor) any {
	f, g := floatUnary(fn), intUnary(fn)
	switch v := x.data.(type) {
	case []float32:
		return mapped(v, func(x float32) float32 { return float32(f(float64(x))) })
	case []float64:
		return mapped(v, f)
	case []int64:
		return mapped(v, g)
	case []int32:
		return mapped(v, func(x int32) int32 { return int32(g(int64(x))) })
	case []int8:
		return mapped(v, func(x int8) int8 { return int8(g(int64(x))) })
	case []uint8:
		return mapped(v, func(x uint8) uint8 { return uint8(g(int64(x))) })
	case []bool: // only Not is defined
		return mapped(v, func(x bool) bool { return !x })
	}
	return nil
}

func floatUnary(fn ir.UnaryFn) func(float64) float64 {
	switch fn {
	case ir.Negate:
		return func(x float64) float64 { return -x }
	case ir.Abs:
		return math.Abs
	case ir.Exp:
		return exp
	case ir.Log:
		return log
	case ir.Sqrt:
		return math.Sqrt
	case ir.Rsqrt:
		return func(x float64) float64 { return 1 / math.Sqrt(x) }
	case ir.Tanh:
		return tanh
	case ir.Logistic:
		return func(x float64) float64 { return 1 / (1 + exp(-x)) }
	case ir.Cosine:
		return cos
	case ir.Sine:
		return sin
	case ir.Floor:
		return math.Floor
	case ir.Ceil:
		return math.Ceil
	case ir.Round:
		return math.RoundToEven
	case ir.Not:
	}
	return nil
}

func intUnary(fn ir.UnaryFn) func(int64) int64 {
	switch fn {
	case ir.Negate:
		return func(x int64) int64 { return -x }
	case ir.Abs:
		return func(x int64) int64 { return max(x, -x) }
	case ir.Not:
		return func(x int64) int64 { return ^x }
	case ir.Exp, ir.Log, ir.Sqrt, ir.Rsqrt, ir.Tanh, ir.Logistic, ir.Cosine, ir.Sine, ir.Floor, ir.Ceil, ir.Round:
	}
	return nil
}

func applyBinary(fn ir.BinaryFn, x, y Tensor) any {
	f, g := floatBinary(fn), intBinary(fn, x.typ.DType())
	switch v := x.data.(type) {
	case []float32:
		if y, ok := y.data.([]float32); ok && arithmetic(fn) {
			return applyArithmetic(fn, v, y)
		}
		return zipped(v, y, func(x, y float32) float32 { return float32(f(float64(x), float64(y))) })
	case []float64:
		return zipped(v, y, f)
	case []int64:
		return zipped(v, y, g)
	case []int32:
		return zipped(v, y, func(x, y int32) int32 { return int32(g(int64(x), int64(y))) })
	case []int8:
		return zipped(v, y, func(x, y int8) int8 { return int8(g(int64(x), int64(y))) })
	case []uint8:
		return zipped(v, y, func(x, y uint8) uint8 { return uint8(g(int64(x), int64(y))) })
	case []bool:
		return zipped(v, y, boolBinary(fn))
	}
	return nil
}

// arithmetic says whether fn is one of the four operations.
func arithmetic(fn ir.BinaryFn) bool {
	return fn == ir.Add || fn == ir.Subtract || fn == ir.Multiply || fn == ir.Divide
}

// applyArithmetic is applyBinary for most of what a model computes, in float32 (see
// the top of this file) and without a call for each element.
func applyArithmetic(fn ir.BinaryFn, x, y []float32) []float32 {
	out := make([]float32, len(x))
	parallel(len(x), 1<<15, func(lo, hi int) {
		x, y, out := x[lo:hi], y[lo:hi], out[lo:hi]
		switch fn {
		case ir.Add:
			for i, v := range x {
				out[i] = v + y[i]
			}
		case ir.Subtract:
			for i, v := range x {
				out[i] = v - y[i]
			}
		case ir.Multiply:
			for i, v := range x {
				out[i] = v * y[i]
			}
		default:
			for i, v := range x {
				out[i] = v / y[i]
			}
		}
	})
	return out
}

func zipped[S, T any](x []S, other Tensor, f func(S, S) T) []T {
	y, _ := other.data.([]S)
	out := make([]T, len(x))
	parallel(len(x), 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = f(x[i], y[i])
		}
	})
	return out
}

func floatBinary(fn ir.BinaryFn) func(x, y float64) float64 {
	switch fn {
	case ir.Add:
		return func(x, y float64) float64 { return x + y }
	case ir.Subtract:
		return func(x, y float64) float64 { return x - y }
	case ir.Multiply:
		return func(x, y float64) float64 { return x * y }
	case ir.Divide:
		return func(x, y float64) float64 { return x / y }
	case ir.Maximum: // NaN and the sign of zero as StableHLO has them
		return func(x, y float64) float64 { return max(x, y) }
	case ir.Minimum:
		return func(x, y float64) float64 { return min(x, y) }
	case ir.Power:
		return pow
	case ir.Remainder:
		return math.Mod
	case ir.And, ir.Or, ir.Xor, ir.ShiftLeft, ir.ShiftRightLogical, ir.ShiftRightArithmetic:
	}
	return nil
}

// intBinary works on sign- or zero-extended operands of type d; the caller cuts the result.
func intBinary(fn ir.BinaryFn, d ir.DType) func(x, y int64) int64 {
	width := int64(8 * d.Size())
	switch fn {
	case ir.Add:
		return func(x, y int64) int64 { return x + y }
	case ir.Subtract:
		return func(x, y int64) int64 { return x - y }
	case ir.Multiply:
		return func(x, y int64) int64 { return x * y }
	case ir.Divide:
		return func(x, y int64) int64 {
			if y == 0 {
				return -1
			}
			return x / y // Go defines MinInt64 / -1 as MinInt64
		}
	case ir.Remainder:
		return func(x, y int64) int64 {
			if y == 0 {
				return x
			}
			return x % y
		}
	case ir.Maximum:
		return func(x, y int64) int64 { return max(x, y) }
	case ir.Minimum:
		return func(x, y int64) int64 { return min(x, y) }
	case ir.And:
		return func(x, y int64) int64 { return x & y }
	case ir.Or:
		return func(x, y int64) int64 { return x | y }
	case ir.Xor:
		return func(x, y int64) int64 { return x ^ y }
	case ir.ShiftLeft:
		return func(x, y int64) int64 {
			if y < 0 || y >= width {
				return 0
			}
			return x << y
		}
	case ir.ShiftRightLogical:
		return func(x, y int64) int64 {
			if y < 0 || y >= width {
				return 0
			}
			return int64(uint64(x) << (64 - width) >> (64 - width) >> y) // drop the copies of the sign
		}
	case ir.ShiftRightArithmetic:
		return func(x, y int64) int64 {
			if d == ir.U8 { // the top bit is its sign here
				x = int64(int8(x))
			}
			if y < 0 || y >= width {
				y = width - 1
			}
			return x >> y
		}
	case ir.Power:
	}
	return nil
}

func boolBinary(fn ir.BinaryFn) func(x, y bool) bool {
	switch fn {
	case ir.And:
		return func(x, y bool) bool { return x && y }
	case ir.Or:
		return func(x, y bool) bool { return x || y }
	}
	return func(x, y bool) bool { return x != y } // Xor
}

func applyCompare(dir ir.Direction, x, y Tensor) any {
	switch v := x.data.(type) {
	case []float32:
		return zipped(v, y, relation[float32](dir))
	case []float64:
		return zipped(v, y, relation[float64](dir))
	case []int64:
		return zipped(v, y, relation[int64](dir))
	case []int32:
		return zipped(v, y, relation[int32](dir))
	case []int8:
		return zipped(v, y, relation[int8](dir))
	case []uint8:
		return zipped(v, y, relation[uint8](dir))
	}
	return nil
}

func relation[T number](dir ir.Direction) func(x, y T) bool {
	switch dir {
	case ir.EQ:
		return func(x, y T) bool { return x == y }
	case ir.NE:
		return func(x, y T) bool { return x != y }
	case ir.LT:
		return func(x, y T) bool { return x < y }
	case ir.LE:
		return func(x, y T) bool { return x <= y }
	case ir.GT:
		return func(x, y T) bool { return x > y }
	}
	return func(x, y T) bool { return x >= y } // GE
}

// convert changes the element type: between integers by way of int64, all else by way of
// float64, which holds every value of every other type.
func (e *evaluation) convert(x Tensor, to ir.DType) any {
	from := x.typ.DType()
	switch v := x.data.(type) {
	case []uint8:
		return convertInts(e, v, to)
	case []int8:
		return convertInts(e, v, to)
	case []int32:
		return convertInts(e, v, to)
	case []int64:
		return convertInts(e, v, to)
	case []uint16:
		if to == ir.F32 && !e.opt.Float64 { // spares weights the detour through float64
			return wide32(v, from)
		}
	}
	return e.fromFloats(x.Float64s(), to)
}

func convertInts[T uint8 | int8 | int32 | int64](e *evaluation, v []T, to ir.DType) any {
	switch to {
	case ir.U8:
		return mapped(v, func(x T) uint8 { return uint8(x) })
	case ir.I8:
		return mapped(v, func(x T) int8 { return int8(x) })
	case ir.I32:
		return mapped(v, func(x T) int32 { return int32(x) })
	case ir.I64:
		return mapped(v, func(x T) int64 { return int64(x) })
	case ir.F32:
		if !e.opt.Float64 { // an i64 must not be rounded to float64 first
			return mapped(v, func(x T) float32 { return float32(x) })
		}
	case ir.I1, ir.F16, ir.BF16, ir.F64, ir.Invalid:
	}
	return e.fromFloats(widened(v), to)
}

// fromFloats makes elements of type d, each rounded once. Out of range integers saturate
// and NaN gives 0.
func (e *evaluation) fromFloats(v []float64, d ir.DType) any {
	switch d {
	case ir.I1:
		return mapped(v, func(x float64) bool { return x != 0 })
	case ir.U8:
		return mapped(v, saturate[uint8](0, math.MaxUint8))
	case ir.I8:
		return mapped(v, saturate[int8](math.MinInt8, math.MaxInt8))
	case ir.I32:
		return mapped(v, saturate[int32](math.MinInt32, math.MaxInt32))
	case ir.I64:
		return mapped(v, func(x float64) int64 {
			switch {
			case x != x:
				return 0
			case x >= 1<<63:
				return math.MaxInt64
			case x < -1<<63:
				return math.MinInt64
			}
			return int64(x)
		})
	case ir.F16:
		return mapped(v, floats.F64ToF16)
	case ir.BF16:
		return mapped(v, floats.F64ToBF16)
	case ir.F32:
		if !e.opt.Float64 {
			return mapped(v, func(x float64) float32 { return float32(x) })
		}
	case ir.F64, ir.Invalid:
	}
	return v
}

func saturate[T uint8 | int8 | int32](lo, hi float64) func(float64) T {
	return func(x float64) T {
		if x != x {
			return 0
		}
		return T(min(max(math.Trunc(x), lo), hi))
	}
}
