package vmfb

import (
	"encoding/binary"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
)

// The FlatBuffers wire format: https://flatbuffers.dev/internals/. Everything
// is little-endian. A table starts with a signed offset back to its vtable,
// which holds its own size, the table's size, and per field the offset from the
// table's start, 0 for an absent field.

var le = binary.LittleEndian

// reader reads one FlatBuffer. It stops at the first thing that is wrong: from
// then on every read yields zero, and err says what it was.
type reader struct {
	buf []byte
	err error
	// budget is the work that is left. Offsets may point to the same bytes any
	// number of times, so that a small file could describe a huge module; an
	// honest one has each byte read about once.
	budget int
}

func newReader(buf []byte) *reader {
	return &reader{buf: buf, budget: 8*len(buf) + 4096}
}

func (r *reader) fail(where, format string, args ...any) {
	if r.err == nil {
		r.err = malformed(where, format, args...)
	}
}

func malformed(where, format string, args ...any) *diag.Error {
	return &diag.Error{
		Kind: diag.BadInput, Code: "vmfb_malformed", Where: where,
		Message: "not a valid compiled module: " + fmt.Sprintf(format, args...),
		Fix:     "build the bundle again",
	}
}

func (r *reader) spend(n int, where string) bool {
	if r.err != nil {
		return false
	}
	if r.budget -= n; r.budget < 0 {
		r.fail(where, "the same bytes are referenced too many times")
		return false
	}
	return true
}

// table is a position in the buffer whose table header and vtable are checked.
// The zero table has no fields.
type table struct {
	r     *reader
	where string // path for messages: "exports[3]"
	pos   int
	size  int // of the table's inline data
	vt    int // position of the vtable's first field entry
	nvt   int // number of fields in the vtable
}

// table checks the table at pos.
func (r *reader) table(pos int, where string) table {
	if !r.spend(8, where) {
		return table{}
	}
	if pos < 0 || pos > len(r.buf)-4 {
		r.fail(where, "a table at %d is outside of the %d bytes", pos, len(r.buf))
		return table{}
	}
	vt := int64(pos) - int64(int32(le.Uint32(r.buf[pos:])))
	if vt < 0 || vt > int64(len(r.buf)-4) {
		r.fail(where, "the table at %d has its field list outside of the %d bytes", pos, len(r.buf))
		return table{}
	}
	v := int(vt)
	vsize, size := int(le.Uint16(r.buf[v:])), int(le.Uint16(r.buf[v+2:]))
	if vsize < 4 || vsize%2 != 0 || vsize > len(r.buf)-v || size < 4 || size > len(r.buf)-pos {
		r.fail(where, "the table at %d has sizes %d and %d that cannot be", pos, vsize, size)
		return table{}
	}
	return table{r, where, pos, size, v + 4, vsize/2 - 2}
}

// root is the table that the buffer starts with.
func (r *reader) root(where string) table {
	if len(r.buf) < 8 {
		r.fail(where, "%d bytes", len(r.buf))
		return table{}
	}
	off := le.Uint32(r.buf)
	if uint64(off) > uint64(len(r.buf)) {
		r.fail(where, "the root table at %d is outside of the %d bytes", off, len(r.buf))
		return table{}
	}
	return r.table(int(off), where)
}

// field is the position of a field of the given inline size, 0 if it is absent.
func (t table) field(id, size int, name string) int {
	if id >= t.nvt || t.r.err != nil {
		return 0
	}
	off := int(le.Uint16(t.r.buf[t.vt+2*id:]))
	if off == 0 {
		return 0
	}
	if off < 4 || off > t.size-size {
		t.r.fail(t.path(name), "the field is at %d of a table of %d bytes", off, t.size)
		return 0
	}
	return t.pos + off
}

func (t table) path(name string) string {
	if t.where == "" {
		return name
	}
	return t.where + "." + name
}

func (t table) u8(id int, name string) uint8 {
	if p := t.field(id, 1, name); p != 0 {
		return t.r.buf[p]
	}
	return 0
}

func (t table) u32(id int, name string, def uint32) uint32 {
	if p := t.field(id, 4, name); p != 0 {
		return le.Uint32(t.r.buf[p:])
	}
	return def
}

func (t table) u64(id int, name string) uint64 {
	if p := t.field(id, 8, name); p != 0 {
		return le.Uint64(t.r.buf[p:])
	}
	return 0
}

// follow is where the offset stored at p leads; at least four bytes are there.
func (r *reader) follow(p int, where string) int {
	if r.err != nil {
		return 0
	}
	off := le.Uint32(r.buf[p:])
	if off == 0 || uint64(p)+uint64(off) > uint64(len(r.buf)-4) {
		r.fail(where, "an offset of %d at %d leads outside of the %d bytes", off, p, len(r.buf))
		return 0
	}
	return p + int(off)
}

// vector is the position of the first element of a vector field and the number
// of elements; ok is false if the field is absent.
func (t table) vector(id, elem int, name string) (pos, n int, ok bool) {
	p := t.field(id, 4, name)
	if p == 0 {
		return 0, 0, false
	}
	p = t.r.follow(p, t.path(name))
	if p == 0 {
		return 0, 0, false
	}
	count := uint64(le.Uint32(t.r.buf[p:]))
	if count*uint64(elem) > uint64(len(t.r.buf)-p-4) {
		t.r.fail(t.path(name), "a list of %d elements of %d bytes at %d is longer than the %d bytes there are",
			count, elem, p, len(t.r.buf))
		return 0, 0, false
	}
	return p + 4, int(count), true
}

func (t table) str(id int, name string) string {
	p := t.field(id, 4, name)
	if p == 0 {
		return ""
	}
	return t.r.str(p, t.path(name))
}

// str is the string that the offset at p leads to.
func (r *reader) str(p int, where string) string {
	p = r.follow(p, where)
	if p == 0 {
		return ""
	}
	n := uint64(le.Uint32(r.buf[p:]))
	if n+1 > uint64(len(r.buf)-p-4) || r.buf[p+4+int(n)] != 0 {
		r.fail(where, "a string of %d bytes at %d is not terminated within the %d bytes", n, p, len(r.buf))
		return ""
	}
	if !r.spend(int(n)+4, where) {
		return ""
	}
	return string(r.buf[p+4 : p+4+int(n)])
}

// bytes is a vector of bytes, a slice of the buffer; ok is false if it is absent.
func (t table) bytes(id int, name string) (b []byte, ok bool) {
	p, n, ok := t.vector(id, 1, name)
	if !ok {
		return nil, false
	}
	return t.r.buf[p : p+n : p+n], true
}

// sub is a table-valued field; ok is false if it is absent.
func (t table) sub(id int, name string) (sub table, ok bool) {
	p := t.field(id, 4, name)
	if p == 0 {
		return table{}, false
	}
	p = t.r.follow(p, t.path(name))
	if p == 0 {
		return table{}, false
	}
	sub = t.r.table(p, t.path(name))
	return sub, t.r.err == nil
}

// tables calls f for each element of a vector of tables, and first calls size
// with their number.
func (t table) tables(id int, name string, size func(n int), f func(i int, e table)) {
	p, n, ok := t.vector(id, 4, name)
	if !ok || !t.r.spend(4*n, t.path(name)) {
		return
	}
	size(n)
	for i := range n {
		where := fmt.Sprintf("%s[%d]", t.path(name), i)
		q := t.r.follow(p+4*i, where)
		if q == 0 {
			return
		}
		e := t.r.table(q, where)
		if t.r.err != nil {
			return
		}
		if f(i, e); t.r.err != nil {
			return
		}
	}
}
