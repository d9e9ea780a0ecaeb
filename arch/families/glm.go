package families

import "github.com/hlocc/hlocc/arch"

// glm is GlmForCausalLM of transformers: half of each head rotated, in
// interleaved pairs; gate and up projection in one tensor.
var glm = arch.Family{
	Name:          "glm",
	Title:         "GLM-4 9B, GLM-Edge",
	Architectures: []string{"GlmForCausalLM"},
	Quirks: []string{"partial_rotary_factor (0.5) of each head is rotated, in pairs of neighbours", "attention_bias (true): q, k and v have biases",
		"head_dim is 128 unless given", "gate and up are one tensor"},
	Proof:   []string{"glm"},
	Spec:    glmSpec,
	Weights: glmLayout.weights,
}

var glmLayout = hub.with(func(l *layout) { l.mlp = func(r *rules) { r.gateUp("mlp.gate_up_proj") } })

func glmSpec(c *arch.Config) *arch.Spec {
	s, _ := decoder(c, defaults{kvHeads: 2, maxPositions: 131072, normEps: 1.5625e-7, theta: 10000, headDim: 128, partial: 0.5, interleaved: true})
	bias := c.Bool("attention_bias", true)
	s.Attention.Bias = arch.AttnBias{Q: bias, K: bias, V: bias}
	return s
}
