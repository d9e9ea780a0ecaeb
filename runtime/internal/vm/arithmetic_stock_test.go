package vm

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestArithmeticLikeStock runs every instruction whose operands are plain
// registers on edge cases, here and in the stock runtime.
func TestArithmeticLikeStock(t *testing.T) {
	var rows []row
	for op := range opTable {
		if isPure(opTable[op]) {
			rows = append(rows, rowsOf(opcode(op))...)
		}
	}
	if len(rows) < 10000 {
		t.Fatalf("only %d rows", len(rows))
	}
	// Arguments and results of a call are limited to 16 KiB in the stock runtime.
	const perFunction = 1500
	var src strings.Builder
	src.WriteString("vm.module @arithmetic version 0\nvm.type i32\n")
	n := 0
	for at := 0; at < len(rows); at += perFunction {
		writeFunction(&src, fmt.Sprintf("f%d", n), rows[at:min(at+perFunction, len(rows))])
		n++
	}
	file := stockAssemble(t, src.String())
	in := load(t, file)
	bad := 0
	for k := range n {
		part := rows[k*perFunction : min((k+1)*perFunction, len(rows))]
		want := stockRun(t, file, fmt.Sprintf("f%d", k))
		got := invoke(t, in, fmt.Sprintf("f%d", k))
		if len(want) != len(part) || len(got) != len(part) {
			t.Fatalf("f%d: %d rows, stock gives %d results, we give %d", k, len(part), len(want), len(got))
		}
		for i, r := range part {
			if !r.same(got[i], want[i]) {
				if bad++; bad < 50 {
					t.Errorf("%s: got %s, stock %s", r, show(r.result(), got[i]), show(r.result(), want[i]))
				}
			}
		}
	}
	t.Logf("%d rows, %d differ", len(rows), bad)
}

// isPure reports whether an instruction has registers of plain values only, the
// last of them its result, and no other effect.
func isPure(op opInfo) bool {
	return len(op.fields) >= 2 && strings.Trim(op.fields, "iIfF") == "" && !strings.HasPrefix(op.name, "global.")
}

var edges32 = []uint32{0, 1, 2, 3, 31, 32, 33, 7, 0x7f, 0x80, 0xff, 0x8000, 0xffff, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 12345678}

var edges64 = []uint64{0, 1, 2, 3, 7, 63, 64, 65, 0x80, 0x7fffffff, 0x80000000, 0xffffffff, 0x100000000, 0x123456789abcdef0,
	1<<63 - 1, 1 << 63, 1<<63 + 1, math.MaxUint64 - 1, math.MaxUint64}

var edgesFloat = []float64{0, math.Copysign(0, -1), 1, -1, 0.5, -0.5, 1.5, 2.5, -2.5, 0.1, 3.14159, -7.25, 1e-3, 100.7, 16777217,
	1 << 31, -(1 << 31), 1<<32 + 512, 1 << 62, 1 << 63, -(1 << 63), 1.5 * (1 << 63), 1 << 64, 1e30, -1e30, 1e-42, math.Inf(1), math.Inf(-1), math.NaN()}

// row is one instruction with its operands, as bits.
type row struct {
	op  opcode
	arg []uint64
}

func (r row) fields() string { return opTable[r.op].fields }
func (r row) result() byte   { return r.fields()[len(r.fields())-1] }

func (r row) String() string {
	s := opTable[r.op].name
	for i, a := range r.arg {
		s += " " + show(r.fields()[i], Value{bits: a})
	}
	return s
}

func show(kind byte, v Value) string {
	switch kind {
	case 'i':
		return fmt.Sprint(v.I32())
	case 'I':
		return fmt.Sprint(v.I64())
	case 'f':
		return fmt.Sprintf("%v (%#x)", v.F32(), uint32(v.bits))
	}
	return fmt.Sprintf("%v (%#x)", v.F64(), v.bits)
}

// operands are every nth edge case of a kind.
func operands(kind byte, nth int) []uint64 {
	var l []uint64
	switch kind {
	case 'i':
		for _, v := range edges32 {
			l = append(l, uint64(v))
		}
	case 'I':
		l = append(l, edges64...)
	case 'f':
		for _, v := range edgesFloat {
			l = append(l, uint64(math.Float32bits(float32(v))))
		}
	case 'F':
		for _, v := range edgesFloat {
			l = append(l, math.Float64bits(v))
		}
	}
	var some []uint64
	for i := 0; i < len(l); i += nth {
		some = append(some, l[i])
	}
	return some
}

