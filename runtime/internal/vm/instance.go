package vm

import (
	"context"

	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// Limits bound what one instance may use. A zero field means its default.
type Limits struct {
	Depth  int   // frames on the stack; default 1024
	Stack  int   // registers of all frames together; default 1<<20
	Memory int64 // bytes held by buffers and lists that bytecode made; default 256 MiB
	Steps  int64 // calls and backward branches per invocation; default unlimited
}

// Instance is the state of one session: globals, resolved imports and the
// stack. It must be used by one goroutine at a time.
type Instance struct {
	prog   *Program
	host   []HostFunc // by import ordinal; nil if unresolved
	limits Limits
}

// Load is NewProgram and NewInstance with default limits. Init is left to the caller.
func Load(m *vmfb.Module, imports Resolver) (*Instance, error) {
	p, err := NewProgram(m)
	if err != nil {
		return nil, err
	}
	return p.NewInstance(imports, Limits{})
}

// NewProgram decodes and validates every function of m.
func NewProgram(m *vmfb.Module) (*Program, error) { panic("being written") }

// NewInstance resolves p's imports and allocates its globals. The module's own
// initialisation has not run yet: see Init.
func (p *Program) NewInstance(imports Resolver, limits Limits) (*Instance, error) {
	panic("being written")
}

// Program is what in was made from.
func (in *Instance) Program() *Program { return in.prog }

// Init runs the module's __init function, if it has one. It must be called once,
// before any other function.
func (in *Instance) Init(ctx context.Context) error { panic("being written") }

// Close runs the module's __deinit function, if it has one and Init succeeded,
// and drops every reference the instance holds. The instance is unusable after.
func (in *Instance) Close(ctx context.Context) error { panic("being written") }

// Invoke calls an exported function and gives its results.
func (in *Instance) Invoke(ctx context.Context, export string, args []Value) ([]Value, error) {
	panic("being written")
}

// InvokeAppend is Invoke for a function that was looked up before; it appends
// the results to dst, so that with enough room there nothing is allocated.
// An invocation that fails or is cancelled leaves the globals as they were at
// that moment; the instance may be invoked again.
func (in *Instance) InvokeAppend(ctx context.Context, dst []Value, f Function, args []Value) ([]Value, error) {
	panic("being written")
}

// CallHost calls fn outside of any module, as a module would with the calling
// convention cconv: for tests of host functions. args are the arguments in
// order; the values of a span are its fields, element by element, and spans
// holds the number of elements of each span in order.
func CallHost(ctx context.Context, cconv string, fn HostFunc, args []Value, spans ...int) ([]Value, error) {
	panic("being written")
}

type function struct{}
type typeID struct{}
type callSite struct {
	ops  []uint16
	args []callArg
}
type callArg struct {
	first, count uint16
}
