package vm

func (in *Instance) runList(i *inst, regs []uint32, refs []Ref) error {
	if i.op == opListAlloc {
		t := &in.prog.types[i.x]
		l := in.account.newList(t.elem, t.name)
		if l == nil {
			return trap(statusResourceExhausted, "no memory for a list")
		}
		refs[i.b&regOrdinal] = l
		return nil // the initial capacity, register a, is only a hint
	}
	l, err := asList(refs[i.a])
	if err != nil {
		return err
	}
	switch i.op {
	case opListReserve:
		// A hint as well, but one that must fail if it cannot be kept.
		if int64(regs[i.b])*valueSize > in.account.limit {
			err = trap(statusResourceExhausted, "no memory for a list of %d elements", regs[i.b])
		}
	case opListSize:
		regs[i.b] = uint32(len(l.items))
	case opListResize:
		if err = in.step(int64(regs[i.b]) >> 8); err == nil {
			err = l.resize(regs[i.b])
		}
	case opListGetI32:
		var v uint64
		v, err = l.get(regs[i.b], KindI32)
		regs[i.c] = uint32(v)
	case opListSetI32:
		err = l.set(regs[i.b], KindI32, uint64(regs[i.c]))
	case opListGetI64:
		var v uint64
		v, err = l.get(regs[i.b], KindI64)
		set64(regs, i.c, v)
	case opListSetI64:
		err = l.set(regs[i.b], KindI64, get64(regs, i.c))
	case opListGetRef:
		var v Ref
		v, err = l.getRef(regs[i.b], &in.prog.types[i.x], i.c&regMove != 0)
		refs[i.c&regOrdinal] = v
	case opListSetRef:
		if err = l.setRef(regs[i.b], refs[i.c&regOrdinal]); err == nil {
			takeRef(refs, i.c)
		}
	}
	return err
}
