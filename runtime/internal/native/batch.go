package native

import (
	"fmt"
	"math/bits"
	"sync/atomic"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
)

// MaxWorkgroups is the largest number of workgroups of one dispatch, which are counted
// and divided in 32 bits.
const MaxWorkgroups = 1 << 31

// Batch is a list of dispatches in phases. It is built once and may be run any
// number of times, one run at a time.
//
// Dispatches are addresses: the owner of a Batch keeps what they point to
// reachable.
// After Run a straggler may still look at the counters (never at the dispatch
// states or the buffers), so a Batch must not be changed before Idle.
type Batch struct {
	// Profile makes runs count the time of each dispatch; see Ticks.
	Profile bool

	loop    loop
	cmds    []command
	lanes   []lane
	divided int    // lanes that cmds are divided between, 0 if they are not
	local   int    // bytes of memory local to a workgroup, the most of all dispatches
	open    bool   // the last phase has no end yet
	phase   uint64 // workgroups of the last phase
	width   int    // workgroups of the widest phase
	total   uint64

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
	b.cmds = b.cmds[:0]
	b.local, b.open, b.width, b.total, b.divided = 0, false, 0, 0, 0
}

// Add appends a dispatch to the current phase.
func (b *Batch) Add(d Dispatch) error {
	n, err := Workgroups(d.Groups)
	if err != nil || n == 0 {
		return err
	}
	if !b.open {
		b.open, b.phase = true, 0
	}
	b.phase += n
	b.total += n
	b.width = max(b.width, int(b.phase))
	b.local = max(b.local, d.Local)
	b.divided = 0
	b.cmds = append(b.cmds, command{
		fn: d.Fn, env: d.Env, state: d.State, target: b.total,
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

// prepare makes b ready for a run by so many threads, which needs no lanes if it is 1.
func (b *Batch) prepare(threads int, cancel *uint32) {
	b.Barrier()
	if threads > 1 && b.divided != threads {
		b.divided = threads
		for i := range b.cmds {
			b.cmds[i].divide(uint32(threads))
		}
		if len(b.lanes) != threads {
			b.lanes = alignedLanes(threads)
		}
	}
	for i := range b.lanes {
		b.lanes[i].claimed, b.lanes[i].done = 0, 0
	}
	profile := uint64(0)
	if b.Profile {
		profile = 1
		for i := range b.cmds {
			b.cmds[i].ticks = 0
		}
	}
	b.cancel = cancel
	b.loop = loop{
		cmds: uintptr(unsafe.Pointer(unsafe.SliceData(b.cmds))), count: uint64(len(b.cmds)),
		lanes: uintptr(unsafe.Pointer(unsafe.SliceData(b.lanes))), width: uint64(len(b.lanes)),
		cancel: uintptr(unsafe.Pointer(cancel)), profile: profile,
	}
}

// Ticks is how long the calling thread took for each dispatch of the last run, in order
// of Add, in ticks of the processor's clock, if Profile was set.
func (b *Batch) Ticks() []uint64 {
	var t []uint64
	for i := range b.cmds {
		t = append(t, b.cmds[i].ticks)
	}
	return t
}

// divide shares the workgroups out between lanes.
func (c *command) divide(lanes uint32) {
	n := c.gx * c.gy * c.gz // at most MaxWorkgroups
	c.share, c.extra = n/lanes, n%lanes
}

// alignedLanes makes lanes that begin at a multiple of their size.
func alignedLanes(n int) []lane {
	const size = unsafe.Sizeof(lane{})
	s := make([]lane, n+1)
	if skew := uintptr(unsafe.Pointer(unsafe.SliceData(s))) % size; skew != 0 {
		words := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*int(size))
		return unsafe.Slice((*lane)(unsafe.Pointer(&words[size-skew])), n)
	}
	return s[:n]
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
