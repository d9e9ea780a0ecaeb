package families

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
)

// apertus is ApertusForCausalLM of transformers: Llama with normalized queries
// and keys and an MLP of xIELU without a gate.
var apertus = arch.Family{
	Name:          "apertus",
	Title:         "Apertus 8B and 70B",
	Architectures: []string{"ApertusForCausalLM"},
	Quirks: []string{"q and k are normalized before rotation", "MLP without a gate, of xIELU, which has two learned numbers per layer",
		"llama3 rotary scaling with theta 12000000 unless given", "attention_bias adds biases to q, k, v and o"},
	Proof: []string{"apertus"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, rope := decoder(c, defaults{maxPositions: 65536, normEps: 1e-5, theta: 12e6, act: "xielu"})
		if !c.Has(rope) && !c.Has("rope_parameters") {
			// ApertusConfig then fills in the parameters of the published models,
			// whatever rope_theta is.
			if theta := s.RoPE[0].Theta; theta != 12e6 {
				c.Invalid("rope_theta", "12000000, or rope_parameters", fmt.Sprint(theta))
			}
			s.RoPE[0].Kind, s.RoPE[0].Factor, s.RoPE[0].OriginalMaxPositions = arch.RoPELlama3, 8, 8192
			s.RoPE[0].LowFreqFactor, s.RoPE[0].HighFreqFactor = 1, 4
		}
		s.MLP.Plain = true
		s.Attention.QKNorm = &arch.QKNorm{Kind: arch.RMSNorm, Eps: s.Norm.Eps, Over: arch.OverHead}
		attentionBias(c, s, false)
		onlyBool(c, "qk_norm", true, "queries and keys are normalized in models of this family")
		onlyBool(c, "post_norm", false, "norms after attention and MLP are not supported for this family")
		onlyBool(c, "mlp_bias", false, "MLP biases are not supported for this family")
		return s
	},
	Weights: hub.with(func(l *layout) {
		l.attnNorm, l.mlpNorm, l.act = "attention_layernorm", "feedforward_layernorm", "mlp.act_fn"
	}).weights,
	Ignored: []arch.Ignored{
		{Tensor: "model.layers.*.mlp.act_fn.beta", Reason: "the constant 0.5 of xIELU"},
		{Tensor: "model.layers.*.mlp.act_fn.eps", Reason: "the constant -1e-6 of xIELU"},
	},
}
