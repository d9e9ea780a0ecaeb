package families

import "github.com/hlocc/hlocc/arch"

// internlm3 is InternLM3ForCausalLM (remote code of internlm/internlm3-8b): Llama
// with its own names for the biases and dynamic NTK scaling, which inside the
// trained context is plain rotary embedding. transformers 5 has its configuration
// class, whose defaults these are, and runs and saves it as LlamaForCausalLM.
var internlm3 = arch.Family{
	Name:          "internlm3",
	Title:         "InternLM 3",
	Architectures: []string{"InternLM3ForCausalLM", "LlamaForCausalLM"},
	Quirks: []string{"qkv_bias (attention_bias) adds biases to q, k and v; bias (mlp_bias) adds them to o, gate, up and down",
		"dynamic NTK scaling is served up to max_position_embeddings, where it is exact"},
	Proof: []string{"internlm3", "internlm3_bias_limit"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 2, maxPositions: 32768, normEps: 1e-5, theta: 10000, headDim: 128})
		qkv, rest := sameBool(c, "qkv_bias", "attention_bias"), sameBool(c, "bias", "mlp_bias")
		s.Attention.Bias = arch.AttnBias{Q: qkv, K: qkv, V: qkv, O: rest}
		s.MLP.Bias = rest
		return s
	},
	Weights: hubWeights,
}
