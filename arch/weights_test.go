package arch

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/safetensors"
)

// counting is a float32 tensor whose element i is first+i.
func counting(name string, first int, shape ...int) safetensors.Out {
	n := 1
	for _, d := range shape {
		n *= d
	}
	var b []byte
	for i := range n {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(first+i)))
	}
	return safetensors.Out{Name: name, DType: safetensors.F32, Shape: shape, Data: safetensors.Bytes(b)}
}

// checkpointOf writes tensors into a new folder and opens it.
func checkpointOf(t *testing.T, tensors ...safetensors.Out) (dir string, ckpt *safetensors.Checkpoint) {
	t.Helper()
	dir = t.TempDir()
	var file bytes.Buffer
	if err := safetensors.Write(&file, nil, tensors); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, safetensors.SingleName), file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	ckpt, err := safetensors.OpenCheckpoint(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ckpt.Close() })
	return dir, ckpt
}

// modelOf resolves rules against tensors.
func modelOf(t *testing.T, layers int, rules []Rule, tensors ...safetensors.Out) (*Model, error) {
	t.Helper()
	dir, ckpt := checkpointOf(t, tensors...)
	var err error
	m := &Model{Dir: dir, Spec: &Spec{Layers: make([]Layer, layers)}, ckpt: ckpt}
	m.Weights, m.Ignored, err = resolve(dir, Family{Weights: func(*Spec) []Rule { return rules }}, m.Spec, ckpt, nil)
	return m, err
}

func dim(n int) Dim { return Dim{n, fmt.Sprintf("d%d", n)} }

// rowsOf is a weight that is rows [from, to) of a fused tensor.
func rowsOf(logical, tensor string, from, to int, dims ...Dim) Rule {
	shape := sizes(dims)
	shape[0] = to - from
	return Rule{Logical: logical, Shape: shape, Pieces: []RulePiece{{Tensor: tensor, Dims: dims, Rows: [2]int{from, to}}}}
}

func TestRules(t *testing.T) {
	rules := []Rule{
		Direct("plain", "plain", dim(2), dim(3)),
		rowsOf("layers.*.q", "l.*.fused", 0, 2, dim(4), dim(2)),
		rowsOf("layers.*.kv", "l.*.fused", 2, 4, dim(4), dim(2)),
		Transposed("layers.*.t", "l.*.t", dim(2), dim(3)),
		{Logical: "layers.*.half", Shape: []int{2, 2}, Pieces: []RulePiece{{Tensor: "l.*.t", Dims: []Dim{dim(2), dim(3)}, Rows: [2]int{1, 3}, Transpose: true}}},
		Concat("concat", []string{"e0", "e1"}, dim(1), dim(2)),
		Stack("stack", []string{"e1", "e0"}, dim(1), dim(2)),
		Transposed("batch", "batch", dim(2), dim(2), dim(3)),
		Direct("scalar", "scalar"),
		{Logical: "runs", Shape: []int{4, 2}, Pieces: []RulePiece{{Tensor: "runs", Dims: []Dim{dim(6), dim(2)}, Rows: [2]int{1, 6}, Step: 3, Run: 2}}},
	}
	m, err := modelOf(t, 2, rules,
		counting("plain", 0, 2, 3), counting("l.0.fused", 10, 4, 2), counting("l.1.fused", 20, 4, 2),
		counting("l.0.t", 30, 2, 3), counting("l.1.t", 40, 2, 3), counting("e0", 50, 1, 2), counting("e1", 60, 1, 2),
		counting("batch", 70, 2, 2, 3), counting("scalar", 99), counting("runs", 0, 6, 2))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for i := range m.Weights {
		w := &m.Weights[i]
		names = append(names, w.Name)
		want := map[string]struct {
			shape []int
			data  []float32
		}{
			"plain":         {[]int{2, 3}, []float32{0, 1, 2, 3, 4, 5}},
			"layers.0.q":    {[]int{2, 2}, []float32{10, 11, 12, 13}},
			"layers.0.kv":   {[]int{2, 2}, []float32{14, 15, 16, 17}},
			"layers.1.q":    {[]int{2, 2}, []float32{20, 21, 22, 23}},
			"layers.1.kv":   {[]int{2, 2}, []float32{24, 25, 26, 27}},
			"layers.0.t":    {[]int{3, 2}, []float32{30, 33, 31, 34, 32, 35}},
			"layers.1.t":    {[]int{3, 2}, []float32{40, 43, 41, 44, 42, 45}},
			"layers.0.half": {[]int{2, 2}, []float32{31, 34, 32, 35}},
			"layers.1.half": {[]int{2, 2}, []float32{41, 44, 42, 45}},
			"concat":        {[]int{2, 2}, []float32{50, 51, 60, 61}},
			"stack":         {[]int{2, 1, 2}, []float32{60, 61, 50, 51}},
			"batch":         {[]int{2, 3, 2}, []float32{70, 73, 71, 74, 72, 75, 76, 79, 77, 80, 78, 81}},
			"scalar":        {[]int{}, []float32{99}},
			"runs":          {[]int{4, 2}, []float32{2, 3, 4, 5, 8, 9, 10, 11}},
		}[w.Name]
		got, err := m.ReadFloat32(context.Background(), w)
		if err != nil || !reflect.DeepEqual(got, want.data) || !reflect.DeepEqual(w.Shape, want.shape) || w.Elements() != int64(len(want.data)) {
			t.Errorf("%s: want %v %v, found %v %v, %v", w.Name, want.shape, want.data, w.Shape, got, err)
		}
	}
	const order = "plain layers.0.q layers.0.kv layers.0.t layers.0.half layers.1.q layers.1.kv layers.1.t layers.1.half concat stack batch scalar runs"
	if got := strings.Join(names, " "); got != order {
		t.Errorf("order: %s", got)
	}
}

