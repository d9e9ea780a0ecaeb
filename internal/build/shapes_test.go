package build

import (
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/internal/floats"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// shape is a model that no checkpoint has: the sizes where layouts, tilings and
// paddings could go wrong.
type shape struct {
	family                                   string
	vocab, hidden, heads, kv, headDim, inter int
	layers, window, context, bucket          int
	dtype                                    safetensors.DType
	tied                                     bool
}

// Builds of odd shapes are proven by their own replay: compiled code for decode
// and prefill against the interpreter, which uses another layout of the weights.
func TestOddShapes(t *testing.T) {
	for _, s := range []shape{
		{family: "llama", vocab: 250, hidden: 40, heads: 5, kv: 1, headDim: 8, inter: 52, layers: 1, context: 33, bucket: 7, dtype: safetensors.BF16, tied: true},
		{family: "llama", vocab: 96, hidden: 48, heads: 3, kv: 3, headDim: 6, inter: 24, layers: 2, context: 17, bucket: 17, dtype: safetensors.F16, tied: true},
		{family: "qwen2", vocab: 264, hidden: 56, heads: 7, kv: 7, headDim: 8, inter: 33, layers: 1, context: 40, bucket: 1, dtype: safetensors.BF16},
		{family: "mistral", vocab: 33, hidden: 36, heads: 6, kv: 2, headDim: 10, inter: 65, layers: 2, window: 2, context: 5, bucket: 3, dtype: safetensors.F32},
		{family: "llama", vocab: 64, hidden: 32, heads: 1, kv: 1, headDim: 2, inter: 32, layers: 1, context: 1, bucket: 1, dtype: safetensors.BF16, tied: true},
	} {
		t.Run(fmt.Sprintf("%s_%d_%d", s.family, s.hidden, s.vocab), func(t *testing.T) {
			c, cache := toolchain(t)
			dir := t.TempDir()
			writeModel(t, dir, s)
			r, err := Run(t.Context(), Options{
				Dir: dir, Output: filepath.Join(t.TempDir(), "m.hlocc"), Compiler: c, Cache: cache,
				Plan: PlanOptions{Context: s.context, Buckets: []int{s.bucket}},
			})
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Replays) != 1 || r.Replays[0].Tokens != min(3, s.context) {
				t.Errorf("replays: %+v", r.Replays)
			}
		})
	}
}

// writeModel writes a checkpoint of random weights.
func writeModel(t *testing.T, dir string, s shape) {
	t.Helper()
	config := map[string]any{
		"model_type": s.family, "vocab_size": s.vocab, "hidden_size": s.hidden, "intermediate_size": s.inter,
		"num_hidden_layers": s.layers, "num_attention_heads": s.heads, "num_key_value_heads": s.kv, "head_dim": s.headDim,
		"max_position_embeddings": 64, "rms_norm_eps": 1e-5, "rope_theta": 1e4, "hidden_act": "silu", "tie_word_embeddings": s.tied,
	}
	if s.window > 0 {
		config["sliding_window"] = s.window
	}
	text, err := json.Marshal(config)
	if err == nil {
		err = os.WriteFile(filepath.Join(dir, "config.json"), text, 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(uint64(s.hidden), uint64(s.vocab)))
	var out []safetensors.Out
	add := func(name string, scale float32, dims ...int) {
		n := elements(dims)
		values := make([]float32, n)
		for i := range values {
			values[i] = scale * float32(rng.NormFloat64())
			if len(dims) == 1 {
				values[i]++ // norms and biases around 1
			}
		}
		out = append(out, safetensors.Out{Name: name, DType: s.dtype, Shape: dims, Data: func(w io.Writer) error { return writeAs(w, s.dtype, values) }})
	}
	add("model.embed_tokens.weight", 1, s.vocab, s.hidden)
	for n := range s.layers {
		p := fmt.Sprintf("model.layers.%d.", n)
		for _, m := range []struct {
			name    string
			out, in int
			bias    bool
		}{
			{"self_attn.q_proj", s.heads * s.headDim, s.hidden, s.family == "qwen2"},
			{"self_attn.k_proj", s.kv * s.headDim, s.hidden, s.family == "qwen2"},
			{"self_attn.v_proj", s.kv * s.headDim, s.hidden, s.family == "qwen2"},
			{"self_attn.o_proj", s.hidden, s.heads * s.headDim, false},
			{"mlp.gate_proj", s.inter, s.hidden, false},
			{"mlp.up_proj", s.inter, s.hidden, false},
			{"mlp.down_proj", s.hidden, s.inter, false},
		} {
			add(p+m.name+".weight", 0.2, m.out, m.in)
			if m.bias {
				add(p+m.name+".bias", 0.2, m.out)
			}
		}
		add(p+"input_layernorm.weight", 0.1, s.hidden)
		add(p+"post_attention_layernorm.weight", 0.1, s.hidden)
	}
	add("model.norm.weight", 0.1, s.hidden)
	if !s.tied {
		add("lm_head.weight", 0.2, s.vocab, s.hidden)
	}
	f, err := os.Create(filepath.Join(dir, safetensors.SingleName))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := safetensors.Write(f, nil, out); err != nil {
		t.Fatal(err)
	}
}

func writeAs(w io.Writer, d safetensors.DType, values []float32) error {
	if d == safetensors.F32 {
		return writeFloats(w, values)
	}
	half := make([]byte, 0, 2*len(values))
	for _, v := range values {
		h := floats.ToBF16(v)
		if d == safetensors.F16 {
			h = floats.ToF16(v)
		}
		half = append(half, byte(h), byte(h>>8))
	}
	_, err := w.Write(half)
	return err
}
