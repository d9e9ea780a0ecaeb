package families

import "github.com/hlocc/hlocc/arch"

// graniteMoE is GraniteMoeForCausalLM of transformers: Granite with experts, whose
// weights are the softmax of the scores of the chosen ones.
var graniteMoE = arch.Family{
	Name:          "granitemoe",
	Title:         "Granite 3 MoE (1B-A400M, 3B-A800M)",
	Architectures: []string{"GraniteMoeForCausalLM"},
	Quirks: []string{"the multipliers of granite", "router: softmax over the chosen experts", "gate and up projections of all experts are one tensor",
		"attention_bias adds biases to q, k, v and o"},
	Proof: []string{"granitemoe"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-6, theta: 10000})
		attentionBias(c, s, false)
		graniteScales(c, s)
		m := &arch.MoE{Intermediate: s.MLP.Intermediate, Activation: s.MLP.Activation, Router: arch.Router{Scoring: arch.SoftmaxChosen}}
		expertCounts(c, m, 8, []string{"num_local_experts"}, 2, "num_experts_per_tok")
		mixture(s, m, everyLayer)
		return s
	},
	Weights: hub.with(func(l *layout) { l.moe = graniteExperts.weights }).weights,
}

var graniteExperts = expertNames{
	router:  []string{"block_sparse_moe.router.layer", "block_sparse_moe.router"},
	experts: []string{"block_sparse_moe.experts"},
	fused:   [2]string{"block_sparse_moe.input_linear.weight", "block_sparse_moe.output_linear.weight"},
}
