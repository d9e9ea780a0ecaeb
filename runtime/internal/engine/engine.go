package engine

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/hal"
	"github.com/hlocc/hlocc/runtime/internal/params"
	"github.com/hlocc/hlocc/runtime/internal/vm"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// Options are the settings of a device.
type Options = hal.DeviceOptions

// Device is where programs run.
type Device = hal.Device

// ParameterSource provides the parameters of programs.
type ParameterSource = params.Source

// NewDevice starts the CPU device. It fails, with a diag.Unsupported error,
// where compiled code cannot run.
func NewDevice(o Options) (*Device, error) { return hal.NewDevice(o) }

// Program is a module that is ready to run. Any number of goroutines may use it.
type Program struct {
	dev         *Device
	prog        *vm.Program
	params      params.Source
	executables *hal.Executables

	mu       sync.Mutex
	invokers int
	closed   bool
}

// Load prepares a module. data must not change and must outlive the program:
// constants and bytecode are used in place. They are not copied if data starts
// at a multiple of 64 in memory. source may be nil for a module without
// parameters; its parameters must outlive the program too.
func Load(dev *Device, data []byte, source ParameterSource) (*Program, error) {
	m, err := vmfb.Parse(data)
	if err != nil {
		return nil, err
	}
	if err := checkDependencies(m); err != nil {
		return nil, err
	}
	prog, err := vm.NewProgram(m)
	if err != nil {
		return nil, err
	}
	return &Program{dev: dev, prog: prog, params: source, executables: hal.NewExecutables(dev)}, nil
}

// checkDependencies refuses modules that need interfaces which we do not have,
// or newer ones.
func checkDependencies(m *vmfb.Module) error {
	for _, d := range m.Dependencies {
		have, known := map[string]uint32{"hal": hal.Version, "io_parameters": hal.ParametersVersion}[d.Name]
		if known && d.MinVersion <= have || !known && d.Optional {
			continue
		}
		e := &diag.Error{Kind: diag.Unsupported, Code: "module_dependency", Where: "module " + m.Name,
			Message: fmt.Sprintf("needs the interface %q", d.Name), Want: "hal or io_parameters",
			Found: fmt.Sprintf("%s, version %d or later", d.Name, d.MinVersion),
			Fix:   "compile with the compiler version that this program was made for"}
		if known {
			e.Message, e.Want = "needs a newer version of an interface", fmt.Sprintf("%s, version %d", d.Name, have)
		}
		return e
	}
	return nil
}

// Device is where p runs.
func (p *Program) Device() *Device { return p.dev }

// Name is the module's own name.
func (p *Program) Name() string { return p.prog.Module().Name }

// Functions are the functions that can be called, in the module's order.
func (p *Program) Functions() []string {
	var names []string
	for _, e := range p.prog.Module().Exports {
		if e.Name != "__init" && e.Name != "__deinit" {
			names = append(names, e.Name)
		}
	}
	return names
}

// Declaration is the signature of a function as the compiler recorded it, such
// as "sync func @main(%input0: tensor<4xf32>) -> (%output0: tensor<4xf32>)";
// "" if it did not, or if there is no such function.
func (p *Program) Declaration(function string) string {
	if f, ok := p.prog.Module().Export(function); ok {
		return f.Declaration()
	}
	return ""
}

// NewInvoker makes an instance of the program and runs the module's own
// initialisation, which maps its native code and loads its parameters.
func (p *Program) NewInvoker(ctx context.Context) (*Invoker, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.invokers++
	p.mu.Unlock()
	inv, err := p.instantiate(ctx)
	if err != nil {
		p.done()
	}
	return inv, err
}

func (p *Program) instantiate(ctx context.Context) (*Invoker, error) {
	inv := &Invoker{prog: p, host: hal.NewHost(p.dev, p.executables, p.params)}
	var err error
	if inv.inst, err = p.prog.NewInstance(inv.host, vm.Limits{}); err != nil {
		return nil, err
	}
	inv.host.SetInstance(inv.inst)
	err = inv.guard(ctx, func() ([]vm.Value, error) { return nil, inv.inst.Init(ctx) })
	if err != nil {
		inv.host.Close()
		return nil, err
	}
	return inv, nil
}

func (p *Program) done() {
	p.mu.Lock()
	p.invokers--
	p.mu.Unlock()
}

var (
	errClosed = &diag.Error{Kind: diag.Failed, Code: "program_closed", Message: "internal error: the program is closed"}
	errInUse  = &diag.Error{Kind: diag.Failed, Code: "program_in_use", Message: "internal error: the program is closed while it has invokers"}
)

// Close unmaps the program's native code. All its invokers must be closed.
func (p *Program) Close() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.closed {
		return nil
	}
	if p.invokers > 0 {
		return errInUse
	}
	p.closed = true
	return p.executables.Close()
}

