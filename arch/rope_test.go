package arch

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"
)

//go:embed testdata/rope.golden
var ropeGolden string

// The specs of testdata/rope_golden.py, by name.
var ropeSpecs = map[string]Spec{
	"default":   {HeadDim: 64, MaxPositions: 2048, RoPE: RoPE{Kind: RoPEDefault, Theta: 10000, AttentionFactor: 1}},
	"theta":     {HeadDim: 128, MaxPositions: 32768, RoPE: RoPE{Kind: RoPEDefault, Theta: 1000000, AttentionFactor: 1}},
	"odd":       {HeadDim: 80, MaxPositions: 4096, RoPE: RoPE{Kind: RoPEDefault, Theta: 640000, AttentionFactor: 1}},
	"linear":    {HeadDim: 16, MaxPositions: 128, RoPE: RoPE{Kind: RoPELinear, Theta: 10000, Factor: 4, AttentionFactor: 1}},
	"dynamic":   {HeadDim: 128, MaxPositions: 32768, RoPE: RoPE{Kind: RoPEDynamic, Theta: 50000000, Factor: 6, AttentionFactor: 1}},
	"dynamic23": {HeadDim: 96, MaxPositions: 1000, RoPE: RoPE{Kind: RoPEDynamic, Theta: 10000, Factor: 2.3, AttentionFactor: 1}},
	"llama3": {HeadDim: 128, MaxPositions: 131072, RoPE: RoPE{Kind: RoPELlama3, Theta: 500000, Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4,
		OriginalMaxPositions: 8192, AttentionFactor: 1}},
	"llama3tiny": {HeadDim: 32, MaxPositions: 128, RoPE: RoPE{Kind: RoPELlama3, Theta: 500000, Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4,
		OriginalMaxPositions: 32, AttentionFactor: 1}},
	"yarn": {HeadDim: 128, MaxPositions: 131072, RoPE: RoPE{Kind: RoPEYarn, Theta: 1000000, Factor: 4, OriginalMaxPositions: 32768,
		BetaFast: 32, BetaSlow: 1, Truncate: true, AttentionFactor: yarnScale(4, 1)}},
	"yarntiny": {HeadDim: 32, MaxPositions: 128, RoPE: RoPE{Kind: RoPEYarn, Theta: 10000, Factor: 4, OriginalMaxPositions: 16,
		BetaFast: 32, BetaSlow: 1, Truncate: true, AttentionFactor: 1}},
	"yarnexact": {HeadDim: 64, MaxPositions: 131072, RoPE: RoPE{Kind: RoPEYarn, Theta: 150000, Factor: 32, OriginalMaxPositions: 4096,
		BetaFast: 32, BetaSlow: 1, AttentionFactor: yarnScale(32, 1)}},
	"query":  {QueryScale: &QueryScale{Beta: 0.1, Original: 16}},
	"query3": {QueryScale: &QueryScale{Beta: 0.1, Original: 16384}},
}

var ropeContexts = map[string]int{"default": 700, "odd": 300, "linear": 128, "llama3tiny": 128, "yarntiny": 128, "query": 4096, "query3": 262144}

func hashFloats(f []float32) string {
	h := sha256.New()
	var b [4]byte
	for _, v := range f {
		binary.LittleEndian.PutUint32(b[:], math.Float32bits(v))
		h.Write(b[:])
	}
	return hex.EncodeToString(h.Sum(nil))
}

// The tables have the bits that an independent computation with 60 digits gives,
// on every machine and with every GOAMD64.
func TestRoPEGoldens(t *testing.T) {
	lines := bufio.NewScanner(bytes.NewReader([]byte(ropeGolden)))
	seen := 0
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		s, ok := ropeSpecs[f[0]]
		if !ok {
			t.Fatalf("golden %s has no spec", f[0])
		}
		seen++
		context := ropeContexts[f[0]]
		if context == 0 {
			context = 200
		}
		if s.QueryScale != nil {
			if got := hashFloats(QueryScaleTable(&s, context)); got != f[1] {
				t.Errorf("%s: query scale: want %s, found %s", f[0], f[1], got)
			}
			continue
		}
		cos, sin := RoPETables(&s, context)
		for i, table := range [][]float32{InverseFrequencies(&s), cos, sin} {
			if got := hashFloats(table); got != f[i+1] {
				t.Errorf("%s: %s: want %s, found %s", f[0], []string{"frequencies", "cos", "sin"}[i], f[i+1], got)
			}
		}
	}
	if seen != len(ropeSpecs) {
		t.Errorf("%d goldens for %d specs", seen, len(ropeSpecs))
	}
}

func TestRoPETableShape(t *testing.T) {
	s := ropeSpecs["linear"]
	cos, sin := RoPETables(&s, 10)
	if len(cos) != 10*8 || len(sin) != len(cos) {
		t.Fatalf("found %d and %d entries, want 80", len(cos), len(sin))
	}
	for i := range 8 {
		if cos[i] != 1 || sin[i] != 0 {
			t.Errorf("position 0, pair %d: cos %v, sin %v", i, cos[i], sin[i])
		}
	}
	// The table of a shorter context is the start of that of a longer one.
	longer, _ := RoPETables(&s, 20)
	for i, v := range cos {
		if v != longer[i] {
			t.Fatalf("entry %d depends on the context", i)
		}
	}
	if QueryScaleTable(&s, 10) != nil {
		t.Error("query scale without a rule for it")
	}
}

func TestRoPETablesPanicOutsideContext(t *testing.T) {
	for _, context := range []int{0, -1, 129} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("context %d: no panic", context)
				}
			}()
			s := ropeSpecs["linear"]
			RoPETables(&s, context)
		}()
	}
}
