package hal

import (
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

func init() {
	register(map[string]export{
		"hal.devices.count":              {"0v_i", func(h *Host, c *vm.Call) error { c.SetI32(0, 1); return nil }},
		"hal.devices.get":                {"0i_r", devicesGet},
		"hal.device.allocator":           {"0r_r", deviceAllocator},
		"hal.device.query.i64":           {"0rrr_iI", deviceQuery},
		"hal.allocator.select":           {"0iiICrID_rI", allocatorSelect},
		"hal.executable.create":          {"0rIrrr_r", executableCreate},
		"hal.executable.lookup.function": {"0rr_I", executableLookup},
		"hal.fence.create":               {"0rI_r", fenceCreate},
		"hal.fence.join":                 {"0ICrD_r", fenceJoin},
		"hal.fence.query":                {"0r_i", fenceQuery},
		"hal.fence.signal":               {"0r_v", fenceSignal},
		"hal.fence.fail":                 {"0ri_v", fenceFail},
		"hal.fence.await":                {"0iICrD_i", fenceAwait},
	})
}

func devicesGet(h *Host, c *vm.Call) error {
	if c.I32(0) == 0 {
		c.SetRef(0, h.dev)
	}
	return nil // null: there is no such device
}

func deviceAllocator(h *Host, c *vm.Call) error {
	d, err := arg[*Device](c, 0)
	if err != nil {
		return err
	}
	c.SetRef(0, d.allocator)
	return nil
}

func deviceQuery(h *Host, c *vm.Call) error {
	d, err := arg[*Device](c, 0)
	if err != nil {
		return err
	}
	category, err := text(c, 1)
	if err != nil {
		return err
	}
	key, err := text(c, 2)
	if err != nil {
		return err
	}
	v, ok := d.query(category, key)
	c.SetI32(0, int32(boolean(ok)))
	c.SetI64(1, v)
	return nil
}

// allocatorSelect chooses among devices: there is only one.
func allocatorSelect(h *Host, c *vm.Call) error {
	if c.Span(3) == 0 {
		return bad("allocator_select", "no device to choose from", "at least one", "none")
	}
	d, err := element[*Device](c, 3, 0, 0)
	if err != nil {
		return err
	}
	if d == nil {
		return bad("allocator_select", "the first device to choose from is null", "", "")
	}
	c.SetRef(0, d)
	c.SetI64(1, c.SpanI64(3, 0, 1))
	return nil
}

func executableCreate(h *Host, c *vm.Call) error {
	if _, err := arg[*Device](c, 0); err != nil {
		return err
	}
	format, err := text(c, 2)
	if err != nil {
		return err
	}
	data, err := arg[*vm.Buffer](c, 3)
	if err != nil {
		return err
	}
	constants, err := optional[*vm.Buffer](c, 4)
	if err != nil {
		return err
	}
	var words []byte
	if constants != nil {
		words = constants.Bytes()
	}
	x, err := h.executables.load(format, data.Bytes(), words)
	if err != nil {
		return err
	}
	c.SetRef(0, x)
	return nil
}

func executableLookup(h *Host, c *vm.Call) error {
	x, err := arg[*Executable](c, 0)
	if err != nil {
		return err
	}
	name, err := text(c, 1)
	if err != nil {
		return err
	}
	id, err := x.lookup(name)
	c.SetI64(0, id)
	return err
}

func fenceCreate(h *Host, c *vm.Call) error {
	if _, err := arg[*Device](c, 0); err != nil {
		return err
	}
	c.SetRef(0, newFence())
	return nil
}

// fenceJoin makes a fence that is reached when all given ones are. Fences that
// are reached already need not be waited for: the null fence will do.
func fenceJoin(h *Host, c *vm.Call) error {
	var parts []*Fence
	for i := range c.Span(1) {
		f, err := element[*Fence](c, 1, i, 0)
		if err != nil {
			return err
		}
		if f.status() != statusOK {
			parts = append(parts, f)
		}
	}
	switch len(parts) {
	case 0:
	case 1:
		c.SetRef(0, parts[0])
	default:
		c.SetRef(0, &Fence{code: statusDeferred, parts: parts})
	}
	return nil
}

func fenceQuery(h *Host, c *vm.Call) error {
	f, err := arg[*Fence](c, 0)
	if err != nil {
		return err
	}
	c.SetI32(0, f.status())
	return nil
}

func fenceSignal(h *Host, c *vm.Call) error {
	f, err := arg[*Fence](c, 0)
	if err != nil {
		return err
	}
	f.signal()
	return nil
}

func fenceFail(h *Host, c *vm.Call) error {
	f, err := arg[*Fence](c, 0)
	if err != nil {
		return err
	}
	f.fail(c.I32(1))
	return nil
}

// fenceAwait gives the status of the fences. One that is not reached never will
// be while its only possible signaller waits: that is reported as a timeout.
func fenceAwait(h *Host, c *vm.Call) error {
	status := int32(statusOK)
	for i := range c.Span(2) {
		f, err := element[*Fence](c, 2, i, 0)
		if err != nil {
			return err
		}
		switch s := f.status(); {
		case s == statusOK:
		case s == statusDeferred:
			if status == statusOK {
				status = statusDeadlineExceeded
			}
		default:
			status = s
		}
	}
	c.SetI32(0, status)
	return nil
}
