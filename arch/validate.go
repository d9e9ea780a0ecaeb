package arch

import (
	"errors"
	"fmt"
	"math"
)

// Bounds that no published model reaches; they keep every product of sizes in an
// int64 and every index in an int32.
const (
	maxVocab   = 1 << 24
	maxHidden  = 1 << 20
	maxInter   = 1 << 22
	maxLayers  = 10_000
	maxHeads   = 1 << 14
	maxHeadDim = 1 << 13
)

// Validate checks that the fields of s agree with each other. A Spec from Open
// is valid; code that makes one by hand should call it.
func (s *Spec) Validate() error {
	var errs []error
	check := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("spec: "+format, args...))
		}
	}
	size := func(name string, n, most int) { check(n >= 1 && n <= most, "%s is %d, want 1..%d", name, n, most) }
	finite := func(name string, f float64) {
		check(f > 0 && !math.IsInf(f, 0), "%s is %v, want a positive number", name, f)
	}
	size("vocab", s.Vocab, maxVocab)
	size("hidden", s.Hidden, maxHidden)
	size("heads", s.Heads, maxHeads)
	size("kv_heads", s.KVHeads, maxHeads)
	size("head_dim", s.HeadDim, maxHeadDim)
	size("max_positions", s.MaxPositions, maxContext)
	size("mlp.intermediate", s.MLP.Intermediate, maxInter)
	size("the number of layers", len(s.Layers), maxLayers)
	check(s.KVHeads < 1 || s.Heads%s.KVHeads == 0, "heads %d is no multiple of kv_heads %d", s.Heads, s.KVHeads)
	check(s.HeadDim%2 == 0, "head_dim %d is odd", s.HeadDim)
	check(s.Norm.Kind == RMSNorm, "unknown norm %q", s.Norm.Kind)
	finite("norm.eps", s.Norm.Eps)
	finite("attn_scale", s.AttnScale)
	check(s.MLP.Activation == SiLU, "unknown activation %q", s.MLP.Activation)
	for i, l := range s.Layers {
		check(l.Window >= 0, "layers[%d].window is negative", i)
	}
	if q := s.QueryScale; q != nil {
		check(q.Original >= 1 && !math.IsNaN(q.Beta) && !math.IsInf(q.Beta, 0), "query_scale is out of range")
	}
	r := s.RoPE
	finite("rope.theta", r.Theta)
	finite("rope.attention_factor", r.AttentionFactor)
	switch r.Kind {
	case RoPEDefault:
	case RoPELinear, RoPEDynamic:
		finite("rope.factor", r.Factor)
	case RoPELlama3:
		finite("rope.factor", r.Factor)
		finite("rope.low_freq_factor", r.LowFreqFactor)
		check(r.HighFreqFactor > r.LowFreqFactor, "rope.high_freq_factor must be larger than rope.low_freq_factor")
		size("rope.original_max_positions", r.OriginalMaxPositions, maxContext)
	case RoPEYarn:
		finite("rope.factor", r.Factor)
		finite("rope.beta_fast", r.BetaFast)
		finite("rope.beta_slow", r.BetaSlow)
		check(r.Theta != 1, "rope.theta is 1")
		size("rope.original_max_positions", r.OriginalMaxPositions, maxContext)
	default:
		check(false, "unknown rope kind %q", r.Kind)
	}
	return errors.Join(errs...)
}

// KVBytes is the size in bytes of the key and value cache of one sequence for
// the given number of positions, in float32.
func (s *Spec) KVBytes(positions int) int64 {
	return 2 * 4 * int64(len(s.Layers)) * int64(s.KVHeads) * int64(s.HeadDim) * int64(positions)
}
