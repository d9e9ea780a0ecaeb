package arch

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
)

// Family describes a model family as data: how its config.json becomes a Spec
// and what its tensors are called.
type Family struct {
	// Name is the model_type of config.json.
	Name string
	// Title names the models that users know, such as "Llama 2 and 3".
	Title string
	// Architectures are the class names that config.json may list. Another
	// class (…ForSequenceClassification) has another head.
	Architectures []string
	// Quirks says in a few words what sets the family apart.
	Quirks []string
	// Proof names the fixtures that judge the family.
	Proof []string

	// Spec reads the keys that the family knows from c and returns the Spec.
	// Errors stick to c and are reported by it; Head.Tied is the class default
	// when the config does not say.
	Spec func(c *Config) *Spec
	// Weights lists where the weights of a Spec are in the checkpoint.
	Weights func(s *Spec) []Rule
	// Names are namings of some checkpoints that differ from those of Weights.
	Names []Naming
	// Ignored explains tensors that the model's forward pass does not use, by their
	// names in the rules or in the checkpoint.
	Ignored []Ignored
	// Further, if set, tells layers that the model does not have from those it has.
	Further *Further

	// Text, if set, says that the Spec and the weights are those of the family of
	// text_config; Spec and Weights are then empty.
	Text *TextPart
}

// Ignored is a pattern of checkpoint tensors that are left out, and why. A '*'
// in Tensor matches one or more characters.
type Ignored struct {
	Tensor string `json:"tensor"`
	Reason string `json:"reason"`
}

var families = map[string]Family{}

// Register adds a family; package families calls it at start-up. It panics if
// the name is taken.
func Register(f Family) {
	if _, taken := families[f.Name]; taken || f.Name == "" {
		panic(fmt.Sprintf("arch: family %q registered twice", f.Name))
	}
	families[f.Name] = f
}

// Families lists the registered families by name.
func Families() []Family {
	list := make([]Family, 0, len(families))
	for _, f := range families {
		list = append(list, f)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Name < list[j].Name })
	return list
}

// familyOfClass is the model type of the family that has one of these classes, ""
// if there is none.
func familyOfClass(classes []string) string {
	found := ""
	for _, f := range Families() {
		for _, class := range classes {
			i := slices.Index(f.Architectures, class)
			if i == 0 { // its own class, which others may go by, too
				return f.Name
			}
			if i > 0 && found == "" {
				found = f.Name
			}
		}
	}
	return found
}

// FamilyOf finds the family of a config by its model_type and checks that its
// class is one that we run.
func FamilyOf(c *Config) (Family, error) {
	f, ok := families[c.ModelType]
	if !ok {
		return Family{}, unknownFamily(c)
	}
	for _, name := range c.Architectures {
		for _, known := range f.Architectures {
			if name == known {
				return f.forConfig(c)
			}
		}
	}
	if len(c.Architectures) > 0 {
		return Family{}, &diag.Error{Kind: diag.Unsupported, Code: "architecture", File: c.File, Where: "architectures",
			Message: "model class is not supported" + otherHead(c.Architectures[0]), Want: strings.Join(f.Architectures, " or "), Found: clip(strings.Join(c.Architectures, ", "))}
	}
	return f.forConfig(c)
}

func (f Family) forConfig(c *Config) (Family, error) {
	if f.Text != nil {
		return f.inside(c)
	}
	return f, nil
}

func unknownFamily(c *Config) error {
	e := &diag.Error{Kind: diag.Unsupported, Code: "model_type", File: c.File, Where: "model_type", Message: "model family is not supported",
		Want: fmt.Sprintf("one of %d families", len(families)), Found: fmt.Sprintf("%q", clip(c.ModelType)),
		Fix: "see `hlocc archs` for the families; a new one takes a file (docs/adding-a-family.md)"}
	if len(families) == 0 {
		e.Kind, e.Message = diag.Failed, "no model families are linked into this program"
	}
	if what, needs := RefusedModel(c.ModelType); what != "" {
		e.Message += ": " + what
		e.Fix = "see `hlocc archs` for the families; support of this one would need " + needs
	}
	return e
}

func clip(s string) string {
	if len(s) > 120 {
		return strings.ToValidUTF8(s[:117], "") + "..."
	}
	return s
}
