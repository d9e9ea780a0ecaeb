// Package families holds one small file per model family: how its config.json
// becomes a Spec, what its tensors are called, and what is special about it. To
// add a family, add a file, a line in registry.go and a fixture.
//
// Importing the package registers all families with arch.
package families

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/arch"
)

const maxWindow = math.MaxInt32

// defaults are the values of the family's configuration class in transformers
// for keys that config.json leaves out, and the names of its keys. The sizes that
// make a model (hidden_size and the like) have no defaults here: they would be
// those of another model.
type defaults struct {
	kvHeads      int // 0: as many as attention heads
	maxPositions int
	normEps      float64
	theta        float64
	headDim      int             // 0: hidden_size / num_attention_heads
	tied         bool            // tie_word_embeddings
	act          string          // hidden_act; "": silu
	partial      float64         // partial_rotary_factor; 0: the family has no such key
	interleaved  bool            // rotary pairs are neighbours
	ropeKeys     []string        // further keys of rope_scaling
	noRoPE       bool            // no rotary positions
	ropeTypes    []arch.RoPEType // rotary embeddings by layer type, see ropeByType
	fourfold     bool            // intermediate_size is 4*hidden_size unless given
	ropeAliases  map[string]arch.RoPEKind
	latent       latentKind
	original     int // original_max_position_embeddings of LongRoPE, at the top level; 0: none

	// names has the family's own names of keys, by the usual name.
	names map[string]string
}

func (d defaults) key(usual string) string {
	if own := d.names[usual]; own != "" {
		return own
	}
	return usual
}

// decoder reads what the families of the Llama kind have in common: RMSNorm
// before attention and MLP, grouped-query attention with rotary positions, a
// gated MLP. It returns the Spec and the path of the object that holds the
// rotary parameters.
func decoder(c *arch.Config, d defaults) (*arch.Spec, string) {
	s := &arch.Spec{
		Vocab:  c.RequiredInt("vocab_size", 1, arch.MaxVocab),
		Hidden: c.RequiredInt(d.key("hidden_size"), 1, arch.MaxHidden),
		Norm:   arch.Norm{Kind: arch.RMSNorm, Eps: c.Float(d.key("rms_norm_eps"), d.normEps, 1e-30, 1)},
		Block:  arch.Block{AttnNorm: true, MLPNorm: true},
		MLP:    arch.MLP{Activation: activation(c, d)},
		Layers: make([]arch.Layer, c.RequiredInt(d.key("num_hidden_layers"), 1, arch.MaxLayers)),
		Head:   arch.Head{Tied: c.Bool("tie_word_embeddings", d.tied)},
	}
	if inter := d.key("intermediate_size"); d.fourfold && !c.Has(inter) {
		s.MLP.Intermediate = 4 * s.Hidden
	} else {
		s.MLP.Intermediate = c.RequiredInt(inter, 1, arch.MaxInter)
	}
	a := &s.Attention
	a.Heads = c.RequiredInt(d.key("num_attention_heads"), 1, arch.MaxHeads)
	a.KVHeads = a.Heads // what null means, too
	if d.kvHeads > 0 && !c.IsNull("num_key_value_heads") {
		a.KVHeads = d.kvHeads
	}
	a.KVHeads = c.Int("num_key_value_heads", a.KVHeads, 1, arch.MaxHeads)
	if a.Heads%a.KVHeads != 0 {
		c.Invalid("num_key_value_heads", fmt.Sprintf("a divisor of num_attention_heads (%d)", a.Heads), fmt.Sprint(a.KVHeads))
	}
	rotated := 0
	if d.latent != notLatent {
		rotated = latent(c, s, d)
	} else {
		a.HeadDim = headDim(c, s, d)
		rotated = a.HeadDim
	}
	a.Scale = 1 / math.Sqrt(float64(a.HeadDim))
	positions := c.Int(d.key("max_position_embeddings"), d.maxPositions, 1, arch.MaxPositions)
	if d.noRoPE {
		s.MaxPositions = positions
		for i := range s.Layers {
			s.Layers[i].RoPE = arch.NoRoPE
		}
		return s, ""
	}
	options := arch.RoPEOptions{
		HeadDim: rotated, MaxPositions: positions,
		Theta: d.theta, Partial: d.partial, Interleaved: d.interleaved, Extra: d.ropeKeys,
		Aliases: d.ropeAliases, Original: d.original,
	}
	if d.ropeTypes != nil {
		s.RoPE, s.MaxPositions = c.RoPEByType(options, d.ropeTypes)
		return s, ""
	}
	rope, object, positions := c.RoPE(options)
	s.RoPE, s.MaxPositions = []arch.RoPE{rope}, positions
	return s, object
}

// activations are the names of transformers' ACT2FN.
var activations = map[string]arch.Activation{
	"silu": arch.SiLU, "swish": arch.SiLU, "gelu": arch.GELU, "gelu_python": arch.GELU, "gelu_new": arch.GELUTanh, "gelu_fast": arch.GELUTanh,
	"gelu_accurate": arch.GELUTanh, "gelu_pytorch_tanh": arch.GELUTanh, "gelu_python_tanh": arch.GELUTanh, "relu2": arch.ReLU2, "xielu": arch.XIELU,
}

// activation reads hidden_act. The classes of transformers take any name; the one
// with weights of its own is for families that have them.
func activation(c *arch.Config, d defaults) arch.Activation {
	key, absent := d.key("hidden_act"), d.act
	if absent == "" {
		absent = "silu"
	}
	name := c.String(key, absent)
	act := activations[name]
	if act == "" || act == arch.XIELU && name != absent {
		c.Refuse(key, fmt.Sprintf("activation is not supported for this family (%s)", strings.Join(slices.Sorted(maps.Keys(activations)), ", ")))
		return activations[absent]
	}
	return act
}

// attentionBias reads attention_bias, which is for q, k, v and o.
func attentionBias(c *arch.Config, s *arch.Spec, absent bool) {
	s.Attention.Bias = allBiases(c.Bool("attention_bias", absent))
}

func headDim(c *arch.Config, s *arch.Spec, d defaults) int {
	heads := s.Attention.Heads
	absent := d.headDim
	if absent == 0 || c.IsNull("head_dim") {
		absent = s.Hidden / heads
		if !c.Has("head_dim") && s.Hidden%heads != 0 {
			c.Invalid(d.key("hidden_size"), fmt.Sprintf("a multiple of %s (%d), or an explicit head_dim", d.key("num_attention_heads"), heads), fmt.Sprint(s.Hidden))
		}
	}
	n := c.Int("head_dim", absent, 1, arch.MaxHeadDim)
	if n%2 != 0 && d.partial == 0 && !d.noRoPE {
		key := "head_dim"
		if !c.Has(key) {
			key = d.key("hidden_size")
		}
		c.Invalid(key, "an even number of dimensions per head, for rotary positions", fmt.Sprint(n))
	}
	return max(n, 1)
}
