// Package families holds one small file per model family: how its config.json
// becomes a Spec, what its tensors are called, and what is special about it. To
// add a family, add a file, a line in registry.go and a fixture.
//
// Importing the package registers all families with arch.
package families

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/arch"
)

// Bounds of sizes in config.json; no published model comes near them.
const (
	maxVocab     = 1 << 24
	maxHidden    = 1 << 20
	maxInter     = 1 << 22
	maxLayers    = 10_000
	maxHeads     = 1 << 14
	maxHeadDim   = 1 << 13
	maxPositions = 1 << 27
	maxWindow    = math.MaxInt32
)

// defaults are the values of the family's configuration class in transformers
// for keys that config.json leaves out. The sizes that make a model (hidden_size
// and the like) have no defaults here: they would be those of another model.
type defaults struct {
	kvHeads      int // 0: as many as attention heads
	maxPositions int
	normEps      float64
	theta        float64
	headDim      int // 0: hidden_size / num_attention_heads
}

// decoder reads what the families of the Llama kind have in common: RMSNorm
// before attention and MLP, grouped-query attention with rotary positions, a
// gated MLP. It returns the Spec and the path of the object that holds the
// rotary parameters.
func decoder(c *arch.Config, d defaults, extraRoPE ...string) (*arch.Spec, string) {
	s := &arch.Spec{
		Vocab:  c.RequiredInt("vocab_size", 1, maxVocab),
		Hidden: c.RequiredInt("hidden_size", 1, maxHidden),
		Heads:  c.RequiredInt("num_attention_heads", 1, maxHeads),
		Norm:   arch.Norm{Kind: arch.RMSNorm, Eps: c.Float("rms_norm_eps", d.normEps, 1e-30, 1)},
		MLP: arch.MLP{
			Activation:   arch.SiLU,
			Intermediate: c.RequiredInt("intermediate_size", 1, maxInter),
		},
		Layers:   make([]arch.Layer, c.RequiredInt("num_hidden_layers", 1, maxLayers)),
		TiedHead: c.Bool("tie_word_embeddings", false),
	}
	s.KVHeads = s.Heads // what null means, too
	if d.kvHeads > 0 && !c.IsNull("num_key_value_heads") {
		s.KVHeads = d.kvHeads
	}
	s.KVHeads = c.Int("num_key_value_heads", s.KVHeads, 1, maxHeads)
	if s.Heads%s.KVHeads != 0 {
		c.Invalid("num_key_value_heads", fmt.Sprintf("a divisor of num_attention_heads (%d)", s.Heads), fmt.Sprint(s.KVHeads))
	}
	s.HeadDim = headDim(c, s, d)
	s.AttnScale = 1 / math.Sqrt(float64(s.HeadDim))
	if act := c.String("hidden_act", "silu"); act != "silu" && act != "swish" {
		c.Refuse("hidden_act", "activation is not supported for this family (silu is)")
	}
	positions := c.Int("max_position_embeddings", d.maxPositions, 1, maxPositions)
	var object string
	s.RoPE, object, s.MaxPositions = c.RoPE(arch.RoPEOptions{DefaultTheta: d.theta, Extra: extraRoPE}, s.HeadDim, positions)
	return s, object
}

func headDim(c *arch.Config, s *arch.Spec, d defaults) int {
	absent := d.headDim
	if absent == 0 || c.IsNull("head_dim") {
		absent = s.Hidden / s.Heads
		if !c.Has("head_dim") && s.Hidden%s.Heads != 0 {
			c.Invalid("hidden_size", fmt.Sprintf("a multiple of num_attention_heads (%d), or an explicit head_dim", s.Heads), fmt.Sprint(s.Hidden))
		}
	}
	n := c.Int("head_dim", absent, 1, maxHeadDim)
	if n%2 != 0 {
		key := "head_dim"
		if !c.Has(key) {
			key = "hidden_size"
		}
		c.Invalid(key, "an even number of dimensions per head, for rotary positions", fmt.Sprint(n))
	}
	return max(n, 1)
}

// windows sets the sliding window of the layers that have one. A window that no
// context can outgrow is none: such models then share their program with models
// without windows.
func windows(s *arch.Spec, window int, sliding func(layer int) bool) {
	if window >= s.MaxPositions {
		return
	}
	for i := range s.Layers {
		if sliding(i) {
			s.Layers[i].Window = window
		}
	}
}

// hubWeights lists the tensors under the names that Llama made common on the hub.
func hubWeights(s *arch.Spec) []arch.Rule {
	var (
		vocab  = arch.Dim{Size: s.Vocab, Name: "vocab_size"}
		hidden = arch.Dim{Size: s.Hidden, Name: "hidden_size"}
		inter  = arch.Dim{Size: s.MLP.Intermediate, Name: "intermediate_size"}
		q      = arch.Dim{Size: s.Heads * s.HeadDim, Name: "num_attention_heads*head_dim"}
		kv     = arch.Dim{Size: s.KVHeads * s.HeadDim, Name: "num_key_value_heads*head_dim"}
	)
	const layer = "model.layers.*."
	rules := []arch.Rule{
		arch.Direct("embed.weight", "model.embed_tokens.weight", vocab, hidden),
		arch.Direct("layers.*.attn_norm.weight", layer+"input_layernorm.weight", hidden),
	}
	linear := func(logical, tensor string, bias bool, out, in arch.Dim) {
		rules = append(rules, arch.Direct("layers.*."+logical+".weight", layer+tensor+".weight", out, in))
		if bias {
			rules = append(rules, arch.Direct("layers.*."+logical+".bias", layer+tensor+".bias", out))
		}
	}
	linear("attn.q", "self_attn.q_proj", s.AttnBias.Q, q, hidden)
	linear("attn.k", "self_attn.k_proj", s.AttnBias.K, kv, hidden)
	linear("attn.v", "self_attn.v_proj", s.AttnBias.V, kv, hidden)
	linear("attn.o", "self_attn.o_proj", s.AttnBias.O, hidden, q)
	rules = append(rules, arch.Direct("layers.*.mlp_norm.weight", layer+"post_attention_layernorm.weight", hidden))
	linear("mlp.gate", "mlp.gate_proj", s.MLP.Bias, inter, hidden)
	linear("mlp.up", "mlp.up_proj", s.MLP.Bias, inter, hidden)
	linear("mlp.down", "mlp.down_proj", s.MLP.Bias, hidden, inter)
	rules = append(rules, arch.Direct("norm.weight", "model.norm.weight", hidden))
	if !s.TiedHead {
		rules = append(rules, arch.Direct("head.weight", "lm_head.weight", vocab, hidden))
	}
	return rules
}
