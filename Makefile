# `make` alone says what there is. Nothing is written outside this folder and Go's own caches.

SHELL := /bin/sh
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
.NOTPARALLEL:
MAKEFLAGS += --no-print-directory

# Static, and equal bytes from equal sources wherever they lie.
export CGO_ENABLED := 0
GO_BUILD := go build -trimpath -buildvcs=false -ldflags='-s -w -buildid='

# Compiled graphs are kept here, by content: equal graphs are compiled once.
HLOCC_CACHE ?= $(CURDIR)/.cache/hlocc
HLOCC_TEST_CACHE ?= $(HLOCC_CACHE)
export HLOCC_CACHE HLOCC_TEST_CACHE

MODEL  := demo/SmolLM2-135M-Instruct
BUNDLE := demo/smollm2.hlocc
PROMPT ?= The capital of France is
FUZZTIME ?= 1m
export FUZZTIME

.PHONY: help
help: ## this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: FORCE
FORCE:

## -- set up and build

.PHONY: setup
setup: ## the private toolchain in .toolchain: the pinned compiler, and the stock runtime for tests
	@tools/setup.sh compiler runtime

.PHONY: build
build: bin/hlocc ## the static binary bin/hlocc

# Go knows best what changed. Only a changed binary gets a new time, so that what was made with it stays up to date.
bin/hlocc: FORCE
	@mkdir -p bin
	@$(GO_BUILD) -o bin/.hlocc.new ./cmd/hlocc
	@if cmp -s bin/.hlocc.new bin/hlocc; then rm bin/.hlocc.new; echo "bin/hlocc is up to date"; else mv bin/.hlocc.new bin/hlocc; echo "built bin/hlocc"; fi

.PHONY: demo
demo: $(BUNDLE) ## from nothing to generated text: SmolLM2-135M-Instruct (PROMPT="...")
	bin/hlocc run $(BUNDLE) "$(PROMPT)" -n 32 --stats

# The script keeps the checkpoint when nothing changed.
$(MODEL)/model.safetensors: FORCE
	@tools/setup.sh compiler
	@tools/demo-model.sh

$(BUNDLE): bin/hlocc $(MODEL)/model.safetensors
	bin/hlocc build $(MODEL) -o $(BUNDLE) --quant int4-g64:fast

## -- check

.PHONY: test
test: setup lint ## all tests and checks
	go test -timeout 20m ./...
	.toolchain/bin/python3 -B -m unittest discover -b -s tools -p '*_test.py'

.PHONY: test-real
test-real: build $(MODEL)/model.safetensors ## SmolLM2 against the tokens and logits of Hugging Face; every graph of every fixture compiled; 30 GB quantized
	go test -tags real -count=1 -timeout 30m -run TestRealHuge -v ./quantize
	go test -tags real -count=1 -timeout 60m ./lower/kernel
	bin/hlocc validate $(MODEL) --oracle fixtures/smollm2/oracle.json
	HLOCC_REAL_MODEL="$(CURDIR)/$(MODEL)" go test -tags real -count=1 -timeout 30m -run 'TestRealModel|TestQuantized|TestOraclesOn(Runtime|StockRuntime)' -v ./internal/build

# Packages whose results reach the bytes of a bundle, or judge it.
NUMBERS := ./internal/detmath ./internal/floats ./arch ./quantize
.PHONY: test-numbers
test-numbers: ## the same numbers with fused multiply-add (GOAMD64=v3) and on arm64 (needs qemu-aarch64)
	@command -v qemu-aarch64 >/dev/null || { echo "qemu-aarch64 is missing (Debian: apt-get install qemu-user)" >&2; exit 1; }
	GOAMD64=v3 go test $(NUMBERS)
	GOAMD64=v3 go test -run TestSameBitsEverywhere ./lower/interp
	GOARCH=arm64 go test -exec qemu-aarch64 $(NUMBERS)
	GOARCH=arm64 go test -exec qemu-aarch64 -run TestSameBitsEverywhere ./lower/interp

.PHONY: test-xla
test-xla: build ## several families through XLA, a second compiler (XLA="--all" for every fixture)
	@tools/setup.sh xla
	JAX_PLATFORMS=cpu .toolchain-xla/bin/python3 -B tools/xla/witness.py $(XLA)

.PHONY: lint
lint: ## gofmt, vet, staticcheck, errorlint, misspell
	@tools/lint.sh

.PHONY: fmt
fmt: ## format the Go code
	gofmt -w $$(go list -f '{{.Dir}}' ./...)

.PHONY: golden
golden: build ## rewrite the golden files: what operations print as, what every family lowers to
	go test ./lower/stablehlo -update
	go test ./lower/kernel -run TestText -update
	bin/hlocc golden update

.PHONY: fuzz
fuzz: ## every fuzz target in turn, each for FUZZTIME
	@tools/fuzz.sh

.PHONY: bench
bench: setup $(BUNDLE) ## Go benchmarks, the demo's bundle, the stock runtime, other engines
	go test -run '^$$' -bench . ./...
	bin/hlocc bench $(BUNDLE) --threads 1
	bin/hlocc bench $(BUNDLE) --threads 2
	go run ./internal/stockbench -benchmark-module "$$(ls .toolchain/lib/python3*/site-packages/iree/_runtime_libs/iree-benchmark-module)" $(BUNDLE)
	@$(MAKE) bench-peers

.PHONY: bench-peers
bench-peers: build $(MODEL)/model.safetensors ## llama.cpp, OpenVINO and ONNX Runtime in .peers, and ours against them (PEERBENCH="-docs docs")
	@tools/peers/build.sh $(MODEL)
	go run ./internal/peerbench -checkpoint $(MODEL) $(PEERBENCH)
	go run ./internal/peerbench -checkpoint $(MODEL) -text fixtures/text/evaluation.txt $(PEERBENCH)

## -- clean up

.PHONY: clean
clean: ## remove what was built: bin, the demo's bundle, compiled graphs
	rm -rf bin $(BUNDLE) .cache

.PHONY: distclean
distclean: clean ## and what was fetched: the toolchain, other engines, the demo's checkpoint
	rm -rf .toolchain .toolchain-xla .oracles .peers demo
