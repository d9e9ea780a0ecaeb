package families_test

import (
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
)

// factors is a list of n numbers from 1 on, as JSON.
func factors(n int, step float64) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(1+float64(i)*step))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// The published config of DeepSeek V3, without its quantization.
const deepseekV3 = `{"architectures":["DeepseekV3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_deepseek.DeepseekV3Config"},
	"aux_loss_alpha":0.001,"bos_token_id":0,"eos_token_id":1,"ep_size":1,"first_k_dense_replace":3,"hidden_act":"silu","hidden_size":7168,"initializer_range":0.02,
	"intermediate_size":18432,"kv_lora_rank":512,"max_position_embeddings":163840,"model_type":"deepseek_v3","moe_intermediate_size":2048,"moe_layer_freq":1,"n_group":8,
	"n_routed_experts":256,"n_shared_experts":1,"norm_topk_prob":true,"num_attention_heads":128,"num_experts_per_tok":8,"num_hidden_layers":61,"num_key_value_heads":128,
	"num_nextn_predict_layers":1,"pretraining_tp":1,"q_lora_rank":1536,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"rms_norm_eps":1e-06,"rope_scaling":{"beta_fast":32,
	"beta_slow":1,"factor":40,"mscale":1.0,"mscale_all_dim":1.0,"original_max_position_embeddings":4096,"type":"yarn"},"rope_theta":10000,"routed_scaling_factor":2.5,
	"scoring_func":"sigmoid","seq_aux":true,"tie_word_embeddings":false,"topk_group":4,"topk_method":"noaux_tc","torch_dtype":"bfloat16","transformers_version":"4.33.1",
	"use_cache":true,"v_head_dim":128,"vocab_size":129280}`

