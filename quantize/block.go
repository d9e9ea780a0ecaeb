package quantize

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// block is up to 16 rows of a matrix on their way through the workers.
type block struct {
	part *part
	row  int // the first, counted through all matrices of the part
	rows int
	raw  []byte // row-major, as many rows

	q, scale, offset []byte
	losses           losses
	err              error
	done             chan struct{}
}

// encoder makes the three tensors of blocks of one weight.
type encoder struct {
	matrix
	params
	method Method
}

func newBlock(e *encoder, rawSize int) *block {
	g := e.groups()
	return &block{raw: make([]byte, 0, rawSize), q: make([]byte, g*e.groupBytes()), scale: make([]byte, g*BlockRows*e.size), offset: make([]byte, g*BlockRows*e.size)}
}

// encode fills q, scale, offset and losses of a block, or err.
func (e *encoder) encode(b *block) {
	b.losses, b.err = losses{}, nil
	if b.rows < BlockRows {
		clear(b.q)
		clear(b.scale)
		clear(b.offset)
	}
	if e.method == Kept {
		e.keep(b)
		return
	}
	var numbers [Group]float32
	var q [Group]uint8
	var s searcher
	most := int32(1)<<e.bits - 1
	width := b.part.dtype.Bits() / 8
	for g := range e.groups() {
		w := numbers[:min(Group, e.cols-g*Group)]
		var importance []float32
		if b.part.importance != nil {
			importance = b.part.importance[g*Group:][:len(w)]
		}
		for r := range b.rows {
			lo, hi := decode(w, b.raw[(r*e.cols+g*Group)*width:], b.part.dtype)
			if lo < -math.MaxFloat32 || hi > math.MaxFloat32 {
				b.err = b.part.notFinite(b.row+r, g*Group, w)
				return
			}
			var a affine
			if e.method == Search {
				a = s.search(w, importance, lo, hi, e.params)
			} else {
				a = e.between(lo, hi, float32(most))
			}
			if !a.finite(float32(most)) {
				b.err = b.part.outOfRange(b.row+r, g*Group)
				return
			}
			b.losses.maxWeight = max(b.losses.maxWeight, -lo, hi)
			a.steps(&q, w, most, &b.losses)
			b.losses.weigh(w, importance, &q, a)
			pack(b.q[g*e.groupBytes():], &q, r, e.bits)
			e.put(b.scale, g*BlockRows+r, a.scale)
			e.put(b.offset, g*BlockRows+r, a.offset)
		}
	}
}

// keep is encode of rows that are quantized: see [arch.Model.WriteSteps].
func (e *encoder) keep(b *block) {
	var q [Group]uint8
	most := float32(int(1)<<e.bits - 1)
	size := e.cols / Group * (Group + 8)
	for r := range b.rows {
		row := b.raw[r*size : (r+1)*size]
		for g := range e.groups() {
			copy(q[:], row[g*Group:])
			number := row[e.cols+8*g:]
			a := affine{math.Float32frombits(binary.LittleEndian.Uint32(number)), math.Float32frombits(binary.LittleEndian.Uint32(number[4:]))}
			if rounded := (affine{e.round(a.scale), e.round(a.offset)}); rounded != a || !a.finite(most) {
				b.err = b.part.outOfRange(b.row+r, g*Group)
				return
			}
			for _, step := range q {
				x := float32(a.scale*float32(step)) + a.offset
				b.losses.maxWeight = max(b.losses.maxWeight, x, -x)
			}
			b.losses.elements += Group
			pack(b.q[g*e.groupBytes():], &q, r, e.bits)
			e.put(b.scale, g*BlockRows+r, a.scale)
			e.put(b.offset, g*BlockRows+r, a.offset)
		}
	}
}

// decode widens numbers to float32 and finds the smallest and the largest. Where one
// of them is not a finite number, one of these is infinite. The comparisons are of integers in the
// order of the floats, which need no branches.
func decode(w []float32, raw []byte, dtype safetensors.DType) (lo, hi float32) {
	least, most := int32(math.MaxInt32), int32(math.MinInt32)
	switch dtype {
	case safetensors.BF16:
		raw = raw[:2*len(w)]
		for i := range w {
			bits := uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16
			w[i] = math.Float32frombits(bits)
			key := ordered(bits)
			least, most = min(least, key), max(most, key)
		}
	case safetensors.F16:
		raw = raw[:2*len(w)]
		for i := range w {
			w[i] = floats.FromF16(binary.LittleEndian.Uint16(raw[2*i:]))
			key := ordered(math.Float32bits(w[i]))
			least, most = min(least, key), max(most, key)
		}
	default:
		raw = raw[:4*len(w)]
		for i := range w {
			bits := binary.LittleEndian.Uint32(raw[4*i:])
			w[i] = math.Float32frombits(bits)
			key := ordered(bits)
			least, most = min(least, key), max(most, key)
		}
	}
	const infinity = 0x7f800000 // NaNs lie beyond the infinities
	least, most = max(least, ^infinity), min(most, infinity)
	return math.Float32frombits(uint32(least ^ least>>31&math.MaxInt32)), math.Float32frombits(uint32(most ^ most>>31&math.MaxInt32))
}

// ordered maps the bits of floats to integers in the same order.
func ordered(bits uint32) int32 { return int32(bits) ^ int32(bits)>>31&math.MaxInt32 }

// Dequantize is the float32 matrix, or stack of matrices, of a quantized weight,
// row-major, from the bytes of its three tensors.
func (s Storage) Dequantize(q, scale, offset []byte) ([]float32, error) {
	if !s.Quantized() {
		return nil, fmt.Errorf("quantize: %s is not quantized", s.Weight)
	}
	for i, t := range s.Tensors() {
		if got := len([][]byte{q, scale, offset}[i]); int64(got) != t.Bytes() {
			return nil, fmt.Errorf("quantize: %s has %d bytes, want %d", t.Name, got, t.Bytes())
		}
	}
	m, p := s.matrix(), paramsOf(s.Params)
	out := make([]float32, m.count*m.rows*m.cols)
	var steps [Group]uint8
	for row := range m.count * m.rows {
		n := row % m.rows
		first := (row/m.rows*m.blocks() + n/BlockRows) * m.groups() // group of the tensors
		for g := range m.groups() {
			unpack(&steps, q[(first+g)*m.groupBytes():], n%BlockRows, m.bits)
			a := affine{p.get(scale, (first+g)*BlockRows+n%BlockRows), p.get(offset, (first+g)*BlockRows+n%BlockRows)}
			to := out[row*m.cols+g*Group : row*m.cols+min((g+1)*Group, m.cols)]
			for i := range to {
				to[i] = float32(a.scale*float32(steps[i])) + a.offset
			}
		}
	}
	return out, nil
}
