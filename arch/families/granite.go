package families

import "github.com/hlocc/hlocc/arch"

// granite is GraniteForCausalLM of transformers: Llama with four multipliers.
var granite = arch.Family{
	Name:          "granite",
	Title:         "Granite 3 (dense)",
	Architectures: []string{"GraniteForCausalLM"},
	Quirks: []string{"embedding_multiplier, residual_multiplier, attention_multiplier (in place of head_dim^-0.5), logits are divided by logits_scaling",
		"attention_bias adds biases to q, k, v and o", "mlp_bias adds biases to gate, up and down"},
	Proof: []string{"granite", "granite_bias"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-6, theta: 10000})
		attentionBias(c, s, false)
		s.MLP.Bias = c.Bool("mlp_bias", false)
		graniteScales(c, s)
		return s
	},
	Weights: hubWeights,
}

// graniteScales reads Granite's multipliers, all 1 unless given.
func graniteScales(c *arch.Config, s *arch.Spec) {
	multiplier := func(key string) float64 { return c.Float(key, 1, 1e-9, 1e9) }
	s.Embed.Scale = multiplier("embedding_multiplier")
	s.Block.ResidualScale = multiplier("residual_multiplier")
	s.Attention.Scale = multiplier("attention_multiplier")
	s.Head.Scale = 1 / multiplier("logits_scaling")
}
