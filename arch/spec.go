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

	// MaxPositions is the largest context that the checkpoint (its RoPE kind
	// included) defines exactly.
	MaxPositions int `json:"max_positions"`

	Embed     Embed     `json:"embed"`
	Norm      Norm      `json:"norm"`
	Block     Block     `json:"block"`
	Attention Attention `json:"attention"`
	// RoPE lists the rotary embeddings in use; Layer.RoPE says which one a layer
	// has. More than one where local and global layers differ (Gemma 3).
	RoPE []RoPE `json:"rope"`
	MLP  MLP    `json:"mlp"`
	// MoE is the mixture of experts of the layers that have one.
	MoE    *MoE    `json:"moe,omitempty"`
	Layers []Layer `json:"layers"`
	Head   Head    `json:"head"`
}

// Layer holds what may differ from layer to layer.
type Layer struct {
	// Window is the sliding window: query i sees key j when i-j < Window.
	// 0 means full causal attention.
	Window int `json:"window"`
	// RoPE is the layer's entry in Spec.RoPE, NoRoPE if its queries and keys are
	// not rotated (NoPE).
	RoPE int `json:"rope"`
	// Sparse says that the layer's feed-forward block is Spec.MoE, not Spec.MLP.
	Sparse bool `json:"sparse,omitempty"`
}

// NoRoPE marks a layer without rotary positions.
const NoRoPE = -1

// Embed is the input embedding.
type Embed struct {
	// Scale multiplies the embedding (Gemma, Granite, MiniCPM); 0 means 1.
	Scale float64 `json:"scale,omitempty"`
	// Positions is the number of rows of a learned position embedding that is
	// added to the tokens' (GPT-2); 0 means none.
	Positions int `json:"positions,omitempty"`
}

// Head turns the last hidden state into logits: softcap(scale * (W·norm(x) + b)).
type Head struct {
	// Tied says that W is the embedding matrix.
	Tied bool `json:"tied"`
	Bias bool `json:"bias,omitempty"`
	// Scale multiplies the logits (Cohere, Granite, MiniCPM); 0 means 1.
	Scale float64 `json:"scale,omitempty"`
	// Softcap is c in c*tanh(logits/c) (Gemma 2); 0 means none.
	Softcap float64 `json:"softcap,omitempty"`
}

// NormKind names a normalization formula.
type NormKind string

const (
	// RMSNorm is x * rsqrt(mean(x²) + eps) * w, over the last axis, in float32.
	RMSNorm NormKind = "rms"
	// LayerNorm is (x - mean(x)) * rsqrt(mean((x - mean(x))²) + eps) * w + b.
	LayerNorm NormKind = "layer"
)

// Norm is the normalization of the residual stream: before attention, before the
// MLP, before the head, wherever Block places it.
type Norm struct {
	Kind NormKind `json:"kind"`
	Eps  float64  `json:"eps"`
	// UnitOffset multiplies by 1 + w instead of w (Gemma, Nemotron).
	UnitOffset bool `json:"unit_offset,omitempty"`
	Bias       bool `json:"bias,omitempty"`
	// NoWeight leaves w and b out (OLMo 1).
	NoWeight bool `json:"no_weight,omitempty"`
}

// Block says how attention and MLP join the residual stream x.
//
//	sequential: x += s*post(attn(pre(x)));  x += s*post(mlp(pre(x)))
//	parallel:   x += s*(attn(pre(x)) + mlp(pre(x)))
type Block struct {
	Parallel bool `json:"parallel,omitempty"`
	// SharedNorm: a parallel block whose attention and MLP read the same norm,
	// called attn_norm.
	SharedNorm bool `json:"shared_norm,omitempty"`

	// Which norms there are; each has weights of its own.
	AttnNorm     bool `json:"attn_norm"`
	AttnPostNorm bool `json:"attn_post_norm,omitempty"`
	MLPNorm      bool `json:"mlp_norm"`
	MLPPostNorm  bool `json:"mlp_post_norm,omitempty"`

	// ResidualScale is s (Granite, MiniCPM); 0 means 1.
	ResidualScale float64 `json:"residual_scale,omitempty"`
}

