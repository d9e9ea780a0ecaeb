package vm

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// fuzzImports resolves every import to a function that uses each argument as
// what it is and gives constant results.
var fuzzImports = ResolverFunc(func(_, cconv string) (HostFunc, error) {
	return func(c *Call) error {
		var sum int64
		add := func(k Kind, i32 func() int32, i64 func() int64, f32 func() float32, f64 func() float64, r func() Ref) {
			switch k {
			case KindI32:
				sum += int64(i32())
			case KindI64:
				sum += i64()
			case KindF32:
				sum += int64(f32())
			case KindF64:
				sum += int64(f64())
			case KindRef:
				if v := r(); v != nil {
					sum += int64(len(v.RefType()))
				}
			}
		}
		for i, a := range c.sig.args {
			if a.kind != kindSpan {
				add(a.kind, func() int32 { return c.I32(i) }, func() int64 { return c.I64(i) }, func() float32 { return c.F32(i) },
					func() float64 { return c.F64(i) }, func() Ref { return c.Ref(i) })
				continue
			}
			for e := range c.Span(i) {
				for f, k := range a.fields {
					add(k, func() int32 { return c.SpanI32(i, e, f) }, func() int64 { return c.SpanI64(i, e, f) },
						func() float32 { return c.SpanF32(i, e, f) }, func() float64 { return c.SpanF64(i, e, f) },
						func() Ref { return c.SpanRef(i, e, f) })
				}
			}
		}
		for i, k := range c.sig.results {
			switch k {
			case KindI32:
				c.SetI32(i, 1)
			case KindI64:
				c.SetI64(i, sum)
			case KindF32:
				c.SetF32(i, 1)
			case KindF64:
				c.SetF64(i, 2)
			case KindRef:
				c.SetRef(i, NewBuffer(make([]byte, 8), false))
			}
		}
		return nil
	}, nil
})

// FuzzProgram reads, decodes and runs a module: every export, within limits.
func FuzzProgram(f *testing.F) {
	for _, name := range []string{"objects.vmfb", "scalar.vmfb", "tensor.vmfb"} {
		data, err := os.ReadFile(filepath.Join(testdata, name))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := vmfb.Parse(data)
		if err != nil {
			return
		}
		runAll(t, m)
	})
}

// FuzzCode runs arbitrary bytecode as a function of a module that has
// something of everything, which FuzzProgram seldom gets to.
func FuzzCode(f *testing.F) {
	f.Add(sum().code, uint8(1), "0i_i")
	f.Add(fib().code, uint8(4), "0i_i")
	for _, name := range []string{"objects.vmfb", "scalar.vmfb", "tensor.vmfb"} {
		data, err := os.ReadFile(filepath.Join(testdata, name))
		if err != nil {
			f.Fatal(err)
		}
		m, err := vmfb.Parse(data)
		if err != nil {
			f.Fatal(err)
		}
		for _, fn := range m.Functions {
			f.Add(fn.Code, uint8(fn.Blocks), fn.CConv)
		}
	}
	f.Fuzz(func(t *testing.T, code []byte, blocks uint8, cconv string) {
		if len(code) == 0 || blocks == 0 {
			return
		}
		m := withImports(testModule(testFunc{"f", cconv, 40, 12, &asm{code: code, blocks: int(blocks)}}),
			"test.a", "0iI_i", "test.b", "0rCriD_r", "?test.c", "0v_v")
		runAll(t, m)
	})
}

func runAll(t *testing.T, m *vmfb.Module) {
	p, err := NewProgram(m)
	if err != nil {
		if diag.KindOf(err) != diag.BadInput {
			t.Fatal(err)
		}
		return
	}
	in, err := p.NewInstance(fuzzImports, Limits{Steps: 3000, Memory: 1 << 20, Depth: 64, Stack: 1 << 16})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := in.Init(ctx); err != nil {
		in.state.Store(stateReady) // go on with what there is
		in.grefs = make([]Ref, m.GlobalRefs)
	}
	for _, x := range m.Exports {
		for _, seed := range []int64{0, 3} {
			var args []Value
			for _, a := range p.funcs[x.Function].sig.args {
				v := Value{kind: a.kind, bits: uint64(seed)}
				if a.kind == KindRef {
					v = RefValue(NewList(0, int(seed)))
				}
				args = append(args, v)
			}
			_, err := in.Invoke(ctx, x.Name, args)
			for _, r := range in.refs {
				if r != nil {
					t.Fatalf("%s leaves references on the stack after %v", x.Name, err)
				}
			}
		}
	}
	if err := in.Close(ctx); err != nil && diag.KindOf(err) != diag.Failed {
		t.Fatal(err)
	}
}
