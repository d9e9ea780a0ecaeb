package vmfb

import (
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
)

// The bytecode version this package reads; an older minor version is
// compatible, another major version is not.
const (
	VersionMajor = 17
	VersionMinor = 0
)

// rebuild is what to do about a module of another compiler version.
const rebuild = "build the bundle again with this hlocc, which uses iree-base-compiler 3.13.0"

const (
	identifier    = "IREE" // of the FlatBuffer, at its byte 4
	segmentAlign  = 64     // of the constants behind the FlatBuffer, in the file
	zipHeaderSize = 30     // of a ZIP local file header, without names
	zipSignature  = 0x04034b50

	maxFile = 1<<31 - 1 // FlatBuffers offsets are 32 bits wide
	// These bound the memory that a session takes for a module's own state. The
	// compiler's modules have some hundred bytes and references.
	maxGlobalBytes = 16 << 20
	maxGlobalRefs  = 1 << 20
)

// Parse reads a module file. The result refers to data, which must not change.
func Parse(data []byte) (*Module, error) {
	fb, rodata, err := split(data)
	if err != nil {
		return nil, err
	}
	p := &parser{reader: newReader(fb), data: data, rodata: rodata, m: &Module{}}
	root := p.root("module")
	// Another version of the format may have other fields: look at the version
	// before anything else can be found wrong.
	version := root.u32(13, "bytecode_version", 0)
	if p.err == nil {
		err = checkVersion(version)
	}
	if err == nil {
		p.module(root)
		err = p.err
	}
	if err != nil {
		return nil, err
	}
	return p.m, nil
}

// split finds the FlatBuffer in a module file and the offset of the constants.
func split(data []byte) (fb []byte, rodata int, err error) {
	base := 0
	if len(data) >= zipHeaderSize && le.Uint32(data) == zipSignature {
		// The compiler can prefix the module with a ZIP header, so that the file
		// is also an archive; its own sizes are not filled in.
		base = zipHeaderSize + int(le.Uint16(data[26:])) + int(le.Uint16(data[28:]))
	}
	if len(data)-base < 16 {
		return nil, 0, malformed("header", "%d bytes", len(data))
	}
	n := uint64(le.Uint32(data[base:]))
	start := base + 4
	if n > uint64(len(data)-start) || n > maxFile {
		return nil, 0, malformed("header", "the module description is %d bytes long and only %d are there", n, len(data)-start)
	}
	fb = data[start : start+int(n)]
	if len(fb) < 8 || string(fb[4:8]) != identifier {
		return nil, 0, malformed("header", "it does not start with the mark %q", identifier)
	}
	return fb, (start + int(n) + segmentAlign - 1) &^ (segmentAlign - 1), nil
}

func checkVersion(v uint32) error {
	major, minor := v>>16, v&0xffff
	if major == VersionMajor && minor <= VersionMinor {
		return nil
	}
	return &diag.Error{
		Kind: diag.Unsupported, Code: "vmfb_version", Where: "bytecode_version",
		Message: "the compiled module is of another version of the compiler",
		Want:    fmt.Sprintf("bytecode %d.%d", VersionMajor, VersionMinor),
		Found:   fmt.Sprintf("bytecode %d.%d", major, minor),
		Fix:     rebuild,
	}
}

type parser struct {
	*reader
	data   []byte // the whole file
	rodata int    // offset in data of the external constants
	m      *Module
	code   []byte
}

func (p *parser) module(t table) {
	m := p.m
	m.Name = t.str(0, "name")
	m.Version = t.u32(1, "version", 0)
	m.Requirements = Requirements(t.u32(2, "requirements", 0))
	p.checkRequirements("requirements", m.Requirements)
	m.Attrs = p.attrs(t, 3)
	p.types(t)
	p.dependencies(t)
	p.imports(t)
	p.functions(t)
	p.exports(t)
	p.constants(t)
	if s, ok := t.sub(11, "module_state"); ok {
		m.GlobalBytes = p.global(s, 0, "global_bytes_capacity", maxGlobalBytes)
		m.GlobalRefs = p.global(s, 1, "global_ref_count", maxGlobalRefs)
	}
	if m.Name == "" {
		p.fail("name", "the module has no name")
	}
}

func (p *parser) global(t table, id int, name string, limit uint32) int {
	n := t.u32(id, name, 0)
	if n > limit {
		p.fail(t.path(name), "%d is more than the %d that are allowed", n, limit)
		return 0
	}
	return int(n)
}

func (p *parser) checkRequirements(where string, r Requirements) {
	if unknown := r &^ knownRequirements; unknown != 0 && p.err == nil {
		p.err = &diag.Error{
			Kind: diag.Unsupported, Code: "vmfb_requirements", Where: where,
			Message: "the compiled module needs features of the virtual machine that this hlocc does not have",
			Found:   fmt.Sprintf("feature bits %#x", uint32(unknown)),
			Fix:     rebuild,
		}
	}
}

func (p *parser) attrs(t table, id int) Attrs {
	var list Attrs
	t.tables(id, "attrs", func(n int) { list = make(Attrs, n) }, func(i int, e table) {
		list[i] = Attr{e.str(0, "key"), e.str(1, "value")}
	})
	return list
}

func (p *parser) types(t table) {
	t.tables(4, "types", func(n int) { p.m.Types = make([]string, n) }, func(i int, e table) {
		if p.m.Types[i] = e.str(0, "full_name"); p.m.Types[i] == "" {
			p.fail(e.where, "the type has no name")
		}
	})
}

const (
	flagRequired = 1 << iota
	flagOptional
)

