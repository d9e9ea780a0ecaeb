package hal

import (
	"fmt"
	"math/bits"

	"github.com/hlocc/hlocc/internal/diag"
)

// ElementType is a numerical class in the top byte and a number of bits in the
// lower ones (iree_hal_element_type_t).
type ElementType uint32

// Classes of element types.
const (
	classOpaque   = 0x00
	classInteger  = 0x10 // of any signedness
	classSigned   = 0x11
	classUnsigned = 0x12
	classBool     = 0x13
	classIEEE     = 0x21
	classBrain    = 0x22
	classComplex  = 0x23
)

// Element types. Compiled modules use signless integers; a signed or unsigned
// type of the same width is accepted where one is expected.
const (
	Bool8   ElementType = classBool<<24 | 8
	I8      ElementType = classInteger<<24 | 8
	I16     ElementType = classInteger<<24 | 16
	I32     ElementType = classInteger<<24 | 32
	I64     ElementType = classInteger<<24 | 64
	S8      ElementType = classSigned<<24 | 8
	S16     ElementType = classSigned<<24 | 16
	S32     ElementType = classSigned<<24 | 32
	S64     ElementType = classSigned<<24 | 64
	U8      ElementType = classUnsigned<<24 | 8
	U16     ElementType = classUnsigned<<24 | 16
	U32     ElementType = classUnsigned<<24 | 32
	U64     ElementType = classUnsigned<<24 | 64
	F16     ElementType = classIEEE<<24 | 16
	F32     ElementType = classIEEE<<24 | 32
	F64     ElementType = classIEEE<<24 | 64
	BF16    ElementType = classBrain<<24 | 16
	Opaque8 ElementType = classOpaque<<24 | 8
)

// Bits is the width of one element.
func (e ElementType) Bits() int { return int(e & 0xffff) }

func (e ElementType) class() uint32 { return uint32(e) >> 24 }

func (e ElementType) integer() bool { return e.class()&0xf0 == classInteger && e.class() != classBool }

// fits reports whether a value of type e may stand where want is expected.
func (e ElementType) fits(want ElementType) bool {
	return e == want || e.class() == classOpaque || e.integer() && want.integer() && e.Bits() == want.Bits()
}

func (e ElementType) String() string {
	name := map[uint32]string{
		classOpaque: "opaque", classInteger: "i", classSigned: "si", classUnsigned: "ui", classBool: "bool",
		classIEEE: "f", classBrain: "bf", classComplex: "complex",
	}[e.class()]
	if name == "" {
		return fmt.Sprintf("element type %#08x", uint32(e))
	}
	return fmt.Sprint(name, e.Bits())
}

// Encoding says how elements are laid out (iree_hal_encoding_type_t).
type Encoding uint32

const (
	OpaqueEncoding Encoding = 0
	Dense          Encoding = 1 // row-major, without padding
)

// byteSize is the size of a dense tensor, -1 if it does not fit an int64.
func byteSize(e ElementType, shape []int) int64 {
	n := uint64(1)
	for _, d := range shape {
		if d == 0 {
			return 0
		}
		hi, lo := bits.Mul64(n, uint64(d))
		if d < 0 || hi != 0 || lo > 1<<56 {
			return -1
		}
		n = lo
	}
	hi, lo := bits.Mul64(n, uint64(e.Bits()))
	if hi != 0 || lo > 1<<62 {
		return -1
	}
	return int64((lo + 7) / 8)
}

func describe(e ElementType, shape []int) string { return fmt.Sprintf("%v%v", e, shape) }

// bad is an error of the compiled module (or of what it was called with).
func bad(code, message, want, found string) error {
	return &diag.Error{Kind: diag.BadInput, Code: code, Message: message, Want: want, Found: found}
}
