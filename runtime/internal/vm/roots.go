package vm

import "slices"

// EachRef calls f for every reference that the instance holds: in its globals,
// in the registers of the functions that are running, and as an element of a
// list that it holds. References that occur more than once are given as often,
// lists only once. It may be called by a HostFunc of the instance and between
// invocations; what a reference leads to outside the VM is the host's to know.
//
// Bytecode drops references as soon as it needs them no more. The Go collector
// notices that only when it runs; a host whose objects hold memory that is not
// Go's can ask here instead.
func (in *Instance) EachRef(f func(Ref)) {
	var lists []*List
	for _, r := range in.grefs {
		lists = eachRef(r, f, lists)
	}
	if n := len(in.frames); n > 0 {
		top := &in.frames[n-1]
		for _, r := range in.refs[:top.rbase+top.fn.refRegs] {
			lists = eachRef(r, f, lists)
		}
	}
}

// eachRef calls f for r and what it holds; seen are the lists that were done.
func eachRef(r Ref, f func(Ref), seen []*List) []*List {
	if r == nil {
		return seen
	}
	l, ok := r.(*List)
	if !ok {
		f(r)
		return seen
	}
	if slices.Contains(seen, l) {
		return seen
	}
	f(r)
	seen = append(seen, l)
	for i := range l.items {
		seen = eachRef(l.items[i].ref, f, seen)
	}
	return seen
}
