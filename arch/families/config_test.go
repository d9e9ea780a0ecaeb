package families_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/diag"
)

// spec parses the text of a config.json.
func spec(text string) (*arch.Spec, error) {
	c, err := arch.ParseConfig("config.json", []byte(text))
	if err != nil {
		return nil, err
	}
	f, err := arch.FamilyOf(c)
	if err != nil {
		return nil, err
	}
	return arch.SpecOf(f, c)
}

// checkSpec holds the Spec of a config against what is known of the model.
func checkSpec(t *testing.T, text string, check func(*arch.Spec) bool) {
	t.Helper()
	s, err := spec(text)
	if err != nil {
		t.Fatal(err)
	}
	if !check(s) {
		text, _ := json.Marshal(s)
		t.Errorf("wrong spec: %.2000s", text)
	}
}

// with is a small config of a family with some keys replaced, each given as
// "key": value; a value of "-" leaves the key out.
func with(family string, changes ...string) string {
	class := map[string]string{"llama": "Llama", "qwen2": "Qwen2", "mistral": "Mistral", "ministral3": "Ministral3", "mimo": "MiMo", "internlm3": "InternLM3"}[family]
	keys := []string{"architectures", "model_type", "vocab_size", "hidden_size", "intermediate_size", "num_hidden_layers",
		"num_attention_heads", "num_key_value_heads", "max_position_embeddings", "rms_norm_eps"}
	values := map[string]string{"architectures": fmt.Sprintf("[%q]", class+"ForCausalLM"), "model_type": fmt.Sprintf("%q", family), "vocab_size": "256", "hidden_size": "64",
		"intermediate_size": "96", "num_hidden_layers": "4", "num_attention_heads": "4", "num_key_value_heads": "2", "max_position_embeddings": "128", "rms_norm_eps": "1e-5"}
	if family == "ministral3" {
		keys = append(keys, "rope_parameters")
		values["rope_parameters"] = `{"rope_type":"default","rope_theta":10000.0}`
	}
	for i := 0; i+1 < len(changes); i += 2 {
		if _, ok := values[changes[i]]; !ok {
			keys = append(keys, changes[i])
		}
		values[changes[i]] = changes[i+1]
	}
	var out []string
	for _, k := range keys {
		if values[k] != "-" {
			out = append(out, fmt.Sprintf("%q: %s", k, values[k]))
		}
	}
	return "{" + strings.Join(out, ",\n ") + "}"
}

