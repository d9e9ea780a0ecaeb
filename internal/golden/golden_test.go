package golden

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/testenv"
)

func fixtures(t *testing.T) string { return filepath.Join(testenv.Root(t), "fixtures", "tiny") }

// No two modules are the same text: each shows something that the others do not.
func TestModulesDiffer(t *testing.T) {
	files, err := moduleFiles()
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for _, f := range files {
		if other := seen[string(f.Data)]; other != "" {
			t.Errorf("%s and %s are equal", f.Path, other)
		}
		seen[string(f.Data)] = f.Path
	}
}

// Families that are another under a new name, or become one when their options are
// off, give its program to the byte, in every graph kind.
func TestEqualFamilies(t *testing.T) {
	list, err := sources(fixtures(t))
	if err != nil {
		t.Fatal(err)
	}
	files, err := equalFiles(list)
	if err != nil {
		t.Fatal(err)
	}
	block := map[string]int{} // fixture -> its block
	for i, b := range strings.Split(string(files[0].Data), "\n\n")[1:] {
		for line := range strings.Lines(b) {
			for _, fixture := range strings.Fields(line)[1:] {
				block[fixture] = i
			}
		}
	}
	for _, s := range list {
		if _, ok := block[s.name]; !ok {
			t.Errorf("fixture %s is in no block", s.name)
		}
	}
	for _, same := range [][]string{
		{"qwen2", "mimo", "seed_oss"},
		{"llama", "internlm2", "internlm3", "llama_yarn"},
		{"llama3", "exaone"}, // tied
		{"mistral", "phi3"},  // once the fused tensors are split
		{"deepseek_v3", "kimi_k2", "glm4_moe_lite"},
		{"phi3_longrope", "phi3_longrope_long"},
	} {
		for _, name := range same {
			if block[name] != block[same[0]] {
				t.Errorf("%s and %s are not in one block", name, same[0])
			}
		}
	}
	for _, other := range [][2]string{{"llama", "llama3"}, {"llama", "qwen2"}, {"gemma", "gemma2"}, {"qwen2", "qwen2_sw"}, {"olmo2", "olmo3"}} {
		if block[other[0]] == block[other[1]] {
			t.Errorf("%s and %s are in one block", other[0], other[1])
		}
	}
}

// Every family has a case.
func TestEveryFamily(t *testing.T) {
	list, err := sources(fixtures(t))
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for _, s := range list {
		c, err := openCase(s)
		if err != nil {
			t.Fatal(err)
		}
		has[c.family] = true
	}
	for _, f := range arch.Families() {
		if !has[f.Name] {
			t.Errorf("family %s has neither a fixture nor a config of its own: put one into fixtures/configs", f.Name)
		}
	}
}

func TestCompareAndUpdate(t *testing.T) {
	dir := t.TempDir()
	want := []File{{"llama/a/decode.mlir", []byte("one\n")}, {"llama/a/spec.json", []byte("{}\n")}, {"qwen2/b/spec.json", []byte("{}\n")}}
	problems := func(family string, files []File) string {
		t.Helper()
		list, err := Compare(dir, family, files)
		if err != nil {
			t.Fatal(err)
		}
		var all []string
		for _, d := range list {
			all = append(all, d.Problem+" "+d.Path)
		}
		if err := Update(dir, list); err != nil {
			t.Fatal(err)
		}
		return strings.Join(all, ", ")
	}
	write := func(path, text string) {
		t.Helper()
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := problems("", want); got != "missing llama/a/decode.mlir, missing llama/a/spec.json, missing qwen2/b/spec.json" {
		t.Errorf("an empty folder: %s", got)
	}
	if got := problems("", want); got != "" {
		t.Errorf("after an update: %s", got)
	}
	write("llama/a/decode.mlir", "two\n")
	write("llama/old/decode.mlir", "")
	write("qwen2/b/spec.json", "[]\n")
	if got := problems("llama", want[:2]); got != "differs llama/a/decode.mlir, orphan llama/old/decode.mlir" {
		t.Errorf("one family: %s", got)
	}
	if _, err := os.Stat(filepath.Join(dir, "llama", "old")); !os.IsNotExist(err) {
		t.Errorf("the folder of an orphan: %v", err)
	}
	if got := problems("", want); got != "differs qwen2/b/spec.json" {
		t.Errorf("the other family: %s", got)
	}
	text, err := os.ReadFile(filepath.Join(dir, "llama", "a", "decode.mlir"))
	if err != nil || string(text) != "one\n" {
		t.Errorf("%q, %v", text, err)
	}
	write("notes/diary.txt", "mine\n")
	if _, err := Compare(dir, "", want); diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), "is no golden file") {
		t.Errorf("a folder with other files: %v", err)
	}
}

func TestMakeErrors(t *testing.T) {
	if _, err := Make(fixtures(t), "gpt5"); diag.KindOf(err) != diag.Usage || !strings.Contains(err.Error(), "want one of apertus, ") {
		t.Errorf("unknown family: %v", err)
	}
	if _, err := Make(t.TempDir(), ""); diag.KindOf(err) != diag.BadInput {
		t.Errorf("no fixtures: %v", err)
	}
	if _, err := Make(filepath.Join(t.TempDir(), "none"), ""); diag.KindOf(err) != diag.BadInput {
		t.Errorf("no folder: %v", err)
	}
}

// One family's files are those that all families' have of it.
func TestMakeOneFamily(t *testing.T) {
	one, err := Make(fixtures(t), "qwen2")
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range one {
		paths = append(paths, f.Path)
	}
	for _, want := range []string{"qwen2/qwen2/decode.mlir", "qwen2/qwen2/decode_batch_2.mlir", "qwen2/qwen2/prefill_16.mlir",
		"qwen2/qwen2/spec.json", "qwen2/qwen2/weights.txt", "qwen2/qwen2_sw/decode.mlir"} {
		if !slices.Contains(paths, want) {
			t.Errorf("no %s in %v", want, paths)
		}
	}
	i := slices.Index(paths, "qwen2/qwen2/weights.txt")
	const line = "layers[*].attn.q.weight bf16[64 64]\n  <- model.layers.*.self_attn.q_proj.weight [64 64]\n"
	if !bytes.Contains(one[i].Data, []byte(line)) {
		t.Errorf("weights.txt:\n%s", one[i].Data)
	}
}
