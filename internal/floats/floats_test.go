package floats

import (
	"math"
	"math/big"
	"testing"
)

// Every bfloat16 and binary16 survives the way through float32.
func TestRoundTrip(t *testing.T) {
	for i := range 1 << 16 {
		h := uint16(i)
		if b := ToBF16(FromBF16(h)); b != h && !(h&0x7fff > 0x7f80 && b == h|0x40) {
			t.Fatalf("bf16 %04x came back as %04x", h, b)
		}
		if b := ToF16(FromF16(h)); b != h && !(h&0x7fff > 0x7c00 && b == h|0x200) {
			t.Fatalf("f16 %04x came back as %04x", h, b)
		}
		if f := FromF16(h); h&0x7c00 != 0x7c00 {
			exp, frac := int(h>>10)&31, float64(h&0x3ff)
			want := math.Ldexp(1024+frac, exp-25)
			if exp == 0 {
				want = math.Ldexp(frac, -24)
			}
			if h&0x8000 != 0 {
				want = -want
			}
			if float64(f) != want || math.Signbit(float64(f)) != (h&0x8000 != 0) {
				t.Fatalf("f16 %04x: want %g, found %g", h, want, f)
			}
		}
	}
}

// nearest rounds with exact arithmetic: mant is the number of significand bits,
// low the exponent of the unit of subnormals.
func nearest(x float64, mant, low int) float64 {
	if x == 0 || math.IsInf(x, 0) || x != x {
		return x
	}
	_, e := math.Frexp(x)
	unit := max(e-mant, low)
	scaled := new(big.Float).SetMantExp(big.NewFloat(x), -unit)
	n, _ := scaled.Float64() // exact: a power of two away
	return math.Ldexp(math.RoundToEven(n), unit)
}

func samples() []float64 {
	var s []float64
	state := uint64(1)
	for range 200000 {
		state = state*6364136223846793005 + 1442695040888963407
		mant := 1 + float64(state>>11)/(1<<53)
		state = state*6364136223846793005 + 1442695040888963407
		s = append(s, math.Ldexp(mant, int(state>>56)%300-150))
	}
	// Ties and their neighbours, around the ends of the ranges too.
	for _, x := range []float64{1 + 1.0/256, 1 + 3.0/256, 1 + 1.0/2048, 1 + 3.0/2048, 65504, 65519.99, 65520, 65535, 3.3895e38, 3.4e38,
		math.Ldexp(1, -24), math.Ldexp(1, -25), math.Ldexp(3, -26), math.Ldexp(1, -14), math.Ldexp(2047, -25), math.Ldexp(1, -133),
		math.Ldexp(1, -134), math.Ldexp(1, -149), math.Ldexp(1, -150), 0, 1e300, 1e-300} {
		s = append(s, x, math.Nextafter(x, 0), math.Nextafter(x, math.Inf(1)), x*(1+1e-12), x*(1-1e-12))
	}
	return s
}

func TestNarrowing(t *testing.T) {
	overflow := func(x, limit float64) float64 {
		if x >= limit {
			return math.Inf(1)
		}
		return x
	}
	for _, x := range samples() {
		for _, x := range []float64{x, -x} {
			wantBF := math.Copysign(overflow(math.Abs(nearest(x, 8, -133)), math.Ldexp(1, 128)), x)
			if got := float64(FromBF16(F64ToBF16(x))); got != wantBF {
				t.Fatalf("bf16 of %v (%x): want %g, found %g", x, math.Float64bits(x), wantBF, got)
			}
			wantF := math.Copysign(overflow(math.Abs(nearest(x, 11, -24)), 65536), x)
			if got := float64(FromF16(F64ToF16(x))); got != wantF {
				t.Fatalf("f16 of %v: want %g, found %g", x, wantF, got)
			}
			f := float32(x)
			wantBF = math.Copysign(overflow(math.Abs(nearest(float64(f), 8, -133)), math.Ldexp(1, 128)), x)
			if got := float64(FromBF16(ToBF16(f))); got != wantBF {
				t.Fatalf("bf16 of float32 %v: want %g, found %g", f, wantBF, got)
			}
			wantF = math.Copysign(overflow(math.Abs(nearest(float64(f), 11, -24)), 65536), x)
			if got := float64(FromF16(ToF16(f))); got != wantF {
				t.Fatalf("f16 of float32 %v: want %g, found %g", f, wantF, got)
			}
		}
	}
}

func TestNaN(t *testing.T) {
	for _, b := range []uint32{0x7f800001, 0x7fc00000, 0xffffffff, 0x7f80ffff} {
		f := math.Float32frombits(b)
		if h := ToBF16(f); h&0x7fff <= 0x7f80 || h>>15 != uint16(b>>31) {
			t.Errorf("bf16 of NaN %08x is %04x", b, h)
		}
		if h := ToF16(f); h&0x7fff <= 0x7c00 || h>>15 != uint16(b>>31) {
			t.Errorf("f16 of NaN %08x is %04x", b, h)
		}
	}
	if h := F64ToBF16(math.NaN()); h&0x7fff <= 0x7f80 {
		t.Errorf("bf16 of NaN is %04x", h)
	}
	if F64ToF16(math.Inf(-1)) != 0xfc00 || F64ToBF16(math.Inf(1)) != 0x7f80 {
		t.Error("infinities do not survive")
	}
}
