package families_test

import (
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
)

const gptOSS20B = `{"architectures":["GptOssForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"eos_token_id":200002,"experts_per_token":4,"head_dim":64,
	"hidden_act":"silu","hidden_size":2880,"initial_context_length":4096,"initializer_range":0.02,"intermediate_size":2880,"layer_types":["sliding_attention",
	"full_attention","sliding_attention","full_attention"],"max_position_embeddings":131072,"model_type":"gpt_oss","num_attention_heads":64,"num_experts_per_tok":4,
	"num_hidden_layers":4,"num_key_value_heads":8,"num_local_experts":32,"output_router_logits":false,"pad_token_id":199999,"quantization_config":
	{"modules_to_not_convert":["model.layers.*.self_attn","model.layers.*.mlp.router","model.embed_tokens","lm_head"],"quant_method":"mxfp4"},"rms_norm_eps":1e-05,
	"rope_scaling":{"beta_fast":32.0,"beta_slow":1.0,"factor":32.0,"original_max_position_embeddings":4096,"rope_type":"yarn","truncate":false},"rope_theta":150000,
	"router_aux_loss_coef":0.9,"sliding_window":128,"swiglu_limit":7.0,"tie_word_embeddings":false,"transformers_version":"4.55.0.dev0","use_cache":true,"vocab_size":201088}`

const ernie21B = `{"architectures":["Ernie4_5_MoeForCausalLM"],"bos_token_id":1,"eos_token_id":2,"pad_token_id":0,"hidden_act":"silu","hidden_size":2560,
	"intermediate_size":12288,"max_position_embeddings":131072,"model_type":"ernie4_5_moe","num_attention_heads":20,"num_key_value_heads":4,"num_hidden_layers":28,
	"rms_norm_eps":1e-05,"use_cache":true,"vocab_size":103424,"rope_theta":500000,"tie_word_embeddings":true,"use_bias":false,"moe_num_experts":64,
	"moe_num_shared_experts":2,"moe_layer_start_index":1,"moe_intermediate_size":1536,"moe_capacity":[64,64,64],"moe_k":6,"moe_layer_interval":1,"moe_use_aux_free":true,
	"num_nextn_predict_layers":1,"torch_dtype":"bfloat16","moe_gate":"topk","use_rmsnorm":true}`

const qwen15MoE = `{"architectures":["Qwen2MoeForCausalLM"],"attention_dropout":0.0,"bos_token_id":151643,"eos_token_id":151643,"hidden_act":"silu","hidden_size":2048,
	"initializer_range":0.02,"intermediate_size":5632,"max_position_embeddings":8192,"max_window_layers":21,"model_type":"qwen2_moe","num_attention_heads":16,
	"num_hidden_layers":24,"num_key_value_heads":16,"rms_norm_eps":1e-06,"rope_theta":1000000.0,"sliding_window":32768,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
	"transformers_version":"4.39.0.dev0","use_cache":true,"use_sliding_window":false,"vocab_size":151936,"decoder_sparse_step":1,"moe_intermediate_size":1408,
	"shared_expert_intermediate_size":5632,"num_experts_per_tok":4,"num_experts":60,"norm_topk_prob":false,"output_router_logits":false,"router_aux_loss_coef":0.001}`

const qwen3MoE = `{"architectures":["Qwen3MoeForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":151643,"decoder_sparse_step":1,"eos_token_id":151645,
	"head_dim":128,"hidden_act":"silu","hidden_size":2048,"initializer_range":0.02,"intermediate_size":6144,"max_position_embeddings":40960,"max_window_layers":48,
	"mlp_only_layers":[],"model_type":"qwen3_moe","moe_intermediate_size":768,"norm_topk_prob":true,"num_attention_heads":32,"num_experts":128,"num_experts_per_tok":8,
	"num_hidden_layers":48,"num_key_value_heads":4,"output_router_logits":false,"rms_norm_eps":1e-06,"rope_scaling":null,"rope_theta":1000000.0,
	"router_aux_loss_coef":0.001,"sliding_window":null,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.51.0","use_cache":true,
	"use_sliding_window":false,"vocab_size":151936}`

