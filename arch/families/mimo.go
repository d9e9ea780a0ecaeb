package families

import (
	"math"

	"github.com/hlocc/hlocc/arch"
)

// mimo is MiMoForCausalLM (remote code of XiaomiMiMo/MiMo-7B): Qwen2 with extra
// layers that guess further tokens and that plain decoding does not use.
var mimo = arch.Family{
	Name:          "mimo",
	Title:         "MiMo 7B",
	Architectures: []string{"MiMoForCausalLM"},
	Quirks:        []string{"equals Qwen2", "num_nextn_predict_layers: the layers for multi-token prediction are left out"},
	Proof:         []string{"mimo"},
	Spec: func(c *arch.Config) *arch.Spec {
		s := qwen2Spec(c)
		bias := c.Bool("attention_bias", true)
		s.Attention.Bias = arch.AttnBias{Q: bias, K: bias, V: bias}
		c.Int("num_nextn_predict_layers", 0, 0, arch.MaxLayers)
		c.Int("num_speculative_steps", 0, 0, math.MaxInt32) // training
		return s
	},
	Weights: hubWeights,
	Ignored: []arch.Ignored{
		{Tensor: "model.mtp_layers.*", Reason: "multi-token prediction: guesses of further tokens, which plain decoding does not use"},
	},
}
