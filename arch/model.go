package arch

import (
	"errors"
	"fmt"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Model is a model directory whose configuration and headers have been checked.
// Its weights are still on disk. It may be used concurrently until Close.
type Model struct {
	Dir        string
	Family     string // model_type
	Config     *Config
	Spec       *Spec
	Weights    []Weight // embedding, layers in order, final norm, head
	Ignored    []Ignored
	Generation Generation
	// Packing is how the checkpoint packs its matrices if it was quantized before, else nil.
	Packing *Packing

	family Family
	head   string // the tensor of the head, should there be one
	ckpt   *safetensors.Checkpoint
}

// Open reads the configuration and the tensor headers of a model directory and
// checks that they fit: the family and every key are supported, every tensor
// that the model needs is there with the right shape and a float type, and no
// unexplained tensor is left over. It reads no weights. Errors are *diag.Error:
// Unsupported for models that we do not run, BadInput for directories that are
// not right.
func Open(dir string) (*Model, error) {
	m, err := openConfig(dir)
	if err != nil {
		return nil, err
	}
	if m.ckpt, err = safetensors.OpenCheckpoint(dir); err != nil {
		return nil, err
	}
	m.head = m.family.headTensor(m.Spec, m.ckpt)
	if text := m.Config.Text(); !text.Has(tieKey) && (!m.Spec.Head.Tied || text != m.Config) {
		// The class default unties, but a checkpoint without a head can only mean
		// the embedding: writers leave out keys that they take for defaults. Of
		// vision-language models, the defaults differ from version to version.
		m.Spec.Head.Tied = m.ckpt.Tensor(m.head) == nil && m.ckpt.Tensor(strings.TrimSuffix(m.head, "weight")+"qweight") == nil
	}
	m.Weights, m.Ignored, err = resolve(dir, m.family, m.Spec, m.ckpt, m.Packing)
	if err != nil {
		m.ckpt.Close()
		return nil, err
	}
	return m, nil
}

// openConfig does the part of Open that needs no weights.
func openConfig(dir string) (*Model, error) {
	c, err := ReadConfig(dir)
	if err != nil {
		return nil, err
	}
	f, err := FamilyOf(c)
	if err != nil {
		return nil, err
	}
	s, err := SpecOf(f, c)
	if err != nil {
		return nil, err
	}
	g, err := readGeneration(dir, c, s.Vocab)
	if err != nil {
		return nil, err
	}
	return &Model{Dir: dir, Family: f.Name, Config: c, Spec: s, Packing: c.packed, Generation: g, family: f}, nil
}

// SpecOf makes the Spec of a config, and refuses the config if a key that may
// change the maths is left unread.
func SpecOf(f Family, c *Config) (*Spec, error) {
	s := f.Spec(c)
	c.packed = c.packing()
	if err := c.Finish(); err != nil {
		return nil, err
	}
	if err := s.Validate(); err != nil {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "config_range", File: c.File, Message: "inconsistent configuration", Cause: err}
	}
	return s, nil
}

// Close closes the checkpoint's files.
func (m *Model) Close() error { return m.ckpt.Close() }

// Inspection is the verdict on a model directory, without its weights.
type Inspection struct {
	Family    string   `json:"family"`
	Supported bool     `json:"supported"`
	Reasons   []string `json:"reasons"` // why not; empty if supported
	Spec      *Spec    `json:"spec"`    // null if not supported
	// Parameters counts the weights that the model uses; of a model that is not
	// supported, all floating-point tensors.
	Parameters int64 `json:"parameters"`
	// Bytes is the size of the weights by stored type.
	Bytes map[string]int64 `json:"bytes"`
	// KVBytesPerToken is the size of the float32 cache for one position.
	KVBytesPerToken int64 `json:"kv_bytes_per_token"`
	MaxPositions    int   `json:"max_positions"`
	// Packing is how the checkpoint was quantized before, absent if it was not.
	Packing *Packing `json:"packing,omitempty"`
	// Ignored explains tensors that are left out.
	Ignored    []Ignored   `json:"ignored"`
	Generation *Generation `json:"generation,omitempty"`
}

// Inspect looks at a model directory as Open does. The Inspection is never nil
// and says as much as could be found out; the error is the one of Open, so that
// a caller can choose an exit code.
func Inspect(dir string) (*Inspection, error) {
	in := &Inspection{Reasons: []string{}, Bytes: map[string]int64{}, Ignored: []Ignored{}}
	m, err := Open(dir)
	if err == nil {
		defer m.Close()
		in.Family, in.Supported, in.Spec, in.Generation = m.Family, true, m.Spec, &m.Generation
		in.Parameters, in.MaxPositions = m.Parameters(), m.Spec.MaxPositions
		in.KVBytesPerToken, in.Packing = m.Spec.KVBytes(1), m.Packing
		for dtype, n := range m.Bytes() {
			in.Bytes[string(dtype)] = n
		}
		in.Ignored = append(in.Ignored, m.Ignored...)
		return in, nil
	}
	in.Reasons = append(in.Reasons, reason(err))
	if c, cerr := ReadConfig(dir); cerr == nil {
		in.Family = c.ModelType
	}
	if ckpt, cerr := safetensors.OpenCheckpoint(dir); cerr == nil {
		defer ckpt.Close()
		for _, name := range ckpt.Names() {
			t := ckpt.Tensor(name)
			in.Bytes[string(t.DType)] += t.Size()
			if t.DType.IsFloat() {
				in.Parameters += t.Elements()
			}
		}
	}
	return in, err
}

// reason is the diagnostic without the file name, which the reader knows.
func reason(err error) string {
	var e *diag.Error
	if !errors.As(err, &e) {
		return fmt.Sprint(err)
	}
	short := *e
	short.File = ""
	return short.Error()
}