const mixtral8x7B = `{"architectures":["MixtralForCausalLM"],"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu","hidden_size":4096,
	"initializer_range":0.02,"intermediate_size":14336,"max_position_embeddings":32768,"model_type":"mixtral","num_attention_heads":32,"num_experts_per_tok":2,
	"num_hidden_layers":32,"num_key_value_heads":8,"num_local_experts":8,"output_router_logits":false,"rms_norm_eps":1e-05,"rope_theta":1000000.0,
	"router_aux_loss_coef":0.02,"sliding_window":null,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.36.0.dev0","use_cache":true,"vocab_size":32000}`

const olmoe1B7B = `{"architectures":["OlmoeForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"clip_qkv":null,"eos_token_id":50279,"hidden_act":"silu",
	"hidden_size":2048,"initializer_range":0.02,"intermediate_size":1024,"max_position_embeddings":4096,"model_type":"olmoe","norm_topk_prob":false,
	"num_attention_heads":16,"num_experts":64,"num_experts_per_tok":8,"num_hidden_layers":16,"num_key_value_heads":16,"output_router_logits":false,"pad_token_id":1,
	"rms_norm_eps":1e-05,"rope_scaling":null,"rope_theta":10000.0,"router_aux_loss_coef":0.01,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
	"transformers_version":"4.43.0.dev0","use_cache":true,"vocab_size":50304}`

const graniteMoE1B = `{"architectures":["GraniteMoeForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"attention_multiplier":0.015625,"bos_token_id":0,
	"embedding_multiplier":12.0,"eos_token_id":0,"hidden_act":"silu","hidden_size":1024,"initializer_range":0.02,"intermediate_size":512,"logits_scaling":6.0,
	"max_position_embeddings":4096,"model_type":"granitemoe","num_attention_heads":16,"num_experts_per_tok":8,"num_hidden_layers":24,"num_key_value_heads":8,
	"num_local_experts":32,"output_router_logits":false,"pad_token_id":0,"residual_multiplier":0.22,"rms_norm_eps":1e-06,"rope_scaling":null,"rope_theta":10000,
	"router_aux_loss_coef":0.0,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers_version":"4.46.0.dev0","use_cache":true,"vocab_size":49155}`

const glm45Air = `{"architectures":["Glm4MoeForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"pad_token_id":151329,"eos_token_id":[151329,151336,151338],
	"head_dim":128,"hidden_act":"silu","hidden_size":4096,"partial_rotary_factor":0.5,"initializer_range":0.02,"intermediate_size":10944,"max_position_embeddings":131072,
	"model_type":"glm4_moe","moe_intermediate_size":1408,"norm_topk_prob":true,"num_attention_heads":96,"n_group":1,"topk_group":1,"n_routed_experts":128,
	"n_shared_experts":1,"routed_scaling_factor":1.0,"num_experts_per_tok":8,"first_k_dense_replace":1,"num_hidden_layers":46,"num_key_value_heads":8,
	"num_nextn_predict_layers":1,"rms_norm_eps":1e-05,"rope_scaling":null,"rope_theta":1000000,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
	"transformers_version":"4.54.0","use_cache":true,"use_qk_norm":false,"vocab_size":151552}`

// sparse lists the layers with experts, as a string of 0 and 1.
func sparse(s *arch.Spec) string {
	layers := []byte(strings.Repeat("0", len(s.Layers)))
	for i, l := range s.Layers {
		if l.Sparse {
			layers[i] = '1'
		}
	}
	return string(layers)
}

