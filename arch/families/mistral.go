package families

import "github.com/hlocc/hlocc/arch"

// mistral is MistralForCausalLM of transformers: Llama with one sliding window
// for all layers.
var mistral = arch.Family{
	Name:          "mistral",
	Title:         "Mistral 7B, Nemo, Small",
	Architectures: []string{"MistralForCausalLM"},
	Quirks:        []string{"sliding_window holds for all layers; null means none, and a missing key 4096"},
	Proof:         []string{"mistral"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 8, maxPositions: 4096 * 32, normEps: 1e-6, theta: 10000})
		allLayersWindow(c, s, 4096)
		return s
	},
	Weights: hubWeights,
}

// allLayersWindow reads sliding_window for all layers; absent is the class
// default for a missing key, 0 for none.
func allLayersWindow(c *arch.Config, s *arch.Spec, absent int) {
	if c.IsNull("sliding_window") {
		return
	}
	if window := c.Int("sliding_window", absent, 1, maxWindow); window > 0 {
		windows(s, window, func(int) bool { return true })
	}
}
