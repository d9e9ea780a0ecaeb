package arch

// A Spec is the typed, validated description of a decoder-only transformer: all
// that the lowering needs to build its graphs, and nothing that it does not.
// Two checkpoints of equal Specs share one compiled program.
//
// Every field is orthogonal: a family is a combination of values, not a code
// path. Zero values mean "absent" where a feature is optional.
type Spec struct {
	Vocab  int `json:"vocab"`  // rows of the embedding and of the head
	Hidden int `json:"hidden"` // width of the residual stream

	Heads   int `json:"heads"`    // query heads
	KVHeads int `json:"kv_heads"` // key/value heads; Heads is a multiple (GQA)
	HeadDim int `json:"head_dim"` // width of one head

	// MaxPositions is the largest context that the checkpoint (its RoPE kind
	// included) defines exactly.
	MaxPositions int `json:"max_positions"`

	Norm Norm `json:"norm"`
	RoPE RoPE `json:"rope"`

	// AttnScale multiplies q·k before the softmax, HeadDim^-0.5 by default.
	AttnScale float64 `json:"attn_scale"`
	// QueryScale multiplies the rotated queries by a function of their position
	// (Ministral 3); nil means 1 everywhere.
	QueryScale *QueryScale `json:"query_scale,omitempty"`
	AttnBias   AttnBias    `json:"attn_bias"`

	MLP MLP `json:"mlp"`

	Layers []Layer `json:"layers"`

	// TiedHead says that the output head is the embedding matrix.
	TiedHead bool `json:"tied_head"`
}

// Layer holds what may differ from layer to layer.
type Layer struct {
	// Window is the sliding window: query i sees key j when i-j < Window.
	// 0 means full causal attention.
	Window int `json:"window"`
}

// NormKind names a normalization formula.
type NormKind string

// RMSNorm is x * rsqrt(mean(x^2) + eps) * w, over the last axis, in float32.
const RMSNorm NormKind = "rms"

// Norm is the normalization used before attention, before the MLP and before the head.
type Norm struct {
	Kind NormKind `json:"kind"`
	Eps  float64  `json:"eps"`
}

// RoPEKind names a rule for the rotary frequencies.
type RoPEKind string

// The frequency rules of Hugging Face's rope_type.
const (
	RoPEDefault RoPEKind = "default"
	RoPELinear  RoPEKind = "linear"
	RoPELlama3  RoPEKind = "llama3"
	RoPEDynamic RoPEKind = "dynamic" // plain inside the trained context, which is all that we serve
	RoPEYarn    RoPEKind = "yarn"
)

// RoPE describes rotary position embeddings in the half-split layout: element i
// of a head is paired with element i + HeadDim/2.
type RoPE struct {
	Kind  RoPEKind `json:"kind"`
	Theta float64  `json:"theta"`

	// Factor is the scaling factor of every kind but default.
	Factor float64 `json:"factor,omitempty"`
	// OriginalMaxPositions is the context before scaling (llama3, yarn).
	OriginalMaxPositions int `json:"original_max_positions,omitempty"`

	LowFreqFactor  float64 `json:"low_freq_factor,omitempty"`  // llama3
	HighFreqFactor float64 `json:"high_freq_factor,omitempty"` // llama3

	BetaFast float64 `json:"beta_fast,omitempty"` // yarn
	BetaSlow float64 `json:"beta_slow,omitempty"` // yarn
	// Truncate rounds yarn's correction range to whole dimensions.
	Truncate bool `json:"truncate,omitempty"`
	// AttentionFactor multiplies cos and sin (yarn); already resolved from
	// attention_factor, mscale and mscale_all_dim. 1 elsewhere.
	AttentionFactor float64 `json:"attention_factor"`
}

// QueryScale is 1 + Beta*ln(1 + floor(position/Original)).
type QueryScale struct {
	Beta     float64 `json:"beta"`
	Original int     `json:"original"`
}

// AttnBias says which attention projections have a bias.
type AttnBias struct {
	Q bool `json:"q"`
	K bool `json:"k"`
	V bool `json:"v"`
	O bool `json:"o"`
}

// Activation names an elementwise function.
type Activation string

// SiLU is x * sigmoid(x).
const SiLU Activation = "silu"

// MLP is the gated feed-forward block: down(act(gate(x)) * up(x)).
type MLP struct {
	Activation   Activation `json:"activation"`
	Intermediate int        `json:"intermediate"`
	Bias         bool       `json:"bias"`
}
