package pass

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/ir/irtest"
)

func TestFold(t *testing.T) {
	f := func(shape ...int) ir.Type { return ir.T(ir.F32, shape...) }
	tests := []struct {
		name  string
		build func(b *ir.Builder, x *ir.Value) *ir.Value // x is f32[2,3]
		want  string                                     // the operations that are left
	}{
		{"reshape to the same shape", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Apply(ir.Reshape{Shape: []int{2, 3}}, x))
		}, "neg x"},
		{"reshape of a reshape", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Reshape(b.Reshape(b.Reshape(x, 6), 3, 2), 1, 6)
		}, "reshape x"},
		{"there and back", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Reshape(b.Reshape(x, 6), 2, 3))
		}, "neg x"},
		{"convert to the same type", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Apply(ir.Convert{To: ir.F32}, x))
		}, "neg x"},
		{"identity transpose", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Transpose(x, 0, 1))
		}, "neg x"},
		{"transpose stays", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Transpose(x, 1, 0) }, "transpose x"},
		{"slice of the whole", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Slice(x, []int{0, 0}, []int{2, 3}))
		}, "neg x"},
		{"slice stays", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.SliceDim(x, 0, 1, 2) }, "slice x"},
		{"broadcast to the same shape", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Broadcast(x, []int{2, 3}, 0, 1))
		}, "neg x"},
		{"empty padding", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Pad(x, b.Splat(f(), 0), []int{0, 0}, []int{0, 0}))
		}, "neg x"},
		{"concatenation of one", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Neg(b.Concat(1, x)) }, "neg x"},
		{"concatenation of two stays", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Concat(1, x, x) }, "concat x x"},
		{"reverse of one element", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Reverse(b.SliceDim(x, 0, 0, 1), 0)
		}, "slice x"},
		{"reverse stays", func(b *ir.Builder, x *ir.Value) *ir.Value { return b.Reverse(x, 0) }, "reverse x"},
		{"factor 1", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Neg(b.Mul(b.SplatLike(x, 1), b.Div(b.Mul(x, b.SplatLike(x, 1)), b.SplatLike(x, 1))))
		}, "neg x"},
		{"one divided stays", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Div(b.SplatLike(x, 1), x)
		}, "const; div const x"},
		{"broadcast constant", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Add(x, b.Broadcast(b.Splat(f(), 0.5), []int{2, 3}))
		}, "const; add x const"},
		{"moved constant", func(b *ir.Builder, x *ir.Value) *ir.Value {
			c := b.Splat(f(2, 4), 0.5)
			return b.Add(x, b.Reverse(b.Reshape(b.Slice(b.Transpose(c, 1, 0), []int{0, 0}, []int{3, 2}), 2, 3), 1))
		}, "const; add x const"},
		{"converted constant", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Add(x, b.Convert(b.Splat(ir.T(ir.I32, 2, 3), 7), ir.F32))
		}, "const; add x const"},
		{"stored constant stays", func(b *ir.Builder, x *ir.Value) *ir.Value {
			c := b.Convert(b.SplatLike(x, 0.1), ir.BF16)
			return b.Add(x, b.Convert(c, ir.F32))
		}, "const; convert const; convert convert; add x convert.1"},
		{"dense constant stays", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Add(x, b.Reshape(b.Dense(f(6), 1, 2, 3, 4, 5, 6), 2, 3))
		}, "const; reshape const; add x reshape"},
		{"no shortcut past x+0", func(b *ir.Builder, x *ir.Value) *ir.Value {
			return b.Add(x, b.SplatLike(x, 0)) // turns -0 into 0
		}, "const; add x const"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := ir.New("g")
			x := b.Arg("x", "x", f(2, 3))
			b.Result("y", tt.build(b, x))
			g, err := b.Finish()
			if err != nil {
				t.Fatal(err)
			}
			folded, err := Run(g, Portable())
			if err != nil {
				t.Fatal(err)
			}
			var ops []string
			for _, v := range folded.Ops() {
				s := v.Op().Mnemonic()
				for _, a := range v.Args() {
					s += " " + a.Name()
				}
				ops = append(ops, s)
			}
			if got := strings.Join(ops, "; "); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// TestPassesKeepTheMeaning runs every example before and after each pass.
func TestPassesKeepTheMeaning(t *testing.T) {
	cases := irtest.Cases()
	g, err := irtest.Graph("cases", cases)
	if err != nil {
		t.Fatal(err)
	}
	var args []interp.Tensor
	for _, c := range cases {
		for _, a := range c.Args {
			args = append(args, typed(t, a))
		}
	}
	want, err := interp.Eval(context.Background(), g, args, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range Portable() {
		next, err := p.Run(g)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if err := ir.Verify(next); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		got, err := interp.Eval(context.Background(), next, args, interp.Options{})
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		for i := range want {
			if !reflect.DeepEqual(want[i].Bytes(), got[i].Bytes()) {
				t.Errorf("%s changes result %s: %v, was %v", p.Name, g.Results()[i].Role, got[i].Float64s(), want[i].Float64s())
			}
		}
		again, err := p.Run(next)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		if again.String() != next.String() {
			t.Errorf("%s is not done after one run", p.Name)
		}
		g = next
	}
}

// typed makes a tensor of an example's operand.
func typed(t *testing.T, a irtest.Tensor) interp.Tensor {
	t.Helper()
	x, err := interp.Floats(a.Type, a.Values)
	if err != nil {
		t.Fatal(err)
	}
	return x
}

func TestRunNamesThePass(t *testing.T) {
	b := ir.New("g")
	b.Result("y", b.Arg("x", "x", ir.T(ir.F32)))
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	_, err = Run(g, []Pass{{"break", "", func(*ir.Graph) (*ir.Graph, error) {
		return nil, &ir.Error{Loc: "layers.3", Err: context.Canceled}
	}}})
	if err == nil || err.Error() != "pass break: layers.3: context canceled" {
		t.Errorf("got %v", err)
	}
}
