package detmath

import "math"

// SinCos32 is the sine and the cosine of x in radians, each within 0.500001 ulp
// of float32. It is NaN for infinities and NaN.
func SinCos32(x float32) (sin, cos float32) {
	if x-x != 0 {
		n := float32(math.NaN())
		return n, n
	}
	// Subtract the nearest multiple of pi/2 with a product of 106 bits; what is
	// left has more than 50 good bits for any |x| < 2^40.
	v := float64(x)
	k := math.RoundToEven(v / halfPiHi)
	p := twoProd(k, halfPi.hi)
	r := twoSum(v, -p.hi)
	r = quickTwoSum(r.hi, r.lo-(p.lo+float64(k*halfPi.lo)))
	s, c := sinCosCore(r.hi)
	// First order in the rest: below an ulp of float64, but it costs nothing.
	s, c = s+float64(r.lo*c), c-float64(r.lo*s)
	switch int64(k) & 3 {
	case 0:
		return float32(s), float32(c)
	case 1:
		return float32(c), float32(-s)
	case 2:
		return float32(-s), float32(-c)
	}
	return float32(-c), float32(s)
}

// sinCosCore sums the Taylor series for |r| <= pi/4; the first terms left out
// are r^19/19! and r^20/20!, below 2^-63.
func sinCosCore(r float64) (sin, cos float64) {
	const (
		s3, s5, s7, s9         = -1.0 / 6, 1.0 / 120, -1.0 / 5040, 1.0 / 362880
		s11, s13, s15, s17     = -1.0 / 39916800, 1.0 / 6227020800, -1.0 / 1307674368000, 1.0 / 355687428096000
		c2, c4, c6, c8         = -1.0 / 2, 1.0 / 24, -1.0 / 720, 1.0 / 40320
		c10, c12, c14, c16, cL = -1.0 / 3628800, 1.0 / 479001600, -1.0 / 87178291200, 1.0 / 20922789888000, -1.0 / 6402373705728000
	)
	z := float64(r * r)
	s := float64(z*s17) + s15
	for _, c := range [...]float64{s13, s11, s9, s7, s5, s3} {
		s = float64(z*s) + c
	}
	c := float64(z*cL) + c16
	for _, d := range [...]float64{c14, c12, c10, c8, c6, c4, c2} {
		c = float64(z*c) + d
	}
	return r + float64(r*float64(z*s)), 1 + float64(z*c)
}
