#!/usr/bin/env python3
"""Run the graphs of fixtures through XLA on the CPU: a second compiler as witness.

    .toolchain-xla/bin/python3 tools/xla/witness.py            # the families below
    .toolchain-xla/bin/python3 tools/xla/witness.py gemma3 phi # these fixtures
    .toolchain-xla/bin/python3 tools/xla/witness.py --all      # every fixture

`hlocc lower --weights args` gives each graph as pure StableHLO, without anything of IREE's, and the values of its
weights. XLA compiles the text as it is. Each case of the fixture's oracle is then prefilled and continued by decode
steps, and all cases at once by a batch whose slots are at different positions, on caches that are donated as
`tf.aliasing_output` says. It passes if logits and tokens agree with the oracle as hlocc itself must, and if the caches
are in place: XLA has to have aliased every one of them, and the buffers that went in have to be gone.
"""
import argparse
import json
import math
import pathlib
import subprocess
import sys
import tempfile
import time

import jax
import jaxlib.xla_client
import ml_dtypes
import numpy as np
from jax.extend.backend import get_backend

ROOT = pathlib.Path(__file__).resolve().parents[2]
FAMILIES = ["llama", "qwen3", "gemma3", "phi3_longrope_long", "qwen3_moe", "deepseek_v3", "gpt_oss"]
DTYPES = {"F32": np.float32, "F16": np.float16, "BF16": ml_dtypes.bfloat16, "I32": np.int32}
CONTEXT = 64


def read_safetensors(path):
    data = path.read_bytes()
    head = 8 + int.from_bytes(data[:8], "little")
    out = {}
    for name, t in json.loads(data[8:head]).items():
        if name != "__metadata__":
            begin, end = t["data_offsets"]
            out[name] = np.frombuffer(data[head + begin:head + end], DTYPES[t["dtype"]]).reshape(t["shape"])
    return out


def shape_of(text):
    """bf16[256,64] as its numpy type and shape."""
    name, _, dims = text[:-1].partition("[")
    return DTYPES[name.upper()], tuple(int(d) for d in dims.split(",") if d)


class Graph:
    """A graph compiled by XLA, with its weights bound. It is called with arrays by role, and returns them by role."""

    def __init__(self, hlocc, fixture, context, flags, weights=None):
        with tempfile.TemporaryDirectory() as tmp:
            command = [hlocc, "lower", fixture, "--json", "--weights", "args", "--context", str(context), *flags]
            if weights is None:
                command += ["--values", f"{tmp}/values"]
            done = subprocess.run(command, stdout=subprocess.PIPE)
            if done.returncode:
                sys.exit(f"failed: {' '.join(map(str, command))}")
            graph = json.loads(done.stdout)
            if weights is None:
                weights = {k: jax.device_put(v) for k, v in read_safetensors(pathlib.Path(tmp, "values")).items()}
        self.weights, self.inputs, self.results = weights, graph["inputs"], [r["role"] for r in graph["results"]]
        backend = get_backend("cpu")
        devices = jaxlib.xla_client.DeviceList(tuple(backend.local_devices()[:1]))
        begin = time.perf_counter()
        self.program = backend.compile_and_load(graph["text"], devices, jaxlib.xla_client.CompileOptions())
        self.compile_s = time.perf_counter() - begin
        kv = sum(np.dtype(t).itemsize * math.prod(s) for t, s in map(shape_of, (i["type"] for i in self.caches())))
        aliased = self.program.get_compiled_memory_stats().alias_size_in_bytes
        if kv == 0 or aliased != kv:
            raise AssertionError(f"XLA aliased {aliased} bytes of the {kv} of the caches")

    def caches(self):
        return [i for i in self.inputs if i.get("role", "").startswith("kv.")]

    def empty(self):
        return {i["role"]: jax.numpy.zeros(shape_of(i["type"])[1], shape_of(i["type"])[0]) for i in self.caches()}

    def __call__(self, cache, **ids):
        args = []
        for i in self.inputs:
            role = i.get("role")
            if role is None:
                args.append(self.weights[i["weight"]])
            elif role in cache:
                args.append(cache[role])
            else:
                dtype, shape = shape_of(i["type"])
                padded = np.zeros(shape, dtype)
                padded[:len(ids[role])] = ids[role]
                args.append(jax.device_put(padded))
        out = dict(zip(self.results, self.program.execute(args)))
        if not all(cache[role].is_deleted() for role in cache):
            raise AssertionError("a cache was copied")
        return np.asarray(out.pop("logits")), np.asarray(out.pop("next_id")), out


