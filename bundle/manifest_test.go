package bundle

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// manifestCases change one thing in the small manifest; want is part of the
// error, "" if the change is harmless.
var manifestCases = []struct{ name, old, new, want string }{
	{"unchanged", ``, ``, ``},
	{"newer minor", `"schema":"1.0"`, `"schema":"1.7"`, ``},
	{"other major", `"schema":"1.0"`, `"schema":"2.0"`, `schema`},
	{"major zero", `"schema":"1.0"`, `"schema":"0.9"`, `schema`},
	{"schema form", `"schema":"1.0"`, `"schema":"01.0"`, `schema`},
	{"schema plus", `"schema":"1.0"`, `"schema":"1.+0"`, `schema`},
	{"schema number", `"schema":"1.0"`, `"schema":1`, `manifest: JSON`},
	{"no schema", `"schema":"1.0",`, ``, `schema`},
	{"requires nothing", `"schema":"1.0"`, `"schema":"1.0","requires":[]`, ``},
	{"requires", `"schema":"1.0"`, `"schema":"1.3","requires":["ring-kv"]`, `"ring-kv"`},
	{"unknown key", `"vocab_size":32`, `"vocab_size":32,"colour":1`, `unknown key "colour"`},
	{"unknown key in newer", `"schema":"1.0"`, `"schema":"1.1","colour":{"a":[null]}`, ``},
	{"unknown key in opaque", `"buckets":[4]`, `"buckets":[4],"colour":null`, ``},
	{"duplicate key", `"vocab_size":32`, `"vocab_size":32,"vocab_size":32`, `duplicate`},
	{"duplicate key in opaque", `"buckets":[4]`, `"buckets":[4],"buckets":[5]`, `duplicate`},
	{"case", `"vocab_size":32`, `"vocab_Size":32`, `unknown key "vocab_Size"`},
	{"case in newer", `"schema":"1.0"`, `"schema":"1.1","Requires":["x"]`, `unknown key "Requires"`},
	{"null", `"vocab_size":32`, `"vocab_size":null`, `null`},
	{"null list", `"eos":[2,3]`, `"eos":null`, `want an array`},
	{"float", `"vocab_size":32`, `"vocab_size":32.5`, `manifest: JSON`},
	{"overflow", `"vocab_size":32`, `"vocab_size":99999999999999999999`, `manifest: JSON`},
	{"vocab", `"vocab_size":32`, `"vocab_size":0`, `model.vocab_size`},
	{"big vocab", `"vocab_size":32`, `"vocab_size":4294967296`, `model.vocab_size`},
	{"negative context", `"context":16`, `"context":-1`, `model.context`},
	{"recompute at the end", `"context":16`, `"context":16,"recompute_past":16`, `model.recompute_past`},
	{"recompute before the start", `"context":16`, `"context":16,"recompute_past":-1`, `model.recompute_past`},
	{"recompute without extent", `"context":16`, `"context":16,"recompute_past":8`, `no "extent"`},
	{"extent without recompute", `{"role":"start",`, `{"role":"extent","dtype":"i32","shape":[1]},{"role":"start",`, `6 of them`},
	{"eos", `"eos":[2,3]`, `"eos":[2,32]`, `token id 32`},
	{"negative bos", `"bos":[1]`, `"bos":[-1]`, `token id -1`},
	{"control character", `"name":"tiny"`, `"name":"\u001b[2J"`, `model.name`},
	{"kv rows", `"context":16`, `"context":20`, `fewer rows`},
	{"kv rows of a prefill", `"context":16`, `"context":17`, `graphs "prefill_4": writes 20 rows of "kv.0.k", which has 19`},
	{"kv rows beyond i32", `"shape":[19,2,4]`, `"shape":[2147483648,2,4]`, `positions are i32`},
	{"kv twice", `"role":"kv.0.v"`, `"role":"kv.0.k"`, `taken`},
	{"kv plain role", `"role":"kv.0.k"`, `"role":"logits"`, `taken`},
	{"kv dtype", `"dtype":"f32"`, `"dtype":"f31"`, `unknown dtype`},
	{"kv shape", `"shape":[19,2,4]`, `"shape":[19,0,4]`, `below 1`},
	{"kv huge", `"shape":[19,2,4]`, `"shape":[4611686018427387904,4611686018427387904]`, `too large`},
	{"kv rank", `"shape":[19,2,4]`, `"shape":[19,1,1,1,1,1,1,1,8]`, `rank`},
	{"kv unlike the graphs", `"shape":[19,2,4]`, `"shape":[19,2,8]`, `"kv.0.k" is`},
	{"sampling", `"temperature":0.6`, `"temperature":-0.6`, `sampling`},
	{"top k", `"top_k":20`, `"top_k":-2`, `top_k`},
	{"graph twice", `"id":"decode"`, `"id":"prefill_4"`, `twice`},
	{"graph id with slash", `"id":"decode"`, `"id":"a/decode"`, `'/'`},
	{"graph id above", `"id":"decode"`, `"id":".."`, `".."`},
	{"graph id with backslash", `"id":"decode"`, `"id":"a\\b"`, `contains '\\'`},
	{"target with slash", `"name":"x86-64-v3"`, `"name":"../x86-64-v3"`, `'/'`},
	{"target above", `"name":"x86-64-v3"`, `"name":".."`, `".."`},
	{"target empty", `"name":"x86-64-v3"`, `"name":""`, `1 to`},
	{"graph id", `"id":"decode"`, `"id":""`, `id: a path has 1 to`},
	{"kind", `"kind":"decode"`, `"kind":"dream"`, `unknown kind`},
	{"bucket", `"bucket":4`, `"bucket":17`, `bucket 17`},
	{"no bucket", `"bucket":4,`, ``, `bucket 0`},
	{"other bucket", `"bucket":4`, `"bucket":8`, `"tokens" is i32[4], want i32[8]`},
	{"batch", `"batch":1`, `"batch":0`, `batch 0`},
	{"batch shapes", `"function":"decode","batch":1`, `"function":"decode","batch":2`, `"token" is i32[1], want i32[2]`},
	{"role", `"role":"tokens"`, `"role":"words"`, `no "tokens"`},
	{"role twice", `"role":"start"`, `"role":"tokens"`, `twice`},
	{"more inputs", `{"role":"start",`, `{"role":"extra","dtype":"i32","shape":[1]},{"role":"start",`, `6 of them`},
	{"module graph", `{"graph":"prefill_4"`, `{"graph":"prefill_5"`, `does not exist`},
	{"module member", `"member":"targets/x86-64-v3/prefill_4.vmfb"`, `"member":"targets/x86-64-v9/prefill_4.vmfb"`, `does not exist`},
	{"compiler", `"sha256":"`, `"sha256":"g`, `no valid sha256`},
	{"ABI", `"bytecode":17`, `"bytecode":-17`, `ABI`},
	{"tensor offset", `"offset":320`, `"offset":384`, `want 320`},
	{"tensor length", `"length":20`, `"length":24`, `has 20 bytes`},
	{"tensor shape", `"shape":[32,5]`, `"shape":[32,6]`, `has 384 bytes`},
	{"tensor twice", `"name":"norm.weight"`, `"name":"embed.weight"`, `listed twice`},
	{"tensor name", `"name":"norm.weight"`, `"name":"norm weight"`, `space`},
	{"member order", `"path":"text/tokenizer.json"`, `"path":"a"`, `not in order`},
	{"member path", `"path":"text/tokenizer.json"`, `"path":"../tokenizer.json"`, `".."`},
	{"member size", `"path":"text/tokenizer.json","size":135`, `"path":"text/tokenizer.json","size":-1`, `size -1`},
	{"trailing", `"plan":{"buckets":[4]}}`, `"plan":{"buckets":[4]}}{}`, `end of the text`},
	{"deep", `"buckets":[4]`, `"buckets":` + strings.Repeat("[", 100) + strings.Repeat("]", 100), `nested`},
	{"invalid UTF-8", `"family":"llama"`, "\"family\":\"\xff\"", `manifest: JSON`},
}

