package irtest

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/lower/ir"
)

func unary(fn ir.UnaryFn, in, want Tensor, ulp float64) Case {
	return Case{
		Name: fmt.Sprintf("%v_%v", fn, in.Type.DType()),
		Args: []Tensor{in},
		Build: func(b *ir.Builder, in []*ir.Value) []*ir.Value {
			return []*ir.Value{b.Unary(fn, in[0])}
		},
		Want: []Tensor{want},
		ULP:  ulp,
	}
}

func unaryCases() []Case {
	x := vec(ir.F32, -2, -0.5, negZero, 0, 0.5, 1, 3)
	fl := func(fn ir.UnaryFn, ulp float64, values ...float64) Case {
		return unary(fn, x, f32(dims(7), values...), ulp)
	}
	return []Case{
		fl(ir.Negate, 0, 2, 0.5, 0, negZero, -0.5, -1, -3),
		unary(ir.Negate, vec(ir.I32, 5, 0, -7, math.MinInt32), vec(ir.I32, -5, 0, 7, math.MinInt32), 0),
		unary(ir.Negate, vec(ir.I8, 5, -128), vec(ir.I8, -5, -128), 0),
		fl(ir.Abs, 0, 2, 0.5, 0, 0, 0.5, 1, 3),
		unary(ir.Abs, vec(ir.I64, 5, -6), vec(ir.I64, 5, 6), 0),
		fl(ir.Exp, 2, 0.1353352832366127, 0.6065306597126334, 1, 1, 1.6487212707001282, 2.718281828459045, 20.085536923187668),
		unary(ir.Exp, vec(ir.F32, -inf, inf, nan, -200, 200), vec(ir.F32, 0, inf, nan, 0, inf), 0),
		unary(ir.Log, vec(ir.F32, 0.25, 1, 10), f32(dims(3), -1.3862943611198906, 0, 2.302585092994046), 2),
		unary(ir.Log, vec(ir.F32, 0, inf, nan, -1), vec(ir.F32, -inf, inf, nan, nan), 0),
		unary(ir.Sqrt, vec(ir.F32, 0, 2, 9, inf, -1), f32(dims(5), 0, 1.4142135623730951, 3, inf, nan), 0),
		unary(ir.Rsqrt, vec(ir.F32, 0.25, 2, 1e-5, inf, 0), f32(dims(5), 2, 0.7071067811865475, 316.2277660168379, 0, inf), 2),
		fl(ir.Tanh, 8, -0.9640275800758169, -0.46211715726000973, negZero, 0, 0.46211715726000973, 0.7615941559557649, 0.9950547536867305),
		unary(ir.Tanh, vec(ir.F32, -inf, inf, 40), vec(ir.F32, -1, 1, 1), 4),
		fl(ir.Logistic, 4, 0.11920292202211755, 0.3775406687981454, 0.5, 0.5, 0.6224593312018546, 0.7310585786300049, 0.9525741268224334),
		unary(ir.Logistic, vec(ir.F32, -inf, inf, -200, 100), vec(ir.F32, 0, 1, 0, 1), 0),
		fl(ir.Cosine, 8, -0.4161468365471424, 0.8775825618903728, 1, 1, 0.8775825618903728, 0.5403023058681398, -0.9899924966004454),
		fl(ir.Sine, 8, -0.9092974268256817, -0.479425538604203, negZero, 0, 0.479425538604203, 0.8414709848078965, 0.1411200080598672),
		unary(ir.Floor, vec(ir.F32, -1.5, -0.5, 0.5, 2), vec(ir.F32, -2, -1, 0, 2), 0),
		unary(ir.Ceil, vec(ir.F32, -1.5, 0.5, 2), vec(ir.F32, -1, 1, 2), 0),
		unary(ir.Round, vec(ir.F32, -1.5, -0.6, 0.5, 1.5, 2.5, 2.6), vec(ir.F32, -2, -1, 0, 2, 2, 3), 0),
		unary(ir.Not, vec(ir.I1, 0, 1), vec(ir.I1, 1, 0), 0),
		unary(ir.Not, vec(ir.I32, 0, 1, -1), vec(ir.I32, -1, -2, 0), 0),
		unary(ir.Not, vec(ir.U8, 0, 1, 255), vec(ir.U8, 255, 254, 0), 0),
		unary(ir.Sqrt, vec(ir.F64, 2), vec(ir.F64, math.Sqrt2), 0),
	}
}

func (c Case) notCompiled(why string) Case { c.NotCompiled = why; return c }

