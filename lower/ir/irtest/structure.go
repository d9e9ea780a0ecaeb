package irtest

import (
	"github.com/hlocc/hlocc/lower/ir"
)

// one is a case of one operation with one result.
func one(name string, want Tensor, build func(b *ir.Builder, in []*ir.Value) *ir.Value, args ...Tensor) Case {
	return Case{
		Name: name,
		Args: args,
		Build: func(b *ir.Builder, in []*ir.Value) []*ir.Value {
			return []*ir.Value{build(b, in)}
		},
		Want: []Tensor{want},
	}
}

func sourceCases() []Case {
	plus := func(c ir.Type, values ...float64) func(b *ir.Builder, in []*ir.Value) *ir.Value {
		return func(b *ir.Builder, in []*ir.Value) *ir.Value { return b.Add(in[0], b.Dense(c, values...)) }
	}
	zero23 := f32(dims(2, 3), 0, 0, 0, 0, 0, 0)
	return []Case{
		one("constant_splat", f32(dims(2, 3), 0.1, 0.1, 0.1, 0.1, 0.1, 0.1), plus(zero23.Type, 0.1), zero23),
		one("constant_dense", f32(dims(2, 3), 1, 2, 3, -inf, inf, nan), plus(zero23.Type, 1, 2, 3, -inf, inf, nan), zero23),
		one("constant_small", f32(dims(2, 3), 1e-30, 1e30, 1e-5, 16777216, 123456.789, 1.0/3),
			plus(zero23.Type, 1e-30, 1e30, 1e-5, 16777216, 123456.789, 1.0/3), zero23),
		one("constant_i32", vec(ir.I32, -2147483648, 7), plus(ir.T(ir.I32, 2), -2147483648, 7), vec(ir.I32, 0, 0)),
		one("constant_u8", vec(ir.U8, 255, 0), plus(ir.T(ir.U8, 2), 255, 0), vec(ir.U8, 0, 0)),
		one("constant_i64", vec(ir.I64, 1<<53, -5), plus(ir.T(ir.I64, 2), 1<<53, -5), vec(ir.I64, 0, 0)),
		one("constant_f64", vec(ir.F64, 0.1, inf), plus(ir.T(ir.F64, 2), 0.1, inf), vec(ir.F64, 0, 0)),
		one("constant_i1", vec(ir.I1, 1, 0), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Xor(in[0], b.Dense(ir.T(ir.I1, 2), 1, 0))
		}, vec(ir.I1, 0, 0)),
		one("iota_0", vec(ir.I32, 10, 11, 12), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Add(in[0], b.Iota(ir.T(ir.I32, 3), 0))
		}, vec(ir.I32, 10, 10, 10)),
		one("iota_1", f32(dims(2, 3), 0, 1, 2, 0, 1, 2), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Add(in[0], b.Iota(ir.T(ir.F32, 2, 3), 1))
		}, zero23),
	}
}

