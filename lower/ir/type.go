package ir

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// MaxRank is the largest number of dimensions of a [Type].
const MaxRank = 8

// A Type is an element type and a static shape. Types are comparable with ==
// and usable as map keys.
type Type struct {
	dtype DType
	rank  uint8 // MaxRank+1 stands for "too many"
	dims  [MaxRank]int
}

// T is the type of tensors of element type d and the given shape; no dims make
// a scalar. It does not fail: a type that cannot exist is reported by
// [Type.Check], which the builder calls on every type that it meets, so that an
// absurd size in a model's configuration becomes a located error.
func T(d DType, dims ...int) Type {
	t := Type{dtype: d}
	if len(dims) > MaxRank {
		t.rank = MaxRank + 1
		return t
	}
	t.rank = uint8(len(dims))
	copy(t.dims[:], dims)
	return t
}

// DType is the element type.
func (t Type) DType() DType { return t.dtype }

// Rank is the number of dimensions.
func (t Type) Rank() int { return min(int(t.rank), MaxRank) }

// Dim is the size of dimension i.
func (t Type) Dim(i int) int { return t.Shape()[i] }

// Shape is the list of sizes, a copy.
func (t Type) Shape() []int { return slices.Clone(t.dims[:t.Rank()]) }

// WithDType is t with another element type.
func (t Type) WithDType(d DType) Type { t.dtype = d; return t }

// SameShape reports whether t and u differ in nothing but the element type.
func (t Type) SameShape(u Type) bool { return t.rank == u.rank && t.dims == u.dims }

// Elems is the number of elements; meaningful for types that pass [Type.Check].
func (t Type) Elems() int {
	n := 1
	for _, d := range t.dims[:t.Rank()] {
		n *= d
	}
	return n
}

// Bytes is the size in memory, dense and row-major.
func (t Type) Bytes() int { return t.Elems() * t.dtype.Size() }

// Check reports why no tensor of this type can exist: an invalid element type,
// more than MaxRank dimensions, a dimension below 1 (a decoder needs no empty
// tensors, and no compiler handles them well), or a size that overflows.
func (t Type) Check() error {
	if !t.dtype.Valid() {
		return errors.New("invalid element type")
	}
	if t.rank > MaxRank {
		return fmt.Errorf("more than %d dimensions", MaxRank)
	}
	n := uint64(t.dtype.Size())
	for i, d := range t.dims[:t.rank] {
		if d < 1 {
			return fmt.Errorf("%v: dimension %d is %d, must be at least 1", t, i, d)
		}
		hi, lo := bits.Mul64(n, uint64(d))
		if hi != 0 || lo > math.MaxInt64 {
			return fmt.Errorf("%v: size overflows", t)
		}
		n = lo
	}
	return nil
}

// String is the type in the form f32[2,3]; a scalar is f32[].
func (t Type) String() string {
	var b strings.Builder
	b.WriteString(t.dtype.String())
	b.WriteByte('[')
	for i, d := range t.dims[:t.Rank()] {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(d))
	}
	if t.rank > MaxRank {
		b.WriteString("...")
	}
	b.WriteByte(']')
	return b.String()
}
