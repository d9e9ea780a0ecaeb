package interp

import (
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// dot brings both operands into the order batch, free, contracting dimensions and
// takes the products of rows.
func dot(o ir.DotGeneral, l, r Tensor) any {
	lhsFree, rhsFree := o.FreeDims(l.typ, r.typ)
	batch, k := product(l.typ, o.LHSBatch), product(l.typ, o.LHSContract)
	m, n := product(l.typ, lhsFree), product(r.typ, rhsFree)
	l = transpose(l, slices.Concat(o.LHSBatch, lhsFree, o.LHSContract))
	r = transpose(r, slices.Concat(o.RHSBatch, rhsFree, o.RHSContract))
	shape := matmul{batch, m, n, k}
	switch x := l.data.(type) {
	case []float32:
		y, _ := r.data.([]float32)
		return multiply32(shape, x, y)
	case []uint16:
		y, _ := r.data.([]uint16)
		return multiply32(shape, wide32(x, l.typ.DType()), wide32(y, r.typ.DType()))
	case []float64:
		y, _ := r.data.([]float64)
		return multiply(shape, x, y, sumProducts[float64])
	case []int8:
		y, _ := r.data.([]int8)
		return multiply(shape, x, y, sumProductsInt[int8])
	case []int32:
		y, _ := r.data.([]int32)
		return multiply(shape, x, y, sumProductsInt[int32])
	}
	return nil
}

// matmul is the shape of a batch of products of an [m,k] by the transpose of an [n,k] matrix.
type matmul struct{ batch, m, n, k int }

// multiply computes [batch,m,n]. A row of y is used for all rows of x before the next:
// weights are the larger side and are read once.
func multiply[S, T any](s matmul, x, y []S, product func(x, y []S) T) []T {
	out := make([]T, s.batch*s.m*s.n)
	s.columns(func(lo, hi int) {
		for i := lo; i < hi; i++ {
			b, col := i/s.n, i%s.n
			for row := b * s.m; row < (b+1)*s.m; row++ {
				out[row*s.n+col] = product(x[row*s.k:(row+1)*s.k], y[i*s.k:(i+1)*s.k])
			}
		}
	})
	return out
}

// multiply32 is multiply for float32, with every sum rounded once. Several rows of x are worth
// widening the rows of y once for all of them.
func multiply32(s matmul, x, y []float32) []float32 {
	if s.m == 1 {
		return multiply(s, x, y, func(x, y []float32) float32 { return float32(sumProducts(x, y)) })
	}
	out := make([]float32, s.batch*s.m*s.n)
	wide := widened(x)
	s.columns(func(lo, hi int) {
		weights := make([]float64, s.k)
		for i := lo; i < hi; i++ {
			for j, w := range y[i*s.k : (i+1)*s.k] {
				weights[j] = float64(w)
			}
			b, col := i/s.n, i%s.n
			for row := b * s.m; row < (b+1)*s.m; row++ {
				out[row*s.n+col] = float32(sumProducts(wide[row*s.k:(row+1)*s.k], weights))
			}
		}
	})
	return out
}

// columns splits the rows of y among processors.
func (s matmul) columns(f func(lo, hi int)) {
	parallel(s.batch*s.n, 1+(1<<16)/(s.m*s.k), f)
}

// sumProducts adds up by four lanes. The conversions keep products from being fused with sums;
// for widened float32, whose products are exact, that would make no difference.
func sumProducts[T float32 | float64](x, y []T) float64 {
	var a, b, c, d float64
	y = y[:len(x)]
	i := 0
	for ; i+4 <= len(x); i += 4 {
		u, v := x[i:i+4:i+4], y[i:i+4:i+4]
		a += float64(float64(u[0]) * float64(v[0]))
		b += float64(float64(u[1]) * float64(v[1]))
		c += float64(float64(u[2]) * float64(v[2]))
		d += float64(float64(u[3]) * float64(v[3]))
	}
	for ; i < len(x); i++ {
		a += float64(float64(x[i]) * float64(y[i]))
	}
	return (a + b) + (c + d)
}

func sumProductsInt[T int8 | int32](x, y []T) int32 {
	var sum int32
	for i := range x {
		sum += int32(x[i]) * int32(y[i])
	}
	return sum
}

// product is the number of elements that the dimensions dims of t span.
func product(t ir.Type, dims []int) int {
	n := 1
	for _, d := range dims {
		n *= t.Dim(d)
	}
	return n
}

// rows brings x into an order in which the elements along dims follow each other, and gives
// their number.
func rows(x Tensor, dims []int) (Tensor, int) {
	var perm []int
	for i := range x.typ.Rank() {
		if !slices.Contains(dims, i) {
			perm = append(perm, i)
		}
	}
	return transpose(x, append(perm, dims...)), product(x.typ, dims)
}

func reduce(o ir.Reduce, x Tensor) any {
	x, n := rows(x, o.Dims)
	f, g := floatBinary(o.Fn.Binary()), intBinary(o.Fn.Binary(), x.typ.DType())
	switch v := x.data.(type) {
	case []float32:
		return eachRow(v, n, func(row []float32) float32 { return float32(combineFloats(o.Fn, row, f)) })
	case []float64:
		return eachRow(v, n, func(row []float64) float64 { return combineFloats(o.Fn, row, f) })
	case []int64:
		return eachRow(v, n, func(row []int64) int64 { return combineInts(row, g) })
	case []int32:
		return eachRow(v, n, func(row []int32) int32 { return int32(combineInts(row, g)) })
	case []int8:
		return eachRow(v, n, func(row []int8) int8 { return int8(combineInts(row, g)) })
	case []uint8:
		return eachRow(v, n, func(row []uint8) uint8 { return uint8(combineInts(row, g)) })
	case []bool:
		h := boolBinary(o.Fn.Binary())
		return eachRow(v, n, func(row []bool) bool {
			acc := row[0]
			for _, x := range row[1:] {
				acc = h(acc, x)
			}
			return acc
		})
	}
	return nil
}

func eachRow[S, T any](x []S, n int, f func(row []S) T) []T {
	out := make([]T, len(x)/n)
	parallel(len(out), 1+(1<<14)/n, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			out[i] = f(x[i*n : (i+1)*n])
		}
	})
	return out
}

