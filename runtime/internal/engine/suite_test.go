package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/cpu"

	"github.com/hlocc/hlocc/runtime/internal/hal"
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

// testCase is one function that is compared with the stock runtime.
type testCase struct {
	name    string
	args    string // types, comma separated; an argument "int32 7" is a scalar
	results string
	text    string // the function's parameters, results and body
	inPlace [2]int // an argument, and one more than the result that is in its place; none if zero
}

var suite = []testCase{
	{
		name: "add", args: "4x8xf32, 4x8xf32", results: "4x8xf32",
		text: `(%a: tensor<4x8xf32>, %b: tensor<4x8xf32>) -> tensor<4x8xf32> {
			%0 = stablehlo.add %a, %b : tensor<4x8xf32>
			return %0 : tensor<4x8xf32>`,
	}, {
		name: "scalar_tensor", args: "f32", results: "f32",
		text: `(%a: tensor<f32>) -> tensor<f32> {
			%0 = stablehlo.exponential %a : tensor<f32>
			return %0 : tensor<f32>`,
	}, {
		name: "matmul", args: "96x160xf32, 160x200xf32", results: "96x200xf32",
		text: `(%a: tensor<96x160xf32>, %b: tensor<160x200xf32>) -> tensor<96x200xf32> {
			%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<96x160xf32>, tensor<160x200xf32>) -> tensor<96x200xf32>
			return %0 : tensor<96x200xf32>`,
	}, {
		name: "matvec_transposed", args: "1x320xf32, 1000x320xf32", results: "1x1000xf32",
		text: `(%a: tensor<1x320xf32>, %b: tensor<1000x320xf32>) -> tensor<1x1000xf32> {
			%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [1] : (tensor<1x320xf32>, tensor<1000x320xf32>) -> tensor<1x1000xf32>
			return %0 : tensor<1x1000xf32>`,
	}, {
		name: "batched_matmul", args: "3x17x40xf32, 3x40x25xf32", results: "3x17x25xf32",
		text: `(%a: tensor<3x17x40xf32>, %b: tensor<3x40x25xf32>) -> tensor<3x17x25xf32> {
			%0 = stablehlo.dot_general %a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<3x17x40xf32>, tensor<3x40x25xf32>) -> tensor<3x17x25xf32>
			return %0 : tensor<3x17x25xf32>`,
	}, {
		name: "reduce", args: "300x77xf32", results: "77xf32, 300xf32",
		text: `(%a: tensor<300x77xf32>) -> (tensor<77xf32>, tensor<300xf32>) {
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%m = stablehlo.constant dense<0xFF800000> : tensor<f32>
			%0 = stablehlo.reduce(%a init: %z) applies stablehlo.add across dimensions = [0] : (tensor<300x77xf32>, tensor<f32>) -> tensor<77xf32>
			%1 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<300x77xf32>, tensor<f32>) -> tensor<300xf32>
			return %0, %1 : tensor<77xf32>, tensor<300xf32>`,
	}, {
		name: "softmax", args: "12x129xf32", results: "12x129xf32",
		text: `(%a: tensor<12x129xf32>) -> tensor<12x129xf32> {
			%m = stablehlo.constant dense<0xFF800000> : tensor<f32>
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%0 = stablehlo.reduce(%a init: %m) applies stablehlo.maximum across dimensions = [1] : (tensor<12x129xf32>, tensor<f32>) -> tensor<12xf32>
			%1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<12xf32>) -> tensor<12x129xf32>
			%2 = stablehlo.subtract %a, %1 : tensor<12x129xf32>
			%3 = stablehlo.exponential %2 : tensor<12x129xf32>
			%4 = stablehlo.reduce(%3 init: %z) applies stablehlo.add across dimensions = [1] : (tensor<12x129xf32>, tensor<f32>) -> tensor<12xf32>
			%5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<12xf32>) -> tensor<12x129xf32>
			%6 = stablehlo.divide %3, %5 : tensor<12x129xf32>
			return %6 : tensor<12x129xf32>`,
	}, {
		name: "transcendental", args: "500xf32", results: "500xf32, 500xf32, 500xf32, 500xf32",
		text: `(%a: tensor<500xf32>) -> (tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>) {
			%0 = stablehlo.tanh %a : tensor<500xf32>
			%1 = stablehlo.cosine %a : tensor<500xf32>
			%2 = stablehlo.logistic %a : tensor<500xf32>
			%3 = stablehlo.abs %a : tensor<500xf32>
			%4 = stablehlo.power %3, %a : tensor<500xf32>
			return %0, %1, %2, %4 : tensor<500xf32>, tensor<500xf32>, tensor<500xf32>, tensor<500xf32>`,
	}, {
		name: "update_slice", args: "64x16xf32, 1x16xf32, index 63", results: "64x16xf32", inPlace: [2]int{0, 1},
		text: `(%a: tensor<64x16xf32> {tf.aliasing_output = 0 : i32}, %b: tensor<1x16xf32>, %i: tensor<i32>) -> tensor<64x16xf32> {
			%z = stablehlo.constant dense<0> : tensor<i32>
			%0 = stablehlo.dynamic_update_slice %a, %b, %i, %z : (tensor<64x16xf32>, tensor<1x16xf32>, tensor<i32>, tensor<i32>) -> tensor<64x16xf32>
			return %0 : tensor<64x16xf32>`,
	}, {
		name: "scatter", args: "64x3x16xf32, 2x3x16xf32, 2x1xindex 63", results: "f32, 64x3x16xf32", inPlace: [2]int{0, 2},
		text: `(%a: tensor<64x3x16xf32> {tf.aliasing_output = 1 : i32}, %b: tensor<2x3x16xf32>, %i: tensor<2x1xi32>) -> (tensor<f32>, tensor<64x3x16xf32>) {
			%0 = "stablehlo.scatter"(%a, %i, %b) <{unique_indices = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1, 2], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
			^bb0(%p: tensor<f32>, %q: tensor<f32>):
			  stablehlo.return %q : tensor<f32>
			}) : (tensor<64x3x16xf32>, tensor<2x1xi32>, tensor<2x3x16xf32>) -> tensor<64x3x16xf32>
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%s = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0, 1, 2] : (tensor<64x3x16xf32>, tensor<f32>) -> tensor<f32>
			return %s, %0 : tensor<f32>, tensor<64x3x16xf32>`,
	}, {
		name: "gather", args: "50x24xf32, 7xindex 50", results: "7x24xf32",
		text: `(%a: tensor<50x24xf32>, %i: tensor<7xi32>) -> tensor<7x24xf32> {
			%0 = stablehlo.reshape %i : (tensor<7xi32>) -> tensor<7x1xi32>
			%1 = "stablehlo.gather"(%a, %0) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 24>, indices_are_sorted = false} : (tensor<50x24xf32>, tensor<7x1xi32>) -> tensor<7x24xf32>
			return %1 : tensor<7x24xf32>`,
	}, {
		name: "argmax", args: "999xf32", results: "i32",
		text: `(%a: tensor<999xf32>) -> tensor<i32> {
			%io = stablehlo.iota dim = 0 : tensor<999xi32>
			%m = stablehlo.constant dense<0xFF800000> : tensor<f32>
			%z = stablehlo.constant dense<0> : tensor<i32>
			%r:2 = stablehlo.reduce(%a init: %m), (%io init: %z) across dimensions = [0] : (tensor<999xf32>, tensor<999xi32>, tensor<f32>, tensor<i32>) -> (tensor<f32>, tensor<i32>)
			 reducer(%a0: tensor<f32>, %a1: tensor<f32>) (%b0: tensor<i32>, %b1: tensor<i32>) {
			  %p = stablehlo.compare GE, %a0, %a1 : (tensor<f32>, tensor<f32>) -> tensor<i1>
			  %q = stablehlo.select %p, %a0, %a1 : tensor<i1>, tensor<f32>
			  %s = stablehlo.select %p, %b0, %b1 : tensor<i1>, tensor<i32>
			  stablehlo.return %q, %s : tensor<f32>, tensor<i32>
			}
			return %r#1 : tensor<i32>`,
	}, {
		name: "loop", args: "33xf32, index 20", results: "33xf32, i32",
		text: `(%a: tensor<33xf32>, %n: tensor<i32>) -> (tensor<33xf32>, tensor<i32>) {
			%z = stablehlo.constant dense<0> : tensor<i32>
			%one = stablehlo.constant dense<1> : tensor<i32>
			%f = stablehlo.constant dense<0.9> : tensor<33xf32>
			%r:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<33xf32>
			 cond {
			  %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
			  stablehlo.return %c : tensor<i1>
			} do {
			  %j = stablehlo.add %i, %one : tensor<i32>
			  %y = stablehlo.multiply %x, %f : tensor<33xf32>
			  %w = stablehlo.sine %y : tensor<33xf32>
			  stablehlo.return %j, %w : tensor<i32>, tensor<33xf32>
			}
			return %r#1, %r#0 : tensor<33xf32>, tensor<i32>`,
	}, {
		name: "sort", args: "5x40xf32", results: "5x40xf32", inPlace: [2]int{0, 1}, // unasked: the argument is not used again
		text: `(%a: tensor<5x40xf32>) -> tensor<5x40xf32> {
			%0 = "stablehlo.sort"(%a) <{dimension = 1 : i64, is_stable = true}> ({
			^bb0(%p: tensor<f32>, %q: tensor<f32>):
			  %c = stablehlo.compare LT, %p, %q : (tensor<f32>, tensor<f32>) -> tensor<i1>
			  stablehlo.return %c : tensor<i1>
			}) : (tensor<5x40xf32>) -> tensor<5x40xf32>
			return %0 : tensor<5x40xf32>`,
	}, {
		name: "dynamic_shape", args: "13x8xf32, 13x8xf32", results: "13x8xf32, 8xf32",
		text: `(%a: tensor<?x8xf32>, %b: tensor<?x8xf32>) -> (tensor<?x8xf32>, tensor<8xf32>) {
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%0 = stablehlo.multiply %a, %b : tensor<?x8xf32>
			%1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<?x8xf32>, tensor<f32>) -> tensor<8xf32>
			return %0, %1 : tensor<?x8xf32>, tensor<8xf32>`,
	}, {
		name: "half", args: "20x30xf16, 30x10xf16", results: "20x10xf16, 20x30xf32",
		text: `(%a: tensor<20x30xf16>, %b: tensor<30x10xf16>) -> (tensor<20x10xf16>, tensor<20x30xf32>) {
			%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<20x30xf16>, tensor<30x10xf16>) -> tensor<20x10xf16>
			%1 = stablehlo.convert %a : (tensor<20x30xf16>) -> tensor<20x30xf32>
			return %0, %1 : tensor<20x10xf16>, tensor<20x30xf32>`,
	}, {
		name: "bfloat", args: "1x256xf32, 96x256xbf16", results: "1x96xf32, 96x256xbf16",
		text: `(%a: tensor<1x256xf32>, %b: tensor<96x256xbf16>) -> (tensor<1x96xf32>, tensor<96x256xbf16>) {
			%w = stablehlo.convert %b : (tensor<96x256xbf16>) -> tensor<96x256xf32>
			%0 = stablehlo.dot_general %a, %w, contracting_dims = [1] x [1] : (tensor<1x256xf32>, tensor<96x256xf32>) -> tensor<1x96xf32>
			%1 = stablehlo.multiply %b, %b : tensor<96x256xbf16>
			return %0, %1 : tensor<1x96xf32>, tensor<96x256xbf16>`,
	}, {
		name: "bytes", args: "16x64xi8, 64x32xi8", results: "16x32xi32, 16x64xi8",
		text: `(%a: tensor<16x64xi8>, %b: tensor<64x32xi8>) -> (tensor<16x32xi32>, tensor<16x64xi8>) {
			%0 = stablehlo.dot_general %a, %b, contracting_dims = [1] x [0] : (tensor<16x64xi8>, tensor<64x32xi8>) -> tensor<16x32xi32>
			%1 = stablehlo.add %a, %a : tensor<16x64xi8>
			return %0, %1 : tensor<16x32xi32>, tensor<16x64xi8>`,
	}, {
		name: "wide", args: "40xf64, 40xi64", results: "40xf64, 40xi64, 40xf64",
		text: `(%a: tensor<40xf64>, %b: tensor<40xi64>) -> (tensor<40xf64>, tensor<40xi64>, tensor<40xf64>) {
			%0 = stablehlo.exponential %a : tensor<40xf64>
			%1 = stablehlo.multiply %b, %b : tensor<40xi64>
			%2 = stablehlo.convert %b : (tensor<40xi64>) -> tensor<40xf64>
			return %0, %1, %2 : tensor<40xf64>, tensor<40xi64>, tensor<40xf64>`,
	}, {
		name: "compare", args: "77xf32, 77xf32", results: "77xbool8, 77xf32",
		text: `(%a: tensor<77xf32>, %b: tensor<77xf32>) -> (tensor<77xi1>, tensor<77xf32>) {
			%0 = stablehlo.compare LT, %a, %b : (tensor<77xf32>, tensor<77xf32>) -> tensor<77xi1>
			%1 = stablehlo.select %0, %a, %b : tensor<77xi1>, tensor<77xf32>
			return %0, %1 : tensor<77xi1>, tensor<77xf32>`,
	}, {
		name: "scalar_argument", args: "int32 5, 16xf32", results: "16xf32",
		text: `(%n: i32, %a: tensor<16xf32>) -> tensor<16xf32> {
			%t = tensor.from_elements %n : tensor<i32>
			%f = stablehlo.convert %t : (tensor<i32>) -> tensor<f32>
			%b = stablehlo.broadcast_in_dim %f, dims = [] : (tensor<f32>) -> tensor<16xf32>
			%0 = stablehlo.multiply %a, %b : tensor<16xf32>
			return %0 : tensor<16xf32>`,
	}, {
		name: "constants", args: "64xf32", results: "64xf32, 8x8xi32",
		text: `(%a: tensor<64xf32>) -> (tensor<64xf32>, tensor<8x8xi32>) {
			%c = stablehlo.constant dense<"0x` + strings.Repeat("0000803f0000004000004040cdcc4c3e", 16) + `"> : tensor<64xf32>
			%i = stablehlo.iota dim = 1 : tensor<8x8xi32>
			%0 = stablehlo.multiply %a, %c : tensor<64xf32>
			return %0, %i : tensor<64xf32>, tensor<8x8xi32>`,
	}, {
		name: "denormal", args: "64xdenormal", results: "64xf32, f32",
		text: `(%a: tensor<64xf32>) -> (tensor<64xf32>, tensor<f32>) {
			%z = stablehlo.constant dense<0.0> : tensor<f32>
			%h = stablehlo.constant dense<0.5> : tensor<64xf32>
			%0 = stablehlo.multiply %a, %h : tensor<64xf32>
			%1 = stablehlo.reduce(%0 init: %z) applies stablehlo.add across dimensions = [0] : (tensor<64xf32>, tensor<f32>) -> tensor<f32>
			return %0, %1 : tensor<64xf32>, tensor<f32>`,
	}, {
		name: "pad_concat", args: "4x5xf32, 4x6xf32", results: "6x11xf32",
		text: `(%a: tensor<4x5xf32>, %b: tensor<4x6xf32>) -> tensor<6x11xf32> {
			%z = stablehlo.constant dense<7.0> : tensor<f32>
			%0 = stablehlo.concatenate %a, %b, dim = 1 : (tensor<4x5xf32>, tensor<4x6xf32>) -> tensor<4x11xf32>
			%1 = stablehlo.pad %0, %z, low = [1, 0], high = [1, 0], interior = [0, 0] : (tensor<4x11xf32>, tensor<f32>) -> tensor<6x11xf32>
			return %1 : tensor<6x11xf32>`,
	},
}

