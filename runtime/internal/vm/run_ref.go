package vm

// admit is an error unless v is of the type with the given id.
func (in *Instance) admit(v Ref, typeID uint32) error {
	if t := &in.prog.types[typeID]; !t.admits(v) {
		return trap(statusInvalidArgument, "%s where %s is needed", describe(v), in.prog.module.Types[typeID])
	}
	return nil
}

func (in *Instance) runRef(fn *function, i *inst, regs []uint32, refs []Ref) error {
	switch i.op {
	case opGlobalLoadRef, opGlobalLoadIndirectRef:
		g, t, dst := i.x, i.y(), i.a
		if i.op == opGlobalLoadIndirectRef {
			g, t, dst = regs[i.a], i.x, i.b
		}
		slot, err := in.globalRef(g)
		if err != nil {
			return err
		}
		if err := in.admit(*slot, t); err != nil {
			return err
		}
		refs[dst&regOrdinal] = *slot
		if dst&regMove != 0 {
			*slot = nil // the move bit of the result: out of the global
		}
	case opGlobalStoreRef, opGlobalStoreIndirectRef:
		g, t, src := i.x, i.y(), i.a
		if i.op == opGlobalStoreIndirectRef {
			g, t, src = regs[i.a], i.x, i.b
		}
		slot, err := in.globalRef(g)
		if err != nil {
			return err
		}
		if err := in.admit(refs[src&regOrdinal], t); err != nil {
			return err
		}
		*slot = takeRef(refs, src)
	case opSelectRef:
		chosen, other := i.b, i.c
		if regs[i.a] == 0 {
			chosen, other = i.c, i.b
		}
		if err := in.admit(refs[chosen&regOrdinal], i.x); err != nil {
			return err
		}
		v := takeRef(refs, chosen)
		takeRef(refs, other)
		refs[i.d&regOrdinal] = v
	case opSwitchRef:
		chosen := choose(fn, i.y(), regs[i.a], i.b)
		if err := in.admit(refs[chosen&regOrdinal], i.x); err != nil {
			return err
		}
		v := takeRef(refs, chosen)
		refs[i.c&regOrdinal] = v
	case opCastAnyRef:
		if err := in.admit(refs[i.a&regOrdinal], i.x); err != nil {
			return err
		}
		v := takeRef(refs, i.a)
		refs[i.b&regOrdinal] = v
	}
	return nil
}

func (in *Instance) globalRef(g uint32) (*Ref, error) {
	if uint64(g) >= uint64(len(in.grefs)) {
		return nil, trap(statusOutOfRange, "global reference %d of %d", g, len(in.grefs))
	}
	return &in.grefs[g], nil
}