// Chunks and bands have seams; they must not show.
func TestLargeWeights(t *testing.T) {
	const rows, cols = 700, 1100 // 3 MB: several chunks, several bands
	m, err := modelOf(t, 0, []Rule{Direct("a", "x", dim(rows), dim(cols)), Transposed("b", "x", dim(rows), dim(cols)), rowsOf("c", "x", 123, 457, dim(rows), dim(cols))},
		counting("x", 0, rows, cols))
	if err != nil {
		t.Fatal(err)
	}
	a, err := m.ReadFloat32(context.Background(), m.Weight("a"))
	if err != nil || len(a) != rows*cols {
		t.Fatal(len(a), err)
	}
	b, err := m.ReadFloat32(context.Background(), m.Weight("b"))
	if err != nil || len(b) != rows*cols {
		t.Fatal(len(b), err)
	}
	c, err := m.ReadFloat32(context.Background(), m.Weight("c"))
	if err != nil || len(c) != (457-123)*cols {
		t.Fatal(len(c), err)
	}
	for i := range a {
		if a[i] != float32(i) || b[i%cols*rows+i/cols] != float32(i) {
			t.Fatalf("element %d: %v, %v", i, a[i], b[i%cols*rows+i/cols])
		}
	}
	for i := range c {
		if c[i] != float32(123*cols+i) {
			t.Fatalf("element %d of the rows: %v", i, c[i])
		}
	}
}

// Tensors of different types make one weight in a type that holds all exactly.
func TestMixedTypes(t *testing.T) {
	f16 := safetensors.Out{Name: "h", DType: safetensors.F16, Shape: []int{1, 2}, Data: safetensors.Bytes([]byte{0, 0x3c, 0, 0x40})}
	bf16 := safetensors.Out{Name: "b", DType: safetensors.BF16, Shape: []int{1, 2}, Data: safetensors.Bytes([]byte{0x80, 0x3f, 0, 0x40})}
	m, err := modelOf(t, 0, []Rule{Concat("x", []string{"h", "b"}, dim(1), dim(2))}, f16, bf16)
	if err != nil {
		t.Fatal(err)
	}
	w := m.Weight("x")
	data, err := m.ReadFloat32(context.Background(), w)
	if w.DType != safetensors.F32 || err != nil || !reflect.DeepEqual(data, []float32{1, 2, 1, 2}) {
		t.Errorf("%s %v %v", w.DType, data, err)
	}
}