// Invoker calls the functions of a program. Calls on one Invoker must not
// overlap; global state that a module keeps belongs to its Invoker.
type Invoker struct {
	prog *Program
	host *hal.Host
	inst *vm.Instance
	args []vm.Value
	outs []vm.Value
	busy atomic.Bool
	shut bool
}

// Program is what inv calls.
func (inv *Invoker) Program() *Program { return inv.prog }

// Call calls a function of tensors. The results are valid until they are
// released (BufferView.Release), which the caller must do, except for those in
// place of an argument: that stays with whoever has it.
//
// When ctx is cancelled the call ends soon, with an error that is ctx.Err():
// what it was to update in place is then undefined.
func (inv *Invoker) Call(ctx context.Context, function string, args []*hal.BufferView) ([]*hal.BufferView, error) {
	return inv.CallAppend(ctx, nil, function, args)
}

// CallAppend is Call that appends the results to dst.
func (inv *Invoker) CallAppend(ctx context.Context, dst []*hal.BufferView, function string, args []*hal.BufferView) ([]*hal.BufferView, error) {
	f, err := inv.lookup(function)
	if err != nil {
		return dst, err
	}
	if err := inv.lock(); err != nil {
		return dst, err
	}
	defer inv.busy.Store(false)
	inv.args = inv.args[:0]
	for i, a := range args {
		if a == nil {
			return dst, &diag.Error{Kind: diag.Failed, Code: "argument_missing", Where: function, Message: fmt.Sprintf("internal error: argument %d is nil", i)}
		}
		inv.args = append(inv.args, vm.RefValue(a))
	}
	inv.outs, err = inv.invoke(ctx, inv.outs[:0], f, inv.args)
	defer clear(inv.outs)
	clear(inv.args)
	if err != nil {
		return dst, err
	}
	for i, v := range inv.outs {
		view, ok := v.Ref().(*hal.BufferView)
		if !ok {
			return dst, &diag.Error{Kind: diag.Failed, Code: "function_result", Where: function, Message: fmt.Sprintf("result %d is not a tensor", i)}
		}
		dst = append(dst, view)
	}
	return dst, nil
}

// Invoke calls a function with arguments of any kind: tensors are references to
// a BufferView.
func (inv *Invoker) Invoke(ctx context.Context, function string, args []vm.Value) ([]vm.Value, error) {
	f, err := inv.lookup(function)
	if err != nil {
		return nil, err
	}
	if err := inv.lock(); err != nil {
		return nil, err
	}
	defer inv.busy.Store(false)
	return inv.invoke(ctx, nil, f, args)
}

func (inv *Invoker) lookup(function string) (vm.Function, error) {
	f, ok := inv.prog.prog.Export(function)
	if !ok || function == "__init" || function == "__deinit" {
		return f, &diag.Error{Kind: diag.BadInput, Code: "function_missing", Where: "module " + inv.prog.Name(),
			Message: fmt.Sprintf("has no function %q", function), Found: fmt.Sprintf("%q", inv.prog.Functions())}
	}
	return f, nil
}

func (inv *Invoker) lock() error {
	if inv.shut || !inv.busy.CompareAndSwap(false, true) {
		return &diag.Error{Kind: diag.Failed, Code: "invoker_misuse", Message: "internal error: an invoker is used by two goroutines, or after it was closed"}
	}
	return nil
}

func (inv *Invoker) invoke(ctx context.Context, dst []vm.Value, f vm.Function, args []vm.Value) ([]vm.Value, error) {
	err := inv.guard(ctx, func() (out []vm.Value, err error) {
		dst, err = inv.inst.InvokeAppend(ctx, dst, f, args)
		return dst, err
	})
	return dst, err
}

// guard runs part of the instance so that a cancellation of ctx also stops the
// native code that it calls.
func (inv *Invoker) guard(ctx context.Context, run func() ([]vm.Value, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	flag := inv.host.Begin()
	var stop func() bool
	if ctx.Done() != nil {
		stop = context.AfterFunc(ctx, func() { atomic.StoreUint32(flag, 1) })
	}
	out, err := run()
	if stop != nil && !stop() {
		inv.host.Abandon() // the store may be yet to come
	}
	if err != nil {
		out = nil
	}
	inv.host.End(out)
	if err != nil && ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return ctx.Err()
	}
	return err
}

// Close ends the instance. Buffers that calls returned stay valid.
func (inv *Invoker) Close() error {
	if inv.shut {
		return nil
	}
	if err := inv.lock(); err != nil {
		return err
	}
	inv.shut = true
	inv.busy.Store(false)
	err := inv.guard(context.Background(), func() ([]vm.Value, error) { return nil, inv.inst.Close(context.Background()) })
	inv.host.Close()
	inv.host, inv.inst = nil, nil
	inv.prog.done()
	return err
}
