package families

import (
	"math"

	"github.com/hlocc/hlocc/arch"
)

// minicpm is MiniCPMForCausalLM, whose code comes with its checkpoints: Llama
// with scaled embeddings, residuals and logits.
var minicpm = arch.Family{
	Name:          "minicpm",
	Title:         "MiniCPM 1B and 2B, MiniCPM 4 (dense attention)",
	Architectures: []string{"MiniCPMForCausalLM"},
	Quirks: []string{"embeddings are multiplied by scale_emb, residuals by scale_depth/sqrt(layers), logits by dim_model_base/hidden_size",
		"attention_bias adds biases to q, k, v and o"},
	Proof: []string{"minicpm", "minicpm_longrope"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-6, theta: 10000, tied: true})
		attentionBias(c, s, false)
		s.Embed.Scale = c.Float("scale_emb", 1, 1e-6, 1e6)
		s.Block.ResidualScale = c.Float("scale_depth", 1, 1e-6, 1e6) / math.Sqrt(float64(len(s.Layers)))
		s.Head.Scale = c.Float("dim_model_base", 1, 1e-6, 1e6) / float64(s.Hidden)
		if n := c.Int("mup_denominator", len(s.Layers), 1, arch.MaxLayers); n != len(s.Layers) {
			c.Refuse("mup_denominator", "residuals scaled by another number than that of the layers are not supported")
		}
		if c.Has("sparse_config") {
			c.Refuse("sparse_config", "sparse attention is not supported for this family")
		}
		return s
	},
	Weights: hubWeights,
}
