package elf

import (
	"bytes"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
)

// querySymbol is the one function that an executable exports.
const querySymbol = "iree_hal_executable_library_query"

// Tags of the dynamic section.
const (
	dtNull        = 0
	dtNeeded      = 1
	dtPltRelSz    = 2
	dtHash        = 4
	dtStrTab      = 5
	dtSymTab      = 6
	dtRela        = 7
	dtRelaSz      = 8
	dtRelaEnt     = 9
	dtStrSz       = 10
	dtSymEnt      = 11
	dtInit        = 12
	dtFini        = 13
	dtSoname      = 14
	dtSymbolic    = 16
	dtPltRel      = 20
	dtDebug       = 21
	dtTextRel     = 22
	dtJmpRel      = 23
	dtBindNow     = 24
	dtInitArray   = 25
	dtFiniArray   = 26
	dtInitArraySz = 27
	dtFiniArraySz = 28
	dtPltGot      = 3
	dtFlags       = 30
	dtGNUHash     = 0x6ffffef5
	dtRelaCount   = 0x6ffffff9
	dtFlags1      = 0x6ffffffb

	flagTextRel   = 4    // DT_FLAGS
	flagStaticTLS = 0x10 // DT_FLAGS
)

const (
	symbolSize = 24
	relaSize   = 24
)

// image is an executable laid out in memory. base is the address of mem[0] for
// whoever runs the code; the linker itself works on mem alone.
type image struct {
	*File
	mem  []byte
	base uint64
}

// place copies the segments into mem, which is zero and of size f.size.
func (f *File) place(mem []byte, base uint64) *image {
	for i := range f.segments {
		s := &f.segments[i]
		copy(mem[s.addr:], f.data[s.offset:][:s.fileSize])
	}
	return &image{f, mem, base}
}

type dynamicSection struct {
	str, sym, hash, rela, plt span // in the image
}

// link relocates the image and gives the offset in it of the query function.
func (m *image) link() (uint64, error) {
	d, err := m.readDynamic()
	if err != nil {
		return 0, err
	}
	query, symbols, err := m.findQuery(d)
	if err != nil {
		return 0, err
	}
	for _, r := range []span{d.rela, d.plt} {
		if err := m.relocate(r, d, symbols); err != nil {
			return 0, err
		}
	}
	return query, nil
}

// readDynamic finds the tables that linking needs and refuses what would need
// more than we do: other libraries, initialisers, relocations in code.
func (m *image) readDynamic() (*dynamicSection, error) {
	const where = "dynamic section"
	var (
		v    [dtFlags + 1]uint64
		have uint64
		d    dynamicSection
	)
	for t := m.mem[m.dynamic.off:][:m.dynamic.len&^15]; len(t) > 0; t = t[16:] {
		tag, val := le.Uint64(t), le.Uint64(t[8:])
		if tag == dtNull {
			break
		}
		switch tag {
		case dtNeeded:
			return nil, unsupported(where, "the executable needs other libraries", "a self-contained executable", "DT_NEEDED")
		case dtInit, dtFini, dtInitArray, dtFiniArray, dtInitArraySz, dtFiniArraySz:
			if val != 0 {
				return nil, unsupported(where, "the executable has initialisers or finalisers", "none", fmt.Sprintf("tag %d", tag))
			}
		case dtTextRel:
			return nil, unsupported(where, "the executable has relocations in its code", "none", "DT_TEXTREL")
		case dtFlags:
			if val&(flagTextRel|flagStaticTLS) != 0 {
				return nil, unsupported(where, "the executable has relocations in its code or thread-local storage", "none", fmt.Sprintf("DT_FLAGS %#x", val))
			}
		case dtPltRelSz, dtHash, dtStrTab, dtSymTab, dtRela, dtRelaSz, dtRelaEnt, dtStrSz, dtSymEnt, dtPltRel, dtJmpRel:
			if have>>tag&1 != 0 {
				return nil, bad(where, "a tag appears twice", "once", fmt.Sprintf("tag %d", tag))
			}
			v[tag], have = val, have|1<<tag
		case dtSoname, dtSymbolic, dtDebug, dtBindNow, dtPltGot, dtGNUHash, dtRelaCount, dtFlags1:
		default:
			return nil, unsupported(where, "unknown tag", "", fmt.Sprintf("%#x", tag))
		}
	}
	if want := uint64(1<<dtHash | 1<<dtStrTab | 1<<dtStrSz | 1<<dtSymTab); have&want != want {
		return nil, bad(where, "tags are missing", "DT_HASH, DT_STRTAB, DT_STRSZ and DT_SYMTAB", fmt.Sprintf("tags %#x", have))
	}
	if e := v[dtSymEnt]; have>>dtSymEnt&1 != 0 && e != symbolSize {
		return nil, bad(where, "size of a symbol", "24", fmt.Sprint(e))
	}
	if e := v[dtRelaEnt]; have>>dtRelaEnt&1 != 0 && e != relaSize {
		return nil, bad(where, "size of a relocation", "24", fmt.Sprint(e))
	}
	if e := v[dtPltRel]; have>>dtPltRel&1 != 0 && e != dtRela {
		return nil, unsupported(where, "relocations without addend", "DT_RELA", fmt.Sprintf("tag %d", e))
	}
	for _, t := range []struct {
		to   *span
		addr uint64
		len  uint64
		name string
	}{
		{&d.str, v[dtStrTab], v[dtStrSz], "string table"},
		{&d.hash, v[dtHash], 8, "hash table"},
		{&d.rela, v[dtRela], v[dtRelaSz], "relocations"},
		{&d.plt, v[dtJmpRel], v[dtPltRelSz], "procedure linkage relocations"},
	} {
		var ok bool
		if t.len == 0 {
			continue
		}
		if *t.to, ok = m.inSegment(span{t.addr, t.len}, flagR); !ok {
			return nil, bad(where, "the "+t.name+" lies outside the image", "", fmt.Sprintf("%d bytes at %#x", t.len, t.addr))
		}
	}
	// The hash table is the only place that tells the number of symbols.
	count := uint64(le.Uint32(m.mem[d.hash.off+4:]))
	var ok bool
	if d.sym, ok = m.inSegment(span{v[dtSymTab], count * symbolSize}, flagR); !ok {
		return nil, bad(where, "the symbol table lies outside the image", "", fmt.Sprintf("%d symbols at %#x", count, v[dtSymTab]))
	}
	return &d, nil
}

