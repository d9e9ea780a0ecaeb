package families_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// stack replaces the tensors of experts, {module}.N.{name}.weight, by one stack of
// the given name, whose matrices are those of the names one below the other.
func stack(t *testing.T, tensors map[string]*safetensors.Out, module, fused string, names ...string) {
	t.Helper()
	var data bytes.Buffer
	rows, cols, experts := 0, 0, 0
	for ; ; experts++ {
		rows = 0
		for _, name := range names {
			full := fmt.Sprintf("%s.%d.%s.weight", module, experts, name)
			x := tensors[full]
			if x == nil {
				break
			}
			rows, cols = rows+x.Shape[0], x.Shape[1]
			if err := x.Data(&data); err != nil {
				t.Fatal(err)
			}
			delete(tensors, full)
		}
		if rows == 0 {
			break
		}
	}
	rows = data.Len() / (2 * cols * experts)
	tensors[fused] = &safetensors.Out{Name: fused, DType: safetensors.BF16, Shape: []int{experts, rows, cols}, Data: safetensors.Bytes(data.Bytes())}
}

func renameTensor(tensors map[string]*safetensors.Out, from, to string) {
	tensors[to] = tensors[from]
	tensors[to].Name = to
	delete(tensors, from)
}

// weights are all weights of a model, as they go into a bundle.
func weights(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	m, err := arch.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	out := map[string][]byte{}
	for i := range m.Weights {
		var b bytes.Buffer
		if err := m.WriteWeight(t.Context(), &m.Weights[i], safetensors.BF16, &b); err != nil {
			t.Fatal(err)
		}
		out[m.Weights[i].Name] = b.Bytes()
	}
	return out
}

// A checkpoint whose experts are stacked, as transformers 5 has them in memory, is
// the same model.
func TestStackedExperts(t *testing.T) {
	for _, c := range []struct {
		fixture string
		layer   int
		edit    func(tensors map[string]*safetensors.Out, layer string)
	}{
		{"mixtral", 0, func(tensors map[string]*safetensors.Out, layer string) {
			stack(t, tensors, layer+"block_sparse_moe.experts", layer+"mlp.experts.gate_up_proj", "w1", "w3")
			stack(t, tensors, layer+"block_sparse_moe.experts", layer+"mlp.experts.down_proj", "w2")
			renameTensor(tensors, layer+"block_sparse_moe.gate.weight", layer+"mlp.gate.weight")
		}},
		{"qwen3_moe", 1, func(tensors map[string]*safetensors.Out, layer string) {
			stack(t, tensors, layer+"mlp.experts", layer+"mlp.experts.gate_up_proj", "gate_proj", "up_proj")
			stack(t, tensors, layer+"mlp.experts", layer+"mlp.experts.down_proj", "down_proj")
		}},
		{"deepseek_v3", 1, func(tensors map[string]*safetensors.Out, layer string) {
			stack(t, tensors, layer+"mlp.experts", layer+"mlp.experts.gate_up_proj", "gate_proj", "up_proj")
			stack(t, tensors, layer+"mlp.experts", layer+"mlp.experts.down_proj", "down_proj")
		}},
		{"ernie4_5_moe", 1, func(tensors map[string]*safetensors.Out, layer string) {
			stack(t, tensors, layer+"mlp.experts", layer+"mlp.experts.gate_up_proj", "gate_proj", "up_proj")
			stack(t, tensors, layer+"mlp.experts", layer+"mlp.experts.down_proj", "down_proj")
			renameTensor(tensors, layer+"mlp.moe_statics.e_score_correction_bias", layer+"mlp.gate.moe_statics.e_score_correction_bias")
		}},
		{"granitemoe", 0, func(tensors map[string]*safetensors.Out, layer string) {
			renameTensor(tensors, layer+"block_sparse_moe.input_linear.weight", layer+"block_sparse_moe.experts.gate_up_proj")
			renameTensor(tensors, layer+"block_sparse_moe.output_linear.weight", layer+"block_sparse_moe.experts.down_proj")
			renameTensor(tensors, layer+"block_sparse_moe.router.layer.weight", layer+"block_sparse_moe.router.weight")
		}},
	} {
		t.Run(c.fixture, func(t *testing.T) {
			want := weights(t, fixtures.Dir(t, c.fixture))
			got := weights(t, directory(t, c.fixture, nil, func(tensors map[string]*safetensors.Out) {
				before := len(tensors)
				c.edit(tensors, fmt.Sprintf("model.layers.%d.", c.layer))
				if c.fixture != "granitemoe" && len(tensors) >= before {
					t.Fatal("nothing was stacked")
				}
			}))
			if len(got) != len(want) {
				t.Errorf("%d weights, want %d", len(got), len(want))
			}
			for name, b := range want {
				if !bytes.Equal(got[name], b) {
					t.Errorf("%s differs", name)
				}
			}
		})
	}
}

// The blocks of the MXFP4 fixture decode to numbers that bfloat16 tensors, which
// are stored the other way round, give as well.
func TestDecodedExperts(t *testing.T) {
	want := weights(t, fixtures.Dir(t, "gpt_oss_mxfp4"))
	m, err := arch.Open(fixtures.Dir(t, "gpt_oss_mxfp4"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	e, inter, h := m.Spec.MoE.Experts, m.Spec.MoE.Intermediate, m.Spec.Hidden
	got := weights(t, directory(t, "gpt_oss_mxfp4", nil, func(tensors map[string]*safetensors.Out) {
		for name := range tensors {
			if strings.HasSuffix(name, "_blocks") || strings.HasSuffix(name, "_scales") {
				delete(tensors, name)
			}
		}
		for n := range m.Spec.Layers {
			logical, module := fmt.Sprintf("layers.%d.moe.experts.", n), fmt.Sprintf("model.layers.%d.mlp.experts.", n)
			put := func(name string, rows, cols int, source func(expert, row, col int) []byte) {
				var b []byte
				for i := range e * rows * cols {
					b = append(b, source(i/(rows*cols), i/cols%rows, i%cols)...)
				}
				tensors[name] = &safetensors.Out{Name: name, DType: safetensors.BF16, Shape: []int{e, rows, cols}, Data: safetensors.Bytes(b)}
			}
			at := func(part string, i int) []byte { return want[logical+part+".weight"][2*i:][:2] }
			put(module+"gate_up_proj", h, 2*inter, func(expert, row, col int) []byte {
				return at([]string{"gate", "up"}[col%2], (expert*inter+col/2)*h+row)
			})
			put(module+"down_proj", inter, h, func(expert, row, col int) []byte { return at("down", (expert*h+col)*inter+row) })
		}
	}))
	for name, b := range want {
		if !bytes.Equal(got[name], b) {
			t.Errorf("%s differs", name)
		}
	}
	if !slices.ContainsFunc(m.Weights, func(w arch.Weight) bool { return len(w.Pieces) == 1 && w.Pieces[0].Scales != nil }) {
		t.Error("the fixture has no blocks")
	}
}

// A missing expert is named, in the form that the family usually has.
func TestMissingExpert(t *testing.T) {
	const lost = "model.layers.1.mlp.experts.2.up_proj.weight"
	_, err := arch.Open(directory(t, "qwen3_moe", nil, func(tensors map[string]*safetensors.Out) { delete(tensors, lost) }))
	if err == nil || !strings.Contains(err.Error(), `tensor "`+lost+`": missing in the checkpoint`) || strings.Contains(err.Error(), "more") {
		t.Errorf("found %v", err)
	}
}
