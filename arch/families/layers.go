package families

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/hlocc/hlocc/arch"
)

// windows sets the sliding window of the layers that have one. A window that no
// context can outgrow is none: such models then share their program with models
// without windows.
func windows(s *arch.Spec, window int, sliding func(layer int) bool) {
	if window >= s.MaxPositions {
		return
	}
	for i := range s.Layers {
		if sliding(i) {
			s.Layers[i].Window = window
		}
	}
}

// slidingLayers tells for each layer whether it is of type sliding_attention:
// by layer_types, or, where there are none, by the family's own rule.
func slidingLayers(c *arch.Config, s *arch.Spec, rule func(layer int) bool) []bool {
	sliding := make([]bool, len(s.Layers))
	types := c.Strings("layer_types", len(s.Layers))
	for i := range sliding {
		switch {
		case types == nil:
			sliding[i] = rule(i)
		case types[i] == "sliding_attention":
			sliding[i] = true
		case types[i] != "full_attention":
			c.Refuse("layer_types", "layers of this type are not supported for this family (full_attention and sliding_attention are)")
		}
	}
	return sliding
}

// fullEvery is the usual rule: of each n layers, the last one sees everything.
func fullEvery(n int) func(layer int) bool {
	return func(i int) bool { return (i+1)%n != 0 }
}

// slidingWindow reads sliding_window for the sliding layers, whose masks
// transformers cannot make without one; absent is the value for a missing key, 0
// for none.
func slidingWindow(c *arch.Config, s *arch.Spec, absent int, sliding []bool) {
	window := c.Int("sliding_window", absent, 1, maxWindow)
	if c.IsNull("sliding_window") {
		window = 0
	}
	for i := range sliding {
		if sliding[i] && window == 0 {
			c.Invalid("sliding_window", fmt.Sprintf("a number of positions: layer %d is of type sliding_attention", i), "none")
		}
	}
	windows(s, window, func(i int) bool { return sliding[i] })
}

// ropeByType gives layers that see everything the first entry of Spec.RoPE, and
// sliding ones the second. An entry that no layer needs is left out.
func ropeByType(s *arch.Spec, sliding []bool) {
	if !slices.Contains(sliding, true) || reflect.DeepEqual(s.RoPE[0], s.RoPE[1]) {
		s.RoPE = s.RoPE[:1]
		return
	}
	if !slices.Contains(sliding, false) {
		s.RoPE = s.RoPE[1:]
		return
	}
	for i := range s.Layers {
		if sliding[i] {
			s.Layers[i].RoPE = 1
		}
	}
}

// withoutRoPE takes the rotary positions from some layers.
func withoutRoPE(s *arch.Spec, none func(layer int) bool) {
	rotated := false
	for i := range s.Layers {
		if none(i) {
			s.Layers[i].RoPE = arch.NoRoPE
		} else {
			rotated = true
		}
	}
	if !rotated {
		s.RoPE = nil
	}
}
