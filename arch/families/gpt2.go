package families

import "github.com/hlocc/hlocc/arch"

// gpt2 is GPT2LMHeadModel of transformers: learned positions, LayerNorm and
// biases everywhere, an MLP without a gate, weights stored [in,out].
var gpt2 = arch.Family{
	Name:          "gpt2",
	Title:         "GPT-2, DistilGPT-2, DialoGPT",
	Architectures: []string{"GPT2LMHeadModel"},
	Quirks: []string{"learned positions", "LayerNorm and linear layers with biases", "MLP without a gate, 4 * n_embd wide unless n_inner says otherwise",
		"q, k and v are one tensor, and linear layers are stored [in,out]", "tensors with or without transformer. before their names"},
	Proof: []string{"gpt2"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 1024, normEps: 1e-5, tied: true, act: "gelu_new", noRoPE: true, fourfold: true,
			names: map[string]string{"hidden_size": "n_embd", "num_hidden_layers": "n_layer", "num_attention_heads": "n_head", "intermediate_size": "n_inner",
				"max_position_embeddings": "n_positions", "rms_norm_eps": "layer_norm_epsilon", "hidden_act": "activation_function"}})
		wholeHeads(c, s)
		ownKVHeads(c, s)
		s.Norm.Kind, s.Norm.Bias = arch.LayerNorm, true
		s.Attention.Bias, s.MLP.Bias, s.MLP.Plain = allBiases(true), true, true
		s.Embed.Positions = s.MaxPositions
		if !c.Bool("scale_attn_weights", true) {
			s.Attention.Scale = 1
		}
		c.Known("n_ctx", "n_special", "predict_special_tokens", // of the first versions
			"reorder_and_upcast_attn", // float32 scores, which is what we compute
			"summary_type", "summary_use_proj", "summary_proj_to_labels", "summary_first_dropout", "summary_activation")
		return s
	},
	Weights: gpt2Layout.weights,
	Names:   []arch.Naming{{{"transformer.", ""}}},
	Ignored: []arch.Ignored{{Tensor: "*.attn.bias", Reason: "the causal mask, a constant of old attention code"}},
}

var gpt2Layout = layout{
	embed: "transformer.wte", positions: "transformer.wpe", norm: "transformer.ln_f", head: "lm_head", layer: "transformer.h.*.",
	attnNorm: "ln_1", mlpNorm: "ln_2", o: "attn.c_proj", up: "mlp.c_fc", down: "mlp.c_proj",
	attention: func(r *rules) { r.qkv("attn.c_attn", 1) }, conv1d: true,
}