// Configs of published models with latent attention or LongRoPE, as they are on
// the hub but for the frequency factors, which are made up.
func TestPublishedLatentAndLong(t *testing.T) {
	for _, c := range []struct {
		name, text string
		check      func(s *arch.Spec) bool
	}{
		{"DeepSeek V2 Lite", `{"architectures":["DeepseekV2ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_deepseek.DeepseekV2Config"},
			"aux_loss_alpha":0.001,"bos_token_id":100000,"eos_token_id":100001,"first_k_dense_replace":1,"hidden_act":"silu","hidden_size":2048,"initializer_range":0.02,
			"intermediate_size":10944,"kv_lora_rank":512,"max_position_embeddings":163840,"model_type":"deepseek_v2","moe_intermediate_size":1408,"moe_layer_freq":1,"n_group":1,
			"n_routed_experts":64,"n_shared_experts":2,"norm_topk_prob":false,"num_attention_heads":16,"num_experts_per_tok":6,"num_hidden_layers":27,"num_key_value_heads":16,
			"pretraining_tp":1,"q_lora_rank":null,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"rms_norm_eps":1e-06,"rope_scaling":{"beta_fast":32,"beta_slow":1,"factor":40,
			"mscale":0.707,"mscale_all_dim":0.707,"original_max_position_embeddings":4096,"type":"yarn"},"rope_theta":10000,"routed_scaling_factor":1.0,"scoring_func":"softmax",
			"seq_aux":true,"tie_word_embeddings":false,"topk_group":1,"topk_method":"greedy","torch_dtype":"bfloat16","transformers_version":"4.33.1","use_cache":true,
			"v_head_dim":128,"vocab_size":102400}`,
			func(s *arch.Spec) bool {
				a, r := &s.Attention, s.RoPE[0]
				return *a.MLA == arch.MLA{KVRank: 512, NoPE: 128, RoPE: 64, Value: 128, Eps: 1e-6} && near(a.Scale, math.Pow(192, -0.5)*math.Pow(0.0707*math.Log(40)+1, 2)) &&
					r.Interleaved && r.AttentionFactor == 1 && r.Dims == 64 && s.MaxPositions == 163840 && s.KVBytes(1) == 27*576*4 &&
					!s.Layers[0].Sparse && s.Layers[1].Sparse && s.MoE.SharedIntermediate == 2816 && s.MoE.TopK == 6 &&
					s.MoE.Router == arch.Router{Scoring: arch.SoftmaxAll, Scale: 1}
			}},
		{"DeepSeek V3", deepseekV3, func(s *arch.Spec) bool {
			a := &s.Attention
			return *a.MLA == arch.MLA{QRank: 1536, KVRank: 512, NoPE: 128, RoPE: 64, Value: 128, Eps: 1e-6} && near(a.Scale, math.Pow(192, -0.5)*math.Pow(0.1*math.Log(40)+1, 2)) &&
				s.RoPE[0].Interleaved && !s.Layers[2].Sparse && s.Layers[3].Sparse && s.MoE.Router == arch.Router{Scoring: arch.Sigmoid, Correction: true,
				Groups: 8, TopGroups: 4, GroupScore: arch.GroupTop2, Normalize: true, NormEps: 1e-20, Scale: 2.5}
		}},
		{"Moonlight 16B A3B", `{"architectures":["DeepseekV3ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_deepseek.DeepseekV3Config"},
			"aux_loss_alpha":0.001,"bos_token_id":163584,"eos_token_id":163585,"first_k_dense_replace":1,"hidden_act":"silu","hidden_size":2048,"initializer_range":0.02,
			"intermediate_size":11264,"kv_lora_rank":512,"max_position_embeddings":8192,"model_type":"deepseek_v3","moe_intermediate_size":1408,"moe_layer_freq":1,"n_group":1,
			"n_routed_experts":64,"n_shared_experts":2,"norm_topk_prob":true,"num_attention_heads":16,"num_experts_per_tok":6,"num_hidden_layers":27,"num_key_value_heads":16,
			"num_nextn_predict_layers":0,"pretraining_tp":1,"q_lora_rank":null,"qk_nope_head_dim":128,"qk_rope_head_dim":64,"rms_norm_eps":1e-05,"rope_theta":50000.0,
			"routed_scaling_factor":2.446,"scoring_func":"sigmoid","seq_aux":true,"tie_word_embeddings":false,"topk_group":1,"topk_method":"noaux_tc","torch_dtype":"bfloat16",
			"use_cache":true,"v_head_dim":128,"vocab_size":163840}`,
			func(s *arch.Spec) bool {
				return s.Attention.MLA.QRank == 0 && s.Attention.MLA.Eps == 1e-6 && s.Norm.Eps == 1e-5 && near(s.Attention.Scale, math.Pow(192, -0.5)) &&
					s.MoE.Router.Groups == 0 && s.RoPE[0].Theta == 50000
			}},
		{"GLM 4.7 Flash", `{"architectures":["Glm4MoeLiteForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"pad_token_id":154820,"eos_token_id":[154820,154827,154829],
			"hidden_act":"silu","hidden_size":2048,"intermediate_size":10240,"max_position_embeddings":202752,"model_type":"glm4_moe_lite","moe_intermediate_size":1536,
			"topk_method":"noaux_tc","norm_topk_prob":true,"num_attention_heads":20,"n_group":1,"topk_group":1,"n_routed_experts":64,"n_shared_experts":1,
			"routed_scaling_factor":1.8,"num_experts_per_tok":4,"first_k_dense_replace":1,"num_hidden_layers":47,"num_key_value_heads":20,"num_nextn_predict_layers":1,
			"partial_rotary_factor":1.0,"rms_norm_eps":1e-05,"rope_scaling":null,"rope_theta":1000000,"tie_word_embeddings":false,"dtype":"bfloat16","q_lora_rank":768,
			"kv_lora_rank":512,"qk_nope_head_dim":192,"qk_rope_head_dim":64,"v_head_dim":256,"vocab_size":154880}`,
			func(s *arch.Spec) bool {
				return s.Attention.MLA.Value == 256 && s.Attention.HeadDim == 256 && !s.Layers[0].Sparse && s.Layers[1].Sparse && s.MoE.Router.Normalize
			}},
		{"MiniCPM3 4B", `{"_name_or_path":"openbmb/MiniCPM3-4B","architectures":["MiniCPM3ForCausalLM"],"auto_map":{"AutoConfig":"configuration_minicpm.MiniCPM3Config"},
			"bos_token_id":1,"eos_token_id":[2,73440],"hidden_act":"silu","initializer_range":0.1,"hidden_size":2560,"num_hidden_layers":62,"intermediate_size":6400,
			"max_position_embeddings":32768,"model_type":"minicpm3","num_attention_heads":40,"num_key_value_heads":40,"qk_nope_head_dim":64,"qk_rope_head_dim":32,
			"q_lora_rank":768,"kv_lora_rank":256,"rms_norm_eps":1e-05,"rope_scaling":{"type":"longrope","long_factor":` + factors(16, 0.5) + `,"short_factor":` + factors(16, 0.25) + `,
			"original_max_position_embeddings":32768},"torch_dtype":"bfloat16","transformers_version":"4.41.0","use_cache":true,"vocab_size":73448,"scale_emb":12,
			"dim_model_base":256,"scale_depth":1.4}`,
			func(s *arch.Spec) bool {
				m, r := s.Attention.MLA, s.RoPE[0]
				return *m == arch.MLA{QRank: 768, KVRank: 256, NoPE: 64, RoPE: 32, Value: 64, Eps: 1e-6} && s.Head.Tied && near(s.Attention.Scale, math.Pow(96, -0.5)) &&
					s.Embed.Scale == 12 && near(s.Block.ResidualScale, 1.4/math.Sqrt(62)) && near(s.Head.Scale, 0.1) && !r.Interleaved && r.Dims == 32 &&
					r.AttentionFactor == 1 && s.MaxPositions == 32768 && !r.Switches(32768) && r.ShortFactors[1] == 1.25
			}},
		{"Phi 3.5 mini", `{"_name_or_path":"Phi-3.5-mini-instruct","architectures":["Phi3ForCausalLM"],"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_phi3.Phi3Config"},
			"bos_token_id":1,"embd_pdrop":0.0,"eos_token_id":32000,"hidden_act":"silu","hidden_size":3072,"initializer_range":0.02,"intermediate_size":8192,
			"max_position_embeddings":131072,"model_type":"phi3","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":32,
			"original_max_position_embeddings":4096,"pad_token_id":32000,"resid_pdrop":0.0,"rms_norm_eps":1e-05,"rope_scaling":{"long_factor":` + factors(48, 1) + `,
			"short_factor":` + factors(48, 0.03125) + `,"type":"longrope"},"rope_theta":10000.0,"sliding_window":262144,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
			"transformers_version":"4.43.3","use_cache":true,"attention_bias":false,"vocab_size":32064}`,
			func(s *arch.Spec) bool {
				r := s.RoPE[0]
				return r.Kind == arch.RoPELong && r.OriginalMaxPositions == 4096 && s.MaxPositions == 131072 && near(r.AttentionFactor, 1.1902380714238083) &&
					r.Switches(4097) && !r.Switches(4096) && s.Layers[0].Window == 0 && r.Dims == 96
			}},
		{"Phi 3 mini 128k of its first days", `{"architectures":["Phi3ForCausalLM"],"hidden_act":"silu","hidden_size":3072,"intermediate_size":8192,"max_position_embeddings":131072,
			"model_type":"phi3","num_attention_heads":32,"num_hidden_layers":32,"original_max_position_embeddings":4096,"rope_scaling":{"long_factor":` + factors(48, 1) + `,
			"short_factor":` + factors(48, 0.5) + `,"type":"su"},"vocab_size":32064}`,
			func(s *arch.Spec) bool { return s.RoPE[0].Kind == arch.RoPELong && s.Attention.KVHeads == 32 }},
		{"Phi 4 mini in the style of transformers 5", `{"architectures":["Phi3ForCausalLM"],"attention_bias":false,"hidden_act":"silu","hidden_size":3072,"intermediate_size":8192,
			"max_position_embeddings":131072,"model_type":"phi3","num_attention_heads":24,"num_hidden_layers":32,"num_key_value_heads":8,"original_max_position_embeddings":4096,
			"rope_parameters":{"long_factor":` + factors(48, 1) + `,"short_factor":` + factors(48, 0) + `,"rope_type":"longrope","type":"longrope","rope_theta":10000.0,
			"partial_rotary_factor":0.75,"original_max_position_embeddings":4096},"sliding_window":null,"tie_word_embeddings":true,"vocab_size":200064}`,
			func(s *arch.Spec) bool {
				return s.RoPE[0].Dims == 96 && s.Attention.HeadDim == 128 && near(s.RoPE[0].AttentionFactor, 1.1902380714238083)
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if !c.check(s) {
				t.Errorf("%+v", s)
			}
		})
	}
}

