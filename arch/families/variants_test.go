package families_test

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// without is the text of a config without some keys.
func without(t *testing.T, text string, keys ...string) string {
	t.Helper()
	var config map[string]json.RawMessage
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		t.Fatal(err)
	}
	for _, k := range keys {
		delete(config, k)
	}
	out, err := json.Marshal(config)
	if err != nil {
		t.Fatal(err)
	}
	return string(out)
}

// What a key means, and what a missing one means, in the classes of transformers.
func TestKeysOfScaledAndParallel(t *testing.T) {
	show := func(v any) string { text, _ := json.Marshal(v); return string(text) }
	eps := func(s *arch.Spec) string { return fmt.Sprint(s.Norm.Eps, " ", s.MaxPositions) }
	rope := func(s *arch.Spec) string {
		if len(s.RoPE) == 0 {
			return "none"
		}
		r := s.RoPE[0]
		return fmt.Sprint(r.Kind, " ", r.Theta, " ", r.Dims, " ", r.Factor, " ", r.OriginalMaxPositions)
	}
	scales := func(s *arch.Spec) string {
		return fmt.Sprint(s.Embed.Scale, " ", s.Block.ResidualScale, " ", s.Attention.Scale, " ", s.Head.Scale)
	}
	bias := func(s *arch.Spec) string { return fmt.Sprint(s.Attention.Bias, s.MLP.Bias) }
	block := func(s *arch.Spec) string { return show(s.Block) }
	heads := func(s *arch.Spec) string {
		return fmt.Sprint(s.Attention.Heads, " ", s.Attention.KVHeads, " ", s.Attention.HeadDim, " ", s.Head.Tied)
	}
	places := func(s *arch.Spec) string { w, r := layers(s); return fmt.Sprint(w, r) }
	for _, c := range []struct {
		name, fixture string
		change        []string // key, value; a value of "-" takes the key out
		get           func(*arch.Spec) string
		want          string
	}{
		{"cohere: defaults", "cohere", []string{"layer_norm_eps", "-", "max_position_embeddings", "-"}, eps, "1e-05 8192"},
		{"cohere: theta", "cohere", []string{"rope_theta", "-"}, rope, "default 500000 16 0 0"},
		{"cohere: logit_scale", "cohere", []string{"logit_scale", "-"}, scales, "0 0 0.25 0.0625"},
		{"cohere: tied, as many KV heads as heads", "cohere", []string{"tie_word_embeddings", "-", "num_key_value_heads", "-"}, heads, "4 4 16 true"},
		{"cohere: biases", "cohere", []string{"attention_bias", "true"}, bias, "{true true true true} false"},
		{"cohere2: theta", "cohere2", []string{"rope_theta", "-"}, rope, "default 10000 16 0 0"},
		{"cohere2: pattern", "cohere2", []string{"num_hidden_layers", "5", "sliding_window_pattern", "-"}, places, "[8 8 8 0 8] [0 0 0 -1 0]"},
		{"cohere2: layer_types", "cohere2", []string{"layer_types", `["full_attention","sliding_attention"]`}, places, "[0 8] [-1 0]"},
		{"cohere2: a window beyond every context still rotates", "cohere2", []string{"sliding_window", "-"}, places, "[0 0] [0 -1]"},
		{"stablelm: defaults", "stablelm", []string{"layer_norm_eps", "-", "max_position_embeddings", "-", "use_qkv_bias", "-", "partial_rotary_factor", "-"}, eps, "1e-05 4096"},
		{"stablelm: quarter", "stablelm", []string{"partial_rotary_factor", "-"}, rope, "default 10000 4 0 0"},
		{"stablelm: half, new style", "stablelm", []string{"partial_rotary_factor", "-", "rope_theta", "-", "rope_parameters", `{"rope_type":"default","rope_theta":500,"partial_rotary_factor":0.5}`}, rope, "default 500 8 0 0"},
		{"stablelm: no biases", "stablelm", []string{"use_qkv_bias", "-"}, bias, "{false false false false} false"},
		{"stablelm: KV heads", "stablelm", []string{"num_key_value_heads", "-", "num_attention_heads", "32", "hidden_size", "512"}, heads, "32 32 16 false"},
		{"starcoder2: defaults", "starcoder2", []string{"norm_epsilon", "-", "use_bias", "-", "hidden_act", "-", "num_key_value_heads", "-", "sliding_window", "-"}, bias, "{true true true true} true"},
		{"starcoder2: no window", "starcoder2", []string{"sliding_window", "null"}, places, "[0 0] [0 0]"},
		{"starcoder2: KV heads", "starcoder2", []string{"num_key_value_heads", "-", "tie_word_embeddings", "-"}, heads, "4 2 16 true"},
		{"gpt2: defaults", "gpt2", []string{"layer_norm_epsilon", "-", "n_positions", "-"}, eps, "1e-05 1024"},
		{"gpt2: inner", "gpt2", []string{"n_inner", "96"}, func(s *arch.Spec) string { return fmt.Sprint(s.MLP.Intermediate) }, "96"},
		{"gpt2: unscaled scores", "gpt2", []string{"scale_attn_weights", "false"}, scales, "0 0 1 0"},
		{"gpt2: activation", "gpt2", []string{"activation_function", `"gelu"`}, func(s *arch.Spec) string { return string(s.MLP.Activation) }, "gelu"},
		{"gpt_neox: defaults", "gpt_neox", []string{"rotary_pct", "-", "rotary_emb_base", "-", "use_parallel_residual", "-", "layer_norm_eps", "-"}, rope, "default 10000 4 0 0"},
		{"gpt_neox: parallel", "gpt_neox", []string{"use_parallel_residual", "-"}, block, `{"parallel":true,"attn_norm":true,"mlp_norm":true}`},
		{"gpt_neox: linear scaling", "gpt_neox", []string{"rope_scaling", `{"type":"linear","factor":2}`, "rotary_emb_base", "500", "rotary_pct", "0.5"}, rope, "linear 500 8 2 0"},
		{"gpt_neox: no attention biases", "gpt_neox", []string{"attention_bias", "false"}, bias, "{false false false false} true"},
		{"granite: defaults", "granite", []string{"embedding_multiplier", "-", "residual_multiplier", "-", "attention_multiplier", "-", "logits_scaling", "-"}, scales, "1 1 1 1"},
		{"granite: untied, eps", "granite", []string{"tie_word_embeddings", "-", "num_key_value_heads", "null"}, heads, "4 4 16 false"},
		{"ernie4_5: defaults", "ernie4_5", []string{"rope_theta", "-", "head_dim", "-"}, rope, "default 500000 128 0 0"},
		{"ernie4_5: null means from the hidden size", "ernie4_5", []string{"head_dim", "null", "num_key_value_heads", "null"}, heads, "4 4 16 true"},
		{"ernie4_5: biases", "ernie4_5", []string{"use_bias", "true"}, bias, "{true true true true} true"},
		{"glm: defaults", "glm", []string{"rms_norm_eps", "-", "max_position_embeddings", "-"}, eps, "1.5625e-07 131072"},
		{"glm: half of 128", "glm", []string{"partial_rotary_factor", "-", "head_dim", "-"}, rope, "default 10000 64 0 0"},
		{"glm4: biases", "glm4", []string{"attention_bias", "-"}, bias, "{true true true false} false"},
		{"apertus: defaults", "apertus", []string{"rope_scaling", "-", "rope_theta", "-", "max_position_embeddings", "-"}, rope, "llama3 1.2e+07 16 8 8192"},
		{"apertus: another rope", "apertus", []string{"rope_scaling", "-", "rope_theta", "-", "rope_parameters", `{"rope_type":"default","rope_theta":500}`}, rope, "default 500 16 0 0"},
		{"hunyuan: alpha", "hunyuan_dense", []string{"rope_scaling", `{"type":"dynamic","alpha":1.0,"factor":1.0}`}, rope, "default 10000 32 0 0"},
		{"hunyuan: alpha 0 is none", "hunyuan_dense", []string{"rope_scaling", `{"type":"dynamic","alpha":0,"factor":2.0}`}, rope, "dynamic 10000 32 2 128"},
		{"hunyuan: new style", "hunyuan_dense", []string{"rope_theta", "-", "rope_scaling", "-", "rope_parameters", `{"rope_type":"default","rope_theta":500}`}, rope, "default 500 32 0 0"},
		{"internlm2: biases unless told", "internlm2", []string{"bias", "-"}, bias, "{true true true true} false"},
		{"minicpm: defaults", "minicpm", []string{"scale_emb", "-", "scale_depth", "-", "dim_model_base", "-"}, scales, fmt.Sprint("1 ", 1/math.Sqrt(2), " 0.25 ", 1.0/64)},
	} {
		t.Run(c.name, func(t *testing.T) {
			var gone []string
			for i := 0; i+1 < len(c.change); i += 2 {
				if c.change[i+1] == "-" {
					gone = append(gone, c.change[i])
					c.change[i+1] = "null"
				}
			}
			s, err := spec(without(t, changed(t, c.fixture, c.change...), gone...))
			if err != nil {
				t.Fatal(err)
			}
			if got := c.get(s); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

func TestRefusedKeysOfScaledAndParallel(t *testing.T) {
	const u, b = diag.Unsupported, diag.BadInput
	for _, c := range []struct {
		fixture string
		change  []string
		kind    diag.Kind
		where   string
		want    string
	}{
		{"cohere2", []string{"use_qk_norm", "true"}, u, "use_qk_norm", "not supported for this family"},
		{"cohere2", []string{"sliding_window", "null"}, b, "sliding_window", "a number of positions"},
		{"cohere2", []string{"use_parallel_block", "false"}, u, "use_parallel_block", "side by side"},
		{"cohere2", []string{"use_gated_activation", "false"}, u, "use_gated_activation", "without a gate"},
		{"cohere2", []string{"use_embedding_sharing", "false"}, u, "use_embedding_sharing", "contradicts"},
		{"cohere2", []string{"position_embedding_type", `"alibi"`}, u, "position_embedding_type", "rotary positions"},
		{"cohere2", []string{"order_of_interleaved_layers", `"global_attn_first"`}, u, "order_of_interleaved_layers", "come first"},
		{"cohere2", []string{"rotary_pct", "0.5"}, u, "rotary_pct", "part of each head"},
		{"stablelm", []string{"head_dim", "32"}, b, "head_dim", "hidden_size / num_attention_heads"},
		{"stablelm", []string{"rotary_scaling_factor", "2.0"}, u, "rotary_scaling_factor", "scaled"},
		{"starcoder2", []string{"norm_type", `"rms_norm"`}, u, "norm_type", "only LayerNorm"},
		{"starcoder2", []string{"mlp_type", `"gated"`}, u, "mlp_type", "without a gate"},
		{"gpt2", []string{"scale_attn_by_inverse_layer_idx", "true"}, u, "scale_attn_by_inverse_layer_idx", "layer number"},
		{"gpt2", []string{"add_cross_attention", "true"}, u, "add_cross_attention", "cross attention"},
		{"gpt2", []string{"num_key_value_heads", "2"}, u, "num_key_value_heads", "do not share"},
		{"gpt2", []string{"activation_function", `"tanh"`}, u, "activation_function", "not supported"},
		{"gpt_neox", []string{"num_key_value_heads", "2"}, u, "num_key_value_heads", "do not share"},
		{"gpt_neox", []string{"rope_theta", "500"}, u, "rope_theta", "is called rotary_emb_base"},
		{"gpt_neox", []string{"partial_rotary_factor", "0.5"}, u, "partial_rotary_factor", "is called rotary_pct"},
		{"apertus", []string{"qk_norm", "false"}, u, "qk_norm", "normalized"},
		{"apertus", []string{"post_norm", "true"}, u, "post_norm", "norms after"},
		{"apertus", []string{"mlp_bias", "true"}, u, "mlp_bias", "MLP biases"},
		{"apertus", []string{"rope_scaling", "null", "rope_theta", "500"}, b, "rope_theta", "want 12000000, or rope_parameters"},
		{"hunyuan_dense", []string{"use_cla", "true"}, u, "use_cla", "share keys and values"},
		{"hunyuan_dense", []string{"use_qk_norm", "false"}, u, "use_qk_norm", "normalized"},
		{"hunyuan_dense", []string{"attention_head_dim", "16"}, b, "attention_head_dim", "want head_dim (32)"},
		{"hunyuan_dense", []string{"norm_type", `"layer"`}, u, "norm_type", "only RMSNorm"},
		{"minicpm", []string{"sparse_config", `{"topk":64}`}, u, "sparse_config", "sparse attention"},
		{"minicpm", []string{"mup_denominator", "32"}, u, "mup_denominator", "another number"},
		{"internlm3", []string{"qkv_bias", "true", "attention_bias", "false"}, b, "attention_bias", "want true, as qkv_bias says"},
		{"qwen2", []string{"use_sliding_window", "true", "sliding_window", "0"}, b, "sliding_window", "out of range"},
		{"solar_open", []string{"first_k_dense_replace", "1"}, u, "first_k_dense_replace", "every layer has experts"},
		{"solar_open", []string{"use_qk_norm", "true"}, u, "use_qk_norm", "not supported for this family"},
		{"solar_open", []string{"model_type", `"baichuan_m1"`}, u, "model_type", "convolves keys and values"},
		{"mistral3_vlm", []string{"text_config.attention_bias", "true"}, u, "text_config.attention_bias", "not supported for this family"},
		{"mistral3_vlm", []string{"text_config.hidden_size", `"64"`}, b, "text_config.hidden_size", "an integer"},
		{"mistral3_vlm", []string{"text_config.new_number", "3"}, u, "text_config.new_number", "unknown key"},
		{"mistral3_vlm", []string{"new_number", "3"}, u, "new_number", "unknown key"},
		{"mistral3_vlm", []string{"text_config.model_type", `"gemma2"`}, u, "text_config.model_type", "want one of ministral3, mistral"},
		{"mistral3_vlm", []string{"text_config", "null"}, b, "text_config", "missing key"},
		{"mistral3_vlm", []string{"text_config", `"mistral"`}, b, "text_config", "the configuration of the language model"},
		{"llama", []string{"text_config", `{"model_type":"llama"}`}, u, "text_config", "not supported"},
	} {
		t.Run(c.fixture+" "+strings.Join(c.change, " "), func(t *testing.T) {
			s, err := spec(changed(t, c.fixture, c.change...))
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("found %+v, %v", s, err)
			}
			if e.Kind != c.kind || e.Where != c.where || !strings.Contains(e.Error(), c.want) {
				t.Errorf("want kind %d at %q with %q, found kind %d: %v", c.kind, c.where, c.want, e.Kind, e)
			}
		})
	}
}

// numbers reads all weights of a model.
func numbers(t *testing.T, dir string) (*arch.Model, map[string][]float32) {
	t.Helper()
	m, err := arch.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	out := map[string][]float32{}
	for i := range m.Weights {
		if out[m.Weights[i].Name], err = m.ReadFloat32(t.Context(), &m.Weights[i]); err != nil {
			t.Fatal(err)
		}
	}
	return m, out
}

func sameNumbers(t *testing.T, got, want map[string][]float32) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%d weights, want %d", len(got), len(want))
	}
	for name, w := range want {
		g := got[name]
		same := len(g) == len(w)
		for i := 0; same && i < len(w); i++ {
			same = math.Float32bits(g[i]) == math.Float32bits(w[i])
		}
		if !same {
			t.Errorf("weight %s differs", name)
		}
	}
}

// rename gives every tensor another name; "" takes it out.
func rename(tensors map[string]*safetensors.Out, name func(string) string) {
	for k, o := range tensors {
		if o.Name = name(k); o.Name == "" {
			delete(tensors, k)
		}
	}
}

// Checkpoints that name the same tensors otherwise, and hold what old code left
// in them, give the same weights.
func TestNamings(t *testing.T) {
	add := func(m map[string]*safetensors.Out, name string, d safetensors.DType, shape ...int) {
		m[name] = zeros(name, d, shape...)
	}
	for _, c := range []struct {
		name, fixture string
		edit          func(map[string]*safetensors.Out)
		ignored       int
	}{
		{"gpt2 without prefix", "gpt2", func(m map[string]*safetensors.Out) {
			rename(m, func(s string) string { return strings.TrimPrefix(s, "transformer.") })
			add(m, "h.0.attn.bias", safetensors.F32, 1, 1, 64, 64)
			add(m, "h.1.attn.masked_bias", safetensors.F32)
		}, 2},
		{"gpt2 with masks", "gpt2", func(m map[string]*safetensors.Out) {
			add(m, "transformer.h.0.attn.bias", safetensors.Bool, 1, 1, 64, 64)
			head := *m["transformer.wte.weight"]
			head.Name = "lm_head.weight"
			m["lm_head.weight"] = &head
		}, 2},
		{"gpt_neox of transformers 5", "gpt_neox", func(m map[string]*safetensors.Out) {
			rename(m, func(s string) string { return strings.Replace(s, "embed_out.", "lm_head.", 1) })
		}, 0},
		{"gpt_neox of old", "gpt_neox", func(m map[string]*safetensors.Out) {
			add(m, "gpt_neox.layers.0.attention.bias", safetensors.U8, 1, 1, 128, 128)
			add(m, "gpt_neox.layers.0.attention.masked_bias", safetensors.F16)
			add(m, "gpt_neox.layers.0.attention.rotary_emb.inv_freq", safetensors.F16, 2)
		}, 3},
		{"vision-language, inner names", "mistral3_vlm", func(m map[string]*safetensors.Out) {
			rename(m, func(s string) string {
				if rest, ok := strings.CutPrefix(s, "language_model.model."); ok {
					return "model.language_model." + rest
				}
				if rest, ok := strings.CutPrefix(s, "language_model."); ok {
					return rest
				}
				return "model." + s
			})
		}, -1},
		{"vision-language, text alone", "mistral3_vlm", func(m map[string]*safetensors.Out) {
			rename(m, func(s string) string {
				if rest, ok := strings.CutPrefix(s, "language_model."); ok {
					return rest
				}
				return ""
			})
		}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, got := numbers(t, directory(t, c.fixture, nil, c.edit))
			_, want := numbers(t, fixtures.Dir(t, c.fixture))
			sameNumbers(t, got, want)
			if c.ignored >= 0 && len(m.Ignored) != c.ignored {
				t.Errorf("ignored: %v", m.Ignored)
			}
			for _, i := range m.Ignored {
				if strings.HasPrefix(i.Tensor, "language_model") || strings.HasPrefix(i.Tensor, "model.language_model") {
					t.Errorf("ignored: %v", i)
				}
			}
		})
	}
}

