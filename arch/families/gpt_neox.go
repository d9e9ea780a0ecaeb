package families

import "github.com/hlocc/hlocc/arch"

// gptNeoX is GPTNeoXForCausalLM of transformers: LayerNorm and biases, attention
// and MLP side by side behind a norm each, a quarter of each head rotated.
var gptNeoX = arch.Family{
	Name:          "gpt_neox",
	Title:         "GPT-NeoX, Pythia, Dolly 2, RedPajama INCITE",
	Architectures: []string{"GPTNeoXForCausalLM"},
	Quirks: []string{"use_parallel_residual (true): attention and MLP side by side, each behind its own LayerNorm", "rotary_pct (0.25) of each head is rotated",
		"q, k and v are one tensor, head by head", "MLP without a gate", "biases on linear layers; attention_bias false takes those of attention away"},
	Proof: []string{"gpt_neox", "gpt_neox_sequential"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, rope := decoder(c, defaults{maxPositions: 2048, normEps: 1e-5, act: "gelu",
			theta: c.Float("rotary_emb_base", 10000, 1+1e-9, 1e15), partial: c.Float("rotary_pct", 0.25, 1e-6, 1),
			names: map[string]string{"rms_norm_eps": "layer_norm_eps"}})
		// The class knows these two keys by names of its own only.
		for _, key := range [][2]string{{"rope_theta", "rotary_emb_base"}, {"partial_rotary_factor", "rotary_pct"}} {
			if c.Has(key[0]) && !c.Has(rope+"."+key[0]) {
				c.Refuse(key[0], "is called "+key[1]+" in models of this family")
			}
		}
		wholeHeads(c, s)
		ownKVHeads(c, s)
		s.Norm.Kind, s.Norm.Bias = arch.LayerNorm, true
		s.Block.Parallel = c.Bool("use_parallel_residual", true)
		s.Attention.Bias, s.MLP.Bias, s.MLP.Plain = allBiases(c.Bool("attention_bias", true)), true, true
		return s
	},
	Weights: gptNeoXLayout.weights,
	Names:   []arch.Naming{{{"embed_out.", "lm_head."}}},
	Ignored: []arch.Ignored{
		{Tensor: "gpt_neox.layers.*.attention.bias", Reason: "the causal mask, a constant of old attention code"},
		{Tensor: "gpt_neox.layers.*.attention.masked_bias", Reason: "a constant of old attention code"},
	},
}

var gptNeoXLayout = layout{
	embed: "gpt_neox.embed_in", norm: "gpt_neox.final_layer_norm", head: "embed_out", layer: "gpt_neox.layers.*.",
	attnNorm: "input_layernorm", mlpNorm: "post_attention_layernorm", o: "attention.dense", up: "mlp.dense_h_to_4h", down: "mlp.dense_4h_to_h",
	attention: func(r *rules) { r.qkv("attention.query_key_value", r.spec.Attention.Heads) },
}
