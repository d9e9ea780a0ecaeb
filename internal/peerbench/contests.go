package main

// bundles are the flags that our bundles are built with.
var bundles = map[string][]string{
	"fast-int8head":  {"--quant", "int4-g64:fast", "--head", "int8-g64", "--slots", "8"},
	"fast-int4head":  {"--quant", "int4-g64:fast", "--head", "int4-g64", "--slots", "8"},
	"exact-int8head": {"--quant", "int4-g64:exact", "--head", "int8-g64"},
	"exact-int4head": {"--quant", "int4-g64:exact", "--head", "int4-g64"},
	"bf16":           {"--quant", "none"},
}

// A workload is what one process does: load, then several times a prompt and
// greedy decoding after it.
type workload struct {
	prompt, generate, concurrency int
}

// A contender is another engine with one model file, in the variants of which the
// fastest counts.
type contender struct {
	name     string
	variants []variant
}

// A variant is a way to run an engine.
type variant struct {
	engine string // llama, openvino or onnxruntime
	model  string // below models of -peers
	option string // flash attention 0 or 1; the form of attention of OpenVINO
}

func llama(name, model string) contender {
	return contender{"llama.cpp " + name, []variant{{"llama", model, "1"}, {"llama", model, "0"}}}
}

func openvino(name, model string) contender {
	return contender{"OpenVINO " + name, []variant{{"openvino", model, "PA"}, {"openvino", model, "SDPA"}}}
}

var (
	llama40q8   = llama("Q4_0, q8_0 head", "q4_0-q8head.gguf")
	llama40     = llama("Q4_0 --pure", "q4_0-pure.gguf")
	llama41q8   = llama("Q4_1, q8_0 head", "q4_1-q8head.gguf")
	llama41     = llama("Q4_1 --pure", "q4_1-pure.gguf")
	openvino8   = openvino("int4 g64, int8 head", "openvino-int4-int8head")
	openvino4   = openvino("int4 g64, int4 head", "openvino-int4")
	onnxruntime = contender{"ONNX Runtime int4 g128", []variant{{"onnxruntime", "onnxruntime-int4", ""}}}
)

// A contest is one workload for a bundle of ours and for others.
type contest struct {
	title   string
	ours    string // of bundles
	work    workload
	peers   []contender
	metrics []metric
	goal    float64 // ratio that we want to reach; 0 is none
}

// A metric is one of the figures that a process reports.
type metric struct {
	name     string
	unit     string
	of       func(figures) float64
	lessWins bool
}

var (
	decode  = metric{"decode", "tokens/s", func(f figures) float64 { return f.Decode }, false}
	prefill = metric{"prefill", "tokens/s", func(f figures) float64 { return f.Prefill }, false}
	load    = metric{"load", "ms", func(f figures) float64 { return f.LoadMS }, true}
	memory  = metric{"peak memory", "MB", func(f figures) float64 { return f.PeakRSS / 1e6 }, true}
)

// Decoding starts after 8 tokens. Heads are compared with heads of as many bits.
var contests = []contest{
	{"decode, int8 head", "fast-int8head", workload{8, 64, 1}, []contender{llama40q8}, []metric{decode}, 1.4},
	{"decode, int4 head", "fast-int4head", workload{8, 64, 1}, []contender{llama40, onnxruntime}, []metric{decode}, 1.2},
	{"decode, exact, int8 head", "exact-int8head", workload{8, 64, 1}, []contender{llama41q8}, []metric{decode}, 1.4},
	{"decode, exact, int4 head", "exact-int4head", workload{8, 64, 1}, []contender{llama41}, []metric{decode}, 1.4},
	{"8 sequences, int8 head", "fast-int8head", workload{8, 64, 8}, []contender{llama40q8, openvino8}, []metric{decode}, 1.2},
	{"8 sequences, int4 head", "fast-int4head", workload{8, 64, 8}, []contender{llama40, openvino4, onnxruntime}, []metric{decode}, 1.2},
	{"prefill of 128", "fast-int8head", workload{128, 1, 1}, []contender{openvino8, llama40q8}, []metric{prefill}, 1.1},
	{"prefill of 512", "fast-int8head", workload{512, 1, 1}, []contender{openvino8, llama40q8}, []metric{prefill}, 1.1},
	{"load, and 64 tokens after 128", "fast-int8head", workload{128, 64, 1},
		[]contender{{"OpenVINO int4 g64, int8 head", openvino8.variants[:1]}, onnxruntime}, []metric{load, memory}, 0},
}
