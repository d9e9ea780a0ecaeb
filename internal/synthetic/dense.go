package synthetic

import (
	"encoding/json"
	"fmt"

	"github.com/hlocc/hlocc/internal/safetensors"
)

// Dense describes a Llama with tied embeddings.
type Dense struct {
	Hidden, Intermediate    int
	Heads, KVHeads, HeadDim int
	Layers, Vocab           int
}

// Llama1B is the shape of Llama 3.2 1B.
var Llama1B = Dense{Hidden: 2048, Intermediate: 8192, Heads: 32, KVHeads: 8, HeadDim: 64, Layers: 16, Vocab: 128256}

// Write writes the checkpoint to a directory.
func (d Dense) Write(dir string) error {
	config, err := json.MarshalIndent(map[string]any{
		"architectures": []string{"LlamaForCausalLM"}, "model_type": "llama", "vocab_size": d.Vocab, "hidden_size": d.Hidden,
		"intermediate_size": d.Intermediate, "num_hidden_layers": d.Layers, "num_attention_heads": d.Heads, "num_key_value_heads": d.KVHeads,
		"head_dim": d.HeadDim, "max_position_embeddings": context, "rms_norm_eps": 1e-5, "rope_theta": 500000, "hidden_act": "silu",
		"tie_word_embeddings": true, "torch_dtype": "bfloat16",
	}, "", "  ")
	if err != nil {
		return err
	}
	return write(dir, config, d.tensors())
}

func (d Dense) tensors() []safetensors.Out {
	var out list
	ones := ones(d.Hidden)
	out.matrix("model.embed_tokens", d.Vocab, d.Hidden)
	for n := range d.Layers {
		layer := fmt.Sprintf("model.layers.%d.", n)
		out.vector(layer+"input_layernorm.weight", ones)
		out.matrix(layer+"self_attn.q_proj", d.Heads*d.HeadDim, d.Hidden)
		out.matrix(layer+"self_attn.k_proj", d.KVHeads*d.HeadDim, d.Hidden)
		out.matrix(layer+"self_attn.v_proj", d.KVHeads*d.HeadDim, d.Hidden)
		out.matrix(layer+"self_attn.o_proj", d.Hidden, d.Heads*d.HeadDim)
		out.vector(layer+"post_attention_layernorm.weight", ones)
		out.matrix(layer+"mlp.gate_proj", d.Intermediate, d.Hidden)
		out.matrix(layer+"mlp.up_proj", d.Intermediate, d.Hidden)
		out.matrix(layer+"mlp.down_proj", d.Hidden, d.Intermediate)
	}
	out.vector("model.norm.weight", ones)
	return out
}
