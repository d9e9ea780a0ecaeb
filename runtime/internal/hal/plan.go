package hal

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"time"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/native"
)

// When it pays to use other threads, in bytes that dispatches of several
// workgroups refer to; one core reads some 10 KB per microsecond.
const (
	// phaseBytes is how much a phase must have to count: less than that is done
	// before another thread's share of it is worth the exchange of cache lines,
	// some 0.3 microseconds.
	phaseBytes = 32 << 10
	// parallelBytes is how much the phases that count must have in all, between
	// two commands of the host: waking a thread costs 5 to 10 microseconds.
	parallelBytes = 256 << 10
)

// plan is a recording in the form that native code runs. It holds addresses
// into its own slices, which therefore never grow, and of buffers that the
// recording and the slots keep reachable.
type plan struct {
	rec      *recording
	states   []native.DispatchState // by dispatch
	pointers []uintptr              // by binding
	lengths  []uint64
	steps    []step
	slots    []slot
	patches  []patch  // grouped by slot
	stores   []*store // allocations of ours that are bound directly
	running  bool
}

// step is either a batch of dispatches or one command for the host.
type step struct {
	batch    *native.Batch
	ops      []int // of the dispatches in the batch, in order of native.Batch.Add
	op       int   // host command, if batch is nil
	state    int   // of an indirect dispatch
	parallel bool
}

// patch is a binding that refers to a slot, and its command.
type patch struct{ binding, op int }

// slot is an entry of the binding table and the bindings that refer to it.
type slot struct {
	first, count int     // of patches
	buf          *Buffer // while running
	mem          []byte  // of buf
	addr         uintptr // of the last execution
	len          int64
	set          bool
}

// idle reports whether the plan may be changed.
func (p *plan) idle() bool {
	if p.running {
		return false
	}
	for i := range p.steps {
		if b := p.steps[i].batch; b != nil && !b.Idle() {
			return false
		}
	}
	return true
}

// link builds a plan, in the memory of old if that is not nil.
func (r *recording) link(old *plan) (*plan, error) {
	p := old
	if p == nil {
		p = &plan{}
	}
	p.rec = r
	dispatches, slots := 0, 0
	for i := range r.ops {
		if r.ops[i].kind <= opDispatchIndirect {
			dispatches++
		}
	}
	for i := range r.bindings {
		slots = max(slots, r.bindings[i].slot+1)
	}
	p.states = sized(p.states, dispatches)
	p.pointers = sized(p.pointers, len(r.bindings))
	p.lengths = sized(p.lengths, len(r.bindings))
	p.slots = sized(p.slots, slots)
	p.groupPatches()
	if err := p.resolveDirect(); err != nil {
		return nil, err
	}
	return p, p.buildSteps()
}

// sized is a zeroed slice of n elements, in the memory of s if it has room.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

func (p *plan) groupPatches() {
	total := 0
	for i := range p.rec.bindings {
		if s := p.rec.bindings[i].slot; s >= 0 {
			p.slots[s].count++
			total++
		}
	}
	p.patches = sized(p.patches, total)
	next := 0
	for i := range p.slots {
		p.slots[i].first = next
		next += p.slots[i].count
		p.slots[i].count = 0
	}
	for i := range p.rec.ops {
		o := &p.rec.ops[i]
		for k := o.firstBind; k < o.firstBind+o.binds; k++ {
			if s := p.rec.bindings[k].slot; s >= 0 {
				sl := &p.slots[s]
				p.patches[sl.first+sl.count] = patch{k, i}
				sl.count++
			}
		}
	}
}

// resolveDirect fills in the bindings whose buffers are known.
func (p *plan) resolveDirect() error {
	p.stores = p.stores[:0]
	for i := range p.rec.ops {
		o := &p.rec.ops[i]
		for k := o.firstBind; k < o.firstBind+o.binds; k++ {
			b := &p.rec.bindings[k]
			if b.buf == nil {
				continue
			}
			mem, err := b.buf.span("binding", b.off, b.len)
			if err != nil {
				return o.located(err)
			}
			if err := p.setBinding(o, k, b.buf, mem); err != nil {
				return err
			}
			if s := b.buf.store; s.arena != nil && !slices.Contains(p.stores, s) {
				p.stores = append(p.stores, s)
			}
		}
	}
	return nil
}

// setBinding gives binding k of o its memory, part of buf. Native code must see
// it aligned, and a host command must be allowed to write to it.
func (p *plan) setBinding(o *op, k int, buf *Buffer, mem []byte) error {
	addr := address(mem)
	switch {
	case k-o.firstBind < o.visible():
		if addr%Alignment != 0 && len(mem) > 0 {
			return o.located(bad("binding_alignment", fmt.Sprintf("binding %d is not aligned", k-o.firstBind),
				fmt.Sprintf("a multiple of %d", Alignment), fmt.Sprintf("%d more than one", addr%Alignment)))
		}
	case o.kind != opDispatchIndirect && k == o.firstBind+o.binds-1 && buf.store.readonly:
		return o.located(bad("buffer_readonly", "a command writes to read-only memory", "", ""))
	}
	p.pointers[k], p.lengths[k] = addr, uint64(len(mem))
	return nil
}

