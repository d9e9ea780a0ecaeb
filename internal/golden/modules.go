package golden

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
)

// A module is one part of the decoder in one form: the smallest Spec that has it.
type module struct {
	name string
	part decoder.Part
	// change makes the form out of base.
	change func(s *arch.Spec)
	decode bool // one row, as in a decode step, where that is another form
}

// base is a Spec of a Llama's parts: small, and no two sizes equal that could be
// taken for one another.
func base() *arch.Spec {
	return &arch.Spec{
		Vocab: 96, Hidden: 32, MaxPositions: goldenContext,
		Norm:  arch.Norm{Kind: arch.RMSNorm, Eps: 1e-5},
		Block: arch.Block{AttnNorm: true, MLPNorm: true},
		Attention: arch.Attention{
			Heads: 4, KVHeads: 2, HeadDim: 16, Scale: 0.25,
		},
		RoPE:   []arch.RoPE{{Kind: arch.RoPEDefault, Theta: 10000, Dims: 16, AttentionFactor: 1}},
		MLP:    arch.MLP{Activation: arch.SiLU, Intermediate: 48},
		Layers: []arch.Layer{{}},
	}
}

// moe gives the Spec experts.
func moe(r arch.Router, change func(m *arch.MoE)) func(*arch.Spec) {
	return func(s *arch.Spec) {
		s.MoE = &arch.MoE{Experts: 8, TopK: 2, Intermediate: 24, Activation: arch.SiLU, Router: r}
		s.Layers[0].Sparse = true
		if change != nil {
			change(s.MoE)
		}
	}
}

func mla(queryRank int) func(*arch.Spec) {
	return func(s *arch.Spec) {
		s.Attention.KVHeads = s.Attention.Heads
		s.Attention.MLA = &arch.MLA{QRank: queryRank, KVRank: 20, NoPE: 12, RoPE: 4, Value: 10, Eps: 1e-6}
		s.RoPE[0].Dims = 4
	}
}

// qkNorm gives the Spec norms of queries and keys.
func qkNorm(n arch.QKNorm) func(*arch.Spec) {
	return func(s *arch.Spec) {
		n.Eps = 1e-6
		s.Attention.QKNorm = &n
	}
}

func activation(a arch.Activation, plain, bias bool) func(*arch.Spec) {
	return func(s *arch.Spec) { s.MLP.Activation, s.MLP.Plain, s.MLP.Bias = a, plain, bias }
}

