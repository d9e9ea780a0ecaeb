package arch

import (
	"errors"
	"fmt"
	"math"
)

// Bounds of a Spec's sizes. No published model comes near them; they keep every
// product of sizes in an int64.
const (
	MaxVocab     = 1 << 24
	MaxHidden    = 1 << 20
	MaxInter     = 1 << 22 // intermediate size of a feed-forward block
	MaxLayers    = 10_000
	MaxHeads     = 1 << 14
	MaxHeadDim   = 1 << 13
	MaxExperts   = 1 << 14
	MaxPositions = 1 << 27
)

// Validate checks that the fields of s agree with each other. A Spec from Open
// is valid; code that makes one by hand should call it.
func (s *Spec) Validate() error {
	v := &validator{}
	v.size("vocab", s.Vocab, MaxVocab)
	v.size("hidden", s.Hidden, MaxHidden)
	v.size("max_positions", s.MaxPositions, MaxPositions)
	v.size("the number of layers", len(s.Layers), MaxLayers)
	v.optional("embed.scale", s.Embed.Scale)
	v.check(s.Embed.Positions >= 0, "embed.positions is negative")
	v.check(s.Embed.Positions == 0 || s.MaxPositions <= s.Embed.Positions, "max_positions %d is more than embed.positions %d", s.MaxPositions, s.Embed.Positions)
	v.norm("norm", s.Norm.Kind, s.Norm.Eps)
	v.check(!s.Norm.NoWeight || !s.Norm.Bias && !s.Norm.UnitOffset, "norm.no_weight excludes norm.bias and norm.unit_offset")
	v.block(s.Block)
	v.attention(&s.Attention)
	long := 0
	for i := range s.RoPE {
		r := &s.RoPE[i]
		v.rope(fmt.Sprintf("rope[%d]", i), r, &s.Attention)
		if r.Kind == RoPELong {
			v.check(long == 0 || long == r.OriginalMaxPositions, "longrope sets in at %d and at %d positions", long, r.OriginalMaxPositions)
			long = r.OriginalMaxPositions
		}
	}
	dense, rotary := false, make([]bool, len(s.RoPE))
	for i, l := range s.Layers {
		v.check(l.Window >= 0, "layers[%d].window is negative", i)
		v.check(l.RoPE >= NoRoPE && l.RoPE < len(s.RoPE), "layers[%d].rope is %d of %d", i, l.RoPE, len(s.RoPE))
		v.check(!l.Sparse || s.MoE != nil, "layers[%d].sparse without moe", i)
		v.check(s.Attention.MLA == nil || l.RoPE != NoRoPE, "layers[%d].rope: latent attention needs rotary positions", i)
		dense = dense || !l.Sparse
		if l.RoPE >= 0 && l.RoPE < len(rotary) {
			rotary[l.RoPE] = true
		}
	}
	for i, used := range rotary {
		v.check(used, "no layer has rope[%d]", i)
	}
	if dense {
		v.size("mlp.intermediate", s.MLP.Intermediate, MaxInter)
		v.activation("mlp.activation", s.MLP.Activation)
		v.check(s.MLP.Activation != SwiGLUClamped, "mlp.activation %q is for experts", SwiGLUClamped)
	} else {
		v.check(s.MLP.Intermediate == 0, "mlp.intermediate is for dense layers, of which there are none")
	}
	if s.MoE != nil {
		v.moe(s.MoE)
	}
	v.optional("head.scale", s.Head.Scale)
	v.optional("head.softcap", s.Head.Softcap)
	return errors.Join(v.errs...)
}

type validator struct{ errs []error }

func (v *validator) check(ok bool, format string, args ...any) {
	if !ok {
		v.errs = append(v.errs, fmt.Errorf("spec: "+format, args...))
	}
}

func (v *validator) size(name string, n, most int) {
	v.check(n >= 1 && n <= most, "%s is %d, want 1..%d", name, n, most)
}

