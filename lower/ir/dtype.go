package ir

// A DType is an element type. The set is closed: anything else cannot be
// represented, so it cannot be printed either.
type DType uint8

// The element types. F16 and BF16 are storage types: they are moved, converted
// and multiplied by [DotGeneral] into F32, but there is no arithmetic in them.
// U8 is the only unsigned type; it exists for packed weights.
const (
	Invalid DType = iota
	I1            // truth value, stored as one byte 0 or 1
	U8
	I8
	I32
	I64
	F16
	BF16
	F32
	F64
)

// DTypes lists all valid element types.
func DTypes() []DType { return []DType{I1, U8, I8, I32, I64, F16, BF16, F32, F64} }

// String is the short name: f32, bf16, i32, u8, i1, ...
func (d DType) String() string {
	switch d {
	case I1:
		return "i1"
	case U8:
		return "u8"
	case I8:
		return "i8"
	case I32:
		return "i32"
	case I64:
		return "i64"
	case F16:
		return "f16"
	case BF16:
		return "bf16"
	case F32:
		return "f32"
	case F64:
		return "f64"
	case Invalid:
	}
	return "invalid"
}

// Size is the number of bytes of one element in memory.
func (d DType) Size() int {
	switch d {
	case I1, U8, I8:
		return 1
	case F16, BF16:
		return 2
	case I32, F32:
		return 4
	case I64, F64:
		return 8
	case Invalid:
	}
	return 0
}

// Valid reports whether d is one of the element types.
func (d DType) Valid() bool { return d.Size() != 0 }

// IsFloat reports whether d is a floating point type.
func (d DType) IsFloat() bool { return d == F16 || d == BF16 || d == F32 || d == F64 }

// IsInt reports whether d is an integer type, I1 excluded.
func (d DType) IsInt() bool { return d == U8 || d == I8 || d == I32 || d == I64 }

// stores reports whether d is a float type without arithmetic.
func (d DType) stores() bool { return d == F16 || d == BF16 }

// computes reports whether arithmetic is defined in d.
func (d DType) computes() bool { return d == F32 || d == F64 || d.IsInt() }
