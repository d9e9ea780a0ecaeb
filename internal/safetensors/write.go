package safetensors

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"sort"
)

// Out is a tensor to be written.
type Out struct {
	Name  string
	DType DType
	Shape []int
	// Data writes the bytes of the tensor, exactly as many as dtype and shape need.
	Data func(io.Writer) error
}

// Bytes is an Out.Data that writes b.
func Bytes(b []byte) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	}
}

// Write writes a file. The result depends on its arguments only: tensors are
// ordered by width of their type, widest first, then by name, so that each is
// aligned to its element and a reader may map it; the header is padded with
// spaces to a multiple of 8.
func Write(w io.Writer, metadata map[string]string, tensors []Out) error {
	order := append([]Out(nil), tensors...)
	sort.SliceStable(order, func(i, j int) bool {
		a, b := order[i], order[j]
		if a.DType.Bits() != b.DType.Bits() {
			return a.DType.Bits() > b.DType.Bits()
		}
		return a.Name < b.Name
	})
	head := []byte{'{'}
	if metadata != nil {
		text, err := json.Marshal(metadata) // sorts its keys
		if err != nil {
			return err
		}
		head = fmt.Appendf(head, "%q:%s", metadataKey, text)
	}
	var offset uint64
	seen := map[string]bool{metadataKey: true, "": true}
	for _, t := range order {
		size, ok := byteSize(t.DType, t.Shape)
		if !ok || !t.DType.Known() {
			return fmt.Errorf("safetensors: tensor %s: cannot write %s %v", quote(t.Name), t.DType, t.Shape)
		}
		if seen[t.Name] {
			return fmt.Errorf("safetensors: tensor name %s is reserved or used twice", quote(t.Name))
		}
		seen[t.Name] = true
		if len(head) > 1 {
			head = append(head, ',')
		}
		name, err := json.Marshal(t.Name)
		if err != nil {
			return err
		}
		shape, err := json.Marshal(append([]int{}, t.Shape...))
		if err != nil {
			return err
		}
		head = fmt.Appendf(head, `%s:{"dtype":%q,"shape":%s,"data_offsets":[%d,%d]}`, name, t.DType, shape, offset, offset+size)
		offset += size
	}
	head = append(head, '}')
	for len(head)%8 != 0 {
		head = append(head, ' ')
	}
	if len(head) > MaxHeader {
		return fmt.Errorf("safetensors: header of %d bytes is longer than %d", len(head), MaxHeader)
	}
	if _, err := w.Write(append(binary.LittleEndian.AppendUint64(nil, uint64(len(head))), head...)); err != nil {
		return err
	}
	for _, t := range order {
		c := &counter{w: w}
		if err := t.Data(c); err != nil {
			return err
		}
		if size, _ := byteSize(t.DType, t.Shape); c.n != size {
			return fmt.Errorf("safetensors: tensor %s: wrote %d bytes, want %d", quote(t.Name), c.n, size)
		}
	}
	return nil
}

type counter struct {
	w io.Writer
	n uint64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.n += uint64(n)
	return n, err
}