// Configs of published models, as they are on the hub.
func TestPublishedConfigs(t *testing.T) {
	for _, c := range []struct {
		name, text string
		check      func(s *arch.Spec) bool
	}{
		{"Llama 3.1 8B", `{"architectures":["LlamaForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":128000,
			"eos_token_id":[128001,128008,128009],"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":14336,
			"max_position_embeddings":131072,"mlp_bias":false,"model_type":"llama","num_attention_heads":32,"num_hidden_layers":32,
			"num_key_value_heads":8,"pretraining_tp":1,"rms_norm_eps":1e-05,"rope_scaling":{"factor":8.0,"low_freq_factor":1.0,
			"high_freq_factor":4.0,"original_max_position_embeddings":8192,"rope_type":"llama3"},"rope_theta":500000.0,
			"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.42.3","use_cache":true,"vocab_size":128256}`,
			func(s *arch.Spec) bool {
				return s.Attention.HeadDim == 128 && s.Attention.KVHeads == 8 && s.RoPE[0].Kind == arch.RoPELlama3 && s.RoPE[0].OriginalMaxPositions == 8192 && !s.Head.Tied
			}},
		{"SmolLM2", `{"architectures":["LlamaForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,
			"hidden_act":"silu","hidden_size":576,"initializer_range":0.041666666666666664,"intermediate_size":1536,"is_llama_config":true,
			"max_position_embeddings":8192,"mlp_bias":false,"model_type":"llama","num_attention_heads":9,"num_hidden_layers":30,
			"num_key_value_heads":3,"pad_token_id":2,"pretraining_tp":1,"rms_norm_eps":1e-05,"rope_interleaved":false,"rope_scaling":null,
			"rope_theta":100000,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers.js_config":{"kv_cache_dtype":{"q4f16":"float16"}},
			"transformers_version":"4.42.3","use_cache":true,"vocab_size":49152}`,
			func(s *arch.Spec) bool {
				return s.Attention.HeadDim == 64 && s.Head.Tied && s.RoPE[0].Theta == 100000 && len(s.Layers) == 30
			}},
		{"Llama 1 of old", `{"architectures":["LLaMAForCausalLM"],"bos_token_id":0,"eos_token_id":1,"hidden_act":"silu","hidden_size":4096,"intermediate_size":11008,
			"initializer_range":0.02,"max_sequence_length":2048,"model_type":"llama","num_attention_heads":32,"num_hidden_layers":32,"pad_token_id":-1,
			"rms_norm_eps":1e-06,"torch_dtype":"float16","transformers_version":"4.27.0.dev0","use_cache":true,"vocab_size":32000}`,
			func(s *arch.Spec) bool {
				return s.Attention.KVHeads == 32 && s.MaxPositions == 2048 && s.RoPE[0].Theta == 10000
			}},
		{"Qwen2.5 7B", `{"architectures":["Qwen2ForCausalLM"],"attention_dropout":0.0,"bos_token_id":151643,"eos_token_id":151645,"hidden_act":"silu",
			"hidden_size":3584,"initializer_range":0.02,"intermediate_size":18944,"max_position_embeddings":32768,"max_window_layers":28,
			"model_type":"qwen2","num_attention_heads":28,"num_hidden_layers":28,"num_key_value_heads":4,"rms_norm_eps":1e-06,"rope_theta":1000000.0,
			"sliding_window":131072,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.43.1","use_cache":true,
			"use_sliding_window":false,"vocab_size":152064}`,
			func(s *arch.Spec) bool {
				return s.Attention.Bias == arch.AttnBias{Q: true, K: true, V: true} && s.Layers[27].Window == 0
			}},
		{"DeepSeek R1 distilled", `{"architectures":["Qwen2ForCausalLM"],"attention_dropout":0.0,"bos_token_id":151643,"eos_token_id":151643,"hidden_act":"silu",
			"hidden_size":1536,"initializer_range":0.02,"intermediate_size":8960,"max_position_embeddings":131072,"max_window_layers":21,"model_type":"qwen2",
			"num_attention_heads":12,"num_hidden_layers":28,"num_key_value_heads":2,"rms_norm_eps":1e-06,"rope_theta":10000,"sliding_window":4096,
			"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.44.0","use_cache":true,"use_mrope":false,"use_sliding_window":false,"vocab_size":151936}`,
			func(s *arch.Spec) bool { return s.RoPE[0].Theta == 10000 && s.Layers[27].Window == 0 }},
		{"Qwen2.5 with YaRN switched on", `{"architectures":["Qwen2ForCausalLM"],"hidden_act":"silu","hidden_size":3584,"intermediate_size":18944,"max_position_embeddings":32768,
			"model_type":"qwen2","num_attention_heads":28,"num_hidden_layers":28,"num_key_value_heads":4,"rope_theta":1000000.0,"vocab_size":152064,
			"rope_scaling":{"factor":4.0,"original_max_position_embeddings":32768,"type":"yarn"}}`,
			func(s *arch.Spec) bool {
				return s.MaxPositions == 131072 && s.RoPE[0].Truncate && s.RoPE[0].BetaFast == 32 && math.Abs(s.RoPE[0].AttentionFactor-1.138629436) < 1e-9
			}},
		{"Mistral 7B 0.1", `{"architectures":["MistralForCausalLM"],"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,
			"intermediate_size":14336,"max_position_embeddings":32768,"model_type":"mistral","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,
			"rms_norm_eps":1e-05,"rope_theta":10000.0,"sliding_window":4096,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.34.0.dev0","use_cache":true,"vocab_size":32000}`,
			func(s *arch.Spec) bool { return s.Layers[0].Window == 4096 && s.Layers[31].Window == 4096 }},
		{"Mistral Nemo", `{"architectures":["MistralForCausalLM"],"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,"head_dim":128,"hidden_act":"silu","hidden_size":5120,
			"initializer_range":0.02,"intermediate_size":14336,"max_position_embeddings":131072,"model_type":"mistral","num_attention_heads":32,"num_hidden_layers":40,
			"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":1000000.0,"sliding_window":null,"tie_word_embeddings":false,"torch_dtype":"bfloat16","use_cache":true,"vocab_size":131072}`,
			func(s *arch.Spec) bool {
				return s.Attention.HeadDim == 128 && s.Hidden == 5120 && s.Layers[0].Window == 0
			}},
		{"MiMo 7B", `{"architectures":["MiMoForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_mimo.MiMoConfig"},
			"bos_token_id":151643,"eos_token_id":151643,"head_dim":128,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":11008,
			"max_position_embeddings":32768,"max_window_layers":36,"model_type":"mimo","num_attention_heads":32,"num_hidden_layers":36,"num_key_value_heads":8,
			"num_nextn_predict_layers":1,"num_speculative_steps":1,"mtp_loss_step_weights":[1.0],"ntp_loss_weight":0.0,"mtp_loss_weight":1.0,
			"rms_norm_eps":1e-05,"rope_theta":640000,"sliding_window":32768,"tie_word_embeddings":false,"torch_dtype":"bfloat16","use_cache":true,"use_sliding_window":false,"vocab_size":151680}`,
			func(s *arch.Spec) bool { return s.Attention.Bias.Q && !s.Attention.Bias.O && s.RoPE[0].Theta == 640000 }},
		{"InternLM3 8B", `{"architectures":["InternLM3ForCausalLM"],"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_internlm3.InternLM3Config"},"bias":false,
			"bos_token_id":1,"eos_token_id":[2,128131],"head_dim":128,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":10240,
			"max_position_embeddings":32768,"model_type":"internlm3","num_attention_heads":32,"num_hidden_layers":48,"num_key_value_heads":2,"pad_token_id":2,
			"qkv_bias":false,"rms_norm_eps":1e-05,"rope_scaling":{"factor":6.0,"rope_type":"dynamic"},"rope_theta":50000000,"tie_word_embeddings":false,"torch_dtype":"bfloat16","use_cache":true,"vocab_size":128512}`,
			func(s *arch.Spec) bool {
				return s.RoPE[0].Kind == arch.RoPEDynamic && s.RoPE[0].Factor == 6 && s.MaxPositions == 32768
			}},
		{"Ministral 3 text", `{"architectures":["Ministral3ForCausalLM"],"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,"head_dim":128,"hidden_act":"silu","hidden_size":3072,
			"initializer_range":0.02,"intermediate_size":9216,"max_position_embeddings":262144,"model_type":"ministral3","num_attention_heads":32,"num_hidden_layers":26,"num_key_value_heads":8,
			"rms_norm_eps":1e-05,"rope_parameters":{"beta_fast":32.0,"beta_slow":1.0,"factor":16.0,"llama_4_scaling_beta":0.1,"mscale":1.0,"mscale_all_dim":1.0,
			"original_max_position_embeddings":16384,"rope_theta":1000000.0,"rope_type":"yarn","type":"yarn"},"sliding_window":null,"tie_word_embeddings":true,"dtype":"bfloat16","use_cache":true,"vocab_size":131072}`,
			func(s *arch.Spec) bool {
				return s.Attention.QueryScale != nil && *s.Attention.QueryScale == arch.QueryScale{Beta: 0.1, Original: 16384} && s.RoPE[0].AttentionFactor == 1 && s.MaxPositions == 262144 && s.Head.Tied
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSpec(t, c.text, c.check)
		})
	}
}

