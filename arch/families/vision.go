package families

import "github.com/hlocc/hlocc/arch"

// The text part of vision-language models. Prompts without images pass through
// the language model alone, which is another family's.

// visionNames are the two ways in which the language model's tensors are called:
// as transformers 4 saved them, and as version 5 calls them inside.
var visionNames = []arch.Naming{
	{{"model.", "language_model.model."}, {"lm_head.", "language_model.lm_head."}},
	{{"model.", "model.language_model."}},
}

var visionIgnored = []arch.Ignored{
	{Tensor: "vision_tower.*", Reason: "the vision encoder; only text is supported"},
	{Tensor: "multi_modal_projector.*", Reason: "the projection of images; only text is supported"},
	{Tensor: "model.vision_tower.*", Reason: "the vision encoder; only text is supported"},
	{Tensor: "model.multi_modal_projector.*", Reason: "the projection of images; only text is supported"},
}

// visionKeys are those of the other parts.
var visionKeys = []string{"vision_config", "image_token_index", "image_token_id", "image_seq_length", "projector_hidden_act", "multimodal_projector_bias",
	"vision_feature_layer", "vision_feature_select_strategy", "spatial_merge_size", "mm_tokens_per_image", "boi_token_index", "eoi_token_index"}

// What the configuration classes of transformers have for the sizes.
const (
	llamaSizes   = `{"vocab_size":32000,"hidden_size":4096,"intermediate_size":11008,"num_hidden_layers":32,"num_attention_heads":32}`
	mistralSizes = `{"vocab_size":32000,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8}`
	qwen2Sizes   = `{"vocab_size":151936,"hidden_size":4096,"intermediate_size":22016,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":32}`
	gemma3Sizes  = `{"vocab_size":262208,"hidden_size":2304,"intermediate_size":9216,"num_hidden_layers":26,"num_attention_heads":8,"num_key_value_heads":4,"head_dim":256}`

	ministral3Sizes = `{"vocab_size":131072,"hidden_size":4096,"intermediate_size":14336,"num_hidden_layers":34,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":128}`
)
