package interp

import (
	"math"

	"github.com/hlocc/hlocc/lower/ir"
)

// quantizedLinear multiplies row by row of the matrix, so that no dequantized copy of it
// is ever whole. Sums are float64, to be rounded once.
func quantizedLinear(o ir.QuantizedLinear, args []Tensor) []float64 {
	x := args[0].Float64s()
	q, _ := args[1].data.([]uint8)
	scale, offset := params(args[2]), params(args[3])
	rows, cols := args[0].typ.Dim(0), args[0].typ.Dim(1)
	g := ir.CeilDiv(cols, ir.GroupSize)
	wide := make([]float64, rows*g*ir.GroupSize) // padded with zeros
	for t := range rows {
		row := wide[t*g*ir.GroupSize : (t+1)*g*ir.GroupSize]
		if o.Int8 {
			roundActivations(row, x[t*cols:(t+1)*cols])
			continue
		}
		copy(row, x[t*cols:(t+1)*cols])
	}
	m := matrix{bits: o.Bits, groups: g, q: q, scale: scale, offset: offset}
	out := make([]float64, rows*o.Out)
	if o.Experts > 0 {
		blocks := ir.CeilDiv(o.Out, ir.LaneRows)
		expert := args[4].Int32s()
		parallel(rows*o.Out, 64, func(lo, hi int) {
			w := make([]float64, g*ir.GroupSize)
			for i := lo; i < hi; i++ {
				t, n := i/o.Out, i%o.Out
				e := min(max(int(expert[t]), 0), o.Experts-1) // clamped as gathering is
				m.row(w, e*blocks*ir.LaneRows+n)
				out[i] = sumWide(wide[t*len(w):(t+1)*len(w)], w)
			}
		})
		return out
	}
	parallel(o.Out, 16, func(lo, hi int) {
		w := make([]float64, g*ir.GroupSize)
		for n := lo; n < hi; n++ {
			m.row(w, n)
			for t := range rows {
				out[t*o.Out+n] = sumWide(wide[t*len(w):(t+1)*len(w)], w)
			}
		}
	})
	return out
}

func sumWide(x, y []float64) float64 {
	var sum float64
	for i, v := range x {
		sum += float64(v * y[i])
	}
	return sum
}

// params are scales or offsets as float32.
func params(t Tensor) []float32 {
	if raw, ok := t.data.([]uint16); ok {
		return wide32(raw, t.typ.DType())
	}
	return t.Float32s()
}

// matrix is a quantized matrix in the layout of [ir.QuantizedTypes].
type matrix struct {
	bits, groups  int
	q             []uint8
	scale, offset []float32
}

// row dequantizes row n into w, every element rounded to float32 as the program would.
func (m matrix) row(w []float64, n int) {
	block, r := n/ir.LaneRows, n%ir.LaneRows
	for g := range m.groups {
		at := block*m.groups + g
		s, o := m.scale[at*ir.LaneRows+r], m.offset[at*ir.LaneRows+r]
		bytes := m.q[at*2*m.bits*ir.LaneRows*4:]
		for j := range ir.GroupSize {
			k, shift := j, 0
			if m.bits == 4 {
				k, shift = j%32, j/32*4
			}
			v := bytes[(k/4*ir.LaneRows+r)*4+k%4]
			if m.bits == 4 {
				v = v >> shift & 15
			}
			w[g*ir.GroupSize+j] = float64(float32(s*float32(v)) + o)
		}
	}
}

// roundActivations rounds a row to 8 bits by groups; see [ir.QuantizedLinear].
func roundActivations(out, x []float64) {
	for from := 0; from < len(x); from += ir.GroupSize {
		group := x[from:min(from+ir.GroupSize, len(x))]
		var top float32
		for _, v := range group {
			top = max(top, float32(math.Abs(v)))
		}
		if !(top >= ir.TinyGroup) {
			clear(out[from : from+len(group)])
			continue
		}
		inverse, scale := 127/top, top*float32(1.0/127)
		for i, v := range group {
			out[from+i] = float64(float32(math.RoundToEven(float64(float32(v)*inverse))) * scale)
		}
	}
}
