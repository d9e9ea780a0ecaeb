package families

import "github.com/hlocc/hlocc/arch"

// qwen3 is Qwen3ForCausalLM of transformers: Qwen2 without biases, with
// normalized queries and keys.
var qwen3 = arch.Family{
	Name:          "qwen3",
	Title:         "Qwen 3 (dense)",
	Architectures: []string{"Qwen3ForCausalLM"},
	Quirks: []string{"each head of q and k is normalized before rotation", "head_dim is 128 unless given", "attention_bias adds biases to q, k, v and o",
		"use_sliding_window as in qwen2"},
	Proof: []string{"qwen3", "qwen3_yarn", "qwen3_window"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 32, maxPositions: 32768, normEps: 1e-6, theta: 10000, headDim: 128})
		attentionBias(c, s, false)
		normalizeHeads(s)
		qwenWindows(c, s)
		return s
	},
	Weights: hubWeights,
}

// normalizeHeads normalizes each head of queries and keys as the residual stream
// is, with one weight for all of them.
func normalizeHeads(s *arch.Spec) {
	s.Attention.QKNorm = &arch.QKNorm{Kind: s.Norm.Kind, Eps: s.Norm.Eps, Over: arch.OverHead, UnitOffset: s.Norm.UnitOffset, Bias: s.Norm.Bias}
}