// Attention is softmax(scale * q·kᵀ + mask)·v over grouped queries.
type Attention struct {
	Heads   int `json:"heads"`    // query heads
	KVHeads int `json:"kv_heads"` // key/value heads; Heads is a multiple (GQA)
	HeadDim int `json:"head_dim"` // width of one head of q and k, and of v but for MLA

	// Scale multiplies q·k before the softmax, HeadDim^-0.5 by default.
	Scale float64 `json:"scale"`
	// Softcap is c in c*tanh(scores/c), before the mask (Gemma 2); 0 means none.
	Softcap float64  `json:"softcap,omitempty"`
	Bias    AttnBias `json:"bias"`
	// Clip bounds q, k and v to [-Clip, Clip] before they are rotated, and after
	// QKNorm if that comes before, too (OLMo, OLMoE); 0 means none.
	Clip float64 `json:"clip,omitempty"`
	// QKNorm normalizes queries and keys; nil means none.
	QKNorm *QKNorm `json:"qk_norm,omitempty"`
	// QueryScale multiplies the rotated queries by a function of their position
	// (Ministral 3); nil means 1 everywhere.
	QueryScale *QueryScale `json:"query_scale,omitempty"`
	// Sinks: every head has a learned score that takes part in the softmax and
	// has no value (GPT-OSS).
	Sinks bool `json:"sinks,omitempty"`
	// MLA replaces the projections of q, k and v by latent ones; nil means none.
	MLA *MLA `json:"mla,omitempty"`
}

// AttnBias says which attention projections have a bias. With MLA these are q_a (Q),
// kv_a (K) and o; v has none.
type AttnBias struct {
	Q bool `json:"q"`
	K bool `json:"k"`
	V bool `json:"v"`
	O bool `json:"o"`
}

// QKNormOver says over which numbers queries and keys are normalized.
type QKNormOver string

const (
	// OverHead: each head by itself, all heads with the same weight [HeadDim].
	OverHead QKNormOver = "head"
	// OverHeadOwn: each head by itself, with its own row of a weight [heads,HeadDim].
	OverHeadOwn QKNormOver = "head_own"
	// OverAll: all heads together, with a weight [heads*HeadDim].
	OverAll QKNormOver = "all"
)

// QKNorm is the normalization of queries and keys; it has no bias unless Bias says so.
type QKNorm struct {
	Kind       NormKind   `json:"kind"`
	Eps        float64    `json:"eps"`
	Over       QKNormOver `json:"over"`
	UnitOffset bool       `json:"unit_offset,omitempty"`
	Bias       bool       `json:"bias,omitempty"`
	// AfterRoPE normalizes the rotated queries and keys (HunYuan).
	AfterRoPE bool `json:"after_rope,omitempty"`
}

// QueryScale is 1 + Beta*ln(1 + floor(position/Original)).
type QueryScale struct {
	Beta     float64 `json:"beta"`
	Original int     `json:"original"`
}

// MLA is multi-head latent attention (DeepSeek-V2, https://arxiv.org/abs/2405.04434,
// section 2.1). A key has NoPE elements expanded from a latent vector of KVRank
// and RoPE rotated elements that all heads share; HeadDim = NoPE + RoPE. KVHeads
// equals Heads.
type MLA struct {
	// QRank is the width of the queries' latent vector; 0 projects them directly.
	QRank  int `json:"q_rank,omitempty"`
	KVRank int `json:"kv_rank"`
	NoPE   int `json:"nope"`
	RoPE   int `json:"rope"`
	Value  int `json:"value"` // width of one head of v
	// Eps is that of the norms of the latent vectors, which are RMSNorms.
	Eps float64 `json:"eps"`
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
	RoPELong    RoPEKind = "longrope"
)

// RoPE describes rotary position embeddings.
type RoPE struct {
	Kind  RoPEKind `json:"kind"`
	Theta float64  `json:"theta"`

	// Dims is how many elements of each head are rotated: the first ones, the
	// rest passes through. With MLA they are all of the rotary part.
	Dims int `json:"dims"`
	// Interleaved pairs element 2i with 2i+1 (GPT-J, Cohere); otherwise i is
	// paired with i + Dims/2 (GPT-NeoX, Llama).
	Interleaved bool `json:"interleaved,omitempty"`

	// Factor is the scaling factor of linear, dynamic, llama3 and yarn.
	Factor float64 `json:"factor,omitempty"`
	// OriginalMaxPositions is the context before scaling (llama3, yarn, longrope).
	OriginalMaxPositions int `json:"original_max_positions,omitempty"`

	LowFreqFactor  float64 `json:"low_freq_factor,omitempty"`  // llama3
	HighFreqFactor float64 `json:"high_freq_factor,omitempty"` // llama3

	BetaFast float64 `json:"beta_fast,omitempty"` // yarn
	BetaSlow float64 `json:"beta_slow,omitempty"` // yarn
	// Truncate rounds yarn's correction range to whole dimensions.
	Truncate bool `json:"truncate,omitempty"`
	// AttentionFactor multiplies cos and sin (yarn, longrope); already resolved
	// from attention_factor, mscale and mscale_all_dim. 1 elsewhere.
	AttentionFactor float64 `json:"attention_factor"`

	// ShortFactors and LongFactors divide the Dims/2 frequencies of longrope: a
	// sequence of more than OriginalMaxPositions tokens uses the long ones at all
	// of its positions, a shorter one the short ones.
	ShortFactors []float64 `json:"short_factors,omitempty"`
	LongFactors  []float64 `json:"long_factors,omitempty"`
}

