package families_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
)

// factors is a list of n numbers from 1 on, as JSON.
func factors(n int, step float64) string {
	var list []string
	for i := range n {
		list = append(list, fmt.Sprint(1+float64(i)*step))
	}
	return "[" + strings.Join(list, ",") + "]"
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// Configs of published models with latent attention or LongRoPE, as they are on
// the hub but for the frequency factors, which are made up.
func TestPublishedLatentAndLong(t *testing.T) {
	for _, c := range []struct {
		name, text string
		check      func(s *arch.Spec) bool
	}{
		{"MiniCPM3 4B", `{"_name_or_path":"openbmb/MiniCPM3-4B","architectures":["MiniCPM3ForCausalLM"],"auto_map":{"AutoConfig":"configuration_minicpm.MiniCPM3Config"},
			"bos_token_id":1,"eos_token_id":[2,73440],"hidden_act":"silu","initializer_range":0.1,"hidden_size":2560,"num_hidden_layers":62,"intermediate_size":6400,
			"max_position_embeddings":32768,"model_type":"minicpm3","num_attention_heads":40,"num_key_value_heads":40,"qk_nope_head_dim":64,"qk_rope_head_dim":32,
			"q_lora_rank":768,"kv_lora_rank":256,"rms_norm_eps":1e-05,"rope_scaling":{"type":"longrope","long_factor":` + factors(16, 0.5) + `,"short_factor":` + factors(16, 0.25) + `,
			"original_max_position_embeddings":32768},"torch_dtype":"bfloat16","transformers_version":"4.41.0","use_cache":true,"vocab_size":73448,"scale_emb":12,
			"dim_model_base":256,"scale_depth":1.4}`,
			func(s *arch.Spec) bool {
				m, r := s.Attention.MLA, s.RoPE[0]
				return *m == arch.MLA{QRank: 768, KVRank: 256, NoPE: 64, RoPE: 32, Value: 64, Eps: 1e-6} && s.Head.Tied && near(s.Attention.Scale, math.Pow(96, -0.5)) &&
					s.Embed.Scale == 12 && near(s.Block.ResidualScale, 1.4/math.Sqrt(62)) && near(s.Head.Scale, 0.1) && !r.Interleaved && r.Dims == 32 &&
					r.AttentionFactor == 1 && s.MaxPositions == 32768 && !r.Switches(32768) && r.ShortFactors[1] == 1.25
			}},
		{"Phi 3.5 mini", `{"_name_or_path":"Phi-3.5-mini-instruct","architectures":["Phi3ForCausalLM"],"attention_dropout":0.0,"auto_map":{"AutoConfig":"configuration_phi3.Phi3Config"},
			"bos_token_id":1,"embd_pdrop":0.0,"eos_token_id":32000,"hidden_act":"silu","hidden_size":3072,"initializer_range":0.02,"intermediate_size":8192,
			"max_position_embeddings":131072,"model_type":"phi3","num_attention_heads":32,"num_hidden_layers":32,"num_key_value_heads":32,
			"original_max_position_embeddings":4096,"pad_token_id":32000,"resid_pdrop":0.0,"rms_norm_eps":1e-05,"rope_scaling":{"long_factor":` + factors(48, 1) + `,
			"short_factor":` + factors(48, 0.03125) + `,"type":"longrope"},"rope_theta":10000.0,"sliding_window":262144,"tie_word_embeddings":false,"torch_dtype":"bfloat16",
			"transformers_version":"4.43.3","use_cache":true,"attention_bias":false,"vocab_size":32064}`,
			func(s *arch.Spec) bool {
				r := s.RoPE[0]
				return r.Kind == arch.RoPELong && r.OriginalMaxPositions == 4096 && s.MaxPositions == 131072 && near(r.AttentionFactor, 1.1902380714238083) &&
					r.Switches(4097) && !r.Switches(4096) && s.Layers[0].Window == 0 && r.Dims == 96
			}},
		{"Phi 3 mini 128k of its first days", `{"architectures":["Phi3ForCausalLM"],"hidden_act":"silu","hidden_size":3072,"intermediate_size":8192,"max_position_embeddings":131072,
			"model_type":"phi3","num_attention_heads":32,"num_hidden_layers":32,"original_max_position_embeddings":4096,"rope_scaling":{"long_factor":` + factors(48, 1) + `,
			"short_factor":` + factors(48, 0.5) + `,"type":"su"},"vocab_size":32064}`,
			func(s *arch.Spec) bool { return s.RoPE[0].Kind == arch.RoPELong && s.Attention.KVHeads == 32 }},
		{"Phi 4 mini in the style of transformers 5", `{"architectures":["Phi3ForCausalLM"],"attention_bias":false,"hidden_act":"silu","hidden_size":3072,"intermediate_size":8192,
			"max_position_embeddings":131072,"model_type":"phi3","num_attention_heads":24,"num_hidden_layers":32,"num_key_value_heads":8,"original_max_position_embeddings":4096,
			"rope_parameters":{"long_factor":` + factors(48, 1) + `,"short_factor":` + factors(48, 0) + `,"rope_type":"longrope","type":"longrope","rope_theta":10000.0,
			"partial_rotary_factor":0.75,"original_max_position_embeddings":4096},"sliding_window":null,"tie_word_embeddings":true,"vocab_size":200064}`,
			func(s *arch.Spec) bool {
				return s.RoPE[0].Dims == 96 && s.Attention.HeadDim == 128 && near(s.RoPE[0].AttentionFactor, 1.1902380714238083)
			}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := spec(c.text)
			if err != nil {
				t.Fatal(err)
			}
			if !c.check(s) {
				t.Errorf("%+v", s)
			}
		})
	}
}
