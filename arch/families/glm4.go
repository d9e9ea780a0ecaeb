package families

import "github.com/hlocc/hlocc/arch"

// glm4 is Glm4ForCausalLM of transformers: GLM with norms also after attention
// and MLP.
var glm4 = arch.Family{
	Name:          "glm4",
	Title:         "GLM-4 0414 9B and 32B, GLM-Z1",
	Architectures: []string{"Glm4ForCausalLM"},
	Quirks:        []string{"norms before and after attention and MLP", "partial interleaved rotary positions, biases and fused tensors as in glm"},
	Proof:         []string{"glm4"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := glmSpec(c)
		s.Block.AttnPostNorm, s.Block.MLPPostNorm = true, true
		return s
	},
	Weights: glmLayout.with(func(l *layout) {
		l.attnPostNorm, l.mlpPostNorm = "post_self_attn_layernorm", "post_mlp_layernorm"
	}).weights,
}
