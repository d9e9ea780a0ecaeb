package bundle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// testManifest is a small but complete manifest: two layers, two graphs, two targets.
func testManifest() *Manifest {
	kv := []KV{{"kv.0.k", F32, []int{19, 2, 4}}, {"kv.0.v", F32, []int{19, 2, 4}}}
	m := &Manifest{
		Model: Model{Name: "tiny", Family: "llama", VocabSize: 32, BOS: []int32{1}, EOS: []int32{2, 3}, Context: 16, KV: kv,
			Sampling: &Sampling{DoSample: true, Temperature: 0.6, TopK: 20, TopP: 0.95}},
		Spec: json.RawMessage(`{"vocab": 32, "layers": [{"window": null}]}`),
		Plan: json.RawMessage(`{"buckets":[4]}`),
	}
	ports := func(first ...Port) []Port {
		for _, k := range kv {
			first = append(first, Port(k))
		}
		return first
	}
	results := ports(Port{RoleNextID, I32, []int{1}}, Port{RoleLogits, F32, []int{32}})
	m.Graphs = []Graph{
		{ID: "prefill_4", Kind: Prefill, Function: "prefill_4", Bucket: 4, Batch: 1, Results: results,
			Inputs: ports(Port{RoleTokens, I32, []int{4}}, Port{RoleStart, I32, []int{1}}, Port{RoleLength, I32, []int{1}})},
		{ID: "decode", Kind: Decode, Function: "decode", Batch: 1, Results: results,
			Inputs: ports(Port{RoleToken, I32, []int{1}}, Port{RolePosition, I32, []int{1}})},
	}
	for _, name := range []string{"x86-64-v3", "x86-64-v4"} {
		t := Target{Name: name, OS: "linux", Arch: "amd64", CPUFeatures: []string{"avx2", "fma"},
			Compiler: Compiler{Version: "IREE 3.13.0", SHA256: hexSum([]byte("compiler"))}, ABI: ABI{17, 7, 6}}
		for _, g := range m.Graphs {
			t.Modules = append(t.Modules, Module{g.ID, ModulePath(name, g.ID)})
		}
		m.Targets = append(m.Targets, t)
	}
	return m
}

var testTensors = []TensorSpec{
	{"embed.weight", BF16, []int{32, 5}},
	{"norm.weight", F32, []int{5}},
	{"scale", F32, nil},
	{"packed", U8, []int{7, 3}},
}

// tensorBytes is the content of a test tensor.
func tensorBytes(s TensorSpec) []byte {
	n, _ := byteSize(s.DType, s.Shape)
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(i*7 + len(s.Name) + 1)
	}
	return b
}

type testMember struct {
	path string
	data []byte
	c    Compression
}

var testMembers = []testMember{
	{ModulePath("x86-64-v3", "decode"), []byte("module 3 decode"), None},
	{ModulePath("x86-64-v3", "prefill_4"), bytes.Repeat([]byte("p3"), 40), None},
	{ModulePath("x86-64-v4", "decode"), []byte("module 4 decode"), None},
	{ModulePath("x86-64-v4", "prefill_4"), nil, None},
	{PathTokenizer, bytes.Repeat([]byte(`{"model":"BPE"}`), 9), Zstd},
	{GraphTextPath("decode"), []byte("module @decode {}\n"), Zstd},
}

// writeTest writes the usual test bundle and returns its path.
func writeTest(t testing.TB) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tiny.hlocc")
	writeBundle(t, path, testManifest(), testMembers, nil)
	return path
}

// writeBundle writes a bundle of the given members and of those of testTensors
// whose places are listed (nil: all), and returns its digest.
func writeBundle(t testing.TB, path string, m *Manifest, members []testMember, tensors []int) string {
	t.Helper()
	specs := testTensors
	if tensors != nil {
		specs = nil
		for _, i := range tensors {
			specs = append(specs, testTensors[i])
		}
	}
	w, err := Create(path, specs, WriterOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	for _, s := range specs {
		if err := put(w, s); err != nil {
			t.Fatal(err)
		}
	}
	for _, m := range members {
		if err := w.AddMember(m.path, m.data, m.c); err != nil {
			t.Fatal(err)
		}
	}
	digest, err := w.Finish(m)
	if err != nil {
		t.Fatal(err)
	}
	return digest
}

func TestRoundTrip(t *testing.T) {
	path := writeTest(t)
	for _, load := range []bool{false, true} {
		r, err := Open(path)
		if err != nil {
			t.Fatal(err)
		}
		if load {
			if err := r.Load(); err != nil {
				t.Fatal(err)
			}
		}
		for _, s := range testTensors {
			got, err := r.Tensor(s.Name)
			if err != nil || !bytes.Equal(got, tensorBytes(s)) {
				t.Errorf("tensor %s: %v, %v", s.Name, got, err)
			}
		}
		for _, m := range testMembers {
			got, err := r.Member(m.path)
			if err != nil || !bytes.Equal(got, m.data) {
				t.Errorf("member %s: %q, %v", m.path, got, err)
			}
		}
		if err := r.Load(); err == nil {
			t.Error("loaded under slices that are in use")
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		if err := r.Load(); !errors.Is(err, os.ErrClosed) {
			t.Errorf("Load after Close: %v", err)
		}
	}
	v, err := Verify(context.Background(), path, nil)
	if err != nil || v.Err() != nil {
		t.Errorf("Verify: %v %v", err, v)
	}
}
