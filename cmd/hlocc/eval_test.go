package main

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/oracle"
)

func evalRows(t *testing.T, args ...string) [][]float32 {
	t.Helper()
	var v struct{ Logits [][]float32 }
	r := hlocc(t, append([]string{"eval", "--json"}, args...)...)
	r.object(t, &v)
	return v.Logits
}

// All ways to compute a row agree with the oracle and with each other.
func TestEvalModes(t *testing.T) {
	plain, _ := bundles(t)
	c := firstCase(t)
	tokens := list(c.Prompt)
	for _, args := range [][]string{
		{plain, "--tokens", tokens},
		{"--tokens", tokens, plain, "--graph", "decode"},
		{"--graph", "prefill", plain, "--tokens", tokens},
		{plain, "--tokens", tokens, "--chunk", "5"},
		{plain, "--tokens", tokens, "--chunk", "1", "--graph", "prefill", "--threads", "1"},
	} {
		rows := evalRows(t, args...)
		if len(rows) != len(c.Prompt) {
			t.Fatalf("%q: %d rows", args, len(rows))
		}
		for i, row := range rows {
			if len(row) != 256 {
				t.Fatalf("%q: row %d has %d logits", args, i, len(row))
			}
			tolerance := oracle.RowTolerance(c.Logits[i])
			for k := range row {
				if d := math.Abs(float64(row[k]) - float64(c.Logits[i][k])); d > tolerance {
					t.Fatalf("%q: row %d logit %d is %g off", args, i, k, d)
				}
			}
		}
	}
	r := hlocc(t, "eval", plain, "--tokens", "17,201")
	if lines := strings.Split(r.out, "\n"); r.code != 0 || len(lines) != 3 || !strings.HasPrefix(lines[1], "1: token 201, then most likely ") {
		t.Errorf("%+v", r)
	}
}

// Floats are in the shortest form that reads back as the same float32.
func TestEvalFloatsAreShortest(t *testing.T) {
	plain, _ := bundles(t)
	var v struct{ Logits [][]json.Number }
	hlocc(t, "eval", plain, "--tokens", "1", "--json").object(t, &v)
	for _, n := range v.Logits[0] {
		f, err := strconv.ParseFloat(n.String(), 32)
		if err != nil || strconv.FormatFloat(f, 'g', -1, 32) != n.String() {
			t.Fatalf("%s is not the shortest form of %v", n, float32(f))
		}
	}
}

func TestEvalErrors(t *testing.T) {
	plain, _ := bundles(t)
	for _, c := range []struct {
		code int
		args []string
	}{
		{4, []string{plain, "--tokens", "1,300"}},
		{4, []string{plain, "--tokens", ""}},
		{4, []string{plain, "--tokens", strings.Repeat("1,", 129)}},
		{3, []string{plain, "--text", fixtures.OracleFile(t, "llama")}},
		{4, []string{filepath.Join(t.TempDir(), "none.hlocc"), "--tokens", "1"}},
	} {
		r := hlocc(t, append([]string{"eval", "--json"}, c.args...)...)
		r.failure(t, c.code)
		if r.out != "" {
			t.Errorf("%q: stdout %q", c.args, r.out)
		}
	}
}

// A file that is not there is the user's mistake; one that the system does not
// give is not. A link to itself cannot be read by anybody, root included.
func TestUnreadableFiles(t *testing.T) {
	_, tok := bundles(t)
	dir := t.TempDir()
	none, loop := filepath.Join(dir, "none"), filepath.Join(dir, "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"eval", tok, "--text"},
		{"eval", "--tokens", "1"},
		{"inspect"},
		{"verify"},
		{"tokenize", "--json"},
	} {
		for path, code := range map[string]int{none: 4, loop: 1} {
			r := hlocc(t, append(slices.Clone(args), path, "--json")...)
			if e := r.failure(t, code); e.File != path {
				t.Errorf("%q %s: %+v", args, path, e)
			}
		}
	}
	for _, name := range []string{"config.json", "model.safetensors", "generation_config.json"} {
		model := t.TempDir()
		if err := os.CopyFS(model, os.DirFS(fixtures.Dir(t, "llama"))); err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(model, name)
		_ = os.Remove(path)
		if err := os.Symlink(path, path); err != nil {
			t.Fatal(err)
		}
		hlocc(t, "inspect", model, "--json").failure(t, 1)
	}
}

