package vm

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// Limits bound what one instance may use. A zero field means its default.
type Limits struct {
	Depth  int   // frames on the stack; default 1024
	Stack  int   // registers of all frames together; default 1<<20
	Memory int64 // bytes held by buffers and lists that bytecode made; default 256 MiB
	Steps  int64 // calls and backward branches per invocation; default unlimited
}

func (l Limits) withDefaults() Limits {
	if l.Depth <= 0 {
		l.Depth = 1024
	}
	if l.Stack <= 0 {
		l.Stack = 1 << 20
	}
	if l.Memory <= 0 {
		l.Memory = 256 << 20
	}
	return l
}

// Instance is the state of one session: globals, resolved imports and the
// stack. It must be used by one goroutine at a time.
type Instance struct {
	prog    *Program
	host    []HostFunc // by import ordinal; nil if unresolved
	limits  Limits
	account account

	globals []byte
	grefs   []Ref

	// The stack. Frames lie one behind the other in regs and refs; references
	// above the top are nil.
	frames []frame
	regs   []uint32
	refs   []Ref

	call  Call // of the host function that is running
	state atomic.Int32

	ctx   context.Context
	left  int64 // steps until the next poll
	grant int64 // steps that were left at the last poll
	spent int64 // steps before that
}

// States of an instance.
const (
	stateNew int32 = iota
	stateReady
	stateBusy
	stateClosed
)

type frame struct {
	fn           *function
	pc           int // where to go on, index into code
	ibase, rbase int // of the registers
	site         *callSite
}

// Load is NewProgram and NewInstance with default limits. Init is left to the caller.
func Load(m *vmfb.Module, imports Resolver) (*Instance, error) {
	p, err := NewProgram(m)
	if err != nil {
		return nil, err
	}
	return p.NewInstance(imports, Limits{})
}

// NewInstance resolves p's imports and allocates its globals. The module's own
// initialisation has not run yet: see Init.
func (p *Program) NewInstance(imports Resolver, limits Limits) (*Instance, error) {
	in := &Instance{
		prog: p, limits: limits.withDefaults(),
		host:    make([]HostFunc, len(p.imports)),
		globals: make([]byte, p.module.GlobalBytes),
		grefs:   make([]Ref, p.module.GlobalRefs),
	}
	in.account.limit = in.limits.Memory
	in.call.ret = make([]uint64, p.maxResults)
	in.call.retRef = make([]Ref, p.maxResults)
	for i := range p.imports {
		im := &p.imports[i]
		f, err := imports.Resolve(im.name, im.sig.text)
		if err != nil {
			return nil, err
		}
		if f == nil && !im.optional {
			return nil, &diag.Error{
				Kind: diag.Unsupported, Code: "vm_import_missing", Where: "import " + im.name,
				Message: "the compiled module needs a host function that this hlocc does not have",
				Found:   "calling convention " + im.sig.text,
				Fix:     "build the bundle again with this hlocc",
			}
		}
		in.host[i] = f
	}
	return in, nil
}

// Program is what in was made from.
func (in *Instance) Program() *Program { return in.prog }

// Init runs the module's __init function, if it has one. It must be called once,
// before any other function. If it fails, the instance is closed.
func (in *Instance) Init(ctx context.Context) error {
	if !in.state.CompareAndSwap(stateNew, stateReady) {
		return in.misused("initialised twice")
	}
	err := in.hook(ctx, "__init")
	if err != nil {
		in.drop()
	}
	return err
}

// drop makes in unusable and lets go of what it holds.
func (in *Instance) drop() {
	in.state.Store(stateClosed)
	clear(in.grefs)
	in.refs, in.regs, in.frames = nil, nil, nil
}

// hook calls an export without arguments and results, if there is one.
func (in *Instance) hook(ctx context.Context, name string) error {
	if f, ok := in.prog.Export(name); ok {
		_, err := in.InvokeAppend(ctx, nil, f, nil)
		return err
	}
	return nil
}

// Close runs the module's __deinit function, if it has one and Init succeeded,
// and drops every reference the instance holds. The instance is unusable after;
// closing it again does nothing.
func (in *Instance) Close(ctx context.Context) error {
	var err error
	switch in.state.Load() {
	case stateClosed:
		return nil
	case stateBusy:
		return in.misused("closed while it is running")
	case stateReady:
		err = in.hook(ctx, "__deinit")
	}
	in.drop()
	return err
}

func (in *Instance) misused(how string) error {
	return &diag.Error{
		Kind: diag.Failed, Code: "vm_instance_misuse", Where: in.prog.module.Name,
		Message: "internal error: an instance of the compiled module was " + how,
	}
}

// Invoke calls an exported function and gives its results.
func (in *Instance) Invoke(ctx context.Context, export string, args []Value) ([]Value, error) {
	f, ok := in.prog.Export(export)
	if !ok {
		return nil, &diag.Error{
			Kind: diag.BadInput, Code: "vm_no_export", Where: in.prog.module.Name,
			Message: fmt.Sprintf("the compiled module has no function %q", export),
		}
	}
	return in.InvokeAppend(ctx, nil, f, args)
}

