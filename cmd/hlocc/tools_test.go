package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/internal/testenv"
)

func TestDoctor(t *testing.T) {
	useToolchain(t)
	var v struct {
		OK     bool
		Checks []struct{ Name, Status, Detail, Fix string }
	}
	if hlocc(t, "doctor", "--json").object(t, &v); !v.OK || len(v.Checks) < 5 {
		t.Errorf("%+v", v)
	}
	if r := hlocc(t, "doctor"); r.code != 0 || !strings.Contains(r.out, "compiler") {
		t.Errorf("%+v", r)
	}
	r := hlocc(t, "doctor", "--iree-compile", filepath.Join(t.TempDir(), "none"), "--json")
	if e := r.failure(t, 6); e.Fix == "" {
		t.Errorf("%+v", e)
	}
	if decodeOne(t, r.out, &v); v.OK {
		t.Errorf("%+v", v)
	}
}

func TestTargets(t *testing.T) {
	var v struct {
		Targets []struct {
			Name     string
			Runs     bool `json:"runs_here"`
			Default  bool
			Features []string `json:"cpu_features"`
			Missing  []string `json:"missing_features"`
		}
	}
	hlocc(t, "targets", "--json").object(t, &v)
	var names []string
	defaults := 0
	for _, x := range v.Targets {
		names = append(names, x.Name)
		if x.Default {
			defaults++
		}
		if x.Runs != (len(x.Missing) == 0) {
			t.Errorf("%+v", x)
		}
	}
	for _, want := range []string{"x86-64-v2", "x86-64-v3", "x86-64-v4", "host"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s in %v", want, names)
		}
	}
	if defaults != 1 {
		t.Errorf("%d defaults", defaults)
	}
	if r := hlocc(t, "targets"); r.code != 0 || !strings.Contains(r.out, "the default") {
		t.Errorf("%+v", r)
	}
}

func TestArchs(t *testing.T) {
	type list struct{ Families []familyReport }
	var all list
	hlocc(t, "archs", "--json").object(t, &all)
	for i, f := range all.Families {
		if f.Name == "" || f.Title == "" || len(f.Architectures) == 0 || f.Quirks == nil || !f.Proven || len(f.Proof) == 0 {
			t.Errorf("%+v", f)
		}
		if i > 0 && f.Name <= all.Families[i-1].Name {
			t.Errorf("%s is out of order", f.Name)
		}
	}
	for _, want := range []string{"llama", "qwen2", "mistral", "gemma3_text", "phi3", "gpt2", "minicpm3"} {
		var one list
		hlocc(t, "archs", want, "--json").object(t, &one)
		if len(one.Families) != 1 || one.Families[0].Name != want || !slices.ContainsFunc(all.Families, func(f familyReport) bool { return f.Name == want }) {
			t.Errorf("%s: %+v", want, one)
		}
	}
	r := hlocc(t, "archs")
	for _, f := range all.Families {
		for _, part := range append([]string{"\n" + f.Name + " ", f.Title, "proven by " + strings.Join(f.Proof, ", ")}, f.Quirks...) {
			if !strings.Contains("\n"+r.out, part) {
				t.Errorf("%s: no %q", f.Name, part)
			}
		}
	}
	if r.code != 0 || !strings.Contains(r.out, fmt.Sprintf("%d families", len(all.Families))) {
		t.Errorf("%+v", r)
	}
	if e := hlocc(t, "archs", "lama", "--json").failure(t, 3); !strings.Contains(e.Fix, "did you mean llama") {
		t.Errorf("%+v", e)
	}
	if e := hlocc(t, "archs", "mamba", "--json").failure(t, 3); !strings.Contains(e.Message, "state-space") || !strings.Contains(e.Fix, "recurrent state") {
		t.Errorf("%+v", e)
	}
}

func TestVersion(t *testing.T) {
	var v map[string]any
	hlocc(t, "version", "--json").object(t, &v)
	for _, k := range []string{"version", "compiler", "go", "os", "arch", "bundle_schema"} {
		if _, ok := v[k].(string); !ok {
			t.Errorf("%s is %v", k, v[k])
		}
	}
}

