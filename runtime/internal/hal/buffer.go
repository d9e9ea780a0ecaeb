package hal

import (
	"fmt"
	"sync/atomic"
	"unsafe"
)

// Buffer is a range of memory that compiled code can be given.
//
// Memory of a Buffer that was allocated here lies outside the Go heap and goes
// back to its device on Release. What a module allocates is its Host's to
// release; a Buffer that was made by NewBuffer is its owner's, and so is a
// result of a call (see BufferView.Release).
type Buffer struct {
	store    *store
	off, len int64
	root     *Buffer // of a subspan
}

// store is the memory of one allocation. Several Buffers may share it.
type store struct {
	mem      []byte // nil once released
	arena    *arena // nil if the memory is not ours
	readonly bool
	owner    any // keeps memory that is not ours reachable
	freed    atomic.Bool
	owners   atomic.Int32 // as counted by hal.buffer.allocation.*
	results  atomic.Int32 // views that were handed out as results and not released

	host *Host  // whose module made the allocation; the rest is that Host's
	mark uint64 // the last collection that found it in use
	gone uint64 // the collection that found it among the results: not the Host's any more
}

// Wrap makes a Buffer of memory that belongs to someone else: it must stay as
// it is for as long as the Buffer is used, which keeps owner reachable. Bindings
// into it work only if its address is a multiple of Alignment.
func Wrap(mem []byte, readonly bool, owner any) *Buffer {
	s := &store{mem: mem, readonly: readonly, owner: owner}
	s.owners.Store(1)
	return &Buffer{store: s, len: int64(len(mem))}
}

// newBuffer makes a Buffer of the first n bytes of a block.
func newBuffer(a *arena, mem block, n int64) *Buffer {
	s := &store{mem: mem, arena: a}
	s.owners.Store(1)
	return &Buffer{store: s, len: n}
}

func (*Buffer) RefType() string { return "hal.buffer" }

// Len is the size in bytes.
func (b *Buffer) Len() int64 { return b.len }

// ReadOnly reports whether the memory may not be written to.
func (b *Buffer) ReadOnly() bool { return b.store.readonly }

// Bytes is the memory itself, nil if it was released. It is valid only until
// the Buffer is released.
func (b *Buffer) Bytes() []byte {
	mem := b.store.mem
	if mem == nil {
		return nil
	}
	return mem[b.off : b.off+b.len : b.off+b.len]
}

// Same reports whether b and c are the same range of the same memory: how an
// update in place is recognised.
func (b *Buffer) Same(c *Buffer) bool {
	return b == c || b.store == c.store && b.off == c.off && b.len == c.len
}

// Release gives the memory back. Whoever still holds the Buffer finds it empty.
// Releasing a subspan, memory that is not ours, or a Buffer for the second time
// does nothing.
func (b *Buffer) Release() {
	if b.root != nil {
		return
	}
	b.store.free()
}

func (s *store) free() {
	if s.arena == nil || !s.freed.CompareAndSwap(false, true) {
		return
	}
	mem := s.mem
	s.mem = nil
	s.arena.put(mem)
}

// Subspan is the part of b that starts at off and has n bytes.
func (b *Buffer) Subspan(off, n int64) (*Buffer, error) {
	if err := checkRange("subspan", off, n, b.len); err != nil {
		return nil, err
	}
	if off == 0 && n == b.len {
		return b, nil
	}
	return &Buffer{store: b.store, off: b.off + off, len: n, root: b}, nil
}

// span is n bytes from off, an error if they are not all in b. n < 0 is all that follow.
func (b *Buffer) span(what string, off, n int64) ([]byte, error) {
	if n == wholeBuffer {
		n = b.len - off
	}
	if err := checkRange(what, off, n, b.len); err != nil {
		return nil, err
	}
	mem := b.Bytes()
	if mem == nil && b.len > 0 {
		return nil, bad("buffer_released", what+" uses a buffer that was released", "", "")
	}
	return mem[off : off+n : off+n], nil
}

// target is span for writing.
func (b *Buffer) target(what string, off, n int64) ([]byte, error) {
	if b.store.readonly {
		return nil, bad("buffer_readonly", what+" writes to read-only memory", "", "")
	}
	return b.span(what, off, n)
}

// wholeBuffer as a length means all that follows the offset.
const wholeBuffer = -1

func checkRange(what string, off, n, size int64) error {
	if off < 0 || n < 0 || off > size || n > size-off {
		return bad("buffer_range", "the range of a "+what+" lies outside its buffer", fmt.Sprintf("within %d bytes", size), fmt.Sprintf("%d bytes at %d", n, off))
	}
	return nil
}

func address(mem []byte) uintptr { return uintptr(unsafe.Pointer(unsafe.SliceData(mem))) }

func byteCount(n int64) string { return fmt.Sprintf("%d bytes", n) }
