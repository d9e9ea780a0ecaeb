package families

import "github.com/hlocc/hlocc/arch"

// internlm2 is InternLM2ForCausalLM, whose code comes with its checkpoints: Llama
// with names of its own and one tensor for q, k and v.
var internlm2 = arch.Family{
	Name:          "internlm2",
	Title:         "InternLM 2 and 2.5",
	Architectures: []string{"InternLM2ForCausalLM"},
	Quirks:        []string{"q, k and v are one tensor, KV head by KV head", "names of its own", "bias (true) is for q, k, v and o"},
	Proof:         []string{"internlm2"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, _ := decoder(c, defaults{maxPositions: 2048, normEps: 1e-6, theta: 10000})
		wholeHeads(c, s)
		s.Attention.Bias = allBiases(c.Bool("bias", true))
		return s
	},
	Weights: layout{
		embed: "model.tok_embeddings", norm: "model.norm", head: "output", layer: "model.layers.*.",
		attnNorm: "attention_norm", mlpNorm: "ffn_norm", o: "attention.wo", gate: "feed_forward.w1", up: "feed_forward.w3", down: "feed_forward.w2",
		attention: func(r *rules) { r.qkv("attention.wqkv", r.spec.Attention.KVHeads) },
	}.weights,
}