// findQuery gives the offset of the query function and that of every symbol.
func (m *image) findQuery(d *dynamicSection) (query uint64, symbols []uint64, err error) {
	names := m.mem[d.str.off:][:d.str.len]
	symbols = make([]uint64, d.sym.len/symbolSize)
	found := false
	for i := range symbols {
		s := m.mem[d.sym.off+uint64(i)*symbolSize:][:symbolSize]
		if i == 0 {
			continue // the undefined symbol
		}
		name := uint64(le.Uint32(s))
		if name >= uint64(len(names)) {
			return 0, nil, bad(fmt.Sprintf("symbol %d", i), "name lies outside the string table", "", fmt.Sprint(name))
		}
		n := bytes.IndexByte(names[name:], 0)
		if n < 0 {
			return 0, nil, bad(fmt.Sprintf("symbol %d", i), "name has no end", "", "")
		}
		section := le.Uint16(s[6:])
		if section == 0 {
			return 0, nil, unsupported("symbol "+printable(names[name:][:n]), "the executable imports a symbol", "a self-contained executable", "an undefined symbol")
		}
		at, ok := m.inSegment(span{le.Uint64(s[8:]), 0}, 0)
		if section >= 0xff00 || !ok {
			return 0, nil, bad("symbol "+printable(names[name:][:n]), "lies outside the image", "", fmt.Sprintf("section %#x, address %#x", section, le.Uint64(s[8:])))
		}
		symbols[i] = at.off
		if string(names[name:][:n]) == querySymbol {
			if _, ok := m.inSegment(span{le.Uint64(s[8:]), 1}, flagX); !ok {
				return 0, nil, bad("symbol "+querySymbol, "is not in executable memory", "", fmt.Sprintf("%#x", le.Uint64(s[8:])))
			}
			query, found = at.off, true
		}
	}
	if !found {
		return 0, nil, &diag.Error{Kind: diag.BadInput, Code: "elf", Where: "executable", Message: "the entry point is missing",
			Want: querySymbol, Found: fmt.Sprintf("%d other symbols", max(len(symbols), 1)-1),
			Fix: "compile with the embedded linker (the default of llvm-cpu)"}
	}
	return query, symbols, nil
}

// Relocation types, by machine.
type relocation uint8

const (
	relNone relocation = iota
	relRelative
	relSymbol       // the symbol's address
	relSymbolAddend // the symbol's address and the addend
)

var relocations = map[Machine]map[uint32]relocation{
	X86_64: {
		0: relNone,
		1: relSymbolAddend, // R_X86_64_64
		6: relSymbol,       // R_X86_64_GLOB_DAT
		7: relSymbol,       // R_X86_64_JUMP_SLOT
		8: relRelative,     // R_X86_64_RELATIVE
	},
	AArch64: {
		0:    relNone,
		257:  relSymbolAddend, // R_AARCH64_ABS64
		1025: relSymbolAddend, // R_AARCH64_GLOB_DAT
		1026: relSymbolAddend, // R_AARCH64_JUMP_SLOT
		1027: relRelative,     // R_AARCH64_RELATIVE
	},
}

func (m *image) relocate(table span, d *dynamicSection, symbols []uint64) error {
	if table.len%relaSize != 0 {
		return bad("relocations", "size of the table", "a multiple of 24", fmt.Sprint(table.len))
	}
	types := relocations[m.Machine]
	for i := range table.len / relaSize {
		r := m.mem[table.off+i*relaSize:][:relaSize]
		offset, info, addend := le.Uint64(r), le.Uint64(r[8:]), le.Uint64(r[16:])
		where := fmt.Sprintf("relocation %d", i)
		kind, ok := types[uint32(info)]
		if !ok {
			return unsupported(where, "unknown type", "", fmt.Sprintf("%d for %s", uint32(info), m.Machine))
		}
		if kind == relNone {
			continue
		}
		at, ok := m.inSegment(span{offset, 8}, flagW)
		if !ok {
			return bad(where, "target is not in writable memory", "", fmt.Sprintf("%#x", offset))
		}
		var target uint64 // offset in the image
		switch kind {
		case relRelative:
			target = addend - m.lowest
		default:
			s := info >> 32
			if s == 0 || s >= uint64(len(symbols)) {
				return bad(where, "no such symbol", fmt.Sprintf("1 to %d", len(symbols)-1), fmt.Sprint(s))
			}
			target = symbols[s]
			if kind == relSymbolAddend {
				target += addend
			}
		}
		if target > m.size {
			return bad(where, "value lies outside the image", fmt.Sprintf("at most %#x", m.size), fmt.Sprintf("%#x", target))
		}
		le.PutUint64(m.mem[at.off:], m.base+target)
	}
	return nil
}

func printable(b []byte) string {
	if len(b) > 64 {
		b = b[:64]
	}
	return fmt.Sprintf("%q", b)
}
