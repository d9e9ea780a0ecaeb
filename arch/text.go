package arch

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// A TextPart makes a family of the language model inside a larger one, such as a
// vision-language model: text_config is the config of another family. Prompts
// without images use nothing else.
type TextPart struct {
	// Families are the model types that text_config may have, each with what its
	// configuration class has for keys that text_config may leave out: writers leave
	// out what equals the class's default, sizes as well. A JSON object.
	Families map[string]string
	// Default is the model type of a text_config that names none.
	Default string
	// Known are keys beside text_config that concern the other parts.
	Known []string
}

const textKey = "text_config"

// inside is f with the Spec and the weights of the family of text_config.
func (f Family) inside(c *Config) (Family, error) {
	c.Known(f.Text.Known...)
	text := c.value(textKey)
	if text == nil || text.Kind != strictjson.Object {
		return Family{}, &diag.Error{Kind: diag.BadInput, Code: "config_key", File: c.File, Where: textKey, Message: "missing key", Want: "the configuration of the language model"}
	}
	kind := f.Text.Default
	if t := text.Get("model_type"); t != nil && t.Kind == strictjson.String {
		kind = t.Text
	}
	defaults, ok := f.Text.Families[kind]
	inner, registered := families[kind]
	if !ok || !registered {
		return Family{}, &diag.Error{Kind: diag.Unsupported, Code: "model_type", File: c.File, Where: textKey + ".model_type",
			Message: "language model is not supported within this family", Want: "one of " + strings.Join(slices.Sorted(maps.Keys(f.Text.Families)), ", "), Found: fmt.Sprintf("%q", clip(kind))}
	}
	tie, err := strictjson.Parse([]byte(c.tie(text)))
	absent, err2 := strictjson.Parse([]byte(defaults))
	if err := errors.Join(err, err2); err != nil {
		return Family{}, fmt.Errorf("arch: defaults of %s in %s: %w", kind, f.Name, err)
	}
	c.text = &Config{File: c.File, ModelType: kind, root: tie.With(text).With(absent), used: map[string]bool{}, outer: c}
	if c.DType == "" {
		c.DType = c.text.String("dtype", c.text.String("torch_dtype", ""))
	}
	f.Spec = func(c *Config) *Spec { return inner.Spec(c.Text()) }
	f.Weights = inner.Weights
	f.Ignored = append(append([]Ignored{}, f.Ignored...), inner.Ignored...)
	return f, c.err
}

const tieKey = "tie_word_embeddings"

// tie is what holds for tie_word_embeddings, as a JSON object. Versions of
// transformers disagree over whether the outer or the inner key counts; where they
// differ it is null, and the checkpoint decides.
func (c *Config) tie(text *strictjson.Value) string {
	if !c.Has(tieKey) {
		return "{}"
	}
	outer := c.Bool(tieKey, false)
	if inner := text.Get(tieKey); inner != nil && inner.Kind == strictjson.Bool && inner.Bool != outer {
		return fmt.Sprintf("{%q:null}", tieKey)
	}
	return fmt.Sprintf("{%q:%t}", tieKey, outer)
}

// Text is the config of the language model: c itself but for vision-language
// models.
func (c *Config) Text() *Config {
	if c.text != nil {
		return c.text
	}
	return c
}
