package stablehlo

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/lower/ir"
)

// element is the MLIR name of an element type.
func element(d ir.DType) string {
	switch d {
	case ir.U8:
		return "ui8"
	case ir.Invalid, ir.I1, ir.I8, ir.I32, ir.I64, ir.F16, ir.BF16, ir.F32, ir.F64:
	}
	return d.String()
}

// tensor is the MLIR name of a type: tensor<2x3xf32>.
func tensor(t ir.Type) string {
	var b strings.Builder
	b.WriteString("tensor<")
	for _, n := range t.Shape() {
		b.WriteString(strconv.Itoa(n))
		b.WriteByte('x')
	}
	return b.String() + element(t.DType()) + ">"
}

// literal prints one element: true, 42, 0.125, 1.0e-05, 0x7F800000.
func literal(d ir.DType, v float64) string {
	switch {
	case d == ir.I1:
		return strconv.FormatBool(v != 0)
	case d.IsInt():
		return strconv.FormatInt(int64(v), 10)
	case math.IsNaN(v) || math.IsInf(v, 0):
		return nonFinite(d, v)
	}
	size := 32
	if d == ir.F64 {
		size = 64
	}
	s := strconv.FormatFloat(v, 'g', -1, size)
	if !strings.Contains(s, ".") { // MLIR reads a number without a fraction as an integer
		mant, exp, ok := strings.Cut(s, "e")
		s = mant + ".0"
		if ok {
			s += "e" + exp
		}
	}
	return s
}

// nonFinite prints the bits of an infinity or NaN.
func nonFinite(d ir.DType, v float64) string {
	if d == ir.F64 {
		if math.IsNaN(v) {
			return "0x7FF8000000000000"
		}
		return fmt.Sprintf("0x%016X", math.Float64bits(v))
	}
	if math.IsNaN(v) {
		return "0x7FC00000"
	}
	return fmt.Sprintf("0x%08X", math.Float32bits(float32(v)))
}

// dense prints the elements of a constant, nested by its shape; one value is a splat.
func dense(c ir.Constant) string {
	d := c.Type.DType()
	if c.Splat() {
		return literal(d, c.Values[0])
	}
	var b strings.Builder
	i := 0
	var walk func(shape []int)
	walk = func(shape []int) {
		if len(shape) == 0 {
			b.WriteString(literal(d, c.Values[i]))
			i++
			return
		}
		b.WriteByte('[')
		for j := range shape[0] {
			if j > 0 {
				b.WriteString(", ")
			}
			walk(shape[1:])
		}
		b.WriteByte(']')
	}
	walk(c.Type.Shape())
	return b.String()
}

// lowest and highest are the neutral elements of maximum and minimum.
func lowest(d ir.DType) string {
	switch d {
	case ir.U8:
		return "0"
	case ir.I8:
		return strconv.Itoa(math.MinInt8)
	case ir.I32:
		return strconv.Itoa(math.MinInt32)
	case ir.I64:
		return strconv.Itoa(math.MinInt64)
	case ir.F32, ir.F64:
		return nonFinite(d, math.Inf(-1))
	case ir.Invalid, ir.I1, ir.F16, ir.BF16:
	}
	return "?"
}

func highest(d ir.DType) string {
	switch d {
	case ir.U8:
		return strconv.Itoa(math.MaxUint8)
	case ir.I8:
		return strconv.Itoa(math.MaxInt8)
	case ir.I32:
		return strconv.Itoa(math.MaxInt32)
	case ir.I64:
		return strconv.Itoa(math.MaxInt64)
	case ir.F32, ir.F64:
		return nonFinite(d, math.Inf(1))
	case ir.Invalid, ir.I1, ir.F16, ir.BF16:
	}
	return "?"
}

// identity is the literal that fn leaves everything else unchanged with.
func identity(fn ir.ReduceFn, d ir.DType) string {
	switch fn {
	case ir.ReduceAdd, ir.ReduceOr:
		return literal(d, 0)
	case ir.ReduceMul:
		return literal(d, 1)
	case ir.ReduceMax:
		return lowest(d)
	case ir.ReduceMin:
		return highest(d)
	case ir.ReduceAnd:
		if d == ir.I1 {
			return "true"
		} else if d == ir.U8 {
			return strconv.Itoa(math.MaxUint8)
		}
		return "-1"
	}
	return "?"
}
