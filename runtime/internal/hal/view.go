package hal

import (
	"fmt"
)

// maxRank bounds shapes; the stock runtime has the same limit.
const maxRank = 128

// BufferView is a Buffer with a shape and an element type: what functions take
// and give.
type BufferView struct {
	buffer   *Buffer
	element  ElementType
	encoding Encoding
	shape    []int
	result   bool // memory that the call made and whose owner has the view
}

// NewBufferView describes the contents of b: row-major elements without
// padding. It keeps shape.
func NewBufferView(b *Buffer, e ElementType, shape []int) (*BufferView, error) {
	return newView(b, e, Dense, shape)
}

func newView(b *Buffer, e ElementType, enc Encoding, shape []int) (*BufferView, error) {
	if len(shape) > maxRank {
		return nil, bad("view_rank", "a tensor of too many dimensions", fmt.Sprintf("at most %d", maxRank), fmt.Sprint(len(shape)))
	}
	if enc == Dense {
		if n := byteSize(e, shape); n < 0 || n > b.len {
			return nil, bad("view_size", "the buffer is too small for "+describe(e, shape), fmt.Sprintf("%d bytes", n), fmt.Sprintf("%d bytes", b.len))
		}
	}
	return &BufferView{buffer: b, element: e, encoding: enc, shape: shape}, nil
}

func (*BufferView) RefType() string { return "hal.buffer_view" }

// Buffer is the memory that v describes.
func (v *BufferView) Buffer() *Buffer { return v.buffer }

// Release gives back the memory of a result that the call which returned v has
// made. It does nothing if v is not such a result: an argument that came back
// updated in place stays with its owner. Results may share memory, which is
// free when the last of them is released.
func (v *BufferView) Release() {
	if v.result {
		v.result = false
		if s := v.buffer.store; s.results.Add(-1) == 0 {
			s.free()
		}
	}
}

// own makes v a result that Release releases.
func (v *BufferView) own() {
	if !v.result {
		v.result = true
		v.buffer.store.results.Add(1)
	}
}

// Bytes is the memory of the elements; see Buffer.Bytes.
func (v *BufferView) Bytes() []byte {
	mem := v.buffer.Bytes()
	if n := byteSize(v.element, v.shape); v.encoding == Dense && n <= int64(len(mem)) {
		return mem[:n:n]
	}
	return mem
}

// Element is the type of the elements.
func (v *BufferView) Element() ElementType { return v.element }

// Encoding is the layout of the elements.
func (v *BufferView) Encoding() Encoding { return v.encoding }

// Shape is the size of each dimension, the slowest first. Do not change it.
func (v *BufferView) Shape() []int { return v.shape }

func (v *BufferView) String() string { return describe(v.element, v.shape) }
