package ir

// Splat is a tensor of type t with all elements v, which is rounded to F32 and must be
// a value of any other type.
func (b *Builder) Splat(t Type, v float64) *Value { return b.Dense(t, v) }

// SplatLike is a tensor of x's type with all elements v.
func (b *Builder) SplatLike(x *Value, v float64) *Value {
	b.own(x)
	if x.op == nil {
		return b.poison()
	}
	return b.Splat(x.typ, v)
}

// Dense is a small tensor of type t with the given elements in row-major order
// (or one value for all), rounded to t as in [Builder.Splat].
func (b *Builder) Dense(t Type, values ...float64) *Value {
	rounded := make([]float64, len(values))
	for i, v := range values {
		rounded[i] = v
		if t.dtype == F32 {
			rounded[i] = float64(float32(v))
		}
	}
	return b.Apply(Constant{Type: t, Values: rounded})
}

// Iota counts along dimension dim of a tensor of type t; see [Iota].
func (b *Builder) Iota(t Type, dim int) *Value { return b.Apply(Iota{Type: t, Dim: dim}) }

// Unary applies fn elementwise; see [UnaryFn].
func (b *Builder) Unary(fn UnaryFn, x *Value) *Value { return b.Apply(Unary{fn}, x) }

// Neg is -x.
func (b *Builder) Neg(x *Value) *Value { return b.Unary(Negate, x) }

// Abs is |x|.
func (b *Builder) Abs(x *Value) *Value { return b.Unary(Abs, x) }

// Exp is e^x.
func (b *Builder) Exp(x *Value) *Value { return b.Unary(Exp, x) }

// Log is the natural logarithm.
func (b *Builder) Log(x *Value) *Value { return b.Unary(Log, x) }

// Sqrt is the square root.
func (b *Builder) Sqrt(x *Value) *Value { return b.Unary(Sqrt, x) }

// Rsqrt is 1/sqrt(x).
func (b *Builder) Rsqrt(x *Value) *Value { return b.Unary(Rsqrt, x) }

// Tanh is the hyperbolic tangent.
func (b *Builder) Tanh(x *Value) *Value { return b.Unary(Tanh, x) }

// Logistic is 1/(1+exp(-x)).
func (b *Builder) Logistic(x *Value) *Value { return b.Unary(Logistic, x) }

// Cos is the cosine of x in radians.
func (b *Builder) Cos(x *Value) *Value { return b.Unary(Cosine, x) }

// Sin is the sine of x in radians.
func (b *Builder) Sin(x *Value) *Value { return b.Unary(Sine, x) }

// Floor rounds down.
func (b *Builder) Floor(x *Value) *Value { return b.Unary(Floor, x) }

// Ceil rounds up.
func (b *Builder) Ceil(x *Value) *Value { return b.Unary(Ceil, x) }

// Round rounds to nearest, ties to even.
func (b *Builder) Round(x *Value) *Value { return b.Unary(Round, x) }

// Not flips all bits.
func (b *Builder) Not(x *Value) *Value { return b.Unary(Not, x) }

// Binary applies fn to corresponding elements; see [BinaryFn].
func (b *Builder) Binary(fn BinaryFn, x, y *Value) *Value { return b.Apply(Binary{fn}, x, y) }

// Add is x + y.
func (b *Builder) Add(x, y *Value) *Value { return b.Binary(Add, x, y) }

// Sub is x - y.
func (b *Builder) Sub(x, y *Value) *Value { return b.Binary(Subtract, x, y) }

// Mul is x * y.
func (b *Builder) Mul(x, y *Value) *Value { return b.Binary(Multiply, x, y) }

// Div is x / y.
func (b *Builder) Div(x, y *Value) *Value { return b.Binary(Divide, x, y) }

// Max is the larger of x and y.
func (b *Builder) Max(x, y *Value) *Value { return b.Binary(Maximum, x, y) }

// Min is the smaller of x and y.
func (b *Builder) Min(x, y *Value) *Value { return b.Binary(Minimum, x, y) }

// Pow is x to the power of y.
func (b *Builder) Pow(x, y *Value) *Value { return b.Binary(Power, x, y) }

// Rem is the remainder of x / y, with the sign of x.
func (b *Builder) Rem(x, y *Value) *Value { return b.Binary(Remainder, x, y) }

// And is the bitwise conjunction.
func (b *Builder) And(x, y *Value) *Value { return b.Binary(And, x, y) }

// Or is the bitwise disjunction.
func (b *Builder) Or(x, y *Value) *Value { return b.Binary(Or, x, y) }

// Xor is the bitwise exclusive disjunction.
func (b *Builder) Xor(x, y *Value) *Value { return b.Binary(Xor, x, y) }

// ShiftLeft shifts x by y bits, filling with zeros.
func (b *Builder) ShiftLeft(x, y *Value) *Value { return b.Binary(ShiftLeft, x, y) }

// ShiftRightLogical shifts x by y bits, filling with zeros.
func (b *Builder) ShiftRightLogical(x, y *Value) *Value { return b.Binary(ShiftRightLogical, x, y) }

// ShiftRightArithmetic shifts x by y bits, filling with the sign.
func (b *Builder) ShiftRightArithmetic(x, y *Value) *Value {
	return b.Binary(ShiftRightArithmetic, x, y)
}

// Compare tests x dir y and gives I1.
func (b *Builder) Compare(dir Direction, x, y *Value) *Value { return b.Apply(Compare{dir}, x, y) }

// Select is x where cond and y elsewhere; cond may be a scalar.
func (b *Builder) Select(cond, x, y *Value) *Value { return b.Apply(Select{}, cond, x, y) }

