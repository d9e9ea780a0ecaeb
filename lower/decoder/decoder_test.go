package decoder

import (
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

func smol(layers int) *arch.Spec {
	return &arch.Spec{Vocab: 49152, Hidden: 576, Heads: 9, KVHeads: 3, HeadDim: 64, MaxPositions: 8192,
		Norm: arch.Norm{Kind: arch.RMSNorm, Eps: 1e-5}, AttnScale: 0.125,
		MLP: arch.MLP{Activation: arch.SiLU, Intermediate: 1536}, Layers: make([]arch.Layer, layers), TiedHead: true}
}

func TestTmpPrint(t *testing.T) {
	for _, o := range []Options{{Kind: Decode, Context: 2048, Rows: 2560}, {Kind: Prefill, Bucket: 512, Context: 2048, Rows: 2560}} {
		o.Weight = func(string) Stored { return Stored{ir.BF16, 0} }
		g, err := Build(smol(2), o)
		if err != nil {
			t.Fatal(err)
		}
		t.Log("\n" + g.String())
	}
}
