"""Tests of convert_smollm2.py, on a GGUF file made here."""
import json
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

import numpy as np

import convert_smollm2 as convert

TOOL = pathlib.Path(__file__).with_name("convert_smollm2.py")
HIDDEN, HEADS, KV_HEADS, INNER, LAYERS = 32, 4, 2, 64, 2
TOKENS = ["<|endoftext|>", "<|im_start|>", "<|im_end|>", "a", "b", "ab", "\u0120"]


def gguf_string(text):
    raw = text.encode("utf-8")
    return struct.pack("<Q", len(raw)) + raw


def gguf_value(value):
    """The type number and the bytes of a metadata value."""
    if isinstance(value, str):
        return 8, gguf_string(value)
    if isinstance(value, float):
        return 6, struct.pack("<f", value)
    if isinstance(value, int):
        return 4, struct.pack("<I", value)
    kind, _ = gguf_value(value[0])
    return 9, struct.pack("<IQ", kind, len(value)) + b"".join(gguf_value(v)[1] for v in value)


FIELDS = {
    "general.architecture": "llama", "llama.block_count": LAYERS, "llama.context_length": 128,
    "llama.embedding_length": HIDDEN, "llama.feed_forward_length": INNER, "llama.vocab_size": len(TOKENS),
    "llama.attention.head_count": HEADS, "llama.attention.head_count_kv": KV_HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.freq_base": 100000.0,
    "tokenizer.ggml.model": "gpt2", "tokenizer.ggml.pre": "smollm", "tokenizer.ggml.tokens": TOKENS,
    "tokenizer.ggml.token_type": [3, 3, 3, 1, 1, 1, 1], "tokenizer.ggml.merges": ["a b"],
    "tokenizer.ggml.bos_token_id": 1, "tokenizer.ggml.eos_token_id": 2, "tokenizer.ggml.unknown_token_id": 0,
    "tokenizer.ggml.padding_token_id": 2, "tokenizer.chat_template": "{{ messages }}",
}


def tensors():
    """name -> float32 values, as llama.cpp would have them."""
    random = np.random.default_rng(1)
    shapes = {"token_embd.weight": (len(TOKENS), HIDDEN), "output_norm.weight": (HIDDEN,)}
    for n in range(LAYERS):
        for part in convert.LAYER_NAMES:
            rows = {"attn_k": KV_HEADS * 8, "attn_v": KV_HEADS * 8, "ffn_gate": INNER, "ffn_up": INNER}.get(part, HIDDEN)
            columns = INNER if part == "ffn_down" else HIDDEN
            shapes[f"blk.{n}.{part}.weight"] = (HIDDEN,) if part.endswith("norm") else (rows, columns)
    return {name: random.standard_normal(shape).astype(np.float32) for name, shape in shapes.items()}


def write_gguf(path, values):
    head = struct.pack("<4sIQQ", b"GGUF", 3, len(values), len(FIELDS))
    for key, value in FIELDS.items():
        kind, raw = gguf_value(value)
        head += gguf_string(key) + struct.pack("<I", kind) + raw
    data = b""
    for name, w in values.items():
        head += gguf_string(name) + struct.pack("<I", w.ndim) + struct.pack(f"<{w.ndim}Q", *reversed(w.shape))
        head += struct.pack("<IQ", convert.F32, len(data))
        data += w.tobytes() + bytes(-w.nbytes % 32)
    path.write_bytes(head + bytes(-len(head) % 32) + data)


def read_safetensors(path):
    raw = path.read_bytes()
    size = struct.unpack("<Q", raw[:8])[0]
    return json.loads(raw[8:8 + size]), raw[8 + size:]


