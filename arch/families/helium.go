package families

import "github.com/hlocc/hlocc/arch"

// helium is HeliumForCausalLM of transformers: Llama with interleaved rotary pairs.
var helium = arch.Family{
	Name:          "helium",
	Title:         "Helium 1 2B",
	Architectures: []string{"HeliumForCausalLM"},
	Quirks: []string{"rotary pairs are neighbours", "rope_theta is 100000 and head_dim 128 unless given",
		"attention_bias adds biases to q, k and v, mlp_bias to gate, up and down"},
	Proof: []string{"helium"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 20, maxPositions: 4096, normEps: 1e-8, theta: 100000, headDim: 128, interleaved: true})
		wholeHeads(c, s) // its output projection is [hidden,hidden]
		attentionBias(c, s, false)
		s.Attention.Bias.O = false
		s.MLP.Bias = c.Bool("mlp_bias", false)
		return s
	},
	Weights: hubWeights,
}
