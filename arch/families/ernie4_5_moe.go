package families

import "github.com/hlocc/hlocc/arch"

// ernie4_5MoE is Ernie4_5_MoeForCausalLM of transformers.
var ernie4_5MoE = arch.Family{
	Name:          "ernie4_5_moe",
	Title:         "ERNIE 4.5 21B-A3B, 300B-A47B",
	Architectures: []string{"Ernie4_5_MoeForCausalLM"},
	Quirks: []string{"rotary pairs are neighbours", "moe_layer_start_index, moe_layer_end_index, moe_layer_interval: which layers have experts",
		"a correction is added to the scores for the choice only", "weights are divided by their sum, or by moe_norm_min if that is more",
		"moe_num_shared_experts: as one unit that all tokens use", "use_bias adds biases to all linear layers but the experts', and to the head",
		"layers for multi-token prediction are left out"},
	Proof: []string{"ernie4_5_moe", "ernie4_5_moe_bias"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 4, maxPositions: 131072, normEps: 1e-5, theta: 500000, tied: true, interleaved: true})
		bias := c.Bool("use_bias", false)
		s.Attention.Bias, s.MLP.Bias, s.Head.Bias = allBiases(bias), bias, bias
		m := &arch.MoE{
			Intermediate: c.Int("moe_intermediate_size", 1536, 1, arch.MaxInter), Activation: s.MLP.Activation,
			Router: arch.Router{Scoring: arch.SoftmaxAll, Correction: true, Normalize: true, NormFloor: c.Float("moe_norm_min", 1e-12, 1e-30, 1e6)},
		}
		expertCounts(c, m, 64, []string{"moe_num_experts", "num_experts"}, 6, "moe_k", "num_experts_per_tok")
		if n := c.Int("moe_num_shared_experts", 2, 0, arch.MaxExperts); n > 0 {
			m.SharedIntermediate, m.SharedBias = n*m.Intermediate, bias
		}
		first, last := c.Int("moe_layer_start_index", 1, 0, arch.MaxLayers), c.Int("moe_layer_end_index", -1, -1, arch.MaxLayers)
		if last == -1 {
			last = len(s.Layers) - 1
		}
		interval := c.Int("moe_layer_interval", 1, 1, arch.MaxLayers)
		onlyString(c, "moe_gate", "experts are chosen by another rule", "topk", "top2_fused", "top2")
		// How Paddle trains and places experts, and heads for further tokens.
		c.Known("moe_capacity", "moe_use_aux_free", "moe_group", "moe_use_hard_gate", "moe_dropout_prob", "num_nextn_predict_layers", "sequence_parallel")
		mixture(s, m, func(i int) bool { return (i+1)%interval == 0 && i >= first && i <= last })
		return s
	},
	Weights: hub.with(func(l *layout) {
		l.moe = hubExperts.with(func(n *expertNames) {
			n.correction = []string{"mlp.moe_statics.e_score_correction_bias", "mlp.gate.moe_statics.e_score_correction_bias"}
			n.correctionInRows = true
		}).weights
	}).weights,
	Ignored: []arch.Ignored{{Tensor: "model.mtp_*", Reason: "multi-token prediction: guesses of further tokens, which plain decoding does not use"}},
}
