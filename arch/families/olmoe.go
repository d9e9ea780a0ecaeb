package families

import "github.com/hlocc/hlocc/arch"

// olmoe is OlmoeForCausalLM of transformers.
var olmoe = arch.Family{
	Name:          "olmoe",
	Title:         "OLMoE 1B-7B",
	Architectures: []string{"OlmoeForCausalLM"},
	Quirks: []string{"q and k are normalized over all heads together", "norm_topk_prob (false): the weights of the chosen experts sum to 1",
		"clip_qkv bounds q, k and v, after the norm", "attention_bias adds biases to q, k, v and o"},
	Proof: []string{"olmoe", "olmoe_clip"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 4096, normEps: 1e-5, theta: 10000})
		wholeHeads(c, s)
		attentionBias(c, s, false)
		normalizeHeads(s)
		s.Attention.QKNorm.Over = arch.OverAll
		s.Attention.Clip = c.Float("clip_qkv", 0, 1e-6, 1e6)
		m := &arch.MoE{Intermediate: s.MLP.Intermediate, Activation: s.MLP.Activation, Router: arch.Router{Scoring: arch.SoftmaxAll, Normalize: c.Bool("norm_topk_prob", false)}}
		expertCounts(c, m, 64, []string{"num_experts", "num_local_experts"}, 8, "num_experts_per_tok")
		mixture(s, m, everyLayer)
		return s
	},
	Weights: hubMixture.weights,
}

// hubMixture has the names of hub and hubExperts.
var hubMixture = hub.with(func(l *layout) { l.moe = hubExperts.weights })
