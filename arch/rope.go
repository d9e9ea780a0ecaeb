package arch

import (
	"math"

	"github.com/hlocc/hlocc/internal/detmath"
)

// The tables follow the steps of transformers' modeling_rope_utils and of the
// rotary modules, each step rounded to float32 where PyTorch does so: a float32
// angle at position 1000 is off by 3e-5, so that a table computed in float64
// would be more exact and yet differ from the model as it was trained and as
// others run it. Powers, sines and cosines are correctly rounded here; PyTorch's
// own vector functions are off by up to 1 (powers) and 3.5 (sines) ulp and depend
// on the machine.
//
// All products are converted explicitly so that no compiler fuses them.

// RoPETables returns cos and sin of a rotary embedding for positions [0, context),
// as [context][Dims/2], row-major: entry [p][i] belongs to position p and the i-th
// pair of elements. With longrope and a context above OriginalMaxPositions there
// are 2*context rows: of the short factors, then of the long ones.
func RoPETables(r *RoPE, context int) (cos, sin []float32) {
	sets := [][]float32{InverseFrequencies(r)}
	if r.Switches(context) {
		sets = append(sets, longFrequencies(r, r.LongFactors))
	}
	for _, freq := range sets {
		for p := range context {
			for _, f := range freq {
				sn, cs := detmath.SinCos32(float32(f * float32(p)))
				cos = append(cos, float32(cs*float32(r.AttentionFactor)))
				sin = append(sin, float32(sn*float32(r.AttentionFactor)))
			}
		}
	}
	return cos, sin
}

// RoPERows is the number of rows of the tables for a context.
func RoPERows(r *RoPE, context int) int {
	if r.Switches(context) {
		return 2 * context
	}
	return context
}

// Switches says whether sequences within the context differ in their
// frequencies: with longrope those of more than OriginalMaxPositions tokens do.
func (r *RoPE) Switches(context int) bool {
	return r.Kind == RoPELong && context > r.OriginalMaxPositions
}

// longFrequencies are 1/(factor * theta^(2i/d)) (_compute_longrope_parameters).
func longFrequencies(r *RoPE, factors []float64) []float32 {
	freq := make([]float32, r.Dims/2)
	for i, p := range wavelengths(r.Theta, r.Dims) {
		freq[i] = 1 / float32(float32(factors[i])*p)
	}
	return freq
}

// wavelengths are theta^(2i/d): positions per radian.
func wavelengths(theta float64, dims int) []float32 {
	w := make([]float32, dims/2)
	for i := range w {
		w[i] = detmath.Pow32(float32(theta), float32(2*i)/float32(dims))
	}
	return w
}

// InverseFrequencies returns the Dims/2 rotary frequencies in radians per
// position, after scaling; of longrope, those of the short factors.
func InverseFrequencies(r *RoPE) []float32 {
	if r.Kind == RoPELong {
		return longFrequencies(r, r.ShortFactors)
	}
	theta := r.Theta
	if r.Kind == RoPEDynamic {
		// Inside the trained context the exponent's base is 1 but for rounding,
		// which transformers computes with Python floats.
		n, d := float64(r.OriginalMaxPositions), float64(r.Dims)
		x := float64(r.Factor*n)/n - (r.Factor - 1)
		theta = float64(theta * detmath.Pow(x, d/(d-2)))
	}
	positions := wavelengths(theta, r.Dims)
	freq := make([]float32, r.Dims/2)
	for i, p := range positions {
		freq[i] = 1 / p
	}
	switch r.Kind {
	case RoPELinear:
		for i := range freq {
			freq[i] /= float32(r.Factor)
		}
	case RoPELlama3:
		for i, f := range freq {
			freq[i] = llama3Frequency(r, f)
		}
	case RoPEYarn:
		yarnFrequencies(r, positions, freq)
	}
	return freq
}

// llama3Frequency scales one frequency: high ones stay, low ones are divided by
// the factor, those between are blended (_compute_llama3_parameters).
func llama3Frequency(r *RoPE, f float32) float32 {
	original := float64(r.OriginalMaxPositions)
	wavelen := float32((1 / f) * float32(2*math.Pi))
	low, high := float32(original/r.LowFreqFactor), float32(original/r.HighFreqFactor)
	factor := float32(r.Factor)
	switch {
	case wavelen > low:
		return f / factor
	case wavelen < high:
		return f
	}
	smooth := float32((1/wavelen)*float32(original)) - float32(r.LowFreqFactor)
	smooth /= float32(r.HighFreqFactor - r.LowFreqFactor)
	scaled := float32((1-smooth)*f) / factor
	return scaled + float32(smooth*f)
}

// yarnFrequencies blends interpolated and original frequencies by a ramp over
// the dimensions (_compute_yarn_parameters; https://arxiv.org/abs/2309.00071,
// section 3.2). positions holds theta^(2i/d), freq receives the result.
func yarnFrequencies(r *RoPE, positions, freq []float32) {
	// The dimension at which a wave makes the given number of turns within the
	// original context.
	dimension := func(turns float64) float64 {
		ratio := float64(r.OriginalMaxPositions) / float64(float64(turns*2)*math.Pi)
		return float64(float64(r.Dims)*detmath.Log(ratio)) / float64(2*detmath.Log(r.Theta))
	}
	low, high := dimension(r.BetaFast), dimension(r.BetaSlow)
	if r.Truncate {
		low, high = math.Floor(low), math.Ceil(high)
	}
	low, high = max(low, 0), min(high, float64(r.Dims-1))
	if low == high {
		high += 0.001
	}
	for i := range freq {
		ramp := (float32(i) - float32(low)) / float32(high-low)
		ramp = min(max(ramp, 0), 1)
		keep := 1 - ramp
		extrapolated := 1 / positions[i]
		interpolated := 1 / float32(float32(r.Factor)*positions[i])
		freq[i] = float32(interpolated*(1-keep)) + float32(extrapolated*keep)
	}
}

// YarnScale is get_mscale of transformers: the attention temperature of YaRN.
func YarnScale(factor, mscale float64) float64 {
	if factor <= 1 {
		return 1
	}
	return float64(float64(0.1*mscale)*detmath.Log(factor)) + 1
}

// longScale is the attention factor of longrope where a config gives none
// (_compute_longrope_parameters).
func longScale(factor float64, original int) float64 {
	if factor <= 1 {
		return 1
	}
	return math.Sqrt(1 + detmath.Log(factor)/detmath.Log(float64(original)))
}

// QueryScaleTable returns the factor of the rotated queries for each position in
// [0, context), as transformers' modeling_ministral3 computes it in float32. It
// returns nil for nil.
func QueryScaleTable(q *QueryScale, context int) []float32 {
	if q == nil {
		return nil
	}
	table := make([]float32, context)
	var last, scale float32 = -1, 1
	for p := range table {
		step := float32(math.Floor(float64(float32(p) / float32(q.Original))))
		if step != last {
			scale = 1 + float32(float32(q.Beta)*detmath.Log32(1+step))
			last = step
		}
		table[p] = scale
	}
	return table
}
