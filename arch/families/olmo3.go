package families

import "github.com/hlocc/hlocc/arch"

// olmo3 is Olmo3ForCausalLM of transformers: OLMo 2 of which three layers in four
// have windows, and the others scaled rotary frequencies.
var olmo3 = arch.Family{
	Name:          "olmo3",
	Title:         "OLMo 3",
	Architectures: []string{"Olmo3ForCausalLM"},
	Quirks: []string{"as olmo2; every fourth layer sees everything, the others sliding_window positions (or as layer_types says)",
		"rope_theta (500000) and rope_scaling hold for layers that see everything; the others have theta 500000 and no scaling, or what rope_parameters says"},
	Proof: []string{"olmo3"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := olmo2Spec(c, defaults{ropeTypes: []arch.RoPEType{
			{Type: "full_attention", Theta: 500000, ThetaKey: "rope_theta", Scaling: "rope_scaling"},
			// The class takes rope_theta for the first type and has only its default
			// left for the second.
			{Type: "sliding_attention", Theta: 500000},
		}})
		sliding := slidingLayers(c, s, fullEvery(4))
		slidingWindow(c, s, 4096, sliding)
		ropeByType(s, sliding)
		return s
	},
	Weights: postNorm.weights,
}
