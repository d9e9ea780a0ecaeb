package families

import "github.com/hlocc/hlocc/arch"

// cohere is CohereForCausalLM of transformers: attention and MLP side by side
// behind one LayerNorm, interleaved rotary positions, scaled logits.
var cohere = arch.Family{
	Name:          "cohere",
	Title:         "Command R, Command R+, Aya 23 and Aya Expanse",
	Architectures: []string{"CohereForCausalLM"},
	Quirks: []string{"attention and MLP read the same LayerNorm, which has no bias", "rotary pairs are neighbours", "logits are multiplied by logit_scale",
		"use_qk_norm normalizes q and k, each head with weights of its own", "attention_bias adds biases to q, k, v and o"},
	Proof: []string{"cohere", "cohere_bias"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := cohereSpec(c, 500000)
		if c.Bool("use_qk_norm", false) {
			s.Attention.QKNorm = &arch.QKNorm{Kind: arch.LayerNorm, Eps: s.Norm.Eps, Over: arch.OverHeadOwn}
		}
		return s
	},
	Weights: hubWeights,
}

func cohereSpec(c *arch.Config, theta float64) *arch.Spec {
	s, _ := decoder(c, defaults{maxPositions: 8192, normEps: 1e-5, theta: theta, tied: true, interleaved: true, names: map[string]string{"rms_norm_eps": "layer_norm_eps"}})
	s.Norm.Kind = arch.LayerNorm
	s.Block = arch.Block{Parallel: true, SharedNorm: true, AttnNorm: true}
	attentionBias(c, s, false)
	s.Head.Scale = c.Float("logit_scale", 0.0625, 1e-9, 1e9)
	return s
}
