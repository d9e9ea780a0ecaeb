// Package vmfb reads IREE VM bytecode modules (.vmfb files) of IREE 3.13.
//
// The bytes are untrusted: every offset, length and count is checked before it
// is used, and the total work is bounded by the size of the file. Nothing is
// copied but names: bytecode and constants are slices of the caller's bytes.
//
// Format: iree/schemas/bytecode_module_def.fbs in the IREE repository.
package vmfb

// Module is the content of one module file. Byte slices alias the parsed bytes.
//
// Constants are as aligned as they are in the file, if that starts at an aligned
// address. The compiler puts large ones at multiples of 64 bytes, but not if it
// makes the file a ZIP archive, and small ones anywhere.
type Module struct {
	Name         string
	Version      uint32
	Requirements Requirements // features needed to run the module
	Attrs        Attrs
	Types        []string // full names, such as "!hal.buffer_view" or "i32", by type id
	Dependencies []Dependency
	Imports      []Import
	Exports      []Export
	Functions    []Function
	Rodata       [][]byte // by ordinal; see below for their alignment
	GlobalBytes  int      // size of the state for globals of plain types
	GlobalRefs   int      // number of globals that are references
}

// Requirements is a set of features of the virtual machine.
type Requirements uint32

const (
	ExtF32 Requirements = 1 << iota // float instructions
	ExtF64                          // double instructions
	Yield                           // may yield; this runtime completes every call in place
	Unwind                          // references are released when a call fails

	knownRequirements = ExtF32 | ExtF64 | Yield | Unwind
)

// Attr is a key and value that the compiler recorded.
type Attr struct{ Key, Value string }

// Attrs is a list of attributes, in file order.
type Attrs []Attr

// Get is the value of key, "" if there is none.
func (a Attrs) Get(key string) string {
	for i := range a {
		if a[i].Key == key {
			return a[i].Value
		}
	}
	return ""
}

// Dependency is a module that this one imports from.
type Dependency struct {
	Name       string // "hal", "io_parameters"
	MinVersion uint32 // the module must be at least of this version
	Optional   bool
}

// Import is a function that the host provides.
type Import struct {
	Name     string // fully qualified: "hal.fence.create"
	CConv    string // calling convention: "0rI_r"
	Attrs    Attrs
	Optional bool // may be left unresolved
}

// Export is a function that the host may call.
type Export struct {
	Name     string // "decode", "__init"
	Function int    // index into Module.Functions
}

// Function is one function of the module.
type Function struct {
	Signature
	Requirements Requirements
	Code         []byte
	Blocks       int // number of block markers in Code
	I32Regs      int
	RefRegs      int
}

// Signature is what is known of a function's interface.
type Signature struct {
	CConv string
	Attrs Attrs // "iree.abi.declaration" is the signature as source text
}

// Declaration is the function's signature as the compiler recorded it in source
// form, "" for functions without one.
func (s *Signature) Declaration() string { return s.Attrs.Get("iree.abi.declaration") }

// Export finds an export by name.
func (m *Module) Export(name string) (*Function, bool) {
	for i := range m.Exports {
		if m.Exports[i].Name == name {
			return &m.Functions[m.Exports[i].Function], true
		}
	}
	return nil, false
}

// Dependency finds a dependency by name.
func (m *Module) Dependency(name string) (Dependency, bool) {
	for _, d := range m.Dependencies {
		if d.Name == name {
			return d, true
		}
	}
	return Dependency{}, false
}
