package ir_test

import (
	"os"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/lower/ir"
)

// TestREADME checks the example of the page to read first: the program is that text.
func TestREADME(t *testing.T) {
	b := ir.New("step")
	token := b.Arg("token", "token", ir.T(ir.I32, 1))
	position := b.Arg("position", "position", ir.T(ir.I32, 1))
	cache := b.Arg("kv_0_k", "kv.0.k", ir.T(ir.F32, 9, 4))

	embed := b.At("embed")
	x := embed.Convert(embed.GatherRows(embed.Param("embed.weight", ir.T(ir.BF16, 100, 4)), token), ir.F32)

	k := b.At("layers.0").At("attn.k")
	w := k.Convert(k.Param("layers.0.attn.k.weight", ir.T(ir.BF16, 4, 4)), ir.F32)
	key := k.Dot(x, w, ir.DotGeneral{LHSContract: []int{1}, RHSContract: []int{1}})
	keys := k.ScatterRows(cache, position, key, true)

	b.Result("norm", b.At("head").Reduce(ir.ReduceMax, k.Abs(keys), 0, 1))
	b.ResultInPlace("kv.0.k", keys, cache)
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	self, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), "```\n"+g.String()+"```\n") {
		t.Errorf("README.md does not show\n%v", g)
	}
	_, program, _ := strings.Cut(string(self), "\tb := ")
	program, _, _ = strings.Cut("b := "+program, "\n\tif err")
	program = strings.ReplaceAll(program, "\n\t", "\n")
	if !strings.Contains(string(page), "```go\n"+program+"\n```\n") {
		t.Errorf("README.md does not show\n%s", program)
	}
}