// The keys for a tied head of vision-language models disagree from version to
// version; the checkpoint decides.
func TestTiedHeadOfVisionModels(t *testing.T) {
	untied := func(m map[string]*safetensors.Out) {}
	noHead := func(m map[string]*safetensors.Out) { delete(m, "language_model.lm_head.weight") }
	for _, c := range []struct {
		name         string
		outer, inner string
		edit         func(map[string]*safetensors.Out)
		tied         bool
		fails        string
	}{
		{"no key, a head", "null", "null", untied, false, ""},
		{"no key, no head", "null", "null", noHead, true, ""},
		{"both untied", "false", "false", untied, false, ""},
		{"inner untied", "null", "false", untied, false, ""},
		{"outer tied", "true", "null", noHead, true, ""},
		{"they differ, a head", "false", "true", untied, false, ""},
		{"they differ, no head", "true", "false", noHead, true, ""},
		{"untied without head", "false", "null", noHead, false, `tensor "language_model.lm_head.weight": missing`},
		{"not a flag", `"no"`, "null", untied, false, "tie_word_embeddings: wrong type"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := directory(t, "mistral3_vlm", nil, c.edit)
			text := changed(t, "mistral3_vlm", "tie_word_embeddings", c.outer, "text_config.tie_word_embeddings", c.inner)
			if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
			m, err := arch.Open(dir)
			if c.fails != "" {
				if err == nil || !strings.Contains(err.Error(), c.fails) {
					t.Fatalf("want %q, found %v", c.fails, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			if m.Spec.Head.Tied != c.tied || (m.Weight("head.weight") == nil) != c.tied {
				t.Errorf("tied %v, want %v", m.Spec.Head.Tied, c.tied)
			}
		})
	}
}

// The end of a text is said beside text_config or in it.
func TestTokensOfVisionModels(t *testing.T) {
	for _, c := range []struct{ outer, inner, want string }{{"2", "null", "[2]"}, {"null", "[3,4]", "[3 4]"}, {"5", "3", "[5]"}} {
		dir := directory(t, "mistral3_vlm", nil, nil)
		text := changed(t, "mistral3_vlm", "eos_token_id", c.outer, "text_config.eos_token_id", c.inner)
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		m, err := arch.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := fmt.Sprint(m.Generation.EOS); got != c.want || m.Family != "mistral3" {
			t.Errorf("%s and %s: %s, want %s (%s)", c.outer, c.inner, got, c.want, m.Family)
		}
		m.Close()
	}
}

// GPT-NeoX and InternLM2 hold q, k and v in one tensor, group by group: a
// checkpoint of Llama's layout, put together by hand, comes apart again.
func TestFusedGroups(t *testing.T) {
	const kv, perKV, d, hidden = 3, 2, 16, 96
	var fused []byte
	want := map[int][]float32{}
	for g := range kv {
		for part, heads := range []int{perKV, 1, 1} {
			for h := range heads {
				for i := range d {
					v := float32(1000*part + 100*(g*heads+h) + i)
					for range hidden {
						fused = binary.LittleEndian.AppendUint32(fused, math.Float32bits(v))
						want[part] = append(want[part], v)
					}
				}
			}
		}
	}
	const name = "model.layers.1.attention.wqkv.weight"
	dir := directory(t, "internlm2", nil, func(m map[string]*safetensors.Out) {
		m[name] = &safetensors.Out{Name: name, DType: safetensors.F32, Shape: []int{kv * (perKV + 2) * d, hidden}, Data: safetensors.Bytes(fused)}
	})
	_, got := numbers(t, dir)
	for part, logical := range []string{"q", "k", "v"} {
		sameNumbers(t, map[string][]float32{logical: got["layers.1.attn."+logical+".weight"]}, map[string][]float32{logical: want[part]})
	}
}

// A model that brings its own code needs no model_type.
func TestModelTypeFromClass(t *testing.T) {
	text := changed(t, "minicpm", "auto_map", `{"AutoConfig":"configuration_minicpm.MiniCPMConfig"}`)
	if s, err := spec(without(t, text, "model_type")); err != nil || s.Embed.Scale != 12 {
		t.Errorf("%v, %v", s, err)
	}
	// InternLM 3 goes by this class, too, but has one of its own.
	other := changed(t, "llama", "auto_map", `{"AutoConfig":"configuration_other.OtherConfig"}`)
	c, err := arch.ParseConfig("config.json", []byte(without(t, other, "model_type")))
	if err != nil || c.ModelType != "llama" {
		t.Errorf("%+v, %v", c, err)
	}
	for _, keys := range [][]string{{"model_type", "auto_map"}, {"model_type", "architectures"}} {
		if _, err := spec(without(t, text, keys...)); err == nil || !strings.Contains(err.Error(), "model_type: missing key") {
			t.Errorf("without %v: %v", keys, err)
		}
	}
}