// latentConfig is a small config with latent attention, changed as [with] does.
func latentConfig(family, class string, changes ...string) string {
	return with(family, append([]string{"architectures", fmt.Sprintf("[%q]", class), "num_key_value_heads", "4", "kv_lora_rank", "32", "q_lora_rank", "48",
		"qk_nope_head_dim", "16", "qk_rope_head_dim", "8", "v_head_dim", "12"}, changes...)...)
}

func experts(changes ...string) []string {
	return append([]string{"n_routed_experts", "8", "n_shared_experts", "1", "num_experts_per_tok", "2", "moe_intermediate_size", "16", "n_group", "4", "topk_group", "2"}, changes...)
}

// mlp_bias of DeepSeek V2 holds for the dense layers and the shared experts.
func TestDeepseekV2Bias(t *testing.T) {
	for _, shared := range []string{"1", "0"} {
		s, err := spec(latentConfig("deepseek_v2", "DeepseekV2ForCausalLM", experts("mlp_bias", "true", "attention_bias", "true", "first_k_dense_replace", "1", "n_shared_experts", shared)...))
		if err != nil {
			t.Fatal(err)
		}
		if !s.MLP.Bias || s.MoE.Bias || s.MoE.SharedBias != (shared == "1") || s.Attention.Bias != (arch.AttnBias{Q: true, K: true, O: true}) {
			t.Errorf("%s shared: %+v %+v %+v", shared, s.MLP, s.MoE, s.Attention.Bias)
		}
	}
}

