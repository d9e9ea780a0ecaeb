"""Speed, load time and memory of OpenVINO GenAI: greedy, sequences of a batch at once. Activations in 8 bits by groups of 64, its fastest."""
import time

import openvino
import openvino_genai

import measure

args = measure.arguments(__doc__, attention="PA", group="64")
begin = time.perf_counter()
pipeline = openvino_genai.LLMPipeline(args.model, "CPU", INFERENCE_NUM_THREADS=args.threads, ATTENTION_BACKEND=args.attention,
                                      DYNAMIC_QUANTIZATION_GROUP_SIZE=args.group)
load = time.perf_counter() - begin
config = openvino_genai.GenerationConfig(max_new_tokens=args.gen_tokens, min_new_tokens=args.gen_tokens, ignore_eos=True,
                                         do_sample=False, apply_chat_template=False)


def run(i):
    ids = measure.prompts(args, i)
    inputs = openvino_genai.TokenizedInputs(openvino.Tensor(ids), openvino.Tensor(ids * 0 + 1))
    m = pipeline.generate(inputs, config).perf_metrics
    if m.get_num_generated_tokens() != args.gen_tokens * args.concurrency:
        raise SystemExit(f"{m.get_num_generated_tokens()} tokens were generated")
    first = m.get_ttft().mean / 1e3
    return first, m.get_generate_duration().mean / 1e3 - first


measure.report(args, load, run)
