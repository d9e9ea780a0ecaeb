package decoder

import (
	"bytes"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

// small is a Spec with biases, scaled queries and a window on one of its layers.
func small() *arch.Spec {
	return &arch.Spec{
		Vocab: 64, Hidden: 32, MaxPositions: 128,
		Norm:  arch.Norm{Kind: arch.RMSNorm, Eps: 1e-5},
		Block: arch.Block{AttnNorm: true, MLPNorm: true},
		Attention: arch.Attention{
			Heads: 4, KVHeads: 2, HeadDim: 8, Scale: 0.25,
			QueryScale: &arch.QueryScale{Beta: 0.1, Original: 16},
			Bias:       arch.AttnBias{Q: true, K: true, V: true, O: true},
		},
		RoPE:   []arch.RoPE{{Kind: arch.RoPEDefault, Theta: 10000, Dims: 8, AttentionFactor: 1}},
		MLP:    arch.MLP{Activation: arch.SiLU, Intermediate: 48, Bias: true},
		Layers: []arch.Layer{{}, {Window: 8}},
	}
}

func bf16Blocks(string) Stored { return Stored{DType: ir.BF16, Block: 16} }

func options(kind Kind, bucket int) Options {
	return Options{Kind: kind, Bucket: bucket, Context: 64, Rows: CacheRows(64, []int{bucket}, true), Weight: bf16Blocks}
}

func batch(n int) Options {
	o := options(Decode, 1)
	o.Batch = n
	return o
}

func text(t *testing.T, s *arch.Spec, o Options) string {
	t.Helper()
	g, err := portable(s, o)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if _, err := stablehlo.Print(&b, g, stablehlo.Options{}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// The roles of a graph are the contract with the runtime.
func TestRoles(t *testing.T) {
	kv := []string{"kv.0.k", "kv.0.v", "kv.1.k", "kv.1.v"}
	for _, test := range []struct {
		opts   Options
		inputs []string
	}{
		{options(Decode, 0), []string{"token", "position"}},
		{options(Prefill, 16), []string{"tokens", "start", "length"}},
		{batch(3), []string{"token", "position"}},
	} {
		g, err := portable(small(), test.opts)
		if err != nil {
			t.Fatal(err)
		}
		var inputs, results []string
		for _, a := range g.Args() {
			inputs = append(inputs, a.Op().(ir.Argument).Role)
		}
		for _, r := range g.Results() {
			results = append(results, r.Role)
		}
		if got, want := strings.Join(inputs, " "), strings.Join(append(test.inputs, kv...), " "); got != want {
			t.Errorf("%s: inputs %s, want %s", g.Name(), got, want)
		}
		if got, want := strings.Join(results, " "), "next_id logits "+strings.Join(kv, " "); got != want {
			t.Errorf("%s: results %s, want %s", g.Name(), got, want)
		}
		for i, a := range g.Args()[len(test.inputs):] {
			if alias := a.Op().(ir.Argument).Alias; alias != 2+i {
				t.Errorf("%s: %s is updated as result %d, want %d", g.Name(), a.Name(), alias, 2+i)
			}
		}
	}
}

// What the program does not depend on must not be in its text: numbers that are
// parameters, the order of a map, windows that hide nothing.
func TestTextIsAFunctionOfTheProgram(t *testing.T) {
	for _, o := range []Options{options(Decode, 0), options(Prefill, 16), batch(3)} {
		want := text(t, small(), o)
		for range 5 {
			if text(t, small(), o) != want {
				t.Fatalf("%s: two builds differ", o.Name())
			}
		}
		s := small()
		s.RoPE[0] = arch.RoPE{Kind: arch.RoPEYarn, Theta: 5e5, Factor: 8, Dims: 8}
		s.Attention.QueryScale.Beta = 0.7
		s.MaxPositions = 4096
		s.Layers[0].Window = 64 // as wide as the context
		if text(t, s, o) != want {
			t.Errorf("%s: parameters or a window without effect change the text", o.Name())
		}
		s.Layers[0].Window = 63
		if text(t, s, o) == want {
			t.Errorf("%s: a window with effect does not change the text", o.Name())
		}
		for _, bad := range []string{"custom_call", "dense_resource", "dense<\""} {
			if strings.Contains(want, bad) {
				t.Errorf("%s: text contains %s", o.Name(), bad)
			}
		}
	}
}

func TestErrorsNameThePlace(t *testing.T) {
	s := small()
	s.MLP.Activation = "sine"
	_, err := Build(s, options(Decode, 0))
	if err == nil || !strings.Contains(err.Error(), "layers.0.mlp") || !strings.Contains(err.Error(), "sine") {
		t.Errorf("unknown activation: %v", err)
	}
	if _, err := Build(small(), options("encode", 4)); err == nil || !strings.Contains(err.Error(), "encode") {
		t.Errorf("unknown kind: %v", err)
	}
}

func TestCacheRows(t *testing.T) {
	for _, test := range []struct {
		context int
		buckets []int
		batched bool
		want    int
	}{{64, nil, false, 64}, {64, nil, true, 65}, {64, []int{1}, false, 64}, {64, []int{32, 8}, true, 95}} {
		if got := CacheRows(test.context, test.buckets, test.batched); got != test.want {
			t.Errorf("CacheRows(%d, %v, %t) = %d, want %d", test.context, test.buckets, test.batched, got, test.want)
		}
	}
}