// Families that are another one by a different name have its Spec.
func TestLatentFamiliesThatAreEqual(t *testing.T) {
	v3 := func(changes ...string) string {
		return latentConfig("deepseek_v3", "DeepseekV3ForCausalLM", experts(changes...)...)
	}
	for _, test := range []struct{ name, a, b string }{
		{"Kimi K2", v3(), strings.Replace(v3(), "deepseek_v3", "kimi_k2", 1)},
		{"GLM 4.7 Flash", v3("first_k_dense_replace", "1", "routed_scaling_factor", "1.8"),
			latentConfig("glm4_moe_lite", "Glm4MoeLiteForCausalLM", experts("max_position_embeddings", "128")...)},
		{"GLM 4.7 Flash with a list", v3("first_k_dense_replace", "2"),
			latentConfig("glm4_moe_lite", "Glm4MoeLiteForCausalLM", experts("mlp_layer_types", `["dense","dense","sparse","sparse"]`, "routed_scaling_factor", "2.5")...)},
		{"Youtu", v3("first_k_dense_replace", "4", "tie_word_embeddings", "true"), latentConfig("youtu", "YoutuForCausalLM", "embedding_initializer_range", "0.1")},
		{"no key and null for halves", v3("rope_interleave", "false"), v3("rope_interleave", "null")},
		{"all groups chosen", v3("n_group", "4", "topk_group", "4"), v3("n_group", "1", "topk_group", "1")},
		{"V2 does not normalize", latentConfig("deepseek_v2", "DeepseekV2ForCausalLM", experts("norm_topk_prob", "true")...),
			latentConfig("deepseek_v2", "DeepseekV2ForCausalLM", experts("n_group", "null", "topk_group", "null")...)},
		{"written by transformers 5", v3("rope_theta", "1e4", "rope_scaling", `{"type":"yarn","factor":4,"mscale":1,"mscale_all_dim":1}`),
			v3("head_dim", "8", "qk_head_dim", "24", "num_mtp_layers", "1", "rope_parameters", `{"rope_type":"yarn","type":"yarn","factor":4,"mscale":1,"mscale_all_dim":1,"rope_theta":1e4}`)},
	} {
		a, err := spec(test.a)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		b, err := spec(test.b)
		if err != nil {
			t.Fatalf("%s: %v", test.name, err)
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %+v and %+v", test.name, a, b)
		}
	}
}

