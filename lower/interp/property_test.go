package interp

import (
	"context"
	"flag"
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/ir/irtest"
)

// TestRandomGraphs compares interpreter and compiled code on random graphs. The tolerance
// of every value is a bound on how far two correct evaluations can lie apart, carried along while the graph
// is drawn; operations that jump (comparisons, conversions to integers, ...) are only applied to
// values on which both must agree exactly.
func TestRandomGraphs(t *testing.T) {
	// The draws are the same each time, so that a fault of the compiler is found by who looks for
	// it: go test -run RandomGraphs -rapid.seed=0 -rapid.checks=100. A check costs two seconds.
	asked := map[string]bool{}
	flag.Visit(func(f *flag.Flag) { asked[f.Name] = true })
	for name, value := range map[string]string{"rapid.checks": "5", "rapid.seed": "1"} {
		if !asked[name] {
			if err := flag.Set(name, value); err != nil {
				t.Fatal(err)
			}
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		b := ir.New("random")
		var drawn []*drawing
		for n := range 8 {
			d := &drawing{t: rt, b: b.Atf("g%d", n)}
			d.draw()
			drawn = append(drawn, d)
		}
		g, err := b.Finish()
		if err != nil {
			rt.Fatal(err)
		}
		var args []Tensor
		var raw [][]byte
		for _, d := range drawn {
			for _, a := range d.args {
				args, raw = append(args, a), append(raw, a.Bytes())
			}
		}
		want, err := Eval(context.Background(), g, args, Options{})
		if err != nil {
			rt.Fatal(err)
		}
		exact, err := Eval(context.Background(), g, args, Options{Float64: true})
		if err != nil {
			rt.Fatal(err)
		}
		got, err := irtest.Compiled(t, g, raw)
		if err != nil {
			rt.Fatal(err)
		}
		i := 0
		for _, d := range drawn {
			for _, r := range d.results {
				compiled, err := FromBytes(r.v.Type(), got[i])
				if err != nil {
					rt.Fatal(err)
				}
				for what, x := range map[string]Tensor{"compiled": compiled, "float64": exact[i]} {
					if err := within(x, want[i], r.off); err != nil {
						rt.Fatalf("%v: %s: %v\n%v", r.v, what, err, g)
					}
				}
				i++
			}
		}
	})
}

// within reports elements of x and y that are more than off apart.
func within(x, y Tensor, off float64) error {
	b := y.Float64s()
	for i, a := range x.Float64s() {
		if !(math.Abs(a-b[i]) <= off) {
			return fmt.Errorf("element %d: %v, interpreter %v, tolerance %g", i, a, b[i], off)
		}
	}
	return nil
}
