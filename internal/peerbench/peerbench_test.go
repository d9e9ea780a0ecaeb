package main

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTables: contests name bundles and model files that exist, and have what the
// results are made of.
func TestTables(t *testing.T) {
	script, err := os.ReadFile("../../tools/peers/build.sh")
	if err != nil {
		t.Fatal(err)
	}
	convert, err := os.ReadFile("../../tools/peers/convert.py")
	if err != nil {
		t.Fatal(err)
	}
	made := func(model string) bool {
		if kind, head, ok := strings.Cut(strings.TrimSuffix(model, ".gguf"), "-"); strings.HasSuffix(model, ".gguf") && ok {
			return strings.Contains(string(script), "$type-"+head+".gguf") && strings.Contains(string(script), kind)
		}
		return strings.Contains(string(convert), `"`+model+`"`)
	}
	titles := map[string]bool{}
	for _, c := range contests {
		if titles[c.title] {
			t.Errorf("two contests are called %q", c.title)
		}
		titles[c.title] = true
		if bundles[c.ours] == nil || len(c.metrics) == 0 || len(c.peers) == 0 {
			t.Errorf("%s: unknown bundle %q, or no metrics, or no contenders", c.title, c.ours)
		}
		for _, p := range c.peers {
			for _, v := range p.variants {
				if !made(v.model) {
					t.Errorf("%s: tools/peers does not make %s", p.name, v.model)
				}
				_, err := os.Stat("../../tools/peers/run_" + v.engine + ".py")
				if v.engine != "llama" && err != nil {
					t.Errorf("%s: no runner for %s", p.name, v.engine)
				}
			}
		}
	}
	for _, name := range ourModels {
		if bundles[name] == nil {
			t.Errorf("perplexity of %q, which is no bundle", name)
		}
	}
}

// scripted gives the figures it was told to, in turn.
type scripted struct {
	name   string
	decode []float64
	log    *[]string
	fail   error
}

func (s *scripted) measure(context.Context, int, workload) (figures, error) {
	*s.log = append(*s.log, s.name)
	if s.fail != nil {
		return figures{}, s.fail
	}
	v := s.decode[0]
	s.decode = s.decode[1:]
	return figures{Decode: v, LoadMS: v}, nil
}

func TestPlay(t *testing.T) {
	var log []string
	engines := map[string]*scripted{
		"slow": {name: "slow", decode: []float64{10, 10, 10, 10}, log: &log},
		"fast": {name: "fast", decode: []float64{20, 25, 40, 50}, log: &log},
		"bad":  {name: "bad", fail: errors.New("broken"), log: &log},
	}
	c := contest{title: "race", work: workload{8, 64, 1}, metrics: []metric{decode, load}, goal: 2, peers: []contender{
		{"two ways", []variant{{engine: "slow"}, {engine: "fast", option: "1"}}},
		{"another", []variant{{engine: "bad"}}},
	}}
	ours := &scripted{name: "ours", decode: []float64{40, 100, 40, 100}, log: &log}
	got, err := play(context.Background(), c, ours, func(v variant) engine { return engines[v.engine] }, 2, 4)
	if err == nil || !strings.Contains(err.Error(), "race, another: broken") {
		t.Errorf("error %v", err)
	}
	if order := strings.Join(log, " "); order != "ours slow fast bad fast slow ours ours fast fast ours" {
		t.Errorf("order %s", order)
	}
	if len(got) != 2 {
		t.Fatalf("%d results", len(got))
	}
	r := got[0]
	if r.Against != "two ways" || r.Variant != "1" || r.Threads != 2 || r.Pairs != 4 || r.Goal != 2 {
		t.Errorf("result %+v", r)
	}
	// Ratios 2, 4, 1, 2: not the ratio of the medians.
	if r.Ratio != (quartiles{2, 1.75, 2.5}) || r.Ours.Median != 70 || r.Theirs.Median != 32.5 {
		t.Errorf("ratio %+v of %v and %v", r.Ratio, r.Ours, r.Theirs)
	}
	if inverse := got[1].Ratio; math.Abs(inverse.Median-0.5) > 1e-12 {
		t.Errorf("where less is better: ratio %+v", inverse)
	}
}

func TestPlayOurFailure(t *testing.T) {
	var log []string
	c := contest{title: "race", metrics: []metric{decode}, peers: []contender{{"one", []variant{{engine: "one"}}}}}
	one := &scripted{name: "one", decode: []float64{1, 2}, log: &log}
	reason := errors.New("no batches")
	_, err := play(context.Background(), c, &scripted{fail: reason, log: &log}, func(variant) engine { return one }, 1, 2)
	var ours ourFailure
	if !errors.As(err, &ours) || !errors.Is(err, reason) {
		t.Errorf("error %v", err)
	}
}

func TestQuantile(t *testing.T) {
	for _, c := range []struct {
		v       []float64
		q, want float64
	}{{[]float64{7}, 0.5, 7}, {[]float64{3, 1, 2}, 0.5, 2}, {[]float64{4, 1, 3, 2}, 0.25, 1.75}, {[]float64{4, 1}, 1, 4}} {
		if got := quantile(c.v, c.q); got != c.want {
			t.Errorf("quantile(%v, %v) = %v, want %v", c.v, c.q, got, c.want)
		}
	}
}

