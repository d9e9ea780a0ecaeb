package arch

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// band is some consecutive rows of a packed matrix.
type band struct {
	from, to      int
	q             []byte    // [to-from][cols]
	scale, offset []float32 // [to-from][groups]
}

// packedRows calls emit with every row of a packed piece: its integers, and scales
// and offsets of its groups. Two of the formats store columns of rows, so a band of
// rows is gathered at a time.
func (s *sink) packedRows(piece *Piece, emit func(q []byte, scale, offset []float32) error) error {
	p := piece.packed
	if err := s.checkOrder(p); err != nil {
		return err
	}
	height := max(8, min(bandBytes/p.cols, p.rows)/8*8)
	b := &band{}
	for from := piece.Rows[0] / 8 * 8; from < piece.Rows[1]; from += height {
		b.from, b.to = from, min(from+height, p.rows)
		n := b.to - b.from
		b.q = grow(b.q, int64(n*p.cols))
		if groups := n * p.groups(); cap(b.scale) < groups {
			b.scale, b.offset = make([]float32, groups), make([]float32, groups)
		}
		b.scale, b.offset = b.scale[:n*p.groups()], b.offset[:n*p.groups()]
		if err := p.read(s, p, b); err != nil {
			return err
		}
		for row := max(b.from, piece.Rows[0]); row < min(b.to, piece.Rows[1]); row++ {
			if (row-piece.Rows[0])%piece.Step >= piece.Run {
				continue
			}
			r, g := row-b.from, p.groups()
			if err := emit(b.q[r*p.cols:(r+1)*p.cols], b.scale[r*g:(r+1)*g], b.offset[r*g:(r+1)*g]); err != nil {
				return err
			}
		}
	}
	return nil
}

// packed streams a packed piece as float32.
func (s *sink) packed(piece *Piece) error {
	p := piece.packed
	raw := make([]byte, 4*p.cols)
	return s.packedRows(piece, func(q []byte, scale, offset []float32) error {
		for k, step := range q {
			g := k / p.group
			binary.LittleEndian.PutUint32(raw[4*k:], math.Float32bits(float32(scale[g]*float32(step))+offset[g]))
		}
		return s.emit(p.steps, packedDType, raw)
	})
}