// finite wants a positive number.
func (v *validator) finite(name string, f float64) {
	v.check(f > 0 && !math.IsInf(f, 0), "%s is %v, want a positive number", name, f)
}

// optional wants a positive number or 0 for none.
func (v *validator) optional(name string, f float64) {
	v.check(f >= 0 && !math.IsInf(f, 0), "%s is %v, want a positive number, or 0 for none", name, f)
}

func (v *validator) norm(name string, kind NormKind, eps float64) {
	v.check(kind == RMSNorm || kind == LayerNorm, "unknown %s %q", name, kind)
	v.finite(name+".eps", eps)
}

func (v *validator) activation(name string, a Activation) {
	switch a {
	case SiLU, GELU, GELUTanh, ReLU2, XIELU, SwiGLUClamped:
	default:
		v.check(false, "%s: unknown activation %q", name, a)
	}
}

func (v *validator) block(b Block) {
	v.optional("block.residual_scale", b.ResidualScale)
	v.check(!b.SharedNorm || b.Parallel && b.AttnNorm && !b.MLPNorm, "block.shared_norm is for parallel blocks with attn_norm alone")
	v.check(!b.Parallel || !b.AttnPostNorm && !b.MLPPostNorm, "a parallel block has no norms after attention and MLP")
}

func (v *validator) attention(a *Attention) {
	v.size("heads", a.Heads, MaxHeads)
	v.size("kv_heads", a.KVHeads, MaxHeads)
	v.size("head_dim", a.HeadDim, MaxHeadDim)
	v.check(a.KVHeads < 1 || a.Heads%a.KVHeads == 0, "heads %d is no multiple of kv_heads %d", a.Heads, a.KVHeads)
	v.finite("attention.scale", a.Scale)
	v.optional("attention.softcap", a.Softcap)
	v.optional("attention.clip", a.Clip)
	if q := a.QueryScale; q != nil {
		v.check(q.Original >= 1 && !math.IsNaN(q.Beta) && !math.IsInf(q.Beta, 0), "query_scale is out of range")
	}
	if n := a.QKNorm; n != nil {
		v.norm("qk_norm", n.Kind, n.Eps)
		v.check(n.Over == OverHead || n.Over == OverHeadOwn || n.Over == OverAll, "unknown qk_norm.over %q", n.Over)
	}
	if m := a.MLA; m != nil {
		v.check(m.QRank >= 0 && m.QRank <= MaxHidden, "mla.q_rank is %d", m.QRank)
		v.size("mla.kv_rank", m.KVRank, MaxHidden)
		v.size("mla.nope", m.NoPE, MaxHeadDim)
		v.size("mla.rope", m.RoPE, MaxHeadDim)
		v.size("mla.value", m.Value, MaxHeadDim)
		v.finite("mla.eps", m.Eps)
		v.check(a.HeadDim == m.NoPE+m.RoPE, "head_dim %d is not mla.nope %d + mla.rope %d", a.HeadDim, m.NoPE, m.RoPE)
		v.check(a.KVHeads == a.Heads, "latent attention has as many key heads as query heads")
		v.check(!a.Bias.V && (!a.Bias.Q || m.QRank > 0), "latent attention has no bias of v, and one of q only with mla.q_rank")
		v.check(a.QKNorm == nil && a.QueryScale == nil && !a.Sinks && a.Clip == 0, "latent attention excludes qk_norm, query_scale, sinks and clip")
	}
}

