package families

import "github.com/hlocc/hlocc/arch"

// phi3 is Phi3ForCausalLM of transformers: Llama with fused projections, one
// window for all layers, and LongRoPE.
var phi3 = arch.Family{
	Name:          "phi3",
	Title:         "Phi 3, 3.5 and 4 (text)",
	Architectures: []string{"Phi3ForCausalLM"},
	Quirks: []string{"q, k and v are one tensor, and so are gate and up", "sliding_window holds for all layers; missing or null means none",
		"longrope: sequences longer than original_max_position_embeddings use other rotary frequencies, at all positions"},
	Proof: []string{"phi3", "phi3_longrope", "phi3_longrope_long"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 4096, normEps: 1e-5, theta: 10000, partial: 1, original: 4096,
			ropeAliases: map[string]arch.RoPEKind{"su": arch.RoPELong, "yarn": arch.RoPELong}})
		switch kind := s.RoPE[0].Kind; kind {
		case arch.RoPEDefault, arch.RoPELong:
		default:
			c.Invalid("rope_scaling", "longrope (or su), the only scaling of this family", string(kind))
		}
		allLayersWindow(c, s, 0)
		return s
	},
	Weights: hub.with(func(l *layout) {
		l.attention = func(r *rules) { r.qkv("self_attn.qkv_proj", 1) }
		l.mlp = func(r *rules) { r.gateUp("mlp.gate_up_proj") }
	}).weights,
}