// InvokeAppend is Invoke for a function that was looked up before; it appends
// the results to dst, so that with enough room there nothing is allocated.
// An invocation that fails or is cancelled leaves the globals as they were at
// that moment; the instance may be invoked again.
func (in *Instance) InvokeAppend(ctx context.Context, dst []Value, f Function, args []Value) ([]Value, error) {
	if f.prog != in.prog {
		return dst, in.misused("asked for a function of another module")
	}
	fn := &in.prog.funcs[f.index]
	if err := fn.sig.check(args); err != nil {
		return dst, &diag.Error{
			Kind: diag.BadInput, Code: "vm_arguments", Where: in.prog.module.Name + "." + f.name,
			Message: "the arguments do not fit the function", Cause: err,
		}
	}
	if !in.state.CompareAndSwap(stateReady, stateBusy) {
		return dst, in.misused("used before it was initialised, after it was closed, or while it is running")
	}
	defer in.finish()
	in.ctx, in.left, in.grant, in.spent = ctx, 0, 0, 0
	if err := in.poll(); err != nil {
		return dst, in.prog.located(fn, 0, err)
	}
	if err := in.enter(fn); err != nil {
		return dst, in.prog.located(fn, 0, err)
	}
	in.placeArgs(fn, args)
	ret, err := in.run()
	if err != nil {
		return dst, err
	}
	fr := &in.frames[0]
	regs, refs := in.regs[fr.ibase:], in.refs[fr.rbase:]
	for i, k := range fn.sig.results {
		v := Value{kind: k}
		switch r := ret[i]; k {
		case KindI32, KindF32:
			v.bits = uint64(regs[r])
		case KindI64, KindF64:
			v.bits = get64(regs, r)
		case KindRef:
			v.ref = refs[r&regOrdinal]
		}
		dst = append(dst, v)
	}
	return dst, nil
}

// finish unwinds the stack, also after an error or a panic of a host function.
func (in *Instance) finish() {
	if n := len(in.frames); n > 0 {
		top := &in.frames[n-1]
		clear(in.refs[:top.rbase+top.fn.refRegs])
	}
	in.frames = in.frames[:0]
	in.ctx = nil
	in.call.reset()
	in.state.Store(stateReady)
}

// check checks arguments given by the host against the signature.
func (s *signature) check(args []Value) error {
	if len(args) != len(s.args) {
		return fmt.Errorf("%d arguments for %q", len(args), s.text)
	}
	for i := range args {
		if args[i].kind != s.args[i].kind {
			return fmt.Errorf("argument %d is %s, %q wants %s", i, args[i].kind, s.text, s.args[i].kind)
		}
	}
	return nil
}

// placeArgs stores checked arguments in the top frame; see signature.registers.
func (in *Instance) placeArgs(fn *function, args []Value) {
	fr := &in.frames[len(in.frames)-1]
	regs, refs := in.regs[fr.ibase:], in.refs[fr.rbase:]
	var i32, ref int
	for i := range args {
		switch v := &args[i]; v.kind {
		case KindI32, KindF32:
			regs[i32] = uint32(v.bits)
			i32++
		case KindI64, KindF64:
			i32 = (i32 + 1) &^ 1
			set64(regs, uint16(i32), v.bits)
			i32 += 2
		case KindRef:
			refs[ref] = v.ref
			ref++
		}
	}
}

// enter pushes a frame for fn with zero registers.
func (in *Instance) enter(fn *function) error {
	fr := frame{fn: fn}
	if n := len(in.frames); n > 0 {
		if n >= in.limits.Depth {
			return trap(statusResourceExhausted, "calls are nested %d deep", n)
		}
		top := &in.frames[n-1]
		fr.ibase, fr.rbase = top.ibase+top.fn.i32Regs, top.rbase+top.fn.refRegs
	}
	itop, rtop := fr.ibase+fn.i32Regs, fr.rbase+fn.refRegs
	if itop+rtop > in.limits.Stack {
		return trap(statusResourceExhausted, "the stack has no room for %d registers", itop+rtop)
	}
	in.regs = resized(in.regs, itop)
	in.refs = resized(in.refs, rtop)
	clear(in.regs[fr.ibase:itop])
	in.frames = append(in.frames, fr)
	return nil
}

// resized is s with room for n elements.
func resized[T any](s []T, n int) []T {
	if n <= len(s) {
		return s
	}
	t := make([]T, max(n, 2*len(s), 64))
	copy(t, s)
	return t
}

// pollEvery is the number of steps between looks at the context: some
// microseconds.
const pollEvery = 1024

// step counts n calls, branches or equivalents.
func (in *Instance) step(n int64) error {
	if in.left -= n; in.left < 0 {
		return in.poll()
	}
	return nil
}

func (in *Instance) poll() error {
	in.spent += in.grant - in.left
	in.grant = pollEvery
	if limit := in.limits.Steps; limit > 0 {
		if in.spent > limit {
			return trap(statusResourceExhausted, "more than %d steps", limit)
		}
		in.grant = min(in.grant, limit-in.spent)
	}
	in.left = in.grant
	return in.ctx.Err()
}
