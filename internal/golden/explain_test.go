package golden

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestExplainSpec(t *testing.T) {
	const old = `{"hidden":64,"norm":{"eps":1e-5},"attention":{"scale":0.125,"qk_norm":{"eps":1}},"layers":[{"window":0},{"window":8},{"window":8},{"window":0}],"rope":[{"theta":10000}]}`
	for _, test := range []struct{ old, new, want string }{
		{`"scale":0.125`, `"scale":0.08838834764831845`, "layers[*].attn: scale 0.125 -> 0.0883883"},
		{`"scale":0.125`, `"scale":0.125,"softcap":50`, "layers[*].attn: softcap none -> 50"},
		{`,"qk_norm":{"eps":1}`, ``, "layers[*].attn: qk_norm.eps 1 -> none"},
		{`"eps":1e-5`, `"eps":1e-6`, "model: norm.eps 1e-05 -> 1e-06"},
		{`"theta":10000`, `"theta":500000`, "model: rope[0].theta 10000 -> 500000"},
		{`{"window":8},{"window":8}`, `{"window":4},{"window":4}`, "layers[1-2]: window 8 -> 4"},
		{`{"window":0},{"window":8},{"window":8},{"window":0}`, `{"rope":-1,"window":0},{"rope":-1,"window":8},{"rope":-1,"window":8},{"rope":-1,"window":2}`,
			"layers[*]: rope none -> -1; layers[3]: window 0 -> 2"},
		{`,{"window":0}]`, `]`, "model: 4 layers -> 3 layers"},
		{`"hidden":64`, `"hidden":"64"`, `model: hidden 64 -> "64"`},
	} {
		d := Difference{Path: "llama/llama/spec.json", Problem: "differs", Old: []byte(old), New: []byte(strings.Replace(old, test.old, test.new, 1))}
		if changes, _ := Explain(d, 10); strings.Join(changes, "; ") != test.want {
			t.Errorf("%s: %q, want %q", test.new, changes, test.want)
		}
	}
}

const graph = `module @decode {
    %embed.mul = stablehlo.multiply %a, %b : tensor<f32>
    %layers.0.attn.const.1 = stablehlo.constant dense<0.125> : tensor<f32>
    %layers.0.attn.add = stablehlo.add %layers.0.attn.const.1, %embed.mul : tensor<f32>
    %layers.1.attn.const.1 = stablehlo.constant dense<0.125> : tensor<f32>
    %layers.1.mlp.logistic = stablehlo.logistic %layers.0.attn.add : tensor<f32>
}
`

func TestExplainGraph(t *testing.T) {
	for _, test := range []struct {
		replace []string
		want    string
	}{
		{[]string{"0.125", "0.0883883"}, "layers[*].attn: constant 0.125 -> 0.0883883"},
		{[]string{"stablehlo.logistic", "stablehlo.tanh"}, "layers[1].mlp: logistic : tensor<f32> -> tanh : tensor<f32>"},
		{[]string{"    %layers.0.attn.add = stablehlo.add %layers.0.attn.const.1, %embed.mul : tensor<f32>\n", ""}, "layers[0].attn: without add : tensor<f32>"},
		{[]string{"    %layers.1.mlp", "    %layers.1.mlp.neg = stablehlo.negate %x : tensor<f32>\n    %layers.1.mlp"}, "layers[1].mlp: with negate : tensor<f32>"},
		{[]string{"%a, %b", "%b, %a"}, "1 lines gone, 1 new"},
	} {
		d := Difference{Path: "llama/llama/decode.mlir", Problem: "differs", Old: []byte(graph), New: []byte(strings.NewReplacer(test.replace...).Replace(graph))}
		if changes, _ := Explain(d, 10); strings.Join(changes, "; ") != test.want {
			t.Errorf("%q: %q, want %q", test.replace[1], changes, test.want)
		}
	}
}

func TestUnified(t *testing.T) {
	a := strings.Split("a b c d e f g h i j k l m n", " ")
	b := strings.Split("a b c X e f g h i j k m n o", " ")
	want := "@@ -2,5 +2,5 @@\n b\n c\n-d\n+X\n e\n f\n@@ -10,5 +10,5 @@\n j\n k\n-l\n m\n n\n+o\n"
	if got := unified(a, b, edits(a, b), 100); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if got := unified(a, b, edits(a, b), 3); got != "@@ -2,5 +2,5 @@\n b\n c\n... 11 more lines\n" {
		t.Errorf("cut: %s", got)
	}
}

// Edits, applied to the old lines, give the new ones.
func TestEdits(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	random := func() []string {
		lines := make([]string, rng.IntN(12))
		for i := range lines {
			lines[i] = string(rune('a' + rng.IntN(4)))
		}
		return lines
	}
	for range 2000 {
		a, b := random(), random()
		var got []string
		at := 0
		for _, e := range edits(a, b) {
			got = append(append(got, a[at:e.oldFrom]...), b[e.newFrom:e.newTo]...)
			at = e.oldTo
		}
		if got = append(got, a[at:]...); !slices.Equal(got, b) {
			t.Fatalf("%v to %v gives %v", a, b, got)
		}
	}
}
