package tokenizer_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"io"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/internal/text/tokenizer"
)

// smolFile is the tokenizer.json of SmolLM2.
func smolFile(t testing.TB) []byte {
	t.Helper()
	packed, err := os.ReadFile(testenv.Fixture(t, "smollm2", "tokenizer.json.gz"))
	if err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

var smolOnce struct {
	sync.Once
	t *tokenizer.Tokenizer
}

func smol(t testing.TB) *tokenizer.Tokenizer {
	t.Helper()
	smolOnce.Do(func() {
		tok, err := tokenizer.Parse("tokenizer.json", smolFile(t))
		if err != nil {
			t.Fatal(err)
		}
		smolOnce.t = tok
	})
	if smolOnce.t == nil {
		t.Fatal("the tokenizer of SmolLM2 was not read")
	}
	return smolOnce.t
}

func readJSON(t testing.TB, path string, v any) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// The 115 strings whose ids Hugging Face gave for the real tokenizer.
func TestSmolLM2(t *testing.T) {
	tok := smol(t)
	var cases []struct {
		Text    string
		IDs     []int32
		Decoded string
	}
	readJSON(t, testenv.Fixture(t, "smollm2", "tokenizer_oracle.json"), &cases)
	if len(cases) != 115 {
		t.Fatalf("%d cases, want 115", len(cases))
	}
	for _, c := range cases {
		ids, err := tok.Encode(c.Text)
		if err != nil || !slices.Equal(ids, c.IDs) {
			t.Errorf("Encode(%q) = %v, %v; want %v", c.Text, ids, err, c.IDs)
		}
		if got := tok.Decode(c.IDs, false); got != c.Decoded {
			t.Errorf("Decode(%v) = %q, want %q", c.IDs, got, c.Decoded)
		}
		if got := stream(tok, c.IDs, false); got != c.Decoded {
			t.Errorf("streamed %v = %q, want %q", c.IDs, got, c.Decoded)
		}
	}
	if n := tok.VocabSize(); n != 49152 {
		t.Errorf("VocabSize = %d", n)
	}
	if id, ok := tok.ID("<|im_end|>"); id != 2 || !ok {
		t.Errorf("<|im_end|> is %d, %v", id, ok)
	}
}

func stream(tok *tokenizer.Tokenizer, ids []int32, skip bool) string {
	d := tok.NewDecoder(skip)
	var b []byte
	for _, id := range ids {
		b = append(b, d.Next(id)...)
	}
	return string(b) + d.Flush()
}

// testdata/variants.json holds variations on one small vocabulary, one per
// stage, flag and setting, with what Hugging Face makes of 97 texts.
func TestVariants(t *testing.T) {
	var file struct {
		Model    map[string]json.RawMessage
		Texts    []string
		Variants []struct {
			Name  string
			Set   map[string]json.RawMessage
			Cases []struct {
				IDs     []int32
				Special []int32 // with the post-processor, where that differs
				Decoded *string // where it differs from the text
				Skipped *string
			}
		}
		Decode []struct {
			IDs  []int32
			Text string
		}
	}
	readJSON(t, "testdata/variants.json", &file)
	if len(file.Variants) != 23 {
		t.Fatalf("%d variants", len(file.Variants))
	}
	for _, v := range file.Variants {
		t.Run(v.Name, func(t *testing.T) {
			tok := variant(t, file.Model, v.Set)
			for i, c := range v.Cases {
				text := file.Texts[i]
				ids, err := tok.Encode(text)
				if err != nil || !slices.Equal(ids, c.IDs) {
					t.Errorf("Encode(%q) = %v, %v; want %v", text, ids, err, c.IDs)
				}
				if c.Special == nil {
					c.Special = c.IDs
				}
				if ids, err := tok.EncodeSpecial(text); err != nil || !slices.Equal(ids, c.Special) {
					t.Errorf("EncodeSpecial(%q) = %v, %v; want %v", text, ids, err, c.Special)
				}
				for skip, want := range map[bool]*string{false: c.Decoded, true: c.Skipped} {
					if want == nil {
						want = &text
					}
					if got := tok.Decode(c.IDs, skip); got != *want {
						t.Errorf("Decode(%v, %v) = %q, want %q", c.IDs, skip, got, *want)
					}
					if got := stream(tok, c.IDs, skip); got != *want {
						t.Errorf("streamed %v, %v = %q, want %q", c.IDs, skip, got, *want)
					}
				}
			}
		})
	}
	tok := variant(t, file.Model, nil)
	for _, c := range file.Decode {
		if got := tok.Decode(c.IDs, true); got != c.Text {
			t.Errorf("Decode(%v) = %q, want %q", c.IDs, got, c.Text)
		}
		if got := stream(tok, c.IDs, true); got != c.Text {
			t.Errorf("streamed %v = %q, want %q", c.IDs, got, c.Text)
		}
	}
}

// variant is the small tokenizer with the settings of set; set["model"] holds
// settings of the model.
func variant(t *testing.T, model, set map[string]json.RawMessage) *tokenizer.Tokenizer {
	t.Helper()
	byteLevel := json.RawMessage(`{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true}`)
	full := map[string]any{
		"version": "1.0", "truncation": nil, "padding": nil, "added_tokens": []any{}, "normalizer": nil,
		"pre_tokenizer": byteLevel, "post_processor": nil, "decoder": byteLevel,
	}
	m := map[string]json.RawMessage{}
	for k, v := range model {
		m[k] = v
	}
	for k, v := range set {
		if full[k] = v; k == "model" {
			if err := json.Unmarshal(v, &m); err != nil {
				t.Fatal(err)
			}
		}
	}
	full["model"] = m
	data, err := json.Marshal(full)
	if err != nil {
		t.Fatal(err)
	}
	tok, err := tokenizer.Parse("variant.json", data)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}