// module is the functions of cases in one module.
func module(cases []testCase) string {
	var b strings.Builder
	b.WriteString("module @suite {\n")
	for _, c := range cases {
		fmt.Fprintf(&b, "func.func public @%s%s\n}\n", c.name, c.text)
	}
	return b.String() + "}\n"
}

var elements = map[string]hal.ElementType{
	"f32": hal.F32, "f16": hal.F16, "bf16": hal.BF16, "f64": hal.F64, "bool8": hal.Bool8,
	"i8": hal.I8, "i32": hal.I32, "i64": hal.I64, "index": hal.I32, "denormal": hal.F32,
}

// parseTensor reads a type such as 4x8xf32, or 7xindex 50 for integers below 50.
func parseTensor(t testing.TB, s string) (a *tensor, kind string, below int) {
	t.Helper()
	typ, limit, _ := strings.Cut(strings.TrimSpace(s), " ")
	if limit != "" {
		if _, err := fmt.Sscan(limit, &below); err != nil {
			t.Fatal(err)
		}
	}
	parts := strings.Split(typ, "x")
	if typ == "index" || strings.HasSuffix(typ, "xindex") { // ends in x
		parts = append(strings.Split(strings.TrimSuffix(strings.TrimSuffix(typ, "index"), "x"), "x"), "index")
		if parts[0] == "" {
			parts = parts[1:]
		}
	}
	a = &tensor{shape: []int{}}
	for _, p := range parts[:len(parts)-1] {
		var d int
		if _, err := fmt.Sscan(p, &d); err != nil {
			t.Fatalf("type %q: %v", s, err)
		}
		a.shape = append(a.shape, d)
	}
	kind = parts[len(parts)-1]
	var ok bool
	if a.element, ok = elements[kind]; !ok {
		t.Fatalf("type %q", s)
	}
	return a, kind, below
}