// Configs of published mixtures of experts, as they are on the hub (GPT-OSS with
// fewer layers).
func TestPublishedMixtures(t *testing.T) {
	for _, c := range []struct {
		name, text string
		moe        arch.MoE
		sparse     string
		check      func(s *arch.Spec) bool
	}{
		{"Mixtral 8x7B", mixtral8x7B,
			arch.MoE{Experts: 8, TopK: 2, Intermediate: 14336, Activation: arch.SiLU, Router: arch.Router{Scoring: arch.SoftmaxAll, Normalize: true}},
			strings.Repeat("1", 32), func(s *arch.Spec) bool { return s.MLP == arch.MLP{} && s.Layers[0].Window == 0 }},
		{"OLMoE 1B-7B", olmoe1B7B,
			arch.MoE{Experts: 64, TopK: 8, Intermediate: 1024, Activation: arch.SiLU, Router: arch.Router{Scoring: arch.SoftmaxAll}},
			strings.Repeat("1", 16), func(s *arch.Spec) bool { return s.Attention.QKNorm.Over == arch.OverAll && s.Attention.Clip == 0 }},
		{"Qwen 1.5 MoE A2.7B", qwen15MoE,
			arch.MoE{Experts: 60, TopK: 4, Intermediate: 1408, Activation: arch.SiLU, Router: arch.Router{Scoring: arch.SoftmaxAll}, SharedIntermediate: 5632, SharedGate: true},
			strings.Repeat("1", 24), func(s *arch.Spec) bool {
				return s.Attention.Bias == arch.AttnBias{Q: true, K: true, V: true} && s.Layers[0].Window == 0
			}},
		{"Qwen 3 30B-A3B", qwen3MoE,
			arch.MoE{Experts: 128, TopK: 8, Intermediate: 768, Activation: arch.SiLU, Router: arch.Router{Scoring: arch.SoftmaxAll, Normalize: true}},
			strings.Repeat("1", 48), func(s *arch.Spec) bool { return s.Attention.QKNorm.Over == arch.OverHead && s.Attention.HeadDim == 128 }},
		{"Granite 3 1B-A400M", graniteMoE1B,
			arch.MoE{Experts: 32, TopK: 8, Intermediate: 512, Activation: arch.SiLU, Router: arch.Router{Scoring: arch.SoftmaxChosen}},
			strings.Repeat("1", 24), func(s *arch.Spec) bool {
				return s.Attention.Scale == 0.015625 && s.Block.ResidualScale == 0.22 && s.Head.Scale == 1/6.0 && s.Embed.Scale == 12
			}},
		{"ERNIE 4.5 21B-A3B", ernie21B,
			arch.MoE{Experts: 64, TopK: 6, Intermediate: 1536, Activation: arch.SiLU, SharedIntermediate: 3072,
				Router: arch.Router{Scoring: arch.SoftmaxAll, Correction: true, Normalize: true, NormFloor: 1e-12}},
			"0" + strings.Repeat("1", 27), func(s *arch.Spec) bool { return s.RoPE[0].Interleaved && s.MLP.Intermediate == 12288 && s.Head.Tied }},
		{"GLM 4.5 Air", glm45Air,
			arch.MoE{Experts: 128, TopK: 8, Intermediate: 1408, Activation: arch.SiLU, SharedIntermediate: 1408,
				Router: arch.Router{Scoring: arch.Sigmoid, Correction: true, Normalize: true, NormEps: 1e-20, Scale: 1}},
			"0" + strings.Repeat("1", 45), func(s *arch.Spec) bool {
				return s.RoPE[0].Dims == 64 && s.Attention.QKNorm == nil && s.Attention.Bias == arch.AttnBias{Q: true, K: true, V: true}
			}},
		{"GPT-OSS 20B", gptOSS20B,
			arch.MoE{Experts: 32, TopK: 4, Intermediate: 2880, Activation: arch.SwiGLUClamped, Limit: 7, Bias: true, Router: arch.Router{Scoring: arch.SoftmaxChosen, Bias: true}},
			"1111", func(s *arch.Spec) bool {
				return s.Attention.Sinks && s.Layers[0].Window == 128 && s.Layers[1].Window == 0 && s.RoPE[0].Kind == arch.RoPEYarn && !s.RoPE[0].Truncate &&
					s.RoPE[0].Factor == 32 && s.Attention.Bias.O && s.MaxPositions == 131072
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(*s.MoE, c.moe) || sparse(s) != c.sparse {
				t.Errorf("found %+v in layers %s", *s.MoE, sparse(s))
			}
			if !c.check(s) {
				t.Errorf("found %+v", s)
			}
		})
	}
}

