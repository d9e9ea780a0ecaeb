package families

import "github.com/hlocc/hlocc/arch"

// seedOSS is SeedOssForCausalLM of transformers: Qwen2 with heads of its own size.
var seedOSS = arch.Family{
	Name:          "seed_oss",
	Title:         "Seed-OSS 36B",
	Architectures: []string{"SeedOssForCausalLM"},
	Quirks: []string{"equals Qwen2", "attention_bias (true) adds biases to q, k and v, attention_out_bias to o, mlp_bias to gate, up and down",
		"head_dim is 128 unless given"},
	Proof: []string{"seed_oss"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 8, maxPositions: 524288, normEps: 1e-6, theta: 10000, headDim: 128})
		attentionBias(c, s, true)
		s.Attention.Bias.O = c.Bool("attention_out_bias", false)
		s.MLP.Bias = c.Bool("mlp_bias", false)
		return s
	},
	Weights: hubWeights,
}
