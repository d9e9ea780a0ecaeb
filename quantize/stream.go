package quantize

import (
	"context"
	"fmt"
	"io"
	"math"
	goruntime "runtime"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// A weight is quantized by a pipeline: a reader for each part cuts its rows into
// blocks; they are put into the order of the archive, quantized by several workers
// and written in that order again. Blocks go round, so there are never more than a
// few.

// part is a logical weight that is, or is stacked in, a quantized one.
type part struct {
	weight     *arch.Weight
	dtype      safetensors.DType // in which it is read
	rows       int               // of each matrix
	importance []float32         // of each column, mean 1 in a group; nil if all are equal
	blocks     chan *block
	losses     losses // of all its blocks
}

// atOnce is how many weights WriteAll works on at a time: one that is being read
// or begun leaves the workers to others. More would cost memory on large machines.
const atOnce = 4

// WriteAll is Write of all weights of a plan, several at a time. The reports of those
// that are quantized come in the order of the plan. importance may be nil.
func WriteAll(ctx context.Context, m *arch.Model, plan []Storage, importance Importance, sink Sink) ([]Report, error) {
	all := goruntime.GOMAXPROCS(0)
	weights := min(atOnce, all)
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(weights)
	reports := make([]*Report, len(plan))
	for i := range plan {
		group.Go(func() (err error) {
			reports[i], err = write(ctx, m, plan[i], importance, sink, (all+weights-1)/weights)
			return err
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	var list []Report
	for _, r := range reports {
		if r != nil {
			list = append(list, *r)
		}
	}
	return list, nil
}

// writeQuantized is Write of a quantized weight.
func writeQuantized(ctx context.Context, m *arch.Model, s Storage, importance Importance, sink Sink, workers int) (*Report, error) {
	e := &encoder{matrix: s.matrix(), params: paramsOf(s.Params), method: s.Method}
	parts, err := partsOf(m, s, importance)
	if err != nil {
		return nil, err
	}
	group, ctx := errgroup.WithContext(ctx)
	p := &pipeline{ctx: ctx, encoder: e, free: make(chan *block, workers+len(parts)+1), work: make(chan *block), written: make(chan *block, workers)}
	rawSize := 0
	for _, part := range parts {
		rawSize = max(rawSize, BlockRows*p.rowSize(part))
	}
	for range cap(p.free) {
		p.free <- newBlock(e, rawSize)
	}
	for _, part := range parts {
		group.Go(func() error { return p.read(m, part) })
	}
	group.Go(func() error { return p.order(parts) })
	for range workers {
		group.Go(func() error {
			for b := range p.work {
				e.encode(b)
				close(b.done)
			}
			return nil
		})
	}
	var report *Report
	group.Go(func() error {
		var sum losses
		if err := p.write(s, sink, &sum); err != nil {
			return err
		}
		report = sum.report(s)
		for _, part := range parts {
			if err := p.tooSmall(part); err != nil {
				return err
			}
		}
		return nil
	})
	if err := group.Wait(); err != nil {
		return nil, err
	}
	return report, nil
}

func partsOf(m *arch.Model, s Storage, importance Importance) ([]*part, error) {
	names := s.Parts
	if len(names) == 0 {
		names = []string{s.Weight}
	}
	var parts []*part
	for _, name := range names {
		w := m.Weight(name)
		if w == nil {
			return nil, fmt.Errorf("quantize: the model has no weight %q", name)
		}
		columns, err := importance.columns(w)
		if err != nil {
			return nil, err
		}
		parts = append(parts, &part{weight: w, dtype: w.Storage(), rows: w.Shape[len(w.Shape)-2], importance: columns, blocks: make(chan *block)})
	}
	return parts, nil
}

type pipeline struct {
	*encoder
	ctx     context.Context
	free    chan *block // not in use
	work    chan *block
	written chan *block // in the order of the archive
}

// send gives a block to the next station; it fails if another has.
func (p *pipeline) send(to chan<- *block, b *block) error {
	select {
	case to <- b:
		return nil
	case <-p.ctx.Done():
		return p.ctx.Err()
	}
}

func (p *pipeline) receive(from <-chan *block) (*block, error) {
	select {
	case b := <-from:
		return b, nil
	case <-p.ctx.Done():
		return nil, p.ctx.Err()
	}
}

// rowSize is the size of a row of a part as it is read.
func (p *pipeline) rowSize(part *part) int {
	if p.method == Kept {
		return p.cols + p.cols/Group*8 // see arch.Model.WriteSteps
	}
	return p.cols * part.dtype.Bits() / 8
}

// read cuts a part into blocks.
func (p *pipeline) read(m *arch.Model, part *part) error {
	r := &reader{p: p, part: part, rowSize: p.rowSize(part)}
	var err error
	if p.method == Kept {
		err = m.WriteSteps(p.ctx, part.weight, r)
	} else {
		err = m.WriteWeight(p.ctx, part.weight, part.dtype, r)
	}
	if err != nil {
		return err
	}
	if r.row != p.count*part.rows {
		return fmt.Errorf("quantize: weight %q ended after %d of %d rows", part.weight.Name, r.row, p.count*part.rows)
	}
	return nil
}

// reader makes blocks of a row-major stream.
type reader struct {
	p       *pipeline
	part    *part
	rowSize int
	row     int // of the block that is being filled
	b       *block
}

func (r *reader) Write(data []byte) (written int, err error) {
	for len(data) > 0 {
		if r.b == nil {
			if r.b, err = r.p.receive(r.p.free); err != nil {
				return written, err
			}
			r.b.part, r.b.row, r.b.rows = r.part, r.row, min(BlockRows, r.part.rows-r.row%r.part.rows)
			r.b.raw, r.b.done = r.b.raw[:0], make(chan struct{})
		}
		n := min(len(data), r.b.rows*r.rowSize-len(r.b.raw))
		r.b.raw = append(r.b.raw, data[:n]...)
		data = data[n:]
		written += n
		if len(r.b.raw) == r.b.rows*r.rowSize {
			b := r.b
			r.row += b.rows
			r.b = nil
			if err := r.p.send(r.part.blocks, b); err != nil {
				return written, err
			}
		}
	}
	return written, nil
}

// order hands out blocks in the order of the archive: of each matrix the blocks of
// its parts, one part after another.
func (p *pipeline) order(parts []*part) error {
	defer close(p.work)
	defer close(p.written)
	for range p.count {
		for _, part := range parts {
			for row := 0; row < part.rows; row += BlockRows {
				b, err := p.receive(part.blocks)
				if err != nil {
					return err
				}
				if err := p.send(p.written, b); err != nil {
					return err
				}
				if err := p.send(p.work, b); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// write writes finished blocks and adds up what they lost.
func (p *pipeline) write(s Storage, sink Sink, sum *losses) error {
	var out [3]io.WriteCloser
	for i, t := range s.Tensors() {
		var err error
		if out[i], err = sink(t.Name); err != nil {
			return err
		}
	}
	for b := range p.written {
		select {
		case <-b.done:
		case <-p.ctx.Done():
			return p.ctx.Err()
		}
		if b.err != nil {
			return b.err
		}
		for i, data := range [][]byte{b.q, b.scale, b.offset} {
			if _, err := out[i].Write(data); err != nil {
				return err
			}
		}
		sum.merge(&b.losses)
		b.part.losses.merge(&b.losses)
		p.free <- b
	}
	if err := p.ctx.Err(); err != nil {
		return err // the others have stopped early
	}
	for _, w := range out {
		if err := w.Close(); err != nil {
			return err
		}
	}
	return nil
}

// notFinite is the error of a number that is none, among those from col on.
func (p *part) notFinite(row, col int, w []float32) error {
	n := slices.IndexFunc(w, func(x float32) bool { return x-x != 0 })
	e := p.at(row, col+n)
	e.Code, e.Message, e.Found = "weight_not_finite", "a weight that cannot be computed with", "NaN"
	e.Fix = damaged
	if math.IsInf(float64(w[n]), 0) {
		e.Found = "infinity"
	}
	return e
}

// outOfRange is the error of a group whose numbers are too large or too far apart.
func (p *part) outOfRange(row, col int) error {
	e := p.at(row, col)
	e.Code, e.Message = "quant_range", "weights of a group are too large for scales and offsets of this type"
	e.Fix = asF32
	return e
}

const asF32 = "build with --scales f32, or keep the weights as floats"

// tooSmall is the error of a weight of which little is left, because its steps are
// below what an f16 holds. Single groups of next to nothing are no loss.
func (p *pipeline) tooSmall(part *part) error {
	sum := &part.losses
	if p.method == Kept || p.size != 2 || sum.difference <= sum.weight/4 || sum.maxWeight >= 0x1p-14 {
		return nil
	}
	t, _, _ := part.weight.Locate(0, 0)
	return &diag.Error{Kind: diag.BadInput, Code: "quant_range", File: t.File(), Where: fmt.Sprintf("tensor %q", t.Name),
		Message: "weights are too small for scales and offsets in f16", Found: fmt.Sprintf("%g as the largest", sum.maxWeight), Fix: asF32}
}

// at is an error about a number of the part.
func (p *part) at(row, col int) *diag.Error {
	t, row, col := p.weight.Locate(row, col)
	return &diag.Error{Kind: diag.BadInput, File: t.File(), Where: fmt.Sprintf("tensor %q, row %d, column %d", t.Name, row, col)}
}
