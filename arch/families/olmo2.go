package families

import "github.com/hlocc/hlocc/arch"

// olmo2 is Olmo2ForCausalLM of transformers: norms after attention and MLP
// instead of before, and normalized queries and keys.
var olmo2 = arch.Family{
	Name:          "olmo2",
	Title:         "OLMo 2",
	Architectures: []string{"Olmo2ForCausalLM"},
	Quirks: []string{"norms after attention and MLP, none before", "q and k are normalized over all heads together",
		"attention_bias adds biases to q, k, v and o"},
	Proof:   []string{"olmo2"},
	Spec:    func(c *arch.Config) *arch.Spec { return olmo2Spec(c, defaults{theta: 10000}) },
	Weights: postNorm.weights,
}

// postNorm has the names of families with norms after attention and MLP only.
var postNorm = hub.with(func(l *layout) {
	l.attnPostNorm, l.mlpPostNorm = "post_attention_layernorm", "post_feedforward_layernorm"
})

// onlyPostNorm is the block of those families.
var onlyPostNorm = arch.Block{AttnPostNorm: true, MLPPostNorm: true}

func olmo2Spec(c *arch.Config, d defaults) *arch.Spec {
	d.maxPositions, d.normEps = 2048, 1e-5
	s, _ := decoder(c, d)
	s.Block = onlyPostNorm
	normalizeHeads(s)
	s.Attention.QKNorm.Over = arch.OverAll
	attentionBias(c, s, false)
	return s
}
