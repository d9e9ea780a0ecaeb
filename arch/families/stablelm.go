package families

import "github.com/hlocc/hlocc/arch"

// stablelm is StableLmForCausalLM of transformers: LayerNorm with biases, a
// quarter of each head rotated.
var stablelm = arch.Family{
	Name:          "stablelm",
	Title:         "StableLM 3B, StableLM 2 1.6B and 12B, Stable Code",
	Architectures: []string{"StableLmForCausalLM"},
	Quirks: []string{"LayerNorm with biases", "partial_rotary_factor (0.25) of each head is rotated", "use_qkv_bias adds biases to q, k and v",
		"qk_layernorm normalizes q and k, each head with a tensor of its own", "use_parallel_residual: attention and MLP read the same norm"},
	Proof: []string{"stablelm", "stablelm_12b", "stablelm_parallel"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 32, maxPositions: 4096, normEps: 1e-5, theta: 10000, partial: 0.25,
			names: map[string]string{"rms_norm_eps": "layer_norm_eps"}})
		wholeHeads(c, s)
		s.Norm.Kind, s.Norm.Bias = arch.LayerNorm, true
		bias := c.Bool("use_qkv_bias", false)
		s.Attention.Bias = arch.AttnBias{Q: bias, K: bias, V: bias}
		if c.Bool("qk_layernorm", false) {
			s.Attention.QKNorm = &arch.QKNorm{Kind: arch.LayerNorm, Eps: s.Norm.Eps, Over: arch.OverHeadOwn}
		}
		if c.Bool("use_parallel_residual", false) {
			s.Block = arch.Block{Parallel: true, SharedNorm: true, AttnNorm: true}
		}
		// The code of the first checkpoints read these; the class has biases and
		// unscaled frequencies whatever they say.
		c.Known("use_norm_bias")
		if c.Float("rotary_scaling_factor", 1, 0, 1e6) != 1 {
			c.Refuse("rotary_scaling_factor", "scaled rotary frequencies are not supported under this key")
		}
		return s
	},
	Weights: hub.with(func(l *layout) {
		l.qNorm, l.kNorm = "self_attn.q_layernorm.norms.#", "self_attn.k_layernorm.norms.#"
	}).weights,
}