func TestLatentRefusals(t *testing.T) {
	v2 := func(changes ...string) string {
		return latentConfig("deepseek_v2", "DeepseekV2ForCausalLM", experts(changes...)...)
	}
	v3 := func(changes ...string) string {
		return latentConfig("deepseek_v3", "DeepseekV3ForCausalLM", experts(changes...)...)
	}
	phi := func(changes ...string) string {
		return with("phi3", append([]string{"architectures", `["Phi3ForCausalLM"]`}, changes...)...)
	}
	const u, b = diag.Unsupported, diag.BadInput
	for _, test := range []struct {
		name, text string
		kind       diag.Kind
		where, say string
	}{
		{"fp8", strings.Replace(deepseekV3, `"rope_theta"`, `"quantization_config":{"activation_scheme":"dynamic","fmt":"e4m3","quant_method":"fp8","weight_block_size":[128,128]},"rope_theta"`, 1),
			u, "quantization_config", "8-bit floats"},
		{"shared heads", v2("num_key_value_heads", "2"), b, "num_key_value_heads", "all heads share one latent vector"},
		{"odd rotary part", v2("qk_rope_head_dim", "7"), b, "qk_rope_head_dim", "even"},
		{"another head", v2("qk_head_dim", "20"), b, "qk_head_dim", "qk_nope_head_dim + qk_rope_head_dim (24)"},
		{"no rank", v2("q_lora_rank", "-"), b, "q_lora_rank", "missing"},
		{"no value width", v2("v_head_dim", "-"), b, "v_head_dim", "missing"},
		{"partial rotation", v2("partial_rotary_factor", "0.5"), u, "partial_rotary_factor", "part of each head"},
		{"scoring of V3", v2("scoring_func", `"sigmoid"`), u, "scoring_func", "softmax"},
		{"choice of V3", v2("topk_method", `"noaux_tc"`), u, "topk_method", "not known"},
		{"scoring of V2", v3("scoring_func", `"softmax"`), u, "scoring_func", "each by itself"},
		{"choice of V2", v3("topk_method", `"greedy"`), u, "topk_method", "not that of the family"},
		{"every second layer", v3("moe_layer_freq", "2"), u, "moe_layer_freq", "every n-th layer"},
		{"no experts", v3("n_routed_experts", "null"), b, "n_routed_experts", "missing"},
		{"uneven groups", v3("n_group", "3"), b, "", "no multiple of router.groups"},
		{"layers of GLM", latentConfig("glm4_moe_lite", "Glm4MoeLiteForCausalLM", experts("first_k_dense_replace", "2")...), u, "first_k_dense_replace", "mlp_layer_types"},
		{"layer type of GLM", latentConfig("glm4_moe_lite", "Glm4MoeLiteForCausalLM", experts("mlp_layer_types", `["dense","dense","sparse","full"]`)...), b, "mlp_layer_types[3]", "dense or sparse"},
		{"yarn of Phi without factors", phi("rope_scaling", `{"type":"yarn"}`), b, "rope_scaling.short_factor", "one for each rotary frequency"},
		{"linear Phi", phi("rope_scaling", `{"type":"linear","factor":2}`), b, "rope_scaling", "longrope"},
		{"a factor that is text", phi("rope_scaling", `{"type":"longrope","short_factor":[1,1,1,1,1,1,1,"1"],"long_factor":[1,1,1,1,1,1,1,1]}`), b, "rope_scaling.short_factor[7]", "a number"},
	} {
		t.Run(test.name, func(t *testing.T) {
			_, err := spec(test.text)
			var e *diag.Error
			if !errors.As(err, &e) || e.Kind != test.kind || e.Where != test.where || !strings.Contains(e.Error(), test.say) {
				t.Errorf("want kind %v at %q with %q, found %v", test.kind, test.where, test.say, err)
			}
		})
	}
}
