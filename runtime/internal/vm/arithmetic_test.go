package vm

import (
	"math"
	"strings"
	"testing"
)

// TestArithmetic has the cases that are easy to get wrong, for every
// instruction on plain registers. Operands and results are given as Go numbers
// and taken as what the instruction's fields say.
func TestArithmetic(t *testing.T) {
	const (
		min32, max32 = math.MinInt32, math.MaxInt32
		min64, max64 = math.MinInt64, math.MaxInt64
	)
	nan, inf, negZero := math.NaN(), math.Inf(1), math.Copysign(0, -1)
	type c = []any // operands, then the result
	cases := map[string][]c{
		"add.i32": {{max32, 1, min32}}, "sub.i32": {{min32, 1, max32}}, "mul.i32": {{1 << 20, 1 << 20, 0}, {-3, 7, -21}},
		"add.i64": {{max64, 1, min64}, {1<<32 - 1, 1, 1 << 32}}, "sub.i64": {{min64, 1, max64}, {1 << 32, 1, 1<<32 - 1}},
		"mul.i64": {{1 << 40, 1 << 30, 0}, {-3, 1 << 33, -3 << 33}},
		"fma.i32": {{1 << 16, 1 << 16, 7, 7}, {-2, 3, 1, -5}}, "fma.i64": {{1 << 32, 1 << 31, 1, min64 + 1}},
		"div.i32.s": {{-7, 2, -3}}, "div.i32.u": {{-2, 2, max32}}, "rem.i32.s": {{-7, 2, -1}, {7, -2, 1}}, "rem.i32.u": {{-1, 16, 15}},
		"div.i64.s": {{-7, 2, -3}}, "div.i64.u": {{-2, 2, max64}}, "rem.i64.s": {{-7, 2, -1}}, "rem.i64.u": {{-1, 1 << 32, 1<<32 - 1}},
		"not.i32": {{0, -1}}, "and.i32": {{-1, 12, 12}}, "or.i32": {{5, 10, 15}}, "xor.i32": {{-1, 5, -6}},
		"not.i64": {{1 << 40, ^(1 << 40)}}, "and.i64": {{-1, 1 << 40, 1 << 40}}, "or.i64": {{1 << 40, 1, 1<<40 | 1}}, "xor.i64": {{-1, 1, -2}},
		"shl.i32":   {{1, 31, min32}, {1, 32, 1}, {1, 33, 2}, {1, -1, min32}},
		"shr.i32.s": {{min32, 31, -1}, {-8, 33, -4}, {-8, 32, -8}}, "shr.i32.u": {{-1, 31, 1}, {-1, 32, -1}},
		"shl.i64":   {{1, 63, min64}, {1, 64, 1}, {3, 32, 3 << 32}, {1, -1, min64}},
		"shr.i64.s": {{min64, 63, -1}, {-8, 65, -4}}, "shr.i64.u": {{-1, 63, 1}, {-1, 64, -1}},
		"trunc.i32.i8": {{-1, 255}, {0x180, 0x80}}, "trunc.i32.i16": {{-1, 65535}}, "trunc.i64.i32": {{1<<40 - 1, -1}},
		"ext.i8.i32.s": {{0x180, -128}}, "ext.i8.i32.u": {{-1, 255}}, "ext.i16.i32.s": {{0x18000, -32768}}, "ext.i16.i32.u": {{-1, 65535}},
		"ext.i32.i64.s": {{-1, -1}, {max32, max32}}, "ext.i32.i64.u": {{-1, 1<<32 - 1}},
		"cmp.eq.i32": {{1, 1, 1}, {1, 2, 0}}, "cmp.ne.i32": {{1, 1, 0}}, "cmp.lt.i32.s": {{-1, 0, 1}, {0, 0, 0}}, "cmp.lt.i32.u": {{-1, 0, 0}, {0, -1, 1}},
		"cmp.nz.i32": {{0, 0}, {min32, 1}},
		"cmp.eq.i64": {{1 << 40, 1 << 40, 1}, {1 << 40, 0, 0}}, "cmp.ne.i64": {{1 << 40, 0, 1}}, "cmp.lt.i64.s": {{-1, 0, 1}}, "cmp.lt.i64.u": {{-1, 0, 0}},
		"cmp.nz.i64": {{1 << 40, 1}, {0, 0}},
		"ctlz.i32":   {{0, 32}, {1, 31}, {-1, 0}}, "ctlz.i64": {{0, 64}, {1 << 32, 31}, {-1, 0}},
		"abs.i32": {{-5, 5}, {min32, min32}, {0, 0}}, "abs.i64": {{-5, 5}, {min64, min64}},
		"min.i32.s": {{-1, 1, -1}}, "min.i32.u": {{-1, 1, 1}}, "max.i32.s": {{-1, 1, 1}}, "max.i32.u": {{-1, 1, -1}},
		"min.i64.s": {{-1, 1, -1}}, "min.i64.u": {{-1, 1, 1}}, "max.i64.s": {{-1, 1, 1}}, "max.i64.u": {{-1, 1, -1}},
		"select.i32": {{1, 5, 6, 5}, {0, 5, 6, 6}, {-1, 5, 6, 5}}, "select.i64": {{1, 1 << 40, 6, 1 << 40}, {0, 1 << 40, 6, 6}},

		"trunc.f64.f32": {{0.1, float64(float32(0.1))}, {1e300, inf}}, "ext.f32.f64": {{0.1, float64(float32(0.1))}, {-inf, -inf}},
		"bitcast.i32.f32": {{0x3f800000, 1.0}}, "bitcast.f32.i32": {{negZero, min32}},
		"bitcast.i64.f64": {{0x3ff0000000000000, 1.0}}, "bitcast.f64.i64": {{negZero, min64}},
	}
	// These hold for both widths.
	for _, w := range []string{"f32", "f64"} {
		for op, rows := range map[string][]c{
			"add.": {{inf, -inf, nan}, {1.5, 2.25, 3.75}}, "sub.": {{1.5, 2.25, -0.75}}, "mul.": {{0.0, inf, nan}, {-1.5, 2.0, -3.0}},
			"div.": {{1.0, 0.0, inf}, {-1.0, 0.0, -inf}, {0.0, 0.0, nan}}, "fma.": {{2.0, 3.0, 1.0, 7.0}},
			"rem.": {{5.0, 3.0, -1.0}, {5.0, 0.0, nan}, {2.5, 1.0, 0.5}}, // to the nearest quotient
			"abs.": {{negZero, 0.0}, {-inf, inf}}, "neg.": {{0.0, negZero}, {1.5, -1.5}},
			"ceil.": {{1.25, 2.0}, {-0.5, negZero}}, "floor.": {{-1.25, -2.0}, {0.5, 0.0}},
			"round.": {{0.5, 1.0}, {-2.5, -3.0}, {2.5, 3.0}}, "round.*.even": {{0.5, 0.0}, {1.5, 2.0}, {2.5, 2.0}, {-2.5, -2.0}},
			"min.":  {{nan, 1.0, nan}, {1.0, nan, 1.0}, {-1.0, 1.0, -1.0}, {0.0, negZero, 0.0}},
			"max.":  {{nan, 1.0, nan}, {1.0, nan, 1.0}, {-1.0, 1.0, 1.0}, {negZero, 0.0, negZero}},
			"atan.": {{0.0, 0.0}, {inf, math.Pi / 2}}, "atan2.": {{1.0, 0.0, math.Pi / 2}, {0.0, -1.0, math.Pi}},
			"cos.": {{0.0, 1.0}, {inf, nan}}, "sin.": {{0.0, 0.0}, {inf, nan}},
			"exp.": {{0.0, 1.0}, {-inf, 0.0}}, "exp2.": {{10.0, 1024.0}}, "expm1.": {{0.0, 0.0}, {-inf, -1.0}},
			"log.": {{1.0, 0.0}, {0.0, -inf}, {-1.0, nan}}, "log10.": {{1000.0, 3.0}}, "log1p.": {{0.0, 0.0}}, "log2.": {{8.0, 3.0}},
			"pow.": {{2.0, 10.0, 1024.0}, {-8.0, 0.5, nan}, {0.0, 0.0, 1.0}}, "rsqrt.": {{4.0, 0.5}, {0.0, inf}}, "sqrt.": {{9.0, 3.0}, {-1.0, nan}},
			"tanh.": {{0.0, 0.0}, {inf, 1.0}}, "erf.": {{0.0, 0.0}, {inf, 1.0}},
			"cmp.eq.*.o": {{1.0, 1.0, 1}, {nan, nan, 0}, {0.0, negZero, 1}}, "cmp.eq.*.u": {{nan, 1.0, 1}, {1.0, 2.0, 0}},
			"cmp.ne.*.o": {{1.0, 2.0, 1}, {nan, 1.0, 1}}, "cmp.ne.*.u": {{nan, 1.0, 1}, {1.0, 1.0, 0}},
			"cmp.lt.*.o": {{1.0, 2.0, 1}, {nan, 1.0, 0}, {1.0, 1.0, 0}}, "cmp.lt.*.u": {{1.0, nan, 1}, {2.0, 1.0, 0}},
			"cmp.lte.*.o": {{1.0, 1.0, 1}, {nan, 1.0, 0}}, "cmp.lte.*.u": {{1.0, nan, 1}, {2.0, 1.0, 0}}, "cmp.nan.": {{nan, 1}, {inf, 0}},
			"select.":    {{1, 1.5, 2.5, 1.5}, {0, 1.5, 2.5, 2.5}},
			"cast.si32.": {{-3, -3.0}, {min32, -2147483648.0}}, "cast.ui32.": {{-1, float64(map[string]float64{"f32": 1 << 32, "f64": 1<<32 - 1}[w])}},
			"cast.si64.": {{-3, -3.0}, {min64, float64(min64)}}, "cast.ui64.": {{-1, float64(1 << 63 * 2)}},
			// To the nearest, halves away from zero; out of range as on x86-64.
			"cast.*.si32": {{2.5, 3}, {-2.5, -3}, {3e9, -1294967296}, {1e30, 0}, {nan, 0}}, "cast.*.ui32": {{3e9, -1294967296}, {-1.0, -1}},
			"cast.*.si64": {{-2.5, -3}, {inf, min64}, {nan, min64}, {1e10, 10000000000}}, "cast.*.ui64": {{-1.0, -1}, {nan, min64}, {1e30, min64}},
		} {
			name := strings.ReplaceAll(op, "*", w)
			if name == op {
				name += w
			}
			cases[name] = rows
		}
	}
	cases["cast.f32.ui64"] = append(cases["cast.f32.ui64"], c{float64(1 << 63), min64}, c{float64(3 << 62), -1 << 62})

	for i, op := range opTable {
		if isPure(op) {
			if len(cases[op.name]) == 0 {
				t.Errorf("no case for %s", op.name)
			}
			for _, row := range cases[op.name] {
				checkRow(t, opcode(i), row)
			}
			delete(cases, op.name)
		}
	}
	for name := range cases {
		t.Errorf("cases for %s, which is no such instruction", name)
	}
}

