package stablehlo

import (
	"math"
	"regexp"
	"strconv"
	"testing"

	"pgregory.net/rapid"

	"github.com/hlocc/hlocc/lower/ir"
)

func TestLiteral(t *testing.T) {
	tests := []struct {
		d    ir.DType
		v    float64
		want string
	}{
		{ir.F32, 0, "0.0"},
		{ir.F32, math.Copysign(0, -1), "-0.0"},
		{ir.F32, 1, "1.0"},
		{ir.F32, -0.125, "-0.125"},
		{ir.F32, float64(float32(0.1)), "0.1"},
		{ir.F32, 1e-5, "1.0e-05"},
		{ir.F32, -1e30, "-1.0e+30"},
		{ir.F32, 16777216, "1.6777216e+07"},
		{ir.F32, math.Inf(1), "0x7F800000"},
		{ir.F32, math.Inf(-1), "0xFF800000"},
		{ir.F32, math.NaN(), "0x7FC00000"},
		{ir.F64, 0.1, "0.1"},
		{ir.F64, float64(float32(0.1)), "0.10000000149011612"},
		{ir.F64, math.Inf(-1), "0xFFF0000000000000"},
		{ir.F64, math.NaN(), "0x7FF8000000000000"},
		{ir.I1, 1, "true"},
		{ir.I1, 0, "false"},
		{ir.I32, -7, "-7"},
		{ir.U8, 255, "255"},
		{ir.I64, 1 << 53, "9007199254740992"},
	}
	for _, tt := range tests {
		if got := literal(tt.d, tt.v); got != tt.want {
			t.Errorf("%v %v: got %s, want %s", tt.d, tt.v, got, tt.want)
		}
	}
}

// TestLiteralRoundTrip checks that every finite float32 has MLIR's form and reads back to the same bits.
func TestLiteralRoundTrip(t *testing.T) {
	form := regexp.MustCompile(`^-?[0-9]+\.[0-9]+(e[-+][0-9]+)?$`)
	rapid.Check(t, func(t *rapid.T) {
		x := math.Float32frombits(rapid.Uint32().Draw(t, "bits"))
		if x-x != 0 {
			return
		}
		s := literal(ir.F32, float64(x))
		if !form.MatchString(s) {
			t.Fatalf("%v prints as %s", x, s)
		}
		back, err := strconv.ParseFloat(s, 64)
		if err != nil || math.Float32bits(float32(back)) != math.Float32bits(x) {
			t.Fatalf("%v prints as %s, which is %v (%v)", x, s, back, err)
		}
	})
}
