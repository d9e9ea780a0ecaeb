// Package raw calls functions of compiled modules with tensors: for tools that compile
// graphs of their own, which are in no bundle. Models are run by package runtime.
package raw

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/hlocc/hlocc/runtime/internal/engine"
	"github.com/hlocc/hlocc/runtime/internal/hal"
)

// Device is where modules run. It owns their threads and memory.
type Device struct{ dev *engine.Device }

// Open starts a device with so many threads, 0 for one for each CPU. It fails, with a
// diag.Unsupported error, where compiled code cannot run.
func Open(threads int) (*Device, error) {
	dev, err := engine.NewDevice(engine.Options{Threads: threads})
	if err != nil {
		return nil, err
	}
	return &Device{dev}, nil
}

// Close frees all memory of the device, tensors included. Modules must be closed before.
func (d *Device) Close() { d.dev.Close() }

// Tensor is dense memory outside of the Go heap.
type Tensor struct {
	view *hal.BufferView
	ours bool // made by the device; others are results of calls
}

// Float32s makes a tensor of zeros.
func (d *Device) Float32s(shape ...int) (*Tensor, error) { return d.tensor(hal.F32, shape) }

// Int32s makes a tensor of zeros.
func (d *Device) Int32s(shape ...int) (*Tensor, error) { return d.tensor(hal.I32, shape) }

func (d *Device) tensor(e hal.ElementType, shape []int) (*Tensor, error) {
	n := int64(4)
	for _, d := range shape {
		n *= int64(d)
	}
	b, err := d.dev.NewBuffer(n)
	if err != nil {
		return nil, err
	}
	v, err := hal.NewBufferView(b, e, shape)
	if err != nil {
		b.Release()
		return nil, err
	}
	return &Tensor{v, true}, nil
}

// Float32 is the memory of a tensor of float32, until Release.
func (t *Tensor) Float32() []float32 { return elements[float32](t, hal.F32) }

// Int32 is the memory of a tensor of int32, until Release.
func (t *Tensor) Int32() []int32 { return elements[int32](t, hal.I32) }

// elements is the memory of t. Compiled code runs on little-endian machines only, whose
// floats and integers are as Go has them.
func elements[E any](t *Tensor, e hal.ElementType) []E {
	if t.view.Element() != e {
		panic(fmt.Sprintf("raw: a tensor of %v is none of %v", t.view.Element(), e))
	}
	b := t.view.Bytes()
	return unsafe.Slice((*E)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/4)
}

// Release gives the memory back. A result that is an argument updated in place keeps it.
func (t *Tensor) Release() {
	if t.ours {
		t.view.Buffer().Release()
	} else {
		t.view.Release()
	}
}

// Module is a compiled module without parameters, for one goroutine.
type Module struct {
	program *engine.Program
	invoker *engine.Invoker
}

// Load prepares a module. Its bytes must not change.
func (d *Device) Load(ctx context.Context, module []byte) (*Module, error) {
	p, err := engine.Load(d.dev, module, nil)
	if err != nil {
		return nil, err
	}
	inv, err := p.NewInvoker(ctx)
	if err != nil {
		_ = p.Close()
		return nil, err
	}
	return &Module{p, inv}, nil
}

// Call runs an exported function. The results are the caller's to release.
func (m *Module) Call(ctx context.Context, function string, args []*Tensor) ([]*Tensor, error) {
	views := make([]*hal.BufferView, len(args))
	for i, a := range args {
		views[i] = a.view
	}
	out, err := m.invoker.Call(ctx, function, views)
	if err != nil {
		return nil, err
	}
	results := make([]*Tensor, len(out))
	for i, v := range out {
		results[i] = &Tensor{view: v}
	}
	return results, nil
}

// Close ends the use of the module.
func (m *Module) Close() error {
	err := m.invoker.Close()
	if perr := m.program.Close(); err == nil {
		err = perr
	}
	return err
}
