package ir

import "math"

// F16 and BF16 have no Go type; these are the exact conversions. Rounding is to
// nearest, ties to even. NaN stays NaN: its payload is cut and the quiet bit set.

// BF16ToF32 widens bfloat16 bits.
func BF16ToF32(h uint16) float32 { return math.Float32frombits(uint32(h) << 16) }

// F32ToBF16 rounds to bfloat16 bits.
func F32ToBF16(f float32) uint16 {
	b := math.Float32bits(f)
	if f != f {
		return uint16(b>>16) | 0x40
	}
	return uint16((b + 0x7fff + b>>16&1) >> 16)
}

// F16ToF32 widens IEEE half precision bits.
func F16ToF32(h uint16) float32 {
	sign := uint32(h&0x8000) << 16
	exp, frac := uint32(h>>10&0x1f), uint32(h&0x3ff)
	switch exp {
	case 0: // zero or subnormal: frac * 2^-24, exact in float32
		f := float32(frac) * (1.0 / (1 << 24))
		return math.Float32frombits(math.Float32bits(f) | sign)
	case 0x1f:
		if frac != 0 {
			frac |= 0x200
		}
		return math.Float32frombits(sign | 0x7f800000 | frac<<13)
	}
	return math.Float32frombits(sign | (exp+127-15)<<23 | frac<<13)
}

// F32ToF16 rounds to IEEE half precision bits.
func F32ToF16(f float32) uint16 {
	b := math.Float32bits(f)
	sign := uint16(b >> 16 & 0x8000)
	b &= 0x7fffffff
	switch {
	case b > 0x7f800000:
		return sign | 0x7e00 | uint16(b>>13&0x3ff)
	case b >= 0x477ff000: // rounds to 2^16 or more
		return sign | 0x7c00
	case b >= 0x38800000: // normal: 2^-14 and above
		b -= (127 - 15) << 23
		return sign | uint16((b+0xfff+b>>13&1)>>13)
	case b <= 0x33000000: // at most 2^-25, half of the smallest subnormal: ties to even give 0
		return sign
	}
	// Subnormal: shift the significand right so that one unit is 2^-24.
	shift := 126 - b>>23 // 14 to 24
	m := b&0x7fffff | 0x800000
	half := uint32(1) << (shift - 1)
	r := m >> shift
	if rest := m & (half<<1 - 1); rest > half || rest == half && r&1 == 1 {
		r++
	}
	return sign | uint16(r)
}

// f64ToF32Odd rounds to odd: the result, rounded once more to a type of at most
// 22 significant bits, is what rounding the float64 directly would give.
func f64ToF32Odd(f float64) float32 {
	r := float32(f)
	if float64(r) == f || f != f || math.IsInf(float64(r), 0) {
		return r
	}
	b := math.Float32bits(r)
	if b&1 == 1 {
		return r
	}
	// r is an even neighbour; the odd one lies on the other side of f.
	if math.Abs(float64(r)) < math.Abs(f) {
		return math.Float32frombits(b + 1)
	}
	return math.Float32frombits(b - 1)
}

// F64ToBF16 rounds once, directly from float64.
func F64ToBF16(f float64) uint16 { return F32ToBF16(f64ToF32Odd(f)) }

// F64ToF16 rounds once, directly from float64.
func F64ToF16(f float64) uint16 { return F32ToF16(f64ToF32Odd(f)) }

// roundFloat is v rounded to the float type d.
func roundFloat(d DType, v float64) float64 {
	switch d {
	case F16:
		return float64(F16ToF32(F64ToF16(v)))
	case BF16:
		return float64(BF16ToF32(F64ToBF16(v)))
	case F32:
		return float64(float32(v))
	}
	return v
}
