package families

import "github.com/hlocc/hlocc/arch"

// olmo is OlmoForCausalLM of transformers: Llama with a LayerNorm that has no
// weights.
var olmo = arch.Family{
	Name:          "olmo",
	Title:         "OLMo 1 and 1.7",
	Architectures: []string{"OlmoForCausalLM"},
	Quirks: []string{"LayerNorm without weight and bias, of epsilon 1e-5", "clip_qkv bounds queries, keys and values",
		"attention_bias adds biases to q, k, v and o"},
	Proof: []string{"olmo"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-5, theta: 10000})
		s.Norm = arch.Norm{Kind: arch.LayerNorm, Eps: 1e-5, NoWeight: true} // no key changes that
		s.Attention.Clip = c.Float("clip_qkv", 0, 1e-6, 1e9)
		attentionBias(c, s, false)
		return s
	},
	Weights: hubWeights,
}