func binary(fn ir.BinaryFn, x, y, want Tensor, ulp float64) Case {
	return Case{
		Name: fmt.Sprintf("%v_%v", fn, x.Type.DType()),
		Args: []Tensor{x, y},
		Build: func(b *ir.Builder, in []*ir.Value) []*ir.Value {
			return []*ir.Value{b.Binary(fn, in[0], in[1])}
		},
		Want: []Tensor{want},
		ULP:  ulp,
	}
}

func binaryCases() []Case {
	x, y := vec(ir.F32, 1, -2.5, 7, 0), vec(ir.F32, 3, 0.5, -2, 4)
	fl := func(fn ir.BinaryFn, ulp float64, values ...float64) Case {
		return binary(fn, x, y, f32(dims(4), values...), ulp)
	}
	i, j := vec(ir.I32, 7, -7, 5, math.MinInt32, 1<<30), vec(ir.I32, 2, 2, 0, -1, 4)
	in := func(fn ir.BinaryFn, values ...float64) Case {
		return binary(fn, i, j, vec(ir.I32, values...), 0)
	}
	u, w := vec(ir.U8, 200, 7, 0, 255), vec(ir.U8, 100, 2, 1, 0)
	by := func(fn ir.BinaryFn, values ...float64) Case {
		return binary(fn, u, w, vec(ir.U8, values...), 0)
	}
	s, n := vec(ir.I32, -8, 1, 1, -1, 5), vec(ir.I32, 1, 31, 32, 100, -1)
	sh := func(fn ir.BinaryFn, values ...float64) Case {
		return binary(fn, s, n, vec(ir.I32, values...), 0)
	}
	p, q := vec(ir.I1, 0, 0, 1, 1), vec(ir.I1, 0, 1, 0, 1)
	return []Case{
		fl(ir.Add, 0, 4, -2, 5, 4),
		in(ir.Add, 9, -5, 5, math.MaxInt32, 1<<30+4),
		by(ir.Add, 44, 9, 1, 255),
		fl(ir.Subtract, 0, -2, -3, 9, -4),
		in(ir.Subtract, 5, -9, 5, math.MinInt32+1, 1<<30-4),
		by(ir.Subtract, 100, 5, 255, 255),
		fl(ir.Multiply, 0, 3, -1.25, -14, 0),
		in(ir.Multiply, 14, -14, 0, math.MinInt32, 0),
		by(ir.Multiply, 32, 14, 0, 0),
		fl(ir.Divide, 0, 1.0/3, -5, -3.5, 0),
		in(ir.Divide, 3, -3, -1, math.MinInt32, 1<<28),
		by(ir.Divide, 2, 3, 0, 255),
		binary(ir.Divide, vec(ir.F32, 1, -1, 0), vec(ir.F32, 0, 0, 0), vec(ir.F32, inf, -inf, nan), 0),
		fl(ir.Maximum, 0, 3, 0.5, 7, 4),
		binary(ir.Maximum, vec(ir.F32, nan, 1, negZero), vec(ir.F32, 1, nan, 0), vec(ir.F32, nan, nan, 0), 0),
		in(ir.Maximum, 7, 2, 5, -1, 1<<30),
		by(ir.Maximum, 200, 7, 1, 255),
		fl(ir.Minimum, 0, 1, -2.5, -2, 0),
		binary(ir.Minimum, vec(ir.F32, nan, 1, 0), vec(ir.F32, 1, nan, negZero), vec(ir.F32, nan, nan, negZero), 0),
		by(ir.Minimum, 100, 2, 0, 0),
		binary(ir.Power, vec(ir.F32, 2, 9, 10, 0.5, 5, 10000, 1), vec(ir.F32, 10, 0.5, -2, 3, 0, -0.25, 7), f32(dims(7), 1024, 3, 0.01, 0.125, 1, 0.1, 1), 4),
		binary(ir.Power, vec(ir.F32, -2, -2, -2, 0, 0, 0, inf), vec(ir.F32, 3, 2, 0.5, 0, 2, -1, -1), vec(ir.F32, -8, 4, nan, 1, 0, inf, 0), 0).
			notCompiled("bases must be positive"),
		binary(ir.Remainder, vec(ir.F32, 7, -7, 7.5), vec(ir.F32, 3, 3, -2), vec(ir.F32, 1, -1, 1.5), 0),
		in(ir.Remainder, 1, -1, 5, 0, 0),
		by(ir.Remainder, 0, 1, 0, 255),
		binary(ir.And, p, q, vec(ir.I1, 0, 0, 0, 1), 0),
		in(ir.And, 2, 0, 0, math.MinInt32, 0),
		by(ir.And, 64, 2, 0, 0),
		binary(ir.Or, p, q, vec(ir.I1, 0, 1, 1, 1), 0),
		by(ir.Or, 236, 7, 1, 255),
		binary(ir.Xor, p, q, vec(ir.I1, 0, 1, 1, 0), 0),
		by(ir.Xor, 172, 5, 1, 255),
		sh(ir.ShiftLeft, -16, math.MinInt32, 0, 0, 0),
		sh(ir.ShiftRightLogical, 2147483644, 0, 0, 0, 0),
		sh(ir.ShiftRightArithmetic, -4, 0, 0, -1, 0),
		binary(ir.ShiftRightLogical, vec(ir.U8, 0xab, 0xab, 0xab), vec(ir.U8, 4, 0, 8), vec(ir.U8, 0x0a, 0xab, 0), 0),
		binary(ir.ShiftLeft, vec(ir.I8, 1, 3), vec(ir.I8, 7, 1), vec(ir.I8, -128, 6), 0),
		binary(ir.Multiply, vec(ir.F64, 0.1), vec(ir.F64, 3), vec(ir.F64, 0.30000000000000004), 0),
		binary(ir.Add, vec(ir.I64, 1<<40), vec(ir.I64, 1), vec(ir.I64, 1<<40+1), 0),
	}
}

