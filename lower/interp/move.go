package interp

import (
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// Operations that only move elements are lists of regions, block copies between
// strided arrays; one loop executes them all, for every element type.

// A region is a block of elements of one source and its place in the result.
type region struct {
	src        int   // index of the source
	shape      []int // of the block
	from, to   int   // position of its first element in the source and in the result
	fromStride []int // distance of neighbours, by dimension, in elements
	toStride   []int
}

// assemble makes n elements by copying the regions in order. Sources have one Go type.
func assemble(n int, sources []Tensor, regions []region) any {
	switch sources[0].data.(type) {
	case []bool:
		return assembleOf[bool](n, sources, regions)
	case []uint8:
		return assembleOf[uint8](n, sources, regions)
	case []int8:
		return assembleOf[int8](n, sources, regions)
	case []uint16:
		return assembleOf[uint16](n, sources, regions)
	case []int32:
		return assembleOf[int32](n, sources, regions)
	case []int64:
		return assembleOf[int64](n, sources, regions)
	case []float32:
		return assembleOf[float32](n, sources, regions)
	case []float64:
		return assembleOf[float64](n, sources, regions)
	}
	return nil
}

func assembleOf[T any](n int, sources []Tensor, regions []region) []T {
	out := make([]T, n)
	for _, r := range regions {
		src, _ := sources[r.src].data.([]T)
		copyRegion(out, r.to, r.toStride, src, r.from, r.fromStride, r.shape)
	}
	return out
}

func copyRegion[T any](dst []T, to int, toStride []int, src []T, from int, fromStride, shape []int) {
	switch {
	case len(shape) == 0:
		dst[to] = src[from]
	case len(shape) > 1:
		for range shape[0] {
			copyRegion(dst, to, toStride[1:], src, from, fromStride[1:], shape[1:])
			to += toStride[0]
			from += fromStride[0]
		}
	case toStride[0] == 1 && fromStride[0] == 1:
		copy(dst[to:to+shape[0]], src[from:])
	default:
		for range shape[0] {
			dst[to] = src[from]
			to += toStride[0]
			from += fromStride[0]
		}
	}
}

// strides are the distances between neighbours of a dense row-major array.
func strides(shape []int) []int {
	s := make([]int, len(shape))
	n := 1
	for i := len(shape) - 1; i >= 0; i-- {
		s[i] = n
		n *= shape[i]
	}
	return s
}

// offset is the position of an index.
func offset(index, stride []int) int {
	n := 0
	for i, x := range index {
		n += x * stride[i]
	}
	return n
}

// whole is the region that copies all of source src to the start of the result.
func whole(src int, t ir.Type) region {
	n := []int{t.Elems()}
	return region{src: src, shape: n, fromStride: []int{1}, toStride: []int{1}}
}

func broadcast(x Tensor, shape, dims []int) any {
	from := strides(x.typ.Shape())
	r := region{shape: shape, fromStride: make([]int, len(shape)), toStride: strides(shape)}
	for i, d := range dims {
		if x.typ.Dim(i) != 1 {
			r.fromStride[d] = from[i]
		}
	}
	return assemble(ir.T(x.typ.DType(), shape...).Elems(), []Tensor{x}, []region{r})
}

// spread is x, or a tensor of the given shape full of it if it is a scalar.
func spread(x Tensor, shape []int) Tensor {
	if x.typ.Rank() != 0 {
		return x
	}
	return Tensor{ir.T(x.typ.DType(), shape...), broadcast(x, shape, nil)}
}

func transpose(x Tensor, perm []int) Tensor {
	if slices.IsSorted(perm) {
		return x
	}
	from := strides(x.typ.Shape())
	shape, fromStride := make([]int, len(perm)), make([]int, len(perm))
	for i, p := range perm {
		shape[i], fromStride[i] = x.typ.Dim(p), from[p]
	}
	r := region{shape: shape, fromStride: fromStride, toStride: strides(shape)}
	return Tensor{ir.T(x.typ.DType(), shape...), assemble(x.typ.Elems(), []Tensor{x}, []region{r})}
}

func reverse(x Tensor, dims []int) any {
	shape := x.typ.Shape()
	r := region{shape: shape, fromStride: strides(shape), toStride: strides(shape)}
	for _, d := range dims {
		r.from += (shape[d] - 1) * r.fromStride[d]
		r.fromStride[d] = -r.fromStride[d]
	}
	return assemble(x.typ.Elems(), []Tensor{x}, []region{r})
}

func slice(x Tensor, o ir.Slice) any {
	from := strides(x.typ.Shape())
	r := region{from: offset(o.Start, from), fromStride: from}
	n := 1
	for i := range o.Start {
		size := (o.Limit[i] - o.Start[i] + o.Stride[i] - 1) / o.Stride[i]
		r.shape = append(r.shape, size)
		r.fromStride[i] *= o.Stride[i]
		n *= size
	}
	r.toStride = strides(r.shape)
	return assemble(n, []Tensor{x}, []region{r})
}

func concat(dim int, t ir.Type, xs []Tensor) any {
	to := strides(t.Shape())
	var regions []region
	at := 0
	for i, x := range xs {
		shape := x.typ.Shape()
		regions = append(regions, region{src: i, shape: shape, to: at * to[dim], fromStride: strides(shape), toStride: to})
		at += shape[dim]
	}
	return assemble(t.Elems(), xs, regions)
}

func pad(o ir.Pad, t ir.Type, x, v Tensor) any {
	to := strides(t.Shape())
	fill := region{src: 1, shape: []int{t.Elems()}, fromStride: []int{0}, toStride: []int{1}}
	block := region{shape: x.typ.Shape(), to: offset(o.Low, to), fromStride: strides(x.typ.Shape()), toStride: to}
	return assemble(t.Elems(), []Tensor{x, v}, []region{fill, block})
}

// startIndex is the position of the first element of a block in x, clamped so that the block
// lies inside.
func startIndex(x, block ir.Type, starts []Tensor) int {
	index := make([]int, len(starts))
	for i, s := range starts {
		index[i] = min(max(int(s.Int32s()[0]), 0), x.Dim(i)-block.Dim(i))
	}
	return offset(index, strides(x.Shape()))
}

func dynamicSlice(x Tensor, t ir.Type, starts []Tensor) any {
	r := region{
		shape: t.Shape(), from: startIndex(x.typ, t, starts),
		fromStride: strides(x.typ.Shape()), toStride: strides(t.Shape()),
	}
	return assemble(t.Elems(), []Tensor{x}, []region{r})
}

func dynamicUpdateSlice(x, block Tensor, starts []Tensor) any {
	r := region{
		src: 1, shape: block.typ.Shape(), to: startIndex(x.typ, block.typ, starts),
		fromStride: strides(block.typ.Shape()), toStride: strides(x.typ.Shape()),
	}
	return assemble(x.typ.Elems(), []Tensor{x, block}, []region{whole(0, x.typ), r})
}

// row is the region that copies row from of source src to row to of the result.
func row(src, size, from, to int) region {
	return region{src: src, shape: []int{size}, from: from * size, to: to * size, fromStride: []int{1}, toStride: []int{1}}
}

func gatherRows(x Tensor, indices []int32, t ir.Type) any {
	n := x.typ.Dim(0)
	size := x.typ.Elems() / n
	regions := make([]region, len(indices))
	for i, index := range indices {
		regions[i] = row(0, size, min(max(int(index), 0), n-1), i)
	}
	return assemble(t.Elems(), []Tensor{x}, regions)
}

func scatterRows(x Tensor, indices []int32, rows Tensor, unique bool) (any, error) {
	n := x.typ.Dim(0)
	size := x.typ.Elems() / n
	regions := []region{whole(0, x.typ)}
	seen := map[int32]bool{}
	for i, index := range indices {
		if index < 0 || int(index) >= n {
			continue
		}
		if unique && seen[index] {
			return nil, fmt.Errorf("row %d is updated twice although indices are said to be unique", index)
		}
		seen[index] = true
		regions = append(regions, row(1, size, i, int(index)))
	}
	return assemble(x.typ.Elems(), []Tensor{x, rows}, regions), nil
}

// choose takes elements of x where cond holds and of y elsewhere.
func choose(cond, x, y Tensor) any {
	c, _ := cond.data.([]bool)
	switch v := x.data.(type) {
	case []bool:
		return chooseOf(c, v, y)
	case []uint8:
		return chooseOf(c, v, y)
	case []int8:
		return chooseOf(c, v, y)
	case []uint16:
		return chooseOf(c, v, y)
	case []int32:
		return chooseOf(c, v, y)
	case []int64:
		return chooseOf(c, v, y)
	case []float32:
		return chooseOf(c, v, y)
	case []float64:
		return chooseOf(c, v, y)
	}
	return nil
}

func chooseOf[T any](cond []bool, x []T, other Tensor) []T {
	out, _ := other.data.([]T)
	out = slices.Clone(out)
	for i, c := range cond {
		if c {
			out[i] = x[i]
		}
	}
	return out
}
