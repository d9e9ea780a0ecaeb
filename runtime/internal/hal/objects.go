package hal

import (
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

// objects are the allocations of a module that are still the module's.
//
// Modules rely on counted references: most transient buffers are never
// deallocated by a command, they are just dropped. Waiting for the Go collector
// would be far too late, because it does not see this memory. So when an
// allocation does not find a kept block of its size, and at the end of each
// call, we ask the instance for the references it holds and free what cannot be
// reached from them.
type objects struct {
	roots func(func(vm.Ref)) // gives the references of the instance; nil if there is none yet
	live  []*store
	fresh int // how many of live were added since the last collection
	epoch uint64
}

func (o *objects) track(h *Host, s *store) {
	s.host = h
	o.live = append(o.live, s)
	o.fresh++
}

// collect frees what cannot be reached and reports whether that was something.
// It does nothing if it was done lately, so that its time is proportional to
// the number of allocations.
func (o *objects) collect(h *Host) bool {
	if o.roots == nil || o.fresh*16 < len(o.live) {
		return false
	}
	o.markRoots(h)
	return o.sweep()
}

// settle is done between calls.
func (o *objects) settle(h *Host, results []vm.Value) {
	if o.roots == nil || len(o.live) == 0 {
		return
	}
	o.markRoots(h)
	for i := range results {
		v, ok := results[i].Ref().(*BufferView)
		if !ok {
			continue
		}
		// What a global holds as well stays with the instance, and what was
		// given away before, an argument now, with whoever has it.
		if s := v.buffer.store; s.host == h && s.mark != o.epoch && (s.gone == 0 || s.gone == o.epoch) {
			s.gone = o.epoch
			v.own()
		}
	}
	o.sweep()
}

func (o *objects) markRoots(h *Host) {
	o.epoch++
	o.roots(func(r vm.Ref) {
		switch r := r.(type) {
		case *Buffer:
			o.markStore(h, r.store)
		case *BufferView:
			o.markStore(h, r.buffer.store)
		case *CommandBuffer:
			if r.rec == nil {
				return
			}
			for i := range r.rec.bindings {
				if b := r.rec.bindings[i].buf; b != nil {
					o.markStore(h, b.store)
				}
			}
		}
	})
}

// markStore must not write to allocations of others: they may be in use on
// other goroutines.
func (o *objects) markStore(h *Host, s *store) {
	if s.host == h {
		s.mark = o.epoch
	}
}

func (o *objects) sweep() (freed bool) {
	kept := o.live[:0]
	for _, s := range o.live {
		switch {
		case s.gone != 0 || s.freed.Load():
		case s.mark == o.epoch:
			kept = append(kept, s)
		default:
			s.free()
			freed = true
		}
	}
	clear(o.live[len(kept):])
	o.live, o.fresh = kept, 0
	return freed
}