func combineFloats[T float32 | float64](fn ir.ReduceFn, row []T, f func(x, y float64) float64) float64 {
	acc := float64(row[0])
	if fn == ir.ReduceAdd { // the common case without a call per element
		for _, x := range row[1:] {
			acc += float64(x)
		}
		return acc
	}
	for _, x := range row[1:] {
		acc = f(acc, float64(x))
	}
	return acc
}

// combineInts works in int64; the low bits of sums and products do not depend on the high ones.
func combineInts[T int64 | int32 | int8 | uint8](row []T, g func(x, y int64) int64) int64 {
	acc := int64(row[0])
	for _, x := range row[1:] {
		acc = g(acc, int64(x))
	}
	return acc
}

func argMax(o ir.ArgMax, x Tensor) any {
	x, n := rows(x, []int{o.Dim})
	switch v := x.data.(type) {
	case []float32:
		return eachRow(v, n, largest[float32])
	case []float64:
		return eachRow(v, n, largest[float64])
	case []int64:
		return eachRow(v, n, largest[int64])
	case []int32:
		return eachRow(v, n, largest[int32])
	case []int8:
		return eachRow(v, n, largest[int8])
	case []uint8:
		return eachRow(v, n, largest[uint8])
	}
	return nil
}

// largest is the first index of the largest element or of a NaN.
func largest[T number](row []T) int32 {
	best := 0
	for i, x := range row {
		if x != x {
			return int32(i)
		}
		if x > row[best] {
			best = i
		}
	}
	return int32(best)
}