func TestMatchPattern(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a.b", "a.b", true}, {"a.b", "a.bc", false}, {"a.*", "a.b.c", true}, {"a.*", "a.", false}, {"*.c", "a.b.c", true}, {"*.c", ".c", false},
		{"a.*.c", "a.b.c", true}, {"a.*.c", "a..c", false}, {"a.*.c.*.e", "a.b.c.d.e", true}, {"a.*.c.*.e", "a.b.c.e", false}, {"*", "x", true}, {"*", "", false},
		{"a*a*a", "aaaaa", true}, {"a*a*a", "aaa", false}, {"*rotary_emb.inv_freq", "model.layers.0.self_attn.rotary_emb.inv_freq", true},
	} {
		if got := matchPattern(c.pattern, c.name); got != c.want {
			t.Errorf("%s against %s: %v", c.pattern, c.name, got)
		}
	}
}

func TestRegister(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("an empty name registers")
		}
	}()
	Register(Family{})
}

func TestFamilyWithoutRegistry(t *testing.T) {
	saved := families
	families = map[string]Family{}
	defer func() { families = saved }()
	c, err := ParseConfig("config.json", []byte(`{"model_type":"llama"}`))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := FamilyOf(c); err == nil || !strings.Contains(err.Error(), "no model families are linked") {
		t.Errorf("found %v", err)
	}
}

func TestValidate(t *testing.T) {
	good := func() Spec {
		return Spec{Vocab: 8, Hidden: 8, Attention: Attention{Heads: 4, KVHeads: 2, HeadDim: 2, Scale: 1}, MaxPositions: 8, Norm: Norm{Kind: RMSNorm, Eps: 1e-5},
			Block: Block{AttnNorm: true, MLPNorm: true}, RoPE: []RoPE{{Kind: RoPEDefault, Theta: 10000, Dims: 2, AttentionFactor: 1}}, MLP: MLP{Activation: SiLU, Intermediate: 8}, Layers: make([]Layer, 1)}
	}
	s := good()
	if err := s.Validate(); err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func(*Spec){
		"vocab": func(s *Spec) { s.Vocab = 0 }, "hidden": func(s *Spec) { s.Hidden = -1 }, "kv_heads": func(s *Spec) { s.Attention.KVHeads = 3 },
		"rope[0].dims": func(s *Spec) { s.Attention.HeadDim = 1 }, "layers": func(s *Spec) { s.Layers = nil }, "window": func(s *Spec) { s.Layers[0].Window = -1 },
		"norm": func(s *Spec) { s.Norm.Kind = "x" }, "eps": func(s *Spec) { s.Norm.Eps = 0 }, "attention.scale": func(s *Spec) { s.Attention.Scale = math.NaN() },
		"activation": func(s *Spec) { s.MLP.Activation = "x" }, "theta": func(s *Spec) { s.RoPE[0].Theta = 0 }, "rope kind": func(s *Spec) { s.RoPE[0].Kind = "x" },
		"rope[0].factor": func(s *Spec) { s.RoPE[0].Kind = RoPELinear }, "high_freq": func(s *Spec) {
			s.RoPE[0] = RoPE{Kind: RoPELlama3, Dims: 2, Theta: 2, Factor: 1, LowFreqFactor: 1, HighFreqFactor: 1, AttentionFactor: 1, OriginalMaxPositions: 1}
		},
		"beta_fast": func(s *Spec) {
			s.RoPE[0] = RoPE{Kind: RoPEYarn, Dims: 2, Theta: 2, Factor: 1, AttentionFactor: 1, OriginalMaxPositions: 1, BetaSlow: 1}
		},
		"query_scale": func(s *Spec) { s.Attention.QueryScale = &QueryScale{} },
	} {
		s := good()
		spoil(&s)
		if err := s.Validate(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: found %v", name, err)
		}
	}
}

// What a config asks for is no measure of memory: many more layers and heads than
// the checkpoint has tensors are soon found out.
func TestManyMissing(t *testing.T) {
	var heads []string
	for i := range 16384 {
		heads = append(heads, fmt.Sprintf("l.*.norms.%d", i))
	}
	_, err := modelOf(t, 10_000, []Rule{Stack("layers.*.norm", heads, dim(1))}, counting("x", 0, 1))
	if err == nil || !strings.Contains(err.Error(), "with at least 16383 more") { // a rule is looked up whole
		t.Error(err)
	}
	_, err = modelOf(t, 10_000, []Rule{Direct("layers.*.norm", "l.*.norm", dim(1))}, counting("x", 0, 1))
	if err == nil || !strings.Contains(err.Error(), "with at least 999 more") {
		t.Error(err)
	}
}
