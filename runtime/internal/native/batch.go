package native

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
)

// MaxWorkgroups is the largest number of workgroups of one dispatch. The
// counter of workgroups is divided in 32 bits; threads overshoot it a little.
const MaxWorkgroups = 1 << 31

// Batch is a list of dispatches in phases. It is built once and may be run any
// number of times, one run at a time.
//
// Dispatches are addresses: the owner of a Batch keeps what they point to
// reachable.
// After Run a straggler may still look at the counters (never at the dispatch
// states or the buffers), so a Batch must not be changed before Idle.
type Batch struct {
	loop   loop
	cmds   []command
	phases []phase
	local  int  // bytes of memory local to a workgroup, the most of all dispatches
	open   bool // the last phase has no end yet
	width  int  // workgroups of the widest phase
	total  uint64

	// What loop.cancel points to: a straggler may look at it after Run, and the
	// collector does not see an address in loop.
	cancel *uint32

	refs  atomic.Int32  // threads taking part; written under the pool's lock
	drain chan struct{} // closed when refs is 0, for a caller that must see all others leave
}

// Dispatch is one dispatch of a Batch.
type Dispatch struct {
	Fn     uintptr // the exported function
	Env    uintptr // *Environment
	State  uintptr // *DispatchState; its counts are those of Groups
	Groups [3]uint32
	Local  int // bytes of memory local to a workgroup
}

// Workgroups is the product of a dispatch's workgroup counts. It is an error if
// a count does not fit the ABI or the product exceeds MaxWorkgroups.
func Workgroups(g [3]uint32) (uint64, error) {
	hi, n := bits.Mul64(uint64(g[0])*uint64(g[1]), uint64(g[2]))
	if hi != 0 || n > MaxWorkgroups || g[2] > 0xffff {
		return 0, &diag.Error{Kind: diag.BadInput, Code: "workgroup_count", Message: "too many workgroups in a dispatch",
			Want: fmt.Sprintf("at most %d, and at most 65535 in z", MaxWorkgroups), Found: fmt.Sprintf("%d x %d x %d", g[0], g[1], g[2])}
	}
	return n, nil
}

// Reset empties b, keeping its memory.
func (b *Batch) Reset() {
	clear(b.cmds)
	b.cmds, b.phases = b.cmds[:0], b.phases[:0]
	b.local, b.open, b.width, b.total = 0, false, 0, 0
}

// Add appends a dispatch to the current phase.
func (b *Batch) Add(d Dispatch) error {
	n, err := Workgroups(d.Groups)
	if err != nil || n == 0 {
		return err
	}
	if !b.open {
		b.phases = append(b.phases, phase{})
		b.open = true
	}
	p := &b.phases[len(b.phases)-1]
	p.target += n
	b.total += n
	b.width = max(b.width, int(p.target))
	b.local = max(b.local, d.Local)
	b.cmds = append(b.cmds, command{
		fn: d.Fn, env: d.Env, state: d.State, total: n,
		gx: d.Groups[0], gy: d.Groups[1], gz: d.Groups[2],
	})
	return nil
}

// Barrier ends the phase: what is added later starts when it is complete.
func (b *Batch) Barrier() {
	if b.open {
		b.cmds[len(b.cmds)-1].last = 1
		b.open = false
	}
}

// Len is the number of dispatches that have work.
func (b *Batch) Len() int { return len(b.cmds) }

// Width is the number of workgroups of the widest phase: what can run at once.
func (b *Batch) Width() int { return b.width }

// Idle reports whether no thread looks at b any more.
func (b *Batch) Idle() bool { return b.refs.Load() == 0 }

// prepare sets the counters for a run.
func (b *Batch) prepare(cancel *uint32) {
	b.Barrier()
	for i := range b.cmds {
		b.cmds[i].next = 0
	}
	for i := range b.phases {
		b.phases[i].done = 0
	}
	b.cancel = cancel
	b.loop = loop{
		cmds: uintptr(unsafe.Pointer(unsafe.SliceData(b.cmds))), count: uint64(len(b.cmds)),
		phases: uintptr(unsafe.Pointer(unsafe.SliceData(b.phases))),
		cancel: uintptr(unsafe.Pointer(cancel)),
	}
}

// DispatchError is a dispatch that reported failure; the code is its own.
type DispatchError struct {
	Index int // in order of Add, of the dispatches that have work
	Code  int32
}

func (e *DispatchError) Error() string {
	return fmt.Sprintf("dispatch %d returned %d", e.Index, e.Code)
}

func (b *Batch) failure() error {
	i := int((b.loop.failed - b.loop.cmds) / unsafe.Sizeof(command{}))
	return &DispatchError{Index: i, Code: b.loop.code}
}
