package vm

import (
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
	types   []typeID

	maxArgs, maxResults int // over all imports: sizes of the scratch space of a Call
}

// regOrdinal masks the ordinal out of a reference register's encoding.
const regOrdinal = 0x3fff

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
