package arch

import (
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// RoPEType is a layer type with a rotary embedding of its own.
type RoPEType struct {
	Type  string  // in layer_types, and the key of its object in rope_parameters
	Theta float64 // default
	// ThetaKey and Scaling are where configs from before transformers 5 have its
	// theta and its scaling, at the top: "rope_theta", "rope_scaling". "" if
	// nowhere.
	ThetaKey, Scaling string
}

// RoPEByType reads the rotary embeddings of a family whose layer types have
// different ones, in either style: keys at the top, or rope_parameters with an
// object for each layer type (transformers 5). It returns one for each type, and
// the context to which the scaled ones extend the model.
func (c *Config) RoPEByType(o RoPEOptions, types []RoPEType) (list []RoPE, context int) {
	nested := c.ropeObjects(types)
	for _, t := range types {
		// A place that the old style does not have is that of the new one, which
		// then is empty.
		object, key := t.Scaling, t.ThetaKey
		if nested || object == "" {
			object = "rope_parameters." + t.Type
			c.sameRoPE(t.Scaling, object)
		}
		if key == "" {
			key = object + ".rope_theta"
		}
		o.Theta = t.Theta
		r, n := c.ropeIn(object, key, o)
		if nested && r.Kind == RoPEYarn && !r.Truncate {
			c.Refuse(object+".truncate", "transformers does not read this key per layer type")
		}
		list, context = append(list, r), max(context, n)
	}
	return list, context
}

// ropeObjects says whether rope_parameters has the parameters, and checks that
// they are per layer type: transformers overlooks others.
func (c *Config) ropeObjects(types []RoPEType) bool {
	if !c.nonEmptyObject("rope_parameters") {
		return false
	}
	var names []string
	for _, t := range types {
		names = append(names, t.Type)
	}
	v := c.find("rope_parameters")
	for _, key := range v.Keys {
		kind := v.Get(key).Kind
		known := false
		for _, name := range names {
			known = known || key == name && (kind == strictjson.Object || kind == strictjson.Null)
		}
		if !known {
			c.fail("rope_parameters."+key, diag.BadInput, "config_key", "rotary parameters of this family are given per layer type",
				"objects under "+strings.Join(names, ", "), kind.String())
		}
	}
	return true
}

// sameRoPE checks that the old place of a scaling, where it is used beside the new
// one, says nothing else.
func (c *Config) sameRoPE(scaling, object string) {
	if scaling == "" || !c.nonEmptyObject(scaling) {
		return
	}
	old := c.find(scaling)
	for _, key := range old.Keys {
		if v := c.find(object + "." + key); !old.Get(key).Equal(v) {
			c.fail(object+"."+key, diag.BadInput, "config_conflict", "differs from "+scaling, valueText(old.Get(key)), valueText(v))
		}
	}
}
