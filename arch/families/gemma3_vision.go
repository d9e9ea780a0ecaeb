package families

import "github.com/hlocc/hlocc/arch"

// gemma3Vision is the text part of Gemma3ForConditionalGeneration of transformers.
var gemma3Vision = arch.Family{
	Name:          "gemma3",
	Title:         "Gemma 3 4B, 12B and 27B (text part)",
	Architectures: []string{"Gemma3ForConditionalGeneration"},
	Quirks:        []string{"a vision-language model: text_config is of gemma3_text, tensors below language_model."},
	Proof:         []string{"gemma3_vlm"},
	Names:         visionNames,
	Ignored:       visionIgnored,
	Text:          &arch.TextPart{Families: map[string]string{"gemma3_text": gemma3Sizes}, Default: "gemma3_text", Known: visionKeys},
}
