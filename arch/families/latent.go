package families

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/arch"
)

// latentKind says whether attention is latent, and what v_head_dim is by default.
type latentKind int

const (
	notLatent         latentKind = iota
	latentOwnValue               // v_head_dim is given
	latentHiddenValue            // hidden_size / num_attention_heads unless given
)

// latentDecoder reads a decoder whose attention is latent (MLA), with the keys and
// the scale of transformers' DeepseekV2Attention, from which the others inherit.
func latentDecoder(c *arch.Config, d defaults) *arch.Spec {
	s, rope := decoder(c, d)
	if r := &s.RoPE[0]; r.Kind == arch.RoPEYarn {
		// yarn_apply_mscale: the temperature goes into the scale; what is left of it
		// for cos and sin is RoPE.AttentionFactor.
		if all := c.Float(rope+".mscale_all_dim", 0, 0, 1e6); all != 0 {
			m := arch.YarnScale(r.Factor, all)
			s.Attention.Scale *= float64(m * m)
		}
	}
	return s
}

// latentNormEps is that of the norms of the latent vectors: they are made without
// an eps and so have the default of their class, whatever rms_norm_eps is.
const latentNormEps = 1e-6

// latent reads the dimensions of latent attention and returns how many of them are rotated.
func latent(c *arch.Config, s *arch.Spec, d defaults) (rotated int) {
	a := &s.Attention
	m := &arch.MLA{
		KVRank: c.RequiredInt("kv_lora_rank", 1, arch.MaxHidden),
		NoPE:   c.RequiredInt("qk_nope_head_dim", 1, arch.MaxHeadDim),
		RoPE:   c.RequiredInt("qk_rope_head_dim", 2, arch.MaxHeadDim),
		Eps:    latentNormEps,
	}
	if !c.IsNull("q_lora_rank") { // null: queries are projected directly
		m.QRank = c.RequiredInt("q_lora_rank", 1, arch.MaxHidden)
	}
	if m.RoPE%2 != 0 {
		c.Invalid("qk_rope_head_dim", "an even number, for rotary positions", fmt.Sprint(m.RoPE))
	}
	if value := s.Hidden / a.Heads; d.latent == latentHiddenValue && value >= 1 {
		m.Value = c.Int("v_head_dim", value, 1, arch.MaxHeadDim)
	} else {
		m.Value = c.RequiredInt("v_head_dim", 1, arch.MaxHeadDim)
	}
	c.Int("head_dim", m.RoPE, 1, math.MaxInt32) // what it is called as the width of rotary positions, or not used
	if n := c.Int("qk_head_dim", m.NoPE+m.RoPE, 1, math.MaxInt32); n != m.NoPE+m.RoPE {
		c.Invalid("qk_head_dim", fmt.Sprintf("qk_nope_head_dim + qk_rope_head_dim (%d)", m.NoPE+m.RoPE), fmt.Sprint(n))
	}
	if a.KVHeads != a.Heads {
		c.Invalid("num_key_value_heads", fmt.Sprintf("num_attention_heads (%d): all heads share one latent vector", a.Heads), fmt.Sprint(a.KVHeads))
		a.KVHeads = a.Heads
	}
	bias := c.Bool("attention_bias", false)
	a.MLA, a.HeadDim = m, m.NoPE+m.RoPE
	a.Bias = arch.AttnBias{Q: bias && m.QRank > 0, K: bias, O: bias}
	return m.RoPE
}

// latentHub has the names of DeepSeek's latent attention.
var latentHub = hub.with(func(l *layout) { l.attention = latentWeights })

func latentWeights(r *rules) {
	a := &r.spec.Attention
	m := a.MLA
	qRank := arch.Dim{Size: m.QRank, Name: "q_lora_rank"}
	kvRank := arch.Dim{Size: m.KVRank, Name: "kv_lora_rank"}
	row := arch.Dim{Size: m.KVRank + m.RoPE, Name: "kv_lora_rank+qk_rope_head_dim"}
	q := arch.Dim{Size: a.Heads * a.HeadDim, Name: "num_attention_heads*(qk_nope_head_dim+qk_rope_head_dim)"}
	up := arch.Dim{Size: a.Heads * (m.NoPE + m.Value), Name: "num_attention_heads*(qk_nope_head_dim+v_head_dim)"}
	out := arch.Dim{Size: a.Heads * m.Value, Name: "num_attention_heads*v_head_dim"}

	if m.QRank > 0 {
		r.linear("attn.q_a", "self_attn.q_a_proj", a.Bias.Q, qRank, r.hidden)
		r.vector("attn.q_a_norm.weight", "self_attn.q_a_layernorm.weight", qRank)
		r.linear("attn.q_b", "self_attn.q_b_proj", false, q, qRank)
	} else {
		r.linear("attn.q", "self_attn.q_proj", false, q, r.hidden)
	}
	r.linear("attn.kv_a", "self_attn.kv_a_proj_with_mqa", a.Bias.K, row, r.hidden)
	r.vector("attn.kv_a_norm.weight", "self_attn.kv_a_layernorm.weight", kvRank)

	// kv_b_proj has the rows of each head's keys, then those of its values.
	perHead := func(logical string, from, n int) {
		r.add(arch.Rule{Logical: "layers.*." + logical, Shape: []int{a.Heads, n, m.KVRank}, Pieces: []arch.RulePiece{{
			Tensor: r.tensor("self_attn.kv_b_proj.weight"), Dims: []arch.Dim{up, kvRank}, Rows: [2]int{from, up.Size}, Step: m.NoPE + m.Value, Run: n}}})
	}
	perHead("attn.k_up.weight", 0, m.NoPE)
	perHead("attn.v_up.weight", m.NoPE, m.Value)
	r.linear("attn.o", "self_attn.o_proj", a.Bias.O, r.hidden, out)
}
