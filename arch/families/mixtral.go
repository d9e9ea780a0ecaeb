package families

import "github.com/hlocc/hlocc/arch"

// mixtral is MixtralForCausalLM of transformers: Llama with experts in place of
// the MLP.
var mixtral = arch.Family{
	Name:          "mixtral",
	Title:         "Mixtral 8x7B, 8x22B",
	Architectures: []string{"MixtralForCausalLM"},
	Quirks: []string{"the weights of the chosen experts sum to 1", "sliding_window holds for all layers",
		"tensors w1, w3 and w2 of an expert are gate, up and down"},
	Proof: []string{"mixtral", "mixtral_window"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 8, maxPositions: 4096 * 32, normEps: 1e-5, theta: 1e6})
		allLayersWindow(c, s, 0)
		m := &arch.MoE{Intermediate: s.MLP.Intermediate, Activation: s.MLP.Activation, Router: arch.Router{Scoring: arch.SoftmaxAll, Normalize: true}}
		expertCounts(c, m, 8, []string{"num_local_experts", "num_experts"}, 2, "num_experts_per_tok")
		c.Known("router_jitter_noise") // training
		mixture(s, m, everyLayer)
		return s
	},
	Weights: hub.with(func(l *layout) { l.moe = mixtralExperts.weights }).weights,
}

var mixtralExperts = expertNames{
	router:  []string{"block_sparse_moe.gate", "mlp.gate"},
	experts: []string{"block_sparse_moe.experts", "mlp.experts"}, gate: "w1", up: "w3", down: "w2",
}
