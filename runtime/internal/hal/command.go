package hal

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/runtime/internal/native"
)

// CommandBuffer is a list of commands that is recorded once and then executed:
// once only, or any number of times with buffers from a binding table.
type CommandBuffer struct {
	oneShot  bool
	capacity int // slots of the binding table
	state    commandState
	groups   int // open debug groups
	rec      *recording
}

type commandState uint8

const (
	recordingState commandState = iota
	finalState
	spentState
)

func (*CommandBuffer) RefType() string { return "hal.command_buffer" }

// recording is what a command buffer holds; that of a one-shot buffer is
// recycled after its execution.
type recording struct {
	ops       []op
	constants []uint32
	bindings  []binding
	updates   []byte
	plans     []*plan // linked forms; more than one only while a straggler looks at the first
}

type opKind uint8

const (
	opDispatch opKind = iota
	opDispatchIndirect
	opBarrier
	opFill
	opUpdate
	opCopy
)

// op is one command. Its bindings and constants are ranges of the recording's.
// The last binding of a host command is what it writes to; the last one of an
// indirect dispatch holds its workgroup counts.
type op struct {
	kind      opKind
	exe       *Executable
	export    int
	groups    [3]uint32
	firstBind int
	binds     int
	firstWord int // of constants
	words     int
	pattern   uint64 // fill
	patternN  int
	update    int // offset in updates
}

// binding is a range of a buffer that is given now (buf) or by a slot of the
// binding table at execution.
type binding struct {
	buf      *Buffer
	slot     int
	off, len int64
}

const (
	modeOneShot = 1 << 0
	// What may remain in the low bits: allow inline execution, unvalidated,
	// unretained, retain metadata. They ask for nothing that we need to do.
	modeKnown = modeOneShot | 1<<4 | 1<<5 | 1<<6 | 1<<7 | 1<<8

	maxSlots    = 1 << 20
	maxCommands = 1 << 22

	// Dispatch flags that change what is passed to the function: custom and
	// indirect arguments.
	dispatchUnsupported = 1<<2 | 1<<3 | 1<<4
)

func newCommandBuffer(modes int32, capacity int32, rec *recording) (*CommandBuffer, error) {
	if modes&^modeKnown != 0 {
		return nil, bad("command_buffer_mode", "unknown mode of a command buffer", fmt.Sprintf("bits of %#x", modeKnown), fmt.Sprintf("%#x", modes))
	}
	if capacity < 0 || capacity > maxSlots {
		return nil, bad("command_buffer_slots", "size of the binding table of a command buffer", fmt.Sprintf("0 to %d", maxSlots), fmt.Sprint(capacity))
	}
	return &CommandBuffer{oneShot: modes&modeOneShot != 0, capacity: int(capacity), rec: rec}, nil
}

// record checks that commands may be added.
func (cb *CommandBuffer) record() (*recording, error) {
	if cb.state != recordingState {
		return nil, bad("command_buffer_state", "a command is recorded after the command buffer was finalized", "", "")
	}
	if len(cb.rec.ops) >= maxCommands {
		return nil, bad("command_buffer_size", "number of commands in a command buffer", fmt.Sprintf("at most %d", maxCommands), "more")
	}
	return cb.rec, nil
}

// bind adds a binding after checking all that can be known of it now.
func (cb *CommandBuffer) bind(what string, b binding) error {
	if b.buf != nil {
		if _, err := b.buf.span(what, b.off, b.len); err != nil {
			return err
		}
		if b.len == wholeBuffer {
			b.len = b.buf.len - b.off
		}
		b.slot = -1
	} else if b.slot < 0 || b.slot >= cb.capacity {
		return bad("binding_slot", "a command refers to a slot outside the binding table", fmt.Sprintf("less than %d", cb.capacity), fmt.Sprint(b.slot))
	} else if b.off < 0 || b.len < wholeBuffer || b.len > math.MaxInt64-b.off {
		return bad("buffer_range", "the range of a "+what+" is impossible", "", fmt.Sprintf("%d bytes at %d", b.len, b.off))
	}
	cb.rec.bindings = append(cb.rec.bindings, b)
	return nil
}

