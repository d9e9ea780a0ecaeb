package interp

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/lower/ir"
)

// A Tensor is an immutable value: a type and its elements in row-major order.
type Tensor struct {
	typ ir.Type
	// data is a slice by element type: I1 []bool, U8 []uint8, I8 []int8, I32 []int32,
	// I64 []int64, F16 and BF16 []uint16 (their bits), F32 []float32, or []float64 when
	// it came out of an evaluation in float64, F64 []float64.
	data any
}

// Type is the tensor's type.
func (t Tensor) Type() ir.Type { return t.typ }

// Float32s makes an F32 tensor, which shares v.
func Float32s(v []float32, shape ...int) (Tensor, error) {
	return newTensor(ir.T(ir.F32, shape...), len(v), v)
}

// Int32s makes an I32 tensor, which shares v.
func Int32s(v []int32, shape ...int) (Tensor, error) {
	return newTensor(ir.T(ir.I32, shape...), len(v), v)
}

// Floats makes a tensor of any type from values, each rounded once to the element type.
func Floats(t ir.Type, v []float64) (Tensor, error) {
	var e evaluation
	return newTensor(t, len(v), e.fromFloats(v, t.DType()))
}

func newTensor(t ir.Type, n int, data any) (Tensor, error) {
	if err := t.Check(); err != nil {
		return Tensor{}, err
	}
	if n != t.Elems() {
		return Tensor{}, fmt.Errorf("%d elements for %v", n, t)
	}
	return Tensor{t, data}, nil
}

// FromBytes makes a tensor from little-endian elements as they are stored in a
// checkpoint or an archive. It copies; F16 and BF16 stay 16 bits wide.
func FromBytes(t ir.Type, b []byte) (Tensor, error) {
	if err := t.Check(); err != nil {
		return Tensor{}, err
	}
	if len(b) != t.Bytes() {
		return Tensor{}, fmt.Errorf("%d bytes for %v, must be %d", len(b), t, t.Bytes())
	}
	switch t.DType() {
	case ir.I1:
		return Tensor{t, decode(b, 1, func(b []byte) bool { return b[0] != 0 })}, nil
	case ir.U8:
		return Tensor{t, decode(b, 1, func(b []byte) uint8 { return b[0] })}, nil
	case ir.I8:
		return Tensor{t, decode(b, 1, func(b []byte) int8 { return int8(b[0]) })}, nil
	case ir.I32:
		return Tensor{t, decode(b, 4, func(b []byte) int32 { return int32(binary.LittleEndian.Uint32(b)) })}, nil
	case ir.I64:
		return Tensor{t, decode(b, 8, func(b []byte) int64 { return int64(binary.LittleEndian.Uint64(b)) })}, nil
	case ir.F16, ir.BF16:
		return Tensor{t, decode(b, 2, binary.LittleEndian.Uint16)}, nil
	case ir.F32:
		return Tensor{t, decode(b, 4, func(b []byte) float32 { return math.Float32frombits(binary.LittleEndian.Uint32(b)) })}, nil
	case ir.F64:
		return Tensor{t, decode(b, 8, func(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) })}, nil
	case ir.Invalid:
	}
	return Tensor{}, fmt.Errorf("no elements of %v", t.DType())
}

// decode reads elements of the given size.
func decode[T any](b []byte, size int, one func([]byte) T) []T {
	v := make([]T, len(b)/size)
	parallel(len(v), 1<<16, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			v[i] = one(b[i*size : i*size+size])
		}
	})
	return v
}

// Bytes is the little-endian form, the inverse of [FromBytes].
func (t Tensor) Bytes() []byte {
	b := make([]byte, 0, t.typ.Bytes())
	switch v := t.data.(type) {
	case []bool:
		for _, x := range v {
			if x {
				b = append(b, 1)
			} else {
				b = append(b, 0)
			}
		}
	case []uint8:
		b = append(b, v...)
	case []int8:
		for _, x := range v {
			b = append(b, byte(x))
		}
	case []uint16:
		for _, x := range v {
			b = binary.LittleEndian.AppendUint16(b, x)
		}
	case []int32:
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, uint32(x))
		}
	case []int64:
		for _, x := range v {
			b = binary.LittleEndian.AppendUint64(b, uint64(x))
		}
	case []float32:
		for _, x := range v {
			b = binary.LittleEndian.AppendUint32(b, math.Float32bits(x))
		}
	case []float64:
		for _, x := range v {
			if t.typ.DType() == ir.F32 {
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(x)))
			} else {
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(x))
			}
		}
	}
	return b
}

// Int32s are the elements of an I32 tensor, shared with it; nil for other types.
func (t Tensor) Int32s() []int32 {
	v, _ := t.data.([]int32)
	return v
}

// Float32s are the elements of a float tensor, rounded to float32; nil for other
// types. The slice must not be changed.
func (t Tensor) Float32s() []float32 {
	switch v := t.data.(type) {
	case []float32:
		return v
	case []float64:
		return mapped(v, func(x float64) float32 { return float32(x) })
	case []uint16:
		return wide32(v, t.typ.DType())
	}
	return nil
}

// Float64s are the elements as float64, of any type: exact but for I64 beyond 2^53.
func (t Tensor) Float64s() []float64 {
	switch v := t.data.(type) {
	case []bool:
		return mapped(v, func(x bool) float64 {
			if x {
				return 1
			}
			return 0
		})
	case []uint8:
		return widened(v)
	case []int8:
		return widened(v)
	case []int32:
		return widened(v)
	case []int64:
		return widened(v)
	case []uint16:
		f := widen32(t.typ.DType())
		return mapped(v, func(x uint16) float64 { return float64(f(x)) })
	case []float32:
		return widened(v)
	case []float64:
		return append([]float64(nil), v...)
	}
	return nil
}

// widen32 gives the exact value of the bits of F16 or BF16.
func widen32(d ir.DType) func(uint16) float32 {
	if d == ir.F16 {
		return floats.FromF16
	}
	return floats.FromBF16
}

// wide32 widens F16 or BF16 to float32, exactly.
func wide32(v []uint16, d ir.DType) []float32 {
	if d == ir.F16 {
		return mapped(v, floats.FromF16)
	}
	out := make([]float32, len(v))
	parallel(len(v), 1<<15, func(lo, hi int) {
		v, out := v[lo:hi], out[lo:hi]
		for i, x := range v {
			out[i] = math.Float32frombits(uint32(x) << 16)
		}
	})
	return out
}

func widened[T number](v []T) []float64 {
	return mapped(v, func(x T) float64 { return float64(x) })
}

// number is any Go type that elements with arithmetic are kept in.
type number interface {
	uint8 | int8 | int32 | int64 | float32 | float64
}

// mapped applies f to every element.
func mapped[S, T any](v []S, f func(S) T) []T {
	out := make([]T, len(v))
	parallel(len(v), 1<<14, func(lo, hi int) {
		for i, x := range v[lo:hi] {
			out[lo+i] = f(x)
		}
	})
	return out
}
