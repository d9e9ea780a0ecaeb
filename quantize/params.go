package quantize

import (
	"encoding/binary"
	"math"

	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// params is the type in which scales and offsets are kept.
type params struct {
	size int // bytes
}

func paramsOf(d safetensors.DType) params { return params{d.Bits() / 8} }

// round rounds to the type. Beyond its range the result is infinite.
func (p params) round(f float32) float32 {
	if p.size == 2 {
		return floats.FromF16(floats.ToF16(f))
	}
	return f
}

// put writes a rounded number as the i-th of out.
func (p params) put(out []byte, i int, f float32) {
	if p.size == 2 {
		binary.LittleEndian.PutUint16(out[2*i:], floats.ToF16(f))
		return
	}
	binary.LittleEndian.PutUint32(out[4*i:], math.Float32bits(f))
}

func (p params) get(in []byte, i int) float32 {
	if p.size == 2 {
		return floats.FromF16(binary.LittleEndian.Uint16(in[2*i:]))
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(in[4*i:]))
}

// affine is the map from steps to numbers of a group: w = scale*q + offset.
type affine struct{ scale, offset float32 }

// finite says that every step of the map is a number.
func (a affine) finite(most float32) bool {
	end := float32(a.scale*most) + a.offset
	return end-end == 0 && a.offset-a.offset == 0 && a.scale-a.scale == 0
}

// tiny is the least scale whose inverse is finite and exact enough. A group whose
// range is below 15 of them counts as constant.
const tiny = 0x1p-120

// between is the map whose ends are lo and hi, rounded to the type of the parameters.
func (p params) between(lo, hi, most float32) affine {
	a := affine{p.round(float32((float64(hi) - float64(lo)) / float64(most))), p.round(lo)}
	if a.scale < tiny {
		return affine{0, p.round(float32((float64(lo) + float64(hi)) / 2))}
	}
	return a
}

// steps chooses the nearest step of each number and adds to l what that does. No
// map leaves a number so many steps outside that an int32 does not hold them.
func (a affine) steps(q *[Group]uint8, w []float32, most int32, l *losses) {
	*q = [Group]uint8{}
	inverse := float32(0)
	if a.scale != 0 {
		inverse = 1 / a.scale
	}
	var difference, weight float64
	largest, clipped := uint32(0), int64(0)
	to := q[:len(w)]
	for i, x := range w {
		t := float32((x-a.offset)*inverse) + 0.5
		n := int32(t+16) - 16 // rounded down, a little below 0 as well
		step := max(min(n, most), 0)
		if n != step {
			clipped++
		}
		to[i] = uint8(step)
		d := float32(a.scale*float32(step)) + a.offset - x
		largest = max(largest, math.Float32bits(d)&0x7fffffff)
		difference += float64(float64(d) * float64(d))
		weight += float64(float64(x) * float64(x))
	}
	l.saturated += clipped
	l.difference += difference
	l.weight += weight
	l.maxError = max(l.maxError, math.Float32frombits(largest))
	l.elements += int64(len(w))
}
