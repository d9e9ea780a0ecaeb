package bundle

// DType is the type of an element of a tensor, as it is stored or passed to a graph.
type DType string

// The element types of schema 1.0. Sub-byte weights are packed into U8.
const (
	F64  DType = "f64"
	F32  DType = "f32"
	F16  DType = "f16"
	BF16 DType = "bf16"
	I64  DType = "i64"
	I32  DType = "i32"
	I16  DType = "i16"
	I8   DType = "i8"
	U8   DType = "u8"
)

// Size is the number of bytes of one element, 0 if the type is unknown.
func (d DType) Size() int {
	switch d {
	case F64, I64:
		return 8
	case F32, I32:
		return 4
	case F16, BF16, I16:
		return 2
	case I8, U8:
		return 1
	}
	return 0
}

// byteSize is the size of a dense tensor; ok is false if the type is unknown, a
// dimension is negative or the product leaves [0, maxFileSize].
func byteSize(d DType, shape []int) (n int64, ok bool) {
	n = int64(d.Size())
	if n == 0 {
		return 0, false
	}
	for _, dim := range shape {
		if dim < 0 {
			return 0, false
		}
	}
	for _, dim := range shape {
		if dim == 0 {
			return 0, true
		}
	}
	for _, dim := range shape {
		if int64(dim) > maxFileSize/n {
			return 0, false
		}
		n *= int64(dim)
	}
	return n, true
}
