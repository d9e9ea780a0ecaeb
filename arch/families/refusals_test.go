package families_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/diag"
)

// changed is the config.json of a fixture with some keys replaced or added, each
// given as key, JSON value. A dotted key reaches into an object.
func changed(t testing.TB, fixture string, changes ...string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(fixtures.Dir(t, fixture), "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	var config map[string]any
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	for i := 0; i+1 < len(changes); i += 2 {
		at, path := config, strings.Split(changes[i], ".")
		for _, key := range path[:len(path)-1] {
			at = at[key].(map[string]any)
		}
		at[path[len(path)-1]] = json.RawMessage(changes[i+1])
	}
	text, err = json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What we do not do is refused before any work. The diagnostic names the key and
// its value, gives the reason and says what would be needed or what to do.
func TestUnsupportedModels(t *testing.T) {
	for _, c := range []struct {
		fixture string
		changes []string
		where   string
		found   string // part of the value
		reason  string
		needs   string
	}{
		// Model types.
		{"llama", []string{"model_type", `"mamba"`}, "model_type", "mamba", "state-space", "a recurrent state in place of the KV cache"},
		{"llama", []string{"model_type", `"mamba2"`}, "model_type", "mamba2", "state-space", "recurrent state"},
		{"llama", []string{"model_type", `"jamba"`}, "model_type", "jamba", "hybrid", "recurrent state beside the KV cache"},
		{"llama", []string{"model_type", `"falcon_h1"`}, "model_type", "falcon_h1", "hybrid", "recurrent state"},
		{"granite", []string{"model_type", `"granitemoehybrid"`}, "model_type", "granitemoehybrid", "hybrid", "recurrent state"},
		{"nemotron", []string{"model_type", `"nemotron_h"`}, "model_type", "nemotron_h", "hybrid", "recurrent state"},
		{"qwen3", []string{"model_type", `"qwen3_next"`}, "model_type", "qwen3_next", "linear attention", "recurrent state"},
		{"llama", []string{"model_type", `"lfm2"`}, "model_type", "lfm2", "convolutions", "recurrent state"},
		{"llama", []string{"model_type", `"rwkv"`}, "model_type", "rwkv", "recurrent", "recurrent state"},
		{"gemma", []string{"model_type", `"recurrent_gemma"`}, "model_type", "recurrent_gemma", "recurrent", "recurrent state"},
		{"llama", []string{"model_type", `"t5"`}, "model_type", "t5", "encoder-decoder", "the encoder's graph"},
		{"llama", []string{"model_type", `"bart"`}, "model_type", "bart", "encoder-decoder", "attention to its output"},
		{"llama", []string{"model_type", `"whisper"`}, "model_type", "whisper", "speech", "the encoder's graph"},
		{"llama", []string{"model_type", `"bert"`}, "model_type", "bert", "encoder without text generation", "another kind of graph"},
		{"qwen2", []string{"model_type", `"qwen2_vl"`}, "model_type", "qwen2_vl", "vision-language", "the vision encoder"},
		{"qwen2", []string{"model_type", `"qwen2_5_omni"`}, "model_type", "qwen2_5_omni", "vision-language", "text part"},
		{"llama", []string{"model_type", `"mllama"`}, "model_type", "mllama", "vision-language", "the vision encoder"},
		{"qwen2", []string{"model_type", `"qwen2_audio"`}, "model_type", "qwen2_audio", "audio", "the audio encoder"},
		{"gemma3", []string{"model_type", `"gemma3n"`}, "model_type", "gemma3n", "several residual streams", "share keys and values"},
		{"phi3", []string{"model_type", `"phimoe"`}, "model_type", "phimoe", "SparseMixer", "its router"},
		{"llama", []string{"model_type", `"llama4_text"`}, "model_type", "llama4_text", "attention in chunks", "masks of chunks"},
		{"llama", []string{"model_type", `"dots1"`}, "model_type", "dots1", "nobody has described", "a family file"},
		{"llama", []string{"model_type", `"bloom"`}, "model_type", "bloom", "ALiBi", "a bias on the attention scores"},
		{"llama", []string{"model_type", `"mpt"`}, "model_type", "mpt", "ALiBi", "grows with the distance"},
		{"llama", []string{"model_type", `"falcon"`}, "model_type", "falcon", "RoPE or ALiBi", "a family file"},
		{"llama", []string{"model_type", `"dbrx"`}, "model_type", "dbrx", "nobody has described", "a family file"},
		{"llama", []string{"model_type", `"openelm"`}, "model_type", "openelm", "different shapes", "shapes per layer"},
		{"llama", []string{"model_type", `"bitnet"`}, "model_type", "bitnet", "ternary", "its rounding"},
		{"llama", []string{"model_type", `"llada"`}, "model_type", "llada", "diffusion", "of decoding"},
		{"llama", []string{"model_type", `"my_own"`}, "model_type", "my_own", "not supported", "docs/adding-a-family.md"},

		// Model classes: a known body with another head.
		{"llama", []string{"architectures", `["LlamaForSequenceClassification"]`}, "architectures", "LlamaForSequenceClassification", "scores for classes", "LlamaForCausalLM"},
		{"qwen2", []string{"architectures", `["Qwen2ForRewardModel"]`}, "architectures", "Qwen2ForRewardModel", "one score", "Qwen2ForCausalLM"},
		{"qwen3", []string{"architectures", `["Qwen3ForTokenClassification"]`}, "architectures", "ForTokenClassification", "scores for classes", "Qwen3ForCausalLM"},
		{"mistral", []string{"architectures", `["MistralModel"]`}, "architectures", "MistralModel", "has no head", "MistralForCausalLM"},
		{"gpt2", []string{"architectures", `["GPT2ForQuestionAnswering"]`}, "architectures", "GPT2ForQuestionAnswering", "marks answers", "GPT2LMHeadModel"},

		// Quantized checkpoints.
		{"llama", []string{"quantization_config", `{"quant_method":"gptq","bits":3,"group_size":128}`}, "quantization_config.bits", "3", "number of bits", "bf16, f16 or f32"},
		{"qwen2", []string{"quantization_config", `{"quant_method":"awq","bits":4,"group_size":32}`}, "quantization_config.group_size", "32", "without loss", "bf16, f16 or f32"},
		{"llama3", []string{"quantization_config", `{"quant_method":"bitsandbytes","load_in_4bit":true}`}, "quantization_config", "bitsandbytes", "table of 4-bit numbers", "bf16, f16 or f32"},
		{"qwen3", []string{"quantization_config", `{"quant_method":"fp8","weight_block_size":[128,128]}`}, "quantization_config", "fp8", "8-bit floats with a scale per block", "bf16, f16 or f32"},
		{"mistral", []string{"quantization_config", `{"quant_method":"compressed-tensors","format":"pack-quantized"}`}, "quantization_config", "compressed-tensors", "packed integers", "bf16, f16 or f32"},
		{"gemma2", []string{"quantization_config", `{"quant_method":"torchao"}`}, "quantization_config", "torchao", "the layout", "bf16, f16 or f32"},
		{"phi3", []string{"quantization_config", `{"quant_method":"hqq"}`}, "quantization_config", "hqq", "groups with scales", "bf16, f16 or f32"},
		{"llama", []string{"quantization_config", `{"quant_method":"mxfp4"}`}, "quantization_config", "mxfp4", "share an exponent", "bf16, f16 or f32"},
		{"llama", []string{"quantization_config", `{"quant_method":"newest"}`}, "quantization_config", "newest", "not read", "bf16, f16 or f32"},
		{"llama", []string{"quantization_config", `{"bits":4}`}, "quantization_config", "bits", "not read", "bf16, f16 or f32"},
		{"llama", []string{"quantization", `{"group_size":64,"bits":3}`}, "quantization.bits", "3", "number of bits", "bf16, f16 or f32"},

		// Positions.
		{"qwen3", []string{"rope_scaling", `{"rope_type":"proportional","factor":2}`}, "rope_scaling.rope_type", "proportional", "rotary embedding of this type", "its rule for the frequencies"},
		{"starcoder2", []string{"rope_scaling", `{"type":"su","factor":2}`}, "rope_scaling.rope_type", "su", "rotary embedding of this type", "its rule for the frequencies"},
		{"qwen2", []string{"rope_scaling", `{"type":"mrope","mrope_section":[16,24,24]}`}, "rope_scaling.rope_type", "mrope", "rotary embedding of this type", "its rule for the frequencies"},
		{"llama", []string{"experts_per_token", "2"}, "experts_per_token", "2", "unknown key", "docs/adding-a-family.md"},
		{"llama", []string{"alibi", "true"}, "alibi", "true", "ALiBi", "a bias on the scores"},
		{"internlm3", []string{"position_embedding_type", `"alibi"`}, "position_embedding_type", "alibi", "only rotary", "this kind of positions"},
		{"qwen2", []string{"use_mrope", "true"}, "use_mrope", "true", "multi-dimensional", "several axes"},
		{"qwen3", []string{"partial_rotary_factor", "0.5"}, "partial_rotary_factor", "0.5", "part of each head", "docs/adding-a-family.md"},
		{"seed_oss", []string{"no_rope_layers", "[1,0]"}, "no_rope_layers", "[1,0]", "without rotary positions", "the family must read this key"},

		// Activations.
		{"llama", []string{"hidden_act", `"mish"`}, "hidden_act", "mish", "activation is not supported", "what such a model computes"},
		{"gemma2", []string{"hidden_activation", `"relu6"`}, "hidden_activation", "relu6", "activation is not supported", "what such a model computes"},
		{"starcoder2", []string{"hidden_act", `"quick_gelu"`}, "hidden_act", "quick_gelu", "activation is not supported", "what such a model computes"},
		{"qwen3", []string{"hidden_act", `"xielu"`}, "hidden_act", "xielu", "activation is not supported", "what such a model computes"},

		// Keys that change what layers compute.
		{"llama", []string{"is_encoder_decoder", "true"}, "is_encoder_decoder", "true", "encoder-decoder", "a decoder-only model"},
		{"qwen2", []string{"add_cross_attention", "true"}, "add_cross_attention", "true", "cross attention", "the encoder"},
		{"llama", []string{"vision_config", `{"depth":2}`}, "vision_config", "depth", "vision inputs", "the text part alone"},
		{"llama", []string{"audio_config", `{"depth":2}`}, "audio_config", "depth", "audio inputs", "the text part alone"},
		{"llama", []string{"num_local_experts", "8"}, "num_local_experts", "8", "mixture of experts", "the family must read this key"},
		{"qwen2", []string{"n_routed_experts", "64"}, "n_routed_experts", "64", "mixture of experts", "the family must read this key"},
		{"qwen3", []string{"attn_logit_softcapping", "50.0"}, "attn_logit_softcapping", "50", "soft-capped", "the family must read this key"},
		{"llama", []string{"final_logit_softcapping", "30.0"}, "final_logit_softcapping", "30", "soft-capped", "the family must read this key"},
		{"olmo2", []string{"clip_qkv", "8.0"}, "clip_qkv", "8", "clipped", "the family must read this key"},
		{"mistral", []string{"embedding_multiplier", "12.0"}, "embedding_multiplier", "12", "scaled embeddings", "the family must read this key"},
		{"qwen3", []string{"logit_scale", "0.25"}, "logit_scale", "0.25", "scaled logits", "the family must read this key"},
		{"phi3", []string{"kv_lora_rank", "16"}, "kv_lora_rank", "16", "latent attention", "the family must read this key"},
		{"llama", []string{"attention_sinks", "true"}, "attention_sinks", "true", "sinks", "the family must read this key"},
		{"llama", []string{"mamba_d_state", "16"}, "mamba_d_state", "16", "state-space", "recurrent state"},
		{"qwen3", []string{"full_attention_interval", "4"}, "full_attention_interval", "4", "linear attention", "recurrent state"},
		{"gemma3", []string{"num_kv_shared_layers", "2"}, "num_kv_shared_layers", "2", "share keys and values", "caches that several layers read"},
		{"gemma3", []string{"altup_num_inputs", "4"}, "altup_num_inputs", "4", "several residual streams", "Gemma 3n"},
		{"llama", []string{"per_layer_config", `{"0":{"num_attention_heads":2}}`}, "per_layer_config", "num_attention_heads", "different shapes", "shapes per layer"},
		{"llama", []string{"attention_chunk_size", "8192"}, "attention_chunk_size", "8192", "chunked attention", "masks of chunks"},
		{"llama", []string{"is_causal", "false"}, "is_causal", "false", "both directions", "a causal mask"},
		{"llama", []string{"pretraining_tp", "4"}, "pretraining_tp", "4", "add in another order", "set it to 1"},

		// Unknown keys that may change the maths.
		{"llama", []string{"frobnication", "0.7"}, "frobnication", "0.7", "unknown key", "remove it"},
		{"gemma2", []string{"use_magic", "true"}, "use_magic", "true", "unknown key", "the family must read it"},
		{"cohere", []string{"attention_variant", `"linear"`}, "attention_variant", "linear", "unknown key", "remove it"},
		{"granite", []string{"new_thing", `{"a":1}`}, "new_thing", "a", "unknown key", "remove it"},
	} {
		t.Run(c.fixture+" "+strings.Join(c.changes, " "), func(t *testing.T) {
			s, err := spec(changed(t, c.fixture, c.changes...))
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("found %+v, %v", s, err)
			}
			if e.Kind != diag.Unsupported || e.File != "config.json" || e.Code == "" || e.Where != c.where ||
				!strings.Contains(e.Found, c.found) || !strings.Contains(e.Message, c.reason) || !strings.Contains(e.Message+e.Want+e.Fix, c.needs) || e.Fix == "" && e.Want == "" {
				t.Errorf("%s (found %q): %s; %s", e.Where, e.Found, e.Message, e)
			}
		})
	}
}

// Unknown keys that cannot change the results pass, in every family, and so do
// known ones with the value that switches them off.
func TestHarmlessKeys(t *testing.T) {
	harmless := []string{
		"_my_note", "17", "_name_or_path", `"a/b"`, "license", `"mit"`, "my_remark", `"hello"`, "training_steps", "1000", "unsloth_fixed", "true",
		"use_something", "false", "things", "[]", "map", "{}", "nothing", "null", "empty", `""`, "custom_dropout", "0.1", "attention_dropout", "0.1",
		"transformers_version", `"5.0"`, "torch_dtype", `"bfloat16"`, "auto_map", `{"AutoConfig":"x.Y"}`, "aux_loss", "0.01", "router_aux_loss_coef", "0.001",
		"use_cache", "true", "use_flash_attn", "true", "gradient_checkpointing", "true", "initializer_range", "0.02", "init_std", "0.02", "mask_token_id", "3",
		"pad_token_id", "0", "id2label", `{"0":"a"}`, "problem_type", `"regression"`, "quantization_config", "null", "is_encoder_decoder", "false",
		"is_causal", "true", "attn_implementation", `"eager"`, "chunk_size_feed_forward", "0", "top_k", "50", "temperature", "1.0", "num_labels", "2",
	}
	seen := map[string]bool{}
	for _, name := range fixtures.Names(t) {
		c, err := arch.ReadConfig(fixtures.Dir(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if seen[c.ModelType] {
			continue
		}
		seen[c.ModelType] = true
		if _, err := spec(changed(t, name, harmless...)); err != nil {
			t.Errorf("%s: %v", c.ModelType, err)
		}
	}
}

// A model type is either a family or known to be unsupported, and each is listed once.
func TestRefusedModels(t *testing.T) {
	var families []string
	for _, f := range arch.Families() {
		families = append(families, f.Name)
	}
	types := arch.RefusedModels()
	if len(types) < 150 {
		t.Errorf("only %d model types are explained", len(types))
	}
	for i, name := range types {
		if slices.Contains(families, name) {
			t.Errorf("%s is a family and refused", name)
		}
		if slices.Contains(types[:i], name) {
			t.Errorf("%s is refused twice", name)
		}
	}
}