func (v *validator) rope(name string, r *RoPE, a *Attention) {
	width := a.HeadDim
	if a.MLA != nil {
		width = a.MLA.RoPE
		v.check(r.Dims == width, "%s.dims is %d, want %d", name, r.Dims, width)
	}
	v.check(r.Dims >= 2 && r.Dims%2 == 0 && r.Dims <= width, "%s.dims is %d, want an even number up to %d (head_dim)", name, r.Dims, width)
	v.finite(name+".theta", r.Theta)
	v.finite(name+".attention_factor", r.AttentionFactor)
	switch r.Kind {
	case RoPEDefault:
	case RoPELinear:
		v.finite(name+".factor", r.Factor)
	case RoPEDynamic:
		v.finite(name+".factor", r.Factor)
		v.size(name+".original_max_positions", r.OriginalMaxPositions, MaxPositions)
	case RoPELlama3:
		v.finite(name+".factor", r.Factor)
		v.finite(name+".low_freq_factor", r.LowFreqFactor)
		v.check(r.HighFreqFactor > r.LowFreqFactor, "%s.high_freq_factor must be larger than low_freq_factor", name)
		v.size(name+".original_max_positions", r.OriginalMaxPositions, MaxPositions)
	case RoPEYarn:
		v.finite(name+".factor", r.Factor)
		v.finite(name+".beta_fast", r.BetaFast)
		v.finite(name+".beta_slow", r.BetaSlow)
		v.check(r.Theta != 1, "%s.theta is 1", name)
		v.size(name+".original_max_positions", r.OriginalMaxPositions, MaxPositions)
	case RoPELong:
		v.size(name+".original_max_positions", r.OriginalMaxPositions, MaxPositions)
		for _, f := range [][]float64{r.ShortFactors, r.LongFactors} {
			v.check(len(f) == r.Dims/2, "%s has %d factors for %d frequencies", name, len(f), r.Dims/2)
			for _, x := range f {
				v.finite(name+" factor", x)
			}
		}
	default:
		v.check(false, "%s: unknown rope kind %q", name, r.Kind)
	}
}

func (v *validator) moe(m *MoE) {
	v.size("moe.experts", m.Experts, MaxExperts)
	v.size("moe.intermediate", m.Intermediate, MaxInter)
	v.check(m.TopK >= 1 && m.TopK <= m.Experts, "moe.top_k is %d of %d", m.TopK, m.Experts)
	v.activation("moe.activation", m.Activation)
	v.check((m.Activation == SwiGLUClamped) == (m.Limit > 0), "moe.limit is for %s", SwiGLUClamped)
	v.check(m.Activation != SwiGLUClamped || m.SharedIntermediate == 0, "moe.shared_intermediate: %s has no shared expert", SwiGLUClamped)
	v.check(m.SharedIntermediate >= 0 && m.SharedIntermediate <= MaxInter, "moe.shared_intermediate is %d", m.SharedIntermediate)
	v.check(!m.SharedGate && !m.SharedBias || m.SharedIntermediate > 0, "moe.shared_gate or moe.shared_bias without shared_intermediate")
	r := m.Router
	switch r.Scoring {
	case SoftmaxAll, SoftmaxChosen, Sigmoid:
	default:
		v.check(false, "unknown router.scoring %q", r.Scoring)
	}
	v.optional("router.scale", r.Scale)
	v.optional("router.norm_eps", r.NormEps)
	v.optional("router.norm_floor", r.NormFloor)
	if r.Groups > 1 {
		v.check(m.Experts%r.Groups == 0, "moe.experts %d is no multiple of router.groups %d", m.Experts, r.Groups)
		v.check(r.TopGroups >= 1 && r.TopGroups <= r.Groups, "router.top_groups is %d of %d", r.TopGroups, r.Groups)
		v.check(m.TopK <= r.TopGroups*(m.Experts/r.Groups), "moe.top_k %d is more than the chosen groups hold", m.TopK)
		v.check(r.GroupScore == GroupMax || r.GroupScore == GroupTop2 && m.Experts/r.Groups >= 2, "router.group_score %q does not fit", r.GroupScore)
	}
}

// KVBytes is the size in bytes of the key and value cache of one sequence for
// the given number of positions, in float32. Latent attention keeps the latent
// vector and the rotated part of the key, once for all heads.
func (s *Spec) KVBytes(positions int) int64 {
	a := &s.Attention
	row := 2 * int64(a.KVHeads) * int64(a.HeadDim)
	if a.MLA != nil {
		row = int64(a.MLA.KVRank + a.MLA.RoPE)
	}
	return 4 * int64(len(s.Layers)) * row * int64(positions)
}