func compare(dir ir.Direction, x, y Tensor, want ...float64) Case {
	return Case{
		Name: fmt.Sprintf("%v_%v", dir, x.Type.DType()),
		Args: []Tensor{x, y},
		Build: func(b *ir.Builder, in []*ir.Value) []*ir.Value {
			return []*ir.Value{b.Compare(dir, in[0], in[1])}
		},
		Want: []Tensor{vec(ir.I1, want...)},
	}
}

func compareCases() []Case {
	x, y := vec(ir.F32, 1, 2, 3, nan, negZero), vec(ir.F32, 2, 2, 2, nan, 0)
	i, j := vec(ir.I32, -1, 2, 3), vec(ir.I32, 2, 2, 2)
	u, w := vec(ir.U8, 200, 2, 3), vec(ir.U8, 100, 2, 200)
	return []Case{
		compare(ir.EQ, x, y, 0, 1, 0, 0, 1), compare(ir.NE, x, y, 1, 0, 1, 1, 0),
		compare(ir.LT, x, y, 1, 0, 0, 0, 0), compare(ir.LE, x, y, 1, 1, 0, 0, 1),
		compare(ir.GT, x, y, 0, 0, 1, 0, 0), compare(ir.GE, x, y, 0, 1, 1, 0, 1),
		compare(ir.EQ, i, j, 0, 1, 0), compare(ir.LT, i, j, 1, 0, 0), compare(ir.GE, i, j, 0, 1, 1),
		compare(ir.LT, u, w, 0, 0, 1), compare(ir.GT, u, w, 1, 0, 0),
	}
}

func selectCases() []Case {
	sel := func(b *ir.Builder, in []*ir.Value) []*ir.Value {
		return []*ir.Value{b.Select(in[0], in[1], in[2])}
	}
	clamp := func(b *ir.Builder, in []*ir.Value) []*ir.Value {
		return []*ir.Value{b.Clamp(in[0], in[1], in[2])}
	}
	return []Case{
		{Name: "select", Args: []Tensor{vec(ir.I1, 1, 0, 1), vec(ir.F32, 1, 2, 3), vec(ir.F32, -1, nan, -3)},
			Build: sel, Want: []Tensor{vec(ir.F32, 1, nan, 3)}},
		{Name: "select_scalar", Args: []Tensor{scalar(ir.I1, 0), vec(ir.I32, 1, 2), vec(ir.I32, 3, 4)},
			Build: sel, Want: []Tensor{vec(ir.I32, 3, 4)}},
		{Name: "select_bf16", Args: []Tensor{vec(ir.I1, 0, 1), vec(ir.BF16, 1, 2), vec(ir.BF16, 3, 4)},
			Build: sel, Want: []Tensor{vec(ir.BF16, 3, 2)}},
		{Name: "clamp", Args: []Tensor{vec(ir.F32, 0, 0, 0), vec(ir.F32, -1, 0.5, 9), vec(ir.F32, 1, 1, 1)},
			Build: clamp, Want: []Tensor{vec(ir.F32, 0, 0.5, 1)}},
		{Name: "clamp_scalar", Args: []Tensor{scalar(ir.I32, -1), vec(ir.I32, -5, 0, 5), scalar(ir.I32, 3)},
			Build: clamp, Want: []Tensor{vec(ir.I32, -1, 0, 3)}},
	}
}

