package ir

import (
	"reflect"
	"strings"
	"testing"
)

// TestRejects is one line for each way in which operands or attributes can be wrong.
func TestRejects(t *testing.T) {
	f := func(dims ...int) Type { return T(F32, dims...) }
	i := func(dims ...int) Type { return T(I32, dims...) }
	p := func(dims ...int) Type { return T(I1, dims...) }
	h := func(dims ...int) Type { return T(BF16, dims...) }
	u := func(dims ...int) Type { return T(U8, dims...) }
	dot := func(lb, rb, lc, rc []int) Op {
		return DotGeneral{LHSBatch: lb, RHSBatch: rb, LHSContract: lc, RHSContract: rc}
	}
	d := func(dims ...int) []int { return dims }
	tests := []struct {
		op   Op
		args []Type
		want string
	}{
		{Argument{}, nil, "declared type"},
		{Parameter{}, nil, "declared type"},

		{Constant{Type: f(2), Values: []float64{1, 2, 3}}, nil, "3 values for f32[2]"},
		{Constant{Type: f(2)}, nil, "0 values for f32[2]"},
		{Constant{Type: f(2), Values: []float64{0.1}}, nil, "0.1 is not a value of f32"},
		{Constant{Type: i(), Values: []float64{0.5}}, nil, "0.5 is not a value of i32"},
		{Constant{Type: i(), Values: []float64{1 << 31}}, nil, "2.147483648e+09 is not a value of i32"},
		{Constant{Type: T(U8), Values: []float64{-1}}, nil, "-1 is not a value of u8"},
		{Constant{Type: T(I8), Values: []float64{128}}, nil, "128 is not a value of i8"},
		{Constant{Type: T(I64), Values: []float64{1 << 54}}, nil, "not a value of i64"},
		{Constant{Type: p(), Values: []float64{2}}, nil, "2 is not a value of i1"},
		{Constant{Type: h(), Values: []float64{1}}, nil, "not defined for bf16, a storage type"},
		{Constant{Type: f(0), Values: []float64{1}}, nil, "dimension 0 is 0, must be at least 1"},
		{Constant{Type: f(2000), Values: make([]float64, 2000)}, nil, "at most 1024 fit in a graph: use a parameter"},
		{Constant{Type: f(), Values: []float64{1}}, []Type{f()}, "takes 0 operands, got 1"},
		{Iota{Type: f(2), Dim: 1}, nil, "no dimension 1 in f32[2]"},
		{Iota{Type: p(2)}, nil, "not defined for i1"},
		{Iota{Type: T(U8, 300)}, nil, "u8 cannot count to 299"},
		{Iota{Type: f(2)}, []Type{f()}, "takes 0 operands"},
		{Iota{Type: f(-1)}, nil, "must be at least 1"},

		{Unary{Exp}, []Type{i(2)}, "not defined for i32"},
		{Unary{Exp}, []Type{h(2)}, "a storage type: convert to f32 first"},
		{Unary{Not}, []Type{f(2)}, "not defined for f32"},
		{Unary{Negate}, []Type{T(U8)}, "not defined for u8"},
		{Unary{Exp}, nil, "takes 1 operands, got 0"},
		{Unary{99}, []Type{i(2)}, "not defined for i32"},
		{Binary{Add}, []Type{f(2), f(3)}, "operand types f32[2] and f32[3] differ"},
		{Binary{Add}, []Type{f(2), i(2)}, "differ"},
		{Binary{Add}, []Type{f(2)}, "takes 2 operands, got 1"},
		{Binary{Add}, []Type{p(2), p(2)}, "not defined for i1"},
		{Binary{Power}, []Type{i(), i()}, "not defined for i32"},
		{Binary{ShiftLeft}, []Type{f(), f()}, "not defined for f32"},
		{Binary{And}, []Type{f(), f()}, "not defined for f32"},
		{Compare{EQ}, []Type{f(2), f(3)}, "differ"},
		{Compare{EQ}, []Type{h(2), h(2)}, "not defined for bf16"},
		{Compare{}, []Type{f(2), f(2)}, "unknown relation"},
		{Select{}, []Type{f(2), f(2), f(2)}, "condition f32[2] selects between f32[2]"},
		{Select{}, []Type{p(3), f(2), f(2)}, "condition i1[3]"},
		{Select{}, []Type{p(2), f(2), f(3)}, "differ"},
		{Select{}, []Type{p(2), f(2)}, "takes 3 operands"},
		{Clamp{}, []Type{f(3), f(2), f()}, "bound f32[3] for f32[2]"},
		{Clamp{}, []Type{f(), f(2), i()}, "bound i32[] for f32[2]"},
		{Clamp{}, []Type{p(), p(2), p()}, "not defined for i1"},
		{Clamp{}, []Type{f()}, "takes 3 operands"},
		{Convert{}, []Type{f(2)}, "invalid element type"},
		{Convert{F32}, nil, "takes 1 operands"},
		{Convert{BF16}, []Type{i(2)}, "i32 to bf16, must go by way of f32"},
		{Convert{F16}, []Type{h(2)}, "bf16 to f16"},
		{Bitcast{F32}, []Type{T(I64, 2)}, "i64 cannot be read as f32"},
		{Bitcast{I1}, []Type{T(U8, 2)}, "u8 cannot be read as i1"},
		{Bitcast{F32}, nil, "takes 1 operands"},

		{Reshape{d(4)}, []Type{f(3)}, "f32[3] has 3 elements, f32[4] has 4"},
		{Reshape{d(-1, -3)}, []Type{f(3)}, "must be at least 1"},
		{Reshape{}, nil, "takes 1 operands"},
		{Broadcast{d(2, 3), d(1)}, []Type{f(2)}, "dimension 0 of f32[2] does not broadcast to dimension 1 of f32[2,3]"},
		{Broadcast{d(2, 3), d(2)}, []Type{f(2)}, "no dimension 2"},
		{Broadcast{d(2, 3), d()}, []Type{f(2)}, "0 dims for operand f32[2]"},
		{Broadcast{d(2, 2), d(1, 0)}, []Type{f(2, 2)}, "not increasing"},
		{Broadcast{d(1<<40, 1<<40), d()}, []Type{f()}, "size overflows"},
		{Broadcast{}, nil, "takes 1 operands"},
		{Transpose{d(0)}, []Type{f(2, 3)}, "permutation [0] for f32[2,3]"},
		{Transpose{d(0, 0)}, []Type{f(2, 3)}, "not a permutation"},
		{Transpose{d(0, 2)}, []Type{f(2, 3)}, "not a permutation"},
		{Transpose{}, nil, "takes 1 operands"},
		{Reverse{d(1)}, []Type{f(2)}, "no dimension 1"},
		{Reverse{d(1, 0)}, []Type{f(2, 2)}, "not increasing"},
		{Reverse{d(0)}, []Type{T(U8, 2)}, "not defined for u8"},
		{Reverse{}, nil, "takes 1 operands"},
		{Slice{d(0), d(3), d(1)}, []Type{f(2)}, "range 0:3:1 of dimension 0 of f32[2]"},
		{Slice{d(1), d(1), d(1)}, []Type{f(2)}, "range 1:1:1"},
		{Slice{d(0), d(1), d(0)}, []Type{f(2)}, "range 0:1:0"},
		{Slice{d(-1), d(1), d(1)}, []Type{f(2)}, "range -1:1:1"},
		{Slice{d(0), d(1), d(1)}, []Type{f(2, 2)}, "another rank"},
		{Slice{}, nil, "takes 1 operands"},
		{Concat{0}, nil, "at least one operand"},
		{Concat{1}, []Type{f(2)}, "no dimension 1"},
		{Concat{0}, []Type{f(2, 3), f(2, 4)}, "differ elsewhere than in dimension 0"},
		{Concat{0}, []Type{f(2), i(2)}, "differ elsewhere"},
		{Concat{0}, []Type{T(U8, 1<<62), T(U8, 1<<62)}, "size overflows"},
		{Pad{d(0), d(1)}, []Type{f(2), i()}, "not with a scalar of its type"},
		{Pad{d(0), d()}, []Type{f(2), f()}, "low [0] high [] for f32[2]"},
		{Pad{d(-1), d(0)}, []Type{f(2), f()}, "out of range"},
		{Pad{}, nil, "takes 2 operands"},

		{DynamicSlice{d(3)}, []Type{f(2), i()}, "block f32[3] does not fit into f32[2]"},
		{DynamicSlice{d(1, 1)}, []Type{f(2), i()}, "block f32[1,1] of f32[2]"},
		{DynamicSlice{d(1)}, []Type{f(2)}, "0 start indices"},
		{DynamicSlice{d(1)}, []Type{f(2), f()}, "start index f32[], must be i32[]"},
		{DynamicSlice{d(0)}, []Type{f(2), i()}, "must be at least 1"},
		{DynamicSlice{}, nil, "takes 1 operands"},
		{DynamicUpdateSlice{}, []Type{f(2), f(3), i()}, "does not fit"},
		{DynamicUpdateSlice{}, []Type{f(2), i(1), i()}, "block i32[1] of f32[2]"},
		{DynamicUpdateSlice{}, []Type{f(2)}, "takes 2 operands"},
		{GatherRows{}, []Type{f(), i(1)}, "rows i32[1] of f32[]"},
		{GatherRows{}, []Type{f(2, 3), f(1)}, "rows f32[1] of f32[2,3]"},
		{GatherRows{}, []Type{f(2, 3), i()}, "rows i32[] of f32[2,3]"},
		{GatherRows{}, []Type{f(2)}, "takes 2 operands"},
		{ScatterRows{}, []Type{f(4, 3), i(2), f(2, 4)}, "updates f32[2,4] for rows i32[2] of f32[4,3], must be f32[2,3]"},
		{ScatterRows{}, []Type{f(4, 3), i(2, 1), f(2, 3)}, "rows i32[2,1]"},
		{ScatterRows{}, []Type{f(), i(1), f()}, "rows i32[1] of f32[]"},
		{ScatterRows{}, []Type{f(2)}, "takes 3 operands"},

		{dot(nil, nil, d(1), d(1)), []Type{f(2, 3), f(2, 4)}, "contracting sizes differ: dimension 1 of f32[2,3] and 1 of f32[2,4]"},
		{dot(d(0), d(0), d(1), d(1)), []Type{f(2, 3), f(3, 3)}, "batch sizes differ"},
		{dot(d(0), nil, d(1), d(1)), []Type{f(2, 3), f(3, 3)}, "batch dimensions [0] and [] differ in number"},
		{dot(nil, nil, d(2), d(1)), []Type{f(2, 3), f(3, 3)}, "no dimension 2 in f32[2,3]"},
		{dot(nil, nil, d(0), d(-1)), []Type{f(2, 3), f(3, 3)}, "no dimension -1"},
		{dot(d(0), d(0), d(0), d(0)), []Type{f(2, 3), f(2, 3)}, "dimension 0 of f32[2,3] is named twice"},
		{dot(nil, nil, d(0), d(0)), []Type{f(2), h(2)}, "element types of f32[2] and bf16[2] differ"},
		{dot(nil, nil, d(0), d(0)), []Type{T(U8, 2), T(U8, 2)}, "not defined for u8"},
		{dot(nil, nil, nil, nil), []Type{f(2, 2, 2, 2, 2), f(2, 2, 2, 2)}, "more than 8 dimensions"},
		{dot(nil, nil, nil, nil), []Type{f()}, "takes 2 operands"},
		{Reduce{ReduceAdd, d(0)}, []Type{p(2)}, "not defined for i1"},
		{Reduce{ReduceAnd, d(0)}, []Type{f(2)}, "not defined for f32"},
		{Reduce{ReduceAdd, d(0)}, []Type{h(2)}, "not defined for bf16"},
		{Reduce{0, d(0)}, []Type{p(2)}, "not defined for i1"},
		{Reduce{ReduceAdd, d()}, []Type{f(2)}, "no dimensions to reduce"},
		{Reduce{ReduceAdd, d(1)}, []Type{f(2)}, "no dimension 1"},
		{Reduce{ReduceAdd, d(1, 0)}, []Type{f(2, 2)}, "not increasing"},
		{Reduce{}, nil, "takes 1 operands"},
		{ArgMax{0}, []Type{p(2)}, "not defined for i1"},
		{ArgMax{1}, []Type{f(2)}, "no dimension 1"},
		{ArgMax{0}, []Type{T(I8, 1<<32)}, "too long for an i32 index"},
		{ArgMax{}, nil, "takes 1 operands"},
		{QuantizedLinear{Bits: 4, Out: 16}, nil, "takes 4 operands"},
		{QuantizedLinear{Bits: 4, Out: 16, Experts: 2}, []Type{f(1), f(1), f(1), f(1)}, "takes 5 operands"},
		{QuantizedLinear{Bits: 5, Out: 16}, []Type{f(1, 64), f(1), f(1), f(1)}, "5 bits"},
		{QuantizedLinear{Bits: 4, Out: 16}, []Type{f(64), u(1, 1, 8, 16, 4), f(1, 1, 16), f(1, 1, 16)}, "rows f32[64]"},
		{QuantizedLinear{Bits: 4, Out: 16}, []Type{f(1, 64), u(1, 1, 8, 16, 4), h(1, 1, 16), h(1, 1, 16)}, "scales of bf16"},
		{QuantizedLinear{Bits: 4, Out: 17}, []Type{f(1, 65), u(1, 2, 8, 16, 4), f(1, 2, 16), f(1, 2, 16)}, "must be u8[2,2,8,16,4], f32[2,2,16]"},
		{QuantizedLinear{Bits: 8, Out: 16}, []Type{f(1, 64), u(1, 1, 8, 16, 4), f(1, 1, 16), f(1, 1, 16)}, "must be u8[1,1,16,16,4]"},
		{QuantizedLinear{Bits: 4, Out: 16, Experts: 2}, []Type{f(3, 64), u(2, 1, 1, 8, 16, 4), f(2, 1, 1, 16), f(2, 1, 1, 16), i(2)}, "experts i32[2]"},
		{Norm{}, nil, "takes 1 operands"},
		{Norm{}, []Type{h(2)}, "not defined for bf16"},
		{Norm{}, []Type{f(2, 4), f(2)}, "weight f32[2]"},
		{Norm{}, []Type{f(2, 4), i(4)}, "weight i32[4]"},
		{Activate{SiLU}, nil, "takes 1 operands"},
		{Activate{}, []Type{f(1)}, "unknown activation"},
		{Activate{SiLU}, []Type{i(1)}, "not defined for i32"},
		{Rotate{}, nil, "takes 3 operands"},
		{Rotate{}, []Type{f(1, 4), f(1, 2), f(1, 2)}, "not defined"},
		{Rotate{}, []Type{f(1, 2, 4), f(1, 3), f(1, 3)}, "tables f32[1,3]"},
		{Attention{}, nil, "takes 5 operands"},
		{Attention{Sinks: true}, []Type{f(1), f(1), f(1), f(1), f(1)}, "takes 6 operands"},
		{Attention{Slots: 1}, []Type{f(1, 2), f(1, 1, 2), f(1, 1, 2), p(1, 1), i(1)}, "queries f32[1,2]"},
		{Attention{Slots: 1, Rows: 8, Context: 9}, []Type{f(1, 2, 4), f(8, 1, 4), f(8, 1, 4), p(1, 9), i(1)}, "1 slots"},
		{Attention{Slots: 2, Rows: 8, Context: 8}, []Type{f(1, 2, 4), f(16, 1, 4), f(16, 1, 4), p(1, 8), i(1)}, "2 slots"},
		{Attention{Slots: 1, Rows: 8, Context: 8}, []Type{f(1, 2, 4), f(8, 1, 4), f(8, 1, 4), p(1, 7), i(1)}, "mask i1[1,7]"},
		{Attention{Slots: 1, Rows: 8, Context: 8, Sinks: true}, []Type{f(1, 2, 4), f(8, 1, 4), f(8, 1, 4), p(1, 8), i(1), f(2)}, "sinks f32[2]"},
		{Dispatch{}, nil, "no kernel"},
		{Dispatch{testKernel{name: "1"}}, nil, "is not an identifier"},
		{Dispatch{testKernel{name: "k"}}, nil, "k has no results"},
		{Dispatch{testKernel{name: "k", results: 2, tie: 1}}, []Type{f(1), f(2)}, "result 1 of type f32[1] updates operand 1"},
		{Dispatch{testKernel{name: "k", fail: true}}, nil, "k: refused"},
		{Also{}, nil, "takes 1 operands"},
	}
	missing := map[reflect.Type]bool{reflect.TypeOf(Dispatch{}): true, reflect.TypeOf(Also{}): true}
	for _, op := range append(Ops(), HighOps()...) {
		missing[reflect.TypeOf(op)] = true
	}
	for _, tt := range tests {
		delete(missing, reflect.TypeOf(tt.op))
		got, err := tt.op.infer(tt.args)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%T%+v of %v: got %v, %v; want %q", tt.op, tt.op, tt.args, got, err, tt.want)
		}
	}
	for op := range missing {
		t.Errorf("nothing shows what %v rejects", op)
	}
}