// modules lists every form of every part.
var modules = []module{
	{name: "embed", part: decoder.PartEmbed},
	{name: "embed_scaled", part: decoder.PartEmbed, change: func(s *arch.Spec) { s.Embed.Scale = 5.5 }},
	{name: "embed_positions", part: decoder.PartEmbed, change: func(s *arch.Spec) { s.Embed.Positions = goldenContext }},

	{name: "norm_rms", part: decoder.PartNorm},
	{name: "norm_rms_unit_offset", part: decoder.PartNorm, change: func(s *arch.Spec) { s.Norm.UnitOffset = true }},
	{name: "norm_layer", part: decoder.PartNorm, change: func(s *arch.Spec) { s.Norm.Kind, s.Norm.Bias = arch.LayerNorm, true }},
	{name: "norm_layer_unit_offset", part: decoder.PartNorm, change: func(s *arch.Spec) { s.Norm = arch.Norm{Kind: arch.LayerNorm, Eps: 1e-5, UnitOffset: true, Bias: true} }},
	{name: "norm_layer_no_bias", part: decoder.PartNorm, change: func(s *arch.Spec) { s.Norm.Kind = arch.LayerNorm }},
	{name: "norm_layer_no_weight", part: decoder.PartNorm, change: func(s *arch.Spec) { s.Norm.Kind, s.Norm.NoWeight = arch.LayerNorm, true }},

	{name: "rope_halves", part: decoder.PartRoPE},
	{name: "rope_interleaved", part: decoder.PartRoPE, change: func(s *arch.Spec) { s.RoPE[0].Interleaved = true }},
	{name: "rope_partial", part: decoder.PartRoPE, change: func(s *arch.Spec) { s.RoPE[0].Dims = 6 }},
	{name: "rope_partial_interleaved", part: decoder.PartRoPE, change: func(s *arch.Spec) { s.RoPE[0].Dims, s.RoPE[0].Interleaved = 6, true }},
	{name: "rope_longrope", part: decoder.PartRoPE, change: func(s *arch.Spec) {
		s.RoPE[0].Kind, s.RoPE[0].OriginalMaxPositions = arch.RoPELong, 24
	}},

	{name: "attn_grouped", part: decoder.PartAttention},
	{name: "attn_grouped_decode", part: decoder.PartAttention, decode: true},
	{name: "attn_heads_of_their_own", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Attention.KVHeads = 4 }},
	{name: "attn_one_kv_head", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Attention.KVHeads = 1 }},
	{name: "attn_window", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Layers[0].Window = 8 }},
	{name: "attn_nope", part: decoder.PartAttention, change: func(s *arch.Spec) { s.RoPE, s.Layers[0].RoPE = nil, arch.NoRoPE }},
	{name: "attn_bias", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Attention.Bias = arch.AttnBias{Q: true, K: true, V: true, O: true} }},
	{name: "attn_clip", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Attention.Clip = 8 }},
	{name: "attn_softcap", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Attention.Softcap = 50 }},
	{name: "attn_sinks", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Attention.Sinks = true }},
	{name: "attn_query_scale", part: decoder.PartAttention, change: func(s *arch.Spec) { s.Attention.QueryScale = &arch.QueryScale{Beta: 0.1, Original: 16} }},
	{name: "attn_qk_norm_head", part: decoder.PartAttention, change: qkNorm(arch.QKNorm{Kind: arch.RMSNorm, Over: arch.OverHead})},
	{name: "attn_qk_norm_head_unit_offset", part: decoder.PartAttention, change: qkNorm(arch.QKNorm{Kind: arch.RMSNorm, Over: arch.OverHead, UnitOffset: true})},
	{name: "attn_qk_norm_head_own", part: decoder.PartAttention, change: qkNorm(arch.QKNorm{Kind: arch.LayerNorm, Over: arch.OverHeadOwn})},
	{name: "attn_qk_norm_head_bias", part: decoder.PartAttention, change: qkNorm(arch.QKNorm{Kind: arch.LayerNorm, Over: arch.OverHead, Bias: true})},
	{name: "attn_qk_norm_all", part: decoder.PartAttention, change: qkNorm(arch.QKNorm{Kind: arch.RMSNorm, Over: arch.OverAll})},
	{name: "attn_qk_norm_after_rope", part: decoder.PartAttention, change: qkNorm(arch.QKNorm{Kind: arch.RMSNorm, Over: arch.OverHead, AfterRoPE: true})},
	{name: "attn_latent", part: decoder.PartAttention, change: mla(0)},
	{name: "attn_latent_query", part: decoder.PartAttention, change: mla(14)},
	{name: "attn_latent_decode", part: decoder.PartAttention, change: mla(14), decode: true},

	{name: "mlp_silu", part: decoder.PartMLP},
	{name: "mlp_silu_decode", part: decoder.PartMLP, decode: true},
	{name: "mlp_gelu", part: decoder.PartMLP, change: activation(arch.GELU, false, false)},
	{name: "mlp_gelu_tanh", part: decoder.PartMLP, change: activation(arch.GELUTanh, false, false)},
	{name: "mlp_plain_gelu_tanh_bias", part: decoder.PartMLP, change: activation(arch.GELUTanh, true, true)},
	{name: "mlp_plain_relu2", part: decoder.PartMLP, change: activation(arch.ReLU2, true, false)},
	{name: "mlp_plain_xielu", part: decoder.PartMLP, change: activation(arch.XIELU, true, false)},

	{name: "moe_softmax_all", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxAll, Normalize: true}, nil)},
	{name: "moe_softmax_chosen", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxChosen}, nil)},
	{name: "moe_decode", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxChosen}, nil), decode: true},
	{name: "moe_many_experts", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxAll}, func(m *arch.MoE) { m.Experts = 16 })},
	{name: "moe_sigmoid_groups", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.Sigmoid, Correction: true, Groups: 4, TopGroups: 2,
		GroupScore: arch.GroupTop2, Normalize: true, NormEps: 1e-20, Scale: 2.5}, func(m *arch.MoE) { m.SharedIntermediate = 24 })},
	{name: "moe_softmax_groups", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxAll, Groups: 4, TopGroups: 2, GroupScore: arch.GroupMax, Scale: 16}, nil)},
	{name: "moe_norm_floor", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxAll, Correction: true, Normalize: true, NormFloor: 1e-12}, nil)},
	{name: "moe_shared_gate", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxAll}, func(m *arch.MoE) { m.SharedIntermediate, m.SharedGate = 40, true })},
	{name: "moe_shared_bias", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxAll}, func(m *arch.MoE) { m.SharedIntermediate, m.SharedBias = 40, true })},
	{name: "moe_swiglu_clamped_bias", part: decoder.PartMoE, change: moe(arch.Router{Scoring: arch.SoftmaxChosen, Bias: true}, func(m *arch.MoE) {
		m.Activation, m.Limit, m.Bias = arch.SwiGLUClamped, 7, true
	})},

	{name: "layer_sequential", part: decoder.PartLayer},
	{name: "layer_post_norms", part: decoder.PartLayer, change: func(s *arch.Spec) {
		s.Block = arch.Block{AttnNorm: true, AttnPostNorm: true, MLPNorm: true, MLPPostNorm: true}
	}},
	{name: "layer_only_post_norms", part: decoder.PartLayer, change: func(s *arch.Spec) { s.Block = arch.Block{AttnPostNorm: true, MLPPostNorm: true} }},
	{name: "layer_parallel", part: decoder.PartLayer, change: func(s *arch.Spec) { s.Block.Parallel = true }},
	{name: "layer_parallel_shared_norm", part: decoder.PartLayer, change: func(s *arch.Spec) {
		s.Block = arch.Block{Parallel: true, SharedNorm: true, AttnNorm: true}
	}},
	{name: "layer_residual_scale", part: decoder.PartLayer, change: func(s *arch.Spec) { s.Block.ResidualScale = 0.22 }},

	{name: "head", part: decoder.PartHead},
	{name: "head_tied", part: decoder.PartHead, change: func(s *arch.Spec) { s.Head.Tied = true }},
	{name: "head_bias", part: decoder.PartHead, change: func(s *arch.Spec) { s.Head.Bias = true }},
	{name: "head_scale_softcap", part: decoder.PartHead, change: func(s *arch.Spec) { s.Head.Scale, s.Head.Softcap = 0.0625, 30 }},
}

func moduleFiles() ([]File, error) {
	var files []File
	for _, m := range modules {
		s := base()
		if m.change != nil {
			m.change(s)
		}
		o := decoder.Options{Kind: decoder.Prefill, Bucket: goldenBucket, Context: goldenContext, Rows: goldenContext + goldenBucket - 1, Weight: rowMajor}
		if m.decode {
			o.Kind, o.Bucket = decoder.Decode, 0
		}
		g, err := decoder.BuildPart(s, o, m.part)
		if err != nil {
			return nil, fmt.Errorf("module %s: %w", m.name, err)
		}
		text, err := printed(g)
		if err != nil {
			return nil, fmt.Errorf("module %s: %w", m.name, err)
		}
		files = append(files, File{modulesDir + "/" + m.name + ".mlir", text})
	}
	return files, nil
}

// rowMajor is the storage of a weight where it is not what is looked at.
func rowMajor(string) decoder.Stored { return decoder.Stored{DType: ir.BF16} }