func TestManifestChecks(t *testing.T) {
	b := small(t)
	h, err := decodeHeader(b[:headerSize])
	if err != nil {
		t.Fatal(err)
	}
	m := b[h.manifest.offset:h.manifest.end()]
	for _, c := range manifestCases {
		t.Run(c.name, func(t *testing.T) {
			if !bytes.Contains(m, []byte(c.old)) {
				t.Fatalf("the manifest has no %s:\n%s", c.old, m)
			}
			_, err := ParseManifest(bytes.Replace(m, []byte(c.old), []byte(c.new), 1))
			if c.want == "" {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var e *diag.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) || e.Fix == "" {
				t.Errorf("got %v, want something with %q", err, c.want)
			}
		})
	}
}

func TestGraphOfNewerKindIsKept(t *testing.T) {
	m := testManifest()
	m.Schema = "1.1"
	m.Graphs = append(m.Graphs, Graph{ID: "embed", Kind: "embed", Function: "embed", Batch: 1})
	if err := m.validateGraphs(); err != nil {
		t.Error(err)
	}
	m.Schema = Schema
	if err := m.validateGraphs(); err == nil {
		t.Error("accepted in schema " + Schema)
	}
}

func TestRaggedDecodeShapes(t *testing.T) {
	m := testManifest()
	g := m.Graphs[1]
	g.ID, g.Batch = "decode_b3", 3
	g.Inputs = []Port{{RoleToken, I32, []int{3}}, {RolePosition, I32, []int{3}}, {"kv.0.k", F32, []int{3, 19, 2, 4}}, {"kv.0.v", F32, []int{3, 19, 2, 4}}}
	g.Results = []Port{{"kv.0.v", F32, []int{3, 19, 2, 4}}, {RoleLogits, F32, []int{3, 32}}, {RoleNextID, I32, []int{3}}, {"kv.0.k", F32, []int{3, 19, 2, 4}}}
	m.Schema, m.Graphs = Schema, append(m.Graphs, g)
	if err := m.validateGraphs(); err != nil {
		t.Error(err)
	}
}

