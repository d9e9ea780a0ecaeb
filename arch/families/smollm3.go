package families

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
)

// smollm3 is SmolLM3ForCausalLM of transformers: Llama of which some layers have
// no rotary positions.
var smollm3 = arch.Family{
	Name:          "smollm3",
	Title:         "SmolLM 3",
	Architectures: []string{"SmolLM3ForCausalLM"},
	Quirks: []string{"no_rope_layers: 0 marks layers without rotary positions; by default every no_rope_layer_interval-th (4)",
		"use_sliding_window: those layers see a window (or as layer_types says)", "attention_bias adds biases to q, k, v and o, mlp_bias to gate, up and down"},
	Proof: []string{"smollm3", "smollm3_window"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 4, maxPositions: 32768, normEps: 1e-6, theta: 2000000, tied: true})
		attentionBias(c, s, false)
		s.MLP.Bias = c.Bool("mlp_bias", false)
		// The class has no pretraining_tp, and max_window_layers does not count.
		c.Known("pretraining_tp", "max_window_layers")
		rope := smollm3RoPE(c, len(s.Layers))
		withoutRoPE(s, func(i int) bool { return !rope[i] })
		use := c.Bool("use_sliding_window", false) && c.Has("sliding_window")
		sliding := slidingLayers(c, s, func(i int) bool { return use && !rope[i] })
		slidingWindow(c, s, 0, sliding)
		return s
	},
	Weights: hubWeights,
}

// smollm3RoPE says which layers are rotated. The list may be longer than needed.
func smollm3RoPE(c *arch.Config, layers int) []bool {
	interval := c.Int("no_rope_layer_interval", 4, 1, arch.MaxLayers)
	flags := c.Ints("no_rope_layers", 0, 1)
	if flags != nil && len(flags) < layers {
		c.Invalid("no_rope_layers", fmt.Sprintf("at least %d elements", layers), fmt.Sprint(len(flags)))
		flags = nil
	}
	rope := make([]bool, layers)
	for i := range rope {
		rope[i] = (i+1)%interval != 0
		if flags != nil {
			rope[i] = flags[i] == 1
		}
	}
	return rope
}
