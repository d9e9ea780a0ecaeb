package hal

import (
	"encoding/binary"
	"fmt"

	"github.com/hlocc/hlocc/runtime/internal/vm"
)

func init() {
	register(map[string]export{
		"hal.allocator.allocate":            {"0rIiiI_r", allocatorAllocate},
		"hal.allocator.import":              {"0riIiirII_r", allocatorImport},
		"hal.buffer.assert":                 {"0rrrIii_v", bufferAssert},
		"hal.buffer.allocation.preserve":    {"0r_v", allocationPreserve},
		"hal.buffer.allocation.discard":     {"0r_i", allocationDiscard},
		"hal.buffer.allocation.is_terminal": {"0r_i", allocationIsTerminal},
		"hal.buffer.subspan":                {"0rII_r", bufferSubspan},
		"hal.buffer.length":                 {"0r_I", bufferLength},
		"hal.buffer.load":                   {"0rIi_i", bufferLoad},
		"hal.buffer.store":                  {"0irIi_v", bufferStore},
		"hal.buffer_view.create":            {"0rIIiiCID_r", viewCreate},
		"hal.buffer_view.assert":            {"0rriiCID_v", viewAssert},
		"hal.buffer_view.buffer":            {"0r_r", viewBuffer},
		"hal.buffer_view.element_type":      {"0r_i", viewElementType},
		"hal.buffer_view.encoding_type":     {"0r_i", viewEncodingType},
		"hal.buffer_view.rank":              {"0r_i", viewRank},
		"hal.buffer_view.dim":               {"0ri_I", viewDim},
		"hal.buffer_view.trace":             {"0rCrD_v", viewTrace},
	})
}

func allocatorAllocate(h *Host, c *vm.Call) error {
	if _, err := arg[*allocator](c, 0); err != nil {
		return err
	}
	b, err := h.allocate(c.I64(4))
	if err != nil {
		return err
	}
	c.SetRef(0, b)
	return nil
}

// usageImmutable is IREE_HAL_BUFFER_USAGE_SHARING_IMMUTABLE.
const usageImmutable = 1 << 19

// allocatorImport makes a buffer of memory of the module, without a copy. If
// that cannot be and the module says "try", it gets null and copies by itself.
func allocatorImport(h *Host, c *vm.Call) error {
	if _, err := arg[*allocator](c, 0); err != nil {
		return err
	}
	src, err := arg[*vm.Buffer](c, 5)
	if err != nil {
		return err
	}
	mem, err := part(src, c.I64(6), c.I64(7))
	if err != nil {
		return err
	}
	readonly := src.ReadOnly() || c.I32(4)&usageImmutable != 0
	if src.ReadOnly() && c.I32(4)&usageImmutable == 0 {
		err = bad("import_readonly", "read-only memory is imported for writing", "", "")
	} else if address(mem)%Alignment != 0 && len(mem) > 0 {
		err = bad("import_alignment", "memory of the module is not aligned", fmt.Sprintf("a multiple of %d", Alignment), fmt.Sprintf("%d more than one", address(mem)%Alignment))
	}
	if err != nil {
		if c.I32(1) != 0 {
			return nil
		}
		return err
	}
	c.SetRef(0, Wrap(mem, readonly, src))
	return nil
}

func bufferAssert(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	if n := c.I64(3); b.len < n {
		what, err := text(c, 1)
		if err != nil {
			return err
		}
		return bad("buffer_length", what+": the buffer is too small", fmt.Sprintf("at least %d bytes", n), byteCount(b.len))
	}
	return nil
}

// The next three count the owners of an allocation as the stock runtime does:
// whoever discards the last one deallocates.

func allocationPreserve(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	b.store.owners.Add(1)
	return nil
}

func allocationDiscard(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	c.SetI32(0, int32(boolean(b.store.owners.Add(-1) == 0)))
	return nil
}

func allocationIsTerminal(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	c.SetI32(0, int32(boolean(b.store.owners.Load() == 1)))
	return nil
}

func bufferSubspan(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	s, err := b.Subspan(c.I64(1), c.I64(2))
	if err != nil {
		return err
	}
	c.SetRef(0, s)
	return nil
}

func bufferLength(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	c.SetI64(0, b.len)
	return nil
}

