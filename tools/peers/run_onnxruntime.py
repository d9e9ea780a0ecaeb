"""Speed, load time and memory of ONNX Runtime GenAI: greedy, sequences of a batch in step."""
import json
import time

import onnxruntime_genai

import measure

args = measure.arguments(__doc__)
begin = time.perf_counter()
config = onnxruntime_genai.Config(args.model)
config.overlay(json.dumps({"model": {"decoder": {"session_options": {"intra_op_num_threads": args.threads}}}}))
model = onnxruntime_genai.Model(config)
load = time.perf_counter() - begin


def run(i):
    params = onnxruntime_genai.GeneratorParams(model)
    length = args.prompt_tokens + args.gen_tokens
    params.set_search_options(min_length=length, max_length=length, batch_size=args.concurrency, do_sample=False)
    generator = onnxruntime_genai.Generator(model, params)
    ids = measure.prompts(args, i).astype("int32")
    begin = time.perf_counter()
    generator.append_tokens(ids)
    generator.generate_next_token()
    first = time.perf_counter()
    for _ in range(args.gen_tokens - 1):
        if generator.is_done():
            raise SystemExit("generation ended early")
        generator.generate_next_token()
    return first - begin, time.perf_counter() - first


measure.report(args, load, run)
