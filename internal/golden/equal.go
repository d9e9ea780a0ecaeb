package golden

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
)

// canonical are the sizes and small numbers that every config gets, by the names
// that they go by. What a family makes of them, and of those that it does not have,
// is what is compared.
var canonical = map[string]any{
	"vocab_size":  256,
	"hidden_size": 64, "n_embd": 64,
	"intermediate_size": 256, "n_inner": 256, "ffn_hidden_size": 256,
	"num_attention_heads": 4, "n_head": 4,
	"num_key_value_heads": 2,
	"head_dim":            16,
	"sliding_window":      8,
	"rms_norm_eps":        1e-5, "layer_norm_eps": 1e-5, "layer_norm_epsilon": 1e-5, "norm_eps": 1e-5, "norm_epsilon": 1e-5, "layernorm_epsilon": 1e-5,
	"num_experts": 12, "num_local_experts": 12, "n_routed_experts": 12, "moe_num_experts": 12, // which groups of 2, 3 and 4 divide
	"num_experts_per_tok": 2, "moe_k": 2,
	"moe_intermediate_size": 32, "shared_expert_intermediate_size": 64,
}

// normalize gives a config the canonical sizes, those of its text model too. It
// changes numbers that are there and adds none; the rest stays as it is.
func normalize(config map[string]any) {
	for key, v := range canonical {
		if _, isNumber := config[key].(json.Number); isNumber {
			config[key] = v
		}
	}
	if _, latent := config["kv_lora_rank"]; latent { // every head has keys and values of its own
		config["num_key_value_heads"] = canonical["num_attention_heads"]
		if _, has := config["head_dim"]; has {
			config["head_dim"] = config["qk_rope_head_dim"]
		}
	}
	if text, ok := config["text_config"].(map[string]any); ok {
		normalize(text)
	}
}

// canonicalSpec is the Spec of a config with canonical sizes.
func canonicalSpec(file string) (family string, s *arch.Spec, err error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return "", nil, diag.FileError("fixtures", "cannot be read", file, err)
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	config := map[string]any{}
	if err := d.Decode(&config); err != nil {
		return "", nil, &diag.Error{Kind: diag.BadInput, Code: "config_json", File: file, Message: "is not JSON", Cause: err}
	}
	normalize(config)
	if text, err = json.Marshal(config); err != nil {
		return "", nil, err
	}
	c, err := arch.ParseConfig(file+" with canonical sizes", text)
	if err != nil {
		return "", nil, err
	}
	f, err := arch.FamilyOf(c)
	if err != nil {
		return "", nil, err
	}
	s, err = arch.SpecOf(f, c)
	return f.Name, s, err
}

// equalFiles lists the classes of fixtures whose graphs are equal, byte for byte and
// in every graph kind, once their sizes are. Layers of one kind count once.
func equalFiles(list []source) ([]File, error) {
	classes := map[[sha256.Size]byte]map[string][]string{} // program -> family -> fixtures
	for _, source := range list {
		name := source.name
		family, spec, err := canonicalSpec(source.config)
		if err != nil {
			return nil, err
		}
		short, _ := sample(spec)
		h := sha256.New()
		for _, o := range goldenKinds {
			text, err := lower(short, o, rowMajor)
			if err != nil {
				return nil, fmt.Errorf("fixture %s with canonical sizes: %w", name, err)
			}
			h.Write(text)
		}
		key := [sha256.Size]byte(h.Sum(nil))
		if classes[key] == nil {
			classes[key] = map[string][]string{}
		}
		classes[key][family] = append(classes[key][family], name)
	}
	var blocks []string
	for _, class := range classes {
		var lines []string
		for family, names := range class {
			lines = append(lines, fmt.Sprintf("%-16s %s\n", family, strings.Join(names, " ")))
		}
		slices.Sort(lines)
		blocks = append(blocks, strings.Join(lines, ""))
	}
	slices.Sort(blocks)
	const head = "# Families and their fixtures, in blocks that share one program: with equal sizes their graphs are\n" +
		"# equal byte for byte, in every graph kind. Layers of one kind count once.\n\n"
	return []File{{equalFile, []byte(head + strings.Join(blocks, "\n"))}}, nil
}