// change replaces one piece of a config.
func change(t *testing.T, text, from, to string) string {
	t.Helper()
	if strings.Count(text, from) != 1 {
		t.Fatalf("%d of %q", strings.Count(text, from), from)
	}
	return strings.Replace(text, from, to, 1)
}

// Which layers have experts, and other names and defaults of keys.
func TestMixtureKeys(t *testing.T) {
	moe := func(check func(m *arch.MoE) bool) func(s *arch.Spec) bool {
		return func(s *arch.Spec) bool { return check(s.MoE) }
	}
	for _, c := range []struct {
		name, text, from, to string
		check                func(s *arch.Spec) bool
	}{
		{"every third layer", qwen3MoE, `"decoder_sparse_step":1`, `"decoder_sparse_step":3`, func(s *arch.Spec) bool { return sparse(s) == strings.Repeat("001", 16) }},
		{"dense layers by name", qwen3MoE, `"mlp_only_layers":[]`, `"mlp_only_layers":[0,2,99]`,
			func(s *arch.Spec) bool {
				return sparse(s) == "0101"+strings.Repeat("1", 44) && s.MLP.Intermediate == 6144
			}},
		{"no layer left", qwen3MoE, `"decoder_sparse_step":1`, `"decoder_sparse_step":49`, func(s *arch.Spec) bool { return s.MoE == nil && s.MLP.Intermediate == 6144 }},
		{"windows for all", qwen3MoE, `"use_sliding_window":false,"vocab`, `"use_sliding_window":true,"vocab`, func(s *arch.Spec) bool { return s.Layers[5].Window == 0 }},
		{"the other name", qwen3MoE, `"num_experts":128`, `"num_local_experts":128`, moe(func(m *arch.MoE) bool { return m.Experts == 128 })},
		{"class defaults", qwen3MoE, `"num_experts":128,"num_experts_per_tok":8,`, ``, moe(func(m *arch.MoE) bool { return m.Experts == 128 && m.TopK == 8 })},
		{"weights as they are", qwen3MoE, `"norm_topk_prob":true,`, ``, moe(func(m *arch.MoE) bool { return !m.Router.Normalize })},
		{"windows of every second layer", qwen15MoE, `"sliding_window":32768,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
	"transformers_version":"4.39.0.dev0","use_cache":true,"use_sliding_window":false`, `"sliding_window":128,"use_sliding_window":true`,
			func(s *arch.Spec) bool {
				return s.Layers[0].Window == 128 && s.Layers[1].Window == 0 && s.Layers[20].Window == 128 && s.Layers[22].Window == 0
			}},
		{"no biases", qwen15MoE, `"attention_dropout":0.0`, `"qkv_bias":false`, func(s *arch.Spec) bool { return s.Attention.Bias == arch.AttnBias{} }},
		{"from layer 2 to 20, every third", ernie21B, `"moe_layer_start_index":1,`, `"moe_layer_start_index":2,"moe_layer_end_index":20,`,
			func(s *arch.Spec) bool { return sparse(s) == "00"+strings.Repeat("1", 19)+"0000000" }},
		{"an interval", ernie21B, `"moe_layer_interval":1`, `"moe_layer_interval":4`, func(s *arch.Spec) bool { return sparse(s) == strings.Repeat("0001", 7) }},
		{"biases but for the experts", ernie21B, `"use_bias":false`, `"use_bias":true`,
			func(s *arch.Spec) bool {
				return s.Attention.Bias.O && s.MLP.Bias && s.MoE.SharedBias && !s.MoE.Bias && s.Head.Bias
			}},
		{"no shared experts", ernie21B, `"moe_num_shared_experts":2`, `"moe_num_shared_experts":0`, moe(func(m *arch.MoE) bool { return m.SharedIntermediate == 0 && !m.SharedBias })},
		{"names as of transformers 5", ernie21B, `"moe_k":6`, `"num_experts_per_tok":6`, moe(func(m *arch.MoE) bool { return m.TopK == 6 })},
		{"clipped", olmoe1B7B, `"clip_qkv":null`, `"clip_qkv":8.5`, func(s *arch.Spec) bool { return s.Attention.Clip == 8.5 }},
		{"a window", mixtral8x7B, `"sliding_window":null`, `"sliding_window":4096`, func(s *arch.Spec) bool { return s.Layers[31].Window == 4096 }},
		{"groups", glm45Air, `"n_group":1,"topk_group":1`, `"n_group":8,"topk_group":4`, moe(func(m *arch.MoE) bool {
			return m.Router.Groups == 8 && m.Router.TopGroups == 4 && m.Router.GroupScore == arch.GroupTop2
		})},
		{"normalized heads", glm45Air, `"use_qk_norm":false`, `"use_qk_norm":true`, func(s *arch.Spec) bool { return s.Attention.QKNorm != nil && s.Attention.QKNorm.Over == arch.OverHead }},
		{"layers in turn by default", gptOSS20B, `"layer_types":["sliding_attention",
	"full_attention","sliding_attention","full_attention"],`, ``, func(s *arch.Spec) bool { return s.Layers[2].Window == 128 && s.Layers[3].Window == 0 }},
		{"YaRN by default", gptOSS20B, `"rope_scaling":{"beta_fast":32.0,"beta_slow":1.0,"factor":32.0,"original_max_position_embeddings":4096,"rope_type":"yarn","truncate":false},`, ``,
			func(s *arch.Spec) bool {
				with, err := spec(gptOSS20B)
				return err == nil && reflect.DeepEqual(s, with)
			}},
		{"without blocks", gptOSS20B, `"quantization_config":
	{"modules_to_not_convert":["model.layers.*.self_attn","model.layers.*.mlp.router","model.embed_tokens","lm_head"],"quant_method":"mxfp4"},`, ``,
			func(s *arch.Spec) bool { return s.MoE != nil }},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(change(t, c.text, c.from, c.to))
			if err != nil {
				t.Fatal(err)
			}
			if !c.check(s) {
				t.Errorf("found %+v", s)
			}
		})
	}
}

