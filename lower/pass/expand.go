package pass

import (
	"github.com/hlocc/hlocc/lower/ir"
)

// Expand rewrites the high operations to portable ones, which any StableHLO consumer
// takes and the interpreter evaluates.
func Expand(g *ir.Graph) (*ir.Graph, error) { return ir.Rewrite(g, expand) }

func expand(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	x := expander{b}
	switch o := v.Op().(type) {
	case ir.QuantizedLinear:
		return x.quantizedLinear(o, args)
	case ir.Norm:
		return x.norm(o, args)
	case ir.Activate:
		return o.Fn.Portable(b, args[0])
	case ir.Rotate:
		return x.rotate(o, args[0], args[1], args[2])
	case ir.Attention:
		return x.attendAll(o, args)
	}
	return nil
}

// expander builds portable operations at the location of the operation they stand for.
type expander struct{ *ir.Builder }

// spread broadcasts v over t, its axes becoming the given axes of t.
func (b expander) spread(v *ir.Value, t ir.Type, axes ...int) *ir.Value {
	return b.Broadcast(v, t.Shape(), axes...)
}

// axes lists from, from+1, ..., to-1.
func axes(from, to int) []int {
	list := make([]int, 0, to-from)
	for i := from; i < to; i++ {
		list = append(list, i)
	}
	return list
}

func (b expander) norm(o ir.Norm, args []*ir.Value) *ir.Value {
	x := args[0]
	t := x.Type()
	last := t.Rank() - 1
	rows := ir.T(ir.F32, t.Shape()[:last]...)
	mean := func(v *ir.Value) *ir.Value {
		return b.Div(b.Reduce(ir.ReduceAdd, v, last), b.Splat(rows, float64(t.Dim(last))))
	}
	if o.Centered {
		x = b.Sub(x, b.spread(mean(x), t, axes(0, last)...))
	}
	r := b.Rsqrt(b.Add(mean(b.Mul(x, x)), b.Splat(rows, o.Eps)))
	y := b.Mul(x, b.spread(r, t, axes(0, last)...))
	trailing := func(p *ir.Value) []int { return axes(t.Rank()-p.Type().Rank(), t.Rank()) }
	if len(args) > 1 {
		w := b.Convert(args[1], ir.F32)
		if o.UnitOffset {
			w = b.Add(w, b.SplatLike(w, 1))
		}
		y = b.Mul(y, b.spread(w, t, trailing(w)...))
	}
	if len(args) > 2 {
		bias := b.Convert(args[2], ir.F32)
		y = b.Add(y, b.spread(bias, t, trailing(bias)...))
	}
	return y
}

// rotate has a pair axis of 2 that is reversed to swap a and b, which makes it one
// elementwise operation; slices and a concatenation would be four.
func (b expander) rotate(o ir.Rotate, x, cos, sin *ir.Value) *ir.Value {
	rows, heads, d, n := x.Type().Dim(0), x.Type().Dim(1), x.Type().Dim(2), 2*cos.Type().Dim(1)
	rest := x
	if n < d {
		x, rest = b.SliceDim(x, 2, 0, n), b.SliceDim(x, 2, n, d)
	}
	shape, pair, angle := []int{rows, heads, 2, n / 2}, 2, 3
	if o.Interleaved {
		shape, pair, angle = []int{rows, heads, n / 2, 2}, 3, 2
	}
	pairs := b.Reshape(x, shape...)
	t := pairs.Type()
	counter := ir.T(ir.I32, t.Shape()...)
	first := b.Compare(ir.EQ, b.Iota(counter, pair), b.Splat(counter, 0))
	turn := b.spread(sin, t, 0, angle)
	turned := b.Mul(b.Reverse(pairs, pair), b.Select(first, b.Neg(turn), turn))
	y := b.Reshape(b.Add(b.Mul(pairs, b.spread(cos, t, 0, angle)), turned), rows, heads, n)
	if n < d {
		y = b.Concat(2, y, rest)
	}
	return y
}

// masked is the score of a key that a query must not see. Finite, so that a row without
// any visible key gives no NaN; HF uses the lowest float32, and both vanish in the
// softmax.
const masked = -1e30

// scoreBudget bounds the attention scores that one block of query rows materializes, in
// bytes.
const scoreBudget = 16 << 20

