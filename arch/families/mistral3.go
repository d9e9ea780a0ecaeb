package families

import "github.com/hlocc/hlocc/arch"

// mistral3 is the text part of Mistral3ForConditionalGeneration of transformers.
var mistral3 = arch.Family{
	Name:          "mistral3",
	Title:         "Mistral Small 3.1 and 3.2, Ministral 3 (text part)",
	Architectures: []string{"Mistral3ForConditionalGeneration"},
	Quirks:        []string{"a vision-language model: the family of text_config (mistral or ministral3), tensors below language_model."},
	Proof:         []string{"mistral3_vlm", "ministral3_vlm_v5"},
	Names:         visionNames,
	Ignored:       visionIgnored,
	Text:          &arch.TextPart{Families: map[string]string{"mistral": mistralSizes, "ministral3": ministral3Sizes}, Default: "mistral", Known: visionKeys},
}
