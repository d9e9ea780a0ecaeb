package families

import "github.com/hlocc/hlocc/arch"

// glm4MoE is Glm4MoeForCausalLM of transformers.
var glm4MoE = arch.Family{
	Name:          "glm4_moe",
	Title:         "GLM 4.5, 4.5-Air, 4.6",
	Architectures: []string{"Glm4MoeForCausalLM"},
	Quirks: []string{"the experts of deepseek_v3: sigmoid scores, a correction for the choice only, groups, shared experts, dense layers first",
		"partial_rotary_factor (0.5) of each head is rotated", "attention_bias adds biases to q, k and v", "use_qk_norm normalizes each head of q and k",
		"the layer for multi-token prediction is left out"},
	Proof: []string{"glm4_moe", "glm4_moe_groups"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 8, maxPositions: 131072, normEps: 1e-5, theta: 10000, partial: 0.5})
		bias := c.Bool("attention_bias", false)
		s.Attention.Bias = arch.AttnBias{Q: bias, K: bias, V: bias}
		if c.Bool("use_qk_norm", false) {
			normalizeHeads(s)
		}
		first := c.Int("first_k_dense_replace", 1, 0, arch.MaxLayers)
		deepseekV3Experts(c, s, func(layer int) bool { return layer >= first }, 1, 1, 1)
		return s
	},
	Weights: hubMixture.weights,
	Further: nextTokenLayers,
}
