package runtime

import (
	"context"
	"fmt"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/engine"
	"github.com/hlocc/hlocc/runtime/internal/hal"
)

// engineDevice runs modules with the engine.
type engineDevice struct {
	dev   *engine.Device
	times *hal.Profile // nil unless asked for
}

func newEngineDevice(o Options) (device, error) {
	d := &engineDevice{}
	if o.Profile {
		d.times = &hal.Profile{}
	}
	var err error
	if d.dev, err = engine.NewDevice(engine.Options{Threads: o.Threads, Profile: d.times}); err != nil {
		return nil, err
	}
	return d, nil
}

func (d *engineDevice) probe(n int64) (prober, error) { return d.dev.NewProbe(n) }

func (d *engineDevice) profile() []KernelTime {
	if d.times == nil {
		return nil
	}
	var list []KernelTime
	for _, t := range d.times.Take() {
		list = append(list, KernelTime(t))
	}
	return list
}

// parameterScope is the scope that the weights have in compiled modules.
const parameterScope = "model"

type parameters func(key string) ([]byte, error)

// Parameter implements engine.ParameterSource.
func (p parameters) Parameter(scope, key string) ([]byte, error) {
	if scope != parameterScope {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "parameter_scope", Message: fmt.Sprintf("a parameter of the unknown scope %q", scope)}
	}
	return p(key)
}

func (d *engineDevice) load(module []byte, parameter func(string) ([]byte, error)) (program, error) {
	p, err := engine.Load(d.dev, module, parameters(parameter))
	if err != nil {
		return nil, err
	}
	return &engineProgram{p}, nil
}

// elements maps the types of the manifest to those of the engine.
var elements = map[bundle.DType]hal.ElementType{
	bundle.F64: hal.F64, bundle.F32: hal.F32, bundle.F16: hal.F16, bundle.BF16: hal.BF16,
	bundle.I64: hal.I64, bundle.I32: hal.I32, bundle.I16: hal.I16, bundle.I8: hal.I8, bundle.U8: hal.U8,
}

func byteSize(dtype bundle.DType, shape []int) int64 {
	size := int64(dtype.Size())
	for _, n := range shape {
		size *= int64(n)
	}
	return size
}

func (d *engineDevice) tensor(dtype bundle.DType, shape []int) (tensor, error) {
	b, err := d.dev.NewBuffer(byteSize(dtype, shape))
	if err != nil {
		return nil, err
	}
	v, err := hal.NewBufferView(b, elements[dtype], shape)
	if err != nil {
		b.Release()
		return nil, err
	}
	return engineTensor{v, true}, nil
}

func (d *engineDevice) part(of tensor, off int64, dtype bundle.DType, shape []int) (tensor, error) {
	b, err := of.(engineTensor).v.Buffer().Subspan(off, byteSize(dtype, shape))
	if err != nil {
		return nil, err
	}
	v, err := hal.NewBufferView(b, elements[dtype], shape)
	if err != nil {
		return nil, err
	}
	return engineTensor{v, false}, nil
}

func (d *engineDevice) threads() int { return d.dev.Threads() }

func (d *engineDevice) close() error {
	d.dev.Close()
	return nil
}

type engineProgram struct{ p *engine.Program }

func (p *engineProgram) close() error { return p.p.Close() }

func (p *engineProgram) instance(ctx context.Context) (instance, error) {
	inv, err := p.p.NewInvoker(ctx)
	if err != nil {
		return nil, err
	}
	return &engineInstance{inv: inv}, nil
}

// engineInstance reuses its slices from call to call.
type engineInstance struct {
	inv     *engine.Invoker
	args    []*hal.BufferView
	results []*hal.BufferView
	out     []tensor
}

func (i *engineInstance) call(ctx context.Context, function string, args []tensor) ([]tensor, error) {
	i.args = i.args[:0]
	for _, a := range args {
		i.args = append(i.args, a.(engineTensor).v)
	}
	var err error
	if i.results, err = i.inv.CallAppend(ctx, i.results[:0], function, i.args); err != nil {
		return nil, err
	}
	i.out = i.out[:0]
	for _, v := range i.results {
		i.out = append(i.out, engineTensor{v, false})
	}
	return i.out, nil
}

func (i *engineInstance) close() error { return i.inv.Close() }

type engineTensor struct {
	v    *hal.BufferView
	ours bool // allocated by tensor; others are results of calls
}

func (t engineTensor) bytes() []byte { return t.v.Bytes() }

func (t engineTensor) same(o tensor) bool {
	e, ok := o.(engineTensor)
	return ok && t.v.Buffer().Same(e.v.Buffer())
}

func (t engineTensor) release() {
	if t.ours {
		t.v.Buffer().Release()
	} else {
		t.v.Release()
	}
}
