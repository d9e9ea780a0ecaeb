"""The variants that make.py makes: what each one's config says, and which mistakes it must show.

Configs are written as the hub has them, with small sizes. `breaks` names changes of the config that an engine
would make by mistake, by leaving something out or by misreading a key.
"""
import dataclasses
import typing

import rewrite

REMOVE = object()  # in breaks: the key is taken out


@dataclasses.dataclass
class Variant:
    name: str
    config: dict
    breaks: dict
    prompts: list = None
    rewrite: typing.Callable = None  # to the layout of a class that transformers does not have
    embed_std: float = 1.0           # smaller where the embedding is scaled up or is also the head,
    final_gain: float = 1.0          # which then needs larger inputs

    def __post_init__(self):
        self.prompts = self.prompts or [ids(22), [7]]


def ids(n, seed=1):
    """n token ids that repeat late, none of them special."""
    out, x = [], seed
    for _ in range(n):
        x = (x * 1103515245 + 12345) % 2**31
        out.append(5 + (x >> 16) % 240)
    return out


BASE = {"vocab_size": 256, "hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 4, "num_key_value_heads": 2,
        "max_position_embeddings": 128, "rms_norm_eps": 1e-3, "rope_theta": 10000.0, "hidden_act": "silu", "bos_token_id": 1, "eos_token_id": 2,
        "tie_word_embeddings": False, "torch_dtype": "bfloat16"}


def config(architecture, model_type, *without, **keys):
    return {"architectures": [architecture], "model_type": model_type, **{k: v for k, v in BASE.items() if k not in without}, **keys}


def layer_norm(**keys):
    return {"layer_norm_eps": 1e-3, **keys}


def set_to(**changes):
    """Breaks of one key each: key=wrong value."""
    return {k: {k: v} for k, v in changes.items()}


MLA = {"num_key_value_heads": 4, "kv_lora_rank": 32, "qk_nope_head_dim": 16, "qk_rope_head_dim": 8, "v_head_dim": 16}
PIXTRAL = {"model_type": "pixtral", "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "head_dim": 8,
           "num_channels": 3, "image_size": 16, "patch_size": 4, "hidden_act": "silu", "rope_theta": 10000.0}
SIGLIP = {"model_type": "siglip_vision_model", "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2,
          "image_size": 16, "patch_size": 4, "vision_use_head": False}
CLIP = {"model_type": "clip_vision_model", "hidden_size": 16, "intermediate_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "image_size": 16,
        "patch_size": 4, "projection_dim": 16}
SHORT6, LONG6 = [1.0, 1.1, 1.25, 1.5, 1.7, 2.0], [1.0, 1.5, 2.5, 4.0, 6.0, 9.0]
SHORT4, LONG4 = [1.0, 1.2, 1.5, 2.0], [1.0, 2.0, 4.0, 8.0]


