package oracle

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/diag"
)

const top = `{"model_class":"LlamaForCausalLM","max_new_tokens":48,"cases":[{"name":"capital","prompt":"The capital","prompt_ids":[5,3],"new_ids":[1,2],
	"text":"x","stop":"eos","top5":[{"ids":[1,0],"logits":[3.5,2],"lse":4},{"ids":[2,0],"logits":[3,1],"lse":3.2}]}]}`

func TestLoadFixtures(t *testing.T) {
	for _, name := range fixtures.Names(t) {
		o, err := Load(fixtures.OracleFile(t, name))
		if err != nil {
			t.Fatal(err)
		}
		if o.Name != name || len(o.Cases) < 2 {
			t.Errorf("%s: %s, %d cases", name, o.Name, len(o.Cases))
		}
		for _, c := range o.Cases {
			if n := len(c.Prompt); n == 0 || len(c.Logits) != n || len(c.New) != 16 || len(c.LastLogits) != len(c.Logits[0]) || c.MaxTokens() != n+16 || c.StopsAtEOS {
				t.Errorf("%s, %s: %d ids, %d rows, %d new", name, c.Name, n, len(c.Logits), len(c.New))
			}
		}
		if name == "llama" && (len(o.Cases[0].Prompt) != 22 || len(o.Cases[0].Logits[0]) != 256) {
			t.Errorf("%s: %d ids, %d logits", name, len(o.Cases[0].Prompt), len(o.Cases[0].Logits[0]))
		}
	}
}

func TestTopFormat(t *testing.T) {
	o, _, err := parse([]byte(top))
	if err != nil {
		t.Fatal(err)
	}
	c := &o.Cases[0]
	if c.Name != "capital" || len(c.Prompt) != 2 || !c.StopsAtEOS || c.Logits != nil || len(c.Top) != 2 {
		t.Fatalf("%+v", c)
	}
	run := func(first []float32, id int32, second []float32) Result {
		k := NewCheck(c)
		k.PromptRow(0, first) // nothing to compare with
		k.Step(0, first, id)
		if second != nil {
			k.Step(1, second, 2)
		}
		return k.Result()
	}
	good := []float32{2, 3.5005, 0, 0}
	if r := run(good, 1, []float32{1, 0, 3, 0}); !r.Pass() || r.TokensAgree != 2 || r.TokensTotal != 2 || math.Abs(r.MaxAbsDLogit-5e-4) > 1e-6 || r.Tolerance != TopTolerance {
		t.Errorf("good: %+v", r)
	}
	for name, r := range map[string]Result{
		"new token 0: want id 1, found 0":            run(good, 0, []float32{1, 0, 3, 0}),
		"new token 1: logit 2: want 3, found 3.0015": run(good, 1, []float32{1, 0, 3.0015, 0}),
		"only 1 of 2 rows were compared":             run(good, 1, nil),
		"the oracle has id 2, the model 2 logits":    run(good, 1, []float32{1, 0}),
		"new token 1: logit 0: want 1, found NaN":    run(good, 1, []float32{float32(math.NaN()), 0, 3, 0}),
	} {
		if r.Pass() || !strings.Contains(r.Problem, name) {
			t.Errorf("want %q, found %+v", name, r)
		}
		if _, err := json.Marshal(r); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFullCheck(t *testing.T) {
	c := Case{Name: "x", Prompt: []int32{1}, Logits: [][]float32{{0, 100, -100}}, New: []int32{1, 0}, LastLogits: []float32{3, 2, 1}}
	run := func(delta float32, last []float32) Result {
		k := NewCheck(&c)
		row := []float32{0, 100 + delta, -100}
		k.PromptRow(0, row)
		k.Step(0, row, 1)
		k.Step(1, last, 0)
		return k.Result()
	}
	// The standard deviation of the first row is 81.65.
	if r := run(0.0081, []float32{3, 2, 1}); !r.Pass() || math.Abs(r.Tolerance-0.0081650) > 1e-6 {
		t.Errorf("within: %+v", r)
	}
	if r := run(0.0083, []float32{3, 2, 1}); r.Pass() {
		t.Errorf("outside: %+v", r)
	}
	if r := run(0, []float32{3, 2, 1.0002}); r.Pass() || r.Tolerance != 1e-4 || !strings.Contains(r.Problem, "new token 1: logit 2") {
		t.Errorf("last row: %+v", r)
	}
	if r := run(0, []float32{3, 2}); r.Pass() {
		t.Errorf("short row: %+v", r)
	}
}

func TestLoadErrors(t *testing.T) {
	for text, want := range map[string]string{
		`{`:              "not an oracle file",
		`{"cases":[]}`:   "no cases",
		`{"cases":[{}]}`: "no prompt ids",
		`{"cases":[{"prompt":[1.5],"greedy":[1],"logits":[[1]]}]}`:                        "want token ids",
		`{"cases":[{"prompt":[1],"logits":[[1]]}]}`:                                       "no expected ids",
		`{"cases":[{"prompt":[1],"greedy":[1]}]}`:                                         "neither logits nor top5",
		`{"cases":[{"prompt":[1,2],"greedy":[1],"logits":[[1]]}]}`:                        "1 rows of logits for 2 prompt ids",
		`{"cases":[{"prompt":[1,2],"greedy":[1],"logits":[[1],[1,2]]}]}`:                  "logits[1] has 2 entries",
		`{"cases":[{"prompt_ids":[1],"new_ids":[1],"top5":[]}]}`:                          "0 rows of top5 for 1 new ids",
		`{"cases":[{"prompt_ids":[1],"new_ids":[1],"top5":[{"ids":[1],"logits":[]}]}]}`:   "1 ids and 0 logits",
		`{"cases":[{"prompt_ids":[1],"new_ids":[1],"top5":[{"ids":[-1],"logits":[1]}]}]}`: "negative id",
	} {
		path := filepath.Join(t.TempDir(), "oracle.json")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if _, err := Load(path); diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, found %v", text, want, err)
		}
	}
	if _, err := Load(filepath.Join(t.TempDir(), "none")); diag.KindOf(err) != diag.BadInput {
		t.Errorf("missing file: %v", err)
	}
	// A link to itself cannot be read by anybody, root included.
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink(loop, loop); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(loop); diag.KindOf(err) != diag.Failed {
		t.Errorf("unreadable file: %v", err)
	}
}
