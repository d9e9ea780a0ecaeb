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

	"github.com/hlocc/hlocc/internal/detmath"
)

//go:embed testdata/rope.golden
var ropeGolden string

// The parameters of testdata/rope_golden.py, by name.
var ropes = map[string]RoPE{
	"default":   {Dims: 64, Kind: RoPEDefault, Theta: 10000, AttentionFactor: 1},
	"theta":     {Dims: 128, Kind: RoPEDefault, Theta: 1000000, AttentionFactor: 1},
	"odd":       {Dims: 80, Kind: RoPEDefault, Theta: 640000, AttentionFactor: 1},
	"linear":    {Dims: 16, Kind: RoPELinear, Theta: 10000, Factor: 4, AttentionFactor: 1},
	"dynamic":   {Dims: 128, OriginalMaxPositions: 32768, Kind: RoPEDynamic, Theta: 50000000, Factor: 6, AttentionFactor: 1},
	"dynamic23": {Dims: 96, OriginalMaxPositions: 1000, Kind: RoPEDynamic, Theta: 10000, Factor: 2.3, AttentionFactor: 1},
	"llama3": {Dims: 128, Kind: RoPELlama3, Theta: 500000, Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4,
		OriginalMaxPositions: 8192, AttentionFactor: 1},
	"llama3tiny": {Dims: 32, Kind: RoPELlama3, Theta: 500000, Factor: 8, LowFreqFactor: 1, HighFreqFactor: 4,
		OriginalMaxPositions: 32, AttentionFactor: 1},
	"yarn": {Dims: 128, Kind: RoPEYarn, Theta: 1000000, Factor: 4, OriginalMaxPositions: 32768,
		BetaFast: 32, BetaSlow: 1, Truncate: true, AttentionFactor: YarnScale(4, 1)},
	"yarntiny": {Dims: 32, Kind: RoPEYarn, Theta: 10000, Factor: 4, OriginalMaxPositions: 16,
		BetaFast: 32, BetaSlow: 1, Truncate: true, AttentionFactor: 1},
	"yarnexact": {Dims: 64, Kind: RoPEYarn, Theta: 150000, Factor: 32, OriginalMaxPositions: 4096,
		BetaFast: 32, BetaSlow: 1, AttentionFactor: YarnScale(32, 1)},
	"partial": {Dims: 12, Kind: RoPEDefault, Theta: 10000, AttentionFactor: 1},
	"alpha":   {Dims: 128, Kind: RoPEDefault, Theta: 10000 * detmath.Pow(1000, 128./126), AttentionFactor: 1},
	"deepseek": {Dims: 64, Kind: RoPEYarn, Theta: 10000, Factor: 40, OriginalMaxPositions: 4096,
		BetaFast: 32, BetaSlow: 1, Truncate: true, AttentionFactor: 1},
	"mscales": {Dims: 64, Kind: RoPEYarn, Theta: 10000, Factor: 40, OriginalMaxPositions: 4096,
		BetaFast: 32, BetaSlow: 1, Truncate: true, AttentionFactor: YarnScale(40, 1) / YarnScale(40, 0.5)},
	"longrope": {Dims: 96, Kind: RoPELong, Theta: 10000, OriginalMaxPositions: 64, AttentionFactor: longScale(131072./64, 64),
		ShortFactors: ramp(48, 0.03125), LongFactors: ramp(48, 1.3)},
	"longshort": {Dims: 96, Kind: RoPELong, Theta: 10000, OriginalMaxPositions: 4096, AttentionFactor: longScale(32, 4096),
		ShortFactors: ramp(48, 0.03125), LongFactors: ramp(48, 1.3)},
}

// ramp is 1, 1+step, 1+2*step, ...
func ramp(n int, step float64) []float64 {
	f := make([]float64, n)
	for i := range f {
		f[i] = 1 + float64(float64(i)*step)
	}
	return f
}

var queryScales = map[string]*QueryScale{"query": {Beta: 0.1, Original: 16}, "query3": {Beta: 0.1, Original: 16384}}

var ropeContexts = map[string]int{"default": 700, "odd": 300, "linear": 128, "llama3tiny": 128, "yarntiny": 128, "partial": 128, "query": 4096, "query3": 262144}

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
		r, ok := ropes[f[0]]
		q := queryScales[f[0]]
		if !ok && q == nil {
			t.Fatalf("golden %s has no parameters", f[0])
		}
		seen++
		context := ropeContexts[f[0]]
		if context == 0 {
			context = 200
		}
		if q != nil {
			if got := hashFloats(QueryScaleTable(q, context)); got != f[1] {
				t.Errorf("%s: query scale: want %s, found %s", f[0], f[1], got)
			}
			continue
		}
		cos, sin := RoPETables(&r, context)
		for i, table := range [][]float32{InverseFrequencies(&r), cos, sin} {
			if got := hashFloats(table); got != f[i+1] {
				t.Errorf("%s: %s: want %s, found %s", f[0], []string{"frequencies", "cos", "sin"}[i], f[i+1], got)
			}
		}
	}
	if seen != len(ropes)+len(queryScales) {
		t.Errorf("%d goldens for %d specs", seen, len(ropes)+len(queryScales))
	}
}

func TestRoPETableShape(t *testing.T) {
	r := ropes["linear"]
	cos, sin := RoPETables(&r, 10)
	if len(cos) != 10*8 || len(sin) != len(cos) {
		t.Fatalf("found %d and %d entries, want 80", len(cos), len(sin))
	}
	for i := range 8 {
		if cos[i] != 1 || sin[i] != 0 {
			t.Errorf("position 0, pair %d: cos %v, sin %v", i, cos[i], sin[i])
		}
	}
	// The table of a shorter context is the start of that of a longer one.
	longer, _ := RoPETables(&r, 20)
	for i, v := range cos {
		if v != longer[i] {
			t.Fatalf("entry %d depends on the context", i)
		}
	}
	// With longrope, a context above the original one has both halves.
	long := ropes["longrope"]
	for _, test := range []struct{ context, rows int }{{64, 64}, {65, 130}} {
		cos, _ := RoPETables(&long, test.context)
		if len(cos) != test.rows*48 || RoPERows(&long, test.context) != test.rows {
			t.Errorf("longrope of context %d: %d entries, %d rows, want %d rows", test.context, len(cos), RoPERows(&long, test.context), test.rows)
		}
	}
	if QueryScaleTable(nil, 10) != nil {
		t.Error("query scale without a rule for it")
	}
}
