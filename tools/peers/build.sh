#!/bin/sh
# Builds the engines that `make bench-peers` compares with, and their model files, into .peers. What is there is kept.
#
#     tools/peers/build.sh CHECKPOINT
#
# llama.cpp is compiled from the source package of llama-cpp-python, for this very machine; OpenVINO GenAI and ONNX Runtime GenAI
# are installed from wheels (tools/requirements/peers.txt). Needs a C++ compiler, 9 GB of disk, Linux on x86-64.
set -eu
checkpoint=$1
cd "$(dirname "$0")/../.."

say() { printf 'peers: %s\n' "$*" >&2; }

command -v c++ >/dev/null || {
    say "no C++ compiler found, which llama.cpp needs (Debian: apt-get install g++)"
    exit 1
}
tools/setup.sh peers
export PATH="$PWD/.peers/venv/bin:$PATH"

source=.peers/llama.cpp
want=$(cksum <tools/requirements/peers-source.txt)
if [ "$(cat .peers/.source 2>/dev/null)" != "$want" ]; then
    say "fetching llama.cpp (77 MB)"
    rm -rf .peers/download "$source" .peers/llama-build
    python3 -m pip download --quiet --disable-pip-version-check --no-deps --require-hashes --no-binary=:all: --no-build-isolation \
        -d .peers/download -r tools/requirements/peers-source.txt
    mkdir -p "$source"
    tar -xzf .peers/download/llama_cpp_python-*.tar.gz -C "$source" --strip-components=3 --wildcards '*/vendor/llama.cpp'
    rm -r .peers/download
    echo "$want" >.peers/.source
fi

say "building llama.cpp"
cmake -G Ninja -S tools/peers -B .peers/llama-build -DLLAMA_SOURCE="$PWD/$source" >.peers/cmake.log 2>&1 || {
    tail -n 20 .peers/cmake.log >&2
    exit 1
}
cmake --build .peers/llama-build --target llama-bench llama-batched-bench llama-quantize score-tokens >.peers/build.log 2>&1 || {
    tail -n 40 .peers/build.log >&2
    exit 1
}

models=.peers/models
want=$(cat tools/peers/convert.py tools/peers/build.sh tools/requirements/peers.txt "$checkpoint/config.json" "$checkpoint/model.safetensors" | cksum)
if [ "$(cat "$models/.done" 2>/dev/null)" != "$want" ]; then
    rm -rf "$models"
    mkdir -p "$models"
    say "converting the checkpoint for llama.cpp"
    python3 "$source/convert_hf_to_gguf.py" "$checkpoint" --outtype bf16 --outfile "$models/bf16.gguf" >.peers/convert.log 2>&1 || {
        tail -n 20 .peers/convert.log >&2
        exit 1
    }
    quantize() {
        .peers/llama-build/bin/llama-quantize "$@" >>.peers/convert.log 2>&1 || {
            tail -n 20 .peers/convert.log >&2
            exit 1
        }
    }
    for type in q4_0 q4_1; do
        quantize --pure "$models/bf16.gguf" "$models/$type-pure.gguf" "$type"
        quantize --output-tensor-type q8_0 --token-embedding-type q8_0 "$models/bf16.gguf" "$models/$type-q8head.gguf" "$type"
    done
    say "converting the checkpoint for OpenVINO and ONNX Runtime"
    python3 tools/peers/convert.py "$checkpoint" "$models" >>.peers/convert.log 2>&1 || {
        tail -n 20 .peers/convert.log >&2
        exit 1
    }
    echo "$want" >"$models/.done"
fi
