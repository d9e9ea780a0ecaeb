package stablehlo_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/ir/irtest"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

var update = flag.Bool("update", false, "rewrite testdata")

func text(t *testing.T, g *ir.Graph, opt stablehlo.Options) (string, *stablehlo.Listing) {
	t.Helper()
	var b strings.Builder
	list, err := stablehlo.Print(&b, g, opt)
	if err != nil {
		t.Fatal(err)
	}
	return b.String(), list
}

// TestOps prints every example; the operations as text are testdata/ops.mlir. That the compiler
// reads them and means the same is shown by the tests of lower/interp.
func TestOps(t *testing.T) {
	missing := map[string]bool{}
	for _, op := range ir.Ops() {
		missing[reflect.TypeOf(op).Name()] = true
	}
	var got strings.Builder
	for _, c := range irtest.Cases() {
		g, err := irtest.Graph("g", []irtest.Case{c})
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range append(g.Args(), g.Ops()...) {
			delete(missing, reflect.TypeOf(v.Op()).Name())
		}
		s, _ := text(t, g, stablehlo.Options{})
		_, body, _ := strings.Cut(s, "  ) {\n")
		body, _, _ = strings.Cut(body, "    return\n")
		fmt.Fprintf(&got, "// %s\n%s", c.Name, strings.ReplaceAll(body, "    %", "%"))
	}
	delete(missing, "Parameter") // TestModule
	for name := range missing {
		t.Errorf("no example prints ir.%s", name)
	}
	file := filepath.Join("testdata", "ops.mlir")
	if *update {
		if err := os.WriteFile(file, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	g, w := strings.Split(got.String(), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Fatalf("%s:%d: got\n%s\nwant\n%s\nIf this is meant: go test ./lower/stablehlo -update", file, i+1, g[i], w[i])
		}
	}
	if len(g) != len(w) {
		t.Fatalf("%s has %d lines, got %d. If this is meant: go test ./lower/stablehlo -update", file, len(w), len(g))
	}
}

// module is a step with a weight, a reduction and a cache that is updated in place.
func module(t *testing.T) *ir.Graph {
	t.Helper()
	b := ir.New("step")
	position := b.Arg("position", "position", ir.T(ir.I32, 1))
	x := b.Arg("x", "x", ir.T(ir.F32, 1, 4))
	cache := b.Arg("kv_0_k", "kv.0.k", ir.T(ir.F32, 9, 4))
	k := b.At("layers.0").At("attn.k")
	w := k.Convert(k.Param("layers.0.attn.k.weight", ir.T(ir.BF16, 4, 4)), ir.F32)
	rows := k.Dot(x, w, ir.DotGeneral{LHSContract: []int{1}, RHSContract: []int{1}})
	keys := b.At("layers.0.attn.cache").ScatterRows(cache, position, rows, true)
	b.Result("sum", b.At("head").Reduce(ir.ReduceAdd, keys, 0))
	b.ResultInPlace("kv.0.k", keys, cache)
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

const scatterText = `"stablehlo.scatter"(%kv_0_k, %position, %layers.0.attn.k.dot) <{indices_are_sorted = false, ` +
	`scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], ` +
	`index_vector_dim = 1>, unique_indices = true}> ({ ^bb0(%old: tensor<f32>, %new: tensor<f32>): stablehlo.return %new : tensor<f32> }) : ` +
	`(tensor<9x4xf32>, tensor<1xi32>, tensor<1x4xf32>) -> tensor<9x4xf32>`

func TestModule(t *testing.T) {
	got, list := text(t, module(t), stablehlo.Options{})
	want := `module @step {
  util.global private @layers.0.attn.k.weight = #flow.parameter.named<"model"::"layers.0.attn.k.weight"> : tensor<4x4xbf16>
  func.func public @step(
    %position: tensor<1xi32>,
    %x: tensor<1x4xf32>,
    %kv_0_k: tensor<9x4xf32> {tf.aliasing_output = 1 : i32} // kv.0.k
  ) -> (
    tensor<4xf32>, // sum
    tensor<9x4xf32> // kv.0.k
  ) {
    %layers.0.attn.k.weight = util.global.load @layers.0.attn.k.weight : tensor<4x4xbf16>
    %$add_f32 = stablehlo.constant dense<0.0> : tensor<f32>
    %layers.0.attn.k.convert = stablehlo.convert %layers.0.attn.k.weight : (tensor<4x4xbf16>) -> tensor<4x4xf32>
    %layers.0.attn.k.dot = stablehlo.dot_general %x, %layers.0.attn.k.convert, contracting_dims = [1] x [1] : (tensor<1x4xf32>, tensor<4x4xf32>) -> tensor<1x4xf32>
    %layers.0.attn.cache.scatter_rows = ` + scatterText + `
    %head.reduce_add = stablehlo.reduce(%layers.0.attn.cache.scatter_rows init: %$add_f32) applies stablehlo.add across dimensions = [0] : (tensor<9x4xf32>, tensor<f32>) -> tensor<4xf32>
    return
      %head.reduce_add,
      %layers.0.attn.cache.scatter_rows
      :
      tensor<4xf32>,
      tensor<9x4xf32>
  }
}
`
	if got != want {
		t.Errorf("got\n%s", got)
	}
	lines := strings.Split(got, "\n")
	locs := map[string]string{
		"stablehlo.convert": "layers.0.attn.k", "dot_general": "layers.0.attn.k", "stablehlo.scatter": "layers.0.attn.cache",
		"stablehlo.reduce": "head", "util.global": "", "stablehlo.constant": "", "%x: tensor": "",
	}
	for i, line := range lines {
		for part, loc := range locs {
			if strings.Contains(line, part) && list.Location(i+1) != loc {
				t.Errorf("line %d is at %q, want %q", i+1, list.Location(i+1), loc)
			}
		}
	}
	for _, line := range []int{-1, 0, len(lines), 1000} {
		if loc := list.Location(line); loc != "" {
			t.Errorf("line %d is at %q", line, loc)
		}
	}
	if again, _ := text(t, module(t), stablehlo.Options{}); again != got {
		t.Error("printing the same graph again gives another text")
	}
}

func TestWeightsAsArguments(t *testing.T) {
	got, list := text(t, module(t), stablehlo.Options{Weights: stablehlo.Args, Locations: true})
	for _, line := range []string{
		`  func.func public @main(`,
		`    %kv_0_k: tensor<9x4xf32> {tf.aliasing_output = 1 : i32}, // kv.0.k`,
		`    %layers.0.attn.k.weight: tensor<4x4xbf16>`,
		`    %layers.0.attn.cache.scatter_rows = ` + scatterText + ` loc("layers.0.attn.cache")`,
	} {
		if !strings.Contains(got, line+"\n") {
			t.Errorf("no line %q in\n%s", line, got)
		}
	}
	if strings.Contains(got, "util.") || strings.Contains(got, "#flow") {
		t.Errorf("not pure StableHLO:\n%s", got)
	}
	want := []stablehlo.Input{
		{Name: "position", Role: "position", Type: ir.T(ir.I32, 1)},
		{Name: "x", Role: "x", Type: ir.T(ir.F32, 1, 4)},
		{Name: "kv_0_k", Role: "kv.0.k", Type: ir.T(ir.F32, 9, 4)},
		{Name: "layers.0.attn.k.weight", Key: "layers.0.attn.k.weight", Type: ir.T(ir.BF16, 4, 4)},
	}
	if !reflect.DeepEqual(list.Inputs, want) {
		t.Errorf("inputs %+v", list.Inputs)
	}
	if want := []stablehlo.Output{{Role: "sum", Type: ir.T(ir.F32, 4)}, {Role: "kv.0.k", Type: ir.T(ir.F32, 9, 4)}}; !reflect.DeepEqual(list.Outputs, want) {
		t.Errorf("outputs %+v", list.Outputs)
	}
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriteError(t *testing.T) {
	_, err := stablehlo.Print(fullDisk{}, module(t), stablehlo.Options{})
	if err == nil || err.Error() != "writing graph step: disk full" {
		t.Errorf("got %v", err)
	}
}
