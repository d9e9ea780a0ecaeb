package decoder

import (
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

func inputRoles(t *testing.T, s *arch.Spec, o Options) string {
	t.Helper()
	g, err := portable(s, o)
	if err != nil {
		t.Fatal(err)
	}
	var roles []string
	for _, a := range g.Args() {
		roles = append(roles, a.Op().(ir.Argument).Role)
	}
	return strings.Join(roles, " ")
}

// A graph is told the length of its sequence only if the context is one in which
// sequences differ by it, and then has the tables of both.
func TestExtent(t *testing.T) {
	s := small()
	s.RoPE[0] = arch.RoPE{Kind: arch.RoPELong, Theta: 10000, Dims: 8, AttentionFactor: 1.2, OriginalMaxPositions: 63,
		ShortFactors: []float64{1, 1, 1, 1}, LongFactors: []float64{2, 3, 4, 5}}
	const kv = " kv.0.k kv.0.v kv.1.k kv.1.v"
	for _, test := range []struct {
		opts     Options
		original int
		want     string
	}{
		{options(Decode, 0), 63, "token position extent" + kv},
		{options(Prefill, 16), 63, "tokens start length extent" + kv},
		{batch(3), 63, "token position extent" + kv},
		{options(Decode, 0), 64, "token position" + kv}, // as long as the context
	} {
		s.RoPE[0].OriginalMaxPositions = test.original
		if got := inputRoles(t, s, test.opts); got != test.want {
			t.Errorf("%s, original context %d: inputs %s, want %s", test.opts.Name(), test.original, got, test.want)
		}
		if got := Switch(s, 64); got != test.original%64 {
			t.Errorf("switch at %d, want %d", got, test.original%64)
		}
		g, err := portable(s, test.opts)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range g.Params() {
			key := v.Op().(ir.Parameter).Key
			if rows := arch.RoPERows(&s.RoPE[0], 64); strings.HasPrefix(key, "rope.") && v.Type().Dim(0) != rows {
				t.Errorf("%s has %d rows, want %d", key, v.Type().Dim(0), rows)
			}
		}
	}
}

// Latent attention keeps one row for each position, whatever the number of heads.
func TestLatentCache(t *testing.T) {
	s := small()
	s.Attention = arch.Attention{Heads: 4, KVHeads: 4, HeadDim: 14, Scale: 0.25, MLA: &arch.MLA{QRank: 12, KVRank: 10, NoPE: 6, RoPE: 8, Value: 5, Eps: 1e-6}}
	o := options(Decode, 0)
	o.Weight = func(string) Stored { return Stored{DType: ir.BF16} }
	if got := inputRoles(t, s, o); got != "token position kv.0.k kv.1.k" {
		t.Errorf("inputs %s", got)
	}
	g, err := portable(s, o)
	if err != nil {
		t.Fatal(err)
	}
	if cache := g.Args()[2].Type(); cache.Dim(0) != o.Rows || cache.Dim(1) != 1 || cache.Dim(2) != 18 {
		t.Errorf("cache %v, want [%d,1,18]", cache, o.Rows)
	}
	if want := s.KVBytes(o.Rows); int64(2*g.Args()[2].Type().Bytes()) != want {
		t.Errorf("two caches have %d bytes, the Spec says %d", 2*g.Args()[2].Type().Bytes(), want)
	}
}
