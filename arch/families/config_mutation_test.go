package families_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/diag"
)

// Every family survives any value of any key that some family knows: the config is
// refused with a diagnostic, or its Spec is valid.
func TestAnyValueOfAnyKey(t *testing.T) {
	values := []string{`null`, `0`, `-1`, `1`, `0.5`, `1e300`, `true`, `"x"`, `[]`, `["full_attention"]`, `["sliding_attention","sliding_attention"]`,
		`{}`, `{"rope_type":"yarn","factor":2}`, `{"full_attention":{},"sliding_attention":null}`}
	configs, keys := map[string]map[string]any{}, map[string]bool{}
	for _, name := range fixtures.Names(t) {
		var config map[string]any
		if err := json.Unmarshal([]byte(changed(t, name)), &config); err != nil {
			t.Fatal(err)
		}
		configs[config["model_type"].(string)] = config
		for key := range config {
			keys[key] = true
		}
	}
	valid := 0
	for _, family := range slices.Sorted(maps.Keys(configs)) {
		for _, key := range slices.Sorted(maps.Keys(keys)) {
			others := maps.Clone(configs[family])
			delete(others, key)
			text, err := json.Marshal(others)
			if err != nil {
				t.Fatal(err)
			}
			for _, value := range values {
				s, err := spec(fmt.Sprintf("%s,%q:%s}", strings.TrimSuffix(string(text), "}"), key, value))
				var e *diag.Error
				switch {
				case err != nil && (!errors.As(err, &e) || e.Message == "" || e.Kind == diag.Failed):
					t.Errorf("%s, %s = %s: error without a diagnostic: %v", family, key, value, err)
				case err == nil && s.Validate() != nil:
					t.Errorf("%s, %s = %s: %v", family, key, value, s.Validate())
				case err == nil:
					valid++
				}
			}
		}
	}
	if valid == 0 {
		t.Error("no config was accepted")
	}
	t.Logf("%d families, %d keys, %d values each; %d valid", len(configs), len(keys), len(values), valid)
}
