// Package detmath computes elementary functions with the same bits on every
// machine, for numbers that reach a bundle.
//
// Package math does not promise that: it has assembly for some architectures,
// and the compiler may fuse a product and a sum into one rounding (on arm64, and
// on amd64 from GOAMD64=v3). Here every product that feeds a sum is rounded by an
// explicit conversion, and fused operations are only used through math.FMA,
// which is exact everywhere.
//
// Log, Exp and Pow work with pairs of float64 (about 100 bits) and round once;
// sine and cosine work in float64 and are good to 0.500001 ulp of float32.
package detmath

import "math"

// dd is the unevaluated sum hi + lo with |lo| <= ulp(hi)/2: some 106 bits.
// The algorithms are those of Dekker (1971) and Knuth (TAOCP 4.2.2).
type dd struct{ hi, lo float64 }

// twoSum is a + b exactly.
func twoSum(a, b float64) dd {
	s := a + b
	t := s - a
	return dd{s, (a - (s - t)) + (b - t)}
}

// quickTwoSum is a + b exactly for |a| >= |b|.
func quickTwoSum(a, b float64) dd {
	s := a + b
	return dd{s, b - (s - a)}
}

// twoProd is a * b exactly.
func twoProd(a, b float64) dd {
	p := float64(a * b)
	return dd{p, math.FMA(a, b, -p)}
}

func (a dd) add(b dd) dd {
	s, t := twoSum(a.hi, b.hi), twoSum(a.lo, b.lo)
	s = quickTwoSum(s.hi, s.lo+t.hi)
	return quickTwoSum(s.hi, s.lo+t.lo)
}

func (a dd) neg() dd { return dd{-a.hi, -a.lo} }

func (a dd) mul(b dd) dd {
	p := twoProd(a.hi, b.hi)
	cross := float64(a.hi*b.lo) + float64(a.lo*b.hi)
	return quickTwoSum(p.hi, p.lo+cross)
}

func (a dd) div(b dd) dd {
	q := a.hi / b.hi
	r := a.add(b.mul(dd{q, 0}).neg())
	q2 := r.hi / b.hi
	r = r.add(b.mul(dd{q2, 0}).neg())
	return quickTwoSum(q, q2).add(dd{r.hi / b.hi, 0})
}

// scale is a * 2^n, exact while it stays in range.
func (a dd) scale(n int) dd { return dd{math.Ldexp(a.hi, n), math.Ldexp(a.lo, n)} }

// float32 rounds to nearest once: hi is first made odd where lo is not zero, so
// that a hi half way between two float32 goes to the right side.
func (a dd) float32() float32 {
	b := math.Float64bits(a.hi)
	if a.lo != 0 && b&1 == 0 && a.hi != 0 && !math.IsInf(a.hi, 0) {
		if (a.lo > 0) == (a.hi > 0) {
			b++
		} else {
			b--
		}
	}
	return float32(math.Float64frombits(b))
}

// ln2 and halfPi as pairs; Go's constants are exact, so lo is the rest.
var (
	ln2    = dd{ln2Hi, math.Ln2 - ln2Hi}
	halfPi = dd{halfPiHi, math.Pi/2 - halfPiHi}
)

const (
	ln2Hi    = 0x1.62e42fefa39efp-1
	halfPiHi = 0x1.921fb54442d18p0
)