func (p *parser) dependencies(t table) {
	t.tables(5, "dependencies", func(n int) { p.m.Dependencies = make([]Dependency, n) }, func(i int, e table) {
		d := Dependency{
			Name:       e.str(0, "name"),
			MinVersion: e.u32(1, "minimum_version", 0),
			Optional:   e.u32(2, "flags", flagRequired)&flagOptional != 0,
		}
		if d.Name == "" {
			p.fail(e.where, "the dependency has no name")
		}
		p.m.Dependencies[i] = d
	})
}

func (p *parser) signature(t table) Signature {
	return Signature{CConv: t.str(0, "calling_convention"), Attrs: p.attrs(t, 1)}
}

func (p *parser) imports(t table) {
	t.tables(6, "imported_functions", func(n int) { p.m.Imports = make([]Import, n) }, func(i int, e table) {
		im := Import{
			Name:     e.str(0, "full_name"),
			Optional: e.u32(2, "flags", flagRequired)&flagOptional != 0,
		}
		if im.Name == "" {
			p.fail(e.where, "the import has no name")
		}
		if s, ok := e.sub(1, "signature"); ok {
			sig := p.signature(s)
			im.CConv, im.Attrs = sig.CConv, sig.Attrs
		}
		p.m.Imports[i] = im
	})
}

// descriptorSize is the size of the struct FunctionDescriptor: i32 offset, i32
// length, u32 requirements, i16 reserved, i16 blocks, i16 i32 registers, i16
// reference registers.
const descriptorSize = 20

func (p *parser) functions(t table) {
	p.code, _ = t.bytes(14, "bytecode_data")
	pos, n, _ := t.vector(12, descriptorSize, "function_descriptors")
	if !p.spend(descriptorSize*n, "function_descriptors") {
		return
	}
	p.m.Functions = make([]Function, n)
	total := 0
	for i := range n {
		where := fmt.Sprintf("function_descriptors[%d]", i)
		d := p.buf[pos+descriptorSize*i:][:descriptorSize]
		off, length := int32(le.Uint32(d)), int32(le.Uint32(d[4:]))
		f := &p.m.Functions[i]
		f.Requirements = Requirements(le.Uint32(d[8:]))
		f.Blocks = int(int16(le.Uint16(d[14:])))
		f.I32Regs = int(int16(le.Uint16(d[16:])))
		f.RefRegs = int(int16(le.Uint16(d[18:])))
		p.checkRequirements(where, f.Requirements)
		switch {
		case off < 0 || length <= 0 || int64(off)+int64(length) > int64(len(p.code)):
			p.fail(where, "code of %d bytes at %d is outside of the %d bytes of bytecode", length, off, len(p.code))
		case f.Blocks <= 0 || f.I32Regs < 0 || f.RefRegs < 0 || f.RefRegs > maxRefRegs:
			p.fail(where, "%d blocks, %d and %d registers cannot be", f.Blocks, f.I32Regs, f.RefRegs)
		}
		if p.err != nil {
			return
		}
		// The format lets functions share code. The compiler never does, and if
		// it were allowed, decoding could take the square of the file's size.
		if total += int(length); total > len(p.code) {
			p.fail(where, "functions overlap: they have more than the %d bytes of bytecode", len(p.code))
			return
		}
		f.Code = p.code[off : off+length : off+length]
	}
	signatures := 0
	t.tables(8, "function_signatures", func(k int) {
		if signatures = k; k != n {
			p.fail("function_signatures", "%d signatures for %d functions", k, n)
		}
	}, func(i int, e table) {
		p.m.Functions[i].Signature = p.signature(e)
	})
	if signatures != n {
		p.fail("function_signatures", "%d signatures for %d functions", signatures, n)
	}
}

// maxRefRegs is the number of reference registers that can be addressed.
const maxRefRegs = 0x3fff

func (p *parser) exports(t table) {
	t.tables(7, "exported_functions", func(n int) { p.m.Exports = make([]Export, n) }, func(i int, e table) {
		x := Export{Name: e.str(0, "local_name"), Function: int(int32(e.u32(1, "internal_ordinal", 0)))}
		if x.Name == "" {
			p.fail(e.where, "the export has no name")
		}
		if x.Function < 0 || x.Function >= len(p.m.Functions) {
			p.fail(e.path("internal_ordinal"), "function %d of %d", x.Function, len(p.m.Functions))
		}
		p.m.Exports[i] = x
	})
}

func (p *parser) constants(t table) {
	t.tables(9, "rodata_segments", func(n int) { p.m.Rodata = make([][]byte, n) }, func(i int, e table) {
		// A union is two fields: its type, of which 1 is "uncompressed", and its value.
		if c := e.u8(0, "compression_type_type"); c > 1 && p.err == nil {
			p.err = &diag.Error{
				Kind: diag.Unsupported, Code: "vmfb_compression", Where: e.where,
				Message: "the constants of the compiled module are compressed in an unknown way",
				Found:   fmt.Sprintf("compression type %d", c),
				Fix:     rebuild,
			}
			return
		}
		if b, ok := e.bytes(2, "embedded_data"); ok {
			p.m.Rodata[i] = b
			return
		}
		off, n := e.u64(3, "external_data_offset"), e.u64(4, "external_data_length")
		avail := uint64(0)
		if p.rodata < len(p.data) {
			avail = uint64(len(p.data) - p.rodata)
		}
		if off > avail || n > avail-off {
			p.fail(e.where, "constants of %d bytes at %d are outside of the %d bytes behind the module description", n, off, avail)
			return
		}
		if n == 0 {
			p.m.Rodata[i] = []byte{}
			return
		}
		start := p.rodata + int(off)
		p.m.Rodata[i] = p.data[start : start+int(n) : start+int(n)]
	})
}
