package hal

import (
	"bytes"
	"testing"

	"github.com/hlocc/hlocc/runtime/internal/vm"
)

func TestFences(t *testing.T) {
	f := newFixture(t, 1)
	fence := func() *Fence { return f.call("hal.fence.create", f.dev, int64(0))[0].Ref().(*Fence) }
	a, b, c := fence(), fence(), fence()
	query := func(x *Fence) int32 { return f.call("hal.fence.query", x)[0].I32() }
	if query(a) != statusDeferred {
		t.Error("a new fence is reached")
	}
	if s := f.call("hal.fence.await", -1, int64(0), spans{2}, nil, a)[0].I32(); s != statusDeadlineExceeded {
		t.Errorf("waiting for what never comes: %d", s)
	}
	f.fails("nothing signals", "hal.device.queue.barrier", f.dev, int64(-1), a, b, int64(0))
	f.call("hal.fence.signal", a)
	f.call("hal.device.queue.barrier", f.dev, int64(-1), a, b, int64(0))
	if query(a) != 0 || query(b) != 0 {
		t.Error("the barrier did not signal")
	}
	if j := f.call("hal.fence.join", int64(0), spans{3}, a, nil, b)[0].Ref(); j != nil {
		t.Error("a join of what is reached is not null")
	}
	d := fence()
	j := f.call("hal.fence.join", int64(0), spans{3}, a, c, d)[0].Ref().(*Fence)
	if query(j) != statusDeferred {
		t.Error("a join is reached before its parts")
	}
	f.call("hal.fence.signal", c)
	f.call("hal.fence.signal", d)
	if query(j) != 0 || f.call("hal.fence.await", -1, int64(0), spans{2}, j, a)[0].I32() != 0 {
		t.Error("a join is not reached")
	}
	e := fence()
	f.call("hal.fence.fail", e, 13)
	if query(e) != 13 || f.call("hal.fence.await", 0, int64(0), spans{2}, fence(), e)[0].I32() != 13 {
		t.Error("a failure is lost")
	}
	f.fails("status 13", "hal.device.queue.barrier", f.dev, int64(-1), e, nil, int64(0))
	f.call("hal.device.queue.flush", f.dev, int64(-1))
}

func TestQueueTransfers(t *testing.T) {
	f := newFixture(t, 1)
	a, b := f.buffer(1, 2, 3, 4, 5, 6, 7, 8), f.buffer(make([]byte, 8)...)
	signal := newFence()
	f.call("hal.device.queue.copy", f.dev, int64(-1), nil, signal, a, int64(2), b, int64(1), int64(3), int64(0))
	f.holds(b, 0, 3, 4, 5, 0, 0, 0, 0)
	if signal.status() != statusOK {
		t.Error("the fence was not signaled")
	}
	f.call("hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(4), int64(4), int64(0x0a0b), 2, int64(0))
	f.holds(b, 0, 3, 4, 5, 0x0b, 0x0a, 0x0b, 0x0a)
	f.call("hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(0), int64(8), int64(0x0100), 1, int64(0))
	f.holds(b, 0, 0, 0, 0, 0, 0, 0, 0)
	f.call("hal.device.queue.update", f.dev, int64(-1), nil, nil, vm.NewBuffer([]byte{9, 8, 7}, true), int64(1), b, int64(6), int64(2), int64(0))
	f.holds(b, 0, 0, 0, 0, 0, 0, 8, 7)
	file := f.call("hal.ex.file.from_memory", f.dev, int64(-1), 1, vm.NewBuffer([]byte{1, 2, 3, 4}, true), int64(1), int64(3), 0)[0].Ref()
	f.call("hal.device.queue.read", f.dev, int64(-1), nil, nil, file, int64(1), b, int64(0), int64(2), int64(0))
	f.holds(b, 3, 4, 0, 0, 0, 0, 8, 7)

	f.fails("outside its buffer", "hal.device.queue.read", f.dev, int64(-1), nil, nil, file, int64(2), b, int64(0), int64(2), int64(0))
	f.fails("only be read", "hal.device.queue.write", f.dev, int64(-1), nil, nil, b, int64(0), file, int64(0), int64(2), int64(0))
	f.fails("only be read", "hal.ex.file.from_memory", f.dev, int64(-1), 3, vm.NewBuffer(nil, true), int64(0), int64(0), 0)
	f.fails("outside its buffer", "hal.device.queue.copy", f.dev, int64(-1), nil, nil, a, int64(6), b, int64(0), int64(3), int64(0))
	f.fails("outside its buffer", "hal.device.queue.copy", f.dev, int64(-1), nil, nil, a, int64(0), b, int64(6), int64(3), int64(0))
	f.fails("outside its buffer", "hal.device.queue.update", f.dev, int64(-1), nil, nil, vm.NewBuffer([]byte{9}, true), int64(0), b, int64(0), int64(2), int64(0))
	f.fails("fill pattern", "hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(0), int64(6), int64(1), 3, int64(0))
	f.fails("multiple of its pattern", "hal.device.queue.fill", f.dev, int64(-1), nil, nil, b, int64(0), int64(6), int64(1), 4, int64(0))
	f.fails("read-only", "hal.device.queue.fill", f.dev, int64(-1), nil, nil, Wrap(make([]byte, 8), true, nil), int64(0), int64(4), int64(1), 4, int64(0))
	f.fails("memory pool", "hal.device.queue.alloca", f.dev, int64(-1), nil, nil, int64(1), 0, 0, int64(8), int64(0))
}

func TestFill(t *testing.T) {
	for _, c := range []struct {
		size    int
		pattern uint64
		n       int
		want    string
	}{
		{4, 0x41, 1, "AAAA"}, {6, 0x4241, 2, "ABABAB"}, {12, 0x44434241, 4, "ABCDABCDABCD"},
		{16, 0x4847464544434241, 8, "ABCDEFGHABCDEFGH"}, {0, 1, 4, ""}, {4, 0xff00, 1, "\x00\x00\x00\x00"},
	} {
		mem := bytes.Repeat([]byte{0x55}, c.size)
		if err := fill(mem, c.pattern, c.n); err != nil || string(mem) != c.want {
			t.Errorf("%+v: %q, %v", c, mem, err)
		}
	}
}
