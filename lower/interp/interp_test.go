package interp

import (
	"context"
	"reflect"
	"testing"

	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/ir/irtest"
)

// TestCases evaluates the table of examples, each on its own so that a failure names one.
func TestCases(t *testing.T) {
	seen := map[reflect.Type]bool{reflect.TypeOf(ir.Parameter{}): true} // TestParameters
	for _, c := range irtest.Cases() {
		t.Run(c.Name, func(t *testing.T) {
			g, err := irtest.Graph("g", []irtest.Case{c})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range append(g.Args(), g.Ops()...) {
				seen[reflect.TypeOf(v.Op())] = true
			}
			for _, opt := range []Options{{}, {Float64: true}} {
				got, err := Eval(context.Background(), g, inputs(t, c.Args), opt)
				if err != nil {
					t.Fatal(err)
				}
				if opt.Float64 && c.ULP == 0 {
					continue // rounding is what an exact case is about
				}
				if err := c.Check(outputs(got)); err != nil {
					t.Errorf("float64 %t: %v", opt.Float64, err)
				}
			}
		})
	}
	for _, op := range ir.Ops() {
		if !seen[reflect.TypeOf(op)] {
			t.Errorf("no example evaluates %T", op)
		}
	}
}

// inputs makes tensors of a case's operands.
func inputs(t *testing.T, args []irtest.Tensor) []Tensor {
	t.Helper()
	out := make([]Tensor, len(args))
	for i, a := range args {
		x, err := Floats(a.Type, a.Values)
		if err != nil {
			t.Fatal(err)
		}
		out[i] = x
	}
	return out
}

func outputs(ts []Tensor) []irtest.Tensor {
	out := make([]irtest.Tensor, len(ts))
	for i, t := range ts {
		out[i] = irtest.Tensor{Type: t.Type(), Values: t.Float64s()}
	}
	return out
}
