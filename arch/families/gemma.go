package families

import (
	"math"

	"github.com/hlocc/hlocc/arch"
)

// gemma is GemmaForCausalLM of transformers: Llama with norms of weight 1 + w, a
// scaled embedding and a GELU.
var gemma = arch.Family{
	Name:          "gemma",
	Title:         "Gemma 1, CodeGemma",
	Architectures: []string{"GemmaForCausalLM"},
	Quirks: []string{"norms multiply by 1 + weight", "embeddings are multiplied by the square root of hidden_size",
		"hidden_act gelu means the approximation by tanh, as does a missing key; hidden_activation does not count", "head_dim is 256 unless given",
		"attention_bias adds biases to q, k, v and o"},
	Proof: []string{"gemma"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := gemmaSpec(c, defaults{kvHeads: 16, maxPositions: 8192})
		if s.MLP.Activation == arch.GELU {
			s.MLP.Activation = arch.GELUTanh
		}
		c.Known("hidden_activation")
		return s
	},
	Weights: hubWeights,
}

// gemmaSpec is what all generations of Gemma share.
func gemmaSpec(c *arch.Config, d defaults) *arch.Spec {
	d.normEps, d.headDim, d.tied, d.act = 1e-6, 256, true, "gelu_pytorch_tanh"
	if d.theta == 0 {
		d.theta = 10000
	}
	s, _ := decoder(c, d)
	s.Embed.Scale = math.Sqrt(float64(s.Hidden))
	s.Norm.UnitOffset = true
	attentionBias(c, s, false)
	onlyBool(c, "use_bidirectional_attention", false, "attention in both directions is not supported")
	return s
}
