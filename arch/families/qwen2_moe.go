package families

import "github.com/hlocc/hlocc/arch"

// qwen2MoE is Qwen2MoeForCausalLM of transformers: Qwen2 with experts, and one unit
// that all tokens use and that each opens by a gate.
var qwen2MoE = arch.Family{
	Name:          "qwen2_moe",
	Title:         "Qwen 1.5 MoE, Qwen 2 57B-A14B",
	Architectures: []string{"Qwen2MoeForCausalLM"},
	Quirks: []string{"decoder_sparse_step, mlp_only_layers: which layers have experts", "norm_topk_prob (false): the weights of the chosen experts sum to 1",
		"a shared expert, multiplied by a sigmoid gate", "qkv_bias (true): q, k and v have biases",
		"use_sliding_window: every second layer below max_window_layers sees a window, or as layer_types says"},
	Proof: []string{"qwen2_moe", "qwen2_moe_sparse"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 16, maxPositions: 32768, normEps: 1e-6, theta: 10000})
		bias := c.Bool("qkv_bias", true)
		s.Attention.Bias = arch.AttnBias{Q: bias, K: bias, V: bias}
		first := c.Int("max_window_layers", 28, 0, arch.MaxLayers)
		qwenLayerWindows(c, s, func(i int) bool { return i%2 == 0 && i < first })
		m := qwenMoE(c, s, 1408)
		expertCounts(c, m, 60, []string{"num_experts"}, 4, "num_experts_per_tok")
		m.SharedIntermediate, m.SharedGate = c.Int("shared_expert_intermediate_size", 5632, 1, arch.MaxInter), true
		mixture(s, m, qwenSparse(c))
		return s
	},
	Weights: hub.with(func(l *layout) {
		l.moe = hubExperts.with(func(n *expertNames) { n.shared, n.sharedGate = "mlp.shared_expert", "mlp.shared_expert_gate" }).weights
	}).weights,
}

// qwenMoE are the experts of Qwen's mixtures, of the given width unless it is given.
func qwenMoE(c *arch.Config, s *arch.Spec, width int) *arch.MoE {
	return &arch.MoE{
		Intermediate: c.Int("moe_intermediate_size", width, 1, arch.MaxInter), Activation: s.MLP.Activation,
		Router: arch.Router{Scoring: arch.SoftmaxAll, Normalize: c.Bool("norm_topk_prob", false)},
	}
}
