package families

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
)

// qwen2 is Qwen2ForCausalLM of transformers: Llama with biases on q, k and v,
// and optional sliding windows on the upper layers.
var qwen2 = arch.Family{
	Name:          "qwen2",
	Title:         "Qwen 1.5, 2, 2.5 and their distillations",
	Architectures: []string{"Qwen2ForCausalLM"},
	Quirks: []string{"q, k and v always have biases",
		"use_sliding_window: layers from max_window_layers on see a window (or as layer_types says)"},
	Proof: []string{"qwen2", "qwen2_sw"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := qwen2Spec(c)
		if !c.Bool("attention_bias", true) {
			c.Refuse("attention_bias", "models of this family always have biases on q, k and v")
		}
		return s
	},
	Weights: hubWeights,
}

func qwen2Spec(c *arch.Config) *arch.Spec {
	s, _ := decoder(c, defaults{kvHeads: 32, maxPositions: 32768, normEps: 1e-6, theta: 10000})
	s.Attention.Bias = arch.AttnBias{Q: true, K: true, V: true}
	qwenWindows(c, s)
	return s
}

// qwenWindows reads the windows as Qwen2Config and Qwen3Config do: those of the
// layers from max_window_layers on.
func qwenWindows(c *arch.Config, s *arch.Spec) {
	first := c.Int("max_window_layers", 28, 0, arch.MaxLayers)
	qwenLayerWindows(c, s, func(i int) bool { return i >= first })
}

// qwenLayerWindows reads the windows of the layers that rule names. sliding_window
// counts only with use_sliding_window; layer_types, where given, decides over the rule.
func qwenLayerWindows(c *arch.Config, s *arch.Spec, rule func(layer int) bool) {
	use := c.Bool("use_sliding_window", false) && !c.IsNull("sliding_window")
	low := 0 // what Qwen2MoeConfig writes for none
	if use {
		low = 1
	}
	window := c.Int("sliding_window", 4096, low, maxWindow)
	sliding := slidingLayers(c, s, func(i int) bool { return use && rule(i) })
	for i := range sliding {
		if sliding[i] && !use {
			c.Invalid(fmt.Sprintf("layer_types[%d]", i), "full_attention without use_sliding_window and sliding_window", "sliding_attention")
		}
	}
	windows(s, window, func(i int) bool { return sliding[i] })
}
