package arch

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// ropeKeys lists the keys that each kind reads from rope_scaling or
// rope_parameters, besides rope_type, type and rope_theta. A key of another kind
// is refused: it would mean that somebody expects something else.
var ropeKeys = map[RoPEKind][]string{
	RoPEDefault: {},
	RoPELinear:  {"factor"},
	RoPEDynamic: {"factor"},
	RoPELlama3:  {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"},
	RoPEYarn: {"factor", "original_max_position_embeddings", "attention_factor", "beta_fast", "beta_slow",
		"mscale", "mscale_all_dim", "truncate"},
	RoPELong: {"factor", "original_max_position_embeddings", "attention_factor", "short_factor", "long_factor"},
}

// RoPEOptions is what a family adds to the common reading of rotary positions.
type RoPEOptions struct {
	HeadDim      int // width of the heads that are rotated, wholly or in part
	MaxPositions int // max_position_embeddings
	Theta        float64
	// Partial is the family's default for partial_rotary_factor, how much of each
	// head is rotated; 0 means that the family knows no such key.
	Partial     float64
	Interleaved bool
	// Aliases are the family's own names of kinds (Phi-3: su).
	Aliases map[string]RoPEKind
	// Original is the family's default for original_max_position_embeddings at the
	// top level, which transformers prefers to that of the object; 0 means none.
	Original int
	// Extra lists further keys that the family reads from the same object.
	Extra []string
}

// RoPE reads the rotary embedding in either style: rope_theta and rope_scaling
// at the top, or rope_parameters with everything (transformers 5). Rules and
// defaults are those of transformers' modeling_rope_utils. It returns the path
// of the object, for the family's extra keys, and the largest context that is
// defined exactly.
func (c *Config) RoPE(o RoPEOptions) (r RoPE, object string, context int) {
	object = "rope_scaling"
	scaling, parameters := c.nonEmptyObject("rope_scaling"), c.nonEmptyObject("rope_parameters")
	if s, p := c.find("rope_scaling"), c.find("rope_parameters"); scaling && parameters && !s.Equal(p) {
		c.fail("rope_parameters", diag.BadInput, "config_conflict", "rope_scaling and rope_parameters disagree",
			"one of them, or the same in both", ropeDifference(s, p))
	}
	if parameters {
		object = "rope_parameters"
	}
	r, context = c.ropeIn(object, "rope_theta", o)
	return r, object, context
}

// ropeIn reads one rotary embedding: its object, if there is one, and the key at
// the top that may hold its theta instead.
func (c *Config) ropeIn(object, thetaKey string, o RoPEOptions) (r RoPE, context int) {
	maxPositions := o.MaxPositions
	r = RoPE{Kind: RoPEDefault, Theta: o.Theta, Dims: o.HeadDim, Interleaved: o.Interleaved, AttentionFactor: 1}
	context = maxPositions
	c.theta(&r, object, thetaKey)
	c.partial(&r, object, o)
	c.Known("original_max_position_embeddings") // not every scaling has a use for it
	if !c.nonEmptyObject(object) {
		return r, context
	}
	kind := func(name string) RoPEKind {
		if k := o.Aliases[name]; k != "" {
			return k
		}
		return RoPEKind(name)
	}
	name := c.String(object+".rope_type", c.String(object+".type", string(RoPEDefault)))
	if t := c.String(object+".type", name); kind(t) != kind(name) {
		c.fail(object+".type", diag.BadInput, "config_conflict", "type and rope_type disagree", fmt.Sprintf("%q", name), fmt.Sprintf("%q", t))
	}
	r.Kind = kind(name)
	allowed, ok := ropeKeys[r.Kind]
	if !ok {
		c.fail(object+".rope_type", diag.Unsupported, "rope_type", "rotary embedding of this type is not supported",
			"one of default, dynamic, linear, llama3, longrope, yarn", fmt.Sprintf("%q", clip(name)))
		return r, context
	}
	c.checkRoPEKeys(object, append(append([]string{}, allowed...), o.Extra...))
	switch r.Kind {
	case RoPELinear, RoPEDynamic:
		r.Factor = c.requiredFloat(object+".factor", 1e-6, 1e6)
		if r.Kind == RoPEDynamic && r.Dims <= 2 {
			c.fail(object, diag.BadInput, "config_range", "dynamic scaling needs more than 2 dimensions per head", "", fmt.Sprint(r.Dims))
		}
		if r.Kind == RoPEDynamic {
			r.OriginalMaxPositions = maxPositions
		}
	case RoPELlama3:
		r.Factor = c.requiredFloat(object+".factor", 1e-6, 1e6)
		r.LowFreqFactor = c.requiredFloat(object+".low_freq_factor", 1e-6, 1e6)
		r.HighFreqFactor = c.requiredFloat(object+".high_freq_factor", 1e-6, 1e6)
		if r.HighFreqFactor <= r.LowFreqFactor {
			c.fail(object+".high_freq_factor", diag.BadInput, "config_range", "must be larger than low_freq_factor",
				fmt.Sprintf("more than %g", r.LowFreqFactor), fmt.Sprint(r.HighFreqFactor))
		}
		r.OriginalMaxPositions, _ = c.originalPositions(object, maxPositions)
	case RoPEYarn:
		context = c.yarn(&r, object, maxPositions)
	case RoPELong:
		c.longrope(&r, object, o)
	}
	return r, context
}

// ropeDifference names the first key, in the order of names, that two objects do
// not share: they are long, and a message is not.
func ropeDifference(scaling, parameters *strictjson.Value) string {
	keys := append(slices.Clone(scaling.Keys), parameters.Keys...)
	slices.Sort(keys)
	for _, k := range keys {
		if s, p := scaling.Get(k), parameters.Get(k); !s.Equal(p) {
			return fmt.Sprintf("%s: %s in rope_scaling, %s in rope_parameters", clip(k), valueText(s), valueText(p))
		}
	}
	return ""
}

func valueText(v *strictjson.Value) string {
	if v == nil {
		return "absent"
	}
	return v.String()
}

// theta reads rope_theta from the object or, under a key of its own, from the top level.
func (c *Config) theta(r *RoPE, object, key string) {
	const low, high = 1 + 1e-9, 1e15
	outer := c.Float(key, r.Theta, low, high)
	inner := c.Float(object+".rope_theta", outer, low, high)
	if c.Has(key) && inner != outer {
		c.fail(object+".rope_theta", diag.BadInput, "config_conflict", "differs from "+key, fmt.Sprint(outer), fmt.Sprint(inner))
	}
	r.Theta = inner
}

// partial reads partial_rotary_factor: the share of each head that is rotated.
func (c *Config) partial(r *RoPE, object string, o RoPEOptions) {
	const key = "partial_rotary_factor"
	if o.Partial == 0 {
		c.only(key, 1, "rotating a part of each head is not supported for this family")
		c.only(object+"."+key, 1, "rotating a part of each head is not supported for this family")
		return
	}
	share := c.Float(object+"."+key, c.Float(key, o.Partial, 1e-6, 1), 1e-6, 1)
	r.Dims = int(float64(o.HeadDim) * share)
	if r.Dims < 2 || r.Dims%2 != 0 {
		c.Invalid(key, fmt.Sprintf("an even number of dimensions of a head of %d", o.HeadDim), fmt.Sprint(r.Dims))
		r.Dims = 2
	}
}

// yarn reads the keys of YaRN (https://arxiv.org/abs/2309.00071) with the
// defaults of transformers, and returns the context that it defines.
func (c *Config) yarn(r *RoPE, object string, maxPositions int) int {
	original, explicit := c.originalPositions(object, maxPositions)
	r.OriginalMaxPositions = original
	if c.find(object+".factor") == nil {
		c.fail(object+".factor", diag.BadInput, "config_key", "missing key", "a number", "")
	}
	r.Factor = c.Float(object+".factor", float64(maxPositions)/float64(original), 1e-6, 1e6)
	// "or": 0 counts as absent.
	if r.BetaFast = c.Float(object+".beta_fast", 0, 0, 1e9); r.BetaFast == 0 {
		r.BetaFast = 32
	}
	if r.BetaSlow = c.Float(object+".beta_slow", 0, 0, 1e9); r.BetaSlow == 0 {
		r.BetaSlow = 1
	}
	r.Truncate = c.Bool(object+".truncate", true)
	mscale := c.Float(object+".mscale", 0, 0, 1e6)
	mscaleAll := c.Float(object+".mscale_all_dim", 0, 0, 1e6)
	switch {
	case c.Has(object + ".attention_factor"):
		r.AttentionFactor = c.Float(object+".attention_factor", 1, 1e-6, 1e6)
	case mscale != 0 && mscaleAll != 0:
		r.AttentionFactor = YarnScale(r.Factor, mscale) / YarnScale(r.Factor, mscaleAll)
	default:
		r.AttentionFactor = YarnScale(r.Factor, 1)
	}
	if !explicit {
		return maxPositions
	}
	// Configs exist with max_position_embeddings before and after scaling.
	return max(maxPositions, int(math.Min(math.Floor(float64(original)*r.Factor), MaxPositions)))
}

// longrope reads the keys of LongRoPE (https://arxiv.org/abs/2402.13753) with the
// defaults of transformers.
func (c *Config) longrope(r *RoPE, object string, o RoPEOptions) {
	if o.Original > 0 && !c.Has("original_max_position_embeddings") {
		c.Int(object+".original_max_position_embeddings", 1, 1, MaxPositions) // the default at the top wins
		r.OriginalMaxPositions = o.Original
	} else {
		r.OriginalMaxPositions, _ = c.originalPositions(object, o.MaxPositions)
	}
	r.ShortFactors = c.factors(object+".short_factor", r.Dims/2)
	r.LongFactors = c.factors(object+".long_factor", r.Dims/2)
	factor := c.Float(object+".factor", float64(o.MaxPositions)/float64(r.OriginalMaxPositions), 1e-6, 1e6)
	if !c.Has(object+".attention_factor") && factor > 1 && r.OriginalMaxPositions < 2 {
		c.Invalid("original_max_position_embeddings", "at least 2, for the attention factor", fmt.Sprint(r.OriginalMaxPositions))
		return
	}
	r.AttentionFactor = c.Float(object+".attention_factor", longScale(factor, r.OriginalMaxPositions), 1e-6, 1e6)
}

// factors reads n divisors of frequencies.
func (c *Config) factors(path string, n int) []float64 {
	list := c.list(path)
	if len(list) != n {
		c.Invalid(path, fmt.Sprintf("%d numbers, one for each rotary frequency", n), fmt.Sprint(len(list)))
		return make([]float64, n)
	}
	out := make([]float64, n)
	for i, v := range list {
		f, ok := v.Float()
		if out[i] = f; !ok || !(f >= 1e-6 && f <= 1e6) {
			c.Invalid(fmt.Sprintf("%s[%d]", path, i), "a number in 1e-06..1e+06", v.String())
		}
	}
	return out
}

// originalPositions is the context before scaling: of the top level where it is
// given there (transformers prefers it), else of the object, else maxPositions.
func (c *Config) originalPositions(object string, maxPositions int) (n int, explicit bool) {
	const key = "original_max_position_embeddings"
	inner := c.Int(object+"."+key, maxPositions, 1, MaxPositions)
	outer := c.Int(key, inner, 1, MaxPositions)
	if c.Has(object+"."+key) && outer != inner {
		c.fail(object+"."+key, diag.BadInput, "config_conflict", "differs from "+key, fmt.Sprint(outer), fmt.Sprint(inner))
	}
	return outer, c.Has(key) || c.Has(object+"."+key)
}

func (c *Config) checkRoPEKeys(object string, allowed []string) {
	known := map[string]bool{"rope_type": true, "type": true, "rope_theta": true, "partial_rotary_factor": true,
		"finetuned": true} // says only that the checkpoint was trained with the scaling
	for _, k := range allowed {
		known[k] = true
	}
	v := c.find(object)
	for _, key := range v.Keys {
		m := v.Get(key)
		switch {
		case known[key] || m.IsEmpty():
		case m.Kind == strictjson.Object:
			c.fail(object+"."+key, diag.Unsupported, "config_unsupported", "rotary parameters per layer type are not supported for this family", "", m.String())
		case key == "short_mscale" || key == "long_mscale":
			c.fail(object+"."+key, diag.Unsupported, "config_unsupported",
				"attention factors that differ between short and long sequences are not supported", "", m.String())
		case (key == "attn_factor" || key == "extrapolation_factor") && isOne(m):
		default:
			c.fail(object+"."+key, diag.Unsupported, "config_unknown_key",
				fmt.Sprintf("unknown key for this rotary type may change the results (known: %s)", strings.Join(allowed, ", ")), "", m.String())
		}
	}
}

func isOne(v *strictjson.Value) bool {
	f, ok := v.Float()
	return ok && f == 1
}

// only refuses any value of a number but one.
func (c *Config) only(path string, want float64, reason string) {
	if c.Float(path, want, math.Inf(-1), math.Inf(1)) != want && c.err == nil {
		c.Refuse(path, reason)
	}
}

func (c *Config) nonEmptyObject(path string) bool {
	v := c.value(path)
	if v == nil {
		return false
	}
	if v.Kind != strictjson.Object {
		c.wrongType(path, "an object", v)
		return false
	}
	return len(v.Keys) > 0
}

func (c *Config) requiredFloat(path string, low, high float64) float64 {
	if !c.Has(path) {
		c.fail(path, diag.BadInput, "config_key", "missing key", "a number", "")
		return 1
	}
	return c.Float(path, 1, low, high)
}
