package vm

//go:generate go run ./genops isa.json ops_gen.go

// opcode numbers the instructions of the three sets without gaps, so that the
// interpreter's switch becomes a jump table: core as in the bytecode, then
// ext_f32, then ext_f64. The last ones are the decoder's own.
type opcode uint16

const (
	firstF32 opcode = 144
	firstF64 opcode = 208
	firstOwn opcode = 272

	// opCallImport is opCall and its variants when the callee is an import.
	opCallImport opcode = firstOwn
	// opEnd follows the last instruction of every function.
	opEnd opcode = firstOwn + 1

	numOps = int(firstOwn) + 2
)

// opInfo describes an instruction. fields has a letter per field, in the order
// of the bytecode:
//
//	i I f F   register of that kind (u16)
//	r m       reference register, m if it may have the move bit (u16)
//	4 8       immediate value of 4 or 8 bytes
//	g t d n   ordinal of a global, type, constant, function (u32)
//	s         string (u16 length, bytes)
//	b         branch target, the offset of a block marker in the function (u32)
//	p         register moves of a branch (u16 count, pairs of u16), 2-aligned
//	h         count (u16)
//	c         as many b and p as the count before it says
//	v w       operand and result lists (u16 count, u16 each), 2-aligned; the
//	          letter after it is the kind of register, a for any
type opInfo struct {
	name   string
	fields string
}
