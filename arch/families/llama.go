package families

import "github.com/hlocc/hlocc/arch"

// llama is the baseline: LlamaForCausalLM of transformers.
var llama = arch.Family{
	Name:          "llama",
	Title:         "Llama 1, 2, 3, TinyLlama, SmolLM, Yi and others of this form",
	Architectures: []string{"LlamaForCausalLM", "LLaMAForCausalLM"},
	Quirks:        []string{"attention_bias adds biases to q, k, v and o", "mlp_bias adds biases to gate, up and down"},
	Proof:         []string{"llama", "llama3", "llama_bias_linear", "llama_f16_sharded", "llama_f32_v5", "llama_yarn", "llama_odd"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-6, theta: 10000})
		attentionBias(c, s, false)
		s.MLP.Bias = c.Bool("mlp_bias", false)
		return s
	},
	Weights: hubWeights,
}
