package families

import "github.com/hlocc/hlocc/arch"

// exaone4 is Exaone4ForCausalLM of transformers: norms after attention and MLP,
// normalized heads; where some layers have windows, the others have no rotary
// positions.
var exaone4 = arch.Family{
	Name:          "exaone4",
	Title:         "EXAONE 4.0",
	Architectures: []string{"Exaone4ForCausalLM"},
	Quirks: []string{"norms after attention and MLP, none before", "each head of q and k is normalized before rotation",
		"with sliding_window, layers that see everything have no rotary positions; every sliding_window_pattern-th (4) is one, or as layer_types says"},
	Proof: []string{"exaone4_1b", "exaone4_32b"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 32, maxPositions: 2048, normEps: 1e-5, theta: 10000})
		s.Block = onlyPostNorm
		normalizeHeads(s)
		if c.IsNull("sliding_window") {
			c.Known("sliding_window_pattern")
			slidingWindow(c, s, 0, slidingLayers(c, s, func(int) bool { return false }))
			return s
		}
		sliding := slidingLayers(c, s, exaone4Pattern(c))
		slidingWindow(c, s, 4096, sliding)
		withoutRoPE(s, func(i int) bool { return !sliding[i] })
		return s
	},
	Weights: postNorm.weights,
}

// exaone4Pattern reads sliding_window_pattern. Beside layer_types it does not
// count; alone, letters such as LLLG are not understood by transformers either.
func exaone4Pattern(c *arch.Config) func(layer int) bool {
	if c.Has("layer_types") {
		c.Known("sliding_window_pattern")
		return fullEvery(1)
	}
	return fullEvery(c.Int("sliding_window_pattern", 4, 1, arch.MaxLayers))
}
