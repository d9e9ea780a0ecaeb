package vm

import (
	"context"
	"sync"
	"testing"
)

// Instances of one Program run at the same time; run with -race.
func TestSharedProgram(t *testing.T) {
	first := single(t, "0i_i", 8, 0, sum())
	var wg sync.WaitGroup
	for range 4 {
		in, err := first.Program().NewInstance(noImports, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if err := in.Init(context.Background()); err != nil {
			t.Fatal(err)
		}
		wg.Go(func() {
			for range 50 {
				if got, err := in.Invoke(context.Background(), "f", ints(100)); err != nil || !sameValues(got, ints(4950)) {
					t.Errorf("got %v, %v", got, err)
				}
			}
		})
	}
	wg.Wait()
}

// hostLoop calls an import with a span n times.
func hostLoop(t testing.TB) *Instance {
	body := newAsm().block("a").op("const.i32", 1, 1).op("br", "b", moves{}).
		block("b").op("cond_br", 0, "c", moves{}, "d", moves{}).
		block("c").op("call.variadic", imp, regs{raw(0), raw(2)}, regs{ref(0), ref(0), 1, ref(0), 1}, regs{ref(1)}).
		op("sub.i32", 0, 1, 0).op("br", "b", moves{}).
		block("d").op("return", regs{ref(1)})
	m := withImports(testModule(testFunc{"f", "0ir_r", 2, 2, body}), "test.host", "0rCriD_r")
	return newInstance(t, m, hosts{"test.host": func(c *Call) error {
		c.SetRef(0, c.SpanRef(1, int(c.SpanI32(1, 0, 1)), 0))
		return nil
	}}, Limits{})
}

func TestInvokeDoesNotAllocate(t *testing.T) {
	ctx := context.Background()
	for name, c := range map[string]struct {
		in   *Instance
		args []Value
	}{
		"loop":      {single(t, "0i_i", 8, 0, sum()), ints(10)},
		"recursion": {single(t, "0i_i", 5, 0, fib()), ints(8)},
		"host":      {hostLoop(t), []Value{I32Value(10), RefValue(&thing{})}},
	} {
		f, _ := c.in.Program().Export("f")
		dst := make([]Value, 0, 1)
		n := testing.AllocsPerRun(100, func() {
			if _, err := c.in.InvokeAppend(ctx, dst, f, c.args); err != nil {
				t.Fatal(err)
			}
		})
		if n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func benchmark(b *testing.B, in *Instance, instructions float64, args ...Value) {
	f, _ := in.Program().Export("f")
	ctx := context.Background()
	dst := make([]Value, 0, 4)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := in.InvokeAppend(ctx, dst, f, args); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/instructions, "ns/instruction")
}

func BenchmarkLoop(b *testing.B) { // 5 instructions per round
	benchmark(b, single(b, "0i_i", 8, 0, sum()), 5*10000, I32Value(10000))
}

func BenchmarkCalls(b *testing.B) { // 21891 calls of 4 or 9 instructions
	benchmark(b, single(b, "0i_i", 5, 0, fib()), 10946*4+10945*9, I32Value(20))
}

func BenchmarkHostCalls(b *testing.B) { // 4 instructions per round
	benchmark(b, hostLoop(b), 4*1000, I32Value(1000), RefValue(&thing{}))
}

// BenchmarkInt64 is a loop of 64-bit arithmetic.
func BenchmarkInt64(b *testing.B) {
	body := newAsm().block("a").op("const.i64.zero", 2).op("const.i64", 1, 4).op("const.i64", 6364136223846793005, 6).op("br", "b", moves{}).
		block("b").op("mul.i64", 2, 6, 2).op("add.i64", 2, 4, 2).op("sub.i64", 0, 4, 0).op("cmp.nz.i64", 0, 8).
		op("cond_br", 8, "b", moves{}, "c", moves{}).
		block("c").op("return", regs{2})
	benchmark(b, single(b, "0I_I", 10, 0, body), 5*10000, I64Value(10000))
}

func BenchmarkFloat(b *testing.B) {
	body := newAsm().block("a").op("const.f32", 1.0, 2).op("const.f32", 0.999, 3).op("const.i32", 1, 1).op("br", "b", moves{}).
		block("b").op("mul.f32", 2, 3, 2).op("add.f32", 2, 3, 2).op("sub.i32", 0, 1, 0).
		op("cond_br", 0, "b", moves{}, "c", moves{}).
		block("c").op("return", regs{2})
	benchmark(b, single(b, "0i_f", 10, 0, body), 4*10000, I32Value(10000))
}
