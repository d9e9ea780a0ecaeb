package quantize

import "math"

// Report says what quantizing did to one weight. Padding does not count.
type Report struct {
	Weight string `json:"weight"`
	Scheme Scheme `json:"scheme"`
	Why    string `json:"why"`
	Shape  []int  `json:"shape"`
	// Bits is the size in the archive by number of the weight, in bits, scales,
	// offsets and padding included.
	Bits float64 `json:"bits"`
	// RelativeError is the length of the difference over the length of the weight,
	// both as vectors of all numbers; 0 for a weight of zeros.
	RelativeError float64 `json:"relative_error"`
	// WeightedError is the same with every column weighted by its importance: about the
	// relative error of what the layer computes. Absent without a calibration.
	WeightedError float64 `json:"weighted_error,omitempty"`
	MaxError      float64 `json:"max_error"` // the largest difference of a number
	MaxWeight     float64 `json:"max_weight"`
	// Saturated is the share of numbers that lie outside of their group's range by more
	// than half a step.
	Saturated float64 `json:"saturated"`
}

// losses are the sums of a report. Those of blocks are added in the order of the
// blocks, so that they do not depend on who made them.
type losses struct {
	weightedDifference, weighted float64 // the same, weighted by importance
	difference, weight           float64 // sums of squares
	maxError, maxWeight          float32
	saturated, elements          int64
}

// weigh adds the weighted sums of a group, if there is an importance.
func (e *losses) weigh(w, importance []float32, q *[Group]uint8, a affine) {
	for i, v := range importance {
		x := float64(w[i])
		d := float64(float32(a.scale*float32(q[i]))+a.offset) - x
		e.weightedDifference += float64(float64(v) * float64(d*d))
		e.weighted += float64(float64(v) * float64(x*x))
	}
}

func (e *losses) merge(o *losses) {
	e.difference += o.difference
	e.weight += o.weight
	e.weightedDifference += o.weightedDifference
	e.weighted += o.weighted
	e.maxError = max(e.maxError, o.maxError)
	e.maxWeight = max(e.maxWeight, o.maxWeight)
	e.saturated += o.saturated
	e.elements += o.elements
}

func (e *losses) report(s Storage) *Report {
	r := &Report{Weight: s.Weight, Scheme: s.Scheme, Why: s.Why, Shape: s.Shape, MaxError: float64(e.maxError), MaxWeight: float64(e.maxWeight)}
	if e.elements > 0 {
		r.Bits = float64(8*s.Bytes()) / float64(e.elements)
		r.Saturated = float64(e.saturated) / float64(e.elements)
	}
	if e.weight > 0 {
		r.RelativeError = math.Sqrt(e.difference / e.weight)
	}
	if e.weighted > 0 {
		r.WeightedError = math.Sqrt(e.weightedDifference / e.weighted)
	}
	return r
}