def ministral(original, **keys):
    return config("Ministral3ForCausalLM", "ministral3", "rope_theta", head_dim=32, sliding_window=None,
                  rope_parameters={"rope_theta": 10000.0, "rope_type": "yarn", "type": "yarn", "factor": 8.0, "original_max_position_embeddings": original,
                                   "beta_fast": 32.0, "beta_slow": 1.0, "mscale": 1.0, "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}, **keys)


def vision(text, vision_config, model_type, architecture, **keys):
    """A vision-language config around the text model's."""
    text = {k: v for k, v in text.items() if k not in ("architectures", "torch_dtype", "bos_token_id", "eos_token_id", "tie_word_embeddings")}
    return {"architectures": [architecture], "model_type": model_type, "text_config": text, "vision_config": vision_config, "image_token_index": 255,
            "torch_dtype": "bfloat16", "eos_token_id": 2, **keys}


VARIANTS = [
    # Rotary positions.
    Variant("phi3_longrope_long",
            config("Phi3ForCausalLM", "phi3", pad_token_id=3, tie_word_embeddings=True, partial_rotary_factor=0.75, original_max_position_embeddings=64,
                   sliding_window=None, rope_scaling={"type": "longrope", "short_factor": SHORT6, "long_factor": LONG6}),
            {"always short": {"rope_scaling.long_factor": SHORT6}, "always long": {"rope_scaling.short_factor": LONG6}},
            prompts=[ids(84), ids(56, 2), [7]], embed_std=0.5),
    Variant("ministral3_far", ministral(16),
            {"no query scale": {"rope_parameters.llama_4_scaling_beta": 0.0}, "original": {"rope_parameters.original_max_position_embeddings": 32}},
            prompts=[ids(104), [7]]),
    Variant("internlm3_bias_limit",
            config("InternLM3ForCausalLM", "internlm3", head_dim=16, qkv_bias=True, bias=True, max_position_embeddings=64,
                   rope_scaling={"rope_type": "dynamic", "factor": 6.0}),
            {"no biases": {"qkv_bias": False, "bias": False}, "scaled below the limit": {"max_position_embeddings": 48}}, prompts=[ids(49), [7]]),
    Variant("llama_yarn",
            config("LlamaForCausalLM", "llama", attention_bias=False, mlp_bias=False, head_dim=24, rope_theta=1000.0,
                   rope_scaling={"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32, "beta_fast": 2.0, "beta_slow": 0.5,
                                 "mscale": 1.3, "mscale_all_dim": 0.6, "truncate": False}),
            {"truncate": {"rope_scaling.truncate": True}, "mscale": {"rope_scaling.mscale": REMOVE}, "mscale_all_dim": {"rope_scaling.mscale_all_dim": 1.3},
             "beta_fast": {"rope_scaling.beta_fast": REMOVE}, "beta_slow": {"rope_scaling.beta_slow": REMOVE}}),
    Variant("minicpm3_longrope",
            config("MiniCPM3ForCausalLM", "minicpm3", **{**MLA, "num_attention_heads": 4}, q_lora_rank=48, scale_emb=12, scale_depth=1.4, dim_model_base=16,
                   rope_scaling={"type": "longrope", "short_factor": SHORT4, "long_factor": LONG4, "original_max_position_embeddings": 128}),
            {"no factors": {"rope_scaling": None}, "long": {"rope_scaling.short_factor": LONG4}, **set_to(scale_emb=1, scale_depth=2, dim_model_base=64)},
            embed_std=0.1),
    Variant("minicpm_longrope",
            config("GraniteForCausalLM", "granite", embedding_multiplier=12.0, residual_multiplier=1.4 / 2**0.5, attention_multiplier=0.25, logits_scaling=4.0,
                   attention_bias=False, mlp_bias=False, head_dim=16,
                   rope_scaling={"rope_type": "longrope", "short_factor": SHORT4 * 2, "long_factor": LONG4 * 2, "original_max_position_embeddings": 128}),
            {"no factors": {"rope_scaling": None}, "long": {"rope_scaling.short_factor": LONG4 * 2}}, rewrite=rewrite.minicpm, embed_std=0.1),

    # Other layouts of known models.
    Variant("internlm2",
            config("LlamaForCausalLM", "llama", num_attention_heads=6, num_key_value_heads=3, head_dim=16, hidden_size=96, intermediate_size=64,
                   attention_bias=False, mlp_bias=False, rope_theta=1000000.0, rope_scaling={"rope_type": "dynamic", "factor": 2.0}),
            set_to(rope_theta=10000.0), rewrite=rewrite.internlm2),
    Variant("mistral3_vlm",
            vision(config("MistralForCausalLM", "mistral", head_dim=32, sliding_window=None, rope_theta=1000000.0), PIXTRAL, "mistral3",
                   "Mistral3ForConditionalGeneration", multimodal_projector_bias=False, projector_hidden_act="gelu", spatial_merge_size=2,
                   vision_feature_layer=-1, tie_word_embeddings=False),
            {"rope_theta": {"text_config.rope_theta": 10000.0}}),
    Variant("ministral3_vlm_v5",
            vision(ministral(16, num_hidden_layers=1, tie_word_embeddings=True), PIXTRAL, "mistral3", "Mistral3ForConditionalGeneration",
                   multimodal_projector_bias=False, projector_hidden_act="gelu", spatial_merge_size=2, vision_feature_layer=-1, tie_word_embeddings=True),
            {"no query scale": {"text_config.rope_parameters.llama_4_scaling_beta": 0.0}}, rewrite=rewrite.inner_language_model, embed_std=0.5),
    Variant("gemma3_vlm",
            vision(config("Gemma3ForCausalLM", "gemma3_text", "hidden_act", "rope_theta", head_dim=32, hidden_activation="gelu_pytorch_tanh", num_hidden_layers=3,
                          intermediate_size=64, query_pre_attn_scalar=24, sliding_window=8, layer_types=["sliding_attention", "full_attention", "sliding_attention"],
                          rope_parameters={"full_attention": {"rope_type": "linear", "factor": 8.0, "rope_theta": 1000000.0},
                                           "sliding_attention": {"rope_type": "default", "rope_theta": 10000.0}}),
                   SIGLIP, "gemma3", "Gemma3ForConditionalGeneration", mm_tokens_per_image=4, tie_word_embeddings=True, boi_token_index=253, eoi_token_index=254),
            {"layer types": {"text_config.layer_types": ["sliding_attention", "sliding_attention", "full_attention"]},
             "one theta": {"text_config.rope_parameters.sliding_attention.rope_theta": 1000000.0},
             "factor": {"text_config.rope_parameters.full_attention": {"rope_type": "default", "rope_theta": 1000000.0}},
             "window": {"text_config.sliding_window": 16}}, embed_std=0.02, final_gain=10),
    Variant("llava_vlm",
            vision(config("LlamaForCausalLM", "llama", num_hidden_layers=1, head_dim=24, attention_bias=True), CLIP, "llava", "LlavaForConditionalGeneration",
                   projector_hidden_act="gelu", vision_feature_layer=-1, vision_feature_select_strategy="default", image_seq_length=16),
            {"rope_theta": {"text_config.rope_theta": 500.0}, "no biases": {"text_config.attention_bias": False}}),
    Variant("llama_odd",
            config("LlamaForCausalLM", "llama", vocab_size=251, hidden_size=66, intermediate_size=100, num_hidden_layers=1, num_attention_heads=6,
                   num_key_value_heads=3, head_dim=14, attention_bias=False, mlp_bias=True, rope_scaling=None),
            set_to(mlp_bias=False, rope_theta=500.0)),
    Variant("youtu",
            config("YoutuForCausalLM", "youtu", **MLA, q_lora_rank=40, attention_bias=True, rope_interleave=True, tie_word_embeddings=True,
                   rope_scaling={"type": "yarn", "factor": 4, "beta_fast": 32, "beta_slow": 1, "mscale": 1.0, "mscale_all_dim": 0.8,
                                 "original_max_position_embeddings": 16}),
            {**set_to(rope_interleave=False, attention_bias=False, rope_scaling=None), "mscale_all_dim": {"rope_scaling.mscale_all_dim": 1.0}}, embed_std=0.5),

    # Mixtures of experts.
    Variant("deepseek_v2_groups",
            config("DeepseekV2ForCausalLM", "deepseek_v2", **{**MLA, "num_attention_heads": 4}, q_lora_rank=48, n_routed_experts=8, n_shared_experts=2,
                   num_experts_per_tok=3, moe_intermediate_size=24, first_k_dense_replace=1, intermediate_size=64, routed_scaling_factor=4.0, scoring_func="softmax",
                   topk_method="group_limited_greedy", n_group=4, topk_group=2, norm_topk_prob=False, moe_layer_freq=1,
                   rope_scaling={"type": "yarn", "factor": 4, "beta_fast": 32, "beta_slow": 1, "mscale": 0.707, "mscale_all_dim": 0.5,
                                 "original_max_position_embeddings": 32}),
            {**set_to(topk_method="greedy", n_group=2, topk_group=1, routed_scaling_factor=1.0), "mscale": {"rope_scaling.mscale": 0.5},
             "mscale_all_dim": {"rope_scaling.mscale_all_dim": 0.707}}),
    Variant("deepseek_v3_groups",
            config("DeepseekV3ForCausalLM", "deepseek_v3", **{**MLA, "num_attention_heads": 4}, q_lora_rank=None, n_routed_experts=12, n_shared_experts=1,
                   num_experts_per_tok=3, moe_intermediate_size=16, first_k_dense_replace=0, num_hidden_layers=2, routed_scaling_factor=2.5, scoring_func="sigmoid",
                   topk_method="noaux_tc", n_group=3, topk_group=2, norm_topk_prob=False, moe_layer_freq=1, attention_bias=True, rope_interleave=True,
                   rope_scaling=None),
            set_to(n_group=2, topk_group=1, norm_topk_prob=True, routed_scaling_factor=1.0, rope_interleave=False, attention_bias=False)),
    Variant("glm4_moe_groups",
            config("Glm4MoeForCausalLM", "glm4_moe", n_routed_experts=8, n_shared_experts=2, num_experts_per_tok=2, moe_intermediate_size=24,
                   first_k_dense_replace=0, routed_scaling_factor=1.5, n_group=2, topk_group=1, norm_topk_prob=True, head_dim=16, attention_bias=False,
                   use_qk_norm=False, partial_rotary_factor=0.25, num_nextn_predict_layers=0),
            set_to(n_group=1, norm_topk_prob=False, partial_rotary_factor=0.5, routed_scaling_factor=1.0)),
    Variant("solar_open",
            config("SolarOpenForCausalLM", "solar_open", "intermediate_size", n_routed_experts=6, n_shared_experts=2, num_experts_per_tok=2, moe_intermediate_size=24,
                   routed_scaling_factor=1.5, n_group=1, topk_group=1, norm_topk_prob=True, head_dim=24, attention_bias=True,
                   rope_scaling={"rope_type": "yarn", "factor": 2.0, "original_max_position_embeddings": 16}),
            set_to(norm_topk_prob=False, routed_scaling_factor=1.0, attention_bias=False, rope_scaling=None)),
    Variant("qwen2_moe_sparse",
            config("Qwen2MoeForCausalLM", "qwen2_moe", num_experts=4, num_experts_per_tok=2, moe_intermediate_size=24, shared_expert_intermediate_size=32,
                   num_hidden_layers=4, intermediate_size=48, decoder_sparse_step=2, norm_topk_prob=True, mlp_only_layers=[], qkv_bias=False,
                   use_sliding_window=True, sliding_window=8, max_window_layers=2),
            {**set_to(norm_topk_prob=False, use_sliding_window=False, max_window_layers=4)}),
    Variant("qwen3_moe_sparse",
            config("Qwen3MoeForCausalLM", "qwen3_moe", num_experts=6, num_experts_per_tok=3, moe_intermediate_size=24, num_hidden_layers=2, intermediate_size=48,
                   decoder_sparse_step=2, norm_topk_prob=False, mlp_only_layers=[], head_dim=16, use_sliding_window=True, sliding_window=8, max_window_layers=1,
                   attention_bias=True),
            set_to(norm_topk_prob=True, use_sliding_window=False, attention_bias=False, num_experts_per_tok=2)),
    Variant("olmoe_clip",
            config("OlmoeForCausalLM", "olmoe", num_experts=6, num_experts_per_tok=2, intermediate_size=24, norm_topk_prob=True, clip_qkv=1.0, pad_token_id=3),
            set_to(norm_topk_prob=False, clip_qkv=None)),
    Variant("mixtral_window",
            config("MixtralForCausalLM", "mixtral", num_local_experts=3, num_experts_per_tok=1, intermediate_size=32, sliding_window=8, head_dim=24,
                   tie_word_embeddings=True),
            set_to(sliding_window=None, num_experts_per_tok=2), embed_std=0.5),
    Variant("ernie4_5_moe_bias",
            config("Ernie4_5_MoeForCausalLM", "ernie4_5_moe", moe_num_experts=5, moe_k=3, moe_intermediate_size=16, moe_num_shared_experts=2, moe_layer_start_index=1,
                   moe_layer_end_index=3, moe_layer_interval=2, num_hidden_layers=4, intermediate_size=48, use_bias=True, moe_norm_min=0.8, head_dim=16, pad_token_id=0),
            set_to(moe_norm_min=1e-12, moe_k=2)),
    Variant("gpt_oss_plain",
            config("GptOssForCausalLM", "gpt_oss", "rope_theta", num_local_experts=9, num_experts_per_tok=2, intermediate_size=16, head_dim=24, sliding_window=6,
                   attention_bias=False, swiglu_limit=1.5, layer_types=["full_attention", "sliding_attention"], pad_token_id=3,
                   rope_parameters={"rope_type": "default", "rope_theta": 1000.0}),
            {**set_to(swiglu_limit=7.0, sliding_window=7, layer_types=["sliding_attention", "full_attention"]), "rope_theta": {"rope_parameters.rope_theta": 10000.0}}),

    # Switches of dense models, set the other way than in the usual fixture.
    Variant("qwen3_window",
            config("Qwen3ForCausalLM", "qwen3", head_dim=16, use_sliding_window=True, sliding_window=8, max_window_layers=1, attention_bias=True, num_hidden_layers=3,
                   intermediate_size=64),
            set_to(use_sliding_window=False, max_window_layers=2, attention_bias=False)),
    Variant("smollm3_window",
            config("SmolLM3ForCausalLM", "smollm3", no_rope_layers=None, no_rope_layer_interval=2, num_hidden_layers=3, intermediate_size=64, pad_token_id=4,
                   use_sliding_window=True, sliding_window=8, attention_bias=True, mlp_bias=True),
            {**set_to(no_rope_layer_interval=3, use_sliding_window=False, attention_bias=False, mlp_bias=False)}),
    Variant("gemma2_v5",
            config("Gemma2ForCausalLM", "gemma2", "hidden_act", "rope_theta", head_dim=32, hidden_activation="gelu_pytorch_tanh", query_pre_attn_scalar=24,
                   sliding_window=8, layer_types=["full_attention", "sliding_attention"], attn_logit_softcapping=None, final_logit_softcapping=None,
                   rope_parameters={"rope_type": "default", "rope_theta": 500.0}, tie_word_embeddings=True, pad_token_id=0),
            {**set_to(layer_types=["sliding_attention", "full_attention"], final_logit_softcapping=REMOVE, query_pre_attn_scalar=32),
             "rope_theta": {"rope_parameters.rope_theta": 10000.0}, "score cap": {"attn_logit_softcapping": 5.0}}, embed_std=0.02, final_gain=10),
    Variant("ernie4_5_bias",
            config("Ernie4_5ForCausalLM", "ernie4_5", head_dim=16, use_bias=True, rope_theta=500000.0, pad_token_id=0),
            set_to(use_bias=False)),
    Variant("granite_bias",
            config("GraniteForCausalLM", "granite", embedding_multiplier=6.0, residual_multiplier=0.5, attention_multiplier=0.2, logits_scaling=2.0,
                   attention_bias=True, mlp_bias=True),
            set_to(attention_bias=False, mlp_bias=False, logits_scaling=1.0), embed_std=0.2),
    Variant("cohere_bias",
            config("CohereForCausalLM", "cohere", "rms_norm_eps", **layer_norm(), logit_scale=0.5, use_qk_norm=False, attention_bias=True, tie_word_embeddings=True,
                   pad_token_id=0),
            set_to(attention_bias=False, logit_scale=0.0625), embed_std=0.5),
    Variant("stablelm_parallel",
            config("StableLmForCausalLM", "stablelm", "rms_norm_eps", **layer_norm(), partial_rotary_factor=0.5, use_qkv_bias=True, qk_layernorm=False,
                   use_parallel_residual=True),
            set_to(partial_rotary_factor=0.25, use_qkv_bias=False)),
    Variant("phi_qknorm",
            config("PhiForCausalLM", "phi", "rms_norm_eps", **layer_norm(), partial_rotary_factor=0.25, hidden_act="gelu_new", num_key_value_heads=2, qk_layernorm=True),
            set_to(qk_layernorm=False, partial_rotary_factor=0.5)),
    Variant("gpt_neox_sequential",
            config("GPTNeoXForCausalLM", "gpt_neox", "rms_norm_eps", "rope_theta", "num_key_value_heads", **layer_norm(), hidden_act="gelu_new", rotary_pct=1.0,
                   rotary_emb_base=500, use_parallel_residual=False, attention_bias=True),
            set_to(use_parallel_residual=True, rotary_emb_base=10000, hidden_act="relu")),
    Variant("starcoder2_nobias",
            config("Starcoder2ForCausalLM", "starcoder2", "rms_norm_eps", norm_epsilon=1e-3, hidden_act="gelu_pytorch_tanh", use_bias=False, sliding_window=None),
            set_to(rope_theta=500.0, norm_epsilon=1e-1)),
    Variant("nemotron_bias",
            config("NemotronForCausalLM", "nemotron", "rms_norm_eps", norm_eps=1e-3, hidden_act="relu2", partial_rotary_factor=0.25, head_dim=24, attention_bias=True,
                   mlp_bias=True),
            set_to(attention_bias=False, mlp_bias=False, partial_rotary_factor=0.5)),
]
