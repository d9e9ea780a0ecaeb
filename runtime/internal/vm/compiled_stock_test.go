package vm

import (
	"fmt"
	"math"
	"path/filepath"
	"testing"
)

const testdata = "../vmfb/testdata"

// TestModulesLikeStock calls functions of compiled modules here and in the
// stock runtime.
func TestModulesLikeStock(t *testing.T) {
	bits := func(f float32) Value { return I32Value(int32(math.Float32bits(f))) }
	type call struct {
		function string
		args     []Value
	}
	for file, calls := range map[string][]call{
		"objects.vmfb": {
			{"lists", []Value{I64Value(-74565), I32Value(511)}},
			{"lists", []Value{I64Value(1<<40 + 3), I32Value(-129)}},
			{"floats", []Value{bits(0.1)}}, {"floats", []Value{bits(-1e30)}},
			{"buffers", []Value{I64Value(0)}}, {"buffers", []Value{I64Value(1)}},
			{"globals", ints(1)}, {"globals", ints(0)},
			{"control", ints(0)}, {"control", ints(1)}, {"control", ints(2)}, {"control", ints(15)}, {"control", ints(-1)},
			{"fails", ints(0)},
		},
		"scalar.vmfb": {
			{"collatz", []Value{I64Value(27)}}, {"collatz", []Value{I64Value(837799)}}, {"collatz", []Value{I64Value(1)}},
			{"mixed", []Value{I32Value(3), I64Value(5000000000), I64Value(7)}},
			{"mixed", []Value{I32Value(-3), I64Value(-1 << 62), I64Value(-9)}},
			{"floats", []Value{bits(2.5), bits(3)}}, {"floats", []Value{bits(-7.75), bits(-0.1)}}, {"floats", []Value{bits(1e9), bits(1e-9)}},
		},
	} {
		path := filepath.Join(testdata, file)
		for _, c := range calls {
			compareCall(t, load(t, path), path, c.function, c.args)
		}
	}
	in := load(t, filepath.Join(testdata, "objects.vmfb"))
	fails(t, in, "fails", "vm_invalid_argument", "as asked", I32Value(1))
	fails(t, in, "buffers", "vm_out_of_range", "1 elements of 8 bytes at 2 of a buffer of 20 bytes", I64Value(2))
}

func compareCall(t *testing.T, in *Instance, path, function string, args []Value) {
	t.Helper()
	var inputs []string
	for _, a := range args {
		inputs = append(inputs, fmt.Sprint(a.I64()))
		if a.Kind() == KindI32 {
			inputs[len(inputs)-1] = fmt.Sprint(a.I32())
		}
	}
	want := stockRun(t, path, function, inputs...)
	if got := invoke(t, in, function, args...); len(want) == 0 || !sameValues(got, want) {
		t.Errorf("%s(%v): got %v, stock %v", function, inputs, got, want)
	}
}

// Values of 64 bits between functions of a module, as the compiler encodes them.
func TestCompiledCallsLikeStock(t *testing.T) {
	path := stockCompile(t, `
vm.module @calls {
  vm.func private @mix(%a: i64, %b: i32, %c: i64, %d: f64) -> (i64, i32, f64) attributes {inlining_policy = #util.inline.never} {
    %0 = vm.mul.i64 %a, %c : i64
    %1 = vm.ext.i32.i64.s %b : i32 -> i64
    %2 = vm.add.i64 %0, %1 : i64
    %3 = vm.trunc.i64.i32 %2 : i64 -> i32
    %4 = vm.add.f64 %d, %d : f64
    vm.return %2, %3, %4 : i64, i32, f64
  }
  vm.export @outer
  vm.func @outer(%b: i32, %a: i64, %c: i64) -> (i32, i64, i64) {
    %d = vm.cast.si64.f64 %a : i64 -> f64
    %r:3 = vm.call @mix(%a, %b, %c, %d) : (i64, i32, i64, f64) -> (i64, i32, f64)
    %s:3 = vm.call @mix(%c, %r#1, %r#0, %r#2) : (i64, i32, i64, f64) -> (i64, i32, f64)
    %e = vm.bitcast.f64.i64 %s#2 : f64 -> i64
    vm.return %s#1, %s#0, %e : i32, i64, i64
  }
}`, "--compile-mode=vm")
	in := load(t, path)
	for _, args := range [][]Value{
		{I32Value(3), I64Value(5000000000), I64Value(7)},
		{I32Value(-1), I64Value(-1 << 40), I64Value(3)},
	} {
		compareCall(t, in, path, "outer", args)
	}
	calls := 0
	for i := range in.prog.funcs {
		calls += len(in.prog.funcs[i].calls)
	}
	if calls != 2 {
		t.Errorf("the compiler left %d calls", calls)
	}
}