// visible is the number of leading bindings that native code sees: none of a
// host command, all of a dispatch but the workgroup counts of an indirect one,
// which come last.
func (o *op) visible() int {
	switch o.kind {
	case opDispatch:
		return o.binds
	case opDispatchIndirect:
		return o.binds - 1
	}
	return 0
}

// located adds to an error what was being done.
func (o *op) located(err error) error {
	var de *diag.Error
	if err == nil || !errors.As(err, &de) || de.Where != "" {
		return err
	}
	e := *de
	e.Where = o.name()
	if o.exe != nil {
		e.Where = "dispatch " + e.Where
	}
	return &e
}

// name is that of the function of a dispatch, or what the host does.
func (o *op) name() string {
	switch o.kind {
	case opDispatch, opDispatchIndirect:
		return o.exe.lib.Exports[o.export].Name
	case opFill:
		return "fill"
	case opUpdate:
		return "update"
	case opCopy:
		return "copy"
	}
	return ""
}

// buildSteps cuts the commands into batches and host commands.
func (p *plan) buildSteps() error {
	old := p.steps[:cap(p.steps)]
	p.steps = p.steps[:0]
	var cur *step
	var bytes, phase int64
	endPhase := func() {
		if phase >= phaseBytes {
			bytes += phase
		}
		phase = 0
	}
	finish := func() {
		if endPhase(); cur != nil {
			cur.parallel = bytes >= parallelBytes
			cur, bytes = nil, 0
		}
	}
	dispatch := 0
	for i := range p.rec.ops {
		o := &p.rec.ops[i]
		switch o.kind {
		case opBarrier:
			if endPhase(); cur != nil {
				cur.batch.Barrier()
			}
		case opDispatch:
			if cur == nil {
				st := step{op: -1}
				if n := len(p.steps); n < len(old) && old[n].batch != nil {
					st.batch, st.ops = old[n].batch, old[n].ops[:0]
					st.batch.Reset()
				} else {
					st.batch = &native.Batch{}
				}
				p.steps = append(p.steps, st)
				cur = &p.steps[len(p.steps)-1]
			}
			p.setState(o, dispatch)
			had := cur.batch.Len()
			if err := cur.batch.Add(p.dispatch(o, dispatch)); err != nil {
				return o.located(err)
			}
			if cur.batch.Len() > had {
				cur.ops = append(cur.ops, i)
				if o.groups != [3]uint32{1, 1, 1} {
					phase += p.size(o)
				}
			}
			dispatch++
		default:
			finish()
			p.steps = append(p.steps, step{op: i, state: dispatch})
			if o.kind == opDispatchIndirect {
				dispatch++
			}
		}
	}
	finish()
	return nil
}

// size is the number of bytes that a dispatch refers to, as far as it is known.
func (p *plan) size(o *op) (n int64) {
	for k := o.firstBind; k < o.firstBind+o.visible(); k++ {
		n += max(p.rec.bindings[k].len, 0)
	}
	return n
}

func (p *plan) setState(o *op, i int) {
	st := &p.states[i]
	*st = native.DispatchState{
		SizeX: 1, SizeY: 1, SizeZ: 1,
		CountX: o.groups[0], CountY: o.groups[1], CountZ: uint16(o.groups[2]),
		ConstantCount: uint16(o.words), BindingCount: uint8(o.visible()),
		// A hint. It stays the same for any number of threads, so that code
		// that looked at it would still give the same results.
		MaxConcurrency: 1,
	}
	if o.words > 0 {
		st.Constants = uintptr(unsafe.Pointer(&p.rec.constants[o.firstWord]))
	}
	if o.binds > 0 {
		st.Bindings = uintptr(unsafe.Pointer(&p.pointers[o.firstBind]))
		st.Lengths = uintptr(unsafe.Pointer(&p.lengths[o.firstBind]))
	}
}

func (p *plan) dispatch(o *op, i int) native.Dispatch {
	e := &o.exe.lib.Exports[o.export]
	return native.Dispatch{
		Fn: e.Entry, Env: o.exe.lib.Environment(), State: uintptr(unsafe.Pointer(&p.states[i])),
		Groups: o.groups, Local: e.LocalMemory,
	}
}

// tableEntry is an entry of the binding table of an execution.
type tableEntry struct {
	buf      *Buffer
	off, len int64
}

