package families

import "github.com/hlocc/hlocc/arch"

// cohere2 is Cohere2ForCausalLM of transformers: Cohere, in which most layers see
// a window and only they have rotary positions.
var cohere2 = arch.Family{
	Name:          "cohere2",
	Title:         "Command R7B, Command A",
	Architectures: []string{"Cohere2ForCausalLM"},
	Quirks: []string{"every sliding_window_pattern-th layer (4) sees everything and has no rotary positions (or as layer_types says)",
		"one LayerNorm, parallel block, interleaved rotary pairs and logit_scale as in cohere"},
	Proof: []string{"cohere2"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := cohereSpec(c, 10000)
		sliding := slidingLayers(c, s, fullEvery(c.Int("sliding_window_pattern", 4, 1, arch.MaxLayers)))
		slidingWindow(c, s, 4096, sliding)
		withoutRoPE(s, func(i int) bool { return !sliding[i] })
		// Switches of the training code, which the class does not read.
		onlyBool(c, "use_parallel_block", true, "attention and MLP are side by side in models of this family")
		onlyBool(c, "use_gated_activation", true, "an MLP without a gate is not supported for this family")
		onlyBool(c, "use_embedding_sharing", s.Head.Tied, "contradicts tie_word_embeddings")
		onlyString(c, "position_embedding_type", "only rotary positions of interleaved pairs are supported for this family", "rope_gptj")
		onlyString(c, "order_of_interleaved_layers", "layers with a window come first in models of this family", "local_attn_first")
		if c.Float("rotary_pct", 1, 0, 1) != 1 {
			c.Refuse("rotary_pct", "rotating a part of each head is not supported for this family")
		}
		c.Known("layer_switch", "max_input_length", "use_parallel_embedding")
		return s
	},
	Weights: hubWeights,
}
