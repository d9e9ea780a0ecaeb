package families

import "github.com/hlocc/hlocc/arch"

// exaone is ExaoneForCausalLM (remote code of LGAI-EXAONE/EXAONE-3.5): Llama under
// the names of GPT-2.
var exaone = arch.Family{
	Name:          "exaone",
	Title:         "EXAONE 3.0, 3.5, Deep",
	Architectures: []string{"ExaoneForCausalLM"},
	Quirks:        []string{"equals Llama", "own names of keys and tensors: num_layers, layer_norm_epsilon, activation_function; transformer.h.N.mlp.c_fc_0"},
	Proof:         []string{"exaone"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-5, theta: 10000, tied: true, fourfold: true,
			names: map[string]string{"num_hidden_layers": "num_layers", "rms_norm_eps": "layer_norm_epsilon", "hidden_act": "activation_function"}})
		return s
	},
	Weights: layout{
		embed: "transformer.wte", norm: "transformer.ln_f", head: "lm_head", layer: "transformer.h.*.",
		attnNorm: "ln_1", mlpNorm: "ln_2",
		q: "attn.attention.q_proj", k: "attn.attention.k_proj", v: "attn.attention.v_proj", o: "attn.attention.out_proj",
		gate: "mlp.c_fc_0", up: "mlp.c_fc_1", down: "mlp.c_proj",
	}.weights,
	Ignored: []arch.Ignored{
		{Tensor: "*.rotary.inv_freq", Reason: "rotary frequencies follow from config.json"},
	},
}
