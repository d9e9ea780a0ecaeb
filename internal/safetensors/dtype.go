// Package safetensors reads and writes checkpoints in the safetensors format,
// single files and shards with an index, without ever holding a file in memory.
//
// The format (https://github.com/huggingface/safetensors): 8 bytes little-endian
// header length N, N bytes of JSON that map each tensor name to dtype, shape and
// data_offsets [begin, end), and the data section. The reader is stricter than
// the format asks: a file that two readers could understand differently is an
// error.
package safetensors

// DType is an element type, spelled as in the files.
type DType string

// The element types of the format, in its own spelling.
const (
	F64        DType = "F64"
	F32        DType = "F32"
	F16        DType = "F16"
	BF16       DType = "BF16"
	F8E4M3     DType = "F8_E4M3" // OCP e4m3fn
	F8E5M2     DType = "F8_E5M2"
	F8E8M0     DType = "F8_E8M0" // power-of-two scales of MX formats
	F8E4M3FNUZ DType = "F8_E4M3FNUZ"
	F8E5M2FNUZ DType = "F8_E5M2FNUZ"
	F6E2M3     DType = "F6_E2M3"
	F6E3M2     DType = "F6_E3M2"
	F4         DType = "F4" // e2m1, two to a byte
	C64        DType = "C64"
	I64        DType = "I64"
	I32        DType = "I32"
	I16        DType = "I16"
	I8         DType = "I8"
	U64        DType = "U64"
	U32        DType = "U32"
	U16        DType = "U16"
	U8         DType = "U8"
	Bool       DType = "BOOL"
)

// dtypeBits is the table of known element types.
var dtypeBits = map[DType]int{
	F64: 64, F32: 32, F16: 16, BF16: 16,
	F8E4M3: 8, F8E5M2: 8, F8E8M0: 8, F8E4M3FNUZ: 8, F8E5M2FNUZ: 8,
	F6E2M3: 6, F6E3M2: 6, F4: 4, C64: 64,
	I64: 64, I32: 32, I16: 16, I8: 8, U64: 64, U32: 32, U16: 16, U8: 8, Bool: 8,
}

// Bits is the width of one element, 0 for a type that the format does not have.
func (d DType) Bits() int { return dtypeBits[d] }

// Known says whether the format has this element type.
func (d DType) Known() bool { return dtypeBits[d] != 0 }

// IsFloat says whether d is one of the plain floating-point types that stand for
// numbers by themselves: F64, F32, F16, BF16. The 8-bit and smaller floats are
// not among them: they mean something only together with their scales.
func (d DType) IsFloat() bool {
	switch d {
	case F64, F32, F16, BF16:
		return true
	}
	return false
}
