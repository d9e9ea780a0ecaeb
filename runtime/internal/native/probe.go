package native

import (
	"runtime"
	"time"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
)

// probePiece is what a workgroup of a Probe reads.
const probePiece = 256 << 10

// Probe measures how fast the threads of a Pool read memory. It reads with the pool's
// own loop, so that what it gives is what a dispatch could reach that does nothing but
// read.
type Probe struct {
	pool     *Pool
	mem      []byte
	batch    Batch
	state    DispatchState
	constant uint32
	binding  uintptr
	length   uint64
}

// NewProbe allocates n bytes, rounded up to whole pieces, in huge pages if there are any.
func NewProbe(p *Pool, n int) (*Probe, error) {
	pieces := max(1, (n+probePiece-1)/probePiece)
	mem, err := mapMemory(pieces * probePiece)
	if err != nil {
		return nil, memoryError("memory to read", err)
	}
	adviseHuge(mem)
	for i := 0; i < len(mem); i += 4096 {
		mem[i] = 1 // pages that were never written are all the same one
	}
	r := &Probe{pool: p, mem: mem, constant: probePiece, binding: uintptr(unsafe.Pointer(unsafe.SliceData(mem))), length: uint64(len(mem))}
	r.state = DispatchState{
		SizeX: 1, SizeY: 1, SizeZ: 1, CountX: uint32(pieces), CountY: 1, CountZ: 1, ConstantCount: 1, BindingCount: 1, MaxConcurrency: 1,
		Constants: uintptr(unsafe.Pointer(&r.constant)), Bindings: uintptr(unsafe.Pointer(&r.binding)), Lengths: uintptr(unsafe.Pointer(&r.length)),
	}
	return r, r.batch.Add(Dispatch{Fn: readFunction(), State: uintptr(unsafe.Pointer(&r.state)), Groups: [3]uint32{uint32(pieces), 1, 1}})
}

// Run reads all of the memory once and gives the bytes per second.
func (r *Probe) Run() (float64, error) {
	if r.mem == nil {
		return 0, &diag.Error{Kind: diag.Failed, Code: "probe_closed", Message: "internal error: the memory to read was given back"}
	}
	for !r.batch.Idle() {
		runtime.Gosched()
	}
	start := time.Now()
	err := r.pool.Run(&r.batch, true, new(uint32))
	runtime.KeepAlive(r)
	return float64(len(r.mem)) / time.Since(start).Seconds(), err
}

// Close gives the memory back.
func (r *Probe) Close() {
	if r.mem != nil {
		_ = unmapMemory(r.mem)
		r.mem = nil
	}
}
