package hal

import (
	"fmt"
	"sync/atomic"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/params"
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

// Versions of the interfaces, as modules demand them of "hal" and "io_parameters".
const (
	Version           = 7
	ParametersVersion = 0
)

// Host is what one instance of a module imports: the exports of "hal" and
// "io_parameters". Like the instance it belongs to one goroutine at a time.
type Host struct {
	dev         *Device
	executables *Executables
	params      params.Source

	cancel  *uint32 // nonzero stops native code; see Begin
	objects objects
	spare   []*recording
	table   []tableEntry
}

// NewHost makes the imports of one instance. p may be nil if the module has no
// parameters. SetInstance must follow.
func NewHost(d *Device, x *Executables, p params.Source) *Host {
	return &Host{dev: d, executables: x, params: p, cancel: new(uint32)}
}

// SetInstance tells the Host whose imports it is.
func (h *Host) SetInstance(in *vm.Instance) { h.objects.roots = in.EachRef }

// hostFunc implements an export for any Host.
type hostFunc func(h *Host, c *vm.Call) error

// export is a function that modules may import, with its calling convention.
type export struct {
	cconv string
	fn    hostFunc
}

// exports is every function of "hal", but for collectives and channels (this is
// one device), and of "io_parameters".
var exports = map[string]export{}

func register(m map[string]export) {
	for name, e := range m {
		exports[name] = e
	}
}

// Resolve implements vm.Resolver.
func (h *Host) Resolve(name, cconv string) (vm.HostFunc, error) {
	e, ok := exports[name]
	if !ok {
		return nil, nil
	}
	if e.cconv != cconv {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "import_signature", Where: "import " + name,
			Message: "the module was compiled against another version of the interface", Want: e.cconv, Found: cconv,
			Fix: "compile with the compiler version that this program was made for"}
	}
	return func(c *vm.Call) error { return e.fn(h, c) }, nil
}

// Begin is called before the instance is, End after. A nonzero value stored in
// the flag between them, atomically and from any goroutine, makes native code
// stop at the end of the phase it is in, and the call fail with
// context.Canceled.
func (h *Host) Begin() (cancel *uint32) {
	if atomic.LoadUint32(h.cancel) != 0 {
		h.cancel = new(uint32)
	}
	return h.cancel
}

// Abandon makes the flag that Begin gave useless: somebody may still store to it.
func (h *Host) Abandon() { h.cancel = new(uint32) }

// End settles who owns what the call has allocated. Tensors among the results
// are the caller's to release; the instance keeps what it can still reach; the
// rest is freed.
func (h *Host) End(results []vm.Value) { h.objects.settle(h, results) }

// Close frees what the instance has allocated and not given away.
func (h *Host) Close() {
	h.objects.roots = func(func(vm.Ref)) {}
	h.objects.settle(h, nil)
}

// allocate makes a buffer on behalf of the module.
func (h *Host) allocate(n int64) (*Buffer, error) {
	mem, _, err := h.dev.arena.get(n, h.collect)
	if err != nil {
		return nil, err
	}
	b := newBuffer(&h.dev.arena, mem, n)
	h.objects.track(h, b.store)
	return b, nil
}

// collect frees what the module has dropped.
func (h *Host) collect() bool { return h.objects.collect(h) }

// arg is argument i, which must be a reference of type T and not null.
func arg[T vm.Ref](c *vm.Call, i int) (T, error) {
	v, ok := c.Ref(i).(T)
	if !ok {
		return v, wrongRef(c, fmt.Sprintf("argument %d", i), v, c.Ref(i))
	}
	return v, nil
}

// optional is argument i, of type T or null.
func optional[T vm.Ref](c *vm.Call, i int) (v T, err error) {
	if r := c.Ref(i); r != nil {
		var ok bool
		if v, ok = r.(T); !ok {
			return v, wrongRef(c, fmt.Sprintf("argument %d", i), v, r)
		}
	}
	return v, nil
}

// element is one field of an element of a span, a reference of type T or null.
func element[T vm.Ref](c *vm.Call, i, e, field int) (v T, err error) {
	if r := c.SpanRef(i, e, field); r != nil {
		var ok bool
		if v, ok = r.(T); !ok {
			return v, wrongRef(c, fmt.Sprintf("element %d of argument %d", e, i), v, r)
		}
	}
	return v, nil
}

func wrongRef(c *vm.Call, where string, want, found vm.Ref) error {
	name := "null"
	if found != nil {
		name = found.RefType()
	}
	return &diag.Error{Kind: diag.BadInput, Code: "host_reference", Where: where, Message: c.Name() + " got a reference of the wrong type",
		Want: want.RefType(), Found: name}
}

// text is argument i, a buffer of bytes, as a string; "" if null.
func text(c *vm.Call, i int) (string, error) {
	b, err := optional[*vm.Buffer](c, i)
	if b == nil || err != nil {
		return "", err
	}
	return string(b.Bytes()), nil
}

// part is n bytes from off of a buffer of the module; n < 0 is all that follow.
func part(b *vm.Buffer, off, n int64) ([]byte, error) {
	data := b.Bytes()
	if n == wholeBuffer {
		n = int64(len(data)) - off
	}
	if err := checkRange("host buffer access", off, n, int64(len(data))); err != nil {
		return nil, err
	}
	return data[off : off+n : off+n], nil
}
