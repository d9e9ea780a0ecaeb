package hal

import (
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

func init() {
	register(map[string]export{
		"hal.command_buffer.create":            {"0riiIi_r", commandCreate},
		"hal.command_buffer.finalize":          {"0r_v", commandFinalize},
		"hal.command_buffer.begin_debug_group": {"0rr_v", commandBeginGroup},
		"hal.command_buffer.end_debug_group":   {"0r_v", commandEndGroup},
		"hal.command_buffer.execution_barrier": {"0riiI_v", commandBarrier},
		"hal.command_buffer.advise_buffer":     {"0rrIIIi_v", commandAdvise},
		"hal.command_buffer.fill_buffer":       {"0rrIIiIiI_v", commandFill},
		"hal.command_buffer.update_buffer":     {"0rrIrIIiI_v", commandUpdate},
		"hal.command_buffer.copy_buffer":       {"0riirIrIII_v", commandCopy},
		"hal.command_buffer.dispatch":          {"0rrIiiiICiDCiirIID_v", commandDispatch},
		"hal.command_buffer.dispatch.indirect": {"0rrIirIICiDCiirIID_v", commandDispatchIndirect},
	})
}

func commandCreate(h *Host, c *vm.Call) error {
	if _, err := arg[*Device](c, 0); err != nil {
		return err
	}
	var rec *recording
	if n := len(h.spare); n > 0 && c.I32(1)&modeOneShot != 0 {
		rec = h.spare[n-1]
		h.spare = h.spare[:n-1]
	} else {
		rec = &recording{}
	}
	cb, err := newCommandBuffer(c.I32(1), c.I32(4), rec)
	if err != nil {
		return err
	}
	c.SetRef(0, cb)
	return nil
}

func commandFinalize(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	return cb.finalize()
}

func commandBeginGroup(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	return cb.debugGroup(1)
}

func commandEndGroup(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	return cb.debugGroup(-1)
}

func commandBarrier(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	return cb.barrier()
}

// commandAdvise is a hint about a buffer: there is nothing to do.
func commandAdvise(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	_, err = cb.record()
	return err
}

// rangeArg is a binding of a host command.
func rangeArg(c *vm.Call, buf int, slot int32, off, n int64) (binding, error) {
	b, err := optional[*Buffer](c, buf)
	return binding{buf: b, slot: int(slot), off: off, len: n}, err
}

func commandFill(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	target, err := rangeArg(c, 1, c.I32(4), c.I64(2), c.I64(3))
	if err != nil {
		return err
	}
	return cb.fill(target, uint64(c.I64(5)), c.I32(6))
}

func commandUpdate(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	src, err := arg[*vm.Buffer](c, 1)
	if err != nil {
		return err
	}
	data, err := part(src, c.I64(2), c.I64(5))
	if err != nil {
		return err
	}
	target, err := rangeArg(c, 3, c.I32(6), c.I64(4), int64(len(data)))
	if err != nil {
		return err
	}
	return cb.updateBuffer(data, target)
}

func commandCopy(h *Host, c *vm.Call) error {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return err
	}
	source, err := rangeArg(c, 3, c.I32(1), c.I64(4), c.I64(7))
	if err != nil {
		return err
	}
	target, err := rangeArg(c, 5, c.I32(2), c.I64(6), c.I64(7))
	if err != nil {
		return err
	}
	return cb.copyBuffer(source, target)
}

func commandDispatch(h *Host, c *vm.Call) error {
	cb, o, err := startDispatch(c, 6, 7, 8)
	if err != nil {
		return err
	}
	if err := o.setGroups(uint32(c.I32(3)), uint32(c.I32(4)), uint32(c.I32(5))); err != nil {
		return o.located(err)
	}
	return cb.dispatchArgs(c, o, 7, 8)
}

func commandDispatchIndirect(h *Host, c *vm.Call) error {
	cb, o, err := startDispatch(c, 6, 7, 8)
	if err != nil {
		return err
	}
	if err := cb.dispatchArgs(c, o, 7, 8); err != nil {
		return err
	}
	o.kind = opDispatchIndirect
	counts, err := rangeArg(c, 4, c.I32(3), c.I64(5), 12)
	if err != nil {
		return err
	}
	o.binds++
	return o.located(cb.bind("workgroup count", counts))
}

// startDispatch begins a dispatch; flags, words and binds are the positions of
// these arguments.
func startDispatch(c *vm.Call, flags, words, binds int) (*CommandBuffer, *op, error) {
	cb, err := arg[*CommandBuffer](c, 0)
	if err != nil {
		return nil, nil, err
	}
	x, err := arg[*Executable](c, 1)
	if err != nil {
		return nil, nil, err
	}
	o, err := cb.startDispatch(x, c.I64(2), c.I64(flags), c.Span(words), c.Span(binds))
	return cb, o, err
}

// dispatchArgs adds the constants and bindings of o.
func (cb *CommandBuffer) dispatchArgs(c *vm.Call, o *op, words, binds int) error {
	for i := range o.words {
		cb.rec.constants = append(cb.rec.constants, uint32(c.SpanI32(words, i, 0)))
	}
	for i := range o.binds {
		// <reserved, slot, buffer, offset, length>
		b, err := element[*Buffer](c, binds, i, 2)
		if err != nil {
			return err
		}
		err = cb.bind("binding", binding{buf: b, slot: int(c.SpanI32(binds, i, 1)), off: c.SpanI64(binds, i, 3), len: c.SpanI64(binds, i, 4)})
		if err != nil {
			return o.located(err)
		}
	}
	return nil
}