// inputs makes the arguments of a case: *tensor or int32.
func inputs(t testing.TB, types string, rng *rand.Rand) []any {
	t.Helper()
	var args []any
	for s := range strings.SplitSeq(types, ",") {
		if v, ok := strings.CutPrefix(strings.TrimSpace(s), "int32 "); ok {
			var n int32
			if _, err := fmt.Sscan(v, &n); err != nil {
				t.Fatal(err)
			}
			args = append(args, n)
			continue
		}
		a, kind, below := parseTensor(t, s)
		n := 1
		for _, d := range a.shape {
			n *= d
		}
		le := binary.LittleEndian
		perm := rng.Perm(max(below, 1)) // distinct, so that scatters are defined
		for i := range n {
			x := rng.NormFloat64()
			switch kind {
			case "f32":
				a.data = le.AppendUint32(a.data, math.Float32bits(float32(x)))
			case "denormal":
				a.data = le.AppendUint32(a.data, math.Float32bits(float32(x*1e-38)))
			case "f16": // sign, exponents near 1, mantissa
				a.data = le.AppendUint16(a.data, uint16(rng.Uint32N(2)<<15|(12+rng.Uint32N(5))<<10|rng.Uint32N(1024)))
			case "bf16":
				a.data = le.AppendUint16(a.data, uint16(math.Float32bits(float32(x))>>16))
			case "f64":
				a.data = le.AppendUint64(a.data, math.Float64bits(x))
			case "i8":
				a.data = append(a.data, byte(rng.Uint32()))
			case "i32":
				a.data = le.AppendUint32(a.data, rng.Uint32())
			case "i64":
				a.data = le.AppendUint64(a.data, rng.Uint64())
			case "index":
				a.data = le.AppendUint32(a.data, uint32(perm[i%len(perm)]))
			}
		}
		args = append(args, a)
	}
	return args
}

