package quantize

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// testModel describes a Llama of one layer whose head has its own tensor.
type testModel struct {
	hidden, inter, headDim, heads, kvHeads, vocab int
	// number gives element (row, col) of a tensor; nil for normal ones.
	number func(tensor string, row, col int) float32
	dtype  safetensors.DType // "" for BF16
}

// open writes the model and opens it.
func (c testModel) open(t testing.TB) *arch.Model {
	t.Helper()
	dir := t.TempDir()
	config := fmt.Sprintf(`{"model_type":"llama","vocab_size":%d,"hidden_size":%d,"intermediate_size":%d,"num_hidden_layers":1,"num_attention_heads":%d,
		"num_key_value_heads":%d,"head_dim":%d,"max_position_embeddings":64,"rms_norm_eps":1e-5,"rope_theta":10000,"tie_word_embeddings":false}`,
		c.vocab, c.hidden, c.inter, c.heads, c.kvHeads, c.headDim)
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var out []safetensors.Out
	add := func(name string, shape ...int) {
		out = append(out, safetensors.Out{Name: name, DType: c.type_(), Shape: shape, Data: safetensors.Bytes(c.bytes(name, shape))})
	}
	add("model.embed_tokens.weight", c.vocab, c.hidden)
	add("model.layers.0.input_layernorm.weight", c.hidden)
	add("model.layers.0.self_attn.q_proj.weight", c.heads*c.headDim, c.hidden)
	add("model.layers.0.self_attn.k_proj.weight", c.kvHeads*c.headDim, c.hidden)
	add("model.layers.0.self_attn.v_proj.weight", c.kvHeads*c.headDim, c.hidden)
	add("model.layers.0.self_attn.o_proj.weight", c.hidden, c.heads*c.headDim)
	add("model.layers.0.post_attention_layernorm.weight", c.hidden)
	add("model.layers.0.mlp.gate_proj.weight", c.inter, c.hidden)
	add("model.layers.0.mlp.up_proj.weight", c.inter, c.hidden)
	add("model.layers.0.mlp.down_proj.weight", c.hidden, c.inter)
	add("model.norm.weight", c.hidden)
	add("lm_head.weight", c.vocab, c.hidden)
	f, err := os.Create(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	if err := safetensors.Write(f, nil, out); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	m, err := arch.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func (c testModel) type_() safetensors.DType {
	if c.dtype == "" {
		return safetensors.BF16
	}
	return c.dtype
}

func (c testModel) bytes(name string, shape []int) []byte {
	rows := 1
	if len(shape) == 2 {
		rows = shape[0]
	}
	rng := rand.New(rand.NewPCG(uint64(len(name)), uint64(name[len(name)-8])))
	var data []byte
	for r := range rows {
		for k := range shape[len(shape)-1] {
			x := float32(rng.NormFloat64() * 0.1)
			if c.number != nil {
				x = c.number(name, r, k)
			}
			switch c.type_() {
			case safetensors.F32:
				data = binary.LittleEndian.AppendUint32(data, bitsOf(x))
			case safetensors.F16:
				data = binary.LittleEndian.AppendUint16(data, floats.ToF16(x))
			default:
				data = binary.LittleEndian.AppendUint16(data, floats.ToBF16(x))
			}
		}
	}
	return data
}

// archive keeps what is written.
type archive struct {
	mu      sync.Mutex
	tensors map[string]*bytes.Buffer
	open    map[string]bool
}

func newArchive() *archive {
	return &archive{tensors: map[string]*bytes.Buffer{}, open: map[string]bool{}}
}

func (a *archive) tensor(name string) (io.WriteCloser, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.tensors[name] != nil {
		return nil, fmt.Errorf("%s is written twice", name)
	}
	a.tensors[name], a.open[name] = &bytes.Buffer{}, true
	return &archiveTensor{a, name, a.tensors[name]}, nil
}

type archiveTensor struct {
	a    *archive
	name string
	*bytes.Buffer
}

func (t *archiveTensor) Close() error {
	t.a.mu.Lock()
	defer t.a.mu.Unlock()
	delete(t.a.open, t.name)
	return nil
}

// written writes a plan and checks that every tensor is complete.
func written(t *testing.T, m *arch.Model, plan []Storage) (*archive, []Report) {
	t.Helper()
	a := newArchive()
	reports, err := WriteAll(context.Background(), m, plan, nil, a.tensor)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, s := range plan {
		for _, tensor := range s.Tensors() {
			n++
			if got := a.tensors[tensor.Name]; got == nil || int64(got.Len()) != tensor.Bytes() || a.open[tensor.Name] {
				t.Errorf("%s is not complete", tensor.Name)
			}
		}
	}
	if n != len(a.tensors) {
		t.Errorf("%d tensors were written, want %d", len(a.tensors), n)
	}
	return a, reports
}

func (a *archive) dequantize(t *testing.T, s Storage) []float32 {
	t.Helper()
	var data [3][]byte
	for i, tensor := range s.Tensors() {
		data[i] = a.tensors[tensor.Name].Bytes()
	}
	w, err := s.Dequantize(data[0], data[1], data[2])
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// original reads the numbers of a storage's weights from the checkpoint.
func original(t *testing.T, m *arch.Model, s Storage) []float32 {
	t.Helper()
	names := s.Parts
	if names == nil {
		names = []string{s.Weight}
	}
	var parts [][]float32
	for _, name := range names {
		w, err := m.ReadFloat32(context.Background(), m.Weight(name))
		if err != nil {
			t.Fatal(err)
		}
		parts = append(parts, w)
	}
	count := s.matrix().count
	var all []float32
	for e := range count {
		for _, p := range parts {
			n := len(p) / count
			all = append(all, p[e*n:(e+1)*n]...)
		}
	}
	return all
}

func find(t *testing.T, plan []Storage, weight string) Storage {
	t.Helper()
	i := slices.IndexFunc(plan, func(s Storage) bool { return s.Weight == weight })
	if i < 0 {
		t.Fatalf("the plan has no %s", weight)
	}
	return plan[i]
}
