package families_test

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/fixtures"
)

// A config that transformers 5 has read and saved again means what it meant: the
// keys have other names and places, and all defaults are there.
func TestAsTransformers5Saves(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "transformers5.jsonl")) // see tools/oracles/configs.py
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for line := range bytes.Lines(text) {
		var saved struct {
			Fixture string
			Config  json.RawMessage
		}
		if err := json.Unmarshal(line, &saved); err != nil {
			t.Fatal(err)
		}
		seen[saved.Fixture] = true
		published, err := os.ReadFile(filepath.Join(fixtures.Dir(t, saved.Fixture), "config.json"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := spec(string(published))
		if err != nil {
			t.Fatal(err)
		}
		got, err := spec(string(saved.Config))
		if err != nil {
			t.Errorf("%s: %v", saved.Fixture, err)
			continue
		}
		if bytes.Contains(saved.Config, []byte(`"text_config"`)) {
			got.Head.Tied = want.Head.Tied // saved twice, with two meanings: the checkpoint decides
		}
		g, _ := json.Marshal(got)
		w, _ := json.Marshal(want)
		if !bytes.Equal(g, w) {
			t.Errorf("%s:\n%s, want\n%s", saved.Fixture, g, w)
		}
	}
	if len(seen) < 60 {
		t.Errorf("only %d configs", len(seen))
	}
}