func TestMixtureRefusals(t *testing.T) {
	for _, c := range []struct {
		name, text, from, to string
		kind                 diag.Kind
		want                 string
	}{
		{"more than there are", qwen3MoE, `"num_experts_per_tok":8`, `"num_experts_per_tok":129`, diag.BadInput, "num_experts_per_tok"},
		{"two numbers of experts", qwen3MoE, `"num_experts":128`, `"num_experts":128,"num_local_experts":64`, diag.BadInput, "num_local_experts"},
		{"two numbers of chosen experts", gptOSS20B, `"experts_per_token":4`, `"experts_per_token":2`, diag.BadInput, "experts_per_token"},
		{"another gain", gptOSS20B, `"swiglu_limit":7.0`, `"swiglu_limit":7.0,"swiglu_alpha":1.5`, diag.Unsupported, "swiglu_alpha"},
		{"another quantization", gptOSS20B, `"quant_method":"mxfp4"`, `"quant_method":"fp8"`, diag.Unsupported, "quantization_config"},
		{"blocks elsewhere", mixtral8x7B, `"attention_dropout":0.0`, `"quantization_config":{"quant_method":"mxfp4"}`, diag.Unsupported, "quantization_config"},
		{"names that are none", gptOSS20B, `"modules_to_not_convert":["model.layers.*.self_attn",`, `"modules_to_not_convert":[7,`, diag.BadInput, "modules_to_not_convert[0]"},
		{"another choice", ernie21B, `"moe_gate":"topk"`, `"moe_gate":"expert_choice"`, diag.Unsupported, "moe_gate"},
		{"no step", qwen3MoE, `"decoder_sparse_step":1`, `"decoder_sparse_step":0`, diag.BadInput, "decoder_sparse_step"},
		{"more groups than there are", glm45Air, `"n_group":1,"topk_group":1`, `"n_group":2,"topk_group":4`, diag.BadInput, "topk_group"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := spec(change(t, c.text, c.from, c.to))
			if diag.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Errorf("want kind %d and %q, found %v", c.kind, c.want, err)
			}
		})
	}
}
