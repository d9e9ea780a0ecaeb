package families

import "github.com/hlocc/hlocc/arch"

// llava is the text part of LlavaForConditionalGeneration of transformers.
var llava = arch.Family{
	Name:          "llava",
	Title:         "LLaVA 1.5, Pixtral 12B (text part)",
	Architectures: []string{"LlavaForConditionalGeneration"},
	Quirks:        []string{"a vision-language model: the family of text_config (llama, mistral, ministral3 or qwen2), tensors below language_model."},
	Proof:         []string{"llava_vlm"},
	Names:         visionNames,
	Ignored:       visionIgnored,
	Text: &arch.TextPart{Families: map[string]string{"llama": llamaSizes, "mistral": mistralSizes, "ministral3": ministral3Sizes, "qwen2": qwen2Sizes}, Default: "llama",
		Known: append([]string{"vocab_size"}, visionKeys...)}, // of the first versions, a copy
}
