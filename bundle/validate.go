package bundle

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
)

// knownFeatures are the names that Manifest.Requires may hold. Schema 1.0 itself
// needs none.
var knownFeatures = []string{}

// parseSchema splits "1.0"; only what strconv would print back is accepted.
func parseSchema(s string) (major, minor int, ok bool) {
	a, b, found := strings.Cut(s, ".")
	major, err1 := strconv.Atoi(a)
	minor, err2 := strconv.Atoi(b)
	ok = found && err1 == nil && err2 == nil && major >= 0 && minor >= 0 && fmt.Sprintf("%d.%d", major, minor) == s
	return major, minor, ok
}

var ourMajor, ourMinor, _ = parseSchema(Schema)

// newer says that the manifest is of a later minor version than this package,
// and so may contain things that it does not know.
func (m *Manifest) newer() bool {
	_, minor, _ := parseSchema(m.Schema)
	return minor > ourMinor
}

// ParseManifest decodes and validates the JSON form of a manifest.
func ParseManifest(b []byte) (*Manifest, error) {
	if len(b) > maxManifestSize {
		return nil, errManifest("size", "%d bytes, at most %d are allowed", len(b), maxManifestSize)
	}
	// The schema decides what the other keys may be, so it is read first.
	var head struct {
		Schema   string   `json:"schema"`
		Requires []string `json:"requires"`
	}
	if err := strictJSON(b, &head, true); err != nil {
		return nil, errManifest("JSON", "%v", err)
	}
	major, minor, ok := parseSchema(head.Schema)
	if !ok || major != ourMajor {
		return nil, errSchema(strconv.Quote(head.Schema))
	}
	for _, f := range head.Requires {
		if !slices.Contains(knownFeatures, f) {
			return nil, errRequires(f)
		}
	}
	m := &Manifest{}
	if err := strictJSON(b, m, minor > ourMinor); err != nil {
		return nil, errManifest("JSON", "%v", err)
	}
	if err := m.Validate(); err != nil {
		return nil, err
	}
	return m, nil
}

// Validate checks every number and name, and that what is referred to exists.
// It does not look at a file.
func (m *Manifest) Validate() error {
	if major, _, ok := parseSchema(m.Schema); !ok || major != ourMajor {
		return errSchema(strconv.Quote(m.Schema))
	}
	for _, f := range m.Requires {
		if !slices.Contains(knownFeatures, f) {
			return errRequires(f)
		}
	}
	for _, check := range []func() error{m.validateModel, m.validateGraphs, m.validateMembers, m.validateTargets, m.validateWeights} {
		if err := check(); err != nil {
			return err
		}
	}
	return nil
}

func (m *Manifest) validateModel() error {
	md := &m.Model
	for _, s := range []struct{ key, value string }{{"name", md.Name}, {"family", md.Family}} {
		if err := checkText(s.value, maxName); err != nil {
			return errManifest("model."+s.key, "%v", err)
		}
	}
	if md.VocabSize < 1 || md.VocabSize > math.MaxInt32 {
		return errManifest("model.vocab_size", "is %d", md.VocabSize)
	}
	if md.Context < 1 || md.Context >= math.MaxInt32 {
		return errManifest("model.context", "is %d", md.Context)
	}
	if md.RecomputePast < 0 || md.RecomputePast >= md.Context {
		return errManifest("model.recompute_past", "is %d, with a context of %d", md.RecomputePast, md.Context)
	}
	for _, l := range []struct {
		key string
		ids []int32
	}{{"bos", md.BOS}, {"eos", md.EOS}} {
		for _, id := range l.ids {
			if id < 0 || int(id) >= md.VocabSize {
				return errManifest("model."+l.key, "token id %d is outside the vocabulary of %d", id, md.VocabSize)
			}
		}
	}
	seen := map[string]bool{}
	total := int64(0)
	for _, kv := range md.KV {
		where := fmt.Sprintf("model.kv %q", kv.Role)
		if err := checkName(kv.Role); err != nil {
			return errManifest(where, "role %v", err)
		}
		if seen[kv.Role] || isPlainRole(kv.Role) {
			return errManifest(where, "role is taken")
		}
		seen[kv.Role] = true
		if err := checkShape(kv.DType, kv.Shape); err != nil {
			return errManifest(where, "%v", err)
		}
		if len(kv.Shape) == 0 || kv.Shape[0] < md.Context {
			return errManifest(where, "shape %v has fewer rows than the context of %d", kv.Shape, md.Context)
		}
		if kv.Shape[0] > math.MaxInt32 {
			return errManifest(where, "%d rows, positions are i32", kv.Shape[0])
		}
		if total += kv.Bytes(); total > maxFileSize {
			return errManifest(where, "the cache is larger than any memory")
		}
	}
	if s := md.Sampling; s != nil {
		for _, v := range []float64{s.Temperature, s.TopP, s.MinP, s.RepetitionPenalty} {
			if v < 0 || math.IsNaN(v) || math.IsInf(v, 0) {
				return errManifest("model.sampling", "%v is not a sampling parameter", v)
			}
		}
		if s.TopK < 0 {
			return errManifest("model.sampling", "top_k is %d", s.TopK)
		}
	}
	return nil
}

