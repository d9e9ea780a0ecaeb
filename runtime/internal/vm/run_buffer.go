package vm

import (
	"bytes"
	"math/bits"
)

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
