package quantize

import (
	"encoding/binary"
	"math"
)

// searcher finds the map of a group with almost the least squared error
// Σ weight[k]·(w[k] - w'[k])².
//
// It tries many maps on one set of numbers, so it sorts them first: which step each
// gets follows from how many lie below each threshold between two steps, sums over
// all numbers of a step are differences of prefix sums, and the best map for given
// steps is a regression line. A map then costs 15 look-ups instead of 64 roundings.
//
// Numbers are u in [0,15] here, so that nothing depends on the scale of the group.
// They are sorted into bins, and a threshold is moved to the edge of a bin: by a
// thirtieth of a step at most.
type searcher struct {
	n     int
	u     [Group]float32 // in their own order
	bin   [Group]uint8
	below [bins]uint8 // how many numbers lie in bins up to this
	// sums of weights and of weights times u over the first numbers; larger than
	// needed so that a byte is an index
	weights, products [256]float32
}

const (
	bins  = 256
	most4 = 15 // the search is for 4 bits
)

// inward are the shares of a group's range by which the ends of a first map lie
// inside of it: large numbers are clipped so that all others are nearer to a step.
// Finer or wider choices gain a percent of the error and cost as much time again.
var inward = [...]float32{0, 0.035, 0.07}

// refinements bounds the moves from the best of the first maps to a minimum.
const refinements = 4

// search chooses the map of a group of numbers between lo and hi. weight may be nil.
func (s *searcher) search(w, weight []float32, lo, hi float32, p params) affine {
	width := hi - lo
	if width < most4*tiny || width > math.MaxFloat32/2 {
		return p.between(lo, hi, most4)
	}
	s.sort(w, weight, lo, width)
	best, line := float32(-1), affine{1, 0}
	for _, a := range inward {
		for _, b := range inward {
			if gain, l := s.try(affine{1 - a - b, a * most4}); gain > best {
				best, line = gain, l
			}
		}
	}
	for range refinements {
		gain, l := s.try(line)
		if gain <= best {
			break
		}
		best, line = gain, l
	}
	unit := float64(width) / most4
	a := affine{p.round(float32(float64(line.scale) * unit)), p.round(float32(float64(lo) + float64(float64(line.offset)*unit)))}
	if a.scale < tiny || !a.finite(most4) {
		return p.between(lo, hi, most4)
	}
	return a
}

// sort fills below and the sums.
func (s *searcher) sort(w, weight []float32, lo, width float32) {
	toU := float32(most4 / float64(width))
	const toBin = bins / float32(most4)
	s.below = [bins]uint8{}
	s.n = len(w)
	u, bin := s.u[:len(w)], s.bin[:len(w)]
	for i, x := range w {
		x = (x - lo) * toU
		b := uint8(min(int32(x*toBin), bins-1))
		u[i], bin[i] = x, b
		s.below[b]++
	}
	// Prefix sums of eight bins at a time: a product with ones adds all lower bytes.
	const ones = 0x0101010101010101
	sum := uint64(0)
	for i := 0; i < bins; i += 8 {
		n := binary.LittleEndian.Uint64(s.below[i:])
		upTo := (n + sum) * ones
		binary.LittleEndian.PutUint64(s.below[i:], upTo-n)
		sum = upTo >> 56
	}
	v := float32(1)
	for i, b := range bin {
		s.below[b]++
		at := s.below[b]
		if weight != nil {
			v = weight[i]
		}
		s.weights[at], s.products[at] = v, float32(v*u[i])
	}
	sumV, sumVU := float32(0), float32(0)
	for i := 1; i <= len(w) && i < len(s.weights); i++ {
		sumV += s.weights[i]
		sumVU += s.products[i]
		s.weights[i], s.products[i] = sumV, sumVU
	}
}

// try chooses steps by a map and finds the best map for these steps. The gain is how
// much of the squared error of a constant that one removes; -1 for a map whose
// thresholds are not among the numbers.
func (s *searcher) try(a affine) (gain float32, line affine) {
	const perU = bins / float32(most4)
	at, step := float32(float32(a.offset+float32(a.scale*0.5))*perU)-0.5, float32(a.scale*perU)
	if !(at >= 0 && step > 0 && at+float32(14*step) < bins) {
		return -1, a
	}
	// Sums over thresholds of what lies below, three by three: additions that do not
	// wait for each other.
	var v, odd, vu [3]float32
	at1, at2 := at+step, at+float32(2*step)
	step = float32(step * 3)
	weight := float32(1)
	for range most4 / 3 {
		b0, b1, b2 := s.below[uint8(int32(at))], s.below[uint8(int32(at1))], s.below[uint8(int32(at2))]
		at, at1, at2 = at+step, at1+step, at2+step
		x0, x1, x2 := s.weights[b0], s.weights[b1], s.weights[b2]
		v[0] += x0
		v[1] += x1
		v[2] += x2
		odd[0] += float32(weight * x0)
		odd[1] += float32((weight + 2) * x1)
		odd[2] += float32((weight + 4) * x2)
		weight += 6
		vu[0] += s.products[b0]
		vu[1] += s.products[b1]
		vu[2] += s.products[b2]
	}
	n, u := s.weights[s.n], s.products[s.n]
	q := float32(most4*n) - (v[0] + v[1] + v[2])
	qq := float32(most4*most4*n) - (odd[0] + odd[1] + odd[2])
	qu := float32(most4*u) - (vu[0] + vu[1] + vu[2])
	c, d := float32(n*qu)-float32(u*q), float32(n*qq)-float32(q*q)
	if d <= 0 {
		return -1, a
	}
	scale := c / d
	return scale * c, affine{scale, (u - float32(scale*q)) / n}
}