// Activation names an elementwise function.
type Activation string

const (
	SiLU     Activation = "silu"      // x * sigmoid(x)
	GELU     Activation = "gelu"      // x * Φ(x), by the error function
	GELUTanh Activation = "gelu_tanh" // 0.5x * (1 + tanh(√(2/π) * (x + 0.044715x³)))
	ReLU2    Activation = "relu2"     // max(x, 0)²
	// XIELU has two learned numbers per layer, alpha_p and alpha_n
	// (https://arxiv.org/abs/2411.13010): with p = softplus(alpha_p), n = 0.5 + softplus(alpha_n),
	// x > 0: p*x² + 0.5x, else n*(expm1(min(x, -1e-6)) - x) + 0.5x.
	XIELU Activation = "xielu"
	// SwiGLUClamped is the gated unit of GPT-OSS: with g = min(gate, L) and u the
	// up projection within [-L, L], g * sigmoid(1.702g) * (u + 1).
	SwiGLUClamped Activation = "swiglu_clamped"
)

// MLP is the dense feed-forward block: down(act(gate(x)) * up(x)), or
// down(act(up(x))) without a gate.
type MLP struct {
	Plain        bool       `json:"plain,omitempty"` // no gate
	Activation   Activation `json:"activation"`
	Intermediate int        `json:"intermediate"`
	Bias         bool       `json:"bias"`
}

// MoE is a feed-forward block of which every token uses TopK of Experts gated
// units, and the shared ones always.
type MoE struct {
	Experts      int        `json:"experts"`
	TopK         int        `json:"top_k"`
	Intermediate int        `json:"intermediate"` // of one expert
	Activation   Activation `json:"activation"`
	// Limit is L of SwiGLUClamped.
	Limit  float64 `json:"limit,omitempty"`
	Bias   bool    `json:"bias,omitempty"` // of the experts' linear layers
	Router Router  `json:"router"`
	// SharedIntermediate is the width of the unit that every token uses, 0 for none.
	SharedIntermediate int  `json:"shared_intermediate,omitempty"`
	SharedBias         bool `json:"shared_bias,omitempty"`
	// SharedGate multiplies its output by sigmoid(w·x) (Qwen2-MoE).
	SharedGate bool `json:"shared_gate,omitempty"`
}

// Scoring turns router logits into weights.
type Scoring string

const (
	// SoftmaxAll takes the softmax over all experts, then chooses.
	SoftmaxAll Scoring = "softmax_all"
	// SoftmaxChosen chooses by logits and takes the softmax over the chosen ones.
	SoftmaxChosen Scoring = "softmax_chosen"
	// Sigmoid scores each expert by itself.
	Sigmoid Scoring = "sigmoid"
)

// GroupScore says what ranks a group of experts.
type GroupScore string

const (
	GroupMax  GroupScore = "max"  // the best expert of the group (DeepSeek-V2)
	GroupTop2 GroupScore = "top2" // the sum of its best two (DeepSeek-V3)
)

// Router chooses the experts of a token. Ties go to the lower index.
type Router struct {
	Scoring Scoring `json:"scoring"`
	Bias    bool    `json:"bias,omitempty"` // of the router's linear layer
	// Correction adds a learned number per expert to the scores for the choice
	// only; the weights of the chosen ones stay as they are.
	Correction bool `json:"correction,omitempty"`
	// Groups > 1 divides the experts into that many groups, of which only the
	// best TopGroups take part.
	Groups     int        `json:"groups,omitempty"`
	TopGroups  int        `json:"top_groups,omitempty"`
	GroupScore GroupScore `json:"group_score,omitempty"`
	// Normalize divides the weights by their sum, which is at least NormFloor or
	// has NormEps added, as the family does it.
	Normalize bool    `json:"normalize,omitempty"`
	NormEps   float64 `json:"norm_eps,omitempty"`
	NormFloor float64 `json:"norm_floor,omitempty"`
	// Scale multiplies the weights; 0 means 1.
	Scale float64 `json:"scale,omitempty"`
}
