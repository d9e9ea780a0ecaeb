package vm

import (
	"fmt"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// Program is a module that is decoded and validated. It is immutable: any
// number of instances, on any goroutines, may share it.
type Program struct {
	module  *vmfb.Module
	funcs   []function
	imports []importFunc
	exports map[string]int
	rodata  []*Buffer
	types   []typeDef

	maxResults int // over all imports: size of the scratch space of a Call
}

type importFunc struct {
	name     string
	sig      *signature
	optional bool
}

// Module is the module that p was made from.
func (p *Program) Module() *vmfb.Module { return p.module }

// Function is an exported function of a Program.
type Function struct {
	prog  *Program
	index int
	name  string
}

// Name is the name the function is exported under.
func (f Function) Name() string { return f.name }

// Export finds an exported function.
func (p *Program) Export(name string) (Function, bool) {
	i, ok := p.exports[name]
	return Function{p, i, name}, ok
}

// typeDef is an entry of a module's type table.
type typeDef struct {
	elem elemType
	name string // of the objects, for elemRef; "" is any
}

// admits reports whether r may stand where the type t is demanded. The null
// reference is of every reference type.
func (t *typeDef) admits(r Ref) bool {
	return r == nil || t.elem == elemRef && (t.name == "" || t.name == r.RefType()) || t.elem == elemAny
}

func parseType(s string) (typeDef, bool) {
	switch s {
	case "i8":
		return typeDef{elem: elemI8}, true
	case "i16":
		return typeDef{elem: elemI16}, true
	case "i32":
		return typeDef{elem: elemI32}, true
	case "i64":
		return typeDef{elem: elemI64}, true
	case "f32":
		return typeDef{elem: elemF32}, true
	case "f64":
		return typeDef{elem: elemF64}, true
	case "!vm.opaque":
		return typeDef{elem: elemAny}, true
	}
	name, ok := strings.CutPrefix(s, "!")
	switch {
	case !ok || name == "":
		return typeDef{}, false
	case strings.HasPrefix(name, "vm.list"):
		name = "vm.list" // lists are not told apart by their elements
	case strings.HasPrefix(name, "vm.ref<?"):
		name = ""
	}
	return typeDef{elem: elemRef, name: name}, true
}

// NewProgram decodes and validates every function of m.
func NewProgram(m *vmfb.Module) (*Program, error) {
	p := &Program{module: m, exports: make(map[string]int, len(m.Exports))}
	// Many functions have the same signature: parse each text once.
	signatures := map[string]*signature{}
	parse := func(text string) (*signature, error) {
		sig, ok := signatures[text]
		if ok {
			return sig, nil
		}
		sig, err := parseSignature(text)
		if err == nil {
			signatures[text] = sig
		}
		return sig, err
	}
	for i, s := range m.Types {
		t, ok := parseType(s)
		if !ok {
			return nil, invalid(fmt.Sprintf("types[%d]", i), fmt.Errorf("unknown type %q", s))
		}
		p.types = append(p.types, t)
	}
	for _, b := range m.Rodata {
		p.rodata = append(p.rodata, NewBuffer(b, true))
	}
	for i := range m.Imports {
		im := &m.Imports[i]
		sig, err := parse(im.CConv)
		if err != nil {
			return nil, invalid("import "+im.Name, err)
		}
		p.imports = append(p.imports, importFunc{im.Name, sig, im.Optional})
		p.maxResults = max(p.maxResults, len(sig.results))
	}
	p.funcs = make([]function, len(m.Functions))
	for i := range m.Exports {
		x := &m.Exports[i]
		if _, ok := p.exports[x.Name]; ok {
			return nil, invalid("export "+x.Name, fmt.Errorf("the name is exported twice"))
		}
		p.exports[x.Name] = x.Function
		if f := &p.funcs[x.Function]; f.name == "" {
			f.name = x.Name
		}
	}
	// Signatures first: call sites are checked against those of their callees.
	for i := range p.funcs {
		f := &p.funcs[i]
		if f.name == "" {
			f.name = fmt.Sprintf("function %d", i)
		}
		sig, err := parse(m.Functions[i].CConv)
		if err == nil {
			err = f.prepare(&m.Functions[i], sig)
		}
		if err != nil {
			return nil, invalid(f.name, err)
		}
	}
	for i := range p.funcs {
		if err := p.decode(&p.funcs[i], &m.Functions[i]); err != nil {
			return nil, err
		}
	}
	return p, nil
}

func invalid(where string, cause error) error {
	return &diag.Error{
		Kind: diag.BadInput, Code: "vm_invalid", Where: where,
		Message: "the compiled module has invalid code", Cause: cause,
		Fix: "build the bundle again",
	}
}
