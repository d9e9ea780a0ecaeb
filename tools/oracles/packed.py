#!/usr/bin/env python3
"""Make small checkpoints that were quantized before, as MLX, GPTQ and AWQ pack them, with digests of what they hold.

    python3 tools/oracles/packed.py fixtures/packed

Needs numpy and mlx (`pip install mlx[cpu]`; 0.32.4 was used). expected.json has the SHA-256 of every packed matrix,
dequantized to float32, row-major [outputs, inputs], little-endian.

MLX's matrices are made by mlx.core.quantize and the digests by mlx.core.dequantize. Of the others, random integers, scales
and zero points are packed here:
  GPTQ as QuantLinear.pack of AutoGPTQ 0.7.1 does (auto_gptq/nn_modules/qlinear/qlinear_cuda_old.py), which its forward
       reads as w = scales * (q - ((zeros + 1) & 15)); checkpoint_format gptq_v2 (GPTQModel) has zeros without the "+ 1";
  AWQ  in the order that reverse_awq_order of AutoAWQ 0.2.9 undoes (awq/utils/packing_utils.py), which dequantize_gemm
       reads as w = (q - zeros) * scales.
--check compares them with AutoAWQ's function; it needs torch and the unpacked source of autoawq at the given path.
"""
import argparse
import hashlib
import importlib.util
import json
import pathlib
import struct

import numpy as np

HIDDEN, INTER, HEADS, KV_HEADS, HEAD_DIM, VOCAB = 128, 256, 4, 1, 32, 40
LAYER = "model.layers.0."
MATRICES = {
    "self_attn.q_proj": (HEADS * HEAD_DIM, HIDDEN), "self_attn.k_proj": (KV_HEADS * HEAD_DIM, HIDDEN),
    "self_attn.v_proj": (KV_HEADS * HEAD_DIM, HIDDEN), "self_attn.o_proj": (HIDDEN, HEADS * HEAD_DIM),
    "mlp.gate_proj": (INTER, HIDDEN), "mlp.up_proj": (INTER, HIDDEN), "mlp.down_proj": (HIDDEN, INTER),
}
DTYPES = {np.dtype("float32"): "F32", np.dtype("float16"): "F16", np.dtype("int32"): "I32", np.dtype("uint32"): "U32", np.dtype("uint16"): "BF16"}


def bf16(x):
    """x, rounded to bfloat16, as float32."""
    bits = np.ascontiguousarray(x, dtype=np.float32).view(np.uint32)
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) & 0xFFFF0000).astype(np.uint32).view(np.float32)


