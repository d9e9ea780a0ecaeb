package families

import "github.com/hlocc/hlocc/arch"

// phi is PhiForCausalLM of transformers: one LayerNorm for attention and MLP side
// by side, half of each head rotated, biases everywhere.
var phi = arch.Family{
	Name:          "phi",
	Title:         "Phi 1, 1.5 and 2",
	Architectures: []string{"PhiForCausalLM"},
	Quirks: []string{"attention and MLP are parallel and share one LayerNorm", "partial_rotary_factor (0.5) of each head is rotated",
		"biases on all linear layers, the head included", "qk_layernorm normalizes each head of q and k by LayerNorm"},
	Proof: []string{"phi", "phi_qknorm"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-5, theta: 10000, act: "gelu_new", partial: 0.5,
			names: map[string]string{"rms_norm_eps": "layer_norm_eps"}})
		s.Norm.Kind, s.Norm.Bias = arch.LayerNorm, true
		s.Block = arch.Block{Parallel: true, SharedNorm: true, AttnNorm: true}
		s.Attention.Bias = allBiases(true)
		if c.Bool("qk_layernorm", false) {
			wholeHeads(c, s) // its norms are of that size
			normalizeHeads(s)
		}
		s.MLP.Plain, s.MLP.Bias, s.Head.Bias = true, true, true
		return s
	},
	Weights: hub.with(func(l *layout) {
		l.norm, l.o, l.up, l.down = "model.final_layernorm", "self_attn.dense", "mlp.fc1", "mlp.fc2"
		l.qNorm, l.kNorm = "self_attn.q_layernorm", "self_attn.k_layernorm"
	}).weights,
}