// attendAll is [expander.attend] for all query rows, in blocks whose scores fit
// scoreBudget. Of a batch each row is a block, with the rows of its own slot: dots that
// have the slots as a dimension would transpose the caches.
func (b expander) attendAll(o ir.Attention, args []*ir.Value) *ir.Value {
	q, keys, values, mask := args[0], args[1], args[2], args[3]
	var sinks *ir.Value
	if o.Sinks {
		sinks = args[5]
	}
	rows, heads, k := q.Type().Dim(0), q.Type().Dim(1), keys.Type().Dim(1)
	visible := func(slot int) (k, v *ir.Value) { // a static slice of a cache is free
		from := slot * o.Rows
		k = b.Convert(b.SliceDim(keys, 0, from, from+o.Context), ir.F32)
		if values == keys {
			return k, k
		}
		return k, b.Convert(b.SliceDim(values, 0, from, from+o.Context), ir.F32)
	}
	key, value := visible(0)
	q = b.Reshape(q, rows, k, heads/k, q.Type().Dim(2))
	size := blockRows(rows, heads, o.Context)
	if o.Slots > 1 {
		size = 1
	}
	var blocks []*ir.Value
	for from := 0; from < rows; from += size {
		to := min(from+size, rows)
		qs, masks := q, mask
		if to-from < rows {
			qs, masks = b.SliceDim(q, 0, from, to), b.SliceDim(mask, 0, from, to)
		}
		if o.Slots > 1 && from > 0 {
			key, value = visible(from)
		}
		blocks = append(blocks, b.attend(o, qs, key, value, masks, sinks))
	}
	if len(blocks) == 1 {
		return blocks[0]
	}
	return b.Concat(0, blocks...)
}

// attend is softmax(q·kᵀ * scale, masked) · v for a block of T query rows: q [T,K,G,D],
// keys and values [C,K,D], mask i1[T,C]; result [T, K*G*D].
func (b expander) attend(o ir.Attention, q, keys, values, mask, sinks *ir.Value) *ir.Value {
	scores := b.Dot(q, keys, ir.DotGeneral{ // [K,T,G,C]
		LHSBatch: []int{1}, RHSBatch: []int{1},
		LHSContract: []int{3}, RHSContract: []int{2},
	})
	t := scores.Type()
	scores = b.Mul(scores, b.Splat(t, o.Scale))
	if o.Softcap != 0 {
		scores = b.Mul(b.Tanh(b.Div(scores, b.Splat(t, o.Softcap))), b.Splat(t, o.Softcap))
	}
	scores = b.Select(b.spread(mask, t, 1, 3), scores, b.Splat(t, masked))

	// Softmax over the keys, the largest score subtracted as usual.
	top := b.Reduce(ir.ReduceMax, scores, 3) // [K,T,G]
	if sinks != nil {
		sinks = b.spread(sinks, top.Type(), 0, 2)
		top = b.Max(top, sinks)
	}
	e := b.Exp(b.Sub(scores, b.spread(top, t, 0, 1, 2)))
	sum := b.Reduce(ir.ReduceAdd, e, 3)
	if sinks != nil {
		sum = b.Add(sum, b.Exp(b.Sub(sinks, top)))
	}
	p := b.Div(e, b.spread(sum, t, 0, 1, 2))

	mixed := b.Dot(p, values, ir.DotGeneral{ // [K,T,G,D]
		LHSBatch: []int{0}, RHSBatch: []int{1},
		LHSContract: []int{3}, RHSContract: []int{0},
	})
	mixed = b.Transpose(mixed, 1, 0, 2, 3)
	shape := mixed.Shape()
	return b.Reshape(mixed, shape[0], shape[1]*shape[2]*shape[3])
}

// blockRows is how many query rows are attended at once: the largest power of two whose
// scores fit scoreBudget, at least 16. Models of very many heads get four times the
// budget where more than 8 blocks a layer would make the graph large.
func blockRows(rows, heads, context int) int {
	perRow := 4 * heads * context
	n := 16
	for 2*n*perRow <= scoreBudget || 16*n <= rows && 2*n*perRow <= 4*scoreBudget {
		n *= 2
	}
	return n
}