func shapeCases() []Case {
	m := f32(dims(2, 3), 1, 2, 3, 4, 5, 6)
	return []Case{
		one("reshape", f32(dims(3, 2), 1, 2, 3, 4, 5, 6), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Reshape(in[0], 3, 2)
		}, m),
		one("reshape_scalar", scalar(ir.I32, 7), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Reshape(in[0])
		}, vec(ir.I32, 7)),
		one("broadcast_scalar", f32(dims(2, 2), 5, 5, 5, 5), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Broadcast(in[0], dims(2, 2))
		}, scalar(ir.F32, 5)),
		one("broadcast_rows", f32(dims(2, 3), 1, 1, 1, 2, 2, 2), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Broadcast(in[0], dims(2, 3), 0)
		}, vec(ir.F32, 1, 2)),
		one("broadcast_columns", f32(dims(2, 3), 1, 2, 3, 1, 2, 3), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Broadcast(in[0], dims(2, 3), 1)
		}, vec(ir.F32, 1, 2, 3)),
		one("broadcast_one", f32(dims(2, 2, 2), 1, 1, 2, 2, 1, 1, 2, 2), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Broadcast(in[0], dims(2, 2, 2), 1, 2)
		}, f32(dims(2, 1), 1, 2)),
		one("transpose", f32(dims(3, 2), 1, 4, 2, 5, 3, 6), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Transpose(in[0], 1, 0)
		}, m),
		one("transpose_3", tensor(ir.I32, dims(2, 2, 3), 0, 2, 4, 6, 8, 10, 1, 3, 5, 7, 9, 11), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Transpose(in[0], 2, 0, 1)
		}, tensor(ir.I32, dims(2, 3, 2), count(0, 12)...)),
		one("transpose_bf16", tensor(ir.BF16, dims(2, 2), 1, 3, 2, 4), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Transpose(in[0], 1, 0)
		}, tensor(ir.BF16, dims(2, 2), 1, 2, 3, 4)),
		one("reverse", f32(dims(2, 3), 3, 2, 1, 6, 5, 4), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Reverse(in[0], 1)
		}, m),
		one("reverse_2", f32(dims(2, 3), 6, 5, 4, 3, 2, 1), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Reverse(in[0], 0, 1)
		}, m),
		one("slice", f32(dims(1, 2), 5, 6), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Slice(in[0], dims(1, 1), dims(2, 3))
		}, m),
		one("slice_strided", f32(dims(2, 2), 1, 3, 4, 6), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.StridedSlice(in[0], dims(0, 0), dims(2, 3), dims(1, 2))
		}, m),
		one("slice_dim", f32(dims(2, 1), 2, 5), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.SliceDim(in[0], 1, 1, 2)
		}, m),
		one("concat_0", f32(dims(3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Concat(0, in[0], in[1])
		}, m, f32(dims(1, 3), 7, 8, 9)),
		one("concat_1", f32(dims(2, 5), 1, 2, 3, 7, 8, 4, 5, 6, 9, 10), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Concat(1, in[0], in[1])
		}, m, f32(dims(2, 2), 7, 8, 9, 10)),
		one("concat_three", vec(ir.U8, 1, 2, 3), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Concat(0, in...)
		}, vec(ir.U8, 1), vec(ir.U8, 2), vec(ir.U8, 3)),
		one("pad", f32(dims(3, 5), 9, 1, 2, 3, 9, 9, 4, 5, 6, 9, 9, 9, 9, 9, 9), func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.Pad(in[0], in[1], dims(0, 1), dims(1, 1))
		}, m, scalar(ir.F32, 9)),
	}
}

func indexCases() []Case {
	m := f32(dims(3, 3), 1, 2, 3, 4, 5, 6, 7, 8, 9)
	slice := func(b *ir.Builder, in []*ir.Value) *ir.Value {
		return b.DynamicSlice(in[0], in[1:], 2, 1)
	}
	update := func(b *ir.Builder, in []*ir.Value) *ir.Value {
		return b.DynamicUpdateSlice(in[0], in[1], in[2:]...)
	}
	gather := func(b *ir.Builder, in []*ir.Value) *ir.Value { return b.GatherRows(in[0], in[1]) }
	scatter := func(unique bool) func(b *ir.Builder, in []*ir.Value) *ir.Value {
		return func(b *ir.Builder, in []*ir.Value) *ir.Value {
			return b.ScatterRows(in[0], in[1], in[2], unique)
		}
	}
	i := func(v float64) Tensor { return scalar(ir.I32, v) }
	return []Case{
		one("dynamic_slice", f32(dims(2, 1), 6, 9), slice, m, i(1), i(2)),
		one("dynamic_slice_clamps", f32(dims(2, 1), 4, 7), slice, m, i(5), i(-3)),
		one("dynamic_update_slice", f32(dims(3, 3), 1, 2, 3, 4, 5, 10, 7, 8, 11), update, m, f32(dims(2, 1), 10, 11), i(1), i(2)),
		one("dynamic_update_slice_clamps", f32(dims(3, 3), 1, 2, 3, 10, 5, 6, 11, 8, 9), update, m, f32(dims(2, 1), 10, 11), i(100), i(-1)),
		one("gather_rows", f32(dims(2, 3), 7, 8, 9, 1, 2, 3), gather, m, vec(ir.I32, 2, 0)),
		one("gather_rows_clamps", f32(dims(2, 3), 7, 8, 9, 1, 2, 3), gather, m, vec(ir.I32, 3, -1)),
		one("gather_rows_matrix", tensor(ir.BF16, dims(2, 2, 2), 1, 2, 3, 4, 3, 4, 1, 2), gather,
			tensor(ir.BF16, dims(2, 2), 1, 2, 3, 4), tensor(ir.I32, dims(2, 2), 0, 1, 1, 0)),
		one("gather_rows_vector", vec(ir.F32, 30, 10), gather, vec(ir.F32, 10, 20, 30), vec(ir.I32, 2, 0)),
		one("gather_rows_3", tensor(ir.F32, dims(1, 2, 2), 5, 6, 7, 8), gather,
			tensor(ir.F32, dims(2, 2, 2), count(1, 8)...), vec(ir.I32, 1)),
		one("scatter_rows", f32(dims(3, 3), 10, 11, 12, 4, 5, 6, 13, 14, 15), scatter(false), m,
			vec(ir.I32, 2, 0), f32(dims(2, 3), 13, 14, 15, 10, 11, 12)),
		one("scatter_rows_unique", f32(dims(3, 3), 1, 2, 3, 10, 11, 12, 7, 8, 9), scatter(true), m,
			vec(ir.I32, 1), f32(dims(1, 3), 10, 11, 12)),
		one("scatter_rows_later_wins", f32(dims(3, 3), 1, 2, 3, 13, 14, 15, 7, 8, 9), scatter(false), m,
			vec(ir.I32, 1, 1), f32(dims(2, 3), 10, 11, 12, 13, 14, 15)),
		one("scatter_rows_outside", f32(dims(3, 3), 1, 2, 3, 4, 5, 6, 10, 11, 12), scatter(false), m,
			vec(ir.I32, 3, -1, 2), f32(dims(3, 3), 0, 0, 0, 0, 0, 0, 10, 11, 12)).
			notCompiled("iree-compile 3.13 does not check the indices"),
		one("scatter_rows_3", tensor(ir.F32, dims(2, 2, 2), 1, 2, 3, 4, 9, 10, 11, 12), scatter(true),
			tensor(ir.F32, dims(2, 2, 2), count(1, 8)...), vec(ir.I32, 1), tensor(ir.F32, dims(1, 2, 2), count(9, 4)...)),
		one("scatter_rows_vector", vec(ir.I32, 10, 7, 30), scatter(true), vec(ir.I32, 10, 20, 30), vec(ir.I32, 1), vec(ir.I32, 7)),
	}
}

