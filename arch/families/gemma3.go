package families

import "github.com/hlocc/hlocc/arch"

// gemma3Text is Gemma3ForCausalLM of transformers: Gemma 2 with normalized heads
// instead of soft caps, five windowed layers for each other one, and rotary
// frequencies of their own for those.
var gemma3Text = arch.Family{
	Name:          "gemma3_text",
	Title:         "Gemma 3 (text), 270M and 1B",
	Architectures: []string{"Gemma3ForCausalLM"},
	Quirks: []string{"as gemma2, with each head of q and k normalized (1 + weight)",
		"every sliding_window_pattern-th layer (6) sees everything and has rope_theta (1000000) and rope_scaling, the others sliding_window positions and rope_local_base_freq (10000); or as layer_types and rope_parameters say",
		"attn_logit_softcapping does not count"},
	Proof: []string{"gemma3"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := gemmaSpec(c, gemma3Defaults)
		gemma2Block(c, s)
		normalizeHeads(s)
		c.Known("attn_logit_softcapping") // the class keeps it and does not use it
		s.Head.Softcap = softcap(c, "final_logit_softcapping", 0)
		sliding := slidingLayers(c, s, fullEvery(c.Int("sliding_window_pattern", 6, 1, arch.MaxLayers)))
		slidingWindow(c, s, 4096, sliding)
		ropeByType(s, sliding)
		return s
	},
	Weights: aroundNorm.weights,
}

var gemma3Defaults = defaults{kvHeads: 4, maxPositions: 131072, names: map[string]string{"hidden_act": "hidden_activation"},
	ropeTypes: []arch.RoPEType{
		{Type: "full_attention", Theta: 1000000, ThetaKey: "rope_theta", Scaling: "rope_scaling"},
		{Type: "sliding_attention", Theta: 10000, ThetaKey: "rope_local_base_freq"},
	}}
