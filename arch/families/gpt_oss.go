package families

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
)

// gptOSS is GptOssForCausalLM of transformers.
var gptOSS = arch.Family{
	Name:          "gpt_oss",
	Title:         "GPT-OSS 20B, 120B",
	Architectures: []string{"GptOssForCausalLM"},
	Quirks: []string{"attention sinks: a learned score per head that takes part in the softmax", "every second layer sees a window (or as layer_types says)",
		"YaRN without rounding, of factor 32 unless given", "router: softmax over the chosen experts", "clamped SwiGLU, biases in all linear layers",
		"gate and up rows of an expert take turns in one tensor", "experts may be stored in MXFP4 blocks; they become bf16, which holds them exactly"},
	Proof: []string{"gpt_oss", "gpt_oss_mxfp4", "gpt_oss_plain"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, rope := decoder(c, defaults{kvHeads: 8, maxPositions: 131072, normEps: 1e-5, theta: 150000, headDim: 64})
		if !c.Has(rope) {
			s.RoPE[0] = gptOSSYarn(s.RoPE[0])
		}
		c.Known("initial_context_length") // what rope_scaling says as original_max_position_embeddings
		attentionBias(c, s, true)
		s.Attention.Sinks = true
		slidingWindow(c, s, 128, slidingLayers(c, s, func(i int) bool { return i%2 == 0 }))
		// The experts' unit is the same whatever hidden_act says.
		m := &arch.MoE{
			Intermediate: s.MLP.Intermediate, Activation: arch.SwiGLUClamped, Limit: c.Float("swiglu_limit", 7, 1e-6, 1e6), Bias: true,
			Router: arch.Router{Scoring: arch.SoftmaxChosen, Bias: true},
		}
		if alpha := c.Float("swiglu_alpha", 1.702, 0, 1e6); alpha != 1.702 {
			c.Refuse("swiglu_alpha", "another gain of the clamped SwiGLU than 1.702 is not supported")
		}
		expertCounts(c, m, 128, []string{"num_local_experts", "num_experts"}, 4, "num_experts_per_tok")
		if n := c.Int("experts_per_token", m.TopK, 1, arch.MaxExperts); n != m.TopK {
			c.Invalid("experts_per_token", fmt.Sprintf("num_experts_per_tok (%d), which transformers reads", m.TopK), fmt.Sprint(n))
		}
		c.MXFP4()
		mixture(s, m, everyLayer)
		return s
	},
	Weights: hub.with(func(l *layout) {
		l.moe = gptOSSExperts
		l.extra = func(r *rules) {
			r.vector("attn.sinks", "self_attn.sinks", arch.Dim{Size: r.spec.Attention.Heads, Name: "num_attention_heads"})
		}
	}).weights,
}

// gptOSSYarn is what GptOssConfig takes for a missing rope_scaling.
func gptOSSYarn(r arch.RoPE) arch.RoPE {
	r.Kind, r.Factor, r.OriginalMaxPositions = arch.RoPEYarn, 32, 4096
	r.BetaFast, r.BetaSlow, r.AttentionFactor = 32, 1, arch.YarnScale(32, 1)
	return r
}

// gptOSSExperts lists the stacked tensors of GPT-OSS: gate_up_proj [E,H,2I], whose
// columns are gate and up of each unit in turn, and down_proj [E,I,H]. As MXFP4
// blocks both are the other way round, [E,2I,H] and [E,H,I].
func gptOSSExperts(r *rules) {
	m := r.spec.MoE
	e := arch.Dim{Size: m.Experts, Name: "num_local_experts"}
	inter := arch.Dim{Size: m.Intermediate, Name: "intermediate_size"}
	both := arch.Dim{Size: 2 * m.Intermediate, Name: "2*intermediate_size"}
	r.linear("moe.router", "mlp.router", true, e, r.hidden)
	add := func(part, module string, from, step int, width, in, out arch.Dim) {
		rows := [2]int{from, e.Size * width.Size}
		tensor := r.tensor("mlp.experts." + module)
		r.add(arch.Rule{Logical: "layers.*.moe.experts." + part + ".weight", Shape: []int{e.Size, out.Size, in.Size},
			Pieces: []arch.RulePiece{{Tensor: tensor, Dims: []arch.Dim{e, in, width}, Transpose: true, Rows: rows, Step: step}},
			Or:     [][]arch.RulePiece{{{Tensor: tensor + "_blocks", Scales: tensor + "_scales", Dims: []arch.Dim{e, width, in}, Leading: 2, Rows: rows, Step: step}}},
		})
		r.add(arch.Rule{Logical: "layers.*.moe.experts." + part + ".bias", Shape: []int{e.Size, out.Size},
			Pieces: []arch.RulePiece{{Tensor: tensor + "_bias", Dims: []arch.Dim{e, width}, Leading: 2, Rows: rows, Step: step}}})
	}
	add("gate", "gate_up_proj", 0, 2, both, r.hidden, inter)
	add("up", "gate_up_proj", 1, 2, both, r.hidden, inter)
	add("down", "down_proj", 0, 1, r.hidden, inter, r.hidden)
}