// bindSlot gives a slot its buffer; what did not change since the last
// execution costs nothing.
func (p *plan) bindSlot(i int, t tableEntry) error {
	s := &p.slots[i]
	if s.count == 0 {
		return nil
	}
	if t.buf == nil {
		return bad("binding_missing", fmt.Sprintf("slot %d of the binding table is used and empty", i), "", "")
	}
	mem, err := t.buf.span("binding table entry", t.off, t.len)
	if err != nil {
		return err
	}
	addr := address(mem)
	s.buf, s.mem = t.buf, mem
	if s.set && s.addr == addr && s.len == int64(len(mem)) {
		return nil
	}
	s.set = false
	for _, c := range p.patches[s.first:][:s.count] {
		b, o := &p.rec.bindings[c.binding], &p.rec.ops[c.op]
		n := b.len
		if n == wholeBuffer {
			n = int64(len(mem)) - b.off
		}
		if err := checkRange("binding", b.off, n, int64(len(mem))); err != nil {
			return o.located(err)
		}
		if err := p.setBinding(o, c.binding, t.buf, mem[b.off:b.off+n]); err != nil {
			return err
		}
	}
	s.addr, s.len, s.set = addr, int64(len(mem)), true
	return nil
}

// release drops the buffers of an execution, so that they can be collected.
func (p *plan) release() {
	for i := range p.slots {
		p.slots[i].buf, p.slots[i].mem = nil, nil
	}
}

// run executes the plan on a device until *cancel becomes nonzero.
func (p *plan) run(d *Device, cancel *uint32) error {
	for _, s := range p.stores {
		if s.mem == nil {
			return bad("buffer_released", "a command buffer uses a buffer that was released", "", "")
		}
	}
	p.running = true
	defer func() {
		p.running = false
		runtime.KeepAlive(p)
	}()
	for i := range p.steps {
		s := &p.steps[i]
		if s.batch == nil {
			if err := p.host(s, d, cancel); err != nil {
				return p.rec.ops[s.op].located(err)
			}
			continue
		}
		if err := p.dispatches(d, s.batch, s.parallel, cancel, s.ops); err != nil {
			return p.failed(s.ops, err)
		}
	}
	return nil
}

// dispatches runs a batch of the dispatches that are the given commands.
func (p *plan) dispatches(d *Device, b *native.Batch, parallel bool, cancel *uint32, ops []int) error {
	if d.opts.Profile == nil {
		return d.pool.Run(b, parallel, cancel)
	}
	named := make([]*op, len(ops))
	for i, o := range ops {
		named[i] = &p.rec.ops[o]
	}
	return d.opts.Profile.runBatch(d.pool, b, parallel, cancel, named)
}

// host executes a command that is not native code, or not until now.
func (p *plan) host(s *step, d *Device, cancel *uint32) error {
	o := &p.rec.ops[s.op]
	last := p.memory(o.firstBind + o.binds - 1)
	if d.opts.Profile != nil && o.kind != opDispatchIndirect {
		start := time.Now()
		defer func() { d.opts.Profile.add(o.name(), time.Since(start)) }()
	}
	switch o.kind {
	case opFill:
		return fill(last, o.pattern, o.patternN)
	case opUpdate:
		copy(last, p.rec.updates[o.update:])
		return nil
	case opCopy:
		copy(last, p.memory(o.firstBind))
		return nil
	}
	if len(last) < 12 {
		return bad("dispatch_counts", "the workgroup counts of an indirect dispatch", "12 bytes", byteCount(int64(len(last))))
	}
	le := binary.LittleEndian
	if err := o.setGroups(le.Uint32(last), le.Uint32(last[4:]), le.Uint32(last[8:])); err != nil {
		return err
	}
	p.setState(o, s.state)
	var b native.Batch
	if err := b.Add(p.dispatch(o, s.state)); err != nil {
		return err
	}
	if b.Len() == 0 {
		return nil
	}
	if err := p.dispatches(d, &b, p.size(o) >= parallelBytes, cancel, []int{s.op}); err != nil {
		return p.failed([]int{s.op}, err)
	}
	return nil
}

// memory is what binding k refers to.
func (p *plan) memory(k int) []byte {
	b := &p.rec.bindings[k]
	if b.buf != nil {
		mem, _ := b.buf.span("binding", b.off, b.len) // checked by resolveDirect; empty if released since
		return mem
	}
	return p.slots[b.slot].mem[b.off:][:p.lengths[k]]
}

func (p *plan) failed(ops []int, err error) error {
	var de *native.DispatchError
	if errors.Is(err, context.Canceled) || !errors.As(err, &de) || de.Index >= len(ops) {
		return err
	}
	return p.rec.ops[ops[de.Index]].located(&diag.Error{Kind: diag.Failed, Code: "dispatch_failed",
		Message: "the compiled code reported a failure", Found: fmt.Sprintf("code %d", de.Code)})
}
