// Package floats converts between the floating-point formats of checkpoints.
//
// Widening is exact. Narrowing rounds to nearest, ties to even, once: also from
// float64, where going through float32 would round twice. Subnormals are kept,
// values beyond the range become infinities, and a NaN stays a (quiet) NaN with
// the upper bits of its payload.
package floats

import "math"

// FromBF16 widens a bfloat16.
func FromBF16(b uint16) float32 { return math.Float32frombits(uint32(b) << 16) }

// ToBF16 narrows to bfloat16.
func ToBF16(f float32) uint16 {
	b := math.Float32bits(f)
	if b&0x7fffffff > 0x7f800000 {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// FromF16 widens an IEEE 754 binary16.
func FromF16(h uint16) float32 {
	sign, exp, frac := uint32(h>>15)<<31, uint32(h>>10)&0x1f, uint32(h)&0x3ff
	switch exp {
	case 0: // zero or subnormal: frac * 2^-24, exact in float32
		f := math.Float32bits(float32(frac) * (1.0 / (1 << 24)))
		return math.Float32frombits(sign | f)
	case 31:
		if frac != 0 {
			frac |= 0x200
		}
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+112)<<23 | frac<<13)
}

// ToF16 narrows to IEEE 754 binary16.
func ToF16(f float32) uint16 {
	b := math.Float32bits(f)
	sign, abs := uint16(b>>16)&0x8000, b&0x7fffffff
	switch {
	case abs > 0x7f800000: // NaN
		return sign | 0x7e00 | uint16(abs>>13)&0x3ff
	case abs >= 0x47800000: // 65536 and up, infinity
		return sign | 0x7c00
	case abs >= 0x38800000: // normal in binary16: rounding may carry up to infinity
		return sign | uint16((abs-(112<<23)+0xfff+abs>>13&1)>>13)
	case abs < 0x33000000: // below half of the smallest subnormal
		return sign
	}
	// Subnormal in binary16: the unit is 2^-24. Shift the significand of a
	// float32 with exponent e into it and round.
	shift := 126 - abs>>23 // 14..24
	frac := abs&0x7fffff | 0x800000
	half := uint32(1) << (shift - 1)
	return sign | uint16((frac+half-1+frac>>shift&1)>>shift)
}

// oddFloat32 narrows to float32 rounding to odd: an inexact result has its last
// bit set. Rounding that to nearest in a format at least 2 bits narrower gives
// the same as rounding f directly (Boldo and Melquiond, 2008).
func oddFloat32(f float64) float32 {
	r := float32(f)
	d := float64(r) - f
	if d == 0 || f != f || math.IsInf(float64(r), 0) {
		if math.IsInf(float64(r), 0) && !math.IsInf(f, 0) {
			return float32(math.Copysign(math.MaxFloat32, f)) // its last bit is odd
		}
		return r
	}
	b := math.Float32bits(r)
	if b&1 == 0 {
		if (d > 0) == (f > 0) {
			b-- // rounded away from zero: step back to the odd neighbour
		} else {
			b++
		}
	}
	return math.Float32frombits(b)
}

// F64ToBF16 narrows a float64 to bfloat16 with one rounding.
func F64ToBF16(f float64) uint16 { return ToBF16(oddFloat32(f)) }

// F64ToF16 narrows a float64 to binary16 with one rounding.
func F64ToF16(f float64) uint16 { return ToF16(oddFloat32(f)) }