func isPlainRole(s string) bool {
	switch s {
	case RoleTokens, RoleStart, RoleLength, RoleToken, RolePosition, RoleExtent, RoleNextID, RoleLogits:
		return true
	}
	return false
}

// checkShape accepts a dense tensor with at least one element in every dimension.
func checkShape(d DType, shape []int) error {
	if d.Size() == 0 {
		return fmt.Errorf("unknown dtype %q", d)
	}
	if len(shape) > maxRank {
		return fmt.Errorf("rank %d, at most %d is allowed", len(shape), maxRank)
	}
	for _, n := range shape {
		if n < 1 {
			return fmt.Errorf("shape %v has a dimension below 1", shape)
		}
	}
	if _, ok := byteSize(d, shape); !ok {
		return fmt.Errorf("shape %v is too large", shape)
	}
	return nil
}

func (m *Manifest) validateMembers() error {
	for i, mem := range m.Members {
		where := fmt.Sprintf("members %q", mem.Path)
		switch err := checkPath(mem.Path); {
		case err != nil:
			return errManifest(where, "path: %v", err)
		case i > 0 && mem.Path <= m.Members[i-1].Path:
			return errManifest(where, "not in order")
		case mem.Size < 0 || mem.Size > maxFileSize:
			return errManifest(where, "size %d", mem.Size)
		case !isHexSHA256(mem.SHA256):
			return errManifest(where, "no valid sha256")
		}
	}
	return nil
}

func (m *Manifest) validateTargets() error {
	known := make(map[string]bool, len(m.Graphs))
	for i := range m.Graphs {
		known[m.Graphs[i].ID] = true
	}
	names := map[string]bool{}
	for i := range m.Targets {
		t := &m.Targets[i]
		where := fmt.Sprintf("targets %q", t.Name)
		if err := checkElement(t.Name); err != nil {
			return errManifest(where, "name: %v", err)
		}
		for _, s := range []string{t.OS, t.Arch} {
			if err := checkName(s); err != nil {
				return errManifest(where, "os or arch %v", err)
			}
		}
		if names[t.Name] {
			return errManifest(where, "listed twice")
		}
		names[t.Name] = true
		for _, f := range t.CPUFeatures {
			if err := checkName(f); err != nil {
				return errManifest(where, "CPU feature %v", err)
			}
		}
		for _, s := range append([]string{t.Compiler.Version}, t.Compiler.Flags...) {
			if err := checkText(s, 16*maxName); err != nil {
				return errManifest(where, "compiler: %v", err)
			}
		}
		if t.Compiler.SHA256 != "" && !isHexSHA256(t.Compiler.SHA256) {
			return errManifest(where, "compiler: no valid sha256")
		}
		for _, v := range []int{t.ABI.Bytecode, t.ABI.HAL, t.ABI.ExecutableLibrary} {
			if v < 0 || v > math.MaxInt32 {
				return errManifest(where, "ABI version %d", v)
			}
		}
		graphs := map[string]bool{}
		for _, mod := range t.Modules {
			if !known[mod.Graph] {
				return errManifest(where, "module for graph %q, which does not exist", mod.Graph)
			}
			if graphs[mod.Graph] {
				return errManifest(where, "two modules for graph %q", mod.Graph)
			}
			graphs[mod.Graph] = true
			if m.member(mod.Member) == nil {
				return errManifest(where, "module of graph %q is member %q, which does not exist", mod.Graph, mod.Member)
			}
		}
	}
	return nil
}

// member finds a member by path in the sorted list.
func (m *Manifest) member(path string) *Member {
	i, ok := slices.BinarySearchFunc(m.Members, path, func(e Member, p string) int { return strings.Compare(e.Path, p) })
	if !ok {
		return nil
	}
	return &m.Members[i]
}

func (m *Manifest) validateWeights() error {
	names := make(map[string]bool, len(m.Weights))
	pos := int64(0)
	for _, t := range m.Weights {
		where := fmt.Sprintf("weights %q", t.Name)
		if err := checkName(t.Name); err != nil {
			return errManifest(where, "name %v", err)
		}
		if names[t.Name] {
			return errManifest(where, "listed twice")
		}
		names[t.Name] = true
		if err := checkShape(t.DType, t.Shape); err != nil {
			return errManifest(where, "%v", err)
		}
		want, _ := byteSize(t.DType, t.Shape)
		if t.Length != want {
			return errManifest(where, "length %d, %s%v has %d bytes", t.Length, t.DType, t.Shape, want)
		}
		if at := alignUp(pos, tensorAlign); t.Offset != at {
			return errManifest(where, "offset %d, want %d", t.Offset, at)
		}
		if pos = t.Offset + t.Length; pos > maxFileSize {
			return errManifest(where, "ends beyond what a file can hold")
		}
		if !isHexSHA256(t.SHA256) {
			return errManifest(where, "no valid sha256")
		}
	}
	return nil
}

// archiveSize is the length of the weight archive of validated tensors.
func archiveSize(ts []Tensor) int64 {
	if len(ts) == 0 {
		return 0
	}
	last := ts[len(ts)-1]
	return last.Offset + last.Length
}