func checkRow(t *testing.T, op opcode, row []any) {
	t.Helper()
	fields := opTable[op].fields
	if len(row) != len(fields) {
		t.Errorf("%s: %v", opTable[op].name, row)
		return
	}
	var args, rs []any
	var vals []Value
	for i, v := range row {
		var x Value
		switch n, _ := v.(int); fields[i] {
		case 'i':
			x = I32Value(int32(n))
		case 'I':
			x = I64Value(int64(n))
		case 'f':
			x = F32Value(float32(v.(float64)))
		case 'F':
			x = F64Value(v.(float64))
		}
		vals = append(vals, x)
		rs = append(rs, 2*i)
	}
	args = rs
	n := len(row) - 1
	// The arguments are at 0, 2, ..: a pad follows those of one register.
	cconv := "0"
	var padded []Value
	for i := range n {
		cconv += fields[i : i+1]
		padded = append(padded, vals[i])
		if fields[i] == 'i' || fields[i] == 'f' {
			cconv += "i"
			padded = append(padded, I32Value(-1))
		}
	}
	in := single(t, cconv+"_"+fields[n:], 10, 0, newAsm().block("a").op(opTable[op].name, args...).op("return", regs{2 * n}))
	got, want := invoke(t, in, "f", padded...)[0], vals[n]
	if got != want && !(got.Kind() == KindF32 && got.F32() != got.F32() && want.F32() != want.F32()) &&
		!(got.Kind() == KindF64 && got.F64() != got.F64() && want.F64() != want.F64()) {
		t.Errorf("%s %v: got %s", opTable[op].name, row, show(fields[n], got))
	}
}
