package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/internal/testenv"
)

// useToolchain points the commands at the repository's compiler and at the cache
// that all tests share.
func useToolchain(t *testing.T) {
	t.Helper()
	t.Setenv("HLOCC_IREE_COMPILE", testenv.IREE(t).Compile)
	t.Setenv("HLOCC_CACHE", testenv.CacheDir(t))
}

var built struct {
	sync.Once
	dir        string
	result     string // what build --json printed
	plain, tok string // bundles without and with a tokenizer
}

func TestMain(m *testing.M) {
	code := m.Run()
	if built.dir != "" {
		_ = os.RemoveAll(built.dir)
	}
	os.Exit(code)
}

// bundles builds the llama fixture once: as it is, and with a tokenizer.
func bundles(t *testing.T) (plain, withTokenizer string) {
	t.Helper()
	useToolchain(t)
	built.Do(func() {
		dir, err := os.MkdirTemp("", "hlocc-test-")
		if err != nil {
			t.Fatal(err)
		}
		built.dir = dir
		built.plain = filepath.Join(dir, "plain.hlocc")
		r := hlocc(t, "build", fixtures.Dir(t, "llama"), "--json", "-o", built.plain)
		if r.code != 0 {
			t.Fatalf("build: exit code %d, %s", r.code, r.err)
		}
		built.result = r.out
		tok := filepath.Join(dir, "tok.hlocc")
		if r := hlocc(t, "build", "-o", tok, tokenizerModel(t, dir)); r.code != 0 {
			t.Fatalf("build with a tokenizer: exit code %d, %s", r.code, r.err)
		}
		built.tok = tok
	})
	if built.tok == "" {
		t.Fatal("the bundles could not be built")
	}
	return built.plain, built.tok
}