func dotCases() []Case {
	dot := func(d ir.DotGeneral) func(b *ir.Builder, in []*ir.Value) *ir.Value {
		return func(b *ir.Builder, in []*ir.Value) *ir.Value { return b.Dot(in[0], in[1], d) }
	}
	linear := ir.DotGeneral{LHSContract: dims(1), RHSContract: dims(1)}
	x, w := f32(dims(2, 3), 1, 2, 3, 4, 5, 6), f32(dims(2, 3), 1, 0, -1, 2, 2, 2)
	return []Case{
		one("dot_linear", f32(dims(2, 2), -2, 12, -2, 30), dot(linear), x, w),
		one("dot_matmul", f32(dims(2, 2), 7, 10, 15, 22), dot(ir.DotGeneral{LHSContract: dims(1), RHSContract: dims(0)}),
			f32(dims(2, 2), 1, 2, 3, 4), f32(dims(2, 2), 1, 2, 3, 4)),
		one("dot_vectors", scalar(ir.F32, 32), dot(ir.DotGeneral{LHSContract: dims(0), RHSContract: dims(0)}),
			vec(ir.F32, 1, 2, 3), vec(ir.F32, 4, 5, 6)),
		one("dot_outer", f32(dims(2, 3), 4, 5, 6, 8, 10, 12), dot(ir.DotGeneral{}), vec(ir.F32, 1, 2), vec(ir.F32, 4, 5, 6)),
		// The batch dimension is the second of both, as of queries and keys.
		one("dot_batch", tensor(ir.F32, dims(2, 1, 2), 11, 35, 28, 68), dot(ir.DotGeneral{
			LHSBatch: dims(1), RHSBatch: dims(1), LHSContract: dims(2), RHSContract: dims(2)}),
			tensor(ir.F32, dims(1, 2, 2), 1, 2, 3, 2), tensor(ir.F32, dims(2, 2, 2), 3, 4, 6, 5, 11, 12, 14, 13)),
		one("dot_two_contracting", vec(ir.F32, 10, 26), dot(ir.DotGeneral{LHSContract: dims(1, 2), RHSContract: dims(0, 1)}),
			tensor(ir.F32, dims(2, 2, 2), count(1, 8)...), tensor(ir.F32, dims(2, 2), 1, 1, 1, 1)),
		one("dot_bf16", f32(dims(2, 2), -2, 12, -2, 30), dot(linear),
			tensor(ir.BF16, dims(2, 3), 1, 2, 3, 4, 5, 6), tensor(ir.BF16, dims(2, 3), 1, 0, -1, 2, 2, 2)),
		one("dot_f16", f32(dims(1, 1), 32), dot(linear),
			tensor(ir.F16, dims(1, 3), 1, 2, 3), tensor(ir.F16, dims(1, 3), 4, 5, 6)),
		one("dot_i8", tensor(ir.I32, dims(1, 2), 127*127-128*126, -128), dot(linear),
			tensor(ir.I8, dims(1, 2), 127, -128), tensor(ir.I8, dims(2, 2), 127, 126, 0, 1)),
		one("dot_i32", scalar(ir.I32, -4), dot(ir.DotGeneral{LHSContract: dims(0), RHSContract: dims(0)}),
			vec(ir.I32, 2, -3), vec(ir.I32, 1, 2)),
		one("dot_f64", scalar(ir.F64, 0.1*3+0.25), dot(ir.DotGeneral{LHSContract: dims(0), RHSContract: dims(0)}),
			vec(ir.F64, 0.1, 0.5), vec(ir.F64, 3, 0.5)),
	}
}

