package arch

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// chunkBytes is how much of a tensor is read at a time. Every call of
// WriteWeight needs about three times as much memory, whatever the size of the
// weight; calls may run in parallel.
const chunkBytes = 1 << 20

// WriteWeight streams a weight to out, row-major and little-endian, converted to
// BF16, F16 or F32. Widening is exact, narrowing rounds to nearest even; a
// number that only the target type cannot hold is an error and not an infinity.
func (m *Model) WriteWeight(ctx context.Context, w *Weight, to safetensors.DType, out io.Writer) error {
	switch to {
	case safetensors.BF16, safetensors.F16, safetensors.F32:
	default:
		return fmt.Errorf("arch: cannot convert weights to %s", to)
	}
	s := sink{ctx: ctx, to: to, out: out}
	if w.Name == embedName && m.Spec.Head.Tied {
		s.copyOf = m.ckpt.Tensor(m.head)
	}
	for _, p := range w.Pieces {
		if err := s.piece(&p); err != nil {
			return err
		}
	}
	return nil
}

const embedName = "embed.weight"

// ReadFloat32 reads a whole weight, widened to float32 (or narrowed, from F64).
func (m *Model) ReadFloat32(ctx context.Context, w *Weight) ([]float32, error) {
	f := &floatWriter{data: make([]float32, 0, w.Elements())}
	err := m.WriteWeight(ctx, w, safetensors.F32, f)
	return f.data, err
}

// floatWriter collects little-endian float32; WriteWeight writes whole elements.
type floatWriter struct{ data []float32 }

func (f *floatWriter) Write(p []byte) (int, error) {
	for i := 0; i+4 <= len(p); i += 4 {
		f.data = append(f.data, math.Float32frombits(binary.LittleEndian.Uint32(p[i:])))
	}
	return len(p), nil
}

// sink converts pieces of a weight and writes them.
type sink struct {
	ctx    context.Context
	to     safetensors.DType
	out    io.Writer
	copyOf *safetensors.Tensor // must hold the same bytes, if not nil

	twin, converted, raw []byte
}

func grow(b []byte, n int64) []byte {
	if int64(cap(b)) < n {
		return make([]byte, n)
	}
	return b[:n]
}

func (s *sink) read(t *safetensors.Tensor, p []byte, off int64) error {
	if err := s.ctx.Err(); err != nil {
		return err
	}
	_, err := t.ReadAt(p, off)
	return err
}

// compare checks that a second copy of the tensor is one.
func (s *sink) compare(t *safetensors.Tensor, part []byte, off int64) error {
	if s.copyOf == nil {
		return nil
	}
	equal := s.copyOf.Size() == t.Size() && s.copyOf.DType == t.DType
	if equal {
		s.twin = grow(s.twin, int64(len(part)))
		if err := s.read(s.copyOf, s.twin, off); err != nil {
			return err
		}
		equal = string(s.twin) == string(part)
	}
	if !equal {
		return &diag.Error{Kind: diag.BadInput, Code: "tied_head", File: s.copyOf.File(), Where: "tensor " + strconv.Quote(s.copyOf.Name),
			Message: "differs from the embedding, although tie_word_embeddings says that they are one",
			Fix:     "set tie_word_embeddings to false in config.json if the head has its own weights"}
	}
	return nil
}

// emit converts and writes whole elements of type from, which are those of t.
func (s *sink) emit(t *safetensors.Tensor, from safetensors.DType, raw []byte) error {
	if from == s.to {
		_, err := s.out.Write(raw)
		return err
	}
	n := len(raw) / (from.Bits() / 8)
	s.converted = grow(s.converted, int64(n*s.to.Bits()/8))
	if !convert(s.converted, s.to, raw, from) {
		return &diag.Error{Kind: diag.BadInput, Code: "weight_range", File: t.File(), Where: "tensor " + strconv.Quote(t.Name),
			Message: fmt.Sprintf("a number is too large for %s", s.to), Found: string(from) + " numbers",
			Fix: "choose another --dtype, such as bf16 or f32"}
	}
	_, err := s.out.Write(s.converted)
	return err
}

// convert converts elements; false if a finite number became infinite.
func convert(dst []byte, to safetensors.DType, src []byte, from safetensors.DType) bool {
	le := binary.LittleEndian
	ok := true
	if from == safetensors.F64 {
		for i := 0; i*8 < len(src); i++ {
			f := math.Float64frombits(le.Uint64(src[i*8:]))
			var inf bool
			switch to {
			case safetensors.F32:
				g := float32(f)
				le.PutUint32(dst[i*4:], math.Float32bits(g))
				inf = math.IsInf(float64(g), 0)
			case safetensors.BF16:
				b := floats.F64ToBF16(f)
				le.PutUint16(dst[i*2:], b)
				inf = b&0x7fff == 0x7f80
			case safetensors.F16:
				b := floats.F64ToF16(f)
				le.PutUint16(dst[i*2:], b)
				inf = b&0x7fff == 0x7c00
			}
			ok = ok && (!inf || math.IsInf(f, 0))
		}
		return ok
	}
	size := from.Bits() / 8
	for i := 0; i*size < len(src); i++ {
		var f float32
		switch from {
		case safetensors.F32:
			f = math.Float32frombits(le.Uint32(src[i*4:]))
		case safetensors.BF16:
			f = floats.FromBF16(le.Uint16(src[i*2:]))
		case safetensors.F16:
			f = floats.FromF16(le.Uint16(src[i*2:]))
		}
		var inf bool
		switch to {
		case safetensors.F32:
			le.PutUint32(dst[i*4:], math.Float32bits(f))
		case safetensors.BF16:
			b := floats.ToBF16(f)
			le.PutUint16(dst[i*2:], b)
			inf = b&0x7fff == 0x7f80
		case safetensors.F16:
			b := floats.ToF16(f)
			le.PutUint16(dst[i*2:], b)
			inf = b&0x7fff == 0x7c00
		}
		if inf && !math.IsInf(float64(f), 0) {
			ok = false
		}
	}
	return ok
}