// WriteSteps streams a packed weight to out as it is. For every row of K inputs it
// writes K bytes, the integers, and then for each of K/64 groups scale and offset, two
// little-endian float32.
func (m *Model) WriteSteps(ctx context.Context, w *Weight, out io.Writer) error {
	s := sink{ctx: ctx, out: out}
	var row []byte
	for i := range w.Pieces {
		piece := &w.Pieces[i]
		p := piece.packed
		if p == nil {
			return fmt.Errorf("arch: weight %s is not packed", w.Name)
		}
		if err := s.packedRows(piece, func(q []byte, scale, offset []float32) error {
			row = append(row[:0], q...)
			for k := 0; k < p.cols; k += PackedGroup {
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(scale[k/p.group]))
				row = binary.LittleEndian.AppendUint32(row, math.Float32bits(offset[k/p.group]))
			}
			_, err := out.Write(row)
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

// floats reads n numbers of a tensor from element at on.
func (s *sink) floats(t *safetensors.Tensor, to []float32, at int) error {
	size := t.DType.Bits() / 8
	s.raw = grow(s.raw, int64(len(to)*size))
	if err := s.read(t, s.raw, int64(at)*int64(size)); err != nil {
		return err
	}
	s.converted = grow(s.converted, int64(4*len(to)))
	convert(s.converted, safetensors.F32, s.raw, t.DType)
	for i := range to {
		to[i] = math.Float32frombits(binary.LittleEndian.Uint32(s.converted[4*i:]))
		if to[i]-to[i] != 0 {
			return &diag.Error{Kind: diag.BadInput, Code: "weight_not_finite", File: t.File(), Where: fmt.Sprintf("tensor %q, element %d", t.Name, at+i),
				Message: "a scale or offset that cannot be computed with", Found: fmt.Sprint(to[i])}
		}
	}
	return nil
}

// words reads n numbers of 32 bits of a tensor from element at on. They are valid
// until the next call.
func (s *sink) words(t *safetensors.Tensor, n, at int) ([]byte, error) {
	s.raw = grow(s.raw, int64(4*n))
	return s.raw, s.read(t, s.raw, 4*int64(at))
}

func (s *sink) bandMLX(p *packed, b *band) error {
	n := len(b.q) * p.bits / 32
	raw, err := s.words(p.steps, n, b.from*p.cols*p.bits/32)
	if err != nil {
		return err
	}
	if p.bits == 8 {
		copy(b.q, raw)
	} else {
		for i, both := range raw {
			b.q[2*i], b.q[2*i+1] = both&15, both>>4
		}
	}
	if err := s.floats(p.scale, b.scale, b.from*p.groups()); err != nil {
		return err
	}
	return s.floats(p.zero, b.offset, b.from*p.groups())
}

func (s *sink) bandGPTQ(p *packed, b *band) error {
	n := b.to - b.from
	for k := 0; k < p.cols; k += 8 {
		raw, err := s.words(p.steps, n, k/8*p.rows+b.from)
		if err != nil {
			return err
		}
		for r := range n {
			to := b.q[r*p.cols+k:][:8]
			for i := range 4 {
				to[2*i], to[2*i+1] = raw[4*r+i]&15, raw[4*r+i]>>4
			}
		}
	}
	return s.zeros(p, b, [8]int{0, 1, 2, 3, 4, 5, 6, 7})
}

// awqOrder are the outputs, of eight, whose integers stand side by side.
var awqOrder = [8]int{0, 2, 4, 6, 1, 3, 5, 7}

func (s *sink) bandAWQ(p *packed, b *band) error {
	n := b.to - b.from
	for k := range p.cols {
		raw, err := s.words(p.steps, n/8, (k*p.rows+b.from)/8)
		if err != nil {
			return err
		}
		for i, both := range raw {
			r, pair := i/4*8, i%4*2
			b.q[(r+awqOrder[pair])*p.cols+k] = both & 15
			b.q[(r+awqOrder[pair+1])*p.cols+k] = both >> 4
		}
	}
	return s.zeros(p, b, awqOrder)
}

// zeros reads scales and zero points of GPTQ and AWQ, which pack those of eight
// outputs in the given order.
func (s *sink) zeros(p *packed, b *band, order [8]int) error {
	n, groups := b.to-b.from, p.groups()
	scales := make([]float32, n)
	for g := range groups {
		if err := s.floats(p.scale, scales, g*p.rows+b.from); err != nil {
			return err
		}
		raw, err := s.words(p.zero, n/8, (g*p.rows+b.from)/8)
		if err != nil {
			return err
		}
		for i, both := range raw {
			for half, zero := range [2]byte{both & 15, both >> 4} {
				r := i/4*8 + order[i%4*2+half]
				if p.fromOne {
					zero = (zero + 1) & 15
				}
				if p.symmetric && zero != 8 {
					return &diag.Error{Kind: diag.BadInput, Code: "quantized_checkpoint", File: p.zero.File(), Where: fmt.Sprintf("tensor %q, group %d, output %d", p.zero.Name, g, b.from+r),
						Message: "zero point of a symmetric quantization", Want: "8, as sym in config.json says", Found: strconv.Itoa(int(zero))}
				}
				b.scale[r*groups+g], b.offset[r*groups+g] = scales[r], -float32(scales[r]*float32(zero))
			}
		}
	}
	return nil
}

// checkOrder checks that the groups of inputs follow each other.
func (s *sink) checkOrder(p *packed) error {
	t := p.gIdx
	if t == nil {
		return nil
	}
	raw, err := s.words(t, p.cols, 0)
	if err != nil {
		return err
	}
	for k := range p.cols {
		if g := int32(binary.LittleEndian.Uint32(raw[4*k:])); int(g) != k/p.group {
			return &diag.Error{Kind: diag.Unsupported, Code: "quantized_checkpoint", File: t.File(), Where: fmt.Sprintf("tensor %q, input %d", t.Name, k),
				Message: "groups of inputs that do not follow each other cannot be kept without loss", Want: fmt.Sprintf("group %d", k/p.group), Found: strconv.Itoa(int(g)), Fix: unquantized}
		}
	}
	return nil
}
