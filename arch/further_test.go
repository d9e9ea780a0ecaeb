package arch

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/internal/safetensors"
)

// Tensors of layers that the config does not count are left out if the layer has
// the marker, and refused if it looks like one of the model's.
func TestFurtherLayers(t *testing.T) {
	dir := t.TempDir()
	var file bytes.Buffer
	tensors := []safetensors.Out{counting("l.0.w", 0, 2), counting("l.1.w", 0, 2), counting("l.2.w", 0, 2), counting("l.2.mark", 0, 1),
		counting("l.3.w", 0, 2), counting("l.02.mark", 0, 1), counting("l.02.w", 0, 1), counting("l.mark", 0, 1), counting("l.-3.mark", 0, 1)}
	if err := safetensors.Write(&file, nil, tensors); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, safetensors.SingleName), file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	ckpt, err := safetensors.OpenCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer ckpt.Close()
	f := &Further{Layer: "l.*.", Marker: "mark"}
	for _, test := range []struct {
		name   string
		layers int
		want   bool
	}{
		{"l.2.w", 2, true}, {"l.2.mark", 2, true}, {"l.2.w", 3, false}, {"l.1.w", 1, false}, {"l.3.w", 2, false},
		{"l.02.w", 2, false}, {"l.mark", 0, false}, {"l.-3.mark", 0, false}, {"other", 0, false},
	} {
		if got := f.has(test.name, test.layers, ckpt); got != test.want {
			t.Errorf("%s of a model with %d layers: %v, want %v", test.name, test.layers, got, test.want)
		}
	}
}