func convert(x Tensor, want Tensor) Case {
	return Case{
		Name: fmt.Sprintf("convert_%v_%v", x.Type.DType(), want.Type.DType()),
		Args: []Tensor{x},
		Build: func(b *ir.Builder, in []*ir.Value) []*ir.Value {
			return []*ir.Value{b.Apply(ir.Convert{To: want.Type.DType()}, in[0])}
		},
		Want: []Tensor{want},
	}
}

func convertCases() []Case {
	bitcast := func(x, want Tensor) Case {
		c := convert(x, want)
		c.Name = fmt.Sprintf("bitcast_%v_%v", x.Type.DType(), want.Type.DType())
		c.Build = func(b *ir.Builder, in []*ir.Value) []*ir.Value {
			return []*ir.Value{b.Bitcast(in[0], want.Type.DType())}
		}
		return c
	}
	return []Case{
		// 1+2^-8 and 1+3*2^-8 lie halfway between two bfloat16: ties go to even.
		convert(f32(dims(5), 1, 1+1.0/256, 1+3.0/256, -3.140625, inf), vec(ir.BF16, 1, 1, 1+1.0/64, -3.140625, inf)),
		convert(vec(ir.BF16, 1, -3.140625, inf, nan, math.Ldexp(3, -120)), vec(ir.F32, 1, -3.140625, inf, nan, math.Ldexp(3, -120))),
		convert(f32(dims(6), 1, 1+1.0/2048, 1+3.0/2048, 65504, 65520, -0.099975586), vec(ir.F16, 1, 1, 1+1.0/512, 65504, inf, -0.0999755859375)),
		convert(vec(ir.F16, 1, 0.0999755859375, -inf, math.Ldexp(1, -24), math.Ldexp(3, -16)), vec(ir.F32, 1, 0.0999755859375, -inf, math.Ldexp(1, -24), math.Ldexp(3, -16))),
		convert(vec(ir.F32, 1.9, -1.9, 0, 1e6), vec(ir.I32, 1, -1, 0, 1e6)),
		convert(vec(ir.F32, 1e10, -1e10, nan), vec(ir.I32, math.MaxInt32, math.MinInt32, 0)).notCompiled("out of range is undefined"),
		convert(vec(ir.F32, 1.9, 200.5, 0), vec(ir.U8, 1, 200, 0)),
		convert(vec(ir.F32, -3.7, 100), vec(ir.I8, -3, 100)),
		convert(vec(ir.I32, 1, -1, 1<<24+1), vec(ir.F32, 1, -1, 1<<24)),
		convert(vec(ir.U8, 0, 200, 255), vec(ir.F32, 0, 200, 255)),
		convert(vec(ir.U8, 0, 200, 255), vec(ir.I32, 0, 200, 255)),
		convert(vec(ir.U8, 0, 200), vec(ir.I8, 0, -56)),
		convert(vec(ir.I8, -3, 100), vec(ir.F32, -3, 100)),
		convert(vec(ir.I8, -3, 100), vec(ir.I32, -3, 100)),
		convert(vec(ir.I32, 300, -1), vec(ir.U8, 44, 255)),
		convert(vec(ir.I32, 300, -1), vec(ir.I8, 44, -1)),
		convert(vec(ir.I32, -5), vec(ir.I64, -5)),
		convert(vec(ir.I64, 1<<32+7), vec(ir.I32, 7)),
		convert(vec(ir.I1, 0, 1), vec(ir.F32, 0, 1)),
		convert(vec(ir.I1, 0, 1), vec(ir.I32, 0, 1)),
		convert(vec(ir.I1, 0, 1), vec(ir.I8, 0, 1)),
		convert(vec(ir.F32, 0, negZero, 0.5, nan), vec(ir.I1, 0, 0, 1, 1)),
		convert(vec(ir.I32, 0, 256), vec(ir.I1, 0, 1)),
		convert(f32(dims(1), 0.1), vec(ir.F64, float64(float32(0.1)))),
		convert(vec(ir.F64, 0.1), f32(dims(1), 0.1)),
		bitcast(vec(ir.F32, 1, -2), vec(ir.I32, 0x3f800000, -0x40000000)),
		bitcast(vec(ir.I32, 0x3f800000), vec(ir.F32, 1)),
		bitcast(vec(ir.U8, 1, 255), vec(ir.I8, 1, -1)),
		bitcast(vec(ir.I8, 1, -1), vec(ir.U8, 1, 255)),
	}
}