func TestCache(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "cache")
	t.Setenv("HLOCC_CACHE", dir)
	if r := hlocc(t, "cache", "path"); r.code != 0 || r.out != dir+"\n" {
		t.Errorf("%+v", r)
	}
	var p map[string]string
	if hlocc(t, "cache", "path", "--json").object(t, &p); p["path"] != dir {
		t.Errorf("%v", p)
	}
	var l struct {
		Path    string
		Entries []map[string]any
	}
	if hlocc(t, "cache", "ls", "--json").object(t, &l); l.Path != dir || l.Entries == nil || len(l.Entries) != 0 {
		t.Errorf("%+v", l)
	}
	var g map[string]any
	if hlocc(t, "cache", "gc", "--max-age", "1h", "--dry-run", "--json").object(t, &g); g["removed"] != 0.0 {
		t.Errorf("%v", g)
	}
	for _, args := range [][]string{{"cache"}, {"cache", "gcc"}, {"cache", "gc", "--max-size", "-1"}, {"cache", "gc", "--max-age", "yesterday"}, {"cache", "ls", "x"}} {
		if r := hlocc(t, args...); r.code != 2 {
			t.Errorf("%q: %+v", args, r)
		}
	}
	useToolchain(t)
	bundles(t)
	if hlocc(t, "cache", "ls", "--json").object(t, &l); len(l.Entries) < 3 || l.Entries[0]["key"] == "" {
		t.Errorf("%+v", l)
	}
	if r := hlocc(t, "cache", "ls"); r.code != 0 || !strings.Contains(r.out, "decode") {
		t.Errorf("%+v", r)
	}
	if r := hlocc(t, "cache", "gc", "--dry-run"); r.code != 0 || !strings.Contains(r.out, "would remove") {
		t.Errorf("%+v", r)
	}
}

