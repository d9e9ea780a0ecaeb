package decoder

import (
	"fmt"
	"math"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

// The unit of GPT-OSS bounds the gate from above and the up projection on both
// sides ([arch.SwiGLUClamped]); others are act(gate)*up.
func TestClampedUnit(t *testing.T) {
	values := []float32{-9, -7.5, -7, -3, -0.5, 0, 0.25, 2, 6.5, 7, 7.5, 12}
	n := len(values)
	gate, up := make([]float32, 0, n*n), make([]float32, 0, n*n)
	for _, a := range values {
		for _, b := range values {
			gate, up = append(gate, a), append(up, b)
		}
	}
	logistic := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	for _, c := range []struct {
		moe  arch.MoE
		want func(g, u float64) float64
	}{
		{arch.MoE{Activation: arch.SwiGLUClamped, Limit: 7}, func(g, u float64) float64 {
			g, u = min(g, 7), max(-7, min(u, 7))
			return g * logistic(1.702*g) * (u + 1)
		}},
		{arch.MoE{Activation: arch.SwiGLUClamped, Limit: 1.5}, func(g, u float64) float64 {
			g, u = min(g, 1.5), max(-1.5, min(u, 1.5))
			return g * logistic(1.702*g) * (u + 1)
		}},
		{arch.MoE{Activation: arch.SiLU}, func(g, u float64) float64 { return g * logistic(g) * u }},
	} {
		t.Run(fmt.Sprint(c.moe.Activation, c.moe.Limit), func(t *testing.T) {
			s := small()
			s.MoE = &c.moe
			g := newGraph("unit", s, options(Decode, 0))
			typ := ir.T(ir.F32, 1, n*n)
			g.Result("y", g.gated("m.", g.Arg("gate", "gate", typ), g.Arg("up", "up", typ)))
			graph, err := g.finish()
			if err != nil {
				t.Fatal(err)
			}
			var args []interp.Tensor
			for _, v := range [][]float32{gate, up} {
				arg, err := interp.Float32s(v, 1, n*n)
				if err != nil {
					t.Fatal(err)
				}
				args = append(args, arg)
			}
			out, err := interp.Eval(t.Context(), graph, args, interp.Options{})
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range out[0].Float32s() {
				if want := c.want(float64(gate[i]), float64(up[i])); math.Abs(float64(got)-want) > 1e-5*max(1, math.Abs(want)) {
					t.Errorf("gate %v, up %v: %v, want %v", gate[i], up[i], got, want)
				}
			}
		})
	}
}
