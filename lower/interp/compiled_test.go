package interp

import (
	"testing"

	"github.com/hlocc/hlocc/lower/ir/irtest"
)

// TestCompiledCases runs the table of examples as compiled code, in one module.
func TestCompiledCases(t *testing.T) {
	var cases []irtest.Case
	for _, c := range irtest.Cases() {
		if c.NotCompiled == "" {
			cases = append(cases, c)
		}
	}
	g, err := irtest.Graph("cases", cases)
	if err != nil {
		t.Fatal(err)
	}
	var args [][]byte
	for _, c := range cases {
		for _, in := range inputs(t, c.Args) {
			args = append(args, in.Bytes())
		}
	}
	results, err := irtest.Compiled(t, g, args)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			var got []Tensor
			for _, w := range c.Want {
				x, err := FromBytes(w.Type, results[0])
				if err != nil {
					t.Fatal(err)
				}
				got, results = append(got, x), results[1:]
			}
			if err := c.Check(outputs(got)); err != nil {
				t.Error(err)
			}
		})
	}
}
