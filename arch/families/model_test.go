package families_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"io"
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

// directory makes a copy of a fixture in which edit has changed the tensors, and
// config the text of config.json. Either may be nil.
func directory(t *testing.T, fixture string, config func(string) string, edit func(map[string]*safetensors.Out)) string {
	t.Helper()
	src, dir := fixtures.Dir(t, fixture), t.TempDir()
	text, err := os.ReadFile(filepath.Join(src, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	if config != nil {
		text = []byte(config(string(text)))
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), text, 0o644); err != nil {
		t.Fatal(err)
	}
	ckpt, err := safetensors.OpenCheckpoint(src)
	if err != nil {
		t.Fatal(err)
	}
	defer ckpt.Close()
	tensors := map[string]*safetensors.Out{}
	for _, name := range ckpt.Names() {
		x := ckpt.Tensor(name)
		data, err := io.ReadAll(x.Reader())
		if err != nil {
			t.Fatal(err)
		}
		tensors[name] = &safetensors.Out{Name: name, DType: x.DType, Shape: x.Shape, Data: safetensors.Bytes(data)}
	}
	if edit != nil {
		edit(tensors)
	}
	var out []safetensors.Out
	for _, o := range tensors {
		out = append(out, *o)
	}
	var file bytes.Buffer
	if err := safetensors.Write(&file, map[string]string{"format": "pt"}, out); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, safetensors.SingleName), file.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	return dir
}

func zeros(name string, d safetensors.DType, shape ...int) *safetensors.Out {
	n := d.Bits() / 8
	for _, s := range shape {
		n *= s
	}
	return &safetensors.Out{Name: name, DType: d, Shape: shape, Data: safetensors.Bytes(make([]byte, n))}
}

func replace(from, to string) func(string) string {
	return func(s string) string {
		if !strings.Contains(s, from) {
			panic("config has no " + from)
		}
		return strings.Replace(s, from, to, 1)
	}
}

func TestOpenErrors(t *testing.T) {
	const up = "model.layers.1.mlp.up_proj.weight"
	for _, c := range []struct {
		name, fixture string
		config        func(string) string
		edit          func(map[string]*safetensors.Out)
		kind          diag.Kind
		want          string
	}{
		{"shape", "llama", nil, func(m map[string]*safetensors.Out) { m[up] = zeros(up, safetensors.BF16, 96, 65) }, diag.BadInput,
			`model.safetensors: tensor "` + up + `": wrong shape: want [96 64] (intermediate_size, hidden_size in config.json), found [96 65]`},
		{"rank", "llama", nil, func(m map[string]*safetensors.Out) { m[up] = zeros(up, safetensors.BF16, 96*64) }, diag.BadInput, "wrong shape"},
		{"config says otherwise", "llama", replace(`"intermediate_size": 96`, `"intermediate_size": 97`), nil, diag.BadInput, "want [97 64] (intermediate_size, hidden_size in config.json), found [96 64]"},
		{"integer weights", "llama", nil, func(m map[string]*safetensors.Out) { m[up] = zeros(up, safetensors.I8, 96, 64) }, diag.Unsupported, `element type is not read as a weight: want BF16, F16, F32 or F64, found I8`},
		{"8-bit floats", "llama", nil, func(m map[string]*safetensors.Out) { m[up] = zeros(up, safetensors.F8E4M3, 96, 64) }, diag.Unsupported, "found F8_E4M3"},
		{"one missing", "llama", nil, func(m map[string]*safetensors.Out) { delete(m, up) }, diag.BadInput, `tensor "` + up + `": missing in the checkpoint`},
		{"many missing", "llama", replace(`"num_hidden_layers": 2`, `"num_hidden_layers": 3`), nil, diag.BadInput, `tensor "model.layers.2.input_layernorm.weight": missing in the checkpoint, with 8 more`},
		{"other names", "llama", nil, func(m map[string]*safetensors.Out) {
			for k, v := range m {
				v.Name = "transformer." + k
			}
		}, diag.BadInput, `found names such as "transformer.lm_head.weight"`},
		{"left over layer", "llama", replace(`"num_hidden_layers": 2`, `"num_hidden_layers": 1`), nil, diag.Unsupported, `tensor "model.layers.1.input_layernorm.weight": the model has no use for this tensor and 8 more`},
		{"left over biases", "llama_bias_linear", replace(`"attention_bias": true`, `"attention_bias": false`), nil, diag.Unsupported, "k_proj.bias"},
		{"no head", "llama", nil, func(m map[string]*safetensors.Out) { delete(m, "lm_head.weight") }, diag.BadInput, "set tie_word_embeddings to true"},
		{"no biases", "qwen2", nil, func(m map[string]*safetensors.Out) {
			for i := range 2 {
				for _, p := range "qkv" {
					delete(m, "model.layers."+string(rune('0'+i))+".self_attn."+string(p)+"_proj.bias")
				}
			}
		}, diag.BadInput, `tensor "model.layers.0.self_attn.q_proj.bias": missing in the checkpoint, with 5 more`},
		{"EOS out of range", "llama", replace(`"eos_token_id": 2`, `"eos_token_id": -1`), nil, diag.BadInput, "eos_token_id: token id out of range: want 0..255 (vocab_size), found -1"},
		{"EOS is text", "llama", replace(`"eos_token_id": 2`, `"eos_token_id": ["x"]`), nil, diag.BadInput, "want a token id"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := directory(t, c.fixture, c.config, c.edit)
			m, err := arch.Open(dir)
			if err == nil {
				m.Close()
				t.Fatalf("want %q, found success", c.want)
			}
			if diag.KindOf(err) != c.kind || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("want kind %d, %q, found kind %d: %v", c.kind, c.want, diag.KindOf(err), err)
			}
			in, err2 := arch.Inspect(dir)
			if in.Supported || len(in.Reasons) != 1 || in.Spec != nil || in.Family == "" || err2 == nil || in.Parameters == 0 || strings.Contains(in.Reasons[0], dir) {
				t.Errorf("inspection: %+v, %v", in, err2)
			}
		})
	}
	for _, c := range []struct {
		name string
		make func(dir string)
		want string
	}{
		{"empty directory", func(string) {}, "is no model directory: want a directory with config.json, found no config.json"},
		{"no weights", func(dir string) {
			text, _ := os.ReadFile(filepath.Join(fixtures.Dir(t, "llama"), "config.json"))
			os.WriteFile(filepath.Join(dir, "config.json"), text, 0o644)
		}, "no weights found"},
	} {
		dir := t.TempDir()
		c.make(dir)
		if _, err := arch.Open(dir); diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: want %q, found %v", c.name, c.want, err)
		}
	}
}

