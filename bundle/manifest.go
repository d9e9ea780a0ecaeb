package bundle

import "encoding/json"

// Schema is the version of the manifest that this package writes,
// "major.minor". A reader refuses another major. It refuses unknown keys in a
// manifest of its own or an older minor, where there can be none; in a newer
// minor it ignores them, unless Requires names a feature that it does not know.
const Schema = "1.0"

// Manifest describes a bundle. Everything but the last four fields is typed and
// is all that the runtime reads; those four are opaque to it.
type Manifest struct {
	Schema string `json:"schema"`
	// Requires lists the features beyond schema 1.0 that a reader must know to
	// use the bundle rightly.
	Requires []string `json:"requires,omitempty"`

	Model   Model    `json:"model"`
	Graphs  []Graph  `json:"graphs"`
	Targets []Target `json:"targets"`

	// Weights and Members are filled in by Writer.Finish.
	Weights []Tensor `json:"weights"`
	Members []Member `json:"members"` // ascending by path

	Spec       json.RawMessage `json:"spec,omitempty"`       // the architecture, for people and tools
	Plan       json.RawMessage `json:"plan,omitempty"`       // the decisions of the build
	Report     json.RawMessage `json:"report,omitempty"`     // e.g. quantization errors
	Provenance json.RawMessage `json:"provenance,omitempty"` // where the inputs came from
}

// Model is what the runtime must know of the model.
type Model struct {
	Name   string `json:"name,omitempty"`   // informational
	Family string `json:"family,omitempty"` // informational

	VocabSize int     `json:"vocab_size"` // token ids are 0 <= id < VocabSize
	BOS       []int32 `json:"bos"`        // beginning-of-sequence ids, may be empty
	EOS       []int32 `json:"eos"`        // any of these ends a generation, may be empty

	// Context is the number of tokens that one sequence can hold.
	Context int `json:"context"`
	// RecomputePast, if not 0, is a length at which the model changes: what is
	// computed for a sequence of more tokens is of no use to one of at most so many,
	// and the other way round. Graphs then have the input RoleExtent.
	RecomputePast int `json:"recompute_past,omitempty"`
	// KV lists the state of one sequence: buffers that start as zeros, and that
	// every graph takes and updates in place.
	KV []KV `json:"kv"`
	// Sampling is the checkpoint's recommendation, nil if it gives none.
	Sampling *Sampling `json:"sampling,omitempty"`
}

// KV is one cache buffer of a sequence. Role is for example "kv.3.k"; Shape is
// [rows, heads, head dimension] with rows >= Model.Context: what a prefill pads
// may be written to rows from Context on, which nobody reads.
type KV struct {
	Role  string `json:"role"`
	DType DType  `json:"dtype"`
	Shape []int  `json:"shape"`
}

// Bytes is the size of the buffer.
func (k KV) Bytes() int64 {
	n, _ := byteSize(k.DType, k.Shape)
	return n
}

// Sampling is a set of sampling parameters; 0 means not given.
type Sampling struct {
	DoSample          bool    `json:"do_sample,omitempty"`
	Temperature       float64 `json:"temperature,omitempty"`
	TopK              int     `json:"top_k,omitempty"`
	TopP              float64 `json:"top_p,omitempty"`
	MinP              float64 `json:"min_p,omitempty"`
	RepetitionPenalty float64 `json:"repetition_penalty,omitempty"`
}

// GraphKind says what a graph computes.
type GraphKind string

// The kinds of schema 1.0, with their roles; P is the bucket, B the batch.
const (
	// Prefill appends up to P tokens to one sequence. Inputs tokens i32[P], start
	// i32[1] (the sequence's length before), length i32[1] (how many of the P
	// tokens are real, at least 1), and the kv roles. Results next_id i32[1] and
	// logits f32[vocab] after the last real token, and the kv roles.
	Prefill GraphKind = "prefill"
	// Decode appends one token to each of B sequences. Inputs token i32[B],
	// position i32[B] (the length of each before), and the kv roles, shaped
	// [B, ...] when B > 1. Results next_id i32[B], logits f32[vocab] or
	// f32[B, vocab], and the kv roles. With B > 1 a sequence without a token to
	// append is given any token at position Context.
	Decode GraphKind = "decode"
)

