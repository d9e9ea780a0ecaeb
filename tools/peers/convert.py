"""Converts a checkpoint for OpenVINO GenAI and ONNX Runtime GenAI, with the settings that make them fastest on this model.

    convert.py CHECKPOINT FOLDER

OpenVINO: 4 bits, symmetric, groups of 64 (128 does not divide 576), without data; the head in 8 bits (its default) or in 4.
ONNX Runtime: 4 bits, symmetric, round to nearest, groups of 128 padded (faster than its default, 32), products in 8 bits; logits of
the last token only; one table for embedding and head.
"""
import pathlib
import subprocess
import sys

import openvino
import openvino_tokenizers
import transformers
from optimum.intel import OVModelForCausalLM, OVWeightQuantizationConfig

ONNX_OPTIONS = ["block_size=128", "accuracy_level=4", "algo_config=rtn", "is_symmetric=true", "prune_lm_head=true", "shared_embeddings=true"]


def openvino_model(checkpoint, folder, **settings):
    config = OVWeightQuantizationConfig(bits=4, sym=True, group_size=64, ratio=1.0, **settings)
    OVModelForCausalLM.from_pretrained(checkpoint, export=True, compile=False, quantization_config=config).save_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(checkpoint)
    parts = openvino_tokenizers.convert_tokenizer(tokenizer, with_detokenizer=True)
    for name, part in zip(["openvino_tokenizer", "openvino_detokenizer"], parts):
        openvino.save_model(part, folder / f"{name}.xml")


def main():
    checkpoint, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    openvino_model(checkpoint, folder / "openvino-int4-int8head")
    openvino_model(checkpoint, folder / "openvino-int4", all_layers=True)
    subprocess.run([sys.executable, "-m", "onnxruntime_genai.models.builder", "-i", checkpoint, "-o", str(folder / "onnxruntime-int4"),
                    "-p", "int4", "-e", "cpu", "--extra_options", *ONNX_OPTIONS], check=True)


if __name__ == "__main__":
    main()