func TestLlamaOutput(t *testing.T) {
	got, err := benchFigures([]byte(`[{"n_prompt": 0, "n_gen": 64, "avg_ts": 9, "samples_ts": [69.5, 73.25, 71.5]}]`))
	if err != nil || got != (figures{Decode: 71.5}) {
		t.Errorf("%+v, %v", got, err)
	}
	got, err = benchFigures([]byte(`[{"n_prompt": 128, "n_gen": 0, "samples_ts": [500]}]`))
	if err != nil || got != (figures{Prefill: 500}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err = benchFigures([]byte(`[]`)); err == nil {
		t.Error("nothing is taken for figures")
	}
	got, err = batchedFigures([]byte("main: n_kv_max = 2048\n\n{\"pl\": 8, \"speed_pp\": 300, \"speed_tg\": 100}\n{\"pl\": 8, \"speed_pp\": 400, \"speed_tg\": 110}\n"))
	if err != nil || got != (figures{Prefill: 350, Decode: 105}) {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err = batchedFigures([]byte("failed\n")); err == nil {
		t.Error("nothing is taken for figures")
	}
}

// TestOutput: the error of a program says what the program said.
func TestOutput(t *testing.T) {
	_, err := output(context.Background(), "sh", "-c", "echo one >&2; echo two >&2; exit 3")
	if err == nil || !strings.Contains(err.Error(), "exit status 3: one; two") {
		t.Errorf("error %v", err)
	}
	out, err := piped(context.Background(), []byte("text"), "cat")
	if err != nil || string(out) != "text" {
		t.Errorf("%q, %v", out, err)
	}
}

func example() *report {
	r := &report{Date: "2026-11-21", Rounds: 9, Peers: []string{"engine==1.0"}, Machine: machine{CPU: "A & B <CPU>", CPUs: 2, LoadBefore: "0.10"}}
	for _, threads := range []int{1, 2} {
		r.Results = append(r.Results,
			result{Contest: "decode", Metric: "decode", Unit: "tokens/s", Threads: threads, Against: "other", Ours: quartiles{150, 140, 160},
				Theirs: quartiles{100, 90, 110}, Ratio: quartiles{1.5, 1.25, 1.75}, Pairs: 9, Goal: 1.4},
			result{Contest: "start", Metric: "load", Unit: "ms", Threads: threads, Against: "other", Ours: quartiles{20, 20, 20},
				Theirs: quartiles{200, 200, 200}, Ratio: quartiles{10, 10, 10}, Pairs: 9, LessWins: true})
	}
	r.Skipped = []skipped{{"prefill", "no such graph"}}
	return r
}

func TestMarkdown(t *testing.T) {
	got := example().markdown()
	for _, want := range []string{
		"| decode | 2 | 150 tokens/s | other | 100 | **1.50** | 1.25 to 1.75 | 1.4, met |\n",
		"| start: load | 1 | 20.0 ms | other | 200 | **10.00** | 10.00 to 10.00 | - |\n",
		"Not measured: prefill (no such graph).\n",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no line %q in\n%s", want, got)
		}
	}
	q := (&report{Text: &text{"t.txt", 100, 64}, Quality: []quality{{"a", 20}, {"b", 21}}}).markdown()
	if !strings.Contains(q, "| a | 20.000 | +0.00% |\n| b | 21.000 | +5.00% |\n") {
		t.Errorf("perplexity:\n%s", q)
	}
}

// TestChart: well-formed, the same for the same figures, one bar for each result
// of speed, and as long as its ratio.
func TestChart(t *testing.T) {
	got := drawChart(example())
	if !bytes.Equal(got, drawChart(example())) {
		t.Error("drawn twice, it differs")
	}
	d := xml.NewDecoder(bytes.NewReader(got))
	var bars []string
	for {
		tok, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not XML: %v\n%s", err, got)
		}
		e, ok := tok.(xml.StartElement)
		if !ok || e.Name.Local != "rect" {
			continue
		}
		a := map[string]string{}
		for _, x := range e.Attr {
			a[x.Name.Local] = x.Value
		}
		if a["height"] == "12" && a["x"] == "330" {
			bars = append(bars, a["width"])
		}
	}
	// The axis ends at 2, 430 pixels away.
	if !slices.Equal(bars, []string{"322.5", "322.5"}) {
		t.Errorf("bars %v", bars)
	}
	if bytes.Contains(got, []byte("%!")) || !bytes.Contains(got, []byte("A &amp; B &lt;CPU&gt;")) {
		t.Errorf("bad text in\n%s", got)
	}
}

func TestWrite(t *testing.T) {
	out, docs := t.TempDir(), t.TempDir()
	page := filepath.Join(docs, "measurements.md")
	if err := os.WriteFile(page, []byte("before\n<!-- peers -->\nold\n<!-- /peers -->\nafter\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the second replaces what the first wrote
		if err := example().write(out, docs); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	if want := "before\n<!-- peers -->\n" + example().markdown() + "<!-- /peers -->\nafter\n"; string(got) != want {
		t.Errorf("page:\n%s", got)
	}
	for _, file := range []string{filepath.Join(out, "peers.json"), filepath.Join(out, "peers.md"), filepath.Join(out, "peers.svg"), filepath.Join(docs, "peers.svg")} {
		if b, err := os.ReadFile(file); err != nil || len(b) == 0 {
			t.Errorf("%s: %d bytes, %v", file, len(b), err)
		}
	}
	if err := os.WriteFile(page, []byte("<!-- /peers -->\n<!-- peers -->\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := example().write(out, docs); err == nil {
		t.Error("a page without its place is accepted")
	}
}

// TestPinnedPeers: the report names the engines' versions.
func TestPinnedPeers(t *testing.T) {
	got := pinnedPeers("../../tools/requirements")
	for i, name := range []string{"llama-cpp-python==", "onnxruntime==", "onnxruntime-genai==", "openvino-genai=="} {
		if i >= len(got) || !strings.HasPrefix(got[i], name) {
			t.Fatalf("versions %q", got)
		}
	}
}
