package vm

import (
	"bytes"
	"math/bits"
)

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

// assign puts v into register dst if it is of the type with the given id.
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

func (in *Instance) runBuffer(i *inst, regs []uint32, refs []Ref) error {
	switch i.op {
	case opBufferAlloc:
		return in.allocBuffer(refs, i.c, get64(regs, i.a), nil)
	case opBufferLoadI8U, opBufferLoadI8S, opBufferLoadI16U, opBufferLoadI16S, opBufferLoadI32, opBufferLoadI64:
		return loadBuffer(i, regs, refs)
	case opBufferStoreI8, opBufferStoreI16, opBufferStoreI32, opBufferStoreI64:
		return storeBuffer(i, regs, refs)
	case opBufferFillI8, opBufferFillI16, opBufferFillI32:
		return in.fill(i, regs, refs, uint(i.op-opBufferFillI8), uint64(regs[i.d]))
	case opBufferFillI64:
		return in.fill(i, regs, refs, 3, get64(regs, i.d))
	}
	b, err := asBuffer(refs[i.a])
	if err != nil {
		return err
	}
	switch i.op {
	case opBufferLength:
		set64(regs, i.b, uint64(len(b.data)))
	case opBufferClone:
		src, err := b.elements(get64(regs, i.b), get64(regs, i.c), 0)
		if err != nil {
			return err
		}
		return in.allocBuffer(refs, i.e, uint64(len(src)), src)
	case opBufferHash:
		src, err := b.elements(get64(regs, i.b), get64(regs, i.c), 0)
		if err != nil {
			return err
		}
		if err := in.step(int64(len(src)) >> 8); err != nil {
			return err
		}
		set64(regs, i.d, sipHash(src))
	case opBufferCopy, opBufferCompare:
		other, err := asBuffer(refs[i.c])
		if err != nil {
			return err
		}
		length := get64(regs, i.e)
		src, err := b.elements(get64(regs, i.b), length, 0)
		if err != nil {
			return err
		}
		if err := in.step(int64(len(src)) >> 12); err != nil {
			return err
		}
		if i.op == opBufferCompare {
			rhs, err := other.elements(get64(regs, i.d), length, 0)
			if err != nil {
				return err
			}
			regs[i.x] = bit(bytes.Equal(src, rhs))
			return nil
		}
		dst, err := other.writable(get64(regs, i.d), length, 0)
		if err != nil {
			return err
		}
		copy(dst, src)
	default:
		// NewProgram lets no other opcode through.
		return trap(statusInternal, "no implementation of %s", opTable[i.op].name)
	}
	return nil
}

// allocBuffer makes a buffer of n bytes, a copy of src unless that is nil.
func (in *Instance) allocBuffer(refs []Ref, dst uint16, n uint64, src []byte) error {
	if n <= uint64(in.account.limit) {
		if err := in.step(int64(n) >> 12); err != nil {
			return err
		}
	}
	b := in.account.newBuffer(n)
	if b == nil {
		return trap(statusResourceExhausted, "no memory for a buffer of %d bytes", n)
	}
	copy(b.data, src)
	refs[dst&regOrdinal] = b
	return nil
}

func loadBuffer(i *inst, regs []uint32, refs []Ref) error {
	b, err := asBuffer(refs[i.a])
	if err != nil {
		return err
	}
	shift := [...]uint{0, 0, 1, 1, 2, 3}[i.op-opBufferLoadI8U]
	p, err := b.elements(get64(regs, i.b), 1, shift)
	if err != nil {
		return err
	}
	switch i.op {
	case opBufferLoadI8U:
		regs[i.c] = uint32(p[0])
	case opBufferLoadI8S:
		regs[i.c] = uint32(int8(p[0]))
	case opBufferLoadI16U:
		regs[i.c] = uint32(le.Uint16(p))
	case opBufferLoadI16S:
		regs[i.c] = uint32(int16(le.Uint16(p)))
	case opBufferLoadI32:
		regs[i.c] = le.Uint32(p)
	case opBufferLoadI64:
		set64(regs, i.c, le.Uint64(p))
	}
	return nil
}

func storeBuffer(i *inst, regs []uint32, refs []Ref) error {
	b, err := asBuffer(refs[i.a])
	if err != nil {
		return err
	}
	p, err := b.writable(get64(regs, i.b), 1, uint(i.op-opBufferStoreI8))
	if err != nil {
		return err
	}
	switch i.op {
	case opBufferStoreI8:
		p[0] = uint8(regs[i.c])
	case opBufferStoreI16:
		le.PutUint16(p, uint16(regs[i.c]))
	case opBufferStoreI32:
		le.PutUint32(p, regs[i.c])
	case opBufferStoreI64:
		le.PutUint64(p, get64(regs, i.c))
	}
	return nil
}

// fill stores v, of 1<<shift bytes, into the elements from register b on, as
// many as register c says.
func (in *Instance) fill(i *inst, regs []uint32, refs []Ref, shift uint, v uint64) error {
	b, err := asBuffer(refs[i.a])
	if err != nil {
		return err
	}
	p, err := b.writable(get64(regs, i.b), get64(regs, i.c), shift)
	if err != nil {
		return err
	}
	if err := in.step(int64(len(p)) >> 12); err != nil {
		return err
	}
	if len(p) == 0 {
		return nil
	}
	var pattern [8]byte
	le.PutUint64(pattern[:], v)
	for n := copy(p, pattern[:1<<shift]); n < len(p); n *= 2 {
		copy(p[n:], p[:n])
	}
	return nil
}

// sipHash is SipHash-2-4 (https://www.aumasson.jp/siphash/siphash.pdf) with the
// key of the paper's test vectors, 00 01 .. 0f.
func sipHash(b []byte) uint64 {
	v0, v1 := uint64(0x736f6d6570736575^0x0706050403020100), uint64(0x646f72616e646f6d^0x0f0e0d0c0b0a0908)
	v2, v3 := uint64(0x6c7967656e657261^0x0706050403020100), uint64(0x7465646279746573^0x0f0e0d0c0b0a0908)
	round := func() {
		v0 += v1
		v2 += v3
		v1 = bits.RotateLeft64(v1, 13) ^ v0
		v3 = bits.RotateLeft64(v3, 16) ^ v2
		v0 = bits.RotateLeft64(v0, 32)
		v2 += v1
		v0 += v3
		v1 = bits.RotateLeft64(v1, 17) ^ v2
		v3 = bits.RotateLeft64(v3, 21) ^ v0
		v2 = bits.RotateLeft64(v2, 32)
	}
	last := uint64(len(b)) << 56
	for ; len(b) >= 8; b = b[8:] {
		m := le.Uint64(b)
		v3 ^= m
		round()
		round()
		v0 ^= m
	}
	for k, c := range b {
		last |= uint64(c) << (8 * k)
	}
	v3 ^= last
	round()
	round()
	v0 ^= last
	v2 ^= 0xff
	for range 4 {
		round()
	}
	return v0 ^ v1 ^ v2 ^ v3
}