// tokenizerModel is the llama fixture with a tokenizer that has one token for
// every byte, id = byte, but for the end of text.
func tokenizerModel(t *testing.T, parent string) string {
	t.Helper()
	dir := filepath.Join(parent, "model")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.json", "model.safetensors"} {
		data, err := os.ReadFile(filepath.Join(fixtures.Dir(t, "llama"), name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	vocab := map[string]int{}
	next := rune(256)
	for b := range 256 {
		r := rune(b)
		if !('!' <= b && b <= '~' || 0xa1 <= b && b <= 0xac || 0xae <= b) {
			r = next
			next++
		}
		vocab[string(r)] = b
	}
	delete(vocab, "Ă") // byte 2; no text here has it
	vocab["<end>"] = 2
	byteLevel := map[string]any{"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true}
	end := map[string]any{"id": 2, "content": "<end>", "single_word": false, "lstrip": false, "rstrip": false, "normalized": false, "special": true}
	data, err := json.Marshal(map[string]any{
		"version": "1.0", "added_tokens": []any{end}, "pre_tokenizer": byteLevel, "decoder": byteLevel,
		"model": map[string]any{"type": "BPE", "vocab": vocab, "merges": []string{}},
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "tokenizer.json"), data, 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

// firstCase is the first case of the llama fixture's oracle.
func firstCase(t *testing.T) oracle.Case {
	t.Helper()
	o, err := oracle.Load(fixtures.OracleFile(t, "llama"))
	if err != nil {
		t.Fatal(err)
	}
	return o.Cases[0]
}

func list(ids []int32) string {
	var s []string
	for _, id := range ids {
		s = append(s, strconv.Itoa(int(id)))
	}
	return strings.Join(s, ",")
}

func TestBuild(t *testing.T) {
	plain, _ := bundles(t)
	var r struct {
		Output, Digest, Family string
		Bytes                  int64
		Context                int
		Targets                []string
		Modules, Replays       []map[string]any
		Seconds                float64
	}
	decodeOne(t, built.result, &r)
	info, err := os.Stat(plain)
	if err != nil || r.Bytes != info.Size() || r.Family != "llama" || r.Context != 128 || len(r.Targets) != 1 || len(r.Modules) != 3 || len(r.Replays) != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	// The same input gives the same bytes, and the flags' order does not matter.
	again := filepath.Join(t.TempDir(), "again.hlocc")
	if r := hlocc(t, "build", "--output", again, "--context", "128", "--buckets", "128,32", fixtures.Dir(t, "llama")); r.code != 0 || !strings.Contains(r.out, "3 of them from the cache") {
		t.Fatalf("%+v", r)
	}
	a, errA := os.ReadFile(plain)
	b, errB := os.ReadFile(again)
	if errA != nil || errB != nil || !slices.Equal(a, b) {
		t.Errorf("a second build differs (%v, %v)", errA, errB)
	}
}

func TestBuildErrors(t *testing.T) {
	useToolchain(t)
	model := fixtures.Dir(t, "llama")
	out := filepath.Join(t.TempDir(), "m.hlocc")
	broken := t.TempDir()
	if err := os.WriteFile(filepath.Join(broken, "config.json"), []byte(`{"model_type":"nosuch"}`), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		code int
		args []string
	}{
		{2, []string{model}},
		{2, []string{model, "-o", out, "--dtype", "int3"}},
		{2, []string{model, "-o", out, "--buckets", "32,x"}},
		{2, []string{model, "-o", out, "--buckets", "0"}},
		{2, []string{model, "-o", out, "--slots", "4,x"}},
		{2, []string{model, "-o", out, "--slots", "1"}},
		{2, []string{model, "-o", out, "--context", "0"}},
		{3, []string{model, "-o", out, "--context", "4096"}},
		{3, []string{model, "-o", out, "--target", "vax"}},
		{3, []string{broken, "-o", out}},
		{4, []string{t.TempDir(), "-o", out}},
		{4, []string{filepath.Join(broken, "nowhere"), "-o", out}},
		{6, []string{model, "-o", out, "--iree-compile", filepath.Join(broken, "iree-compile")}},
	} {
		r := hlocc(t, append([]string{"build", "--json"}, c.args...)...)
		r.failure(t, c.code)
		if r.out != "" {
			t.Errorf("%q: stdout %q", c.args, r.out)
		}
		if _, err := os.Stat(out); err == nil {
			t.Fatalf("%q: left a bundle", c.args)
		}
	}
}

type runJSON struct {
	Prompt []int32 `json:"prompt_tokens"`
	Tokens []int32 `json:"tokens"`
	Text   *string `json:"text"`
	Stop   string  `json:"stop"`
	Stats  *struct {
		Load    float64 `json:"load_ms"`
		Decode  float64 `json:"decode_tokens_per_s"`
		PeakRSS int64   `json:"peak_rss_bytes"`
	} `json:"stats"`
}

func TestRunTokens(t *testing.T) {
	plain, tok := bundles(t)
	c := firstCase(t)
	prompt := list(c.Prompt)
	for _, args := range [][]string{
		{"run", plain, "--tokens", prompt, "-n", "16", "--json", "--ignore-eos"},
		{"run", "--tokens", prompt, "-n", "16", "--json", "--ignore-eos", plain},
		{"run", "--json", plain, "--ignore-eos", "--tokens=" + prompt, "-n=16", "--threads", "1", "--verify", "--copy-weights"},
		{"run", "--json", tok, "--ignore-eos", "--tokens", strings.ReplaceAll(prompt, ",", " "), "-n", "16"},
	} {
		r := hlocc(t, args...)
		var v runJSON
		r.object(t, &v)
		if !slices.Equal(v.Prompt, c.Prompt) || !slices.Equal(v.Tokens, c.New) || v.Stop != "length" || v.Text == nil || v.Stats != nil {
			t.Errorf("%q: %s", args, r.out)
		}
		if (*v.Text != "") != slices.Contains(args, tok) {
			t.Errorf("%q: text %q", args, *v.Text)
		}
	}
	// People's form: ids, and statistics on stderr only.
	r := hlocc(t, "run", plain, "--tokens", prompt, "-n", "3", "--stats")
	if want := fmt.Sprintf("%d %d %d\n", c.New[0], c.New[1], c.New[2]); r.code != 0 || r.out != want {
		t.Errorf("%+v, want %q", r, want)
	}
	for _, s := range []string{"load ", "prefill 22 tokens at", "decode 3 tokens at", "peak memory", " threads"} {
		if !strings.Contains(r.err, s) {
			t.Errorf("statistics %q do not say %q", r.err, s)
		}
	}
	var v runJSON
	hlocc(t, "run", plain, "--tokens", prompt, "-n", "0", "--stats", "--json").object(t, &v)
	if v.Stop != "length" || v.Tokens == nil || len(v.Tokens) != 0 || v.Stats == nil || v.Stats.Load <= 0 || v.Stats.PeakRSS <= 0 {
		t.Errorf("no new tokens: %+v", v)
	}
}

// The model's end-of-text token, byte 2 here, ends a generation and is part of
// the tokens but not of the text.
func TestRunStops(t *testing.T) {
	_, tok := bundles(t)
	var long runJSON
	hlocc(t, "run", tok, "--json", "--ignore-eos", "--tokens", "7", "-n", "500").object(t, &long)
	if len(long.Tokens) != 128 || long.Stop != "length" { // 127 more fit, and the one after them is known
		t.Errorf("%d tokens, stop %s", len(long.Tokens), long.Stop)
	}
	found := false
	for first := range int32(256) {
		var v runJSON
		hlocc(t, "run", tok, "--json", "--tokens", strconv.Itoa(int(first)), "-n", "127").object(t, &v)
		if v.Stop == "eos" {
			found = true
			if v.Tokens[len(v.Tokens)-1] != 2 || slices.Contains(v.Tokens[:len(v.Tokens)-1], 2) || strings.Contains(*v.Text, "<end>") {
				t.Errorf("%+v", v)
			}
			break
		}
	}
	if !found {
		t.Error("no prompt of one token ends by itself")
	}
}

func TestRunText(t *testing.T) {
	_, tok := bundles(t)
	var v runJSON
	hlocc(t, "run", tok, "Hé!", "-n", "20", "--json", "--ignore-eos").object(t, &v)
	if want := []int32{'H', 0xc3, 0xa9, '!'}; !slices.Equal(v.Prompt, want) || len(v.Tokens) != 20 || v.Text == nil {
		t.Fatalf("%+v", v)
	}
	plain := hlocc(t, "run", tok, "Hé!", "-n", "20", "--ignore-eos")
	if plain.code != 0 || plain.out != *v.Text+"\n" {
		t.Errorf("streamed %q, JSON %q", plain.out, *v.Text)
	}
	if r := hloccIn(t.Context(), "Hé!", "run", tok, "-", "-n", "20", "--ignore-eos"); r.out != plain.out || r.code != 0 {
		t.Errorf("from standard input: %+v", r)
	}
}

func TestRunErrors(t *testing.T) {
	plain, tok := bundles(t)
	for _, c := range []struct {
		code int
		says string
		args []string
	}{
		{3, "--tokens", []string{plain, "some text"}},
		{4, "empty", []string{tok, ""}},
		{4, "empty", []string{plain, "--tokens", ""}},
		{4, "0 to 255", []string{plain, "--tokens", "1,256"}},
		{4, "not a token id", []string{plain, "--tokens", "1,-2"}},
		{4, "at most 128", []string{plain, "--tokens", strings.Repeat("1,", 128) + "1"}},
		{4, "UTF-8", []string{tok, "a\xff"}},
		{3, "vax", []string{plain, "--tokens", "1", "--target", "vax"}},
		{4, "", []string{filepath.Join(t.TempDir(), "none.hlocc"), "--tokens", "1"}},
		{4, "", []string{fixtures.OracleFile(t, "llama"), "--tokens", "1"}},
	} {
		r := hlocc(t, append([]string{"run", "--json"}, c.args...)...)
		if e := r.failure(t, c.code); !strings.Contains(fmt.Sprintf("%+v", e), c.says) {
			t.Errorf("%q: %+v does not say %q", c.args, e, c.says)
		}
		if r.out != "" {
			t.Errorf("%q: stdout %q", c.args, r.out)
		}
		if p := hlocc(t, append([]string{"run"}, c.args...)...); p.code != c.code || !strings.HasPrefix(p.err, "hlocc: ") {
			t.Errorf("%q without --json: %+v", c.args, p)
		}
	}
}

func TestCancelledRun(t *testing.T) {
	plain, _ := bundles(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := hloccIn(ctx, "", "run", plain, "--tokens", "1", "--json")
	var v runJSON
	decodeOne(t, r.out, &v)
	if v.Stop != "cancel" || len(v.Tokens) != 0 {
		t.Errorf("%+v", v)
	}
	if e := r.failure(t, 130); e.Code != "cancelled" {
		t.Errorf("%+v", e)
	}
}

// damaged copies a bundle with one byte changed, or cut short if at is negative.
func damaged(t *testing.T, path string, at func(r *bundle.Reader) int64) string {
	t.Helper()
	r, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	offset := at(r)
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if offset < 0 {
		data = data[:int64(len(data))+offset]
	} else {
		data[offset] ^= 0x10
	}
	out := filepath.Join(t.TempDir(), "damaged.hlocc")
	if err := os.WriteFile(out, data, 0o644); err != nil {
		t.Fatal(err)
	}
	return out
}

func part(path string) func(*bundle.Reader) int64 {
	return func(r *bundle.Reader) int64 {
		for _, p := range r.Contents() {
			if p.Path == path || path == "module" && strings.HasSuffix(p.Path, ".vmfb") {
				return p.Offset + p.Stored/2
			}
		}
		return 0
	}
}

func TestDamagedBundles(t *testing.T) {
	plain, _ := bundles(t)
	if r := hlocc(t, "verify", plain); r.code != 0 || !strings.Contains(r.out, "sha256:") {
		t.Fatalf("%+v", r)
	}
	var ok struct {
		OK       bool
		Problems []any
		Bytes    int64
	}
	r := hlocc(t, "verify", plain, "--json")
	if r.object(t, &ok); !ok.OK || ok.Problems == nil || len(ok.Problems) != 0 || ok.Bytes == 0 {
		t.Errorf("%s", r.out)
	}
	for name, c := range map[string]struct {
		at   func(*bundle.Reader) int64
		open bool // the damage shows when the bundle is opened
	}{
		"cut short":      {func(*bundle.Reader) int64 { return -1 }, true},
		"cut in half":    {func(r *bundle.Reader) int64 { return -r.Size() / 2 }, true},
		"header":         {func(*bundle.Reader) int64 { return 9 }, true},
		"manifest":       {part("manifest"), true},
		"module":         {part("module"), true},
		"weights":        {part("weights"), false},
		"directory":      {part("directory"), true},
		"text":           {part("text/config.json"), true},
		"graph's text":   {part("graphs/decode.mlir"), true},
		"first of all":   {func(*bundle.Reader) int64 { return 0 }, true},
		"last directory": {func(r *bundle.Reader) int64 { return r.Size() - 1 }, true},
	} {
		t.Run(name, func(t *testing.T) {
			path := damaged(t, plain, c.at)
			v := hlocc(t, "verify", path, "--json")
			code := 5
			if name == "first of all" { // then it is no bundle
				code = 4
			}
			v.failure(t, code)
			run := hlocc(t, "run", path, "--tokens", "1", "-n", "1")
			if c.open && run.code != code || !c.open && run.code != 0 {
				t.Errorf("run: %+v", run)
			}
			if run = hlocc(t, "run", path, "--tokens", "1", "-n", "1", "--verify"); run.code != code {
				t.Errorf("run --verify: %+v", run)
			}
		})
	}
}
