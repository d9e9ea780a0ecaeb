package families_test

import (
	"math"
	"testing"

	"github.com/hlocc/hlocc/arch"
)

// window and rope of each layer, for short comparisons.
func layers(s *arch.Spec) (windows, ropes []int) {
	for _, l := range s.Layers {
		windows, ropes = append(windows, l.Window), append(ropes, l.RoPE)
	}
	return windows, ropes
}

// Configs of published models whose blocks, scales or tensors are unlike Llama's.
func TestPublishedScaledAndParallel(t *testing.T) {
	for _, c := range []struct {
		name, text string
		check      func(s *arch.Spec) bool
	}{
		{"Command R", `{"architectures":["CohereForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":5,"eos_token_id":255001,"hidden_act":"silu",
			"hidden_size":8192,"initializer_range":0.02,"intermediate_size":22528,"layer_norm_eps":1e-05,"logit_scale":0.0625,"max_position_embeddings":8192,
			"model_max_length":131072,"model_type":"cohere","num_attention_heads":64,"num_hidden_layers":40,"num_key_value_heads":64,"pad_token_id":0,"pretraining_tp":1,
			"rope_theta":8000000.0,"torch_dtype":"float16","transformers_version":"4.38.2","use_cache":true,"vocab_size":256000}`,
			func(s *arch.Spec) bool {
				return s.Block == arch.Block{Parallel: true, SharedNorm: true, AttnNorm: true} && s.Norm.Kind == arch.LayerNorm && !s.Norm.Bias && s.Head == arch.Head{Tied: true, Scale: 0.0625} &&
					s.RoPE[0].Interleaved && s.RoPE[0].Theta == 8e6 && s.Attention.QKNorm == nil && s.Attention.HeadDim == 128
			}},
		{"Command R+", `{"architectures":["CohereForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":5,"eos_token_id":255001,"hidden_act":"silu",
			"hidden_size":12288,"initializer_range":0.02,"intermediate_size":33792,"layer_norm_eps":1e-05,"logit_scale":0.8333333333333334,"max_position_embeddings":131072,
			"model_type":"cohere","num_attention_heads":96,"num_hidden_layers":64,"num_key_value_heads":8,"pad_token_id":0,"rope_theta":75000000.0,"torch_dtype":"float16",
			"transformers_version":"4.40.0.dev0","use_cache":true,"use_qk_norm":true,"vocab_size":256000}`,
			func(s *arch.Spec) bool {
				return *s.Attention.QKNorm == arch.QKNorm{Kind: arch.LayerNorm, Eps: 1e-5, Over: arch.OverHeadOwn} && s.Head.Scale == 0.8333333333333334
			}},
		{"Command R7B", `{"architectures":["Cohere2ForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":5,"cache_implementation":"hybrid","eos_token_id":255001,
			"head_dim":128,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":14336,"layer_norm_eps":1e-05,"layer_switch":4,"logit_scale":0.25,
			"max_position_embeddings":8192,"model_type":"cohere2","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,"order_of_interleaved_layers":"local_attn_first",
			"pad_token_id":0,"position_embedding_type":"rope_gptj","rope_scaling":null,"rope_theta":50000,"rotary_pct":1.0,"sliding_window":4096,"sliding_window_pattern":4,
			"torch_dtype":"bfloat16","transformers_version":"4.48.0.dev0","use_cache":true,"use_embedding_sharing":true,"use_gated_activation":true,"use_parallel_block":true,
			"use_parallel_embedding":false,"vocab_size":256000}`,
			func(s *arch.Spec) bool {
				w, r := layers(s)
				return w[0] == 4096 && w[2] == 4096 && w[3] == 0 && w[31] == 0 && r[0] == 0 && r[3] == arch.NoRoPE && s.RoPE[0].Interleaved && s.Head.Scale == 0.25
			}},
		{"Tiny Aya", `{"architectures":["Cohere2ForCausalLM"],"attention_bias":false,"bos_token_id":2,"dtype":"bfloat16","eos_token_id":3,"head_dim":128,"hidden_act":"silu","hidden_size":2048,
			"intermediate_size":11008,"layer_norm_eps":1e-05,"layer_types":["sliding_attention","sliding_attention","sliding_attention","full_attention"],"logit_scale":1.0,
			"max_position_embeddings":500000,"model_type":"cohere2","num_attention_heads":16,"num_hidden_layers":4,"num_key_value_heads":4,"pad_token_id":0,
			"rope_parameters":{"rope_theta":50000,"rope_type":"default"},"sliding_window":4096,"use_cache":true,"use_qk_norm":false,"vocab_size":262144}`,
			func(s *arch.Spec) bool {
				w, r := layers(s)
				return w[3] == 0 && r[3] == arch.NoRoPE && w[0] == 4096 && s.RoPE[0].Theta == 50000
			}},
		{"StableLM 2 1.6B", `{"architectures":["StableLmForCausalLM"],"bos_token_id":100257,"eos_token_id":100257,"hidden_act":"silu","hidden_size":2048,"initializer_range":0.02,
			"intermediate_size":5632,"max_position_embeddings":4096,"model_type":"stablelm","layer_norm_eps":1e-05,"num_attention_heads":32,"num_hidden_layers":24,
			"num_key_value_heads":32,"partial_rotary_factor":0.25,"rope_theta":10000,"tie_word_embeddings":false,"torch_dtype":"float16","transformers_version":"4.38.0",
			"use_cache":true,"use_qkv_bias":true,"vocab_size":100352}`,
			func(s *arch.Spec) bool {
				return s.Norm == arch.Norm{Kind: arch.LayerNorm, Eps: 1e-5, Bias: true} && s.RoPE[0].Dims == 16 && s.Attention.Bias == arch.AttnBias{Q: true, K: true, V: true} && s.Block == arch.Block{AttnNorm: true, MLPNorm: true}
			}},
		{"StableLM 2 12B", `{"architectures":["StableLmForCausalLM"],"bos_token_id":100257,"eos_token_id":100257,"hidden_act":"silu","hidden_dropout":0.0,"hidden_size":5120,"initializer_range":0.02,
			"intermediate_size":13824,"layer_norm_eps":1e-05,"max_position_embeddings":4096,"model_type":"stablelm","num_attention_heads":32,"num_hidden_layers":40,"num_key_value_heads":8,
			"partial_rotary_factor":0.25,"qk_layernorm":true,"rope_theta":10000,"rotary_scaling_factor":1.0,"tie_word_embeddings":false,"torch_dtype":"bfloat16","use_cache":true,
			"use_norm_bias":false,"use_parallel_residual":true,"use_qkv_bias":false,"vocab_size":100352}`,
			func(s *arch.Spec) bool {
				return s.Block.SharedNorm && s.Attention.QKNorm.Over == arch.OverHeadOwn && s.Attention.HeadDim == 160 && s.RoPE[0].Dims == 40 && s.Attention.Bias == arch.AttnBias{}
			}},
		{"StarCoder2 3B", `{"architectures":["Starcoder2ForCausalLM"],"attention_dropout":0.1,"residual_dropout":0.1,"embedding_dropout":0.1,"bos_token_id":0,"eos_token_id":0,
			"hidden_act":"gelu_pytorch_tanh","hidden_size":3072,"initializer_range":0.018042,"intermediate_size":12288,"max_position_embeddings":16384,"mlp_type":"default",
			"model_type":"starcoder2","norm_epsilon":1e-05,"norm_type":"layer_norm","num_attention_heads":24,"num_hidden_layers":30,"num_key_value_heads":2,
			"rope_theta":999999.4420358813,"sliding_window":4096,"transformers_version":"4.37.0.dev0","use_bias":true,"use_cache":true,"vocab_size":49152}`,
			func(s *arch.Spec) bool {
				return s.MLP == arch.MLP{Plain: true, Activation: arch.GELUTanh, Intermediate: 12288, Bias: true} && s.Attention.Bias.O && s.Layers[29].Window == 4096 && s.Head.Tied && s.Norm.Bias
			}},
		{"GPT-2", `{"activation_function":"gelu_new","architectures":["GPT2LMHeadModel"],"attn_pdrop":0.1,"bos_token_id":50256,"embd_pdrop":0.1,"eos_token_id":50256,"initializer_range":0.02,
			"layer_norm_epsilon":1e-05,"model_type":"gpt2","n_ctx":1024,"n_embd":768,"n_head":12,"n_layer":12,"n_positions":1024,"resid_pdrop":0.1,"summary_activation":null,
			"summary_first_dropout":0.1,"summary_proj_to_labels":true,"summary_type":"cls_index","summary_use_proj":true,
			"task_specific_params":{"text-generation":{"do_sample":true,"max_length":50}},"vocab_size":50257}`,
			func(s *arch.Spec) bool {
				return s.Embed.Positions == 1024 && s.MaxPositions == 1024 && len(s.RoPE) == 0 && s.Layers[11].RoPE == arch.NoRoPE && s.Head.Tied &&
					s.MLP == arch.MLP{Plain: true, Activation: arch.GELUTanh, Intermediate: 3072, Bias: true} && s.Attention.Heads == 12 && s.Attention.Scale == 0.125
			}},
		{"DistilGPT-2", `{"_num_labels":1,"activation_function":"gelu_new","architectures":["GPT2LMHeadModel"],"attn_pdrop":0.1,"bos_token_id":50256,"embd_pdrop":0.1,"eos_token_id":50256,
			"id2label":{"0":"LABEL_0"},"initializer_range":0.02,"label2id":{"LABEL_0":0},"layer_norm_epsilon":1e-05,"model_type":"gpt2","n_ctx":1024,"n_embd":768,"n_head":12,"n_inner":null,
			"n_layer":6,"n_positions":1024,"n_special":0,"predict_special_tokens":true,"resid_pdrop":0.1,"reorder_and_upcast_attn":false,"scale_attn_by_inverse_layer_idx":false,
			"scale_attn_weights":true,"summary_type":"cls_index","use_cache":true,"vocab_size":50257}`,
			func(s *arch.Spec) bool { return len(s.Layers) == 6 && s.MLP.Intermediate == 3072 }},
		{"Pythia 70M", `{"architectures":["GPTNeoXForCausalLM"],"bos_token_id":0,"eos_token_id":0,"hidden_act":"gelu","hidden_size":512,"initializer_range":0.02,"intermediate_size":2048,
			"layer_norm_eps":1e-05,"max_position_embeddings":2048,"model_type":"gpt_neox","num_attention_heads":8,"num_hidden_layers":6,"rotary_emb_base":10000,"rotary_pct":0.25,
			"tie_word_embeddings":false,"torch_dtype":"float16","transformers_version":"4.24.0","use_cache":true,"use_parallel_residual":true,"vocab_size":50304}`,
			func(s *arch.Spec) bool {
				return s.Block == arch.Block{Parallel: true, AttnNorm: true, MLPNorm: true} && s.RoPE[0].Dims == 16 && s.MLP.Activation == arch.GELU && s.MLP.Plain && s.Attention.Bias.O && !s.RoPE[0].Interleaved
			}},
		{"Pythia as transformers 5 writes it", `{"architectures":["GPTNeoXForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"bos_token_id":0,"classifier_dropout":0.1,"dtype":"float32",
			"eos_token_id":0,"hidden_act":"gelu","hidden_dropout":0.0,"hidden_size":512,"initializer_range":0.02,"intermediate_size":2048,"is_decoder":false,"layer_norm_eps":1e-05,
			"max_position_embeddings":2048,"model_type":"gpt_neox","num_attention_heads":8,"num_hidden_layers":6,"pad_token_id":null,
			"rope_parameters":{"partial_rotary_factor":0.5,"rope_theta":5000,"rope_type":"default"},"tie_word_embeddings":false,"transformers_version":"5.0.0","use_cache":true,
			"use_parallel_residual":false,"vocab_size":50304}`,
			func(s *arch.Spec) bool { return s.RoPE[0].Dims == 32 && s.RoPE[0].Theta == 5000 && !s.Block.Parallel }},
		{"Granite 3.0 2B", `{"architectures":["GraniteForCausalLM"],"attention_bias":false,"attention_dropout":0.1,"attention_multiplier":0.015625,"bos_token_id":0,"embedding_multiplier":12.0,
			"eos_token_id":0,"hidden_act":"silu","hidden_size":2048,"initializer_range":0.02,"intermediate_size":8192,"logits_scaling":8.0,"max_position_embeddings":4096,"mlp_bias":false,
			"model_type":"granite","num_attention_heads":32,"num_hidden_layers":40,"num_key_value_heads":8,"pad_token_id":0,"residual_multiplier":0.22,"rms_norm_eps":1e-05,
			"rope_scaling":null,"rope_theta":10000.0,"tie_word_embeddings":true,"torch_dtype":"bfloat16","transformers_version":"4.46.0.dev0","use_cache":true,"vocab_size":49155}`,
			func(s *arch.Spec) bool {
				return s.Embed.Scale == 12 && s.Block.ResidualScale == 0.22 && s.Attention.Scale == 0.015625 && s.Head == arch.Head{Tied: true, Scale: 0.125}
			}},
		{"ERNIE 4.5 0.3B", `{"architectures":["Ernie4_5_ForCausalLM"],"auto_map":{"AutoConfig":"configuration_ernie4_5.Ernie4_5_Config"},"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu",
			"hidden_size":1024,"intermediate_size":3072,"max_position_embeddings":131072,"model_type":"ernie4_5","num_attention_heads":16,"num_key_value_heads":2,"head_dim":128,
			"num_hidden_layers":18,"pad_token_id":0,"rms_norm_eps":1e-05,"use_cache":false,"vocab_size":103424,"rope_theta":500000,"use_bias":false,"tie_word_embeddings":true,
			"torch_dtype":"bfloat16"}`,
			func(s *arch.Spec) bool {
				return s.RoPE[0].Interleaved && s.RoPE[0].Dims == 128 && s.Attention.HeadDim == 128 && s.Head.Tied && !s.MLP.Bias
			}},
		{"GLM-4 9B chat", `{"architectures":["GlmForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"eos_token_id":[151329,151336,151338],"head_dim":128,"hidden_act":"silu",
			"hidden_size":4096,"initializer_range":0.02,"intermediate_size":13696,"max_position_embeddings":131072,"model_type":"glm","num_attention_heads":32,"num_hidden_layers":40,
			"num_key_value_heads":2,"pad_token_id":151329,"partial_rotary_factor":0.5,"rms_norm_eps":1.5625e-07,"rope_theta":10000.0,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
			"transformers_version":"4.47.0.dev0","use_cache":true,"vocab_size":151552}`,
			func(s *arch.Spec) bool {
				return s.RoPE[0].Dims == 64 && s.RoPE[0].Interleaved && s.Norm.Eps == 1.5625e-7 && s.Attention.Bias == arch.AttnBias{Q: true, K: true, V: true}
			}},
		{"GLM-4 9B 0414", `{"architectures":["Glm4ForCausalLM"],"attention_bias":true,"attention_dropout":0.0,"eos_token_id":[151329,151336,151338],"head_dim":128,"hidden_act":"silu",
			"hidden_size":4096,"initializer_range":0.02,"intermediate_size":13696,"max_position_embeddings":32768,"model_type":"glm4","num_attention_heads":32,"num_hidden_layers":40,
			"num_key_value_heads":2,"pad_token_id":151329,"partial_rotary_factor":0.5,"rms_norm_eps":1e-05,"rope_theta":10000.0,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
			"transformers_version":"4.52.0.dev0","use_cache":true,"vocab_size":151552}`,
			func(s *arch.Spec) bool {
				return s.Block == arch.Block{AttnNorm: true, AttnPostNorm: true, MLPNorm: true, MLPPostNorm: true} && s.Attention.Bias == arch.AttnBias{Q: true, K: true, V: true}
			}},
		{"Apertus 8B", `{"architectures":["ApertusForCausalLM"],"attention_bias":false,"attention_dropout":0.0,"bos_token_id":1,"eos_token_id":68,"hidden_act":"xielu","hidden_dropout":0.0,
			"hidden_size":4096,"initializer_range":0.02,"intermediate_size":21504,"max_position_embeddings":65536,"mlp_bias":false,"model_type":"apertus","num_attention_heads":32,
			"num_hidden_layers":32,"num_key_value_heads":8,"pad_token_id":3,"post_norm":false,"qk_norm":true,"rms_norm_eps":1e-05,
			"rope_scaling":{"factor":8.0,"high_freq_factor":4.0,"low_freq_factor":1.0,"original_max_position_embeddings":8192,"rope_type":"llama3","type":"llama3"},
			"rope_theta":12000000,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.56.0","use_cache":true,"vocab_size":131072}`,
			func(s *arch.Spec) bool {
				return s.MLP == arch.MLP{Plain: true, Activation: arch.XIELU, Intermediate: 21504} && s.RoPE[0].Kind == arch.RoPELlama3 && s.RoPE[0].Theta == 12e6 &&
					*s.Attention.QKNorm == arch.QKNorm{Kind: arch.RMSNorm, Eps: 1e-5, Over: arch.OverHead}
			}},
		{"Hunyuan 7B", `{"add_classification_head":false,"architectures":["HunYuanDenseV1ForCausalLM"],"attention_bias":false,"attention_dropout":0.1,"attention_head_dim":128,"bos_token_id":1,
			"cla_share_factor":2,"class_num":0,"dense_list":[4096,0],"eod_token_id":127967,"eos_token_id":127960,"head_dim":128,"hidden_act":"silu","hidden_size":4096,"im_end_id":5,
			"im_newline_id":11,"im_start_id":4,"initializer_range":0.02,"intermediate_size":14336,"mask_init_id":12,"max_position_embeddings":32768,"mlp_bias":false,
			"model_type":"hunyuan_v1_dense","norm_type":"rms","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,"org_vocab_size":128167,"pad_id":127961,
			"pad_token_id":127961,"pool_type":"last","pretraining_tp":1,"rms_norm_eps":1e-05,"rope_scaling":{"alpha":1000.0,"beta_fast":32,"beta_slow":1,"factor":1.0,"mscale":1.0,
			"mscale_all_dim":1.0,"type":"dynamic"},"rope_theta":10000.0,"sep_token_id":127962,"text_end_id":7,"text_start_id":6,"tie_word_embeddings":true,"torch_dtype":"bfloat16",
			"transformers_version":"4.41.2","use_cache":true,"use_cla":false,"use_qk_norm":true,"use_rotary_pos_emb":true,"vocab_size":128167}`,
			func(s *arch.Spec) bool {
				return s.RoPE[0].Kind == arch.RoPEDefault && math.Abs(s.RoPE[0].Theta/1.1158839925e7-1) < 1e-9 && s.Attention.QKNorm.AfterRoPE && s.MaxPositions == 32768
			}},
		{"InternLM 2.5 7B", `{"architectures":["InternLM2ForCausalLM"],"attn_implementation":"eager","auto_map":{"AutoConfig":"configuration_internlm2.InternLM2Config"},"bias":false,"bos_token_id":1,
			"eos_token_id":2,"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":14336,"max_position_embeddings":32768,"model_type":"internlm2",
			"num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":8,"pad_token_id":2,"pretraining_tp":1,"rms_norm_eps":1e-05,"rope_scaling":{"type":"dynamic","factor":2.0},
			"rope_theta":1000000,"tie_word_embeddings":false,"torch_dtype":"bfloat16","transformers_version":"4.41.0","use_cache":true,"vocab_size":92544}`,
			func(s *arch.Spec) bool {
				return s.Attention.Bias == arch.AttnBias{} && s.RoPE[0].Kind == arch.RoPEDynamic && s.Attention.KVHeads == 8
			}},
		{"MiniCPM 2B, without a model type", `{"_name_or_path":"openbmb/CPM-2B","architectures":["MiniCPMForCausalLM"],"auto_map":{"AutoConfig":"configuration_minicpm.MiniCPMConfig",
			"AutoModel":"modeling_minicpm.MiniCPMModel","AutoModelForCausalLM":"modeling_minicpm.MiniCPMForCausalLM"},"bos_token_id":1,"eos_token_id":2,"hidden_act":"silu","hidden_size":2304,
			"initializer_range":0.1,"intermediate_size":5760,"max_position_embeddings":4096,"num_attention_heads":36,"num_hidden_layers":40,"num_key_value_heads":36,"rms_norm_eps":1e-05,
			"rope_scaling":null,"torch_dtype":"bfloat16","transformers_version":"4.36.0","use_cache":true,"vocab_size":122753,"scale_emb":12,"dim_model_base":256,"scale_depth":1.4}`,
			func(s *arch.Spec) bool {
				return s.Embed.Scale == 12 && near(s.Block.ResidualScale, 1.4/math.Sqrt(40)) && near(s.Head.Scale, 1.0/9) && s.Head.Tied && s.RoPE[0].Theta == 10000
			}},
		{"MiniCPM 4 0.5B", `{"architectures":["MiniCPMForCausalLM"],"auto_map":{"AutoConfig":"configuration_minicpm.MiniCPMConfig"},"bos_token_id":1,"eos_token_id":[2,73440],"hidden_act":"silu",
			"hidden_size":1024,"initializer_range":0.1,"intermediate_size":4096,"max_position_embeddings":32768,"model_type":"minicpm","mup_denominator":24,"num_attention_heads":16,
			"num_hidden_layers":24,"num_key_value_heads":2,"pad_token_id":2,"rms_norm_eps":1e-05,"rope_scaling":{"rope_type":"longrope","long_factor":` + factors(32, 0.5) + `,
			"short_factor":` + factors(32, 0.5) + `,"original_max_position_embeddings":32768},"scale_depth":1.4,"scale_emb":12,"dim_model_base":256,"tie_word_embeddings":true,
			"torch_dtype":"bfloat16","use_cache":true,"vocab_size":73448}`,
			func(s *arch.Spec) bool { return s.RoPE[0].Kind == arch.RoPELong && len(s.RoPE[0].ShortFactors) == 32 }},
		{"Solar Open 100B", `{"architectures":["SolarOpenForCausalLM"],"attention_bias":false,"bos_token_id":1,"dtype":"bfloat16","eos_token_id":2,"first_k_dense_replace":0,"head_dim":128,
			"hidden_act":"silu","hidden_size":4096,"initializer_range":0.02,"intermediate_size":10240,"max_position_embeddings":131072,"model_type":"solar_open","moe_intermediate_size":1280,
			"n_group":1,"n_routed_experts":128,"n_shared_experts":1,"norm_topk_prob":true,"num_attention_heads":64,"num_experts_per_tok":8,"num_hidden_layers":48,"num_key_value_heads":8,
			"pad_token_id":2,"partial_rotary_factor":1.0,"rms_norm_eps":1e-05,"rope_scaling":{"factor":2.0,"original_max_position_embeddings":65536,"type":"yarn"},"rope_theta":1000000,
			"routed_scaling_factor":1.0,"tie_word_embeddings":false,"topk_group":1,"use_cache":true,"use_qk_norm":false,"vocab_size":196608}`,
			func(s *arch.Spec) bool {
				return s.MoE.Experts == 128 && s.MoE.Router.Scoring == arch.Sigmoid && s.MoE.Router.Correction && s.MoE.Router.Normalize && s.Layers[0].Sparse && s.RoPE[0].Dims == 128 &&
					s.MLP == arch.MLP{} && s.Attention.QKNorm == nil && s.MoE.SharedIntermediate == 1280 && s.MaxPositions == 131072
			}},
		{"Mistral Small 3.1", `{"architectures":["Mistral3ForConditionalGeneration"],"image_token_index":10,"model_type":"mistral3","multimodal_projector_bias":false,"projector_hidden_act":"gelu",
			"spatial_merge_size":2,"text_config":{"attention_dropout":0.0,"head_dim":128,"hidden_act":"silu","hidden_size":5120,"initializer_range":0.02,"intermediate_size":32768,
			"max_position_embeddings":131072,"model_type":"mistral","num_attention_heads":32,"num_hidden_layers":40,"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":1000000000.0,
			"sliding_window":null,"use_cache":true,"vocab_size":131072},"torch_dtype":"bfloat16","transformers_version":"4.50.0.dev0","vision_config":{"attention_dropout":0.0,"head_dim":64,
			"hidden_act":"silu","hidden_size":1024,"image_size":1540,"initializer_range":0.02,"intermediate_size":4096,"model_type":"pixtral","num_attention_heads":16,"num_channels":3,
			"num_hidden_layers":24,"patch_size":14,"rope_theta":10000.0},"vision_feature_layer":-1}`,
			func(s *arch.Spec) bool {
				return s.Hidden == 5120 && s.Attention.HeadDim == 128 && s.RoPE[0].Theta == 1e9 && s.Layers[0].Window == 0 && s.MaxPositions == 131072
			}},
		{"Ministral 3 3B", `{"architectures":["Mistral3ForConditionalGeneration"],"dtype":"bfloat16","image_token_index":10,"model_type":"mistral3","multimodal_projector_bias":false,
			"projector_hidden_act":"gelu","spatial_merge_size":2,"text_config":{"attention_dropout":0.0,"head_dim":128,"hidden_act":"silu","hidden_size":3072,"initializer_range":0.02,
			"intermediate_size":9216,"max_position_embeddings":262144,"model_type":"ministral3","num_attention_heads":32,"num_hidden_layers":26,"num_key_value_heads":8,"rms_norm_eps":1e-05,
			"rope_parameters":{"beta_fast":32.0,"beta_slow":1.0,"factor":16.0,"llama_4_scaling_beta":0.1,"mscale":1.0,"mscale_all_dim":1.0,"original_max_position_embeddings":16384,
			"rope_theta":1000000.0,"rope_type":"yarn","type":"yarn"},"sliding_window":null,"tie_word_embeddings":true,"use_cache":true,"vocab_size":131072},"tie_word_embeddings":true,
			"transformers_version":"5.0.0.dev0","vision_config":{"model_type":"pixtral"},"vision_feature_layer":-1}`,
			func(s *arch.Spec) bool {
				return s.Attention.QueryScale.Original == 16384 && s.Head.Tied && len(s.Layers) == 26
			}},
		{"Pixtral 12B", `{"architectures":["LlavaForConditionalGeneration"],"ignore_index":-100,"image_seq_length":1,"image_token_index":10,"model_type":"llava","projector_hidden_act":"gelu",
			"text_config":{"head_dim":128,"hidden_size":5120,"intermediate_size":14336,"is_composition":true,"max_position_embeddings":1024000,"model_type":"mistral","num_hidden_layers":40,
			"num_key_value_heads":8,"rms_norm_eps":1e-05,"rope_theta":1000000000.0,"sliding_window":null,"vocab_size":131072},"torch_dtype":"bfloat16","transformers_version":"4.45.0.dev0",
			"vision_config":{"head_dim":64,"hidden_act":"silu","image_size":1024,"is_composition":true,"model_type":"pixtral","patch_size":16,"rope_theta":10000.0},
			"vision_feature_layer":-1,"vision_feature_select_strategy":"full"}`,
			func(s *arch.Spec) bool { return s.Attention.Heads == 32 && s.Vocab == 131072 && s.Norm.Eps == 1e-5 }},
		{"LLaVA 1.5 7B", `{"architectures":["LlavaForConditionalGeneration"],"ignore_index":-100,"image_token_index":32000,"model_type":"llava","pad_token_id":32001,"projector_hidden_act":"gelu",
			"text_config":{"_name_or_path":"lmsys/vicuna-7b-v1.5","architectures":["LlamaForCausalLM"],"max_position_embeddings":4096,"model_type":"llama","rms_norm_eps":1e-05,
			"torch_dtype":"float16","vocab_size":32064},"tie_word_embeddings":false,"torch_dtype":"float16","transformers_version":"4.36.0.dev0","vision_config":{"hidden_size":1024,
			"image_size":336,"intermediate_size":4096,"model_type":"clip_vision_model","num_attention_heads":16,"num_hidden_layers":24,"patch_size":14,"projection_dim":768,"vocab_size":32000},
			"vision_feature_layer":-2,"vision_feature_select_strategy":"default","vocab_size":32064}`,
			func(s *arch.Spec) bool {
				return s.Hidden == 4096 && s.MLP.Intermediate == 11008 && len(s.Layers) == 32 && s.Vocab == 32064 && s.Attention.KVHeads == 32
			}},
		{"Gemma 3 4B", `{"architectures":["Gemma3ForConditionalGeneration"],"boi_token_index":255999,"eoi_token_index":256000,"eos_token_id":[1,106],"image_token_index":262144,
			"initializer_range":0.02,"mm_tokens_per_image":256,"model_type":"gemma3","text_config":{"hidden_size":2560,"intermediate_size":10240,"model_type":"gemma3_text",
			"num_hidden_layers":34,"rope_scaling":{"factor":8.0,"rope_type":"linear"},"sliding_window":1024},"torch_dtype":"bfloat16","transformers_version":"4.50.0.dev0",
			"vision_config":{"hidden_size":1152,"image_size":896,"intermediate_size":4304,"model_type":"siglip_vision_model","num_attention_heads":16,"num_hidden_layers":27,"patch_size":14,
			"vision_use_head":false}}`,
			func(s *arch.Spec) bool {
				w, _ := layers(s)
				return s.Vocab == 262208 && s.Attention.Heads == 8 && s.Attention.KVHeads == 4 && s.Attention.HeadDim == 256 && w[0] == 1024 && w[5] == 0 && s.Attention.Scale == 0.0625
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			checkSpec(t, c.text, c.check)
		})
	}
}
