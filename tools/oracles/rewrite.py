"""Rewrites checkpoints to layouts whose model classes transformers does not have, but has an equal of.

Each function takes the tensors and the config of the equal model and gives those of the other layout. The
logits stay what they are.
"""
import re

import torch


def renamed(tensors, rules):
    """Applies (pattern, replacement) rules in turn to every name."""
    out = {}
    for name, tensor in tensors.items():
        for pattern, replacement in rules:
            name = re.sub(pattern, replacement, name)
        out[name] = tensor
    return out


def internlm2(tensors, config):
    """InternLM2 from Llama: one matrix wqkv, whose rows come KV head by KV head: its queries, its key, its value."""
    kv, dim, hidden = config["num_key_value_heads"], config.pop("head_dim"), config["hidden_size"]
    assert dim * config["num_attention_heads"] == hidden  # its class has no key for the size of a head
    for i in range(config["num_hidden_layers"]):
        q, k, v = (tensors.pop(f"model.layers.{i}.self_attn.{n}_proj.weight") for n in "qkv")
        parts = [q.view(kv, -1, dim, hidden), k.view(kv, 1, dim, hidden), v.view(kv, 1, dim, hidden)]
        tensors[f"model.layers.{i}.attention.wqkv.weight"] = torch.cat(parts, 1).reshape(-1, hidden)
    tensors = renamed(tensors, [
        (r"self_attn\.o_proj", "attention.wo"), (r"mlp\.gate_proj", "feed_forward.w1"), (r"mlp\.up_proj", "feed_forward.w3"),
        (r"mlp\.down_proj", "feed_forward.w2"), (r"input_layernorm", "attention_norm"), (r"post_attention_layernorm", "ffn_norm"),
        (r"model\.embed_tokens", "model.tok_embeddings"), (r"^lm_head", "output")])
    for key in ("attention_bias", "mlp_bias"):
        config.pop(key)
    config.update(architectures=["InternLM2ForCausalLM"], model_type="internlm2", bias=False,
                  auto_map={"AutoConfig": "configuration_internlm2.InternLM2Config", "AutoModelForCausalLM": "modeling_internlm2.InternLM2ForCausalLM"})
    config["rope_scaling"] = {"type": "dynamic", "factor": 2.0}
    return tensors, config


def minicpm(tensors, config):
    """MiniCPM from Granite: the same four scales, derived from other keys."""
    layers, hidden = config["num_hidden_layers"], config["hidden_size"]
    scales = {k: config.pop(k) for k in ("embedding_multiplier", "residual_multiplier", "attention_multiplier", "logits_scaling")}
    assert scales["attention_multiplier"] == config.pop("head_dim") ** -0.5
    for key in ("attention_bias", "mlp_bias"):
        config.pop(key)
    config.update(architectures=["MiniCPMForCausalLM"], model_type="minicpm", scale_emb=int(scales["embedding_multiplier"]),
                  scale_depth=round(scales["residual_multiplier"] * layers**0.5, 9), dim_model_base=int(hidden / scales["logits_scaling"]))
    return tensors, config


def inner_language_model(tensors, config):
    """The names of vision-language checkpoints that transformers 5 uses inside: the head is outside the language model."""
    return renamed(tensors, [(r"^language_model\.lm_head", "lm_head"), (r"^language_model\.model\.", "model.language_model."),
                             (r"^(vision_tower|multi_modal_projector)\.", r"model.\1.")]), config