func TestInspect(t *testing.T) {
	_, tok := bundles(t)
	var d struct {
		Family     string
		Supported  bool
		Reasons    []string
		Spec       map[string]any
		Parameters int64
		Bytes      map[string]int64
	}
	dir := fixtures.Dir(t, "llama")
	if hlocc(t, "inspect", dir, "--json").object(t, &d); d.Family != "llama" || !d.Supported || d.Reasons == nil || d.Spec["vocab"] != 256.0 || d.Parameters == 0 || len(d.Bytes) != 1 {
		t.Errorf("%+v", d)
	}
	if r := hlocc(t, "inspect", dir); r.code != 0 || !strings.Contains(r.out, "llama, supported") {
		t.Errorf("%+v", r)
	}
	for fixture, want := range map[string][]string{
		"deepseek_v3":  {"mlp          silu, width 64, in 1 of 2 layers", "experts      silu, 8 of width 32, 2 for each token and a shared one of width 32, in 1 of 2 layers", "keys and values from a latent vector of"},
		"mixtral":      {"experts      silu, 4 of width"},
		"gpt2":         {"gelu_tanh without a gate, width 256", "positions    learned, 64 of them"},
		"exaone4_32b":  {"window 8 in 3 of 4 layers", "rope         llama3, theta 10000, in 3 of 4 layers"},
		"mistral":      {"window 8\n"},
		"mistral3_vlm": {"left out     ", " tensors such as vision_tower"},
	} {
		r := hlocc(t, "inspect", fixtures.Dir(t, fixture))
		for _, part := range want {
			if r.code != 0 || !strings.Contains(r.out, part) {
				t.Errorf("%s: no %q in\n%s", fixture, part, r.out)
			}
		}
	}
	var b struct {
		File, Digest, Schema     string
		Model                    map[string]any
		Graphs, Targets, Tensors []map[string]any
		Contents                 []map[string]any
		Weights                  struct{ Tensors int }
	}
	if hlocc(t, "inspect", "--json", tok).object(t, &b); b.File != tok || len(b.Graphs) != 3 || len(b.Targets) != 1 || len(b.Tensors) != b.Weights.Tensors || b.Model["vocab_size"] != 256.0 {
		t.Errorf("%+v", b)
	}
	if r := hlocc(t, "inspect", tok); r.code != 0 || !strings.Contains(r.out, "text/tokenizer.json") || !strings.Contains(r.out, b.Digest) {
		t.Errorf("%+v", r)
	}
	// A model that is not supported has a verdict and an exit code.
	other := t.TempDir()
	if err := os.WriteFile(filepath.Join(other, "config.json"), []byte(`{"model_type":"mamba","architectures":["MambaForCausalLM"]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	r := hlocc(t, "inspect", other, "--json")
	if decodeOne(t, r.out, &d); d.Supported || d.Family != "mamba" || len(d.Reasons) == 0 {
		t.Errorf("%s", r.out)
	}
	r.failure(t, 3)
	hlocc(t, "inspect", t.TempDir(), "--json").failure(t, 4)
	hlocc(t, "inspect", filepath.Join(other, "none"), "--json").failure(t, 4)
	hlocc(t, "inspect", filepath.Join(other, "config.json"), "--json").failure(t, 4)
}

func TestTokenize(t *testing.T) {
	_, tok := bundles(t)
	for _, args := range [][]string{{"tokenize", tok, "--json"}, {"tokenize", "--json", filepath.Join(built.dir, "model")}, {"tokenize", "--special", tok, "--json"}} {
		var v struct{ IDs []int }
		hloccIn(t.Context(), "aé<end>", args...).object(t, &v)
		if !slices.Equal(v.IDs, []int{'a', 0xc3, 0xa9, 2}) {
			t.Errorf("%q: %v", args, v.IDs)
		}
	}
	if r := hloccIn(t.Context(), "", "tokenize", tok, "--json"); r.code != 0 || r.out != "{\"ids\":[]}\n" {
		t.Errorf("%+v", r)
	}
	if r := hloccIn(t.Context(), "ab", "tokenize", tok); r.out != "97 98\n" {
		t.Errorf("%+v", r)
	}
	hloccIn(t.Context(), "a\xff", "tokenize", tok, "--json").failure(t, 4)
	hloccIn(t.Context(), "a", "tokenize", built.plain, "--json").failure(t, 3)
	hloccIn(t.Context(), "a", "tokenize", fixtures.Dir(t, "llama"), "--json").failure(t, 3)
	hloccIn(t.Context(), "a", "tokenize", filepath.Join(built.dir, "none"), "--json").failure(t, 4)
}

func TestLower(t *testing.T) {
	dir := fixtures.Dir(t, "llama")
	decode := hlocc(t, "lower", dir, "--graph", "decode")
	if decode.code != 0 || !strings.Contains(decode.out, "@decode") || !strings.Contains(decode.out, `#flow.parameter.named<"model"::`) || strings.Contains(decode.out, "custom_call") {
		t.Errorf("%+v", decode)
	}
	prefill := hlocc(t, "lower", "--bucket", "16", dir, "--graph", "prefill")
	if prefill.code != 0 || !strings.Contains(prefill.out, "@prefill_16") {
		t.Errorf("%+v", prefill)
	}
	batch := hlocc(t, "lower", dir, "--batch", "4")
	if batch.code != 0 || !strings.Contains(batch.out, "@decode_batch_4") || !strings.Contains(batch.out, "tensor<4x256xf32>, // logits") {
		t.Errorf("%+v", batch)
	}
	if one := hlocc(t, "lower", dir, "--batch", "1"); one.out != decode.out {
		t.Errorf("%+v", one)
	}
	args := hlocc(t, "lower", dir, "--weights", "args")
	if args.code != 0 || strings.Contains(args.out, "flow.parameter") || !strings.Contains(args.out, "layers.1.mlp.down.weight") {
		t.Errorf("%+v", args)
	}
	var v struct {
		Text    string
		Inputs  []struct{ Name, Role, Weight, Type string }
		Results []struct{ Role, Type string }
	}
	file := filepath.Join(t.TempDir(), "weights.safetensors")
	hlocc(t, "lower", dir, "--weights", "args", "--values", file, "--json").object(t, &v)
	if !strings.HasSuffix(args.out, v.Text) || len(v.Inputs) < 20 || v.Inputs[0].Role != "token" || v.Inputs[len(v.Inputs)-1].Weight == "" {
		t.Errorf("%+v", v.Inputs)
	}
	if len(v.Results) != 6 || v.Results[0].Role != "next_id" || v.Results[1].Type != "f32[256]" {
		t.Errorf("%+v", v.Results)
	}
	values, err := safetensors.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer values.Close()
	for _, in := range v.Inputs {
		if in.Weight == "" {
			continue
		}
		if w := values.Tensor(in.Weight); w == nil || strings.ToLower(string(w.DType))+strings.ReplaceAll(fmt.Sprint(w.Shape), " ", ",") != in.Type {
			t.Errorf("argument %+v has the value %+v", in, w)
		}
	}
	for code, args := range map[int][]string{
		2: {"lower", dir, "--graph", "encode"},
		3: {"lower", dir, "--context", "100000"},
		4: {"lower", t.TempDir()},
	} {
		hlocc(t, append(args, "--json")...).failure(t, code)
	}
	for _, flags := range [][]string{{"--bucket", "8"}, {"--weights", "inline"}, {"--values", file}, {"--batch", "0"}, {"--batch", "1000"}, {"--graph", "prefill", "--batch", "4"}, {"--graph", "prefill", "--bucket", "1000"}} {
		if e := hlocc(t, append([]string{"lower", dir, "--json"}, flags...)...).failure(t, 2); !slices.Contains(flags, e.Where) {
			t.Errorf("%v: the error names %q", flags, e.Where)
		}
	}
}

// The stock tools run what extract writes.
func TestExtract(t *testing.T) {
	plain, _ := bundles(t)
	dir := filepath.Join(t.TempDir(), "out")
	var v struct {
		Files []struct {
			Path, Target, Graph string
			Bytes               int64
			Command             []string
		}
	}
	hlocc(t, "extract", plain, "-o", dir, "--json").object(t, &v)
	if len(v.Files) != 4 {
		t.Fatalf("%+v", v)
	}
	for _, f := range v.Files {
		if info, err := os.Stat(f.Path); err != nil || info.Size() != f.Bytes {
			t.Errorf("%+v: %v", f, err)
		}
		if f.Graph == "" {
			continue
		}
		cmd := exec.Command(testenv.IREE(t).RunModule, f.Command[1:]...)
		out, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(out), "1xi32=") {
			t.Errorf("%q: %v\n%.500s", f.Command, err, out)
		}
	}
	hlocc(t, "extract", plain, "-o", dir, "--json").failure(t, 2)
	hlocc(t, "extract", plain, "-o", dir+"2", "--json", "--target", "vax").failure(t, 3)
	if r := hlocc(t, "extract", "--output", dir+"3", plain); r.code != 0 || !strings.Contains(r.out, "iree-run-module") {
		t.Errorf("%+v", r)
	}
}

func TestCompletion(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish"} {
		if r := hlocc(t, "completion", shell); r.code != 0 || !strings.Contains(r.out, "hlocc") {
			t.Errorf("%s: %+v", shell, r)
		}
	}
	if r := hlocc(t, "--complete-words"); r.code != 0 || !strings.Contains(r.out, "inspect") || !strings.Contains(r.out, "build") {
		t.Errorf("%+v", r)
	}
	if r := hlocc(t, "run", "--th", "--complete-words"); r.code != 0 || !strings.Contains(r.out, "--threads") {
		t.Errorf("%+v", r)
	}
	// The script itself, in a shell.
	script := hlocc(t, "completion", "bash").out + `
hlocc() { case "$*" in "--complete-words") echo build run;; *) echo --threads --tokens;; esac; }
COMP_WORDS=(hlocc bu) COMP_CWORD=1; _hlocc; echo "${COMPREPLY[*]}"
COMP_WORDS=(hlocc run --to) COMP_CWORD=2; _hlocc; echo "${COMPREPLY[*]}"`
	out, err := exec.Command("bash", "-c", script).CombinedOutput()
	if err != nil || string(out) != "build\n--tokens\n" {
		t.Errorf("%v: %q", err, out)
	}
}
