package arch

import (
	"testing"
)

// Tensors of layers that the config does not count are left out if the layer has
// the marker, and refused if it looks like one of the model's.
func TestFurtherLayers(t *testing.T) {
	_, ckpt := checkpointOf(t, counting("l.0.w", 0, 2), counting("l.1.w", 0, 2), counting("l.2.w", 0, 2), counting("l.2.mark", 0, 1),
		counting("l.3.w", 0, 2), counting("l.02.mark", 0, 1), counting("l.02.w", 0, 1), counting("l.mark", 0, 1), counting("l.-3.mark", 0, 1))
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
