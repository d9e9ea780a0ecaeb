package evaluate

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/hlocc/hlocc/bundle"
)

// traffic is what decoding has to read from memory.
type traffic struct {
	manifest *bundle.Manifest
	spec     struct { // of manifest.Spec
		Head struct{ Tied bool }
		MoE  *struct {
			Experts int
			TopK    int `json:"top_k"`
		}
		Layers []struct{ Window int }
	}
}

func newTraffic(m *bundle.Manifest) (*traffic, error) {
	t := &traffic{manifest: m}
	if len(m.Spec) == 0 {
		return t, nil
	}
	if err := json.Unmarshal(m.Spec, &t.spec); err != nil {
		return nil, fmt.Errorf("the spec of the bundle: %w", err)
	}
	return t, nil
}

// weights is the number of bytes of weights that a step of n sequences reads: all, but
// for tables of which it looks up a row for each sequence, and experts that no sequence
// chose. Sequences are taken to choose different ones as long as there are any.
func (t *traffic) weights(n int) int64 {
	var sum int64
	for _, w := range t.manifest.Weights {
		switch {
		case strings.HasPrefix(w.Name, "rope."), w.Name == "query_scale", strings.HasPrefix(w.Name, "embed.") && !t.tied(w.Name):
		case t.spec.MoE != nil && t.spec.MoE.Experts > 0 && strings.Contains(w.Name, ".experts."):
			sum += w.Length * int64(min(n*t.spec.MoE.TopK, t.spec.MoE.Experts)) / int64(t.spec.MoE.Experts)
		default:
			sum += w.Length
		}
	}
	return sum
}

// tied says that a table of the embedding is the head's matrix, too.
func (t *traffic) tied(name string) bool {
	return t.spec.Head.Tied && strings.HasPrefix(name, "embed.weight")
}

// cache is the number of bytes of the cache that one sequence reads when it has n
// tokens: the rows that its layers attend to.
func (t *traffic) cache(n int) int64 {
	var sum int64
	for _, kv := range t.manifest.Model.KV {
		rows := n
		var layer int
		if _, err := fmt.Sscanf(kv.Role, "kv.%d.", &layer); err == nil && layer >= 0 && layer < len(t.spec.Layers) && t.spec.Layers[layer].Window > 0 {
			rows = min(rows, t.spec.Layers[layer].Window)
		}
		sum += kv.Bytes() / int64(kv.Shape[0]) * int64(rows)
	}
	return sum
}
