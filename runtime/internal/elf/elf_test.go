package elf

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

const testBase = 0x7f1200000000

func read(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// linked parses and links data in ordinary memory, without running anything.
func linked(data []byte) (*image, uint64, error) {
	f, err := Parse(data)
	if err != nil {
		return nil, 0, err
	}
	m := f.place(make([]byte, f.size), testBase)
	query, err := m.link()
	return m, query, err
}

// tableOf finds the library table by looking for one that can be read; running
// the query function is how it is found for real.
func tableOf(m *image) (*table, uint64) {
	for off := uint64(0); off+120 <= m.size; off += 8 {
		if t, err := m.readLibrary(m.base + off); err == nil && len(t.exports) > 0 {
			return t, off
		}
	}
	return nil, 0
}

func TestLink(t *testing.T) {
	for _, c := range []struct {
		file    string
		machine Machine
		exports []string
	}{
		{"add_x86_64.so", X86_64, []string{"main_dispatch_0_elementwise_32_f32"}},
		{"add_arm_64.so", AArch64, []string{"main_dispatch_0_elementwise_32_f32"}},
		{"chain_x86_64.so", X86_64, nil},
	} {
		data := read(t, c.file)
		m, query, err := linked(data)
		if err != nil {
			t.Errorf("%s: %v", c.file, err)
			continue
		}
		if m.Machine != c.machine {
			t.Errorf("%s: machine %v", c.file, m.Machine)
		}
		if v, ok := m.inSegment(span{query + m.lowest, 1}, flagX); !ok {
			t.Errorf("%s: query function at %#x", c.file, v.off)
		}
		tab, _ := tableOf(m)
		if tab == nil {
			t.Errorf("%s: no library table", c.file)
			continue
		}
		var names []string
		for _, e := range tab.exports {
			names = append(names, e.Name)
			if e.Bindings < 1 || e.Bindings > 3 || e.LocalMemory != 0 {
				t.Errorf("%s: export %+v", c.file, e)
			}
		}
		if c.exports != nil && strings.Join(names, ",") != strings.Join(c.exports, ",") {
			t.Errorf("%s: exports %q", c.file, names)
		}
	}
}

// phdr is the offset in the file of the nth program header of a type.
func phdr(t *testing.T, data []byte, typ uint32, n int) int {
	t.Helper()
	for i := range int(le.Uint16(data[56:])) {
		off := int(le.Uint64(data[32:])) + i*segmentSize
		if le.Uint32(data[off:]) == typ {
			if n == 0 {
				return off
			}
			n--
		}
	}
	t.Fatalf("no program header of type %d", typ)
	return 0
}

// dyn is the offset in the file of the value of a dynamic tag.
func dyn(t *testing.T, data []byte, tag uint64) int {
	t.Helper()
	p := phdr(t, data, ptDynamic, 0)
	off, n := int(le.Uint64(data[p+8:])), int(le.Uint64(data[p+32:]))
	for i := off; i < off+n; i += 16 {
		if le.Uint64(data[i:]) == tag {
			return i + 8
		}
	}
	t.Fatalf("no dynamic tag %d", tag)
	return 0
}

func TestRefused(t *testing.T) {
	good := read(t, "add_x86_64.so")
	put16 := func(d []byte, off int, v uint16) { le.PutUint16(d[off:], v) }
	put64 := func(d []byte, off int, v uint64) { le.PutUint64(d[off:], v) }
	for _, c := range []struct {
		name   string
		change func(d []byte) []byte
		want   string
	}{
		{"empty", func(d []byte) []byte { return nil }, "too short"},
		{"truncated", func(d []byte) []byte { return d[:200] }, "outside the file"},
		{"magic", func(d []byte) []byte { d[0] = 0; return d }, "not an ELF"},
		{"32 bit", func(d []byte) []byte { d[4] = 1; return d }, "kind of ELF"},
		{"big endian", func(d []byte) []byte { d[5] = 2; return d }, "kind of ELF"},
		{"object file", func(d []byte) []byte { put16(d, 16, 1); return d }, "shared object"},
		{"risc-v", func(d []byte) []byte { put16(d, 18, 243); return d }, "machine 243"},
		{"header size", func(d []byte) []byte { put16(d, 54, 32); return d }, "unknown size"},
		{"no headers", func(d []byte) []byte { put16(d, 56, 0); return d }, "number of program headers"},
		{"many headers", func(d []byte) []byte { put16(d, 56, 65535); return d }, "number of program headers"},
		{"header offset", func(d []byte) []byte { put64(d, 32, 1<<63); return d }, "outside the file"},
		{"no dynamic", func(d []byte) []byte { le.PutUint32(d[phdr(t, d, ptDynamic, 0):], 4); return d }, "no dynamic section"},
		{"interpreter", func(d []byte) []byte { le.PutUint32(d[phdr(t, d, ptGNURelro, 0):], ptInterp); return d }, "interpreter"},
		{"tls", func(d []byte) []byte { le.PutUint32(d[phdr(t, d, ptGNURelro, 0):], ptTLS); return d }, "thread-local"},
		{"writable code", func(d []byte) []byte { le.PutUint32(d[phdr(t, d, ptLoad, 1)+4:], 7); return d }, "writable and executable"},
		{"segment outside the file", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 1)+32, 1<<40); return d }, "outside the file"},
		{"segment offset overflow", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 1)+8, ^uint64(0)); return d }, "outside the file"},
		{"huge segment", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 2)+40, 1<<40); return d }, "size of the segment"},
		{"memory less than file", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 2)+40, 1); return d }, "size of the segment"},
		{"far segment", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 2)+16, 1<<40+0x3d0); return d }, "much larger"},
		{"wild address", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 2)+16, ^uint64(0)&^0xfff+0x3d0); return d }, "address of the segment"},
		{"alignment", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 0)+48, 3); return d }, "alignment"},
		{"misaligned", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 1)+16, 0x1361); return d }, "alignment"},
		{"overlap", func(d []byte) []byte { put64(d, phdr(t, d, ptLoad, 1)+16, 0x360); return d }, "overlap"},
		{"dynamic outside", func(d []byte) []byte { put64(d, phdr(t, d, ptDynamic, 0)+16, 0x9000); return d }, "dynamic section lies outside"},
		{"relro outside", func(d []byte) []byte { put64(d, phdr(t, d, ptGNURelro, 0)+40, 1<<30); return d }, "read-only-after-relocation"},
		{"needed", func(d []byte) []byte { put64(d, dyn(t, d, dtFlags)-8, dtNeeded); return d }, "other libraries"},
		{"initialiser", func(d []byte) []byte { i := dyn(t, d, dtFlags); put64(d, i-8, dtInit); put64(d, i, 1); return d }, "initialisers"},
		{"text relocations", func(d []byte) []byte { put64(d, dyn(t, d, dtFlags), flagTextRel); return d }, "relocations in its code"},
		{"unknown tag", func(d []byte) []byte { put64(d, dyn(t, d, dtFlags)-8, 36); return d }, "unknown tag"},
		{"twice", func(d []byte) []byte { put64(d, dyn(t, d, dtFlags)-8, dtHash); return d }, "twice"},
		{"no hash", func(d []byte) []byte { put64(d, dyn(t, d, dtHash)-8, dtDebug); return d }, "tags are missing"},
		{"symbol size", func(d []byte) []byte { put64(d, dyn(t, d, dtSymEnt), 16); return d }, "size of a symbol"},
		{"relocation size", func(d []byte) []byte { put64(d, dyn(t, d, dtRelaEnt), 16); return d }, "size of a relocation"},
		{"string table", func(d []byte) []byte { put64(d, dyn(t, d, dtStrSz), 1<<32); return d }, "string table lies outside"},
		{"hash table", func(d []byte) []byte { put64(d, dyn(t, d, dtHash), ^uint64(3)); return d }, "hash table lies outside"},
		{"symbol table", func(d []byte) []byte { put64(d, dyn(t, d, dtSymTab), 0x800000); return d }, "symbol table lies outside"},
		{"symbol count", func(d []byte) []byte { le.PutUint32(d[le.Uint64(d[dyn(t, d, dtHash):])+4:], 1<<31); return d }, "symbol table lies outside"},
		{"relocations", func(d []byte) []byte { put64(d, dyn(t, d, dtRelaSz), 1<<20); return d }, "relocations lies outside"},
		{"relocations odd", func(d []byte) []byte { put64(d, dyn(t, d, dtRelaSz), 25); return d }, "multiple of 24"},
		{"undefined symbol", func(d []byte) []byte { put16(d, int(le.Uint64(d[dyn(t, d, dtSymTab):]))+24+6, 0); return d }, "imports a symbol"},
		{"absolute symbol", func(d []byte) []byte { put16(d, int(le.Uint64(d[dyn(t, d, dtSymTab):]))+24+6, 0xfff1); return d }, "outside the image"},
		{"symbol name", func(d []byte) []byte { le.PutUint32(d[le.Uint64(d[dyn(t, d, dtSymTab):])+24:], 1<<30); return d }, "outside the string table"},
		{"other symbol", func(d []byte) []byte { d[le.Uint64(d[dyn(t, d, dtStrTab):])+1]++; return d }, "entry point is missing"},
		{"query in data", func(d []byte) []byte { put64(d, int(le.Uint64(d[dyn(t, d, dtSymTab):]))+24+8, 0x100); return d }, "executable memory"},
		{"relocation type", func(d []byte) []byte { put64(d, int(le.Uint64(d[dyn(t, d, dtRela):]))+8, 37); return d }, "unknown type"},
		{"relocation of code", func(d []byte) []byte { put64(d, int(le.Uint64(d[dyn(t, d, dtRela):])), 0x1360); return d }, "writable memory"},
		{"relocation outside", func(d []byte) []byte { put64(d, int(le.Uint64(d[dyn(t, d, dtRela):])), ^uint64(3)); return d }, "writable memory"},
		{"relocation value", func(d []byte) []byte { put64(d, int(le.Uint64(d[dyn(t, d, dtRela):]))+16, 1<<33); return d }, "value lies outside"},
		{"relocation symbol", func(d []byte) []byte { put64(d, int(le.Uint64(d[dyn(t, d, dtRela):]))+8, 1|9<<32); return d }, "no such symbol"},
	} {
		_, _, err := linked(c.change(append([]byte(nil), good...)))
		var de *diag.Error
		if !errors.As(err, &de) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestSymbolRelocations(t *testing.T) {
	for _, c := range []struct {
		file   string
		typ    uint64
		addend uint64
		want   uint64 // added to the symbol
	}{
		{"add_x86_64.so", 1, 4, 4}, {"add_x86_64.so", 6, 4, 0}, {"add_x86_64.so", 7, 4, 0},
		{"add_arm_64.so", 257, 4, 4}, {"add_arm_64.so", 1025, 4, 4}, {"add_arm_64.so", 1026, 0, 0},
	} {
		d := read(t, c.file)
		r := int(le.Uint64(d[dyn(t, d, dtRela):]))
		le.PutUint64(d[r+8:], c.typ|1<<32)
		le.PutUint64(d[r+16:], c.addend)
		m, query, err := linked(d)
		if err != nil {
			t.Errorf("%s, type %d: %v", c.file, c.typ, err)
			continue
		}
		if got := le.Uint64(m.mem[le.Uint64(d[r:]):]); got != m.base+query+c.want {
			t.Errorf("%s, type %d: %#x, want %#x", c.file, c.typ, got, m.base+query+c.want)
		}
	}
}

func TestLibraryTableRefused(t *testing.T) {
	m, _, err := linked(read(t, "chain_x86_64.so"))
	if err != nil {
		t.Fatal(err)
	}
	_, lib := tableOf(m)
	word := func(off uint64) uint64 { return le.Uint64(m.mem[lib+off:]) - m.base }
	for _, c := range []struct {
		name string
		at   uint64 // offset in the image
		v    uint64
		want string
	}{
		{"header", lib, 1 << 40, "points outside"},
		{"version", word(0), 5, "version"},
		{"library name", word(0) + 8, m.base + m.size, "name in the library table"},
		{"sanitizer", word(0) + 16, 1 << 32, "sanitizer"},
		{"imports", lib + 8, 1, "imports functions"},
		{"export count", lib + 24, 0xffff, "points outside"},
		{"huge export count", lib + 24, 0xffffffff, "number of exports"},
		{"entries", lib + 32, m.base - 8, "points outside"},
		{"attributes", lib + 40, m.base + m.size - 8, "points outside"},
		{"names", lib + 64, 0, "points outside"},
		{"entry in data", word(32), m.base + 8, "not in executable memory"},
		{"entry outside", word(32), ^uint64(0), "not in executable memory"},
		{"name", word(64), 7, "name in the library table"},
		{"constants", word(40) + 8, 65 << 16, "constants and bindings"},
		{"bindings", word(40) + 8, 65 << 24, "constants and bindings"},
	} {
		old := le.Uint64(m.mem[c.at:])
		le.PutUint64(m.mem[c.at:], c.v)
		_, err := m.readLibrary(m.base + lib)
		le.PutUint64(m.mem[c.at:], old)
		var de *diag.Error
		if !errors.As(err, &de) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
	for _, addr := range []uint64{0, 8, m.base - 8, m.base + m.size, ^uint64(0) - 7} {
		if _, err := m.readLibrary(addr); err == nil {
			t.Errorf("a table at %#x was read", addr)
		}
	}
}

func FuzzELF(f *testing.F) {
	for _, name := range []string{"add_x86_64.so", "add_arm_64.so", "chain_x86_64.so"} {
		data := read(f, name)
		m, _, err := linked(data)
		if err != nil {
			f.Fatal(err)
		}
		_, lib := tableOf(m)
		f.Add(data, uint32(lib))
	}
	f.Fuzz(func(t *testing.T, data []byte, lib uint32) {
		if len(data) > 1<<20 {
			return
		}
		file, err := Parse(data)
		if err != nil {
			return
		}
		if file.size > uint64(len(data))+maxExtra+maxSegments<<16 {
			t.Fatalf("an image of %d bytes of a file of %d", file.size, len(data))
		}
		m := file.place(make([]byte, file.size), testBase)
		query, err := m.link()
		if err != nil {
			return
		}
		if query >= file.size {
			t.Fatalf("query function at %#x of %#x", query, file.size)
		}
		tab, err := m.readLibrary(m.base + uint64(lib))
		if err != nil {
			return
		}
		for _, e := range tab.exports {
			if uint64(e.Entry)-m.base >= m.size {
				t.Fatalf("export %q at %#x outside the image", e.Name, e.Entry)
			}
		}
	})
}
