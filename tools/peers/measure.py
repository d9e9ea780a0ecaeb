"""What the runners of this folder share: options, prompts, and JSON of the same shape as `hlocc bench --json`."""
import argparse
import json
import random
import statistics

import numpy


def arguments(description, **options):
    """Parses the options of every runner, and those given as name=default."""
    p = argparse.ArgumentParser(description=description)
    p.add_argument("model")
    p.add_argument("--threads", type=int, required=True)
    p.add_argument("--prompt-tokens", type=int, default=128)
    p.add_argument("--gen-tokens", type=int, default=64)
    p.add_argument("--concurrency", type=int, default=1)
    p.add_argument("--runs", type=int, default=3)
    for name, default in options.items():
        p.add_argument("--" + name, default=default)
    return p.parse_args()


def prompts(args, run):
    """Token ids [concurrency, prompt_tokens], new for every run: an engine may keep what it has computed for a prompt."""
    r = random.Random(run)
    return numpy.array([[r.randrange(100, 49000) for _ in range(args.prompt_tokens)] for _ in range(args.concurrency)])


def report(args, load_s, run):
    """Calls run(i), which gives seconds to the first token and for the others, once uncounted and then args.runs times; prints medians."""
    run(0)
    times = [run(i) for i in range(1, args.runs + 1)]
    figures = {"threads": args.threads, "load_ms": 1e3 * load_s,
               "prefill_tokens_per_s": statistics.median(args.concurrency * args.prompt_tokens / first for first, _ in times)}
    if args.gen_tokens > 1:
        figures["decode_tokens_per_s"] = statistics.median(args.concurrency * (args.gen_tokens - 1) / rest for _, rest in times)
    with open("/proc/self/status", encoding="ascii") as f:
        figures["peak_rss_bytes"] = next(1024 * int(line.split()[1]) for line in f if line.startswith("VmHWM:"))
    print(json.dumps(figures))