// TestFunctionsAreDefined checks that every function is defined for something and has a name.
func TestFunctionsAreDefined(t *testing.T) {
	names := map[string]bool{}
	check := func(name string, defined func(DType) bool) {
		if names[name] || !isIdent(name) {
			t.Errorf("name %q", name)
		}
		names[name] = true
		n := 0
		for _, d := range DTypes() {
			if defined(d) {
				n++
			}
			if defined(d) && (d == F16 || d == BF16) {
				t.Errorf("%s computes in %v", name, d)
			}
		}
		if n == 0 {
			t.Errorf("%s is defined for nothing", name)
		}
	}
	for _, fn := range UnaryFns() {
		check(fn.String(), fn.Defined)
	}
	for _, fn := range BinaryFns() {
		check(fn.String(), fn.Defined)
	}
	for _, fn := range ReduceFns() {
		check(fn.String(), fn.Binary().Defined)
	}
	for _, dir := range Directions() {
		check(dir.String(), DType.computes)
	}
	if UnaryFn(0).String() != "unary" || BinaryFn(99).String() != "binary" || Direction(9).String() != "compare" {
		t.Error("no name for unknown functions")
	}
}

func TestTypes(t *testing.T) {
	tests := []struct {
		typ  Type
		want string // text, or error
	}{
		{T(F32), "f32[]"},
		{T(BF16, 2, 3), "bf16[2,3]"},
		{T(Invalid, 2), "invalid element type"},
		{T(DType(77)), "invalid element type"},
		{T(F32, 1, 2, 3, 4, 5, 6, 7, 8), "f32[1,2,3,4,5,6,7,8]"},
		{T(F32, 1, 2, 3, 4, 5, 6, 7, 8, 9), "more than 8 dimensions"},
		{T(F32, 2, 0), "f32[2,0]: dimension 1 is 0, must be at least 1"},
		{T(F32, -2), "f32[-2]: dimension 0 is -2, must be at least 1"},
		{T(F32, 1<<40, 1<<40), "f32[1099511627776,1099511627776]: size overflows"},
		{T(F64, 1<<60), "f64[1152921504606846976]: size overflows"},
		{T(U8, 1<<62), "u8[4611686018427387904]"},
	}
	for _, tt := range tests {
		got := tt.typ.String()
		if err := tt.typ.Check(); err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("got %s, want %s", got, tt.want)
		}
	}
	if x := T(BF16, 2, 3); x.Elems() != 6 || x.Bytes() != 12 || x.Dim(1) != 3 || x.WithDType(F32) != T(F32, 2, 3) || !x.SameShape(T(I8, 2, 3)) {
		t.Errorf("%v: %d elements, %d bytes", x, x.Elems(), x.Bytes())
	}
	for _, d := range DTypes() {
		if !d.Valid() {
			t.Errorf("%v is not valid", d)
		}
	}
	if Invalid.Valid() {
		t.Error("an invalid type is valid")
	}
}
