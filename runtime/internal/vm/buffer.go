package vm

// Buffer is a !vm.buffer: a flat range of bytes that bytecode loads from and
// stores to. Constants of a module are read-only Buffers.
type Buffer struct {
	data     []byte
	readonly bool
	keep     any // what owns data, when that is not the garbage collector
}

// NewBuffer wraps data. A store by bytecode into a read-only Buffer is an error.
func NewBuffer(data []byte, readonly bool) *Buffer {
	return &Buffer{data: data, readonly: readonly}
}

// NewBufferOf is NewBuffer for memory that belongs to owner, which is kept
// reachable for as long as the Buffer is.
func NewBufferOf(data []byte, readonly bool, owner any) *Buffer {
	return &Buffer{data: data, readonly: readonly, keep: owner}
}

func (*Buffer) RefType() string { return "vm.buffer" }

// Bytes is the memory itself, not a copy; do not write to it if ReadOnly.
func (b *Buffer) Bytes() []byte { return b.data }

// ReadOnly reports whether bytecode may not store into b.
func (b *Buffer) ReadOnly() bool { return b.readonly }