func TestTiedHead(t *testing.T) {
	ctx := context.Background()
	embed := func(dir string) (*arch.Model, error) {
		m, err := arch.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { m.Close() })
		return m, m.WriteWeight(ctx, m.Weight("embed.weight"), safetensors.F32, io.Discard)
	}
	// The key is absent and so is the head: it can only be the embedding.
	m, err := embed(directory(t, "llama", replace(`"tie_word_embeddings": false,`, ""), func(x map[string]*safetensors.Out) { delete(x, "lm_head.weight") }))
	if err != nil || !m.Spec.Head.Tied || m.Weight("head.weight") != nil {
		t.Errorf("absent key and head: tied %v, %v", m.Spec.Head.Tied, err)
	}
	// The key is absent and the head is there: the class default holds.
	if m, err = embed(directory(t, "llama", replace(`"tie_word_embeddings": false,`, ""), nil)); err != nil || m.Spec.Head.Tied || m.Weight("head.weight") == nil {
		t.Errorf("absent key: tied %v, %v", m.Spec.Head.Tied, err)
	}
	// Tied, and the file holds the same matrix twice.
	m, err = embed(directory(t, "llama3", nil, func(x map[string]*safetensors.Out) {
		head := *x["model.embed_tokens.weight"]
		head.Name = "lm_head.weight"
		x["lm_head.weight"] = &head
	}))
	if err != nil || len(m.Ignored) != 1 || !strings.Contains(m.Ignored[0].Reason, "tie_word_embeddings") {
		t.Errorf("equal copy: %v, %v", m.Ignored, err)
	}
	// Tied, but the second matrix is another one.
	_, err = embed(directory(t, "llama", replace(`"tie_word_embeddings": false`, `"tie_word_embeddings": true`), nil))
	if diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), `tensor "lm_head.weight": differs from the embedding`) {
		t.Errorf("different copy: %v", err)
	}
}

