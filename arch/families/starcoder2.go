package families

import "github.com/hlocc/hlocc/arch"

// starcoder2 is Starcoder2ForCausalLM of transformers: LayerNorm with biases, an
// MLP without a gate, windows on all layers.
var starcoder2 = arch.Family{
	Name:          "starcoder2",
	Title:         "StarCoder2 3B, 7B and 15B",
	Architectures: []string{"Starcoder2ForCausalLM"},
	Quirks:        []string{"LayerNorm with biases", "MLP without a gate", "use_bias (true): biases on all linear layers", "sliding_window holds for every layer"},
	Proof:         []string{"starcoder2", "starcoder2_nobias"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{kvHeads: 2, maxPositions: 4096, normEps: 1e-5, theta: 10000, tied: true,
			act: "gelu_pytorch_tanh", names: map[string]string{"rms_norm_eps": "norm_epsilon"}})
		allLayersWindow(c, s, 0)
		s.Norm.Kind, s.Norm.Bias = arch.LayerNorm, true
		bias := c.Bool("use_bias", true)
		s.Attention.Bias, s.MLP.Bias, s.MLP.Plain = allBiases(bias), bias, true
		// Two switches of the training code, which the class does not read.
		onlyString(c, "norm_type", "only LayerNorm is supported for this family", "layer_norm")
		onlyString(c, "mlp_type", "only an MLP without a gate is supported for this family", "default")
		return s
	},
	Weights: hub.with(func(l *layout) { l.up, l.down = "mlp.c_fc", "mlp.c_proj" }).weights,
}
