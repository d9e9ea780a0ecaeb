package families_test

import (
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// Configs of published models, as they are on the hub.
func TestPublishedGemma(t *testing.T) {
	checkFacts(t, []configCase{
		{"Gemma 2B", `{"architectures":["GemmaForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":2,"eos_token_id":1,"head_dim":256,"hidden_act":"gelu",
			"hidden_activation":null,"hidden_size":2048,"initializer_range":0.02,"intermediate_size":16384,"max_position_embeddings":8192,"model_type":"gemma","num_attention_heads":8,
			"num_hidden_layers":18,"num_key_value_heads":1,"pad_token_id":0,"rms_norm_eps":1e-06,"rope_scaling":null,"rope_theta":10000.0,"torch_dtype":"bfloat16",
			"transformers_version":"4.38.0.dev0","use_cache":true,"vocab_size":256000}`,
			"8/1x256, rms 1e-06 1+w, embed 45.2548, tied, gelu_tanh, default 10000, up to 8192: " + strings.Repeat("f", 18)},
		{"Gemma 2 9B", `{"architectures":["Gemma2ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"attn_logit_softcapping":50.0,"bos_token_id":2,"cache_implementation":"hybrid",
			"eos_token_id":1,"final_logit_softcapping":30.0,"head_dim":256,"hidden_act":"gelu_pytorch_tanh","hidden_activation":"gelu_pytorch_tanh","hidden_size":3584,"initializer_range":0.02,
			"intermediate_size":14336,"max_position_embeddings":8192,"model_type":"gemma2","num_attention_heads":16,"num_hidden_layers":42,"num_key_value_heads":8,"pad_token_id":0,
			"query_pre_attn_scalar":256,"rms_norm_eps":1e-06,"rope_theta":10000.0,"sliding_window":4096,"sliding_window_size":4096,"torch_dtype":"float32","transformers_version":"4.42.0.dev0",
			"use_cache":true,"vocab_size":256000}`,
			"16/8x256, cap 50, rms 1e-06 1+w, block around, embed 59.8665, head cap 30, tied, gelu_tanh, default 10000, up to 8192: " + strings.Repeat("sf", 21) + " 4096"},
		{"Gemma 2 27B", `{"architectures":["Gemma2ForCausalLM"],"attn_logit_softcapping":50.0,"final_logit_softcapping":30.0,"head_dim":128,"hidden_activation":"gelu_pytorch_tanh",
			"hidden_size":4608,"intermediate_size":36864,"max_position_embeddings":8192,"model_type":"gemma2","num_attention_heads":32,"num_hidden_layers":46,"num_key_value_heads":16,
			"query_pre_attn_scalar":144,"rms_norm_eps":1e-06,"rope_theta":10000.0,"sliding_window":4096,"use_cache":true,"vocab_size":256000,"_attn_implementation":"eager"}`,
			"32/16x128, scale 0.0833333, cap 50, rms 1e-06 1+w, block around, embed 67.8823, head cap 30, tied, gelu_tanh, default 10000, up to 8192: " + strings.Repeat("sf", 23) + " 4096"},
		{"Gemma 3 1B", `{"architectures":["Gemma3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"attn_logit_softcapping":null,"bos_token_id":2,"cache_implementation":"hybrid",
			"eos_token_id":[1,106],"final_logit_softcapping":null,"head_dim":256,"hidden_activation":"gelu_pytorch_tanh","hidden_size":1152,"initializer_range":0.02,"intermediate_size":6912,
			"max_position_embeddings":32768,"model_type":"gemma3_text","num_attention_heads":4,"num_hidden_layers":26,"num_key_value_heads":1,"pad_token_id":0,"query_pre_attn_scalar":256,
			"rms_norm_eps":1e-06,"rope_local_base_freq":10000,"rope_scaling":null,"rope_theta":1000000,"sliding_window":512,"sliding_window_pattern":6,"torch_dtype":"bfloat16",
			"transformers_version":"4.50.0.dev0","use_cache":true,"vocab_size":262144}`,
			"4/1x256, rms 1e-06 1+w, qk head rms 1e-06 1+w, block around, embed 33.9411, tied, gelu_tanh, default 1e+06, default 10000, up to 32768: " +
				strings.Repeat("s1s1s1s1s1f", 4) + "s1s1 512"},
		{"Gemma 3 270M in the style of transformers 5", `{"_sliding_window_pattern":6,"architectures":["Gemma3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,
			"attn_logit_softcapping":null,"bos_token_id":2,"dtype":"bfloat16","eos_token_id":1,"final_logit_softcapping":null,"head_dim":256,"hidden_activation":"gelu_pytorch_tanh",
			"hidden_size":640,"initializer_range":0.02,"intermediate_size":2048,"layer_types":` + types(strings.Repeat("sssssf", 3)) + `,"max_position_embeddings":32768,
			"model_type":"gemma3_text","num_attention_heads":4,"num_hidden_layers":18,"num_key_value_heads":1,"pad_token_id":0,"query_pre_attn_scalar":256,"rms_norm_eps":1e-06,
			"rope_parameters":{"full_attention":{"rope_theta":1000000.0,"rope_type":"default"},"sliding_attention":{"rope_theta":10000.0,"rope_type":"default"}},
			"sliding_window":512,"tie_word_embeddings":true,"transformers_version":"5.1.0","use_bidirectional_attention":false,"use_cache":true,"vocab_size":262144}`,
			"4/1x256, rms 1e-06 1+w, qk head rms 1e-06 1+w, block around, embed 25.2982, tied, gelu_tanh, default 1e+06, default 10000, up to 32768: " +
				strings.Repeat("s1s1s1s1s1f", 3) + " 512"},
	})
}

// What the classes of transformers make of other values and of missing keys.
func TestGemmaSpecs(t *testing.T) {
	const gemma3 = "4/2x32, scale 0.204124, rms 0.001 1+w, qk head rms 0.001 1+w, block around, embed 8, tied, gelu_tanh, "
	checkFacts(t, []configCase{
		{"gemma: activation by default", changed(t, "gemma", "hidden_act", "null"), "4/1x32, rms 0.001 1+w, embed 8, tied, gelu_tanh, default 10000, up to 128: ff"},
		{"gemma: hidden_activation does not count", changed(t, "gemma", "hidden_activation", `"silu"`), "4/1x32, rms 0.001 1+w, embed 8, tied, gelu_tanh, default 10000, up to 128: ff"},
		{"gemma: another activation", changed(t, "gemma", "hidden_act", `"silu"`, "attention_bias", "true"), "4/1x32, bias qkvo, rms 0.001 1+w, embed 8, tied, default 10000, up to 128: ff"},
		{"gemma2: no caps", changed(t, "gemma2", "attn_logit_softcapping", "null", "final_logit_softcapping", "null"),
			"4/2x32, scale 0.204124, rms 0.001 1+w, block around, embed 8, tied, gelu_tanh, default 10000, up to 128: sf 8"},
		{"gemma2: hidden_act does not count, hidden_activation does", changed(t, "gemma2", "hidden_act", `"silu"`, "hidden_activation", `"gelu"`),
			"4/2x32, scale 0.204124, cap 3, rms 0.001 1+w, block around, embed 8, head cap 6, tied, gelu, default 10000, up to 128: sf 8"},
		{"gemma2: layer types", changed(t, "gemma2", "layer_types", types("fs")),
			"4/2x32, scale 0.204124, cap 3, rms 0.001 1+w, block around, embed 8, head cap 6, tied, gelu_tanh, default 10000, up to 128: fs 8"},
		{"gemma3", changed(t, "gemma3"), gemma3 + "linear 1e+06, factor 8, default 10000, up to 128: s1s1f 8"},
		{"gemma3: thetas by default", changed(t, "gemma3", "rope_theta", "null", "rope_local_base_freq", "null", "rope_scaling", "null"), gemma3 + "default 1e+06, default 10000, up to 128: s1s1f 8"},
		{"gemma3: one theta for all", changed(t, "gemma3", "rope_local_base_freq", "1e6", "rope_scaling", "null"), gemma3 + "default 1e+06, up to 128: ssf 8"},
		{"gemma3: pattern", changed(t, "gemma3", "sliding_window_pattern", "2"), gemma3 + "linear 1e+06, factor 8, default 10000, up to 128: s1fs1 8"},
		{"gemma3: pattern by default", changed(t, "gemma3", "sliding_window_pattern", "null"), gemma3 + "default 10000, up to 128: sss 8"},
		{"gemma3: layer types over the pattern", changed(t, "gemma3", "layer_types", types("fff")), gemma3 + "linear 1e+06, factor 8, up to 128: fff"},
		{"gemma3: caps", changed(t, "gemma3", "final_logit_softcapping", "5.0", "attn_logit_softcapping", "2.0", "rope_scaling", "null"),
			strings.Replace(gemma3, "tied", "head cap 5, tied", 1) + "default 1e+06, default 10000, up to 128: s1s1f 8"},
		{"gemma3: a type without parameters", changed(t, "gemma3", "rope_scaling", "null", "rope_local_base_freq", "null", "rope_theta", "null",
			"rope_parameters", `{"full_attention":{"rope_type":"yarn","factor":4,"rope_theta":5000.0,"original_max_position_embeddings":64},"sliding_attention":null}`),
			gemma3 + "yarn 5000, factor 4, original 64, gain 1.13863, default 10000, up to 256: s1s1f 8"},
		{"gemma3: both styles, the same", changed(t, "gemma3", "rope_parameters", `{"full_attention":{"rope_type":"linear","factor":8.0,"rope_theta":1e6},"sliding_attention":{"rope_theta":1e4}}`),
			gemma3 + "linear 1e+06, factor 8, default 10000, up to 128: s1s1f 8"},
	})
}

func TestGemmaRefusals(t *testing.T) {
	const u, b = diag.Unsupported, diag.BadInput
	nested := func(full, sliding string) string {
		return changed(t, "gemma3", "rope_scaling", "null", "rope_theta", "null", "rope_local_base_freq", "null",
			"rope_parameters", `{"full_attention":`+full+`,"sliding_attention":`+sliding+`}`)
	}
	checkRefusals(t, []refusalCase{
		{"both directions", changed(t, "gemma3", "use_bidirectional_attention", "true"), u, "use_bidirectional_attention", "both directions"},
		{"no window", changed(t, "gemma2", "sliding_window", "null"), b, "sliding_window", "layer 0 is of type sliding_attention"},
		{"layer type", changed(t, "gemma2", "layer_types", `["full_attention","chunked_attention"]`), u, "layer_types", "not supported"},
		{"head_dim odd", changed(t, "gemma", "head_dim", "31"), b, "head_dim", "even"},
		{"softcap 0", changed(t, "gemma2", "attn_logit_softcapping", "0"), b, "attn_logit_softcapping", "out of range"},
		{"softcap of gemma", changed(t, "gemma", "final_logit_softcapping", "30"), u, "final_logit_softcapping", "soft-capped logits"},
		{"flat parameters", changed(t, "gemma3", "rope_scaling", "null", "rope_parameters", `{"rope_type":"default","rope_theta":1e6}`), b, "rope_parameters.rope_type", "per layer type"},
		{"parameters of a type that is none", changed(t, "gemma3", "rope_scaling", "null", "rope_parameters", `{"chunked_attention":{}}`), b, "rope_parameters.chunked_attention", "full_attention, sliding_attention"},
		{"conflict with rope_theta", changed(t, "gemma3", "rope_scaling", "null", "rope_parameters", `{"full_attention":{"rope_theta":5e5}}`), b, "rope_parameters.full_attention.rope_theta", "differs from rope_theta"},
		{"conflict with rope_local_base_freq", changed(t, "gemma3", "rope_scaling", "null", "rope_parameters", `{"sliding_attention":{"rope_theta":5e5}}`), b,
			"rope_parameters.sliding_attention.rope_theta", "differs from rope_local_base_freq"},
		{"conflict with rope_scaling", changed(t, "gemma3", "rope_parameters", `{"full_attention":{"rope_type":"linear","factor":4.0}}`), b, "rope_parameters.full_attention.factor", "differs from rope_scaling"},
		{"truncate", nested(`{"rope_type":"yarn","factor":4,"truncate":false}`, `{}`), u, "rope_parameters.full_attention.truncate", "per layer type"},
		{"unknown key", nested(`{"rope_type":"linear","factor":4,"beta_fast":3}`, `{}`), u, "rope_parameters.full_attention.beta_fast", "unknown key"},
		{"part of a head", nested(`{"rope_type":"default","partial_rotary_factor":0.5}`, `{}`), u, "rope_parameters.full_attention.partial_rotary_factor", "part of each head"},
		{"rope type", nested(`{"rope_type":"default"}`, `{"rope_type":"proportional"}`), u, "rope_parameters.sliding_attention.rope_type", "not supported"},
	})
}
