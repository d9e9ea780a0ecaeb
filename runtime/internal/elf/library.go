package elf

import (
	"bytes"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
)

// Version is the version of the executable library ABI that we speak.
const Version = 6

const (
	maxExports   = 1 << 16
	maxNameBytes = 1 << 12
	// Limits of the ABI.
	maxConstants = 64
	maxBindings  = 64

	localPageSize = 4096
	attrsSize     = 64
)

// Export is one dispatch function.
type Export struct {
	Name          string
	Entry         uintptr
	LocalMemory   int // bytes local to each workgroup
	Constants     int // 32-bit push constants it reads
	Bindings      int // buffers it is given
	WorkgroupSize [3]uint32
}

// table is what the query function describes.
type table struct {
	name      string
	constants int // specialization constants that the environment must hold
	exports   []Export
}

// readLibrary reads iree_hal_executable_library_v0_t at the address that the
// query function gave.
func (m *image) readLibrary(lib uint64) (*table, error) {
	r := tableReader{m: m}
	header := r.pointer(r.at(lib, 0))
	version := r.u32(header)
	if r.err == nil && version != Version {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "executable_version", Where: "executable",
			Message: "version of the executable library interface", Want: fmt.Sprint(Version), Found: fmt.Sprint(version),
			Fix: "compile with the compiler version that this program was made for"}
	}
	t := &table{name: r.text(r.pointer(r.at(header, 8)))}
	if s := r.u32(r.at(header, 20)); r.err == nil && s != 0 {
		return nil, unsupported("executable", "the executable is built with a sanitizer", "none", fmt.Sprint(s))
	}
	if n := r.u32(r.at(lib, 8)); r.err == nil && n != 0 {
		return nil, unsupported("executable", "the executable imports functions", "a self-contained executable", fmt.Sprintf("%d imports", n))
	}
	count := uint64(r.u32(r.at(lib, 24)))
	t.constants = int(r.u32(r.at(lib, 104)))
	if r.err == nil && (count > maxExports || t.constants > maxExports) {
		return nil, bad("executable", "number of exports or constants", fmt.Sprintf("at most %d", maxExports), fmt.Sprintf("%d and %d", count, t.constants))
	}
	if count > 0 && r.err == nil {
		entries := r.array(r.at(lib, 32), count, 8)
		attrs := r.array(r.at(lib, 40), count, attrsSize)
		names := r.array(r.at(lib, 64), count, 8)
		for i := uint64(0); i < count && r.err == nil; i++ {
			t.exports = append(t.exports, r.export(entries+8*i, attrs+attrsSize*i, names+8*i))
		}
	}
	if r.err != nil {
		return nil, r.err
	}
	return t, nil
}

func (r *tableReader) export(entry, attrs, name uint64) Export {
	e := Export{Name: r.text(r.pointer(name))}
	fn := r.pointer(entry)
	if _, ok := r.m.inSegment(span{fn - r.m.base + r.m.lowest, 1}, flagX); r.err == nil && !ok {
		r.err = bad("executable", "export "+printable([]byte(e.Name))+" is not in executable memory", "", fmt.Sprintf("%#x", fn))
	}
	e.Entry = uintptr(fn)
	word := r.u32(attrs + 8)
	e.LocalMemory = int(word&0xffff) * localPageSize
	e.Constants, e.Bindings = int(word>>16&0xff), int(word>>24)
	e.WorkgroupSize = [3]uint32{r.u32(attrs + 12), r.u32(attrs + 16), r.u32(attrs+20) & 0xffff}
	if r.err == nil && (e.Constants > maxConstants || e.Bindings > maxBindings) {
		r.err = bad("executable", "constants and bindings of export "+printable([]byte(e.Name)),
			fmt.Sprintf("at most %d and %d", maxConstants, maxBindings), fmt.Sprintf("%d and %d", e.Constants, e.Bindings))
	}
	if r.err == nil && e.Name == "" {
		r.err = bad("executable", "an export has no name", "", "")
	}
	return e
}

// tableReader follows addresses inside an image. After the first error it
// reads zeros.
type tableReader struct {
	m     *image
	err   error
	names int // bytes of names read, bounded in all
}

// bytes gives n bytes at an address, nil and an error if they are not in a
// readable segment.
func (r *tableReader) bytes(addr, n uint64) []byte {
	if r.err != nil {
		return nil
	}
	v, ok := r.m.inSegment(span{addr - r.m.base + r.m.lowest, n}, flagR)
	if !ok {
		r.err = bad("executable", "the library table points outside the image", fmt.Sprintf("%d bytes within %#x+%#x", n, r.m.base, r.m.size), fmt.Sprintf("%#x", addr))
		return nil
	}
	return r.m.mem[v.off:][:n]
}

func (r *tableReader) at(addr, off uint64) uint64 { return addr + off }

func (r *tableReader) u32(addr uint64) uint32 {
	if b := r.bytes(addr, 4); b != nil {
		return le.Uint32(b)
	}
	return 0
}

func (r *tableReader) pointer(addr uint64) uint64 {
	if b := r.bytes(addr, 8); b != nil {
		return le.Uint64(b)
	}
	return 0
}

// array follows the pointer at addr to count elements.
func (r *tableReader) array(addr, count, size uint64) uint64 {
	p := r.pointer(addr)
	r.bytes(p, count*size)
	return p
}

// text is the zero-terminated string at addr.
func (r *tableReader) text(addr uint64) string {
	if r.err != nil {
		return ""
	}
	off := addr - r.m.base
	for i := range r.m.segments {
		s := &r.m.segments[i]
		if s.flags&flagR == 0 || off < s.addr || off-s.addr >= s.size {
			continue
		}
		b := r.m.mem[off : s.addr+s.size]
		if len(b) > maxNameBytes {
			b = b[:maxNameBytes]
		}
		n := bytes.IndexByte(b, 0)
		r.names += n
		if n < 0 || r.names > len(r.m.data)*4+maxNameBytes {
			break
		}
		return string(b[:n])
	}
	r.err = bad("executable", "a name in the library table lies outside the image or has no end", "", fmt.Sprintf("%#x", addr))
	return ""
}