// Clamp is min(max(x, lo), hi); lo and hi may be scalars.
func (b *Builder) Clamp(lo, x, hi *Value) *Value { return b.Apply(Clamp{}, lo, x, hi) }

// Convert changes the element type; x itself if it has that type already.
func (b *Builder) Convert(x *Value, to DType) *Value {
	b.own(x)
	if x.op != nil && x.typ.dtype == to {
		return x
	}
	return b.Apply(Convert{to}, x)
}

// Bitcast reinterprets the bits of every element.
func (b *Builder) Bitcast(x *Value, to DType) *Value { return b.Apply(Bitcast{to}, x) }

// Reshape changes the shape; x itself if it has that shape already.
func (b *Builder) Reshape(x *Value, shape ...int) *Value {
	b.own(x)
	if x.op != nil && x.typ == T(x.typ.dtype, shape...) {
		return x
	}
	return b.Apply(Reshape{shape}, x)
}

// Broadcast makes x's dimension i dimension dims[i] of a tensor of the given shape;
// see [Broadcast]. A scalar needs no dims.
func (b *Builder) Broadcast(x *Value, shape []int, dims ...int) *Value {
	return b.Apply(Broadcast{Shape: shape, Dims: dims}, x)
}

// Transpose makes x's dimension perm[i] dimension i.
func (b *Builder) Transpose(x *Value, perm ...int) *Value { return b.Apply(Transpose{perm}, x) }

// Slice takes [start[i], limit[i]) of every dimension i.
func (b *Builder) Slice(x *Value, start, limit []int) *Value {
	stride := make([]int, len(start))
	for i := range stride {
		stride[i] = 1
	}
	return b.StridedSlice(x, start, limit, stride)
}

// StridedSlice takes every stride[i]-th element of [start[i], limit[i]) of every dimension i.
func (b *Builder) StridedSlice(x *Value, start, limit, stride []int) *Value {
	return b.Apply(Slice{Start: start, Limit: limit, Stride: stride}, x)
}

// SliceDim takes [start, limit) of one dimension and all of the others.
func (b *Builder) SliceDim(x *Value, dim, start, limit int) *Value {
	b.own(x)
	if x.op == nil {
		return b.poison()
	}
	if err := checkDim(dim, x.typ); err != nil {
		b.fail(Slice{}.Mnemonic(), err)
		return b.poison()
	}
	from, to := make([]int, x.typ.Rank()), x.Shape()
	from[dim], to[dim] = start, limit
	return b.Slice(x, from, to)
}

// Concat joins tensors along dimension dim.
func (b *Builder) Concat(dim int, xs ...*Value) *Value { return b.Apply(Concat{dim}, xs...) }

// Pad puts low[i] copies of the scalar v before and high[i] after dimension i of x.
func (b *Builder) Pad(x, v *Value, low, high []int) *Value {
	return b.Apply(Pad{Low: low, High: high}, x, v)
}

// DynamicSlice takes a block of shape sizes at the given start indices, I32 scalars.
func (b *Builder) DynamicSlice(x *Value, starts []*Value, sizes ...int) *Value {
	return b.Apply(DynamicSlice{sizes}, append([]*Value{x}, starts...)...)
}

// DynamicUpdateSlice is x with a block replaced, at the given start indices, I32 scalars.
func (b *Builder) DynamicUpdateSlice(x, block *Value, starts ...*Value) *Value {
	return b.Apply(DynamicUpdateSlice{}, append([]*Value{x, block}, starts...)...)
}

// GatherRows takes rows of x's leading dimension by index; see [GatherRows].
func (b *Builder) GatherRows(x, indices *Value) *Value { return b.Apply(GatherRows{}, x, indices) }

// ScatterRows replaces rows of x's leading dimension by index; see [ScatterRows].
func (b *Builder) ScatterRows(x, indices, rows *Value, unique bool) *Value {
	return b.Apply(ScatterRows{unique}, x, indices, rows)
}

// Dot is the sum of products over the contracting dimensions; see [DotGeneral].
func (b *Builder) Dot(x, y *Value, dims DotGeneral) *Value { return b.Apply(dims, x, y) }

// Reduce combines the elements along dims; see [ReduceFn].
func (b *Builder) Reduce(fn ReduceFn, x *Value, dims ...int) *Value {
	return b.Apply(Reduce{Fn: fn, Dims: dims}, x)
}

// ArgMax is the index of the largest element along dim; see [ArgMax].
func (b *Builder) ArgMax(x *Value, dim int) *Value { return b.Apply(ArgMax{dim}, x) }

// QuantizedLinear is x·Wᵀ for a quantized W; see [QuantizedLinear].
func (b *Builder) QuantizedLinear(o QuantizedLinear, x, q, scale, offset *Value, expert ...*Value) *Value {
	return b.Apply(o, append([]*Value{x, q, scale, offset}, expert...)...)
}

// Norm normalizes x over its last dimension; see [Norm].
func (b *Builder) Norm(o Norm, x *Value, weightBias ...*Value) *Value {
	return b.Apply(o, append([]*Value{x}, weightBias...)...)
}

// Activate applies an activation; see [ActivateFn].
func (b *Builder) Activate(fn ActivateFn, x *Value) *Value { return b.Apply(Activate{fn}, x) }

// Rotate is the rotary position embedding; see [Rotate].
func (b *Builder) Rotate(o Rotate, x, cos, sin *Value) *Value { return b.Apply(o, x, cos, sin) }

// Attention is softmax(q·kᵀ)·v over a cache; see [Attention].
func (b *Builder) Attention(o Attention, q, keys, values, mask, position *Value, sinks ...*Value) *Value {
	return b.Apply(o, append([]*Value{q, keys, values, mask, position}, sinks...)...)
}
