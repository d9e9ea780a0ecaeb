package families

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/detmath"
)

// hunyuan is HunYuanDenseV1ForCausalLM of transformers: Llama with queries and
// keys normalized after their rotation, and a rotary base stretched by alpha.
var hunyuan = arch.Family{
	Name:          "hunyuan_v1_dense",
	Title:         "Hunyuan 0.5B, 1.8B, 4B and 7B",
	Architectures: []string{"HunYuanDenseV1ForCausalLM"},
	Quirks: []string{"q and k are normalized after rotation", "rope_scaling of type dynamic with alpha: theta * alpha^(d/(d-2)) at every length",
		"attention_bias adds biases to q, k, v and o"},
	Proof: []string{"hunyuan_dense"},
	Spec: func(c *arch.Config) *arch.Spec {
		s, rope := decoder(c, defaults{maxPositions: 2048, normEps: 1e-5, theta: 10000,
			ropeKeys: []string{"alpha", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"}})
		hunyuanRoPE(c, &s.RoPE[0], rope)
		attentionBias(c, s, false)
		s.Attention.QKNorm = &arch.QKNorm{Kind: arch.RMSNorm, Eps: s.Norm.Eps, Over: arch.OverHead, AfterRoPE: true}
		onlyBool(c, "use_qk_norm", true, "queries and keys are normalized in models of this family")
		onlyBool(c, "use_cla", false, "layers that share keys and values are not supported")
		onlyBool(c, "use_rotary_pos_emb", true, "models without rotary positions are not supported")
		onlyBool(c, "add_classification_head", false, "a head for classification is not supported")
		onlyString(c, "norm_type", "only RMSNorm is supported for this family", "rms", "hf_rms", "fused")
		if n := c.Int("attention_head_dim", s.Attention.HeadDim, 1, arch.MaxHeadDim); n != s.Attention.HeadDim {
			c.Invalid("attention_head_dim", fmt.Sprintf("head_dim (%d)", s.Attention.HeadDim), fmt.Sprint(n))
		}
		c.Known("cla_share_factor", // only with use_cla
			"class_num", "dense_list", "pool_type", // of the classification head
			"org_vocab_size", "im_end_id", "im_newline_id", "im_start_id", "image_token_id", "mask_init_id", "pad_id", "text_end_id", "text_start_id",
			"video_end_id", "video_start_id", "eod_token_id")
		return s
	},
	Weights: hub.with(func(l *layout) { l.qNorm, l.kNorm = "self_attn.query_layernorm", "self_attn.key_layernorm" }).weights,
}

// hunyuanRoPE resolves alpha, which stretches the rotary base: transformers'
// compute_ntk_alpha_rope_parameters. The other keys of the object have no use there.
func hunyuanRoPE(c *arch.Config, r *arch.RoPE, object string) {
	alpha := c.Float(object+".alpha", 0, 0, 1e12)
	if r.Kind != arch.RoPEDynamic || alpha == 0 {
		return
	}
	d := float64(r.Dims)
	r.Theta *= detmath.Pow(alpha, d/(d-2))
	r.Kind, r.Factor, r.OriginalMaxPositions = arch.RoPEDefault, 0, 0
}
