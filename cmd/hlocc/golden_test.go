package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/fixtures"
)

// goldenFolders are a folder of two fixtures and one for their golden files.
func goldenFolders(t *testing.T) (flags []string, dir string) {
	t.Helper()
	tiny := t.TempDir()
	for _, name := range []string{"llama", "qwen2"} {
		if err := os.Symlink(fixtures.Dir(t, name), filepath.Join(tiny, name)); err != nil {
			t.Fatal(err)
		}
	}
	dir = filepath.Join(t.TempDir(), "goldens")
	return []string{"--fixtures", tiny, "--dir", dir}, dir
}

type goldenJSON struct {
	Files       int
	Pass        bool
	Updated     []struct{ Path, Problem string }
	Differences []struct {
		Path, Problem, Diff string
		Changes             []string
	}
}

func TestGolden(t *testing.T) {
	flags, dir := goldenFolders(t)
	call := func(args ...string) result { return hlocc(t, append(append([]string{"golden"}, args...), flags...)...) }
	if e := call("check", "--json").failure(t, 5); e.Code != "golden" || !strings.Contains(e.Fix, "golden update") {
		t.Errorf("%+v", e)
	}
	var v goldenJSON
	call("update", "--json").object(t, &v)
	if v.Files < 50 || len(v.Updated) != v.Files {
		t.Errorf("%+v", v)
	}
	call("check", "--json").object(t, &v)
	if !v.Pass || len(v.Differences) != 0 {
		t.Errorf("%+v", v)
	}
	if r := call("check", "qwen2"); r.code != 0 || !strings.Contains(r.out, "7 golden files") {
		t.Errorf("%+v", r)
	}

	spec := filepath.Join(dir, "qwen2", "qwen2", "spec.json")
	text, err := os.ReadFile(spec)
	if err != nil {
		t.Fatal(err)
	}
	changed := strings.Replace(string(text), `"scale": 0.25`, `"scale": 0.125`, 1)
	if err := os.WriteFile(spec, []byte(changed), 0o644); err != nil || changed == string(text) {
		t.Fatal(err)
	}
	orphan := filepath.Join(dir, "gpt5", "spec.json")
	if err := os.Mkdir(filepath.Dir(orphan), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(orphan, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	r := call("check")
	if r.code != 5 || r.out != "orphan   gpt5/spec.json\ndiffers  qwen2/qwen2/spec.json\n" {
		t.Errorf("%+v", r)
	}
	r = call("check", "--json")
	decodeOne(t, r.out, &v)
	if v.Pass || len(v.Differences) != 2 {
		t.Errorf("%+v", v)
	}
	if r := call("check", "llama"); r.code != 0 {
		t.Errorf("another family: %+v", r)
	}
	r = call("diff", "qwen2")
	for _, want := range []string{"layers[*].attn: scale 0.125 -> 0.25\n", "-    \"scale\": 0.125,\n", "+    \"scale\": 0.25,\n"} {
		if r.code != 0 || !strings.Contains(r.out, want) {
			t.Errorf("no %q in %+v", want, r)
		}
	}
	call("diff", "--json").object(t, &v)
	if len(v.Differences) != 2 || v.Differences[1].Changes[0] != "layers[*].attn: scale 0.125 -> 0.25" {
		t.Errorf("%+v", v)
	}
	if r := call("update"); r.code != 0 || !strings.Contains(r.out, "removed  gpt5/spec.json\nchanged  qwen2/qwen2/spec.json\n") {
		t.Errorf("%+v", r)
	}
	if r := call("check"); r.code != 0 {
		t.Errorf("%+v", r)
	}
	if r := call("diff"); r.code != 0 || !strings.Contains(r.out, "as they should be") {
		t.Errorf("%+v", r)
	}
}

func TestGoldenErrors(t *testing.T) {
	flags, _ := goldenFolders(t)
	hlocc(t, append([]string{"golden", "check", "gpt5", "--json"}, flags...)...).failure(t, 2)
	hlocc(t, "golden", "check", "--json", "--dir", t.TempDir(), "--fixtures", t.TempDir()).failure(t, 4)
	hlocc(t, "golden", "check", "a", "b", "--json").failure(t, 2)
	t.Chdir(t.TempDir())
	if e := hlocc(t, "golden", "update", "--json").failure(t, 2); !strings.Contains(e.Fix, "--fixtures") {
		t.Errorf("%+v", e)
	}
}
