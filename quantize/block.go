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
	var w [Group]float32
	var q [Group]uint8
	most := float32(int(1)<<e.bits - 1)
	width := b.part.dtype.Bits() / 8
	for g := range e.groups() {
		n := min(Group, e.cols-g*Group)
		for r := range b.rows {
			if bad := decode(w[:n], b.raw[(r*e.cols+g*Group)*width:], b.part.dtype); bad >= 0 {
				b.err = b.part.notFinite(b.row+r, g*Group+bad, w[bad])
				return
			}
			a := e.choose(w[:n], most)
			if !a.finite(most) {
				b.err = b.part.outOfRange(b.row+r, g*Group)
				return
			}
			clipped := a.steps(&q, w[:n], most)
			b.losses.add(w[:n], &q, a, clipped)
			pack(b.q[g*e.groupBytes():], &q, r, e.bits)
			e.put(b.scale, g*BlockRows+r, a.scale)
			e.put(b.offset, g*BlockRows+r, a.offset)
		}
	}
}

func (e *encoder) choose(w []float32, most float32) affine {
	return e.nearest(w, most)
}

// decode widens numbers to float32; it returns the index of one that is not finite, or -1.
func decode(w []float32, raw []byte, dtype safetensors.DType) int {
	largest := uint32(0)
	switch dtype {
	case safetensors.BF16:
		for i := range w {
			bits := uint32(binary.LittleEndian.Uint16(raw[2*i:])) << 16
			largest = max(largest, bits&0x7fffffff)
			w[i] = math.Float32frombits(bits)
		}
	case safetensors.F16:
		for i := range w {
			w[i] = floats.FromF16(binary.LittleEndian.Uint16(raw[2*i:]))
			largest = max(largest, math.Float32bits(w[i])&0x7fffffff)
		}
	default:
		for i := range w {
			bits := binary.LittleEndian.Uint32(raw[4*i:])
			largest = max(largest, bits&0x7fffffff)
			w[i] = math.Float32frombits(bits)
		}
	}
	if largest < 0x7f800000 {
		return -1
	}
	for i, x := range w {
		if x-x != 0 {
			return i
		}
	}
	return -1
}

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
