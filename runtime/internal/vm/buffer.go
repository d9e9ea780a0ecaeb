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

func asBuffer(r Ref) (*Buffer, error) {
	b, ok := r.(*Buffer)
	if !ok || b == nil {
		return nil, trap(statusInvalidArgument, "%s where a buffer is needed", describe(r))
	}
	return b, nil
}

func describe(r Ref) string {
	if r == nil {
		return "a null reference"
	}
	return "a reference to " + r.RefType()
}

// elements is the memory of n elements of 1<<shift bytes from element offset on.
// Offsets of loads, stores and fills count elements, those of copies bytes.
func (b *Buffer) elements(offset, n uint64, shift uint) ([]byte, error) {
	size := uint64(len(b.data)) >> shift // whole elements
	if offset > size || n > size-offset {
		return nil, trap(statusOutOfRange, "%d elements of %d bytes at %d of a buffer of %d bytes", n, 1<<shift, offset, len(b.data))
	}
	return b.data[offset<<shift : (offset+n)<<shift], nil
}

func (b *Buffer) writable(offset, n uint64, shift uint) ([]byte, error) {
	if b.readonly {
		return nil, trap(statusPermissionDenied, "a store into a constant buffer")
	}
	return b.elements(offset, n, shift)
}
