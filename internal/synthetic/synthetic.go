// Package synthetic writes checkpoints of random weights, for measurements: as
// large as wanted, of a shape that no published model has.
package synthetic

import (
	"bufio"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Experts describes a mixture-of-experts model of the family glm4_moe: sigmoid
// scores with a correction for the choice, no shared expert, all layers sparse.
type Experts struct {
	Experts, TopK        int
	Hidden, Intermediate int
	Layers, Vocab        int
	// Favourites are experts whose correction makes every token choose them; the
	// choice is open if there are fewer than TopK.
	Favourites []int
}

const (
	heads, headDim = 4, 64
	context        = 2048
)

// Write writes the checkpoint to a directory.
func (e Experts) Write(dir string) error {
	config, err := json.MarshalIndent(map[string]any{
		"architectures": []string{"Glm4MoeForCausalLM"}, "model_type": "glm4_moe", "vocab_size": e.Vocab, "hidden_size": e.Hidden,
		"intermediate_size": e.Intermediate, "moe_intermediate_size": e.Intermediate, "num_hidden_layers": e.Layers,
		"num_attention_heads": heads, "num_key_value_heads": 1, "head_dim": headDim, "max_position_embeddings": context,
		"rms_norm_eps": 1e-5, "rope_theta": 10000, "partial_rotary_factor": 0.5, "n_routed_experts": e.Experts,
		"num_experts_per_tok": e.TopK, "n_shared_experts": 0, "first_k_dense_replace": 0, "norm_topk_prob": true,
		"tie_word_embeddings": true, "torch_dtype": "bfloat16",
	}, "", "  ")
	if err != nil {
		return err
	}
	return write(dir, config, e.tensors())
}

// write writes a checkpoint of one file.
func write(dir string, config []byte, tensors []safetensors.Out) error {
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o644); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(dir, safetensors.SingleName))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	if err := safetensors.Write(w, map[string]string{"format": "pt"}, tensors); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

// list is the tensors of a checkpoint, in order; the number of a matrix is its seed.
type list []safetensors.Out

// matrix appends random numbers of deviation 1/sqrt(cols).
func (l *list) matrix(name string, rows, cols int) {
	seed := uint64(len(*l))
	*l = append(*l, safetensors.Out{Name: name + ".weight", DType: safetensors.BF16, Shape: []int{rows, cols},
		Data: func(w io.Writer) error { return random(w, seed, rows*cols, 1/math.Sqrt(float64(cols))) }})
}

func (l *list) vector(name string, values []float32) {
	b := make([]byte, 0, 2*len(values))
	for _, v := range values {
		b = binary.LittleEndian.AppendUint16(b, floats.ToBF16(v))
	}
	*l = append(*l, safetensors.Out{Name: name, DType: safetensors.BF16, Shape: []int{len(values)}, Data: safetensors.Bytes(b)})
}

// ones are n ones.
func ones(n int) []float32 {
	v := make([]float32, n)
	for i := range v {
		v[i] = 1
	}
	return v
}

func (e Experts) tensors() []safetensors.Out {
	var out list
	matrix, vector, ones := out.matrix, out.vector, ones(e.Hidden)
	correction := make([]float32, e.Experts)
	for _, n := range e.Favourites {
		correction[n] = 10 // scores lie between 0 and 1
	}
	matrix("model.embed_tokens", e.Vocab, e.Hidden)
	vector("model.norm.weight", ones)
	for n := range e.Layers {
		layer := fmt.Sprintf("model.layers.%d.", n)
		vector(layer+"input_layernorm.weight", ones)
		vector(layer+"post_attention_layernorm.weight", ones)
		matrix(layer+"self_attn.q_proj", heads*headDim, e.Hidden)
		matrix(layer+"self_attn.k_proj", headDim, e.Hidden)
		matrix(layer+"self_attn.v_proj", headDim, e.Hidden)
		matrix(layer+"self_attn.o_proj", e.Hidden, heads*headDim)
		matrix(layer+"mlp.gate", e.Experts, e.Hidden)
		vector(layer+"mlp.gate.e_score_correction_bias", correction)
		for i := range e.Experts {
			expert := fmt.Sprintf("%smlp.experts.%d.", layer, i)
			matrix(expert+"gate_proj", e.Intermediate, e.Hidden)
			matrix(expert+"up_proj", e.Intermediate, e.Hidden)
			matrix(expert+"down_proj", e.Hidden, e.Intermediate)
		}
	}
	return out
}

// random writes n numbers in bfloat16, evenly spread within ±√3·deviation.
func random(w io.Writer, seed uint64, n int, deviation float64) error {
	rng := rand.New(rand.NewPCG(seed, 1))
	width := float32(2 * math.Sqrt(3) * deviation)
	buf := make([]byte, 0, 1<<16)
	for n > 0 {
		k := min(n, cap(buf)/2)
		buf = buf[:0]
		for range k {
			buf = binary.LittleEndian.AppendUint16(buf, floats.ToBF16((rng.Float32()-0.5)*width))
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		n -= k
	}
	return nil
}
