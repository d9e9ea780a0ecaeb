package families

import (
	"math"

	"github.com/hlocc/hlocc/arch"
)

// gemma2 is Gemma2ForCausalLM of transformers: Gemma with norms before and after,
// soft caps, and a window on every other layer.
var gemma2 = arch.Family{
	Name:          "gemma2",
	Title:         "Gemma 2",
	Architectures: []string{"Gemma2ForCausalLM"},
	Quirks: []string{"as gemma, with norms before and after attention and MLP", "attn_logit_softcapping (50) and final_logit_softcapping (30); null means none",
		"queries are scaled by query_pre_attn_scalar^-0.5 (256)", "every other layer from the first on sees sliding_window positions (or as layer_types says)",
		"hidden_activation counts, hidden_act does not"},
	Proof: []string{"gemma2", "gemma2_v5"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := gemmaSpec(c, gemma2Defaults)
		gemma2Block(c, s)
		s.Attention.Softcap = softcap(c, "attn_logit_softcapping", 50)
		s.Head.Softcap = softcap(c, "final_logit_softcapping", 30)
		slidingWindow(c, s, 4096, slidingLayers(c, s, fullEvery(2)))
		return s
	},
	Weights: aroundNorm.weights,
}

var gemma2Defaults = defaults{kvHeads: 4, maxPositions: 8192, names: map[string]string{"hidden_act": "hidden_activation"}}

// aroundNorm has the names of families with norms before and after.
var aroundNorm = hub.with(func(l *layout) {
	l.attnPostNorm, l.mlpNorm, l.mlpPostNorm = "post_attention_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"
})

// gemma2Block is what Gemma 2 and 3 share beyond gemmaSpec.
func gemma2Block(c *arch.Config, s *arch.Spec) {
	s.Block = arch.Block{AttnNorm: true, AttnPostNorm: true, MLPNorm: true, MLPPostNorm: true}
	s.Attention.Scale = 1 / math.Sqrt(c.Float("query_pre_attn_scalar", 256, 1e-6, 1e9))
	// The class reads neither; sliding_window_size is a copy in early configs.
	c.Known("hidden_act", "sliding_window_size")
}

// softcap reads a soft cap; null means none.
func softcap(c *arch.Config, key string, absent float64) float64 {
	if c.IsNull(key) {
		return 0
	}
	return c.Float(key, absent, 1e-6, 1e9)
}
