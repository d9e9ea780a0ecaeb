package families

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
)

// nemotron is NemotronForCausalLM of transformers: LayerNorm of weight 1 + w, half
// of each head rotated, an MLP without a gate.
var nemotron = arch.Family{
	Name:          "nemotron",
	Title:         "Nemotron 3 and 4, Minitron",
	Architectures: []string{"NemotronForCausalLM"},
	Quirks: []string{"LayerNorm with 1 + weight and a bias", "partial_rotary_factor (0.5) of each head is rotated", "MLP without a gate, of squared ReLU",
		"attention_bias adds biases to q, k, v and o, mlp_bias to up and down"},
	Proof: []string{"nemotron", "nemotron_bias"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 4096, normEps: 1e-5, theta: 10000, act: "relu2", partial: 0.5,
			names: map[string]string{"rms_norm_eps": "norm_eps"}})
		s.Norm.Kind, s.Norm.UnitOffset, s.Norm.Bias = arch.LayerNorm, true, true
		attentionBias(c, s, false)
		s.MLP.Plain, s.MLP.Bias = true, c.Bool("mlp_bias", false)
		// The name that NeMo has for head_dim; the class does not read it.
		if n := s.Attention.HeadDim; c.Int("kv_channels", n, 1, arch.MaxHeadDim) != n {
			c.Invalid("kv_channels", fmt.Sprintf("%d, the width of a head by head_dim or hidden_size", n), "another")
		}
		return s
	},
	Weights: hubWeights,
}