func TestModel(t *testing.T) {
	m, err := arch.Open(fixtures.Dir(t, "llama_f16_sharded"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if m.Family != "llama" || m.Config.DType != "float16" || m.Parameters() != 94528 || m.Bytes()[safetensors.F16] != 2*94528 || len(m.Bytes()) != 1 {
		t.Errorf("%s %s %d %v", m.Family, m.Config.DType, m.Parameters(), m.Bytes())
	}
	var names []string
	for _, w := range m.Weights {
		names = append(names, w.Name)
	}
	want := "embed.weight"
	for _, n := range []string{"0", "1"} {
		for _, p := range []string{"attn_norm", "attn.q", "attn.k", "attn.v", "attn.o", "mlp_norm", "mlp.gate", "mlp.up", "mlp.down"} {
			want += " layers." + n + "." + p + ".weight"
		}
	}
	if got := strings.Join(names, " "); got != want+" norm.weight head.weight" {
		t.Errorf("order of weights: %s", got)
	}
	if len(m.Ignored) != 2 || !strings.Contains(m.Ignored[0].Tensor, "inv_freq") {
		t.Errorf("ignored: %v", m.Ignored)
	}
	if m.Weight("none") != nil {
		t.Error("finds a weight that is not there")
	}
	if kv := m.Spec.KVBytes(128); kv != 128*2*2*2*16*4 {
		t.Errorf("KV bytes %d", kv)
	}
}

func TestInspectJSON(t *testing.T) {
	in, err := arch.Inspect(fixtures.Dir(t, "qwen2_sw"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(in)
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range []string{`{"family":"qwen2","supported":true,"reasons":[],"spec":{"vocab":256,`, `"layers":[{"window":0,"rope":0},{"window":8,"rope":0},{"window":8,"rope":0}]`,
		`"parameters":90944,"bytes":{"BF16":181888}`} {
		if !bytes.Contains(text, []byte(part)) {
			t.Errorf("no %s in %s", part, text)
		}
	}
}

func TestGeneration(t *testing.T) {
	open := func(text string) (arch.Generation, error) {
		dir := directory(t, "llama3", nil, nil)
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, "generation_config.json"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		m, err := arch.Open(dir)
		if err != nil {
			return arch.Generation{}, err
		}
		defer m.Close()
		return m.Generation, nil
	}
	for text, want := range map[string]string{
		``: `{"bos_token_ids":[1],"eos_token_ids":[2,3,4],"sampling":{"sample":false,"temperature":1,"top_k":0,"top_p":1,"min_p":0,"repetition_penalty":1}}`,
		`{"_from_model_config":true,"eos_token_id":7,"transformers_version":"5"}`:                                             `{"bos_token_ids":[1],"eos_token_ids":[7],"sampling":{"sample":false,"temperature":1,"top_k":0,"top_p":1,"min_p":0,"repetition_penalty":1}}`,
		`{"bos_token_id":[5,5],"eos_token_id":null,"do_sample":true,"temperature":0.7,"top_p":0.8,"repetition_penalty":1.05}`: `{"bos_token_ids":[5],"eos_token_ids":[2,3,4],"sampling":{"sample":true,"temperature":0.7,"top_k":50,"top_p":0.8,"min_p":0,"repetition_penalty":1.05}}`,
		`{"bos_token_id":256,"eos_token_id":[256,50279,9]}`:                                                                   `{"bos_token_ids":[1],"eos_token_ids":[9],"sampling":{"sample":false,"temperature":1,"top_k":0,"top_p":1,"min_p":0,"repetition_penalty":1}}`,
		`{"do_sample":true,"top_k":20,"min_p":0.05,"max_length":4096,"num_beams":1,"anything":{"goes":[1]}}`:                  `{"bos_token_ids":[1],"eos_token_ids":[2,3,4],"sampling":{"sample":true,"temperature":1,"top_k":20,"top_p":1,"min_p":0.05,"repetition_penalty":1}}`,
	} {
		g, err := open(text)
		got, _ := json.Marshal(g)
		if err != nil || string(got) != want {
			t.Errorf("%s: want %s, found %s, %v", text, want, got, err)
		}
	}
	for text, want := range map[string]string{
		`{"eos_token_id":[2,-1]}`:  "generation_config.json: eos_token_id: token id out of range",
		`{"temperature":"hot"}`:    "generation_config.json: temperature: wrong type",
		`{"top_p":2}`:              "generation_config.json: top_p: out of range",
		"{\n\"a\":1,\n\"a\":2}":    "generation_config.json: 3:1: duplicate key",
		`[]`:                       "not a JSON object",
		`{"repetition_penalty":0}`: "out of range",
	} {
		if _, err := open(text); diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: want %q, found %v", text, want, err)
		}
	}
}

// Conversions of a whole weight, through the reader.
func TestConversion(t *testing.T) {
	values := []float64{0, 1, -1.5, 3.140625, 1e-3, 65504, 70000, 1e39, math.Inf(1), math.NaN(), 1 + 1.0/256 + 1e-12}
	encode := func(d safetensors.DType, vs []float64) []byte {
		var b []byte
		for _, v := range vs {
			switch d {
			case safetensors.F64:
				b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
			case safetensors.F32:
				b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(v)))
			case safetensors.BF16: // exact values only
				b = binary.LittleEndian.AppendUint16(b, uint16(math.Float32bits(float32(v))>>16))
			}
		}
		return b
	}
	write := func(d safetensors.DType, vs []float64, to safetensors.DType) ([]byte, error) {
		n := make([]float64, 64)
		copy(n, vs)
		dir := directory(t, "llama", nil, func(m map[string]*safetensors.Out) {
			m["model.norm.weight"] = &safetensors.Out{Name: "model.norm.weight", DType: d, Shape: []int{64}, Data: safetensors.Bytes(encode(d, n))}
		})
		m, err := arch.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		w := m.Weight("norm.weight")
		if w.DType != d || d == safetensors.F64 && w.Storage() != safetensors.F32 {
			t.Errorf("stored as %s, goes as %s", w.DType, w.Storage())
		}
		var out bytes.Buffer
		err = m.WriteWeight(context.Background(), w, to, &out)
		return out.Bytes(), err
	}
	got, err := write(safetensors.F64, values[:7], safetensors.F32)
	if err != nil || !bytes.Equal(got[:28], encode(safetensors.F32, values[:7])) || len(got) != 256 {
		t.Errorf("F64 to F32: %x, %v", got, err)
	}
	// One rounding: 1 + 2^-8 + a little is above the tie of bfloat16.
	if got, err = write(safetensors.F64, values[10:], safetensors.BF16); err != nil || got[0] != 0x81 || got[1] != 0x3f {
		t.Errorf("F64 to BF16: %x, %v", got[:2], err)
	}
	if got, err = write(safetensors.BF16, values[:3], safetensors.F16); err != nil || !bytes.Equal(got[:6], []byte{0, 0, 0, 0x3c, 0, 0xbe}) {
		t.Errorf("BF16 to F16: %x, %v", got[:6], err)
	}
	if got, err = write(safetensors.F32, []float64{math.Inf(-1), math.NaN()}, safetensors.F16); err != nil || !bytes.Equal(got[:4], []byte{0, 0xfc, 0, 0x7e}) {
		t.Errorf("infinity and NaN to F16: %x, %v", got[:4], err)
	}
	for _, c := range []struct {
		from, to safetensors.DType
		v        float64
	}{{safetensors.F32, safetensors.F16, 70000}, {safetensors.F64, safetensors.F32, 1e39}, {safetensors.F64, safetensors.F16, -1e5},
		{safetensors.F32, safetensors.BF16, math.MaxFloat32}, {safetensors.F64, safetensors.BF16, 1e300}} {
		_, err := write(c.from, []float64{c.v}, c.to)
		if diag.KindOf(err) != diag.BadInput || !strings.Contains(err.Error(), "too large for "+string(c.to)) {
			t.Errorf("%v to %s: found %v", c.v, c.to, err)
		}
	}
	if _, err := write(safetensors.F32, nil, safetensors.F64); err == nil {
		t.Error("converts to F64")
	}
}

func TestReadCancelled(t *testing.T) {
	m, err := arch.Open(fixtures.Dir(t, "llama"))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.ReadFloat32(ctx, &m.Weights[0]); !errors.Is(err, context.Canceled) {
		t.Errorf("found %v", err)
	}
	wall := errors.New("disk full")
	if err := m.WriteWeight(context.Background(), &m.Weights[0], safetensors.BF16, failing{wall}); !errors.Is(err, wall) {
		t.Errorf("found %v", err)
	}
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
