package vmfb

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
)

func read(t testing.TB, name string) []byte {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func parse(t testing.TB, name string) *Module {
	t.Helper()
	m, err := Parse(read(t, name))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func exportNames(m *Module) (names []string) {
	for _, x := range m.Exports {
		names = append(names, x.Name)
	}
	return names
}

func TestParseAssembled(t *testing.T) {
	m := parse(t, "objects.vmfb")
	if m.Name != "objects" || m.Version != 3 || m.GlobalBytes != 16 || m.GlobalRefs != 2 {
		t.Errorf("name %q version %d globals %d %d", m.Name, m.Version, m.GlobalBytes, m.GlobalRefs)
	}
	if m.Requirements&ExtF32 == 0 || m.Requirements&ExtF64 == 0 {
		t.Errorf("requirements %#x", m.Requirements)
	}
	want := []string{"__init", "lists", "floats", "buffers", "globals", "control", "fails"}
	if got := exportNames(m); !slices.Equal(got, want) {
		t.Errorf("exports %v", got)
	}
	f, ok := m.Export("buffers")
	if !ok || f.CConv != "0I_IiiiiiIIIii" || f.Blocks != 1 || f.RefRegs != 2 || f.I32Regs != 24 {
		t.Errorf("buffers is %+v", f)
	}
	if _, ok := m.Export("fib"); ok {
		t.Error("fib is exported")
	}
	if len(m.Functions) != 8 || len(m.Rodata) != 2 || len(m.Rodata[0]) != 15 || len(m.Rodata[1]) != 20 || m.Rodata[1][1] != 0x80 {
		t.Errorf("%d functions, constants %v", len(m.Functions), m.Rodata)
	}
	if !slices.Contains(m.Types, "!vm.buffer") || !slices.Contains(m.Types, "i64") {
		t.Errorf("types %v", m.Types)
	}
}

func TestParseCompiled(t *testing.T) {
	m := parse(t, "scalar.vmfb")
	f, ok := m.Export("mixed")
	if !ok || m.Name != "module" || f.CConv != "0iII_iI" {
		t.Errorf("%q: mixed is %+v", m.Name, f)
	}
	if d := f.Declaration(); d != "sync func @mixed(%input0: i32, %input1: i64, %input2: i64) -> (%output0: i32, %output1: i64)" {
		t.Errorf("declaration %q", d)
	}
	if len(m.Imports) != 0 || len(m.Dependencies) != 0 {
		t.Errorf("imports %v, dependencies %v", m.Imports, m.Dependencies)
	}
}

func TestParseForDevice(t *testing.T) {
	data := read(t, "tensor.vmfb")
	m, err := Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	d, ok := m.Dependency("hal")
	if !ok || d.MinVersion != 7 || d.Optional {
		t.Errorf("dependency %+v", d)
	}
	if _, ok := m.Dependency("nothing"); ok {
		t.Error("a dependency that is not there")
	}
	i := slices.IndexFunc(m.Imports, func(im Import) bool { return im.Name == "hal.buffer_view.assert" })
	if i < 0 || m.Imports[i].CConv != "0rriiCID_v" || m.Imports[i].Optional {
		t.Errorf("imports %+v", m.Imports)
	}
	elf := slices.IndexFunc(m.Rodata, func(b []byte) bool { return bytes.HasPrefix(b, []byte("\x7fELF")) })
	if elf < 0 {
		t.Fatalf("no executable among %d constants", len(m.Rodata))
	}
	// Not a copy, and aligned as the file is.
	at := int(uintptr(unsafe.Pointer(&m.Rodata[elf][0])) - uintptr(unsafe.Pointer(&data[0])))
	if at < 0 || at >= len(data) || at%segmentAlign != 0 {
		t.Errorf("the executable is at %d of the file", at)
	}
	if cap(m.Rodata[elf]) != len(m.Rodata[elf]) {
		t.Error("a constant can be appended to")
	}
	if !slices.Contains(exportNames(m), "__init") || !strings.Contains(mustExport(t, m, "dense").Declaration(), "tensor<4x8xf32>") {
		t.Errorf("exports %v", exportNames(m))
	}
}

func mustExport(t *testing.T, m *Module, name string) *Function {
	t.Helper()
	f, ok := m.Export(name)
	if !ok {
		t.Fatalf("no export %s", name)
	}
	return f
}

// Without the ZIP header the module is the same; constants move with the file.
func TestZipHeaderIsOptional(t *testing.T) {
	data := read(t, "scalar.vmfb")
	base := zipHeaderSize + int(le.Uint16(data[26:])) + int(le.Uint16(data[28:]))
	bare, err := Parse(data[base:])
	if err != nil {
		t.Fatal(err)
	}
	whole := parse(t, "scalar.vmfb")
	whole.Rodata, bare.Rodata = nil, nil
	if !reflect.DeepEqual(bare, whole) {
		t.Error("the ZIP header changes the module")
	}
}

// layout finds a scalar field of the root table, to change it.
func layout(t *testing.T, data []byte, id int) []byte {
	t.Helper()
	fb, _, err := split(data)
	if err != nil {
		t.Fatal(err)
	}
	root := newReader(fb).root("")
	p := root.field(id, 4, "")
	if p == 0 {
		t.Fatalf("no field %d", id)
	}
	return fb[p:]
}

func TestReject(t *testing.T) {
	first := func(data []byte) []byte { // the first function descriptor
		fb, _, _ := split(data)
		p, _, _ := newReader(fb).root("").vector(12, descriptorSize, "")
		return fb[p:]
	}
	flat := func(data []byte) []byte { fb, _, _ := split(data); return fb }
	for name, c := range map[string]struct {
		kind   diag.Kind
		change func(data []byte) []byte
		want   string
	}{
		"empty":    {diag.BadInput, func([]byte) []byte { return nil }, "header: not a valid compiled module: 0 bytes"},
		"text":     {diag.BadInput, func([]byte) []byte { return []byte(strings.Repeat("hello", 9)) }, "header: not a valid compiled module: the module description is 1819043176 bytes long and only 41 are there"},
		"zip only": {diag.BadInput, func(b []byte) []byte { return b[:40] }, "header: not a valid compiled module: 40 bytes"},
		"mark":     {diag.BadInput, func(b []byte) []byte { flat(b)[4] = 'X'; return b }, `it does not start with the mark "IREE"`},
		"root":     {diag.BadInput, func(b []byte) []byte { le.PutUint32(flat(b), 1<<31); return b }, "the root table at 2147483648 is outside"},
		"vtable":   {diag.BadInput, func(b []byte) []byte { f := flat(b); le.PutUint32(f[le.Uint32(f):], 1<<20); return b }, "has its field list outside"},
		"newer":    {diag.Unsupported, func(b []byte) []byte { le.PutUint32(layout(t, b, 13), 17<<16|1); return b }, "bytecode_version: the compiled module is of another version of the compiler: want bytecode 17.0, found bytecode 17.1; build the bundle again with this hlocc, which uses iree-base-compiler 3.13.0"},
		"older":    {diag.Unsupported, func(b []byte) []byte { le.PutUint32(layout(t, b, 13), 16<<16); return b }, "want bytecode 17.0, found bytecode 16.0"},
		"features": {diag.Unsupported, func(b []byte) []byte { le.PutUint32(layout(t, b, 2), 0x18); return b }, "requirements: the compiled module needs features of the virtual machine that this hlocc does not have: found feature bits 0x10"},
		"feature":  {diag.Unsupported, func(b []byte) []byte { le.PutUint32(first(b)[8:], 0x100); return b }, "function_descriptors[0]: the compiled module needs features"},
		"code":     {diag.BadInput, func(b []byte) []byte { le.PutUint32(first(b), 1<<20); return b }, "function_descriptors[0]: not a valid compiled module: code of"},
		"negative": {diag.BadInput, func(b []byte) []byte { le.PutUint32(first(b), 1<<31); return b }, "function_descriptors[0]: not a valid compiled module: code of"},
		"blocks":   {diag.BadInput, func(b []byte) []byte { le.PutUint16(first(b)[14:], 0); return b }, "0 blocks"},
		"refs":     {diag.BadInput, func(b []byte) []byte { le.PutUint16(first(b)[18:], 0x4000); return b }, "registers cannot be"},
		"overlap": {diag.BadInput, func(b []byte) []byte {
			d := first(b)
			copy(d[descriptorSize:2*descriptorSize], d[:descriptorSize])
			copy(d[2*descriptorSize:3*descriptorSize], d[:descriptorSize])
			return b
		}, "functions overlap"},
	} {
		file := "objects.vmfb"
		if name == "zip only" || name == "overlap" {
			file = "scalar.vmfb"
		}
		if name == "features" {
			file = "tensor.vmfb"
		}
		_, err := Parse(c.change(read(t, file)))
		var d *diag.Error
		if !errors.As(err, &d) || d.Kind != c.kind || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

// Every prefix of a module and every change of one byte either is refused or
// gives a module; the fuzz target goes further.
func TestDamage(t *testing.T) {
	for _, name := range []string{"objects.vmfb", "scalar.vmfb", "tensor.vmfb"} {
		data := read(t, name)
		fb, _, err := split(data)
		if err != nil {
			t.Fatal(err)
		}
		for n := range len(data) {
			if _, err := Parse(data[:n]); err == nil && n < 4+len(fb) {
				t.Errorf("%s: the first %d of %d bytes are accepted", name, n, len(data))
			}
		}
		for i := range fb {
			old := fb[i]
			for _, x := range []byte{0, 1, 0x7f, 0x80, 0xff, old ^ 1, old + 4} {
				fb[i] = x
				if m, err := Parse(data); err == nil {
					consistent(t, data, m)
				} else if k := diag.KindOf(err); k != diag.BadInput && k != diag.Unsupported {
					t.Fatalf("%s: byte %d: %v", name, i, err)
				}
			}
			fb[i] = old
		}
	}
}

// consistent checks what users of a module rely on.
func consistent(t testing.TB, data []byte, m *Module) {
	t.Helper()
	total := 0
	for _, x := range m.Exports {
		if x.Function < 0 || x.Function >= len(m.Functions) {
			t.Fatalf("export %q is function %d of %d", x.Name, x.Function, len(m.Functions))
		}
	}
	for i := range m.Functions {
		f := &m.Functions[i]
		if total += len(f.Code); len(f.Code) == 0 || f.Blocks <= 0 || f.I32Regs < 0 || f.RefRegs < 0 || f.RefRegs > maxRefRegs {
			t.Fatalf("function %d is %+v", i, f)
		}
	}
	if total > len(data) || len(m.Name) > len(data) || m.GlobalBytes > maxGlobalBytes || m.GlobalRefs > maxGlobalRefs {
		t.Fatalf("a module that is larger than its file of %d bytes", len(data))
	}
}

// A vector of offsets to one table, which has a vector of offsets to one table,
// describes the square of the file's size.
func TestWorkIsBounded(t *testing.T) {
	const n = 30000
	var fb []byte
	u32 := func(v uint32) { fb = binary.LittleEndian.AppendUint32(fb, v) }
	u16 := func(v uint16) { fb = binary.LittleEndian.AppendUint16(fb, v) }
	u32(0) // root, below
	fb = append(fb, identifier...)
	str := len(fb) // a long string
	u32(4000)
	fb = append(fb, make([]byte, 4000)...)
	fb = append(fb, 0, 0, 0, 0)
	vtAttr := len(fb) // a table with two strings
	u16(8)
	u16(12)
	u16(4)
	u16(8)
	attr := len(fb)
	u32(uint32(attr - vtAttr))
	u32(0)
	u32(0)
	// Strings must be behind the fields that refer to them: put one there.
	str2 := len(fb)
	fb = append(fb, fb[str:str+4+4004]...)
	le.PutUint32(fb[attr+4:], uint32(str2-attr-4))
	le.PutUint32(fb[attr+8:], uint32(str2-attr-8))
	fb = append(fb, make([]byte, 4-len(fb)%4)...)
	vtRoot := len(fb)
	u16(4 + 2*14)
	u16(16)
	for id := range 14 {
		switch id {
		case 3:
			u16(4)
		case 13:
			u16(8)
		default:
			u16(0)
		}
	}
	root := len(fb)
	u32(uint32(root - vtRoot))
	u32(8) // the vector, behind the table
	u32(VersionMajor << 16)
	u32(n)
	// Offsets are positive, so the table has to be behind its references.
	attrCopy := root + 16 + 4*n
	for i := range n {
		u32(uint32(attrCopy - (root + 16 + 4*i)))
	}
	vt2 := int32(attrCopy - vtAttr)
	u32(uint32(vt2))
	u32(8)
	u32(4)
	fb = append(fb, fb[str:str+4+4004]...)
	le.PutUint32(fb, uint32(root))
	data := append(binary.LittleEndian.AppendUint32(nil, uint32(len(fb))), fb...)
	_, err := Parse(data)
	if err == nil || !strings.Contains(err.Error(), "the same bytes are referenced too many times") {
		t.Errorf("got %v", err)
	}
	le.PutUint32(data[4+root+12:], 5)
	if _, err := Parse(data); err == nil || !strings.Contains(err.Error(), "the module has no name") {
		t.Errorf("with few references: got %v", err)
	}
}

func FuzzVMFB(f *testing.F) {
	for _, name := range []string{"objects.vmfb", "scalar.vmfb", "tensor.vmfb"} {
		f.Add(read(f, name))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Parse(data)
		if err != nil {
			if k := diag.KindOf(err); k != diag.BadInput && k != diag.Unsupported {
				t.Fatal(err)
			}
			return
		}
		consistent(t, data, m)
	})
}