class Blocks(unittest.TestCase):
    def test_q4_1(self):
        raw = struct.pack("<ee", 0.5, -2.0) + bytes(range(0x10, 0x20))
        got = convert.dequantize(np.frombuffer(raw, np.uint8).reshape(1, 20), convert.Q4_1)
        low = [i * 0.5 - 2 for i in range(16)]  # the low nibbles of 0x10, 0x11, ... are 0, 1, ...
        self.assertEqual(got.dtype, np.float32)
        self.assertEqual(got.tolist(), [low + [-1.5] * 16])

    def test_q8_0(self):
        raw = struct.pack("<e", 0.25) + np.arange(-16, 16, dtype=np.int8).tobytes()
        got = convert.dequantize(np.frombuffer(raw, np.uint8).reshape(1, 34), convert.Q8_0)
        self.assertEqual(got.tolist(), [[i / 4 for i in range(-16, 16)]])

    def test_bfloat16_rounds_to_nearest_even(self):
        bits = np.array([0x3F800000, 0x3F808000, 0x3F818000, 0x3F808001, 0xBF807FFF], np.uint32)
        got = np.frombuffer(convert.encode(bits.view(np.float32), "bf16"), np.uint16)
        self.assertEqual([hex(g) for g in got], ["0x3f80", "0x3f80", "0x3f82", "0x3f81", "0xbf80"])

    def test_halves(self):
        interleaved = np.array([[0], [10], [1], [11], [2], [12], [3], [13]], np.float32)  # two heads of four rows
        self.assertEqual(convert.split_halves(interleaved, 2)[:, 0].tolist(), [0, 1, 10, 11, 2, 3, 12, 13])


class Checkpoint(unittest.TestCase):
    def setUp(self):
        tmp = tempfile.TemporaryDirectory()
        self.addCleanup(tmp.cleanup)
        self.dir = pathlib.Path(tmp.name)
        self.values = tensors()
        write_gguf(self.dir / "m.gguf", self.values)

    def write(self, name, dtype="f32", layers=None):
        out = self.dir / name
        out.mkdir()
        with convert.GGUF(self.dir / "m.gguf") as gguf:
            convert.write_checkpoint(gguf, out, dtype, layers)
        return out

    def test_tensors(self):
        header, data = read_safetensors(self.write("out") / "model.safetensors")
        self.assertEqual(header.pop("__metadata__"), {"format": "pt"})
        self.assertEqual(len(header), len(self.values))
        for name, w in self.values.items():
            entry = header[convert.hf_name(name)]
            begin, end = entry["data_offsets"]
            got = np.frombuffer(data[begin:end], np.float32).reshape(entry["shape"])
            heads = HEADS if "attn_q." in name else KV_HEADS if "attn_k." in name else 0
            np.testing.assert_array_equal(got, convert.split_halves(w, heads) if heads else w, name)

    def test_configuration(self):
        out = self.write("out", "bf16", layers=1)
        cfg = json.loads((out / "config.json").read_text())
        want = {"model_type": "llama", "num_hidden_layers": 1, "rms_norm_eps": 1e-5, "torch_dtype": "bfloat16",
                "rope_theta": 100000.0, "tie_word_embeddings": True, "bos_token_id": 1, "eos_token_id": 2}
        self.assertEqual({k: cfg[k] for k in want}, want)
        header, _ = read_safetensors(out / "model.safetensors")
        self.assertNotIn("model.layers.1.mlp.up_proj.weight", header)
        self.assertEqual(header["model.norm.weight"]["dtype"], "BF16")
        tok = json.loads((out / "tokenizer.json").read_text(encoding="utf-8"))
        self.assertEqual([a["content"] for a in tok["added_tokens"]], TOKENS[:3])
        self.assertEqual(tok["model"]["vocab"]["\u0120"], 6)

    def test_deterministic(self):
        a, b = self.write("a"), self.write("b")
        for path in sorted(a.iterdir()):
            self.assertEqual(path.read_bytes(), (b / path.name).read_bytes(), path.name)

    def test_other_file_is_refused(self):
        out = self.dir / "out"
        done = subprocess.run([sys.executable, TOOL, self.dir / "m.gguf", out], capture_output=True, text=True)
        self.assertEqual(done.returncode, 1)
        self.assertIn("want " + convert.GGUF_SHA256, done.stderr)
        self.assertEqual([p.name for p in self.dir.iterdir()], ["m.gguf"])


if __name__ == "__main__":
    unittest.main()
