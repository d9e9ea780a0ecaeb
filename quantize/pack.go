package quantize

import "encoding/binary"

// pack puts the numbers of row r of a block, those of one group, to their places in
// out, the group's bytes. docs/bundle-format.md has the layout. With 4 bits a byte
// has inputs k and k+32, so that one load gives two vectors of 8-bit numbers by a
// mask and a shift, each in the order of the activations.
func pack(out []byte, q *[Group]uint8, r, bits int) {
	le := binary.LittleEndian
	if bits == 8 {
		for p := range Group / 4 {
			le.PutUint32(out[(p*BlockRows+r)*4:], le.Uint32(q[4*p:]))
		}
		return
	}
	for p := range Group / 8 {
		le.PutUint32(out[(p*BlockRows+r)*4:], le.Uint32(q[4*p:])|le.Uint32(q[Group/2+4*p:])<<4)
	}
}

// unpack is the inverse of pack.
func unpack(q *[Group]uint8, in []byte, r, bits int) {
	le := binary.LittleEndian
	if bits == 8 {
		for p := range Group / 4 {
			le.PutUint32(q[4*p:], le.Uint32(in[(p*BlockRows+r)*4:]))
		}
		return
	}
	for p := range Group / 8 {
		both := le.Uint32(in[(p*BlockRows+r)*4:])
		le.PutUint32(q[4*p:], both&0x0f0f0f0f)
		le.PutUint32(q[Group/2+4*p:], both>>4&0x0f0f0f0f)
	}
}