func TestLookups(t *testing.T) {
	m := testManifest()
	if g := m.Graph("decode"); g == nil || g.ID != "decode" || m.Graph("none") != nil {
		t.Error("Graph")
	}
	tg := m.Target("x86-64-v4")
	if tg == nil || m.Target("none") != nil {
		t.Fatal("Target")
	}
	if tg.Module("decode") != "targets/x86-64-v4/decode.vmfb" || tg.Module("none") != "" {
		t.Error("Module")
	}
}

func TestPaths(t *testing.T) {
	for _, p := range []string{"a", "a/b-c_d.e+f/G9", "targets/x86-64-v3/decode.vmfb"} {
		if err := checkPath(p); err != nil {
			t.Errorf("%q: %v", p, err)
		}
	}
	for _, p := range []string{"", "/a", "a/", "a//b", ".", "..", "a/../b", `a\b`, "a b", "a:b", "@weights", "ä", "a\x00", strings.Repeat("a", 600)} {
		if checkPath(p) == nil {
			t.Errorf("%q is accepted", p)
		}
	}
}

// A batch has a row behind the context, for slots without a token.
func TestRowsOfBatches(t *testing.T) {
	m := testManifest()
	ports := func(first ...Port) []Port {
		for _, kv := range m.Model.KV {
			first = append(first, Port{kv.Role, kv.DType, append([]int{2}, kv.Shape...)})
		}
		return first
	}
	m.Graphs = []Graph{{ID: "decode_batch_2", Kind: Decode, Function: "decode_batch_2", Batch: 2,
		Inputs:  ports(Port{RoleToken, I32, []int{2}}, Port{RolePosition, I32, []int{2}}),
		Results: ports(Port{RoleNextID, I32, []int{2}}, Port{RoleLogits, F32, []int{2, 32}})}}
	for context, want := range map[int]string{18: "", 19: `writes 20 rows of "kv.0.k", which has 19`} {
		m.Model.Context = context
		if err := m.validateGraphs(); err == nil != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("context %d: %v", context, err)
		}
	}
	if err := m.checkRows(0, 1<<28); err == nil || !strings.Contains(err.Error(), "rows are i32") {
		t.Errorf("too many slots: %v", err)
	}
}
