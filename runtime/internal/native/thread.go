package native

import (
	"sync/atomic"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
)

const (
	// stackSize is what native code may use. Dispatches were seen to use 0.6
	// to 4.4 KiB; the compiler caps what it allocates in one frame at 32 KiB.
	stackSize = 256 << 10
	// guardSize is more than one frame can be, so that none steps over it.
	guardSize = 64 << 10
	lineSize  = 64
)

// threadCount is the number of threads that exist, for tests.
var threadCount atomic.Int64

// thread is what one goroutine needs to run native code: a stack, a workgroup
// state and memory local to the workgroup. Nothing of it is on the Go heap.
type thread struct {
	mem   []byte // guard, stack, workgroup state
	local []byte
}

func newThread(processor int) (*thread, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	mem, err := mapMemory(guardSize + stackSize + lineSize)
	if err != nil {
		return nil, memoryError("native stack", err)
	}
	if err := protectNone(mem[:guardSize]); err != nil {
		_ = unmapMemory(mem)
		return nil, memoryError("guard of the native stack", err)
	}
	t := &thread{mem: mem}
	t.state().processor = uint32(processor)
	threadCount.Add(1)
	return t, nil
}

// stack is the address of the top of the stack, 64-byte aligned.
func (t *thread) stack() uintptr {
	return uintptr(unsafe.Pointer(unsafe.SliceData(t.mem))) + guardSize + stackSize
}

// state lies above the top of the stack.
func (t *thread) state() *workgroupState {
	return (*workgroupState)(unsafe.Pointer(&t.mem[guardSize+stackSize]))
}

// reserveLocal makes at least n bytes of memory local to the workgroup available.
func (t *thread) reserveLocal(n int) error {
	if n <= len(t.local) {
		return nil
	}
	mem, err := mapMemory(n)
	if err != nil {
		return memoryError("memory local to workgroups", err)
	}
	old := t.local
	t.local = mem
	t.state().local = uintptr(unsafe.Pointer(unsafe.SliceData(mem)))
	t.state().localSize = uint32(len(mem))
	if old != nil {
		return unmapMemory(old)
	}
	return nil
}

func (t *thread) close() {
	if t.local != nil {
		_ = unmapMemory(t.local)
	}
	_ = unmapMemory(t.mem)
	t.mem, t.local = nil, nil
	threadCount.Add(-1)
}

// Call calls fn(a0, a1, a2), a function of the System V calling convention, on
// a stack made for this call. It is for rare calls: loading, not dispatching.
func Call(fn, a0, a1, a2 uintptr) (uintptr, error) {
	t, err := newThread(0)
	if err != nil {
		return 0, err
	}
	defer t.close()
	return enterCall(fn, a0, a1, a2, t.stack()), nil
}

func memoryError(what string, err error) error {
	return &diag.Error{Kind: diag.Failed, Code: "no_memory", Message: what + " cannot be allocated", Cause: err,
		Fix: "free memory, or raise the limit on virtual memory (ulimit -v)"}
}
