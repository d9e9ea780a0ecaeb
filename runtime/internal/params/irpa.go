package params

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"sync"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
)

// Format: iree/schemas/parameter_archive.h, version 0.0; all little endian and
// packed. See internal/irpa for the layout.
const (
	archiveMagic = "IRPA"
	headerSize   = 88
	entryHeader  = 60
	entryAlign   = 16

	typeSkip     = 0
	typeSplat    = 1
	typeData     = 2
	typeExternal = 3

	// maxName keeps names that share bytes from adding up to much.
	maxName = 1 << 10
	// maxSplat bounds the memory that a few bytes of archive can make us allocate.
	maxSplat  = 1 << 30
	alignment = 64
)

// Archive is a Source that reads a parameter archive (.irpa) in place.
type Archive struct {
	scope   string
	entries map[string]*entry
	names   []string
	room    uint64 // entries that the file has room for, if none share bytes

	mu sync.Mutex // guards splats that were made
}

type entry struct {
	kind    uint32
	data    []byte // of a data entry; of a splat once made
	pattern []byte // of a splat
	size    uint64
}

func bad(where, message, want, found string) error {
	return &diag.Error{Kind: diag.BadInput, Code: "irpa", Where: where, Message: message, Want: want, Found: found}
}

// ReadArchive reads the index of an archive that is in memory, for parameters
// of one scope. data is used in place: parameters are aligned as Source asks if
// data is, for archives that IREE's tools or internal/irpa wrote.
func ReadArchive(data []byte, scope string) (*Archive, error) {
	a := &Archive{scope: scope, entries: map[string]*entry{}, room: uint64(len(data)) / entryHeader}
	for base := uint64(0); ; {
		next, err := a.header(data, base)
		if err != nil {
			return nil, err
		}
		if next == 0 {
			return a, nil
		}
		base += next
	}
}

// Names are the names of the parameters, in the archive's order.
func (a *Archive) Names() []string { return a.names }

// span is a range of data, in bounds.
func span(data []byte, off, n uint64) ([]byte, bool) {
	if off > uint64(len(data)) || n > uint64(len(data))-off {
		return nil, false
	}
	return data[off : off+n : off+n], true
}

// header reads the archive that starts at base and gives the distance to the
// next one, 0 if there is none.
func (a *Archive) header(data []byte, base uint64) (next uint64, err error) {
	where := fmt.Sprintf("header at %d", base)
	le := binary.LittleEndian
	h, ok := span(data, base, headerSize)
	if !ok {
		return 0, bad(where, "the archive is truncated", "88 bytes", fmt.Sprintf("%d of %d bytes", base, len(data)))
	}
	if string(h[:4]) != archiveMagic {
		return 0, bad(where, "not a parameter archive", fmt.Sprintf("%q", archiveMagic), fmt.Sprintf("%q", h[:4]))
	}
	if major := le.Uint16(h[4:]); major != 0 {
		return 0, &diag.Error{Kind: diag.Unsupported, Code: "irpa_version", Where: where, Message: "unknown version of the archive", Want: "0", Found: fmt.Sprint(major)}
	}
	if n := le.Uint64(h[8:]); n < headerSize {
		return 0, bad(where, "size of the header", "at least 88", fmt.Sprint(n))
	}
	// A chain only goes forward, so that it ends.
	if next = le.Uint64(h[16:]); next != 0 && (next < headerSize || next%entryAlign != 0 || next > uint64(len(data))) {
		return 0, bad(where, "distance to the next header", fmt.Sprintf("a multiple of 16 within %d bytes", len(data)), fmt.Sprint(next))
	}
	whole := data[base:]
	var segments [3][]byte
	for i, name := range []string{"entry", "metadata", "storage"} {
		off, n := le.Uint64(h[40+16*i:]), le.Uint64(h[48+16*i:])
		if segments[i], ok = span(whole, off, n); !ok {
			return 0, bad(where, "the "+name+" segment lies outside the archive", fmt.Sprintf("within %d bytes", len(whole)), fmt.Sprintf("%d bytes at %d", n, off))
		}
	}
	count, table, at := le.Uint64(h[32:]), segments[0], uint64(0)
	if count > a.room {
		return 0, bad(where, "number of entries", fmt.Sprintf("at most %d more", a.room), fmt.Sprint(count))
	}
	a.room -= count
	for i := range count {
		at = (at + entryAlign - 1) &^ (entryAlign - 1)
		where := fmt.Sprintf("entry %d of the header at %d", i, base)
		e, ok := span(table, at, entryHeader)
		if !ok {
			return 0, bad(where, "lies outside the entry segment", fmt.Sprintf("within %d bytes", len(table)), fmt.Sprint(at))
		}
		size := le.Uint64(e)
		if e, ok = span(table, at, size); !ok || size < entryHeader {
			return 0, bad(where, "size of the entry", fmt.Sprintf("%d to %d", entryHeader, uint64(len(table))-at), fmt.Sprint(size))
		}
		if err := a.entry(where, e, segments[1], segments[2]); err != nil {
			return 0, err
		}
		at += size
	}
	return next, nil
}

