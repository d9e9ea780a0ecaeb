package pass

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

// A quantized linear means the formula of its documentation, element by element of its
// layout: the interpreter's evaluator and the portable expansion both say so.
func TestQuantizedLinear(t *testing.T) {
	for _, bits := range []int{4, 8} {
		for _, shape := range [][3]int{{1, 16, 64}, {1, 17, 65}, {3, 33, 130}, {2, 48, 40}} {
			for _, experts := range []int{0, 3} {
				for _, int8 := range []bool{false, true} {
					o := ir.QuantizedLinear{Bits: bits, Out: shape[1], Int8: int8, Experts: experts}
					t.Run(fmt.Sprintf("%d-bit/%v/experts=%d/int8=%t", bits, shape, experts, int8), func(t *testing.T) {
						testQuantizedLinear(t, o, shape[0], shape[2])
					})
				}
			}
		}
	}
}

func testQuantizedLinear(t *testing.T, o ir.QuantizedLinear, rows, cols int) {
	rng := rand.New(rand.NewPCG(1, uint64(cols)))
	random := func(typ ir.Type, f func() float64) interp.Tensor {
		v := make([]float64, typ.Elems())
		for i := range v {
			v[i] = f()
		}
		x, err := interp.Floats(typ, v)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	qt, st := ir.QuantizedTypes(o.Bits, o.Out, cols, o.Experts, ir.F16)
	x := random(ir.T(ir.F32, rows, cols), rng.NormFloat64)
	q := random(qt, func() float64 { return float64(rng.IntN(256)) })
	scale, offset := random(st, rng.Float64), random(st, rng.NormFloat64)
	args := []interp.Tensor{x, q, scale, offset}
	if o.Experts > 0 {
		args = append(args, random(ir.T(ir.I32, rows), func() float64 { return float64(rng.IntN(o.Experts)) }))
	}

	b := ir.New("g")
	var in []*ir.Value
	for i, a := range args {
		name := fmt.Sprintf("a%d", i)
		in = append(in, b.Arg(name, name, a.Type()))
	}
	b.Result("y", b.QuantizedLinear(o, in[0], in[1], in[2], in[3], in[4:]...))
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}

	// The formula.
	groups, blocks := ir.CeilDiv(cols, 64), ir.CeilDiv(o.Out, 16)
	qs, ss, os, xs := q.Float64s(), scale.Float64s(), offset.Float64s(), x.Float64s()
	want := make([]float64, rows*o.Out)
	for row := range rows {
		stack := 0
		if o.Experts > 0 {
			stack = int(args[4].Int32s()[row])
		}
		for k := range cols {
			v := xs[row*cols+k]
			if o.Int8 {
				top := float32(0)
				for _, u := range xs[row*cols+k/64*64 : min(row*cols+k/64*64+64, (row+1)*cols)] {
					top = max(top, float32(math.Abs(u)))
				}
				v = math.RoundToEven(float64(float32(v)*(127/top))) * float64(top*float32(1.0/127))
			}
			for n := range o.Out {
				at := (stack*blocks+n/16)*groups + k/64
				j, shift, p := k%64, 0, 16
				if o.Bits == 4 {
					j, shift, p = k%32, k%64/32*4, 8
				}
				w := int(qs[((at*p+j/4)*16+n%16)*4+k%4]) >> shift
				if o.Bits == 4 {
					w &= 15
				}
				want[row*o.Out+n] += v * (float64(w)*ss[at*16+n%16] + os[at*16+n%16])
			}
		}
	}

	expanded, err := Expand(g)
	if err != nil {
		t.Fatal(err)
	}
	reference, err := Run(g, Reference())
	if err != nil {
		t.Fatal(err)
	}
	for name, g := range map[string]*ir.Graph{"expansion": expanded, "evaluator": reference} {
		got, err := interp.Eval(context.Background(), g, args, interp.Options{})
		if err != nil {
			t.Fatal(name, err)
		}
		for i, y := range got[0].Float64s() {
			// Sums of some hundred float32 products of size up to 100.
			if math.Abs(y-want[i]) > 2e-5*float64(cols)*math.Pow(2, float64(o.Bits)-4) {
				t.Fatalf("%s: element %d is %v, want %v", name, i, y, want[i])
			}
		}
	}
}
