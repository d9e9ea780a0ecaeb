package families

import "github.com/hlocc/hlocc/arch"

// solarOpen is SolarOpenForCausalLM of transformers: GLM 4.5's experts in every
// layer, with the attention of Llama.
var solarOpen = arch.Family{
	Name:          "solar_open",
	Title:         "Solar Open 100B",
	Architectures: []string{"SolarOpenForCausalLM"},
	Quirks: []string{"the experts of deepseek_v3 in every layer: sigmoid scores, a correction for the choice only, a shared expert",
		"attention_bias adds biases to q, k and v"},
	Proof: []string{"solar_open"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 8, maxPositions: 131072, normEps: 1e-5, theta: 1e6, headDim: 128,
			names: map[string]string{"intermediate_size": "moe_intermediate_size"}}) // there is no dense MLP
		bias := c.Bool("attention_bias", false)
		s.Attention.Bias = arch.AttnBias{Q: bias, K: bias, V: bias}
		deepseekV3Experts(c, s, everyLayer, 1, 1, 1)
		// The published config has these keys of GLM's, which the class does not read.
		c.Known("intermediate_size")
		if c.Int("first_k_dense_replace", 0, 0, arch.MaxLayers) != 0 {
			c.Refuse("first_k_dense_replace", "every layer has experts in models of this family")
		}
		return s
	},
	Weights: hubMixture.weights,
}