// startDispatch adds a dispatch whose constants and bindings follow; n is their
// number, checked against what the function declares.
func (cb *CommandBuffer) startDispatch(x *Executable, id int64, flags int64, constants, bindings int) (*op, error) {
	rec, err := cb.record()
	if err != nil {
		return nil, err
	}
	if id < 0 || id >= int64(len(x.lib.Exports)) {
		return nil, bad("dispatch_function", "a dispatch of an unknown function of "+x.lib.Name, fmt.Sprintf("less than %d", len(x.lib.Exports)), fmt.Sprint(id))
	}
	e := &x.lib.Exports[id]
	if constants != e.Constants || bindings != e.Bindings {
		return nil, bad("dispatch_arguments", "arguments of the dispatch "+e.Name,
			fmt.Sprintf("%d constants and %d bindings", e.Constants, e.Bindings), fmt.Sprintf("%d and %d", constants, bindings))
	}
	if flags&dispatchUnsupported != 0 {
		return nil, bad("dispatch_flags", "the dispatch "+e.Name+" has flags that are not supported", "", fmt.Sprintf("%#x", flags))
	}
	rec.ops = append(rec.ops, op{
		kind: opDispatch, exe: x, export: int(id),
		firstBind: len(rec.bindings), binds: bindings, firstWord: len(rec.constants), words: constants,
	})
	return &rec.ops[len(rec.ops)-1], nil
}

// setGroups sets the workgroup counts of a dispatch.
func (o *op) setGroups(x, y, z uint32) error {
	o.groups = [3]uint32{x, y, z}
	_, err := native.Workgroups(o.groups)
	return err
}

// barrier separates what was recorded from what follows.
func (cb *CommandBuffer) barrier() error {
	rec, err := cb.record()
	if err != nil {
		return err
	}
	rec.ops = append(rec.ops, op{kind: opBarrier})
	return nil
}

func (cb *CommandBuffer) fill(target binding, pattern uint64, n int32) error {
	rec, err := cb.record()
	if err != nil {
		return err
	}
	if err := checkPattern(n); err != nil {
		return err
	}
	rec.ops = append(rec.ops, op{kind: opFill, firstBind: len(rec.bindings), binds: 1, pattern: pattern, patternN: int(n)})
	return cb.bind("fill", target)
}

// updateBuffer captures data now and writes it at execution.
func (cb *CommandBuffer) updateBuffer(data []byte, target binding) error {
	rec, err := cb.record()
	if err != nil {
		return err
	}
	rec.ops = append(rec.ops, op{kind: opUpdate, firstBind: len(rec.bindings), binds: 1, update: len(rec.updates)})
	rec.updates = append(rec.updates, data...)
	return cb.bind("update", target)
}

func (cb *CommandBuffer) copyBuffer(source, target binding) error {
	rec, err := cb.record()
	if err != nil {
		return err
	}
	rec.ops = append(rec.ops, op{kind: opCopy, firstBind: len(rec.bindings), binds: 2})
	if err := cb.bind("copy", source); err != nil {
		return err
	}
	return cb.bind("copy", target)
}

func (cb *CommandBuffer) debugGroup(n int) error {
	if _, err := cb.record(); err != nil {
		return err
	}
	if cb.groups += n; cb.groups < 0 {
		return bad("command_buffer_state", "a debug group ends that was not begun", "", "")
	}
	return nil
}

// finalize ends the recording. Buffers that are executed more than once are
// linked now rather than on their first execution.
func (cb *CommandBuffer) finalize() error {
	if _, err := cb.record(); err != nil {
		return err
	}
	cb.state = finalState
	if cb.oneShot {
		return nil
	}
	p, err := cb.rec.link(nil)
	if err != nil {
		return err
	}
	cb.rec.plans = append(cb.rec.plans, p)
	return nil
}

// reset empties the recording for another command buffer, keeping its memory.
func (r *recording) reset() {
	clear(r.ops)
	clear(r.bindings)
	r.ops, r.bindings = r.ops[:0], r.bindings[:0]
	r.constants, r.updates = r.constants[:0], r.updates[:0]
}

func checkPattern(n int32) error {
	switch n {
	case 1, 2, 4, 8:
		return nil
	}
	return bad("fill_pattern", "size of a fill pattern", "1, 2, 4 or 8 bytes", fmt.Sprint(n))
}

// fill repeats the low n bytes of pattern over mem.
func fill(mem []byte, pattern uint64, n int) error {
	if len(mem)%n != 0 {
		return bad("fill_pattern", "a fill of a size that is no multiple of its pattern", fmt.Sprintf("a multiple of %d", n), byteCount(int64(len(mem))))
	}
	if pattern<<(64-8*n) == 0 {
		clear(mem)
		return nil
	}
	if len(mem) == 0 {
		return nil
	}
	for i := range n {
		mem[i] = byte(pattern >> (8 * i))
	}
	for done := n; done < len(mem); done *= 2 {
		copy(mem[done:], mem[:done])
	}
	return nil
}