// quantizedLinear dequantizes in the graph. One row is multiplied and summed in the
// layout of storage, which compilers fuse to one pass over the bytes; for many the
// matrix is brought into rows and columns first.
func (b expander) quantizedLinear(o ir.QuantizedLinear, args []*ir.Value) *ir.Value {
	x, q, scale, offset := args[0], args[1], b.Convert(args[2], ir.F32), b.Convert(args[3], ir.F32)
	rows, cols := x.Type().Dim(0), x.Type().Dim(1)
	g := ir.CeilDiv(cols, ir.GroupSize)
	if pad := g*ir.GroupSize - cols; pad > 0 {
		x = b.Pad(x, b.Splat(ir.T(ir.F32), 0), []int{0, 0}, []int{0, pad})
	}
	if o.Int8 {
		x = b.roundActivations(x, g)
	}
	if o.Experts > 0 {
		q, scale, offset = b.GatherRows(q, args[4]), b.GatherRows(scale, args[4]), b.GatherRows(offset, args[4])
	} else if rows > 1 {
		return b.Dot(x, b.matrix(o, q, scale, offset), ir.DotGeneral{LHSContract: []int{1}, RHSContract: []int{1}})
	} else {
		q, scale, offset = b.leading(q), b.leading(scale), b.leading(offset)
	}
	// w [T,NB,G,P,16,4], one part for each half of a byte.
	nb := q.Type().Dim(1)
	var products *ir.Value
	for i, w := range b.parts(o, q, scale, offset, 2) {
		p := w.Type().Dim(3)
		part := b.Reshape(x, rows, g, 64/(4*p), p, 4)
		part = b.Reshape(b.SliceDim(part, 2, i, i+1), rows, g, p, 4)
		y := b.Mul(w, b.spread(part, w.Type(), 0, 2, 3, 5))
		if products == nil {
			products = y
		} else {
			products = b.Add(products, y)
		}
	}
	y := b.Reshape(b.Reduce(ir.ReduceAdd, products, 2, 3, 5), rows, nb*ir.LaneRows)
	if nb*ir.LaneRows > o.Out {
		y = b.SliceDim(y, 1, 0, o.Out)
	}
	return y
}

// leading is x with a dimension of 1 in front.
func (b expander) leading(x *ir.Value) *ir.Value {
	return b.Reshape(x, append([]int{1}, x.Shape()...)...)
}

// parts are the dequantized elements in the layout of q, whose groups are dimension
// group: for 4 bits those of the low, then those of the high halves.
func (b expander) parts(o ir.QuantizedLinear, q, scale, offset *ir.Value, group int) []*ir.Value {
	t := q.Type().WithDType(ir.F32)
	at := append(axes(0, group+1), group+2) // scale has neither p nor c
	value := func(v *ir.Value) *ir.Value {
		return b.Add(b.Mul(b.Convert(v, ir.F32), b.spread(scale, t, at...)), b.spread(offset, t, at...))
	}
	if o.Bits == 8 {
		return []*ir.Value{value(q)}
	}
	return []*ir.Value{value(b.And(q, b.SplatLike(q, 15))), value(b.ShiftRightLogical(q, b.SplatLike(q, 4)))}
}

// matrix is the dequantized matrix f32[Out, 64G].
func (b expander) matrix(o ir.QuantizedLinear, q, scale, offset *ir.Value) *ir.Value {
	var halves []*ir.Value
	for _, w := range b.parts(o, q, scale, offset, 1) { // [NB,G,P,16,4]
		s := w.Shape()
		halves = append(halves, b.Reshape(w, s[0], s[1], 1, s[2], s[3], s[4]))
	}
	w := b.Concat(2, halves...)
	s := w.Shape()                       // [NB,G,2,P,16,4], or 1 in place of 2
	w = b.Transpose(w, 0, 4, 1, 2, 3, 5) // [NB,16,G,2,P,4]
	w = b.Reshape(w, s[0]*s[4], s[1]*s[2]*s[3]*s[5])
	if s[0]*s[4] > o.Out {
		w = b.SliceDim(w, 0, 0, o.Out)
	}
	return w
}

// roundActivations rounds x f32[T,64G] to 8 bits by groups; see [ir.QuantizedLinear].
func (b expander) roundActivations(x *ir.Value, g int) *ir.Value {
	rows := x.Type().Dim(0)
	x = b.Reshape(x, rows, g, ir.GroupSize)
	t := x.Type()
	top := b.Reduce(ir.ReduceMax, b.Abs(x), 2) // [T,G]
	some, zero := b.Compare(ir.GE, top, b.SplatLike(top, ir.TinyGroup)), b.SplatLike(top, 0)
	inverse := b.Select(some, b.Div(b.SplatLike(top, 127), top), zero)
	scale := b.Select(some, b.Mul(top, b.SplatLike(top, 1.0/127)), zero)
	xq := b.Round(b.Mul(x, b.spread(inverse, t, 0, 1)))
	return b.Reshape(b.Mul(xq, b.spread(scale, t, 0, 1)), rows, g*ir.GroupSize)
}

// expandButQuantized is Expand for the interpreter, which has an evaluator of quantized
// linears that needs no dequantized copy of the weights.
func expandButQuantized(g *ir.Graph) (*ir.Graph, error) {
	return ir.Rewrite(g, func(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
		if _, ok := v.Op().(ir.QuantizedLinear); ok {
			return nil
		}
		return expand(b, v, args)
	})
}
