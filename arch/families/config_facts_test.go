package families_test

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
)

// A configCase is a config.json and the facts that make its Spec.
type configCase struct{ name, text, want string }

func checkFacts(t *testing.T, cases []configCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if got := facts(s); got != c.want {
				t.Errorf("found %s\nwant  %s", got, c.want)
			}
		})
	}
}

// facts is what sets a Spec apart from the plainest decoder, in a line.
func facts(s *arch.Spec) string {
	var out []string
	say := func(present bool, format string, args ...any) {
		if present {
			out = append(out, fmt.Sprintf(format, args...))
		}
	}
	a, b := &s.Attention, s.Block
	say(true, "%d/%dx%d", a.Heads, a.KVHeads, a.HeadDim)
	say(!near(a.Scale, 1/math.Sqrt(float64(a.HeadDim))), "scale %.6g", a.Scale)
	say(a.Softcap != 0, "cap %g", a.Softcap)
	say(a.Clip != 0, "clip %g", a.Clip)
	bias := ""
	for i, p := range []bool{a.Bias.Q, a.Bias.K, a.Bias.V, a.Bias.O, s.MLP.Bias, s.Head.Bias} {
		if p {
			bias += "qkvomh"[i : i+1]
		}
	}
	say(bias != "", "bias %s", bias)
	n := s.Norm
	say(true, "%s %g%s%s%s", n.Kind, n.Eps, map[bool]string{true: " 1+w"}[n.UnitOffset], map[bool]string{true: " bias"}[n.Bias], map[bool]string{true: " no w"}[n.NoWeight])
	if q := a.QKNorm; q != nil {
		say(true, "qk %s %s %g%s%s", q.Over, q.Kind, q.Eps, map[bool]string{true: " 1+w"}[q.UnitOffset], map[bool]string{true: " bias"}[q.Bias])
	}
	say(b != arch.Block{AttnNorm: true, MLPNorm: true}, "block %s", blockName(b))
	say(s.Embed.Scale != 0, "embed %.6g", s.Embed.Scale)
	say(s.Head.Softcap != 0, "head cap %g", s.Head.Softcap)
	say(s.Head.Tied, "tied")
	say(s.MLP.Activation != arch.SiLU || s.MLP.Plain, "%s%s", s.MLP.Activation, map[bool]string{true: " plain"}[s.MLP.Plain])
	for _, r := range s.RoPE {
		say(true, "%s %g", r.Kind, r.Theta)
		say(r.Dims != a.HeadDim, "dims %d", r.Dims)
		say(r.Interleaved, "interleaved")
		say(r.Factor != 0, "factor %g", r.Factor)
		say(r.OriginalMaxPositions != 0, "original %d", r.OriginalMaxPositions)
		say(r.AttentionFactor != 1, "gain %.6g", r.AttentionFactor)
	}
	say(true, "up to %d", s.MaxPositions)
	return strings.Join(out, ", ") + ": " + layerLetters(s)
}

func blockName(b arch.Block) string {
	switch b {
	case arch.Block{AttnPostNorm: true, MLPPostNorm: true}:
		return "post"
	case arch.Block{AttnNorm: true, AttnPostNorm: true, MLPNorm: true, MLPPostNorm: true}:
		return "around"
	case arch.Block{Parallel: true, SharedNorm: true, AttnNorm: true}:
		return "parallel"
	}
	return fmt.Sprintf("%+v", b)
}

// layerLetters has a letter per layer: f sees everything, s has a window (whose
// width comes at the end); in capitals if it has no rotary positions. A digit
// follows that is the rotary embedding, where it is not the first.
func layerLetters(s *arch.Spec) string {
	out, window := "", 0
	for _, l := range s.Layers {
		letter := "f"
		if l.Window > 0 {
			letter, window = "s", l.Window
		}
		switch {
		case l.RoPE == arch.NoRoPE:
			letter = strings.ToUpper(letter)
		case l.RoPE > 0:
			letter += fmt.Sprint(l.RoPE)
		}
		out += letter
	}
	if window > 0 {
		out += fmt.Sprint(" ", window)
	}
	return out
}

// A refusalCase is a config.json that must be refused, naming a key.
type refusalCase struct {
	name, text  string
	kind        diag.Kind
	where, want string
}

func checkRefusals(t *testing.T, cases []refusalCase) {
	t.Helper()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(c.text)
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("found %+v, %v", s, err)
			}
			if e.Kind != c.kind || e.Where != c.where || !strings.Contains(e.Error(), c.want) {
				t.Errorf("want kind %d at %q with %q, found kind %d: %v", c.kind, c.where, c.want, e.Kind, e)
			}
		})
	}
}

// types is a JSON array of layer types: for each letter, f or s.
func types(letters string) string {
	list := make([]string, len(letters))
	for i, l := range letters {
		list[i] = map[rune]string{'f': `"full_attention"`, 's': `"sliding_attention"`}[l]
	}
	return "[" + strings.Join(list, ",") + "]"
}
