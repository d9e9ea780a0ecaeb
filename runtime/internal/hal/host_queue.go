package hal

import (
	"fmt"

	"github.com/hlocc/hlocc/runtime/internal/vm"
)

func init() {
	register(map[string]export{
		"hal.device.queue.alloca":           {"0rIrrIiiII_r", queueAlloca},
		"hal.device.queue.dealloca":         {"0rIrrrI_v", queueDealloca},
		"hal.device.queue.fill":             {"0rIrrrIIIiI_v", queueFill},
		"hal.device.queue.update":           {"0rIrrrIrIII_v", queueUpdate},
		"hal.device.queue.copy":             {"0rIrrrIrIII_v", queueCopy},
		"hal.device.queue.read":             {"0rIrrrIrIII_v", queueRead},
		"hal.device.queue.write":            {"0rIrrrIrIII_v", queueWrite},
		"hal.device.queue.barrier":          {"0rIrrI_v", queueBarrier},
		"hal.device.queue.execute":          {"0rIrrrI_v", queueExecute},
		"hal.device.queue.execute.indirect": {"0rIrrrICrIID_v", queueExecuteIndirect},
		"hal.device.queue.flush":            {"0rI_v", queueFlush},
		"hal.ex.file.from_memory":           {"0rIirIIi_r", fileFromMemory},
	})
}

// queued performs a queue operation: all have the device, an affinity, the
// fence to wait for and the fence to signal as their first arguments.
func queued(c *vm.Call, operation func() error) error {
	if _, err := arg[*Device](c, 0); err != nil {
		return err
	}
	wait, err := optional[*Fence](c, 2)
	if err != nil {
		return err
	}
	signal, err := optional[*Fence](c, 3)
	if err != nil {
		return err
	}
	if err := wait.reached(); err != nil {
		return err
	}
	if err := operation(); err != nil {
		return err
	}
	signal.signal()
	return nil
}

func queueAlloca(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		if pool := c.I64(4); pool != 0 {
			return bad("queue_pool", "a memory pool that does not exist", "0", fmt.Sprint(pool))
		}
		b, err := h.allocate(c.I64(7))
		if err != nil {
			return err
		}
		c.SetRef(0, b)
		return nil
	})
}

func queueDealloca(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		b, err := arg[*Buffer](c, 4)
		if err != nil {
			return err
		}
		b.Release()
		return nil
	})
}

func queueFill(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		b, err := arg[*Buffer](c, 4)
		if err != nil {
			return err
		}
		mem, err := b.target("fill", c.I64(5), c.I64(6))
		if err != nil {
			return err
		}
		if err := checkPattern(c.I32(8)); err != nil {
			return err
		}
		return fill(mem, uint64(c.I64(7)), int(c.I32(8)))
	})
}

func queueUpdate(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		src, err := arg[*vm.Buffer](c, 4)
		if err != nil {
			return err
		}
		data, err := part(src, c.I64(5), c.I64(8))
		if err != nil {
			return err
		}
		return copyInto(c, data, 6, c.I64(7))
	})
}

func queueCopy(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		src, err := arg[*Buffer](c, 4)
		if err != nil {
			return err
		}
		data, err := src.span("copy", c.I64(5), c.I64(8))
		if err != nil {
			return err
		}
		return copyInto(c, data, 6, c.I64(7))
	})
}

// copyInto writes data to the buffer that is argument i.
func copyInto(c *vm.Call, data []byte, i int, off int64) error {
	dst, err := arg[*Buffer](c, i)
	if err != nil {
		return err
	}
	mem, err := dst.target("copy", off, int64(len(data)))
	if err != nil {
		return err
	}
	copy(mem, data)
	return nil
}

// File is a file that is a range of memory.
type File struct {
	mem []byte
	src *vm.Buffer
}

func (*File) RefType() string { return "hal.file" }

func fileFromMemory(h *Host, c *vm.Call) error {
	if _, err := arg[*Device](c, 0); err != nil {
		return err
	}
	const read = 1
	if a := c.I32(2); a&^read != 0 {
		return bad("file_access", "a file in memory can only be read", fmt.Sprint(read), fmt.Sprint(a))
	}
	src, err := arg[*vm.Buffer](c, 3)
	if err != nil {
		return err
	}
	mem, err := part(src, c.I64(4), c.I64(5))
	if err != nil {
		return err
	}
	c.SetRef(0, &File{mem, src})
	return nil
}

func queueRead(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		f, err := arg[*File](c, 4)
		if err != nil {
			return err
		}
		off, n := c.I64(5), c.I64(8)
		if err := checkRange("read", off, n, int64(len(f.mem))); err != nil {
			return err
		}
		return copyInto(c, f.mem[off:off+n], 6, c.I64(7))
	})
}

func queueWrite(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		if _, err := arg[*File](c, 6); err != nil {
			return err
		}
		return bad("file_access", "a write to a file that can only be read", "", "")
	})
}

func queueBarrier(h *Host, c *vm.Call) error { return queued(c, func() error { return nil }) }

func queueFlush(h *Host, c *vm.Call) error {
	_, err := arg[*Device](c, 0)
	return err
}

func queueExecute(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		cb, err := optional[*CommandBuffer](c, 4)
		if cb == nil || err != nil {
			return err // no commands: a barrier
		}
		return h.execute(cb, nil)
	})
}

func queueExecuteIndirect(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		cb, err := arg[*CommandBuffer](c, 4)
		if err != nil {
			return err
		}
		h.table = h.table[:0]
		defer func() { clear(h.table) }()
		for i := range c.Span(6) {
			b, err := element[*Buffer](c, 6, i, 0)
			if err != nil {
				return err
			}
			h.table = append(h.table, tableEntry{b, c.SpanI64(6, i, 1), c.SpanI64(6, i, 2)})
		}
		return h.execute(cb, h.table)
	})
}

// execute runs a command buffer with the given binding table.
func (h *Host) execute(cb *CommandBuffer, table []tableEntry) error {
	if cb.state != finalState {
		return bad("command_buffer_state", "a command buffer is executed before it is finalized, or once more than it may be", "", "")
	}
	p, err := cb.plan()
	if err != nil {
		return err
	}
	if len(p.slots) > len(table) {
		return bad("binding_missing", "the binding table has too few entries", fmt.Sprintf("at least %d", len(p.slots)), fmt.Sprint(len(table)))
	}
	for i := range p.slots {
		if err := p.bindSlot(i, table[i]); err != nil {
			return err
		}
	}
	err = p.run(h.dev, h.cancel)
	p.release()
	if cb.oneShot {
		cb.state = spentState
		if p.idle() {
			cb.rec.reset()
			h.spare = append(h.spare, cb.rec)
		}
		cb.rec = nil
	}
	return err
}

// plan gives a linked form of cb that may be run: not one that a straggler from
// an earlier run still looks at.
func (cb *CommandBuffer) plan() (*plan, error) {
	for _, p := range cb.rec.plans {
		if p.idle() {
			if cb.oneShot {
				return cb.rec.link(p)
			}
			return p, nil
		}
	}
	p, err := cb.rec.link(nil)
	if err != nil {
		return nil, err
	}
	cb.rec.plans = append(cb.rec.plans, p)
	return p, nil
}
