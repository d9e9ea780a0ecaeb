package hal

import (
	"bytes"
	"context"
	"math"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/runtime/internal/vm"
)

// fixture is a host with a device of its own.
type fixture struct {
	testing.TB
	dev  *Device
	host *Host
}

func newFixture(t testing.TB, threads int) *fixture {
	t.Helper()
	dev, err := NewDevice(DeviceOptions{Threads: threads})
	if err != nil {
		t.Fatal(err)
	}
	x := NewExecutables(dev)
	t.Cleanup(func() {
		if err := x.Close(); err != nil {
			t.Error(err)
		}
		dev.Close()
	})
	return &fixture{t, dev, NewHost(dev, x, nil)}
}

// values makes arguments: references, int32, int64, nil for the null reference.
func values(args ...any) (vs []vm.Value) {
	for _, a := range args {
		switch a := a.(type) {
		case nil:
			vs = append(vs, vm.RefValue(nil))
		case int:
			vs = append(vs, vm.I32Value(int32(a)))
		case int64:
			vs = append(vs, vm.I64Value(a))
		case string:
			vs = append(vs, vm.RefValue(vm.NewBuffer([]byte(a), true)))
		case vm.Ref:
			vs = append(vs, vm.RefValue(a))
		}
	}
	return vs
}

type spans []int

// try calls an import by name; spans among the arguments tell the sizes of the
// variadic ones.
func (f *fixture) try(name string, args ...any) ([]vm.Value, error) {
	f.Helper()
	var n spans
	for i, a := range args {
		if s, ok := a.(spans); ok {
			n = s
			args = append(args[:i:i], args[i+1:]...)
			break
		}
	}
	e, ok := exports[name]
	if !ok {
		f.Fatalf("no export %s", name)
	}
	fn, err := f.host.Resolve(name, e.cconv)
	if err != nil {
		f.Fatal(err)
	}
	return vm.CallHost(context.Background(), e.cconv, fn, values(args...), n...)
}

func (f *fixture) call(name string, args ...any) []vm.Value {
	f.Helper()
	r, err := f.try(name, args...)
	if err != nil {
		f.Fatalf("%s: %v", name, err)
	}
	return r
}

// fails checks that a call ends with an error that holds want.
func (f *fixture) fails(want, name string, args ...any) {
	f.Helper()
	if _, err := f.try(name, args...); err == nil || !strings.Contains(err.Error(), want) {
		f.Errorf("%s: got %v, want an error with %q", name, err, want)
	}
}

// buffer is a device buffer with the given contents.
func (f *fixture) buffer(data ...byte) *Buffer {
	f.Helper()
	b, err := f.dev.NewBuffer(int64(len(data)))
	if err != nil {
		f.Fatal(err)
	}
	copy(b.Bytes(), data)
	return b
}

func (f *fixture) holds(b *Buffer, want ...byte) {
	f.Helper()
	if !bytes.Equal(b.Bytes(), want) {
		f.Errorf("buffer holds %v, want %v", b.Bytes(), want)
	}
}

// Every function of the interface is there, but for channels and collectives.
func TestExports(t *testing.T) {
	// hal.imports.mlir and io_parameters.imports.mlir, in their order
	want := strings.Fields(`hal.ex.file.from_memory hal.allocator.select hal.allocator.allocate hal.allocator.import
		hal.buffer.assert hal.buffer.allocation.preserve hal.buffer.allocation.discard hal.buffer.allocation.is_terminal
		hal.buffer.subspan hal.buffer.length hal.buffer.load hal.buffer.store
		hal.buffer_view.create hal.buffer_view.assert hal.buffer_view.buffer hal.buffer_view.element_type
		hal.buffer_view.encoding_type hal.buffer_view.rank hal.buffer_view.dim hal.buffer_view.trace
		hal.command_buffer.create hal.command_buffer.finalize hal.command_buffer.begin_debug_group
		hal.command_buffer.end_debug_group hal.command_buffer.execution_barrier hal.command_buffer.advise_buffer
		hal.command_buffer.fill_buffer hal.command_buffer.update_buffer hal.command_buffer.copy_buffer
		hal.command_buffer.dispatch hal.command_buffer.dispatch.indirect
		hal.device.allocator hal.device.query.i64 hal.device.queue.alloca hal.device.queue.dealloca
		hal.device.queue.fill hal.device.queue.update hal.device.queue.copy hal.device.queue.read
		hal.device.queue.write hal.device.queue.barrier hal.device.queue.execute hal.device.queue.execute.indirect
		hal.device.queue.flush hal.devices.count hal.devices.get hal.executable.create hal.executable.lookup.function
		hal.fence.create hal.fence.join hal.fence.query hal.fence.signal hal.fence.fail hal.fence.await
		io_parameters.load io_parameters.gather io_parameters.scatter`)
	for _, name := range want {
		if _, ok := exports[name]; !ok {
			t.Errorf("%s is missing", name)
		}
	}
	if len(exports) != len(want) {
		t.Errorf("%d exports, want %d", len(exports), len(want))
	}
	h := &Host{}
	if _, err := h.Resolve("hal.fence.create", "0r_r"); err == nil || !strings.Contains(err.Error(), "want 0rI_r, found 0r_r") {
		t.Errorf("another calling convention: %v", err)
	}
	if f, err := h.Resolve("hal.channel.create", "0rIIrrii_r"); f != nil || err != nil {
		t.Errorf("an unknown import: %v", err)
	}
}

