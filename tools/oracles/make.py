#!/usr/bin/env python3
"""Make the tiny checkpoints of variants.py, each with an oracle computed by Hugging Face transformers.

    python3 tools/oracles/make.py OUT              # all of them
    python3 tools/oracles/make.py OUT llama_odd    # these

Needs the packages of requirements.txt; a CPU build of torch will do. Equal versions give equal bytes.

Every logit comes from one forward pass over the whole sequence so far, in float32 with eager attention and
without a cache: what the model means, not what a cache makes of it. A seed is searched whose greedy tokens vary
and are decided clearly, so that rounding cannot turn them. Then each of the variant's `breaks` is tried: the
config is changed and the logits must move by more than BREAK, else the fixture would not show that mistake.
"""
import argparse
import copy
import hashlib
import json
import math
import pathlib
import re
import shutil
import sys
import tempfile

import torch
import transformers
from safetensors.torch import load_file, save_file

import variants

NEW = 16      # greedy tokens per prompt
BREAK = 1e-2  # how far a mistake must move some logit, at least
SEEDS = 200


def load(path, **kwargs):
    """The model of the checkpoint in `path`, or of its config alone with `empty`."""
    config = transformers.AutoConfig.from_pretrained(path)
    auto = transformers.AutoModelForImageTextToText if "text_config" in config.to_dict() else transformers.AutoModelForCausalLM
    kwargs |= {"dtype": torch.float32, "attn_implementation": "eager"}
    if kwargs.pop("empty", False):
        return auto.from_config(config, **kwargs).eval()
    return auto.from_pretrained(path, **kwargs).eval()


def fill(model, variant, seed):
    """Random weights, exact in bfloat16: neutral values are disturbed, so that no tensor can be forgotten."""
    seen = set()
    buffers = [(n, b) for n, b in model.named_buffers() if n.endswith("e_score_correction_bias")]
    for name, p in list(model.named_parameters()) + buffers:
        if p.data_ptr() in seen:  # tied
            continue
        seen.add(p.data_ptr())
        digest = hashlib.sha256(f"{seed} {name}".encode()).digest()
        r = torch.randn(p.shape, generator=torch.Generator().manual_seed(int.from_bytes(digest[:6], "big")))
        if "correction_bias" in name:
            w = 0.2 * r
        elif name.endswith("bias"):
            w = 0.3 * r
        elif p.dim() == 1 or "norm" in name:  # a norm: around the neutral value that it was made with
            gain = variant.final_gain if re.search(r"model\.norm\.weight$", name) else 1
            w = gain * (1 + 0.25 * r) - (1 - round(float(p.detach().mean())))  # some families store weights minus one
        elif re.search(r"embed_tokens|embed_in|wte", name):
            w = variant.embed_std * r
        else:
            gain = 3 if re.search(r"lm_head|embed_out", name) else 2 if re.search(r"q_|k_|qkv|query_key|kv_a", name) else 1.5
            w = gain / math.sqrt(p.shape[-1]) * r
        p.data.copy_(w.to(torch.bfloat16))


@torch.no_grad()
def logits(model, ids):
    return model(input_ids=torch.tensor([ids]), use_cache=False).logits[0].float()


def continue_greedily(model, prompt):
    rows = last = logits(model, prompt)
    ids, margins = list(prompt), []
    for i in range(NEW):
        if i:
            last = logits(model, ids)
        top = last[-1].topk(2)
        ids.append(int(top.indices[0]))
        margins.append(float(top.values[0] - top.values[1]))
    return {"prompt": list(prompt), "logits": rows, "greedy": ids[len(prompt):], "margin": margins, "last_logits": last[-1]}