class Verdict:
    """The rule of internal/oracle: every logit within 1e-4 * max(1, standard deviation of its row), and equal tokens."""

    def __init__(self):
        self.rows = self.tokens = 0
        self.worst = 0.0  # largest difference, in tolerances
        self.problems = []

    def row(self, where, want, found):
        want = np.asarray(want, np.float32)
        ratio = float(np.abs(want - found).max() / (1e-4 * max(1.0, float(want.std()))))
        self.rows += 1
        self.worst = max(self.worst, ratio)
        if not ratio <= 1:
            self.problems.append(f"{where}: logits differ by {ratio:.3g} tolerances")

    def token(self, where, want, found):
        self.tokens += 1
        if want != found:
            self.problems.append(f"{where}: want token {want}, found {found}")


def prefilled(prefill, tokens, extent):
    """The last row, the next token and the cache after prefilling tokens of a sequence that will have extent tokens."""
    bucket = next(shape_of(i["type"])[1][0] for i in prefill.inputs if i.get("role") == "tokens")
    cache, out = prefill.empty(), None
    for at in range(0, len(tokens), bucket):
        piece = tokens[at:at + bucket]
        *out, cache = prefill(cache, tokens=piece, start=[at], length=[len(piece)], extent=[extent])
    return *out, cache


def run_case(prefill, decode, name, case, verdict):
    prompt, sequence = case["prompt"], case["prompt"] + case["greedy"]
    depends_on_extent = any(i.get("role") == "extent" for i in decode.inputs)
    row, next_id, cache = prefilled(prefill, prompt, len(prompt))
    verdict.row(f"{name}, prefill", case["logits"][-1], row)
    verdict.token(f"{name}, new token 0", case["greedy"][0], next_id[0])
    for n in range(len(prompt) + 1, len(sequence)):  # a step makes the sequence n tokens long
        if depends_on_extent:  # what is in the cache may hold for shorter sequences only
            _, _, cache = prefilled(prefill, sequence[:n - 1], n)
        row, next_id, cache = decode(cache, token=[sequence[n - 1]], position=[n - 1], extent=[n])
        verdict.token(f"{name}, new token {n - len(prompt)}", sequence[n], next_id[0])
    verdict.row(f"{name}, last", case["last_logits"], row)
    cache = decode.empty()
    for i, token in enumerate(prompt):
        row, _, cache = decode(cache, token=[token], position=[i], extent=[len(prompt)])
        verdict.row(f"{name}, position {i} by steps", case["logits"][i], row)


def run_batch(decode, cases, verdict):
    """All cases side by side, one slot each; every slot starts three steps after the one before it."""
    starts = [3 * slot for slot in range(len(cases))]
    cache = decode.empty()
    for step in range(max(starts) + max(len(c["prompt"]) for c in cases)):
        at = [min(max(step - s, 0), len(c["prompt"]) - 1) for s, c in zip(starts, cases)]
        rows, _, cache = decode(cache, token=[c["prompt"][i] for i, c in zip(at, cases)], position=at, extent=[len(c["prompt"]) for c in cases])
        for slot, (i, c) in enumerate(zip(at, cases)):
            verdict.row(f"slot {slot}, position {i}", c["logits"][i], rows[slot])


def witness(hlocc, name):
    fixture = ROOT / "fixtures" / "tiny" / name
    cases = json.loads((fixture / "oracle.json").read_text())["cases"]
    context = max(CONTEXT, *(len(c["prompt"]) + len(c["greedy"]) - 1 for c in cases))
    begin = time.perf_counter()
    prefill = Graph(hlocc, fixture, context, ["--graph", "prefill"])  # the smallest of a build
    decode = Graph(hlocc, fixture, context, ["--graph", "decode"], prefill.weights)
    batch = Graph(hlocc, fixture, context, ["--graph", "decode", "--batch", str(len(cases))], prefill.weights)
    verdict = Verdict()
    for i, case in enumerate(cases):
        run_case(prefill, decode, f"case {i}", case, verdict)
    run_batch(batch, cases, verdict)
    print(f"{name:20s} {'ok  ' if not verdict.problems else 'FAIL'} {verdict.rows} rows within {verdict.worst:.2f} of the tolerance, {verdict.tokens} tokens, "
          f"XLA {prefill.compile_s + decode.compile_s + batch.compile_s:.1f} s, in all {time.perf_counter() - begin:.1f} s", flush=True)
    for p in verdict.problems[:5]:
        print(f"    {p}")
    return not verdict.problems


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("names", nargs="*")
    args.add_argument("--all", action="store_true", help="every fixture")
    args.add_argument("--hlocc", default=str(ROOT / "bin" / "hlocc"))
    args = args.parse_args()
    names = args.names or FAMILIES
    if args.all:
        names = sorted(d.name for d in (ROOT / "fixtures" / "tiny").iterdir() if d.is_dir())
    print(f"XLA of jaxlib {jaxlib.__version__}, CPU")
    failed = [n for n in names if not witness(args.hlocc, n)]
    sys.exit(f"failed: {' '.join(failed)}" if failed else 0)


if __name__ == "__main__":
    main()