func (a *Archive) entry(where string, e, metadata, storage []byte) error {
	le := binary.LittleEndian
	kind := le.Uint32(e[8:])
	if kind == typeSkip {
		return nil
	}
	off, n := le.Uint64(e[20:]), le.Uint64(e[28:])
	name, ok := span(metadata, off, n)
	if !ok {
		return bad(where, "the name lies outside the metadata segment", fmt.Sprintf("within %d bytes", len(metadata)), fmt.Sprintf("%d bytes at %d", n, off))
	}
	if n > maxName {
		return bad(where, "length of the name", fmt.Sprintf("at most %d", maxName), fmt.Sprint(n))
	}
	where = fmt.Sprintf("parameter %q", name)
	p := &entry{kind: kind}
	rest := e[entryHeader:]
	switch kind {
	case typeSplat:
		if len(rest) < 25 {
			return bad(where, "the entry is truncated", "85 bytes", fmt.Sprint(len(e)))
		}
		p.size = le.Uint64(rest)
		width := uint64(rest[24])
		if width == 0 || width > 16 || bits.OnesCount64(width) != 1 || p.size%width != 0 {
			return bad(where, "size of the repeated pattern", "1, 2, 4, 8 or 16, a divisor of the size", fmt.Sprintf("%d of %d", width, p.size))
		}
		p.pattern = rest[8 : 8+width]
	case typeData:
		if len(rest) < 16 {
			return bad(where, "the entry is truncated", "76 bytes", fmt.Sprint(len(e)))
		}
		off, n := le.Uint64(rest), le.Uint64(rest[8:])
		if p.data, ok = span(storage, off, n); !ok {
			return bad(where, "the data lie outside the storage segment", fmt.Sprintf("within %d bytes", len(storage)), fmt.Sprintf("%d bytes at %d", n, off))
		}
		if p.data == nil {
			p.data = []byte{}
		}
	case typeExternal:
	default:
		return &diag.Error{Kind: diag.Unsupported, Code: "irpa_entry", Where: where, Message: "unknown kind of entry", Want: "skip, splat, data or external", Found: fmt.Sprint(kind)}
	}
	// A later archive of the chain replaces what an earlier one has.
	if a.entries[string(name)] == nil {
		a.names = append(a.names, string(name))
	}
	a.entries[string(name)] = p
	return nil
}

// Parameter implements Source.
func (a *Archive) Parameter(scope, key string) ([]byte, error) {
	p := a.entries[key]
	if scope != a.scope || p == nil {
		return nil, nil
	}
	where := fmt.Sprintf("parameter %q", key)
	switch {
	case p.kind == typeExternal:
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "irpa_external", Where: where, Message: "lies in another file",
			Fix: "convert the archive with iree-convert-parameters"}
	case p.kind == typeData:
		return p.data, nil
	case p.size > maxSplat:
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "irpa_splat", Where: where, Message: "is a repeated pattern of too many bytes", Want: fmt.Sprint("at most ", maxSplat), Found: fmt.Sprint(p.size)}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if p.data == nil {
		p.data = splat(p.pattern, int(p.size))
	}
	return p.data, nil
}

// splat is n bytes of the repeated pattern, aligned.
func splat(pattern []byte, n int) []byte {
	b := make([]byte, n+alignment)
	off := int(-uintptr(unsafe.Pointer(&b[0])) & (alignment - 1))
	b = b[off : off+n : off+n]
	copy(b, pattern)
	for done := len(pattern); done < n; done *= 2 {
		copy(b[done:], b[:done])
	}
	return b
}