def save(path, tensors):
    """A safetensors file; arrays of uint16 are bfloat16."""
    header, data = {}, b""
    for name in sorted(tensors):
        raw = np.ascontiguousarray(tensors[name]).tobytes()
        header[name] = {"dtype": DTYPES[tensors[name].dtype], "shape": list(tensors[name].shape), "data_offsets": [len(data), len(data) + len(raw)]}
        data += raw
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def pack_columns(q, order=range(8)):
    """[a, b] integers below 16 to int32 [a, b/8]; nibble i is column order[i] of eight."""
    out = np.zeros((q.shape[0], q.shape[1] // 8), dtype=np.uint32)
    for i, column in enumerate(order):
        out |= q[:, column::8].astype(np.uint32) << np.uint32(4 * i)
    return out.view(np.int32)


def affine(rng, n, k, group, symmetric):
    q = rng.integers(0, 16, (n, k), dtype=np.uint8)
    scale = (rng.random((n, k // group)) * 0.02 + 0.005).astype(np.float16)
    zero = np.full((n, k // group), 8) if symmetric else rng.integers(0, 16, (n, k // group))
    wide = lambda a: np.repeat(a, group, axis=1)
    return q, scale, zero, (q.astype(np.float32) - wide(zero).astype(np.float32)) * wide(scale).astype(np.float32)


def gptq(rng, module, n, k, group, symmetric, v1):
    q, scale, zero, w = affine(rng, n, k, group, symmetric)
    stored = (zero - 1) & 15 if v1 else zero
    return {module + ".qweight": np.ascontiguousarray(pack_columns(q).T), module + ".scales": np.ascontiguousarray(scale.T),
            module + ".qzeros": pack_columns(np.ascontiguousarray(stored.T)), module + ".g_idx": (np.arange(k) // group).astype(np.int32)}, w


def awq(rng, module, n, k, group):
    q, scale, zero, w = affine(rng, n, k, group, False)
    order = [0, 2, 4, 6, 1, 3, 5, 7]
    return {module + ".qweight": pack_columns(np.ascontiguousarray(q.T), order), module + ".scales": np.ascontiguousarray(scale.T),
            module + ".qzeros": pack_columns(np.ascontiguousarray(zero.T), order)}, w


def mlx(rng, module, n, k, group, bits, dtype):
    import mlx.core as mx
    w = mx.array(rng.normal(0, 0.05, (n, k)).astype(np.float32)).astype(dtype)
    q, scales, biases = mx.quantize(w, group_size=group, bits=bits)
    exact = mx.dequantize(q, scales.astype(mx.float32), biases.astype(mx.float32), group_size=group, bits=bits)
    raw = lambda a: np.array(a.view(mx.uint16)) if dtype == mx.bfloat16 else np.array(a)
    return {module + ".weight": np.array(q), module + ".scales": raw(scales), module + ".biases": raw(biases)}, np.array(exact)


def write(out, name, quantization, matrix, embedding=False):
    rng = np.random.default_rng(sum(name.encode()))
    config = {"model_type": "llama", "vocab_size": VOCAB, "hidden_size": HIDDEN, "intermediate_size": INTER, "num_hidden_layers": 1,
              "num_attention_heads": HEADS, "num_key_value_heads": KV_HEADS, "head_dim": HEAD_DIM, "max_position_embeddings": 64,
              "rms_norm_eps": 1e-5, "rope_theta": 10000.0, "tie_word_embeddings": False} | quantization
    floats = lambda *shape: (bf16(rng.normal(0, 0.05, shape)).view(np.uint32) >> 16).astype(np.uint16)
    tensors = {"model.norm.weight": floats(HIDDEN), LAYER + "input_layernorm.weight": floats(HIDDEN), LAYER + "post_attention_layernorm.weight": floats(HIDDEN)}
    matrices = {LAYER + m: shape for m, shape in MATRICES.items()}
    for module in ("model.embed_tokens", "lm_head"):
        if embedding:
            matrices[module] = (VOCAB, HIDDEN)
        else:
            tensors[module + ".weight"] = floats(VOCAB, HIDDEN)
    expected = {}
    for module, (n, k) in matrices.items():
        packed, w = matrix(rng, module, n, k)
        tensors |= packed
        expected[module + ".weight"] = hashlib.sha256(np.ascontiguousarray(w, dtype="<f4").tobytes()).hexdigest()
    folder = out / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "config.json").write_text(json.dumps(config, indent=2) + "\n")
    (folder / "expected.json").write_text(json.dumps(expected, indent=2, sort_keys=True) + "\n")
    save(folder / "model.safetensors", tensors)


def check(source):
    """AutoAWQ's own function gives the same numbers."""
    import torch
    spec = importlib.util.spec_from_file_location("packing_utils", pathlib.Path(source) / "awq/utils/packing_utils.py")
    theirs = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(theirs)
    packed, w = awq(np.random.default_rng(1), "m", 64, 256, 128)
    t = {name.removeprefix("m."): torch.from_numpy(a) for name, a in packed.items()}
    got = theirs.dequantize_gemm(t["qweight"], t["qzeros"], t["scales"].float(), 4, 128).numpy().T
    assert (got == w).all()


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("out", type=pathlib.Path)
    args.add_argument("--check", metavar="AUTOAWQ")
    args = args.parse_args()
    if args.check:
        check(args.check)
        return
    import mlx.core as mx
    common = {"bits": 4, "desc_act": False, "damp_percent": 0.01}
    write(args.out, "gptq", {"quantization_config": common | {"quant_method": "gptq", "group_size": 128, "sym": True}},
          lambda rng, m, n, k: gptq(rng, m, n, k, 128, True, True))
    write(args.out, "gptq_asym", {"quantization_config": common | {"quant_method": "gptq", "group_size": 64, "sym": False, "checkpoint_format": "gptq"}},
          lambda rng, m, n, k: gptq(rng, m, n, k, 64, False, True))
    write(args.out, "gptq_v2", {"quantization_config": common | {"quant_method": "gptq", "group_size": -1, "sym": False, "checkpoint_format": "gptq_v2"}},
          lambda rng, m, n, k: gptq(rng, m, n, k, k, False, False))
    write(args.out, "awq", {"quantization_config": {"quant_method": "awq", "bits": 4, "group_size": 128, "zero_point": True, "version": "gemm"}},
          lambda rng, m, n, k: awq(rng, m, n, k, 128))
    q = {"group_size": 64, "bits": 4}
    write(args.out, "mlx", {"quantization": q, "quantization_config": q}, lambda rng, m, n, k: mlx(rng, m, n, k, 64, 4, mx.float16), embedding=True)
    mixed = q | {"mode": "affine", LAYER + "self_attn.v_proj": {"group_size": 128, "bits": 8}}
    write(args.out, "mlx_mixed", {"quantization": mixed},
          lambda rng, m, n, k: mlx(rng, m, n, k, *((128, 8) if m.endswith("v_proj") else (64, 4)), mx.bfloat16), embedding=True)


if __name__ == "__main__":
    main()