// Each change of a small config gives the Spec that transformers would run.
func TestSpecs(t *testing.T) {
	window := func(s *arch.Spec) string {
		w := ""
		for _, l := range s.Layers {
			w += fmt.Sprint(l.Window, " ")
		}
		return strings.TrimSpace(w)
	}
	bias := func(s *arch.Spec) string { return fmt.Sprint(s.Attention.Bias, s.MLP.Bias) }
	rope := func(s *arch.Spec) string {
		return fmt.Sprint(s.RoPE[0].Kind, " ", s.RoPE[0].Theta, " ", s.RoPE[0].Factor, " ", s.RoPE[0].OriginalMaxPositions, " ", s.RoPE[0].AttentionFactor)
	}
	dims := func(s *arch.Spec) string {
		return fmt.Sprint(s.Attention.Heads, s.Attention.KVHeads, s.Attention.HeadDim, s.MaxPositions)
	}
	eps := func(s *arch.Spec) string { return fmt.Sprint(s.Norm.Eps) }
	act := func(s *arch.Spec) string { return string(s.MLP.Activation) }
	yarn := func(s *arch.Spec) string {
		return fmt.Sprint(s.RoPE[0].BetaFast, s.RoPE[0].BetaSlow, s.RoPE[0].Truncate)
	}
	for _, c := range []struct {
		name, text string
		get        func(*arch.Spec) string
		want       string
	}{
		{"llama: biases", with("llama", "attention_bias", "true"), bias, "{true true true true} false"},
		{"llama: MLP biases", with("llama", "mlp_bias", "true"), bias, "{false false false false} true"},
		{"llama: kv heads default to heads", with("llama", "num_key_value_heads", "-"), dims, "4 4 16 128"},
		{"llama: null kv heads", with("llama", "num_key_value_heads", "null"), dims, "4 4 16 128"},
		{"llama: head_dim", with("llama", "head_dim", "32"), dims, "4 2 32 128"},
		{"llama: null head_dim", with("llama", "head_dim", "null"), dims, "4 2 16 128"},
		{"llama: default positions", with("llama", "max_position_embeddings", "-"), dims, "4 2 16 2048"},
		{"llama: default eps", with("llama", "rms_norm_eps", "-"), eps, "1e-06"},
		{"llama: integral float sizes", with("llama", "hidden_size", "64.0"), dims, "4 2 16 128"},
		{"swish is silu", with("llama", "hidden_act", `"swish"`), dims, "4 2 16 128"},
		{"gelu", with("llama", "hidden_act", `"gelu"`), act, "gelu"},
		{"gelu by tanh", with("llama", "hidden_act", `"gelu_new"`), act, "gelu_tanh"},
		{"no rope keys", with("llama"), rope, "default 10000 0 0 1"},
		{"old style", with("llama", "rope_theta", "5e5", "rope_scaling", `{"type":"linear","factor":2}`), rope, "linear 500000 2 0 1"},
		{"new style", with("llama", "rope_parameters", `{"rope_type":"linear","factor":2,"rope_theta":7e4}`), rope, "linear 70000 2 0 1"},
		{"theta beside the new style", with("llama", "rope_theta", "7e4", "rope_parameters", `{"rope_type":"default"}`), rope, "default 70000 0 0 1"},
		{"empty scaling", with("llama", "rope_scaling", "{}"), rope, "default 10000 0 0 1"},
		{"both styles, long, in another order", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32,"beta_fast":32.0,"beta_slow":1.0,"attention_factor":1.25,"mscale":1.0,"mscale_all_dim":1.0,"truncate":false}`,
			"rope_parameters", `{"truncate":false,"mscale_all_dim":1,"mscale":1,"attention_factor":1.25,"beta_slow":1,"beta_fast":32,"original_max_position_embeddings":32,"factor":4,"rope_type":"yarn"}`), rope, "yarn 10000 4 32 1.25"},
		{"both styles, equal", with("llama", "rope_scaling", `{"rope_type":"linear","factor":2}`, "rope_parameters", `{"factor":2,"rope_type":"linear"}`), rope, "linear 10000 2 0 1"},
		{"scaling without type", with("llama", "rope_parameters", `{"rope_theta":7e4}`), rope, "default 70000 0 0 1"},
		{"llama3 without original", with("llama", "rope_scaling", `{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4}`), rope, "llama3 10000 8 128 1"},
		{"yarn: defaults", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":4,"original_max_position_embeddings":32}`), yarn, "32 1 true"},
		{"yarn: zero counts as absent", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":4,"beta_fast":0,"beta_slow":0,"truncate":false}`), yarn, "32 1 false"},
		{"yarn: attention factor", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":4,"attention_factor":1.5,"mscale":1,"mscale_all_dim":1}`), rope, "yarn 10000 4 128 1.5"},
		{"yarn: mscale", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":1,"mscale":0.7,"mscale_all_dim":0.9}`), rope, "yarn 10000 1 128 1"},
		{"yarn: factor null", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":null,"original_max_position_embeddings":128,"attention_factor":1}`), rope, "yarn 10000 1 128 1"},
		{"yarn: one mscale is not enough", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":0.5,"mscale":0.7}`), rope, "yarn 10000 0.5 128 1"},
		{"yarn: original at the top wins", with("llama", "original_max_position_embeddings", "64", "rope_scaling", `{"rope_type":"yarn","factor":1,"attention_factor":1}`), rope, "yarn 10000 1 64 1"},
		{"yarn extends positions before scaling", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":4,"original_max_position_embeddings":128}`), dims, "4 2 16 512"},
		{"yarn keeps positions after scaling", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":4,"original_max_position_embeddings":32}`), dims, "4 2 16 128"},
		{"qwen2: biases", with("qwen2"), bias, "{true true true false} false"},
		{"qwen2: default kv heads", with("qwen2", "num_key_value_heads", "-", "num_attention_heads", "32"), dims, "32 32 2 128"},
		{"qwen2: window off", with("qwen2", "sliding_window", "8", "max_window_layers", "1"), window, "0 0 0 0"},
		{"qwen2: window on", with("qwen2", "use_sliding_window", "true", "sliding_window", "8", "max_window_layers", "1"), window, "0 8 8 8"},
		{"qwen2: null window", with("qwen2", "use_sliding_window", "true", "sliding_window", "null", "max_window_layers", "1"), window, "0 0 0 0"},
		{"qwen2: default first layer", with("qwen2", "use_sliding_window", "true", "sliding_window", "8"), window, "0 0 0 0"},
		{"qwen2: layer types", with("qwen2", "use_sliding_window", "true", "sliding_window", "8", "max_window_layers", "0",
			"layer_types", `["sliding_attention","full_attention","sliding_attention","full_attention"]`), window, "8 0 8 0"},
		{"qwen2: all full", with("qwen2", "layer_types", `["full_attention","full_attention","full_attention","full_attention"]`), window, "0 0 0 0"},
		{"window as large as the context", with("qwen2", "use_sliding_window", "true", "sliding_window", "128", "max_window_layers", "0"), window, "0 0 0 0"},
		{"mistral: window", with("mistral", "sliding_window", "8"), window, "8 8 8 8"},
		{"mistral: null window", with("mistral", "sliding_window", "null", "max_position_embeddings", "8192"), window, "0 0 0 0"},
		{"mistral: default window", with("mistral", "max_position_embeddings", "8192"), window, "4096 4096 4096 4096"},
		{"mistral: default kv heads", with("mistral", "num_key_value_heads", "-", "num_attention_heads", "16"), dims, "16 8 4 128"},
		{"ministral3: default head_dim", with("ministral3"), dims, "4 2 128 128"},
		{"ministral3: null head_dim", with("ministral3", "head_dim", "null"), dims, "4 2 16 128"},
		{"ministral3: no window", with("ministral3"), window, "0 0 0 0"},
		{"ministral3: window", with("ministral3", "sliding_window", "8"), window, "8 8 8 8"},
		{"mimo: biases", with("mimo", "attention_bias", "true"), bias, "{true true true false} false"},
		{"mimo: no biases", with("mimo", "attention_bias", "false"), bias, "{false false false false} false"},
		{"internlm3: qkv", with("internlm3", "qkv_bias", "true"), bias, "{true true true false} false"},
		{"internlm3: the rest", with("internlm3", "bias", "true"), bias, "{false false false true} true"},
		{"internlm3: the class that transformers runs it as", with("internlm3", "architectures", `["LlamaForCausalLM"]`, "head_dim", "16"), dims, "4 2 16 128"},
		{"internlm3: class defaults", with("internlm3", "num_key_value_heads", "-"), dims, "4 2 128 128"},
		{"internlm3: null head_dim", with("internlm3", "head_dim", "null"), dims, "4 2 16 128"},
		{"unknown but harmless", with("llama", "_my_note", "17", "license", `"mit"`, "my_remark", `"hello"`, "training_steps", "1000", "unsloth_fixed", "true",
			"use_something", "false", "things", "[]", "custom_dropout", "0.1", "transformers_version", `"5.0"`), dims, "4 2 16 128"},
		{"neutral values", with("llama", "pretraining_tp", "1", "partial_rotary_factor", "1.0", "is_encoder_decoder", "false", "attention_sinks", "false", "is_causal", "true", "attn_implementation", `"eager"`,
			"position_embedding_type", `"rope"`, "layer_types", `["full_attention"]`, "num_experts", "0", "quantization_config", "null"), dims, "4 2 16 128"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := c.get(s); got != c.want {
				t.Errorf("want %s, found %s", c.want, got)
			}
		})
	}
}

// What must be refused, with the kind of error and the key it names.
func TestRefusals(t *testing.T) {
	const u, b = diag.Unsupported, diag.BadInput
	for _, c := range []struct {
		name, text  string
		kind        diag.Kind
		where, want string
	}{
		{"unknown family", with("llama", "model_type", `"gpt5"`), u, "model_type", "want one of "},
		{"vision-language", with("llama", "model_type", `"qwen2_vl"`), u, "model_type", "vision-language"},
		{"no family", with("llama", "model_type", "-"), b, "model_type", "missing key"},
		{"family is a number", with("llama", "model_type", "7"), b, "model_type", "want a string, found number 7"},
		{"another head", with("llama", "architectures", `["LlamaForSequenceClassification"]`), u, "architectures", "LlamaForCausalLM"},
		{"class is no string", with("llama", "architectures", `[1]`), b, "architectures", "an array of strings"},
		{"activation", with("llama", "hidden_act", `"mish"`), u, "hidden_act", "activation is not supported"},
		{"activation with weights", with("llama", "hidden_act", `"xielu"`), u, "hidden_act", "activation is not supported"},
		{"activation type", with("llama", "hidden_act", `1`), b, "hidden_act", "want a string"},
		{"quantized", with("llama", "quantization_config", `{"quant_method":"hqq","bits":4}`), u, "quantization_config", "quantized by hqq are not read"},
		{"slices", with("llama", "pretraining_tp", "2"), u, "pretraining_tp", "slice"},
		{"encoder-decoder", with("llama", "is_encoder_decoder", "true"), u, "is_encoder_decoder", "encoder-decoder"},
		{"experts", with("llama", "num_experts", "8"), u, "num_experts", "mixture of experts"},
		{"local experts", with("mistral", "num_local_experts", "8"), u, "num_local_experts", "mixture of experts"},
		{"vision", with("llama", "vision_config", `{"a":1}`), u, "vision_config", "vision"},
		{"interleaved", with("llama", "rope_interleaved", "true"), u, "rope_interleaved", "interleaved"},
		{"partial rotary", with("llama", "partial_rotary_factor", "0.5"), u, "partial_rotary_factor", "part of each head"},
		{"partial rotary inside", with("llama", "rope_parameters", `{"rope_type":"default","partial_rotary_factor":0.5}`), u, "rope_parameters.partial_rotary_factor", "part of each head"},
		{"softcap", with("llama", "attn_logit_softcapping", "30.0"), u, "attn_logit_softcapping", "soft-capped"},
		{"embedding scale", with("llama", "embedding_multiplier", "12"), u, "embedding_multiplier", "scaled embeddings"},
		{"alibi", with("llama", "position_embedding_type", `"alibi"`), u, "position_embedding_type", "rotary"},
		{"both directions", with("qwen2", "is_causal", "false"), u, "is_causal", "both directions"},
		{"no rotary positions", with("llama", "use_rope", "false"), u, "use_rope", "rotary"},
		{"unknown number", with("llama", "frobnication", "0.7"), u, "frobnication", "unknown key may change the results"},
		{"unknown flag", with("llama", "use_magic", "true"), u, "use_magic", "unknown key"},
		{"unknown object", with("llama", "new_thing", `{"a":1}`), u, "new_thing", "unknown key"},
		{"unknown formula", with("llama", "attention_variant", `"linear"`), u, "attention_variant", "unknown key"},
		{"window of another family", with("llama", "sliding_window", "8"), u, "sliding_window", "unknown key"},
		{"layer types of another family", with("mistral", "layer_types", `["sliding_attention"]`), u, "layer_types", "only full attention"},
		{"dual chunk attention", with("qwen2", "dual_chunk_attention_config", `{"chunk_size":8}`), u, "dual_chunk_attention_config", "dual chunk"},
		{"qwen2 without bias", with("qwen2", "attention_bias", "false"), u, "attention_bias", "always have biases"},
		{"qwen2 layer type", with("qwen2", "layer_types", `["linear_attention","full_attention","full_attention","full_attention"]`), u, "layer_types", "not supported"},
		{"qwen2 window without flag", with("qwen2", "layer_types", `["sliding_attention","full_attention","full_attention","full_attention"]`), b, "layer_types[0]", "use_sliding_window"},
		{"too few layer types", with("qwen2", "layer_types", `["full_attention"]`), b, "layer_types", "want 4 elements, found 1"},
		{"rope type", with("llama", "rope_scaling", `{"rope_type":"proportional"}`), u, "rope_scaling.rope_type", "one of default, dynamic, linear, llama3, longrope, yarn"},
		{"longrope length", with("llama", "rope_scaling", `{"rope_type":"longrope","short_factor":[1],"long_factor":[1]}`), b, "rope_scaling.short_factor", "one for each rotary frequency"},
		{"longrope mscale", with("llama", "rope_scaling", `{"rope_type":"longrope","short_mscale":1.1,"long_mscale":1.2}`), u, "rope_scaling.short_mscale", "differ between short and long"},
		{"mrope", with("qwen2", "rope_scaling", `{"type":"mrope","mrope_section":[1,2,3]}`), u, "rope_scaling.rope_type", "mrope"},
		{"type and rope_type", with("llama", "rope_scaling", `{"type":"linear","rope_type":"yarn","factor":2}`), b, "rope_scaling.type", "disagree"},
		{"both styles, different late", with("llama", "rope_scaling", `{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32,"beta_fast":32.0,"beta_slow":1.0,"attention_factor":1.25,"mscale":1.0,"mscale_all_dim":1.0,"truncate":false}`,
			"rope_parameters", `{"rope_type":"yarn","factor":4.0,"original_max_position_embeddings":32,"beta_fast":32.0,"beta_slow":1.0,"attention_factor":1.25,"mscale":1.0,"mscale_all_dim":1.0,"truncate":true}`), b, "rope_parameters", "truncate: false in rope_scaling, true in rope_parameters"},
		{"both styles", with("llama", "rope_scaling", `{"rope_type":"linear","factor":2}`, "rope_parameters", `{"rope_type":"linear","factor":4}`), b, "rope_parameters", "disagree"},
		{"two thetas", with("llama", "rope_theta", "1e4", "rope_parameters", `{"rope_theta":1e5}`), b, "rope_parameters.rope_theta", "differs from rope_theta"},
		{"two originals", with("llama", "original_max_position_embeddings", "64", "rope_scaling", `{"rope_type":"yarn","factor":2,"original_max_position_embeddings":32}`), b, "rope_scaling.original_max_position_embeddings", "differs"},
		{"theta 0", with("llama", "rope_theta", "0"), b, "rope_theta", "out of range"},
		{"theta text", with("llama", "rope_theta", `"10000"`), b, "rope_theta", "want a number"},
		{"no factor", with("llama", "rope_scaling", `{"rope_type":"linear"}`), b, "rope_scaling.factor", "missing key"},
		{"no yarn factor", with("llama", "rope_scaling", `{"rope_type":"yarn"}`), b, "rope_scaling.factor", "missing key"},
		{"negative factor", with("llama", "rope_scaling", `{"rope_type":"linear","factor":-1}`), b, "rope_scaling.factor", "out of range"},
		{"llama3 order", with("llama", "rope_scaling", `{"rope_type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":1}`), b, "rope_scaling.high_freq_factor", "larger than"},
		{"key of another rope type", with("llama", "rope_scaling", `{"rope_type":"linear","factor":2,"beta_fast":32}`), u, "rope_scaling.beta_fast", "unknown key for this rotary type"},
		{"rope per layer type", with("llama", "rope_parameters", `{"full_attention":{"rope_type":"default"}}`), u, "rope_parameters.full_attention", "per layer type"},
		{"scaling is a list", with("llama", "rope_scaling", `[1]`), b, "rope_scaling", "want an object"},
		{"llama 4 scaling elsewhere", with("mistral", "rope_parameters", `{"rope_type":"default","llama_4_scaling_beta":0.1}`), u, "rope_parameters.llama_4_scaling_beta", "unknown key"},
		{"ministral3 without rope", with("ministral3", "rope_parameters", "-"), b, "rope_parameters", "want the rotary parameters"},
		{"ministral3 scale without original", with("ministral3", "rope_parameters", `{"rope_type":"default","llama_4_scaling_beta":0.1}`), b, "rope_parameters.original_max_position_embeddings", "llama_4_scaling_beta"},
		{"no hidden size", with("llama", "hidden_size", "-"), b, "hidden_size", "missing key"},
		{"null hidden size", with("llama", "hidden_size", "null"), b, "hidden_size", "missing key"},
		{"hidden size text", with("llama", "hidden_size", `"64"`), b, "hidden_size", `want an integer, found string "64"`},
		{"hidden size fraction", with("llama", "hidden_size", "64.5"), b, "hidden_size", "want an integer"},
		{"hidden size negative", with("llama", "hidden_size", "-64"), b, "hidden_size", "want 1..1048576, found -64"},
		{"too many layers", with("llama", "num_hidden_layers", "10001"), b, "num_hidden_layers", "want 1..10000"},
		{"absurd layers", with("llama", "num_hidden_layers", "99999999999999999999"), b, "num_hidden_layers", "want an integer"},
		{"no layers", with("llama", "num_hidden_layers", "0"), b, "num_hidden_layers", "out of range"},
		{"heads do not divide", with("llama", "num_attention_heads", "6", "num_key_value_heads", "6"), b, "hidden_size", "a multiple of num_attention_heads (6)"},
		{"kv heads do not divide", with("llama", "num_key_value_heads", "3"), b, "num_key_value_heads", "a divisor of num_attention_heads (4)"},
		{"odd head", with("llama", "head_dim", "15"), b, "head_dim", "an even number"},
		{"eps 0", with("llama", "rms_norm_eps", "0"), b, "rms_norm_eps", "out of range"},
		{"bool as text", with("llama", "attention_bias", `"true"`), b, "attention_bias", "want true or false"},
		{"syntax", "{\n \"model_type\": \"llama\",\n}", b, "3:1", "want a key"},
		{"duplicate key", `{"model_type":"llama","model_type":"qwen2"}`, b, "1:23", `duplicate key "model_type"`},
		{"not an object", `[]`, b, "", "not a JSON object"},
		{"empty", ``, b, "1:1", "found the end of the text"},
		{"infinity", with("llama", "rope_theta", "Infinity"), b, "11:16", "NaN and Infinity are not JSON"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(c.text)
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("found %+v, %v", s, err)
			}
			if e.Kind != c.kind || e.Where != c.where || e.File != "config.json" || e.Code == "" || !strings.Contains(e.Error(), c.want) {
				t.Errorf("want kind %d at %q with %q, found kind %d (%s): %v", c.kind, c.where, c.want, e.Kind, e.Code, e)
			}
		})
	}
}

func FuzzConfig(f *testing.F) {
	for _, name := range fixtures.Names(f) {
		f.Add([]byte(changed(f, name)))
	}
	f.Add([]byte(with("qwen2", "use_sliding_window", "true", "sliding_window", "8", "layer_types", `["full_attention","sliding_attention","full_attention","full_attention"]`)))
	f.Add([]byte(with("llama", "rope_scaling", `{"rope_type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4,"original_max_position_embeddings":32}`, "eos_token_id", "[1,2]")))
	f.Add([]byte(with("ministral3", "rope_parameters", `{"rope_type":"yarn","type":"yarn","factor":4.0,"original_max_position_embeddings":16,"llama_4_scaling_beta":0.1,"mscale":1.0,"mscale_all_dim":1.0}`)))
	f.Fuzz(func(t *testing.T, text []byte) {
		s, err := spec(string(text))
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) || e.Message == "" || e.Kind == diag.Failed {
				t.Fatalf("error without a diagnostic: %v", err)
			}
			return
		}
		if err := s.Validate(); err != nil {
			t.Fatal(err)
		}
		// The numbers that follow are finite.
		if s.Attention.HeadDim > 256 {
			return
		}
		tables := [][]float32{arch.QueryScaleTable(s.Attention.QueryScale, 4)}
		for i := range s.RoPE {
			tables = append(tables, arch.InverseFrequencies(&s.RoPE[i]))
		}
		for _, v := range slices.Concat(tables...) {
			if math.IsNaN(float64(v)) || math.IsInf(float64(v), 0) {
				t.Fatalf("%v from %s", v, text)
			}
		}
	})
}
