package vm

import (
	"math/bits"
)

func get64(regs []uint32, r uint16) uint64 {
	return uint64(regs[r]) | uint64(regs[r+1])<<32
}

func set64(regs []uint32, r uint16, v uint64) {
	regs[r] = uint32(v)
	regs[r+1] = uint32(v >> 32)
}

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

func takeRef(refs []Ref, r uint16) Ref {
	p := &refs[r&regOrdinal]
	v := *p
	if r&regMove != 0 {
		*p = nil
	}
	return v
}

// run executes the only frame on the stack until it returns and gives the
// registers of the results, which are in that frame.
//
// NewProgram has checked all ordinals: what is indexed here with what an
// instruction holds is in range. The bounds checks that Go makes are a second
// line of defence, not a part of the design.
func (in *Instance) run() ([]uint16, error) {
	fr := &in.frames[0]
	fn := fr.fn
	code := fn.code
	regs := in.regs[fr.ibase : fr.ibase+fn.i32Regs]
	refs := in.refs[fr.rbase : fr.rbase+fn.refRegs]
	pc := 0
	var err error
	for {
		i := &code[pc]
		pc++
		switch i.op {
		case opConstI32Zero:
			regs[i.a] = 0
		case opConstI32:
			regs[i.a] = i.x
		case opConstI64Zero:
			set64(regs, i.a, 0)
		case opConstI64:
			set64(regs, i.a, uint64(i.x)|uint64(i.y())<<32)
		case opConstRefZero:
			refs[i.a&regOrdinal] = nil
		case opConstRefRodata:
			refs[i.a&regOrdinal] = in.prog.rodata[i.x]
		case opDiscardRefs:
			for _, r := range fn.lists[i.x] {
				if r&regRef != 0 {
					refs[r&regOrdinal] = nil
				}
			}
		case opAssignRef:
			v := takeRef(refs, i.a)
			refs[i.b&regOrdinal] = v

		case opGlobalLoadI32:
			regs[i.a] = le.Uint32(in.globals[i.x:])
		case opGlobalStoreI32:
			le.PutUint32(in.globals[i.x:], regs[i.a])
		case opGlobalLoadI64:
			set64(regs, i.a, le.Uint64(in.globals[i.x:]))
		case opGlobalStoreI64:
			le.PutUint64(in.globals[i.x:], get64(regs, i.a))

		case opSelectI32:
			if regs[i.a] != 0 {
				regs[i.d] = regs[i.b]
			} else {
				regs[i.d] = regs[i.c]
			}
		case opSelectI64:
			if regs[i.a] != 0 {
				set64(regs, i.d, get64(regs, i.b))
			} else {
				set64(regs, i.d, get64(regs, i.c))
			}

		case opAddI32:
			regs[i.c] = regs[i.a] + regs[i.b]
		case opSubI32:
			regs[i.c] = regs[i.a] - regs[i.b]
		case opMulI32:
			regs[i.c] = regs[i.a] * regs[i.b]
		case opFMAI32:
			regs[i.d] = regs[i.a]*regs[i.b] + regs[i.c]
		case opAddI64:
			set64(regs, i.c, get64(regs, i.a)+get64(regs, i.b))
		case opSubI64:
			set64(regs, i.c, get64(regs, i.a)-get64(regs, i.b))
		case opMulI64:
			set64(regs, i.c, get64(regs, i.a)*get64(regs, i.b))
		case opFMAI64:
			set64(regs, i.d, get64(regs, i.a)*get64(regs, i.b)+get64(regs, i.c))

		case opNotI32:
			regs[i.b] = ^regs[i.a]
		case opAndI32:
			regs[i.c] = regs[i.a] & regs[i.b]
		case opOrI32:
			regs[i.c] = regs[i.a] | regs[i.b]
		case opXorI32:
			regs[i.c] = regs[i.a] ^ regs[i.b]
		case opNotI64:
			set64(regs, i.b, ^get64(regs, i.a))
		case opAndI64:
			set64(regs, i.c, get64(regs, i.a)&get64(regs, i.b))
		case opOrI64:
			set64(regs, i.c, get64(regs, i.a)|get64(regs, i.b))
		case opXorI64:
			set64(regs, i.c, get64(regs, i.a)^get64(regs, i.b))

		// Shift amounts count modulo the width.
		case opShlI32:
			regs[i.c] = regs[i.a] << (regs[i.b] & 31)
		case opShrI32S:
			regs[i.c] = uint32(int32(regs[i.a]) >> (regs[i.b] & 31))
		case opShrI32U:
			regs[i.c] = regs[i.a] >> (regs[i.b] & 31)
		case opShlI64:
			set64(regs, i.c, get64(regs, i.a)<<(regs[i.b]&63))
		case opShrI64S:
			set64(regs, i.c, uint64(int64(get64(regs, i.a))>>(regs[i.b]&63)))
		case opShrI64U:
			set64(regs, i.c, get64(regs, i.a)>>(regs[i.b]&63))

		case opTruncI32I8, opExtI8I32U:
			regs[i.b] = uint32(uint8(regs[i.a]))
		case opTruncI32I16, opExtI16I32U:
			regs[i.b] = uint32(uint16(regs[i.a]))
		case opExtI8I32S:
			regs[i.b] = uint32(int8(regs[i.a]))
		case opExtI16I32S:
			regs[i.b] = uint32(int16(regs[i.a]))
		case opTruncI64I32:
			regs[i.b] = regs[i.a]
		case opExtI32I64S:
			set64(regs, i.b, uint64(int32(regs[i.a])))
		case opExtI32I64U:
			set64(regs, i.b, uint64(regs[i.a]))

		case opCmpEQI32:
			regs[i.c] = bit(regs[i.a] == regs[i.b])
		case opCmpNEI32:
			regs[i.c] = bit(regs[i.a] != regs[i.b])
		case opCmpLTI32S:
			regs[i.c] = bit(int32(regs[i.a]) < int32(regs[i.b]))
		case opCmpLTI32U:
			regs[i.c] = bit(regs[i.a] < regs[i.b])
		case opCmpNZI32:
			regs[i.b] = bit(regs[i.a] != 0)
		case opCmpEQI64:
			regs[i.c] = bit(get64(regs, i.a) == get64(regs, i.b))
		case opCmpNEI64:
			regs[i.c] = bit(get64(regs, i.a) != get64(regs, i.b))
		case opCmpLTI64S:
			regs[i.c] = bit(int64(get64(regs, i.a)) < int64(get64(regs, i.b)))
		case opCmpLTI64U:
			regs[i.c] = bit(get64(regs, i.a) < get64(regs, i.b))
		case opCmpNZI64:
			regs[i.b] = bit(get64(regs, i.a) != 0)
		case opCmpEQRef:
			regs[i.c] = bit(refs[i.a] == refs[i.b])
		case opCmpNERef:
			regs[i.c] = bit(refs[i.a] != refs[i.b])
		case opCmpNZRef:
			regs[i.b] = bit(refs[i.a] != nil)

		case opCtlzI32:
			regs[i.b] = uint32(bits.LeadingZeros32(regs[i.a]))
		case opCtlzI64:
			set64(regs, i.b, uint64(bits.LeadingZeros64(get64(regs, i.a))))
		case opAbsI32:
			v := int32(regs[i.a])
			if v < 0 {
				v = -v // the least value is its own opposite
			}
			regs[i.b] = uint32(v)
		case opAbsI64:
			v := int64(get64(regs, i.a))
			if v < 0 {
				v = -v
			}
			set64(regs, i.b, uint64(v))
		case opMinI32S:
			regs[i.c] = uint32(min(int32(regs[i.a]), int32(regs[i.b])))
		case opMinI32U:
			regs[i.c] = min(regs[i.a], regs[i.b])
		case opMaxI32S:
			regs[i.c] = uint32(max(int32(regs[i.a]), int32(regs[i.b])))
		case opMaxI32U:
			regs[i.c] = max(regs[i.a], regs[i.b])
		case opMinI64S:
			set64(regs, i.c, uint64(min(int64(get64(regs, i.a)), int64(get64(regs, i.b)))))
		case opMinI64U:
			set64(regs, i.c, min(get64(regs, i.a), get64(regs, i.b)))
		case opMaxI64S:
			set64(regs, i.c, uint64(max(int64(get64(regs, i.a)), int64(get64(regs, i.b)))))
		case opMaxI64U:
			set64(regs, i.c, max(get64(regs, i.a), get64(regs, i.b)))

		case opBranch, opYield, opBreak, opCondBreak:
			// A yield lets an embedder run something else; this one does not.
			// The breaks are debugger breakpoints.
			pc, err = in.branch(&fn.edges[i.x], pc, regs, refs)
		case opCondBranch:
			k := i.x
			if regs[i.a] == 0 {
				k++
			}
			pc, err = in.branch(&fn.edges[k], pc, regs, refs)
		case opBranchTable:
			k := i.x // the default
			if n := regs[i.a]; n < uint32(i.b) {
				k += n + 1
			}
			pc, err = in.branch(&fn.edges[k], pc, regs, refs)

		case opCall:
			site := &fn.calls[i.x]
			fr.pc, fr.site = int(site.next), site
			if err = in.step(1); err != nil {
				break
			}
			if err = in.enter(&in.prog.funcs[site.callee]); err != nil {
				break
			}
			// The stack may have moved.
			caller := &in.frames[len(in.frames)-2]
			regs, refs = in.regs[caller.ibase:], in.refs[caller.rbase:]
			fr = &in.frames[len(in.frames)-1]
			fn = fr.fn
			code, pc = fn.code, 0
			cregs, crefs := in.regs[fr.ibase:fr.ibase+fn.i32Regs], in.refs[fr.rbase:fr.rbase+fn.refRegs]
			for _, m := range site.moves {
				if m.src&regRef != 0 {
					crefs[m.dst] = takeRef(refs, m.src)
				} else {
					cregs[m.dst] = regs[m.src]
				}
			}
			regs, refs = cregs, crefs
		case opCallImport:
			site := &fn.calls[i.x]
			if err = in.callHost(site, regs, refs); err == nil {
				pc = int(site.next)
			}
		case opReturn:
			ret := fn.lists[i.x]
			n := len(in.frames) - 1
			if n == 0 {
				return ret, nil
			}
			caller := &in.frames[n-1]
			cregs := in.regs[caller.ibase : caller.ibase+caller.fn.i32Regs]
			crefs := in.refs[caller.rbase : caller.rbase+caller.fn.refRegs]
			for k, dst := range caller.site.results {
				switch src := ret[k]; fn.sig.results[k] {
				case KindI32, KindF32:
					cregs[dst] = regs[src]
				case KindI64, KindF64:
					cregs[dst], cregs[dst+1] = regs[src], regs[src+1]
				case KindRef:
					crefs[dst] = takeRef(refs, src)
				}
			}
			clear(refs)
			in.frames = in.frames[:n]
			fr, fn, regs, refs = caller, caller.fn, cregs, crefs
			code, pc = fn.code, fr.pc

		case opFail:
			if s := regs[i.a]; s != 0 {
				err = trap(status(s), "%s", failure(status(s), fn.strings[i.x]))
			}
		case opImportResolved:
			regs[i.a] = bit(in.host[i.x] != nil)
		case opTrace, opPrint:
			for _, r := range fn.lists[i.y()] {
				if r&(regRef|regMove) == regRef|regMove {
					refs[r&regOrdinal] = nil
				}
			}
		case opEnd:
			err = trap(statusInternal, "the end of the function is reached")
		default:
			err = in.runOther(fn, i, regs, refs)
		}
		if err != nil {
			// The frame on top is that of the instruction: entering a function
			// is the last thing that can fail in a call.
			return nil, in.prog.located(fn, fn.offsetOf(i), err)
		}
	}
}

// failure is the text of a vm.fail.
func failure(s status, message string) string {
	if message == "" {
		return "the compiled function failed with " + s.String()
	}
	return message
}

// offsetOf is where i is in the bytecode.
func (f *function) offsetOf(i *inst) uint32 {
	for k := range f.code {
		if &f.code[k] == i {
			return f.offsets[k]
		}
	}
	return 0
}

// branch follows e. Going back counts as a step, so that loops can be stopped.
func (in *Instance) branch(e *edge, pc int, regs []uint32, refs []Ref) (int, error) {
	for _, m := range e.moves {
		if m.src&regRef != 0 {
			v := takeRef(refs, m.src)
			refs[m.dst] = v
		} else {
			regs[m.dst] = regs[m.src]
		}
	}
	if int(e.target) < pc {
		if in.left--; in.left < 0 {
			return int(e.target), in.poll()
		}
	}
	return int(e.target), nil
}