func reduceCases() []Case {
	reduce := func(fn ir.ReduceFn, d ...int) func(b *ir.Builder, in []*ir.Value) *ir.Value {
		return func(b *ir.Builder, in []*ir.Value) *ir.Value { return b.Reduce(fn, in[0], d...) }
	}
	argmax := func(dim int) func(b *ir.Builder, in []*ir.Value) *ir.Value {
		return func(b *ir.Builder, in []*ir.Value) *ir.Value { return b.ArgMax(in[0], dim) }
	}
	m := f32(dims(2, 3), 1, 2, 3, 4, 5, -6)
	bits := tensor(ir.I1, dims(2, 2), 1, 1, 0, 1)
	return []Case{
		one("reduce_add_1", vec(ir.F32, 6, 3), reduce(ir.ReduceAdd, 1), m),
		one("reduce_add_0", vec(ir.F32, 5, 7, -3), reduce(ir.ReduceAdd, 0), m),
		one("reduce_add_all", scalar(ir.F32, 9), reduce(ir.ReduceAdd, 0, 1), m),
		one("reduce_add_middle", f32(dims(2, 2), 4, 6, 12, 14), reduce(ir.ReduceAdd, 1), tensor(ir.F32, dims(2, 2, 2), count(1, 8)...)),
		one("reduce_add_i32", scalar(ir.I32, -2147483648), reduce(ir.ReduceAdd, 0), vec(ir.I32, 2147483647, 1)),
		one("reduce_add_i64", scalar(ir.I64, 3), reduce(ir.ReduceAdd, 0), vec(ir.I64, 1, 2)),
		one("reduce_mul", vec(ir.F32, 6, -120), reduce(ir.ReduceMul, 1), m),
		one("reduce_max", vec(ir.F32, 3, 5), reduce(ir.ReduceMax, 1), m),
		one("reduce_max_nan", vec(ir.F32, nan, -1), reduce(ir.ReduceMax, 1), f32(dims(2, 2), 1, nan, -1, -2)),
		one("reduce_max_i32", scalar(ir.I32, -3), reduce(ir.ReduceMax, 0), vec(ir.I32, -5, -3)),
		one("reduce_max_i64", scalar(ir.I64, -3), reduce(ir.ReduceMax, 0), vec(ir.I64, -5, -3)),
		one("reduce_max_u8", scalar(ir.U8, 200), reduce(ir.ReduceMax, 0), vec(ir.U8, 200, 3)),
		one("reduce_min", vec(ir.F32, 1, -6), reduce(ir.ReduceMin, 1), m),
		one("reduce_min_i8", scalar(ir.I8, -5), reduce(ir.ReduceMin, 0), vec(ir.I8, -5, 3)),
		one("reduce_and", vec(ir.I1, 1, 0), reduce(ir.ReduceAnd, 1), bits),
		one("reduce_and_i32", scalar(ir.I32, 4), reduce(ir.ReduceAnd, 0), vec(ir.I32, 6, 12)),
		one("reduce_and_u8", scalar(ir.U8, 128), reduce(ir.ReduceAnd, 0), vec(ir.U8, 129, 128)),
		one("reduce_or", vec(ir.I1, 1, 1), reduce(ir.ReduceOr, 0), bits),
		one("argmax", tensor(ir.I32, dims(2), 2, 1), argmax(1), m),
		one("argmax_0", tensor(ir.I32, dims(3), 1, 1, 0), argmax(0), m),
		one("argmax_tie", scalar(ir.I32, 1), argmax(0), vec(ir.F32, 1, 3, 3, 2)),
		one("argmax_nan", scalar(ir.I32, 2), argmax(0), vec(ir.F32, 1, inf, nan, nan)),
		one("argmax_infinities", tensor(ir.I32, dims(2), 0, 1), argmax(1), f32(dims(2, 2), -inf, -inf, -inf, inf)),
		one("argmax_i32", scalar(ir.I32, 0), argmax(0), vec(ir.I32, -1, -2)),
	}
}

// Cases is the whole table. Every operation, function and relation occurs.
func Cases() []Case {
	var all []Case
	for _, group := range [][]Case{
		sourceCases(), unaryCases(), binaryCases(), compareCases(), selectCases(), convertCases(),
		shapeCases(), indexCases(), dotCases(), reduceCases(),
	} {
		all = append(all, group...)
	}
	return all
}
