package build

import (
	"context"
	"encoding/binary"
	"io"
	"math"
	goruntime "runtime"

	"golang.org/x/sync/errgroup"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/quantize"
)

// tensorSpecs lists the archive's tensors in order: the weights, then the tables.
func (p *Plan) tensorSpecs() []bundle.TensorSpec {
	var specs []bundle.TensorSpec
	for _, s := range p.Weights {
		for _, t := range s.Tensors() {
			specs = append(specs, bundle.TensorSpec{Name: t.Name, DType: bundleType(t.DType), Shape: t.Shape})
		}
	}
	for _, t := range p.Tables {
		specs = append(specs, bundle.TensorSpec{Name: t.Name, DType: bundle.F32, Shape: t.Shape})
	}
	return specs
}

func bundleType(d safetensors.DType) bundle.DType {
	switch d {
	case safetensors.F16:
		return bundle.F16
	case safetensors.BF16:
		return bundle.BF16
	case safetensors.U8:
		return bundle.U8
	}
	return bundle.F32
}

// writeWeights streams all tensors of the archive and tells what quantizing did to them. Each worker holds little more
// than a block of rows.
func writeWeights(ctx context.Context, w *bundle.Writer, m *arch.Model, p *Plan) (reports []quantize.Report, err error) {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(goruntime.GOMAXPROCS(0))
	group.Go(func() (err error) {
		reports, err = quantize.WriteAll(ctx, m, p.Weights, p.importance, w.OpenTensor)
		return err
	})
	for _, t := range tables(m.Spec, p.Context) {
		group.Go(func() error {
			return w.WriteTensor(t.Name, func(out io.Writer) error { return writeFloats(out, t.values()) })
		})
	}
	return reports, group.Wait()
}

func writeFloats(out io.Writer, values []float32) error {
	buf := make([]byte, 0, 1<<16)
	for len(values) > 0 {
		n := min(len(values), cap(buf)/4)
		buf = buf[:0]
		for _, v := range values[:n] {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
		if _, err := out.Write(buf); err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}
