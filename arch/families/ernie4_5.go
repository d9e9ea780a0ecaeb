package families

import "github.com/hlocc/hlocc/arch"

// ernie4_5 is Ernie4_5ForCausalLM of transformers: Llama with interleaved rotary
// positions.
var ernie4_5 = arch.Family{
	Name:          "ernie4_5",
	Title:         "ERNIE 4.5 0.3B",
	Architectures: []string{"Ernie4_5ForCausalLM", "Ernie4_5_ForCausalLM"},
	Quirks:        []string{"rotary pairs are neighbours", "head_dim is 128 unless given", "use_bias adds biases to all linear layers of the blocks"},
	Proof:         []string{"ernie4_5", "ernie4_5_bias"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 2, maxPositions: 131072, normEps: 1e-5, theta: 500000, headDim: 128, tied: true, interleaved: true})
		bias := c.Bool("use_bias", false)
		s.Attention.Bias, s.MLP.Bias = allBiases(bias), bias
		return s
	},
	Weights: hubWeights,
}
