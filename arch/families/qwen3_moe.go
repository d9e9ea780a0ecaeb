package families

import "github.com/hlocc/hlocc/arch"

// qwen3MoE is Qwen3MoeForCausalLM of transformers: Qwen3 with experts.
var qwen3MoE = arch.Family{
	Name:          "qwen3_moe",
	Title:         "Qwen 3 30B-A3B, 235B-A22B, Coder",
	Architectures: []string{"Qwen3MoeForCausalLM"},
	Quirks: []string{"decoder_sparse_step, mlp_only_layers: which layers have experts", "norm_topk_prob (false): the weights of the chosen experts sum to 1",
		"each head of q and k is normalized before rotation", "use_sliding_window: all layers see a window"},
	Proof: []string{"qwen3_moe", "qwen3_moe_sparse"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 4, maxPositions: 32768, normEps: 1e-6, theta: 10000})
		attentionBias(c, s, false)
		normalizeHeads(s)
		c.Known("max_window_layers") // of the other Qwens; this class does not look at it
		if c.Bool("use_sliding_window", false) {
			allLayersWindow(c, s, 4096)
		} else {
			c.Int("sliding_window", 4096, 0, maxWindow)
		}
		m := qwenMoE(c, s, 768)
		expertCounts(c, m, 128, []string{"num_experts", "num_local_experts"}, 8, "num_experts_per_tok")
		mixture(s, m, qwenSparse(c))
		return s
	},
	Weights: hubMixture.weights,
}