func outputs(t testing.TB, types string) []*tensor {
	t.Helper()
	var outs []*tensor
	for s := range strings.SplitSeq(types, ",") {
		a, _, _ := parseTensor(t, s)
		outs = append(outs, a)
	}
	return outs
}

func device(t testing.TB, threads int) *Device {
	t.Helper()
	dev, err := NewDevice(Options{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(dev.Close)
	return dev
}

func load(t testing.TB, dev *Device, path string, source ParameterSource) *Program {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(dev, data, source)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
	return p
}

func invoker(t testing.TB, p *Program) *Invoker {
	t.Helper()
	inv, err := p.NewInvoker(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := inv.Close(); err != nil {
			t.Error(err)
		}
	})
	return inv
}

// view puts a tensor into memory of the device.
func view(t testing.TB, dev *Device, a *tensor) *hal.BufferView {
	t.Helper()
	b, err := dev.NewBuffer(int64(len(a.data)))
	if err != nil {
		t.Fatal(err)
	}
	copy(b.Bytes(), a.data)
	v, err := hal.NewBufferView(b, a.element, a.shape)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// call runs a case with our runtime and gives copies of the results.
func call(t testing.TB, inv *Invoker, c *testCase, args []any) [][]byte {
	t.Helper()
	var values []vm.Value
	var views []*hal.BufferView
	for _, a := range args {
		switch a := a.(type) {
		case int32:
			values, views = append(values, vm.I32Value(a)), append(views, nil)
		case *tensor:
			v := view(t, inv.Program().Device(), a)
			defer v.Buffer().Release()
			values, views = append(values, vm.RefValue(v)), append(views, v)
		}
	}
	results, err := inv.Invoke(context.Background(), c.name, values)
	if err != nil {
		t.Fatalf("%s: %v", c.name, err)
	}
	var got [][]byte
	outs := outputs(t, c.results)
	if len(results) != len(outs) {
		t.Fatalf("%s: %d results", c.name, len(results))
	}
	for i, r := range results {
		v := r.Ref().(*hal.BufferView)
		if fmt.Sprint(v.Shape()) != fmt.Sprint(outs[i].shape) {
			t.Errorf("%s: result %d is %v, want %s", c.name, i, v, outs[i].stockType())
		}
		got = append(got, bytes.Clone(v.Bytes()))
		inPlace := c.inPlace != [2]int{} && i == c.inPlace[1]-1
		for k, a := range views {
			if a != nil && a.Buffer().Same(v.Buffer()) != (inPlace && k == c.inPlace[0]) {
				t.Errorf("%s: result %d in place of argument %d: %v", c.name, i, k, !inPlace)
			}
		}
		v.Release()
	}
	return got
}

// levels are the targets that this machine can run.
func levels() []string {
	if x := cpu.X86; x.HasAVX512F && x.HasAVX512BW && x.HasAVX512CD && x.HasAVX512DQ && x.HasAVX512VL {
		return []string{"x86-64-v3", "x86-64-v4"}
	}
	return []string{"x86-64-v3"}
}

func TestAgainstStockRuntime(t *testing.T) {
	for _, level := range levels() {
		path := compile(t, module(suite), level, "--iree-input-demote-f64-to-f32=false")
		want := map[string][][]byte{}
		for _, threads := range []int{1, 2, 4} {
			dev := device(t, threads)
			inv := invoker(t, load(t, dev, path, nil))
			for i := range suite {
				c := &suite[i]
				args := inputs(t, c.args, rand.New(rand.NewPCG(uint64(i), 1)))
				if threads == 1 {
					want[c.name] = stockRun(t, path, c.name, args, outputs(t, c.results))
				}
				for round := range 2 {
					for k, got := range call(t, inv, c, args) {
						if !bytes.Equal(got, want[c.name][k]) {
							t.Errorf("%s, %s, %d threads, round %d: result %d differs: %s", c.name, level, threads, round, k, difference(got, want[c.name][k]))
						}
					}
				}
			}
		}
	}
}

// difference tells where two results differ first.
func difference(got, want []byte) string {
	if len(got) != len(want) {
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want))
	}
	n := 0
	first := -1
	for i := range got {
		if got[i] != want[i] {
			if n++; first < 0 {
				first = i
			}
		}
	}
	first &^= 3
	return fmt.Sprintf("%d of %d bytes, first at %d: %x, want %x", n, len(got), first, got[first:min(first+4, len(got))], want[first:min(first+4, len(want))])
}
