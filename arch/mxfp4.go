package arch

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// MXFP4 is the microscaling format of the OCP specification, version 1.0: blocks
// of 32 numbers of type E2M1 with a common scale of type E8M0, a power of two.
// GPT-OSS stores a stack of matrices [..., K] as bytes [..., K/32, 16], two numbers
// in each, the low four bits first, and scales [..., K/32].

// mxfp4DType holds every finite number of the format exactly: two significant
// bits and exponents from -128 to 127 are few for bfloat16, its subnormal
// numbers included.
const mxfp4DType = safetensors.BF16

const mxfp4Block = 32 // numbers of a scale

// e2m1 are the numbers without their sign, by the low three bits: two of
// exponent, one of mantissa.
var e2m1 = [8]float64{0, 0.5, 1, 1.5, 2, 3, 4, 6}

// mxfp4Number is a number as bfloat16: bits holds its four bits, with the sign on
// top, scale the exponent of its block plus 127. It is not finite for scale 255,
// which is not a number, and for numbers of the largest scales beyond float32.
func mxfp4Number(scale, bits uint8) uint16 {
	if scale == 255 {
		return 0x7fc0
	}
	return floats.F64ToBF16(math.Ldexp(e2m1[bits&7], int(scale)-127)) | uint16(bits>>3)<<15
}

// checkMXFP4 checks blocks and scales against the shape that they encode.
func checkMXFP4(p *Piece, dims []Dim) error {
	last := len(dims) - 1
	if dims[last].Size%mxfp4Block != 0 {
		return &diag.Error{Kind: diag.BadInput, Code: "tensor_shape", File: p.Tensor.File(), Where: "tensor " + strconv.Quote(p.Tensor.Name),
			Message: "MXFP4 blocks cannot encode rows of this length",
			Want:    fmt.Sprintf("%s of config.json a multiple of %d", dims[last].Name, mxfp4Block), Found: strconv.Itoa(dims[last].Size)}
	}
	groups := append(slices.Clone(dims[:last]), Dim{dims[last].Size / mxfp4Block, dims[last].Name + "/32"})
	if err := checkShape(p.Tensor, append(slices.Clone(groups), Dim{mxfp4Block / 2, "16 bytes"})); err != nil {
		return err
	}
	if err := checkShape(p.Scales, groups); err != nil {
		return err
	}
	for _, t := range []*safetensors.Tensor{p.Tensor, p.Scales} {
		if t.DType != safetensors.U8 {
			return &diag.Error{Kind: diag.Unsupported, Code: "tensor_dtype", File: t.File(), Where: "tensor " + strconv.Quote(t.Name),
				Message: "MXFP4 blocks and scales of this element type are not read", Want: string(safetensors.U8), Found: string(t.DType)}
		}
	}
	return nil
}

// mxfp4 streams a piece of MXFP4 blocks as bfloat16.
func (s *sink) mxfp4(p *Piece) error {
	groups := int64(1) // scales of a row
	for _, d := range p.Shape[p.Leading:] {
		groups *= int64(d)
	}
	groups /= mxfp4Block
	var scales, packed []byte
	return p.each(groups*mxfp4Block*2, func(out []byte, off int64) error {
		n := int64(len(out)) / (mxfp4Block * 2) // blocks: every part is whole ones
		at := off / (mxfp4Block * 2)
		scales, packed = grow(scales, n), grow(packed, n*mxfp4Block/2)
		if err := s.read(p.Scales, scales, at); err != nil {
			return err
		}
		if err := s.read(p.Tensor, packed, at*mxfp4Block/2); err != nil {
			return err
		}
		if !decodeMXFP4(out, packed, scales) {
			return &diag.Error{Kind: diag.BadInput, Code: "weight_range", File: p.Scales.File(), Where: "tensor " + strconv.Quote(p.Scales.Name),
				Message: "an MXFP4 scale makes a number that is not finite"}
		}
		return nil
	}, func(part []byte) error { return s.emit(p.Tensor, mxfp4DType, part) })
}

// decodeMXFP4 decodes blocks to little-endian bfloat16; false if one is not finite.
func decodeMXFP4(out, packed, scales []byte) bool {
	finite := true
	var numbers [16]uint16
	for i, scale := range scales {
		if i == 0 || scale != scales[i-1] {
			for bits := range numbers {
				numbers[bits] = mxfp4Number(scale, uint8(bits))
			}
		}
		for _, b := range packed[i*mxfp4Block/2 : (i+1)*mxfp4Block/2] {
			for _, bits := range [2]byte{b & 15, b >> 4} {
				finite = finite && numbers[bits]&0x7f80 != 0x7f80
				binary.LittleEndian.PutUint16(out, numbers[bits])
				out = out[2:]
			}
		}
	}
	return finite
}

// MXFP4 reads a quantization_config of this kind, for families whose rules have
// MXFP4 forms. One of another kind stays unread and is refused. What it lists as
// not converted needs no attention: the tensors show which weights are blocks.
func (c *Config) MXFP4() {
	const key = "quantization_config"
	if q := c.root.Get(key); q != nil {
		if method := q.Get("quant_method"); method != nil && method.Kind == strictjson.String && method.Text == "mxfp4" {
			c.Strings(key+".modules_to_not_convert", -1)
		}
	}
}