// No function panics or takes a null or wrong reference for what it expects.
func TestWrongReferences(t *testing.T) {
	f := newFixture(t, 1)
	for name, e := range exports {
		for _, ref := range []vm.Ref{nil, &File{}} {
			args, n := []vm.Value{}, []int{}
			in, _, _ := strings.Cut(e.cconv[1:], "_")
			span := false
			for _, c := range in {
				switch c {
				case 'C':
					span = true
					n = append(n, 1)
				case 'D':
					span = false
				case 'r':
					args = append(args, vm.RefValue(ref))
				case 'i':
					args = append(args, vm.I32Value(-1))
				case 'I':
					args = append(args, vm.I64Value(math.MinInt64))
				}
			}
			_ = span
			fn, err := f.host.Resolve(name, e.cconv)
			if err != nil {
				t.Fatal(err)
			}
			_, err = vm.CallHost(context.Background(), e.cconv, fn, args, n...)
			refs := strings.Contains(in, "r")
			optional := map[string]bool{ // all references may be null
				"hal.fence.await": true, "hal.fence.join": true, "hal.buffer_view.trace": true,
			}
			if refs && err == nil && !(optional[name] && (ref == nil || name == "hal.buffer_view.trace")) {
				t.Errorf("%s accepts %v", name, ref)
			}
		}
	}
}

func TestDeviceQueries(t *testing.T) {
	f := newFixture(t, 2)
	for _, c := range []struct {
		category, key string
		ok            int32
		value         int64
	}{
		{"hal.device.id", "local*", 1, 1},
		{"hal.device.id", "local", 1, 1},
		{"hal.device.id", "*ca?", 1, 1},
		{"hal.device.id", "cuda*", 1, 0},
		{"hal.device.id", "localhost", 1, 0},
		{"hal.device.id", "loc", 1, 0},
		{"hal.executable.format", "embedded-elf-x86_64", 1, 1},
		{"hal.executable.format", "embedded-elf-arm_64", 1, 0},
		{"hal.device", "concurrency", 1, 1},
		{"hal.dispatch", "concurrency", 1, 2},
		{"hal.cpu", "sse3", 1, 1},
		{"hal.cpu", "no-such-feature", 0, 0},
		{"hal.device", "other", 0, 0},
		{"something", "else", 0, 0},
	} {
		r := f.call("hal.device.query.i64", f.dev, c.category, c.key)
		if r[0].I32() != c.ok || r[1].I64() != c.value {
			t.Errorf("%s %s: %d, %d", c.category, c.key, r[0].I32(), r[1].I64())
		}
	}
	if r := f.call("hal.devices.count"); r[0].I32() != 1 {
		t.Errorf("%d devices", r[0].I32())
	}
	if f.call("hal.devices.get", 0)[0].Ref() != vm.Ref(f.dev) || f.call("hal.devices.get", 1)[0].Ref() != nil {
		t.Error("devices")
	}
	r := f.call("hal.allocator.select", 0, 0, int64(0), spans{2}, f.dev, int64(5), f.dev, int64(6))
	if r[0].Ref() != vm.Ref(f.dev) || r[1].I64() != 5 {
		t.Errorf("selected %v", r)
	}
}
