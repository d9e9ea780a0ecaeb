package safetensors

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"sort"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/strictjson"
)

// MaxHeader is the largest header length in bytes; the reference
// implementation has the same limit.
const MaxHeader = 100_000_000

// maxRank bounds the number of dimensions; NumPy and PyTorch stop at 64 too.
const maxRank = 64

// metadataKey is the reserved name in the header that holds free text.
const metadataKey = "__metadata__"

// header is the decoded first part of a file.
type header struct {
	metadata map[string]string
	tensors  []*Tensor // by position in the data section, then by name
}

// parseHeader decodes the JSON header of a file whose data section starts at
// base and has dataSize bytes, and checks that the tensors tile that section
// exactly: no overlap, no hole, nothing left over.
func parseHeader(text []byte, base, dataSize int64) (*header, error) {
	if len(text) == 0 || text[0] != '{' {
		return nil, headerError("", "the header does not start with '{'", "a JSON object", "")
	}
	h := &header{}
	d := strictjson.NewDecoder(text)
	err := d.Object(func(name string, offset int) error {
		if name == metadataKey {
			return h.readMetadata(d)
		}
		if name == "" {
			return d.Errorf(offset, "empty tensor name")
		}
		t, err := readEntry(d, name, base)
		h.tensors = append(h.tensors, t)
		return err
	})
	if err == nil {
		err = d.End()
	}
	if err != nil {
		if syntax, ok := errors.AsType[*strictjson.SyntaxError](err); ok {
			return nil, headerError(fmt.Sprintf("header byte %d", syntax.Offset), syntax.Msg, "", "")
		}
		return nil, err
	}
	sort.Slice(h.tensors, func(i, j int) bool {
		a, b := h.tensors[i], h.tensors[j]
		if a.begin != b.begin {
			return a.begin < b.begin
		}
		if a.end != b.end {
			return a.end < b.end // an empty tensor comes before the one that starts at its place
		}
		return a.Name < b.Name
	})
	next := base
	for i, t := range h.tensors {
		if t.begin != next {
			what, after := "hole", "the start of the data"
			if t.begin < next {
				what = "overlap"
			}
			if i > 0 {
				after = "tensor " + quote(h.tensors[i-1].Name)
			}
			return nil, headerError("tensor "+quote(t.Name), what+" between "+after+" and this tensor",
				fmt.Sprintf("data_offsets to begin at %d", next-base), strconv.FormatInt(t.begin-base, 10))
		}
		next = t.end
	}
	if end := base + dataSize; next != end {
		e := headerError("", "file size does not match the header",
			fmt.Sprintf("%d bytes", next), fmt.Sprintf("%d bytes", end))
		if next > end {
			e.Message, e.Code = "file is truncated", "safetensors_truncated"
			e.Fix = "download it again"
		}
		return nil, e
	}
	return h, nil
}

func (h *header) readMetadata(d *strictjson.Decoder) error {
	h.metadata = map[string]string{}
	return d.Object(func(key string, _ int) error {
		value, err := d.String()
		h.metadata[key] = value
		return err
	})
}

// readEntry reads {"dtype":..., "shape":[...], "data_offsets":[begin,end]}.
func readEntry(d *strictjson.Decoder, name string, base int64) (*Tensor, error) {
	t := &Tensor{Name: name}
	where := "tensor " + quote(name)
	start := d.Offset()
	var begin, end uint64
	var have int
	err := d.Object(func(key string, offset int) error {
		switch key {
		case "dtype":
			have |= 1
			s, err := d.String()
			if err != nil {
				return err
			}
			t.DType = DType(s)
			if !t.DType.Known() {
				return &diag.Error{Kind: diag.Unsupported, Code: "tensor_dtype", Where: where,
					Message: "unknown element type", Want: "one of " + strings.Join(dtypeNames(), ", "), Found: quote(s)}
			}
			return nil
		case "shape":
			have |= 2
			t.Shape = []int{}
			return d.Array(func(i int) error {
				offset := d.Offset()
				n, err := d.Uint()
				switch {
				case err != nil:
					return err
				case n > math.MaxInt:
					return d.Errorf(offset, "dimension %d is too large", n)
				case i >= maxRank:
					return d.Errorf(offset, "more than %d dimensions", maxRank)
				}
				t.Shape = append(t.Shape, int(n))
				return nil
			})
		case "data_offsets":
			have |= 4
			count := 0
			err := d.Array(func(i int) (err error) {
				count++
				switch i {
				case 0:
					begin, err = d.Uint()
				case 1:
					end, err = d.Uint()
				default:
					err = d.Errorf(d.Offset(), "data_offsets has more than 2 numbers")
				}
				return err
			})
			if err == nil && count != 2 {
				err = d.Errorf(offset, "data_offsets has %d numbers, want 2", count)
			}
			return err
		}
		return d.Errorf(offset, "unknown key %s, want dtype, shape, data_offsets", quote(key))
	})
	if err != nil {
		return nil, err
	}
	if have != 7 {
		return nil, d.Errorf(start, "tensor %s lacks one of dtype, shape, data_offsets", quote(name))
	}
	size, ok := byteSize(t.DType, t.Shape)
	if !ok {
		return nil, headerError(where, "size overflows or is no whole number of bytes",
			"", fmt.Sprintf("%s %v", t.DType, t.Shape))
	}
	if end < begin || end > math.MaxInt64-uint64(base) || end-begin != size {
		return nil, headerError(where, "data_offsets do not match dtype and shape",
			fmt.Sprintf("%d bytes for %s %v", size, t.DType, t.Shape), fmt.Sprintf("[%d, %d]", begin, end))
	}
	t.begin, t.end = base+int64(begin), base+int64(end)
	return t, nil
}

// byteSize is the size of a tensor in bytes; false if it overflows an int64 or
// a type narrower than a byte does not fill its last byte.
func byteSize(t DType, shape []int) (uint64, bool) {
	n := uint64(t.Bits())
	for _, d := range shape {
		hi, lo := bits.Mul64(n, uint64(d))
		if hi != 0 {
			return 0, false
		}
		n = lo
	}
	return n / 8, n%8 == 0 && n/8 <= math.MaxInt64
}

func headerError(where, message, want, found string) *diag.Error {
	return &diag.Error{Kind: diag.BadInput, Code: "safetensors_header", Where: where, Message: message, Want: want, Found: found}
}

func dtypeNames() []string {
	names := make([]string, 0, len(dtypeBits))
	for d := range dtypeBits {
		names = append(names, string(d))
	}
	sort.Strings(names)
	return names
}

// quote quotes a name from a file for a message: one line, bounded.
func quote(s string) string {
	if len(s) > 160 {
		s = strings.ToValidUTF8(s[:157], "") + "..."
	}
	return strconv.Quote(s)
}
