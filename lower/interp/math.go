package interp

import "math"

// Elementary functions in float64, good to about 1e-16 of the result, with the same bits
// on every machine: each product that feeds a sum is rounded by an explicit conversion.
// Package math differs between machines; internal/detmath is exact to the last place and fifty
// times slower.

// ln 2 in two parts; n*ln2Hi is exact for |n| < 2^21.
const (
	ln2Hi = 6.93147180369123816490e-01
	ln2Lo = 1.90821492927058770002e-10
)

// exp is 2^k * e^r with r = x - k ln 2, |r| <= 0.347, by its Taylor series; the first
// term left out is below 2^-57.
func exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 709.79:
		return math.Inf(1)
	case x < -745.2:
		return 0
	}
	k := math.RoundToEven(x * (1 / math.Ln2))
	r := (x - float64(k*ln2Hi)) - float64(k*ln2Lo)
	p := 1.0 / 6227020800
	for _, c := range [...]float64{
		1.0 / 479001600, 1.0 / 39916800, 1.0 / 3628800, 1.0 / 362880, 1.0 / 40320, 1.0 / 5040,
		1.0 / 720, 1.0 / 120, 1.0 / 24, 1.0 / 6, 1.0 / 2, 1, 1,
	} {
		p = float64(p*r) + c
	}
	return math.Ldexp(p, int(k))
}

// log is k ln 2 + 2 atanh(s) for x = m 2^k and s = (m-1)/(m+1), |s| < 0.172, by
// atanh s = s + s^3/3 + s^5/5 + ...
func log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	m, k := math.Frexp(x)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := (m - 1) / (m + 1)
	z := float64(s * s)
	p := 0.0
	for i := 23; i >= 3; i -= 2 {
		p = float64(p*z) + 1/float64(i)
	}
	tail := float64(2*s*float64(z*p)) + float64(float64(k)*ln2Lo)
	return float64(float64(k)*ln2Hi) + (float64(2*s) + tail)
}

// pow is e^(y log |x|) with the special cases of IEEE 754. The error of the logarithm grows with
// the exponent: 1e-16 times |y log x| of the result.
func pow(x, y float64) float64 {
	odd := math.Abs(y) < 1<<53 && math.Mod(y, 2) != 0 && y == math.Trunc(y)
	switch {
	case y == 0 || x == 1:
		return 1
	case x != x || y != y:
		return math.NaN()
	case x == 0 || math.IsInf(x, 0) || math.IsInf(y, 0):
		return math.Pow(x, y) // a special case of its own: no arithmetic
	case x < 0 && y != math.Trunc(y):
		return math.NaN()
	}
	p := exp(y * log(math.Abs(x)))
	if x < 0 && odd {
		return -p
	}
	return p
}

// tanh is (1-e)/(1+e) with e = exp(-2|x|), near zero sinh/cosh by their series.
func tanh(x float64) float64 {
	if a := math.Abs(x); a > 0.4 {
		e := exp(-2 * a)
		return math.Copysign((1-e)/(1+e), x)
	}
	z := float64(x * x)
	s, c := 1.0/6227020800, 1.0/479001600 // x^13, x^12
	for _, d := range [...]float64{1.0 / 39916800, 1.0 / 362880, 1.0 / 5040, 1.0 / 120, 1.0 / 6, 1} {
		s = float64(s*z) + d
	}
	for _, d := range [...]float64{1.0 / 3628800, 1.0 / 40320, 1.0 / 720, 1.0 / 24, 1.0 / 2, 1} {
		c = float64(c*z) + d
	}
	return x * s / c
}

func sin(x float64) float64 {
	if x == 0 {
		return x // keeps the sign
	}
	s, _ := sinCos(x)
	return s
}

func cos(x float64) float64 {
	_, c := sinCos(x)
	return c
}

// pi/2 in three parts of 33 bits and the rest.
const (
	halfPi1 = 1.57079632673412561417e+00
	halfPi2 = 6.07710050630396597660e-11
	halfPi3 = 2.02226624871116645580e-21
	halfPi4 = 8.47842766036889956997e-32
)

// sinCos subtracts a multiple of pi/2 and sums the Taylor series for |r| <= pi/4. The
// subtraction is good for |x| up to a million radians, beyond any position times any
// frequency; what lies further out loses digits.
func sinCos(x float64) (s, c float64) {
	if x-x != 0 {
		return math.NaN(), math.NaN()
	}
	k := math.RoundToEven(x * (2 / math.Pi))
	r := ((x - float64(k*halfPi1)) - float64(k*halfPi2)) - float64(k*halfPi3) - float64(k*halfPi4)
	z := float64(r * r)
	s, c = 1.0/355687428096000, 1.0/20922789888000 // r^17, r^16
	for _, d := range [...]float64{
		-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6,
	} {
		s = float64(s*z) + d
	}
	for _, d := range [...]float64{
		-1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -1.0 / 2,
	} {
		c = float64(c*z) + d
	}
	s = r + float64(r*float64(z*s))
	c = 1 + float64(z*c)
	switch int64(k) & 3 {
	case 0:
		return s, c
	case 1:
		return c, -s
	case 2:
		return -s, -c
	}
	return -c, s
}