func bufferLoad(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	var word [4]byte
	n, err := wordSize(c.I32(2))
	if err != nil {
		return err
	}
	mem, err := b.span("load", c.I64(1), n)
	if err != nil {
		return err
	}
	copy(word[:], mem)
	c.SetI32(0, int32(binary.LittleEndian.Uint32(word[:])))
	return nil
}

func bufferStore(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 1)
	if err != nil {
		return err
	}
	n, err := wordSize(c.I32(3))
	if err != nil {
		return err
	}
	mem, err := b.target("store", c.I64(2), n)
	if err != nil {
		return err
	}
	var word [4]byte
	binary.LittleEndian.PutUint32(word[:], uint32(c.I32(0)))
	copy(mem, word[:])
	return nil
}

func wordSize(n int32) (int64, error) {
	if n < 0 || n > 4 {
		return 0, bad("buffer_word", "size of a load or store", "0 to 4 bytes", fmt.Sprint(n))
	}
	return int64(n), nil
}

func viewCreate(h *Host, c *vm.Call) error {
	b, err := arg[*Buffer](c, 0)
	if err != nil {
		return err
	}
	if b, err = b.Subspan(c.I64(1), c.I64(2)); err != nil {
		return err
	}
	rank := c.Span(5)
	if rank > maxRank {
		return bad("view_rank", "a tensor of too many dimensions", fmt.Sprintf("at most %d", maxRank), fmt.Sprint(rank))
	}
	shape := make([]int, rank)
	for i := range shape {
		shape[i] = int(c.SpanI64(5, i, 0))
	}
	v, err := newView(b, ElementType(c.I32(3)), Encoding(c.I32(4)), shape)
	if err != nil {
		return err
	}
	c.SetRef(0, v)
	return nil
}

// viewAssert checks an argument of a function against what it was compiled for.
func viewAssert(h *Host, c *vm.Call) error {
	v, err := arg[*BufferView](c, 0)
	if err != nil {
		return err
	}
	want, enc := ElementType(c.I32(2)), Encoding(c.I32(3))
	ok := v.element.fits(want) && (v.encoding == enc || v.encoding == OpaqueEncoding) && len(v.shape) == c.Span(4)
	for i := 0; ok && i < len(v.shape); i++ {
		ok = int64(v.shape[i]) == c.SpanI64(4, i, 0)
	}
	if ok {
		return nil
	}
	what, err := text(c, 1)
	if err != nil {
		return err
	}
	shape := make([]int, c.Span(4))
	for i := range shape {
		shape[i] = int(c.SpanI64(4, i, 0))
	}
	return bad("view_mismatch", what+": the tensor does not fit", describe(want, shape), v.String())
}

func viewBuffer(h *Host, c *vm.Call) error {
	v, err := arg[*BufferView](c, 0)
	if err != nil {
		return err
	}
	c.SetRef(0, v.buffer)
	return nil
}

func viewElementType(h *Host, c *vm.Call) error {
	v, err := arg[*BufferView](c, 0)
	if err != nil {
		return err
	}
	c.SetI32(0, int32(v.element))
	return nil
}

func viewEncodingType(h *Host, c *vm.Call) error {
	v, err := arg[*BufferView](c, 0)
	if err != nil {
		return err
	}
	c.SetI32(0, int32(v.encoding))
	return nil
}

func viewRank(h *Host, c *vm.Call) error {
	v, err := arg[*BufferView](c, 0)
	if err != nil {
		return err
	}
	c.SetI32(0, int32(len(v.shape)))
	return nil
}

func viewDim(h *Host, c *vm.Call) error {
	v, err := arg[*BufferView](c, 0)
	if err != nil {
		return err
	}
	i := c.I32(1)
	if i < 0 || int(i) >= len(v.shape) {
		return bad("view_dimension", "no such dimension", fmt.Sprintf("less than %d", len(v.shape)), fmt.Sprint(i))
	}
	c.SetI64(0, int64(v.shape[i]))
	return nil
}

func viewTrace(h *Host, c *vm.Call) error {
	if h.dev.opts.Trace == nil {
		return nil
	}
	key, err := text(c, 0)
	if err != nil {
		return err
	}
	views := make([]*BufferView, c.Span(1))
	for i := range views {
		if views[i], err = element[*BufferView](c, 1, i, 0); err != nil {
			return err
		}
	}
	h.dev.opts.Trace(key, views)
	return nil
}