def good(cases, eos):
    clear = 0.012 * float(cases[0]["logits"].std())
    return all(len(set(c["greedy"])) >= NEW // 2 and min(c["margin"]) > clear and not set(c["greedy"]) & eos for c in cases)


def search(path, variant):
    """The first good seed, with the model it gives and what that computes."""
    text = variant.config.get("text_config", variant.config)
    eos = text.get("eos_token_id", 2)
    eos = set(eos if isinstance(eos, list) else [eos])
    for seed in range(1, SEEDS):
        model = load(path, empty=True)
        fill(model, variant, seed)
        cases = [continue_greedily(model, p) for p in variant.prompts]
        if good(cases, eos):
            return seed, model, cases
    raise SystemExit(f"{variant.name}: no good seed below {SEEDS}")


def change(config, changes):
    """A copy of config with values set by dotted path; variants.REMOVE takes a key out."""
    config = copy.deepcopy(config)
    for path, value in changes.items():
        *way, key = path.split(".")
        at = config
        for k in way:
            at = at[k]
        if value is variants.REMOVE:
            del at[key]
        else:
            at[key] = value
    return config


def write_config(path, config):
    (path / "config.json").write_text(json.dumps(config, indent=1) + "\n")


def try_breaks(path, variant, cases):
    """How far each change of the config moves the logits."""
    moved = {}
    for label, changes in variant.breaks.items():
        with tempfile.TemporaryDirectory() as tmp:
            broken = pathlib.Path(tmp)
            shutil.copy(path / "model.safetensors", broken)
            write_config(broken, change(variant.config, changes))
            model = load(broken)
            moved[label] = max(float((logits(model, c["prompt"]) - c["logits"]).abs().max()) for c in cases)
            ends = [float((logits(model, c["prompt"] + c["greedy"][:-1])[-1] - c["last_logits"]).abs().max()) for c in cases]
            moved[label] = max([moved[label], *ends])
        if moved[label] < BREAK:
            raise SystemExit(f"{variant.name}: {label} moves the logits by {moved[label]:.2g} only")
    return {k: round(v, 2) for k, v in moved.items()}


def generates(model, case):
    """The tokens that generate() gives, which keeps a cache."""
    ids = torch.tensor([case["prompt"]])
    out = model.generate(ids, attention_mask=torch.ones_like(ids), max_new_tokens=NEW, min_new_tokens=NEW, do_sample=False, pad_token_id=0, eos_token_id=None)
    return out[0, len(case["prompt"]):].tolist()


def digits(row):
    return [float(f"{x:.6g}") for x in row.tolist()]


def make(variant, out):
    path = out / variant.name
    shutil.rmtree(path, ignore_errors=True)
    path.mkdir(parents=True)
    write_config(path, variant.config)
    seed, model, cases = search(path, variant)
    cached = [generates(model, c) == c["greedy"] for c in cases]
    with tempfile.TemporaryDirectory() as tmp:  # save_pretrained gives the tensors the names they have on the hub
        model.to(torch.bfloat16).save_pretrained(tmp)
        tensors = load_file(pathlib.Path(tmp, "model.safetensors"))
    save_file(dict(sorted(tensors.items())), path / "model.safetensors", metadata={"format": "pt"})

    again = load(path)
    for c in cases:
        off = float((logits(again, c["prompt"]) - c["logits"]).abs().max())
        if off > 1e-4:
            raise SystemExit(f"{variant.name}: the saved checkpoint gives other logits, by {off:.2g}")
    moved = try_breaks(path, variant, cases)

    config = variant.config
    if variant.rewrite:
        tensors, config = variant.rewrite(tensors, copy.deepcopy(config))
        save_file({k: v.contiguous() for k, v in sorted(tensors.items())}, path / "model.safetensors", metadata={"format": "pt"})
        write_config(path, config)
    (path / "model.safetensors").chmod(0o644)
    for c in cases:
        c.update(logits=[digits(row) for row in c["logits"]], last_logits=digits(c["last_logits"]), margin=[round(m, 5) for m in c["margin"]])
    oracle = {"name": variant.name, "model_class": type(again).__name__, "transformers": transformers.__version__, "torch": torch.__version__.split("+")[0],
              "compute": "float32", "attn": "eager", "seed": seed, "breaks": moved, "cases": cases}
    (path / "oracle.json").write_text(json.dumps(oracle, separators=(",", ":")) + "\n")
    size = sum(f.stat().st_size for f in path.iterdir()) / 1024
    print(f"{variant.name}: {oracle['model_class']}, seed {seed}, {size:.0f} KiB, smallest margin {min(min(c['margin']) for c in cases):.3f}, "
          f"generate() {'agrees' if all(cached) else f'DIFFERS {cached}'}; moved by " + ", ".join(f"{k} {v}" for k, v in moved.items()), flush=True)


def main():
    args = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    args.add_argument("out", type=pathlib.Path)
    args.add_argument("names", nargs="*")
    args = args.parse_args()
    torch.set_num_threads(1)  # sums in one order
    transformers.logging.set_verbosity_error()
    transformers.utils.logging.disable_progress_bar()
    known = {v.name: v for v in variants.VARIANTS}
    if unknown := [n for n in args.names if n not in known]:
        sys.exit(f"no variant {unknown[0]}; there are {' '.join(known)}")
    for name in args.names or known:
        make(known[name], args.out)


if __name__ == "__main__":
    main()
