package families

import (
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/arch"
)

// allBiases is with a bias on each of q, k, v and o, or on none.
func allBiases(present bool) arch.AttnBias {
	return arch.AttnBias{Q: present, K: present, V: present, O: present}
}

// sameBool reads a flag, off by default, that has two names.
func sameBool(c *arch.Config, name, other string) bool {
	value := c.Bool(name, c.Bool(other, false))
	if c.Has(other) && c.Bool(other, false) != value {
		c.Invalid(other, fmt.Sprintf("%v, as %s says", value, name), fmt.Sprint(!value))
	}
	return value
}

// onlyBool refuses a flag that is not as want.
func onlyBool(c *arch.Config, key string, want bool, reason string) {
	if c.Bool(key, want) != want {
		c.Refuse(key, reason)
	}
}

// onlyString refuses a string that is none of want; absent is as good as any of them.
func onlyString(c *arch.Config, key, reason string, want ...string) {
	if !slices.Contains(want, c.String(key, want[0])) {
		c.Refuse(key, reason)
	}
}

// wholeHeads checks that the heads divide the hidden size, for classes that know
// no head_dim.
func wholeHeads(c *arch.Config, s *arch.Spec) {
	if n := s.Hidden / s.Attention.Heads; s.Attention.HeadDim != n {
		c.Invalid("head_dim", fmt.Sprintf("%d, hidden_size / num_attention_heads, as in every model of this family", n), fmt.Sprint(s.Attention.HeadDim))
	}
}

// ownKVHeads refuses grouped queries, for classes that know no num_key_value_heads.
func ownKVHeads(c *arch.Config, s *arch.Spec) {
	if s.Attention.KVHeads != s.Attention.Heads {
		c.Refuse("num_key_value_heads", "queries do not share keys and values in models of this family")
	}
}
