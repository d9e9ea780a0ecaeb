package arch

import "github.com/hlocc/hlocc/internal/safetensors"

// Piece is a range of rows of a checkpoint tensor; see RulePiece.
type Piece struct {
	Tensor    *safetensors.Tensor
	Scales    *safetensors.Tensor // of MXFP4 blocks, else nil
	packed    *packed             // of a matrix that is packed, else nil
	Shape     []int               // of the tensor, or of what the blocks encode
	Leading   int                 // axes that are counted through as rows
	Rows      [2]int              // half-open, after Transpose
	Step, Run int                 // Run rows of every Step
	Transpose bool                // swap the last two axes first
}

// rows is the number of rows of the piece's tensor.
func (p *Piece) rows() int {
	n := 1 // of a scalar
	shape := p.Shape
	if p.Transpose { // the columns are the rows
		n, shape = p.Shape[p.Leading], p.Shape[:p.Leading-1]
	}
	for _, d := range shape[:min(p.Leading, len(shape))] {
		n *= d
	}
	return n
}

// dtype is the type of the numbers of a piece.
func (p *Piece) dtype() safetensors.DType {
	switch {
	case p.Scales != nil:
		return mxfp4DType
	case p.packed != nil:
		return packedDType
	}
	return p.Tensor.DType
}

// check checks the tensors of a piece against the shape that the rule wants.
func (p *Piece) check(dims []Dim) error {
	switch {
	case p.Scales != nil:
		return checkMXFP4(p, dims)
	case p.packed != nil:
		return p.packed.check(dims)
	}
	return checkTensor(p.Tensor, dims)
}

// each calls emit with consecutive rows of size bytes that read gives, or with
// those of them that the piece takes. read fills p with the bytes at off.
func (p *Piece) each(size int64, read func(p []byte, off int64) error, emit func([]byte) error) error {
	buf := make([]byte, max(1, min(chunkBytes, int64(p.Rows[1]-p.Rows[0])*size)))
	span := func(off, end int64, step int) error {
		for off < end {
			part := buf[:min(int64(len(buf)), end-off)]
			if err := read(part, off); err != nil {
				return err
			}
			off += int64(len(part))
			if step > 1 {
				part = part[:compact(part, size, step)]
			}
			if err := emit(part); err != nil {
				return err
			}
		}
		return nil
	}
	from, end, step := int64(p.Rows[0]), int64(p.Rows[1]), int64(p.Step)
	if step == 1 {
		return span(from*size, end*size, 1)
	}
	if run := int64(p.Run); run > 1 || step*size > int64(len(buf)) { // long rows: each by itself
		for ; from < end; from += step {
			if err := span(from*size, (from+run)*size, 1); err != nil {
				return err
			}
		}
		return nil
	}
	buf = buf[:int64(len(buf))/(step*size)*(step*size)] // whole steps
	return span(from*size, end*size, p.Step)
}

// compact moves every step-th row of size bytes to the front and returns their length.
func compact(rows []byte, size int64, step int) int64 {
	kept := int64(0)
	for at := int64(0); at < int64(len(rows)); at += size * int64(step) {
		copy(rows[kept:], rows[at:at+size])
		kept += size
	}
	return kept
}

// piece streams a piece to the sink.
func (s *sink) piece(p *Piece) error {
	switch {
	case p.Scales != nil:
		return s.mxfp4(p)
	case p.packed != nil:
		return s.packed(p)
	case p.Transpose:
		return s.transposed(p)
	}
	t := p.Tensor
	size := int64(t.DType.Bits() / 8)
	for _, d := range p.Shape[min(p.Leading, len(p.Shape)):] {
		size *= int64(d)
	}
	return p.each(size, func(part []byte, off int64) error {
		if err := s.read(t, part, off); err != nil {
			return err
		}
		return s.compare(t, part, off)
	}, func(part []byte) error { return s.emit(t, t.DType, part) })
}

// bandBytes is how much of a matrix is transposed at a time. Wide bands are
// worth their memory: of each row they read a piece of its own.
const bandBytes = 8 << 20

// transposed streams a stack of matrices with rows and columns swapped: it gathers
// bands of columns, as many as fit the buffer, into rows.
func (s *sink) transposed(p *Piece) error {
	t := p.Tensor
	width := int64(t.DType.Bits() / 8)
	n := len(p.Shape)
	rows, cols := int64(p.Shape[n-2]), int64(p.Shape[n-1])
	from, end, step := int64(p.Rows[0]), int64(p.Rows[1]), int64(p.Step)
	band := max(step, min(cols, bandBytes/max(1, rows*width)))
	gathered := make([]byte, (band/step+1)*rows*width)
	line := make([]byte, band*width)
	for from < end {
		matrix, col := from/cols, from%cols
		k := min(band, cols-col, end-from)
		out := int64(0)
		for r := range rows {
			if err := s.read(t, line[:k*width], ((matrix*rows+r)*cols+col)*width); err != nil {
				return err
			}
			out = 0
			for j := int64(0); j < k; j += step {
				copy(gathered[(out*rows+r)*width:], line[j*width:(j+1)*width])
				out++
			}
		}
		if err := s.emit(t, t.DType, gathered[:out*rows*width]); err != nil {
			return err
		}
		from += out * step
	}
	return nil
}

// Locate says where number col of a row of a matrix stands in the checkpoint: in
// which tensor, and there in which row and column. Rows are counted through all
// axes but the last, of weight and tensor alike.
func (w *Weight) Locate(row, col int) (t *safetensors.Tensor, tensorRow, tensorCol int) {
	for i := range w.Pieces {
		p := &w.Pieces[i]
		last := len(p.Shape) - 1
		lines := 1 // of a row of the piece
		if !p.Transpose {
			for _, d := range p.Shape[min(p.Leading, last):last] {
				lines *= d
			}
		}
		if taken := (p.Rows[1] - p.Rows[0] + p.Step - 1) / p.Step * p.Run * lines; row >= taken && i < len(w.Pieces)-1 {
			row -= taken
			continue
		}
		n := row / lines
		at := p.Rows[0] + n/p.Run*p.Step + n%p.Run
		if p.Transpose {
			return p.Tensor, at/p.Shape[last]*p.Shape[last-1] + col, at % p.Shape[last]
		}
		return p.Tensor, at*lines + row%lines, col
	}
	return nil, 0, 0
}
