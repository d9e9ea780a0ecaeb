package detmath

import "math"

// Log is the natural logarithm, correctly rounded but for cases closer to a tie
// than 2^-40 ulp. Log(0) is -Inf; of a negative number or NaN it is NaN.
func Log(x float64) float64 {
	switch {
	case x != x || x < 0:
		return math.NaN()
	case x == 0:
		return math.Inf(-1)
	case math.IsInf(x, 1):
		return x
	}
	return logdd(x).hi
}

// Log32 is the natural logarithm of a float32, rounded once to float32.
func Log32(x float32) float32 {
	if x != x || x <= 0 || math.IsInf(float64(x), 1) {
		return float32(Log(float64(x)))
	}
	return logdd(float64(x)).float32()
}

// logdd computes log x for finite x > 0: with x = m * 2^k and m around 1 it is
// k*ln 2 + 2 atanh(s) for s = (m-1)/(m+1), |s| < 0.172, by the series
// atanh s = s + s^3/3 + s^5/5 + ...
func logdd(x float64) dd {
	m, k := math.Frexp(x) // m in [0.5, 1)
	if m < math.Sqrt2/2 {
		m, k = 2*m, k-1
	}
	s := dd{m - 1, 0}.div(twoSum(m, 1)) // m-1 is exact
	s2 := s.mul(s)
	const terms = 22 // 0.0295^22 < 2^-110
	sum := dd{}
	for i := terms; i >= 1; i-- {
		sum = sum.add(dd{1, 0}.div(dd{float64(2*i + 1), 0})).mul(s2)
	}
	sum = sum.add(dd{1, 0}).mul(s).scale(1)
	return ln2.mul(dd{float64(k), 0}).add(sum)
}

// Exp is e^x, rounded like Log.
func Exp(x float64) float64 {
	switch {
	case x != x:
		return x
	case x > 710:
		return math.Inf(1)
	case x < -746:
		return 0
	}
	return expdd(dd{x, 0}).hi
}

// expdd computes e^x: with k = round(x / ln 2) and r = (x - k ln 2) / 256 it is
// 2^k * (e^r)^256, by the series of e^r - 1 and eight squarings.
func expdd(x dd) dd {
	k := math.RoundToEven(x.hi / ln2.hi)
	r := x.add(ln2.mul(dd{k, 0}).neg()).scale(-8)
	sum := dd{}
	for i := 10; i >= 1; i-- { // (0.00136)^11 / 11! < 2^-120
		sum = sum.add(dd{1, 0}).mul(r).div(dd{float64(i), 0})
	}
	// Square 1+s as s(2+s): the small part keeps its precision.
	for range 8 {
		sum = sum.mul(sum.add(dd{2, 0}))
	}
	return sum.add(dd{1, 0}).scale(int(k))
}

// Pow is x^y for finite x > 0, rounded like Log; for other x it is NaN.
func Pow(x, y float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) || y != y {
		return math.NaN()
	}
	p := logdd(x).mul(dd{y, 0})
	if p.hi > 710 || p.hi < -746 {
		return Exp(p.hi)
	}
	return expdd(p).hi
}

// Pow32 is x^y for finite x > 0, rounded once to float32.
func Pow32(x, y float32) float32 {
	if !(x > 0) || math.IsInf(float64(x), 1) || y != y {
		return float32(math.NaN())
	}
	p := logdd(float64(x)).mul(dd{float64(y), 0})
	if p.hi > 710 || p.hi < -746 {
		return float32(Exp(p.hi))
	}
	return expdd(p).float32()
}
