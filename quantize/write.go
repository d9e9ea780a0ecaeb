package quantize

import (
	"context"
	"fmt"
	"io"
	goruntime "runtime"

	"github.com/hlocc/hlocc/arch"
)

// Sink opens a tensor of the archive for writing, once. Close completes it; after
// an error tensors are left open.
type Sink func(name string) (io.WriteCloser, error)

// Write streams one weight of a model into its tensors and returns what that did
// to it, nil for floats. It holds no more than a few blocks of rows. importance may be
// nil.
func Write(ctx context.Context, m *arch.Model, s Storage, importance Importance, sink Sink) (*Report, error) {
	return write(ctx, m, s, importance, sink, goruntime.GOMAXPROCS(0))
}

func write(ctx context.Context, m *arch.Model, s Storage, importance Importance, sink Sink, workers int) (*Report, error) {
	if s.Quantized() {
		return writeQuantized(ctx, m, s, importance, sink, workers)
	}
	out, err := sink(s.Weight)
	if err != nil {
		return nil, err
	}
	if err := WriteFloats(ctx, m, s, out); err != nil {
		return nil, err
	}
	return nil, out.Close()
}

// WriteFloats streams a weight that is kept as floats to out. A number that is not finite
// is an error.
func WriteFloats(ctx context.Context, m *arch.Model, s Storage, out io.Writer) error {
	w := m.Weight(s.Weight)
	if w == nil {
		return fmt.Errorf("quantize: the model has no weight %q", s.Weight)
	}
	if s.Block == 0 {
		return m.WriteWeight(ctx, w, s.DType, &finite{weight: w, dtype: s.DType, out: out})
	}
	b := newBlocker(out, s.Shape[len(s.Shape)-1], s.Block, s.DType.Bits()/8)
	if err := m.WriteWeight(ctx, w, s.DType, &finite{weight: w, dtype: s.DType, out: b}); err != nil {
		return err
	}
	if b.have != 0 {
		return fmt.Errorf("quantize: weight %q ends inside a block of %d rows", s.Weight, s.Block)
	}
	return nil
}

// blocker turns a row-major stream of a matrix [N,cols] into [N/block][cols][block].
type blocker struct {
	out         io.Writer
	cols, block int
	size        int // bytes of an element
	rows        []byte
	packed      []byte
	have        int // bytes of rows that are filled
}

func newBlocker(out io.Writer, cols, block, size int) *blocker {
	n := cols * block * size
	return &blocker{out: out, cols: cols, block: block, size: size, rows: make([]byte, n), packed: make([]byte, n)}
}

func (b *blocker) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		n := copy(b.rows[b.have:], p)
		b.have += n
		written += n
		p = p[n:]
		if b.have < len(b.rows) {
			break
		}
		b.have = 0
		b.pack()
		if _, err := b.out.Write(b.packed); err != nil {
			return written, err
		}
	}
	return written, nil
}

// pack transposes one block of rows, in tiles of columns that stay in the cache.
func (b *blocker) pack() {
	const tile = 64
	row := b.cols * b.size
	for from := 0; from < b.cols; from += tile {
		to := min(from+tile, b.cols)
		for r := range b.block {
			src := b.rows[r*row:]
			for c := from; c < to; c++ {
				dst := b.packed[(c*b.block+r)*b.size:]
				for i := range b.size {
					dst[i] = src[c*b.size+i]
				}
			}
		}
	}
}
