package families

import "github.com/hlocc/hlocc/arch"

// arcee is ArceeForCausalLM of transformers: Llama with an MLP without a gate.
var arcee = arch.Family{
	Name:          "arcee",
	Title:         "Arcee AFM 4.5B",
	Architectures: []string{"ArceeForCausalLM"},
	Quirks:        []string{"MLP without a gate, of squared ReLU", "attention_bias adds biases to q, k, v and o", "mlp_bias adds biases to up and down"},
	Proof:         []string{"arcee"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 4096, normEps: 1e-5, theta: 10000, act: "relu2"})
		attentionBias(c, s, false)
		s.MLP.Plain, s.MLP.Bias = true, c.Bool("mlp_bias", false)
		return s
	},
	Weights: hubWeights,
}
