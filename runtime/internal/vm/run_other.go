package vm

// runOther executes the instructions that are rare, can fail, or are long.
func (in *Instance) runOther(fn *function, i *inst, regs []uint32, refs []Ref) error {
	switch {
	case i.op >= firstF64:
		return in.runF64(fn, i, regs, refs)
	case i.op >= firstF32:
		return in.runF32(fn, i, regs, refs)
	}
	switch i.op {
	case opDivI32S, opDivI32U, opRemI32S, opRemI32U:
		a, b := regs[i.a], regs[i.b]
		if b == 0 {
			return divisionByZero()
		}
		// The least value divided by -1 overflows to itself, with remainder 0.
		switch i.op {
		case opDivI32S:
			a = uint32(int32(a) / int32(b))
		case opDivI32U:
			a /= b
		case opRemI32S:
			a = uint32(int32(a) % int32(b))
		case opRemI32U:
			a %= b
		}
		regs[i.c] = a
	case opDivI64S, opDivI64U, opRemI64S, opRemI64U:
		a, b := get64(regs, i.a), get64(regs, i.b)
		if b == 0 {
			return divisionByZero()
		}
		switch i.op {
		case opDivI64S:
			a = uint64(int64(a) / int64(b))
		case opDivI64U:
			a /= b
		case opRemI64S:
			a = uint64(int64(a) % int64(b))
		case opRemI64U:
			a %= b
		}
		set64(regs, i.c, a)
	case opSwitchI32:
		regs[i.c] = regs[choose(fn, i.x, regs[i.a], i.b)]
	case opSwitchI64:
		set64(regs, i.c, get64(regs, choose(fn, i.x, regs[i.a], i.b)))

	case opGlobalLoadIndirectI32:
		g, err := in.global(regs[i.a], 4)
		if err != nil {
			return err
		}
		regs[i.b] = le.Uint32(g)
	case opGlobalStoreIndirectI32:
		g, err := in.global(regs[i.a], 4)
		if err != nil {
			return err
		}
		le.PutUint32(g, regs[i.b])
	case opGlobalLoadIndirectI64:
		g, err := in.global(regs[i.a], 8)
		if err != nil {
			return err
		}
		set64(regs, i.b, le.Uint64(g))
	case opGlobalStoreIndirectI64:
		g, err := in.global(regs[i.a], 8)
		if err != nil {
			return err
		}
		le.PutUint64(g, get64(regs, i.b))

	case opGlobalLoadRef, opGlobalStoreRef, opGlobalLoadIndirectRef, opGlobalStoreIndirectRef,
		opSelectRef, opSwitchRef, opCastAnyRef:
		return in.runRef(fn, i, regs, refs)
	case opListAlloc, opListReserve, opListSize, opListResize, opListGetI32, opListSetI32,
		opListGetI64, opListSetI64, opListGetRef, opListSetRef:
		return in.runList(i, regs, refs)
	default:
		return in.runBuffer(i, regs, refs)
	}
	return nil
}

func divisionByZero() error { return trap(statusInvalidArgument, "division by zero") }

// choose is the register that a switch instruction selects from the list with
// the given number.
func choose(fn *function, list, index uint32, def uint16) uint16 {
	if l := fn.lists[list]; uint64(index) < uint64(len(l)) {
		return l[index]
	}
	return def
}

// global is the memory of a global of n bytes whose place bytecode has computed.
func (in *Instance) global(offset uint32, n int) ([]byte, error) {
	if uint64(offset)+uint64(n) > uint64(len(in.globals)) {
		return nil, trap(statusOutOfRange, "a global of %d bytes at %d of %d", n, offset, len(in.globals))
	}
	return in.globals[offset : int(offset)+n], nil
}
