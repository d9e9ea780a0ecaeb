package families

import (
	"math"

	"github.com/hlocc/hlocc/arch"
)

// minicpm3 is MiniCPM3ForCausalLM of transformers: latent attention whose rotary
// pairs are halves, and MiniCPM's scales.
var minicpm3 = arch.Family{
	Name:          "minicpm3",
	Title:         "MiniCPM3",
	Architectures: []string{"MiniCPM3ForCausalLM"},
	Quirks: []string{"latent attention (MLA)", "scale_emb multiplies the embedding, scale_depth/sqrt(layers) the residual branches, dim_model_base/hidden_size the logits",
		"the norms of the latent vectors have an epsilon of 1e-6, whatever rms_norm_eps is", "v_head_dim is hidden_size / num_attention_heads unless given"},
	Proof: []string{"minicpm3", "minicpm3_longrope"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := latentDecoder(c, defaults{maxPositions: 32768, normEps: 1e-5, theta: 10000, tied: true, latent: latentHiddenValue})
		s.MLP.Bias = c.Bool("mlp_bias", false)
		s.Embed.Scale = c.Float("scale_emb", 12, 1e-6, 1e6)
		if !c.IsNull("scale_depth") {
			s.Block.ResidualScale = c.Float("scale_depth", 1.4, 1e-6, 1e6) / math.Sqrt(float64(len(s.Layers)))
		}
		if !c.IsNull("dim_model_base") {
			s.Head.Scale = c.Float("dim_model_base", 256, 1e-6, 1e6) / float64(s.Hidden)
		}
		return s
	},
	Weights: latentHub.weights,
}
