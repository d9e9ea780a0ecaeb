package hal

import (
	"encoding/binary"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/params"
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

func init() {
	register(map[string]export{
		"io_parameters.load":    {"0rIrrrIiirrr_r", parametersLoad},
		"io_parameters.gather":  {"0rIrrrrrrr_v", parametersGather},
		"io_parameters.scatter": {"0rIrrrrrrr_v", parametersScatter},
	})
}

// Sizes of the entries of the tables that modules describe parameters with:
// key {u32 offset, u32 length}; span {u64 offset in the parameter, u64 offset
// in the buffer, u64 length}.
const (
	keySize  = 8
	spanSize = 24
)

// parameterSpan is one entry of these tables.
type parameterSpan struct {
	key            string
	off, at, bytes int64
}

func (s *parameterSpan) describe(scope string) string {
	if scope == "" {
		return fmt.Sprintf("parameter %q", s.key)
	}
	return fmt.Sprintf("parameter %q of %q", s.key, scope)
}

// parameterSpans reads the tables, which are arguments i to i+2.
func parameterSpans(c *vm.Call, i int) ([]parameterSpan, error) {
	keys, err := arg[*vm.Buffer](c, i)
	if err != nil {
		return nil, err
	}
	text, err := arg[*vm.Buffer](c, i+1)
	if err != nil {
		return nil, err
	}
	table, err := arg[*vm.Buffer](c, i+2)
	if err != nil {
		return nil, err
	}
	k, names, t := keys.Bytes(), text.Bytes(), table.Bytes()
	if len(t)%spanSize != 0 || len(k) < len(t)/spanSize*keySize {
		return nil, bad("parameter_table", "sizes of the parameter tables", "as many keys as spans", fmt.Sprintf("%d bytes of keys, %d of spans", len(k), len(t)))
	}
	le := binary.LittleEndian
	spans := make([]parameterSpan, len(t)/spanSize)
	for n := range spans {
		off, length := uint64(le.Uint32(k[n*keySize:])), uint64(le.Uint32(k[n*keySize+4:]))
		if off > uint64(len(names)) || length > uint64(len(names))-off {
			return nil, bad("parameter_table", fmt.Sprintf("key %d of the parameter table lies outside its text", n), fmt.Sprintf("within %d bytes", len(names)), fmt.Sprintf("%d bytes at %d", length, off))
		}
		e := t[n*spanSize:]
		spans[n] = parameterSpan{
			key: string(names[off:][:length]),
			off: int64(le.Uint64(e)), at: int64(le.Uint64(e[8:])), bytes: int64(le.Uint64(e[16:])),
		}
	}
	return spans, nil
}

// parameter gives the bytes of a span.
func (h *Host) parameter(scope string, s *parameterSpan) ([]byte, error) {
	if h.params == nil {
		return nil, noParameter(scope, s)
	}
	data, err := h.params.Parameter(scope, s.key)
	if err != nil {
		return nil, err
	}
	if data == nil {
		return nil, noParameter(scope, s)
	}
	return s.within(scope, data)
}

func noParameter(scope string, s *parameterSpan) error {
	return &diag.Error{Kind: diag.BadInput, Code: "parameter_missing", Where: s.describe(scope), Message: "the program needs a parameter that it was not given",
		Fix: "give it the weights that it was built with"}
}

func (s *parameterSpan) within(scope string, data []byte) ([]byte, error) {
	if s.off < 0 || s.bytes < 0 || s.off > int64(len(data)) || s.bytes > int64(len(data))-s.off {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "parameter_size", Where: s.describe(scope), Message: "has another size than the program was compiled for",
			Want: fmt.Sprintf("%d bytes at %d", s.bytes, s.off), Found: byteCount(int64(len(data))), Fix: "give it the weights that it was built with"}
	}
	return data[s.off : s.off+s.bytes : s.off+s.bytes], nil
}

// parametersLoad gives the parameters as buffers, in place.
func parametersLoad(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		scope, err := text(c, 4)
		if err != nil {
			return err
		}
		spans, err := parameterSpans(c, 8)
		if err != nil {
			return err
		}
		list := vm.NewList(vm.KindRef, len(spans))
		for i := range spans {
			s := &spans[i]
			data, err := h.parameter(scope, s)
			if err != nil {
				return err
			}
			if len(data) > 0 && address(data)%Alignment != 0 {
				return &diag.Error{Kind: diag.BadInput, Code: "parameter_alignment", Where: s.describe(scope), Message: "is not aligned in memory",
					Want: fmt.Sprintf("an address that is a multiple of %d", Alignment), Found: fmt.Sprintf("%d more than one", address(data)%Alignment),
					Fix: "store it at an aligned offset"}
			}
			list.Set(i, vm.RefValue(Wrap(data, true, h.params)))
		}
		c.SetRef(0, list)
		return nil
	})
}

// parametersGather copies parameters into one buffer.
func parametersGather(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		scope, err := text(c, 4)
		if err != nil {
			return err
		}
		target, err := arg[*Buffer](c, 5)
		if err != nil {
			return err
		}
		spans, err := parameterSpans(c, 6)
		if err != nil {
			return err
		}
		for i := range spans {
			data, err := h.parameter(scope, &spans[i])
			if err != nil {
				return err
			}
			mem, err := target.target("parameter", spans[i].at, int64(len(data)))
			if err != nil {
				return err
			}
			copy(mem, data)
		}
		return nil
	})
}

// parametersScatter copies parts of a buffer into parameters.
func parametersScatter(h *Host, c *vm.Call) error {
	return queued(c, func() error {
		source, err := arg[*Buffer](c, 4)
		if err != nil {
			return err
		}
		scope, err := text(c, 5)
		if err != nil {
			return err
		}
		spans, err := parameterSpans(c, 6)
		if err != nil {
			return err
		}
		sink, ok := h.params.(params.Sink)
		if !ok && len(spans) > 0 {
			return &diag.Error{Kind: diag.Unsupported, Code: "parameter_readonly", Where: spans[0].describe(scope),
				Message: "the program writes to a parameter, and its parameters can only be read"}
		}
		for i := range spans {
			s := &spans[i]
			data, err := sink.WriteParameter(scope, s.key)
			if err != nil {
				return err
			}
			if data == nil {
				return noParameter(scope, s)
			}
			if data, err = s.within(scope, data); err != nil {
				return err
			}
			mem, err := source.span("parameter", s.at, s.bytes)
			if err != nil {
				return err
			}
			copy(data, mem)
		}
		return nil
	})
}