// Perplexity by windows equals what the rows of logits give where one window
// holds the whole text, and scores every token but the first of a longer one.
func TestPerplexity(t *testing.T) {
	_, tok := bundles(t)
	dir := t.TempDir()
	short := "It is a truth universally acknowledged"
	path := filepath.Join(dir, "t.txt")
	if err := os.WriteFile(path, []byte(short), 0o644); err != nil {
		t.Fatal(err)
	}
	type ppl struct {
		Perplexity, NLL                 float64
		Scored                          int `json:"tokens_scored"`
		Tokens, Window, Stride, Windows int
	}
	var v ppl
	r := hlocc(t, "eval", tok, "--text", path, "--json")
	r.object(t, &v)
	var ids []int32
	for _, b := range []byte(short) {
		ids = append(ids, int32(b))
	}
	rows := evalRows(t, tok, "--tokens", list(ids))
	var nll float64
	for i, row := range rows[:len(rows)-1] {
		var sum float64
		for _, x := range row {
			sum += math.Exp(float64(x))
		}
		nll += math.Log(sum) - float64(row[ids[i+1]])
	}
	nll /= float64(len(ids) - 1)
	if math.Abs(v.NLL-nll) > 1e-5 || math.Abs(v.Perplexity-math.Exp(nll)) > 1e-3*v.Perplexity || v.Scored != len(ids)-1 || v.Windows != 1 || v.Window != 128 || v.Stride != 64 {
		t.Errorf("%+v, want nll %v", v, nll)
	}
	if err := os.WriteFile(path, []byte(strings.Repeat(short, 10)), 0o644); err != nil {
		t.Fatal(err)
	}
	r = hlocc(t, "eval", "--text", path, "--json", tok)
	if r.object(t, &v); v.Scored != 10*len(short)-1 || v.Windows != 5 {
		t.Errorf("%+v", v)
	}
	if e := hlocc(t, "eval", tok, "--text", path, "--concurrency", "4", "--json").failure(t, 3); !strings.Contains(e.Fix, "--slots") {
		t.Errorf("%+v", e)
	}
	for _, p := range []string{filepath.Join(dir, "none.txt"), dir} {
		hlocc(t, "eval", tok, "--text", p, "--json").failure(t, 4)
	}
}

func TestValidate(t *testing.T) {
	plain, _ := bundles(t)
	type verdict struct {
		Cases []struct {
			Name         string
			MaxAbsDLogit *float64 `json:"max_abs_dlogit"`
			Tolerance    *float64
			Agree        int `json:"tokens_agree"`
			Total        int `json:"tokens_total"`
		}
		Pass bool
	}
	for _, args := range [][]string{
		{fixtures.Dir(t, "llama"), "--oracle", fixtures.OracleFile(t, "llama")},
		{fixtures.Dir(t, "llama")}, // with the oracle beside the model
		{"--oracle", fixtures.OracleFile(t, "llama"), plain},
	} {
		r := hlocc(t, append([]string{"validate", "--json"}, args...)...)
		if r.code != 0 {
			t.Fatalf("%q: %+v", args, r)
		}
		var v verdict
		decodeOne(t, r.out, &v)
		if !v.Pass || len(v.Cases) != 2 || v.Cases[0].Agree != 16 || v.Cases[0].Total != 16 || v.Cases[0].MaxAbsDLogit == nil || v.Cases[0].Tolerance == nil {
			t.Errorf("%q: %s", args, r.out)
		}
	}
	// Another model's oracle.
	r := hlocc(t, "validate", plain, "--oracle", fixtures.OracleFile(t, "mistral"), "--json")
	var v verdict
	if decodeOne(t, r.out, &v); v.Pass {
		t.Errorf("passes with the wrong oracle: %s", r.out)
	}
	if e := r.failure(t, 5); e.Found == "" || e.Where == "" {
		t.Errorf("%+v", e)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{plain}},
		{2, []string{filepath.Join(built.dir, "model")}},
		{2, []string{plain, "--oracle", fixtures.OracleFile(t, "llama"), "--context", "64"}},
		{4, []string{plain, "--oracle", filepath.Join(t.TempDir(), "none.json")}},
		{4, []string{filepath.Join(t.TempDir(), "none"), "--oracle", fixtures.OracleFile(t, "llama")}},
	} {
		hlocc(t, append([]string{"validate", "--json"}, c.args...)...).failure(t, c.code)
	}
}

func TestBench(t *testing.T) {
	plain, _ := bundles(t)
	var v map[string]any
	r := hlocc(t, "bench", plain, "--json", "--threads", "1", "--prompt-tokens", "40,8", "--gen-tokens", "10", "--concurrency", "2", "--profile")
	r.object(t, &v)
	for _, k := range []string{"prefill_tokens_per_s", "decode_tokens_per_s", "load_ms", "peak_rss_bytes", "step_weight_bytes", "bytes_per_token", "gb_per_s", "read_gb_per_s", "bandwidth_share"} {
		if n, ok := v[k].(float64); !ok || n <= 0 {
			t.Errorf("%s is %v", k, v[k])
		}
	}
	if v["threads"] != 1.0 || v["runs"] != 5.0 || v["concurrency"] != 2.0 || v["prompt_tokens"] != 40.0 || v["gen_tokens"] != 10.0 || v["target"] == "" {
		t.Errorf("%v", v)
	}
	if lengths, ok := v["lengths"].([]any); !ok || len(lengths) != 2 || lengths[1].(map[string]any)["prompt_tokens"] != 8.0 {
		t.Errorf("lengths %v", v["lengths"])
	}
	for _, k := range []string{"prefill", "decode"} {
		list, ok := v["profile"].(map[string]any)[k].([]any)
		if !ok || len(list) < 3 || list[len(list)-1].(map[string]any)["name"] != "outside" {
			t.Errorf("profile of %s: %v", k, list)
			continue
		}
		sum := 0.0
		for _, e := range list {
			sum += e.(map[string]any)["share"].(float64)
		}
		if sum < 0.99 || sum > 1.01 {
			t.Errorf("shares of %s add up to %v", k, sum)
		}
	}
	hlocc(t, "bench", plain, "--json", "--prompt-tokens", "100", "--gen-tokens", "100").failure(t, 2)
	if r := hlocc(t, "bench", plain); r.code != 0 || !strings.Contains(r.out, "64 tokens") {
		t.Errorf("%+v", r)
	}
}
