//go:build real

package quantize

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// TestRealHuge quantizes a checkpoint of 30 GB with rows of up to 98304 numbers in
// less than 1 GB of memory. Its file has holes where the weights are, which read
// as zeros and take no space.
func TestRealHuge(t *testing.T) {
	const hidden, inter, layers, vocab, heads, kvHeads, headDim = 8192, 98304, 5, 128256, 64, 8, 128
	dir := t.TempDir()
	config := fmt.Sprintf(`{"model_type":"llama","vocab_size":%d,"hidden_size":%d,"intermediate_size":%d,"num_hidden_layers":%d,"num_attention_heads":%d,
		"num_key_value_heads":%d,"head_dim":%d,"max_position_embeddings":64,"rms_norm_eps":1e-5,"rope_theta":10000,"tie_word_embeddings":false}`,
		vocab, hidden, inter, layers, heads, kvHeads, headDim)
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(config), 0o600); err != nil {
		t.Fatal(err)
	}
	var out []safetensors.Out
	size := int64(0)
	add := func(name string, shape ...int) {
		n := int64(2)
		for _, d := range shape {
			n *= int64(d)
		}
		size += n
		out = append(out, safetensors.Out{Name: name, DType: safetensors.BF16, Shape: shape, Data: func(w io.Writer) error {
			for left := n; left > 0; left -= int64(len(zeros)) {
				if _, err := w.Write(zeros[:min(left, int64(len(zeros)))]); err != nil {
					return err
				}
			}
			return nil
		}})
	}
	add("model.embed_tokens.weight", vocab, hidden)
	for l := range layers {
		at := fmt.Sprintf("model.layers.%d.", l)
		add(at+"input_layernorm.weight", hidden)
		add(at+"self_attn.q_proj.weight", heads*headDim, hidden)
		add(at+"self_attn.k_proj.weight", kvHeads*headDim, hidden)
		add(at+"self_attn.v_proj.weight", kvHeads*headDim, hidden)
		add(at+"self_attn.o_proj.weight", hidden, heads*headDim)
		add(at+"post_attention_layernorm.weight", hidden)
		add(at+"mlp.gate_proj.weight", inter, hidden)
		add(at+"mlp.up_proj.weight", inter, hidden)
		add(at+"mlp.down_proj.weight", hidden, inter)
	}
	add("model.norm.weight", hidden)
	add("lm_head.weight", vocab, hidden)
	f, err := os.Create(filepath.Join(dir, "model.safetensors"))
	if err != nil {
		t.Fatal(err)
	}
	if err := safetensors.Write(holes{f}, nil, out); err != nil {
		t.Fatal(err)
	}
	end, err := f.Seek(0, io.SeekCurrent)
	if err == nil {
		err = f.Truncate(end)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err != nil {
		t.Fatal(err)
	}

	m, err := arch.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	plan := Plan(m.Weights, Options{Scheme: Int4})
	began := time.Now()
	reports, err := WriteAll(t.Context(), m, plan, nil, func(string) (io.WriteCloser, error) { return discard{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	if want := layers*4 + 2; len(reports) != want {
		t.Errorf("%d weights were quantized, want %d", len(reports), want)
	}
	peak := peakRSS(t)
	t.Logf("%.1f GB in %.0f s, %.0f MB of memory", float64(size)/1e9, time.Since(began).Seconds(), float64(peak)/1e6)
	if peak > 1e9 {
		t.Errorf("%d bytes of memory, want less than 1 GB", peak)
	}
}

var zeros = make([]byte, 1<<20)

// holes leaves out zeros.
type holes struct{ *os.File }

func (h holes) Write(p []byte) (int, error) {
	if bytes.Equal(p, zeros[:min(len(p), len(zeros))]) {
		_, err := h.Seek(int64(len(p)), io.SeekCurrent)
		return len(p), err
	}
	return h.File.Write(p)
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
func (discard) Close() error                { return nil }

// peakRSS is the highest resident memory of the process so far.
func peakRSS(t *testing.T) int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := bytes.Cut(b, []byte("VmHWM:"))
	fields := bytes.Fields(after)
	if len(fields) == 0 {
		t.Fatal("no VmHWM in /proc/self/status")
	}
	kb, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return kb << 10
}