func rowsOf(op opcode) []row {
	in := opTable[op].fields
	in = in[:len(in)-1]
	rows := []row{{op: op}}
	for i := range in {
		var next []row
		for _, r := range rows {
			for _, v := range operands(in[i], len(in)) {
				next = append(next, row{op, append(append([]uint64(nil), r.arg...), v)})
			}
		}
		rows = next
	}
	var kept []row
	for _, r := range rows {
		if !crashes(r) {
			kept = append(kept, r)
		}
	}
	return kept
}

// crashes reports divisions that kill the stock runtime.
func crashes(r row) bool {
	switch r.op {
	case opDivI32S, opRemI32S:
		return r.arg[1] == 0 || r.arg[0] == 1<<31 && uint32(r.arg[1]) == math.MaxUint32
	case opDivI64S, opRemI64S:
		return r.arg[1] == 0 || r.arg[0] == 1<<63 && r.arg[1] == math.MaxUint64
	case opDivI32U, opRemI32U, opDivI64U, opRemI64U:
		return r.arg[1] == 0
	}
	return false
}

// writeFunction writes a function that returns the results of rows, floats as bits.
func writeFunction(b *strings.Builder, name string, rows []row) {
	reg := 0
	alloc := func(kind byte) string {
		if kind == 'i' || kind == 'f' {
			reg++
			return fmt.Sprintf("%%i%d", reg-1)
		}
		reg = (reg+1)&^1 + 2
		return fmt.Sprintf("%%i%d:%d", reg-2, reg-1)
	}
	var types, results []string
	var body strings.Builder
	for _, r := range rows {
		start := reg
		var args []string
		for i, a := range r.arg {
			x := alloc(r.fields()[i])
			switch r.fields()[i] {
			case 'i', 'f':
				fmt.Fprintf(&body, "  %s = vm.const.i32 %d\n", x, int32(a))
			default:
				fmt.Fprintf(&body, "  %s = vm.const.i64 %d\n", x, int64(a))
			}
			args = append(args, x)
		}
		reg = start // the result may overwrite the operands
		dst := alloc(r.result())
		list := strings.Join(args, ", ")
		if strings.HasPrefix(opTable[r.op].name, "select.") {
			list = fmt.Sprintf("%s ? %s : %s", args[0], args[1], args[2])
		}
		fmt.Fprintf(&body, "  %s = vm.%s %s\n", dst, opTable[r.op].name, list)
		results = append(results, dst)
		types = append(types, map[byte]string{'i': "i32", 'I': "i64", 'f': "i32", 'F': "i64"}[r.result()])
	}
	fmt.Fprintf(b, "\nvm.export @%s\nvm.func @%s() -> (%s) {\n^bb0:\n%s  vm.return %s\n}\n",
		name, name, strings.Join(types, ", "), body.String(), strings.Join(results, ", "))
}

// ulps is how far an inexact function may be from the stock runtime's C library.
// Go's math package is less exact for powers and for sines of huge numbers.
var ulps = map[string]uint64{
	"atan.f32": 1, "atan2.f32": 1, "cos.f32": 1, "sin.f32": 1, "exp.f32": 1, "exp2.f32": 1, "expm1.f32": 1,
	"log.f32": 1, "log10.f32": 1, "log1p.f32": 1, "log2.f32": 1, "pow.f32": 1, "rsqrt.f32": 1, "tanh.f32": 1, "erf.f32": 1,
	"atan.f64": 1, "atan2.f64": 1, "cos.f64": 64, "sin.f64": 64, "exp.f64": 1, "exp2.f64": 1, "expm1.f64": 1,
	"log.f64": 1, "log10.f64": 2, "log1p.f64": 1, "log2.f64": 1, "pow.f64": 64, "rsqrt.f64": 1, "tanh.f64": 2, "erf.f64": 1,
}

func (r row) same(a, b Value) bool {
	if a.bits == b.bits {
		return true
	}
	tolerance := ulps[opTable[r.op].name]
	if r.op == opF32RoundF32Even && a.F32() == b.F32() || r.op == opF64RoundF64Even && a.F64() == b.F64() {
		return true // stock gives 0 for -0.5, where IEEE 754 has -0
	}
	switch r.result() {
	case 'f':
		x, y := a.F32(), b.F32()
		return x != x && y != y || tolerance > 0 && distance(uint64(int64(int32(a.bits))), uint64(int64(int32(b.bits)))) <= tolerance
	case 'F':
		x, y := a.F64(), b.F64()
		return x != x && y != y || tolerance > 0 && distance(a.bits, b.bits) <= tolerance
	}
	return false
}

// distance is the number of floats between two of the same sign.
func distance(a, b uint64) uint64 {
	if a > b {
		return a - b
	}
	return b - a
}
