package quantize

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"strconv"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

const damaged = "download or convert the checkpoint again: a model with such a weight computes nothing"

// finite passes on the floats of a weight, row-major, and stops at one that is no
// finite number. A NaN in a bias can hide from the replay: a softmax drops it.
type finite struct {
	weight *arch.Weight
	dtype  safetensors.DType // of the stream
	out    io.Writer
	at     int // elements before
}

func (f *finite) Write(p []byte) (int, error) {
	size := f.dtype.Bits() / 8
	if len(p)%size != 0 {
		return 0, fmt.Errorf("quantize: weight %q comes in pieces of %d bytes", f.weight.Name, len(p))
	}
	if n := notFiniteAt(p, f.dtype); n >= 0 {
		return 0, f.error(f.at+n, p[n*size:])
	}
	f.at += len(p) / size
	return f.out.Write(p)
}

// notFiniteAt is the index of the first float that is no finite number, -1 if there is
// none: one whose exponent is all ones.
func notFiniteAt(p []byte, dtype safetensors.DType) int {
	switch dtype {
	case safetensors.F16, safetensors.BF16:
		mask := uint16(0x7f80)
		if dtype == safetensors.F16 {
			mask = 0x7c00
		}
		for i := 0; i+2 <= len(p); i += 2 {
			if binary.LittleEndian.Uint16(p[i:])&mask == mask {
				return i / 2
			}
		}
	case safetensors.F32:
		const mask = 0x7f800000
		for i := 0; i+4 <= len(p); i += 4 {
			if binary.LittleEndian.Uint32(p[i:])&mask == mask {
				return i / 4
			}
		}
	}
	return -1
}

func (f *finite) error(element int, number []byte) error {
	shape := f.weight.Shape
	row, col := element, 0 // of a vector every element is a row
	if last := len(shape) - 1; last > 0 {
		row, col = element/shape[last], element%shape[last]
	}
	t, row, col := f.weight.Locate(row, col)
	e := &diag.Error{Kind: diag.BadInput, Code: "weight_not_finite", File: t.File(), Where: "tensor " + strconv.Quote(t.Name),
		Message: "a weight that cannot be computed with", Found: "NaN", Fix: damaged}
	if len(shape) > 1 {
		e.Where += fmt.Sprintf(", row %d, column %d", row, col)
	} else {
		e.Where += fmt.Sprintf(", element %d", row)
	}
	if infinite(number, f.dtype) {
		e.Found = "infinity"
		if t.DType != f.dtype {
			e.Found += " as " + string(f.dtype)
			e.Fix = "keep weights in another type than " + string(f.dtype) + ", or " + damaged
		}
	}
	return e
}

func infinite(number []byte, dtype safetensors.DType) bool {
	switch dtype {
	case safetensors.F16:
		return binary.LittleEndian.Uint16(number)&0x3ff == 0
	case safetensors.BF16:
		return binary.LittleEndian.Uint16(number)&0x7f == 0
	}
	return math.IsInf(float64(math.Float32frombits(binary.LittleEndian.Uint32(number))), 0)
}
