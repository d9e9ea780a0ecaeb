package families

import (
	"math"

	"github.com/hlocc/hlocc/arch"
)

// ministral3 is Ministral3ForCausalLM of transformers: Mistral with YaRN and
// queries that grow with their position (the scaling of Llama 4).
var ministral3 = arch.Family{
	Name:          "ministral3",
	Title:         "Ministral 3 (text)",
	Architectures: []string{"Ministral3ForCausalLM"},
	Quirks: []string{"rope_parameters.llama_4_scaling_beta: after rotation queries are multiplied by 1 + beta*ln(1 + floor(position/original))",
		"head_dim is 128 unless given"},
	Proof: []string{"ministral3_yarn", "ministral3_far"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, rope := decoder(c, defaults{kvHeads: 8, maxPositions: 262144, normEps: 1e-5, theta: 10000, headDim: 128,
			ropeKeys: []string{"llama_4_scaling_beta", "max_position_embeddings", "original_max_position_embeddings"}})
		allLayersWindow(c, s, 0)
		if !c.Has(rope) {
			// Ministral3Config would fill in the parameters of one published model.
			c.Invalid("rope_parameters", "the rotary parameters of the model", "none")
		}
		c.Int(rope+".max_position_embeddings", 1, 1, arch.MaxPositions) // informational copy
		if c.Has(rope + ".llama_4_scaling_beta") {
			beta := c.Float(rope+".llama_4_scaling_beta", 0, -1e6, 1e6)
			original := c.Int(rope+".original_max_position_embeddings", 0, 1, math.MaxInt32)
			if original == 0 {
				c.Invalid(rope+".original_max_position_embeddings", "an integer, for llama_4_scaling_beta", "none")
			}
			if beta != 0 {
				s.Attention.QueryScale = &arch.QueryScale{Beta: beta, Original: original}
			}
		}
		return s
	},
	Weights: hubWeights,
}