// Roles of graph inputs and results other than those of Model.KV. RoleExtent is an
// input of both kinds, i32[B], if Model.RecomputePast is not 0: the length of each
// sequence after the call or, for a chunk of a longer prefill, after the last chunk.
const (
	RoleTokens   = "tokens"
	RoleStart    = "start"
	RoleLength   = "length"
	RoleToken    = "token"
	RolePosition = "position"
	RoleExtent   = "extent"
	RoleNextID   = "next_id"
	RoleLogits   = "logits"
)

// Graph is one compiled entry point, the same for every target.
type Graph struct {
	ID       string    `json:"id"`       // "decode", "prefill_32"
	Kind     GraphKind `json:"kind"`     //
	Function string    `json:"function"` // name of the function that the module exports
	Bucket   int       `json:"bucket,omitempty"`
	Batch    int       `json:"batch"`
	// Inputs and Results are in the order of the compiled function; callers
	// find them by role.
	Inputs  []Port `json:"inputs"`
	Results []Port `json:"results"`
}

// Port is one input or result of a graph.
type Port struct {
	Role  string `json:"role"`
	DType DType  `json:"dtype"`
	Shape []int  `json:"shape"`
}

// Target is one kind of machine that the bundle has modules for.
type Target struct {
	Name string `json:"name"` // "x86-64-v4"
	OS   string `json:"os"`   // as GOOS, "linux"
	Arch string `json:"arch"` // as GOARCH, "amd64"
	// CPUFeatures are the features that the modules use, by the names of
	// /proc/cpuinfo-like flags that hlocc doctor prints.
	CPUFeatures []string `json:"cpu_features"`
	Compiler    Compiler `json:"compiler"`
	ABI         ABI      `json:"abi"`
	Modules     []Module `json:"modules"`
}

// Compiler identifies the compiler that made the modules.
type Compiler struct {
	Version string   `json:"version"` // its version line
	SHA256  string   `json:"sha256"`  // of its library, hex
	Flags   []string `json:"flags,omitempty"`
}

// ABI holds the version numbers that a runtime must speak to run the modules.
type ABI struct {
	Bytecode          int `json:"bytecode"`           // VM bytecode, major
	HAL               int `json:"hal"`                // hal module, minimum
	ExecutableLibrary int `json:"executable_library"` // ELF executables
}

// Module says which member holds a graph's compiled form.
type Module struct {
	Graph  string `json:"graph"`  // Graph.ID
	Member string `json:"member"` // Member.Path
}

// Tensor is one tensor of the weight archive. Offset counts from the start of
// the archive and is a multiple of 64.
type Tensor struct {
	Name   string `json:"name"`
	DType  DType  `json:"dtype"`
	Shape  []int  `json:"shape"`
	Offset int64  `json:"offset"`
	Length int64  `json:"length"`
	SHA256 string `json:"sha256"` // hex
}

// Member is a file inside the bundle. Size and SHA256 are those of the
// uncompressed content.
type Member struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"` // hex
}

// Paths of well-known members.
const (
	PathTokenizer        = "text/tokenizer.json"
	PathTokenizerConfig  = "text/tokenizer_config.json"
	PathGenerationConfig = "text/generation_config.json"
	PathConfig           = "text/config.json"
	PathChatTemplate     = "text/chat_template.jinja"
)

// ModulePath is the conventional path of a target's module for a graph.
func ModulePath(target, graph string) string { return "targets/" + target + "/" + graph + ".vmfb" }

// GraphTextPath is the conventional path of a graph's portable text.
func GraphTextPath(graph string) string { return "graphs/" + graph + ".mlir" }

// Graph returns the graph with the given id, nil if there is none.
func (m *Manifest) Graph(id string) *Graph {
	for i := range m.Graphs {
		if m.Graphs[i].ID == id {
			return &m.Graphs[i]
		}
	}
	return nil
}

// Target returns the target with the given name, nil if there is none.
func (m *Manifest) Target(name string) *Target {
	for i := range m.Targets {
		if m.Targets[i].Name == name {
			return &m.Targets[i]
		}
	}
	return nil
}

// Module returns the path of the graph's module, "" if the target has none.
func (t *Target) Module(graph string) string {
	for _, m := range t.Modules {
		if m.Graph == graph {
			return m.Member
		}
	}
	return ""
}
