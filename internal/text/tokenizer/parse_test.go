package tokenizer_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/text/tokenizer"
)

// tiny is a whole tokenizer.json; tests change parts of it.
const tiny = `{"version":"1.0","truncation":null,"padding":null,
"added_tokens":[{"id":4,"content":"<e>","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true}],
"normalizer":null,
"pre_tokenizer":{"type":"ByteLevel","add_prefix_space":false,"trim_offsets":true,"use_regex":true},
"post_processor":null,
"decoder":{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":true},
"model":{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":null,"end_of_word_suffix":null,"fuse_unk":false,
"byte_fallback":false,"ignore_merges":false,"vocab":{"a":0,"b":1,"ab":2,"\u0120":3},"merges":["a b"]}}`

func TestRefusals(t *testing.T) {
	cases := []struct {
		name, old, new string
		kind           diag.Kind
		where, says    string // parts of Where and of the whole message
	}{
		{"normalizer", `"normalizer":null`, `"normalizer":{"type":"NFC"}`, diag.Unsupported, "normalizer", `"NFC"`},
		{"pre_tokenizer", `{"type":"ByteLevel","add_prefix_space":false`, `{"type":"Metaspace","add_prefix_space":false`,
			diag.Unsupported, "pre_tokenizer", `"Metaspace"`},
		{"no pre_tokenizer", `"pre_tokenizer":{`, `"pre_tokenizer":null,"normalizers":{`, diag.Unsupported, "pre_tokenizer", "no ByteLevel"},
		{"split", `"pre_tokenizer":{"type":"ByteLevel",`,
			`"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"Split","pattern":{"Regex":"x"}}]},"truncation":{`,
			diag.Unsupported, "pre_tokenizer.pretokenizers[0]", `"Split"`},
		{"stage after ByteLevel", `"pre_tokenizer":{"type":"ByteLevel",`,
			`"pre_tokenizer":{"type":"Sequence","pretokenizers":[{"type":"ByteLevel"},{"type":"Digits"}]},"truncation":{`,
			diag.Unsupported, "pre_tokenizer.pretokenizers[1]", "after ByteLevel"},
		{"no ByteLevel", `"pre_tokenizer":{"type":"ByteLevel",`, `"pre_tokenizer":{"type":"Sequence","pretokenizers":[]},"truncation":{`,
			diag.Unsupported, "pre_tokenizer", "no ByteLevel"},
		{"post_processor", `"post_processor":null`, `"post_processor":{"type":"RobertaProcessing"}`, diag.Unsupported,
			"post_processor", `"RobertaProcessing"`},
		{"template without text", `"post_processor":null`, `"post_processor":{"type":"TemplateProcessing","single":[],"special_tokens":{}}`,
			diag.Unsupported, "post_processor.single", "exactly once"},
		{"template of unknown token", `"post_processor":null`, `"post_processor":{"type":"TemplateProcessing","single":
			[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{}}`, diag.BadInput, "post_processor", `"<s>"`},
		{"template id", `"post_processor":null`, `"post_processor":{"type":"TemplateProcessing","single":
			[{"SpecialToken":{"id":"<s>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{"<s>":{"id":"<s>","ids":[9],"tokens":["<s>"]}}}`,
			diag.BadInput, "post_processor", "9"},
		{"two templates", `"post_processor":null`, `"post_processor":{"type":"Sequence","processors":[` +
			`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{}},` +
			`{"type":"TemplateProcessing","single":[{"Sequence":{"id":"A","type_id":0}}],"special_tokens":{}}]}`,
			diag.Unsupported, "processors[1]", "second template"},
		{"decoder", `"decoder":{"type":"ByteLevel"`, `"decoder":{"type":"Replace"`, diag.Unsupported, "decoder", `"Replace"`},
		{"null decoder", `"decoder":{`, `"decoder":null,"truncation":{`, diag.Unsupported, "decoder", "no decoder"},
		{"unigram", `"type":"BPE"`, `"type":"Unigram"`, diag.Unsupported, "model", `"Unigram"`},
		{"dropout", `"dropout":null`, `"dropout":0.1`, diag.Unsupported, "model.dropout", "0.1"},
		{"byte_fallback", `"byte_fallback":false`, `"byte_fallback":true`, diag.Unsupported, "model.byte_fallback", "true"},
		{"prefix", `"continuing_subword_prefix":null`, `"continuing_subword_prefix":"##"`, diag.Unsupported, "continuing_subword_prefix", "##"},
		{"suffix", `"end_of_word_suffix":null`, `"end_of_word_suffix":"</w>"`, diag.Unsupported, "end_of_word_suffix", "</w>"},
		{"unk", `"unk_token":null`, `"unk_token":"<unk>"`, diag.BadInput, "model.unk_token", "<unk>"},
		{"unknown setting", `"fuse_unk":false`, `"fuse_all":false`, diag.Unsupported, "model.fuse_all", "not known"},
		{"unknown part", `"normalizer":null`, `"denormalizer":null`, diag.Unsupported, "denormalizer", "not known"},
		{"version", `"version":"1.0"`, `"version":"2.0"`, diag.Unsupported, "version", "2.0"},
		{"merge of nothing", `["a b"]`, `["a c"]`, diag.BadInput, "model.merges[0]", `"c"`},
		{"merge to nothing", `["a b"]`, `["b a"]`, diag.BadInput, "model.merges[0]", `"ba"`},
		{"merge of three", `["a b"]`, `["a b c"]`, diag.BadInput, "model.merges[0]", "two parts"},
		{"merge pair of three", `["a b"]`, `[["a","b","c"]]`, diag.BadInput, "model.merges[0]", "two parts"},
		{"merge pair of one", `["a b"]`, `[["a"]]`, diag.BadInput, "model.merges[0]", "two parts"},
		{"token twice", `"a":0`, `"a":0,"a":7`, diag.BadInput, "model.vocab", "twice"},
		{"id twice", `"a":0`, `"a":0,"c":1`, diag.BadInput, "model.vocab", "one id"},
		{"id negative", `"a":0`, `"a":-1`, diag.BadInput, "model.vocab", "token id"},
		{"id huge", `"a":0`, `"a":2147483647`, diag.Unsupported, "model.vocab", "too large"},
		{"id beyond", `"a":0`, `"a":99999999999999999999`, diag.BadInput, "model.vocab", "token id"},
		{"added id", `"id":4`, `"id":9`, diag.BadInput, "added_tokens[0]", "want 4"},
		{"added flag missing", `"lstrip":false,`, ``, diag.BadInput, "added_tokens[0]", "incomplete"},
		{"added too long", `"<e>"`, `"` + strings.Repeat("e", 600) + `"`, diag.Unsupported, "added_tokens[0]", "too long"},
		{"key twice", `"fuse_unk":false`, `"fuse_unk":false,"fuse_unk":true`, diag.BadInput, "model.fuse_unk", "twice"},
		{"lone surrogate", `"<e>"`, `"\ud800"`, diag.BadInput, "added_tokens[0]", "surrogate"},
		{"control character", `"<e>"`, "\"\n\"", diag.BadInput, "line", "control"},
		{"not UTF-8", `"<e>"`, "\"\xff\"", diag.BadInput, "byte", "UTF-8"},
		{"deep", `"truncation":null`, `"truncation":` + strings.Repeat("[", 10000), diag.BadInput, "truncation", "nesting"},
		{"trailing", `["a b"]}}`, `["a b"]}} x`, diag.BadInput, "after the end", "nothing"},
		{"truncated", `["a b"]}}`, `["a`, diag.BadInput, "model.merges", "end of file"},
		{"no model", `"model":{`, `"padding":{`, diag.BadInput, "padding", "twice"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if !strings.Contains(tiny, c.old) {
				t.Fatalf("%q is not in the file", c.old)
			}
			_, err := tokenizer.Parse("dir/tokenizer.json", []byte(strings.Replace(tiny, c.old, c.new, 1)))
			var d *diag.Error
			if !errors.As(err, &d) {
				t.Fatalf("error %v", err)
			}
			if d.Kind != c.kind || !strings.Contains(d.Where, c.where) || !strings.Contains(d.Error(), c.says) ||
				d.File != "dir/tokenizer.json" || d.Fix == "" {
				t.Errorf("kind %d, where %q: %v", d.Kind, d.Where, d)
			}
		})
	}
	var many strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&many, `{"id":%d,"content":"%s%d","single_word":false,"lstrip":false,"rstrip":false,"normalized":false,"special":true},`,
			i+4, strings.Repeat("e", 400), i)
	}
	_, err := tokenizer.Parse("t.json", []byte(strings.Replace(tiny, `{"id":4`, many.String()+`{"id":3004`, 1)))
	if diag.KindOf(err) != diag.Unsupported || !strings.Contains(err.Error(), "together") {
		t.Errorf("a megabyte of added tokens: %v", err)
	}
	for _, s := range []string{"", "null", "[]", "{}", `{"model":null}`, `"x"`, "{"} {
		if tok, err := tokenizer.Parse("t.json", []byte(s)); err == nil || tok != nil {
			t.Errorf("Parse(%q) = %v, %v", s, tok, err)
		}
	}
	if _, err := tokenizer.Parse("t.json", []byte(tiny)); err != nil {
		t.Error(err)
	}
}

func TestEncodeRefusesBadUTF8(t *testing.T) {
	for text, where := range map[string]string{"a\xffb": "byte 1", "\uFFFD\xe2\x82": "byte 3", "\xed\xa0\x80": "byte 0"} {
		_, err := smol(t).Encode(text)
		var d *diag.Error
		if !errors.As(err, &d) || d.Kind != diag.BadInput || d.Where != where {
			t.Errorf("Encode(%q): %v", text, err)
		}
	}
	if ids, err := smol(t).Encode("\uFFFD"); err != nil || len(ids) == 0 {
		t.Errorf("U+FFFD itself: %v, %v", ids, err)
	}
}

// A word of n bytes must not cost n squared: that would take many minutes here.
func TestHostileText(t *testing.T) {
	tok := smol(t)
	for name, text := range map[string]string{
		"letters":     strings.Repeat("a", 1<<18),
		"pairs":       strings.Repeat("the", 1<<17),
		"spaces":      strings.Repeat(" ", 1<<18),
		"spaces end":  strings.Repeat(" ", 1<<18) + "x",
		"apostrophes": strings.Repeat("'", 1<<18),
		"half tokens": strings.Repeat("<|im_star", 1<<15),
		"combining":   strings.Repeat("\u0301", 1<<17),
	} {
		start := time.Now()
		ids, err := tok.Encode(text)
		if err != nil {
			t.Fatal(err)
		}
		if d := time.Since(start); d > time.Minute {
			t.Errorf("%s: %v for %d bytes", name, d, len(text))
		}
		if got := tok.Decode(ids, false); got != text {
			t.Errorf("%s: does not come back", name)
		}
	}
}

// Decoding never splits a character and never holds back more than it must.
func TestDecoderStreams(t *testing.T) {
	tok := smol(t)
	id := func(s string) int32 {
		n, ok := tok.ID(s)
		if !ok {
			t.Fatalf("no token %q", s)
		}
		return n
	}
	d := tok.NewDecoder(true)
	type step struct {
		id   int32
		want string
	}
	for i, s := range []step{
		{id("Ġthe"), " the"},
		{id("ð"), ""}, {id("Ł"), ""}, {id("Ļ"), ""}, {id("Ĥ"), "🙂"},
		{id("ð"), ""}, {id("a"), "\uFFFDa"},
		{2, ""}, {-1, ""}, {49152, ""}, {1 << 30, ""},
		{id("ð"), ""}, {id("Ł"), ""},
	} {
		if got := d.Next(s.id); got != s.want {
			t.Errorf("step %d: %q, want %q", i, got, s.want)
		}
	}
	if got := d.Flush(); got != "\uFFFD" {
		t.Errorf("Flush = %q", got)
	}
	if got := d.Flush(); got != "" {
		t.Errorf("second Flush = %q", got)
	}
}

func BenchmarkParse(b *testing.B) {
	data := smolFile(b)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tokenizer.Parse("tokenizer.json", data); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	tok := smol(b)
	text := strings.Repeat("The capital of France is Paris, and 12 other cities don't matter.\n", 500)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tok.Encode(text); err != nil {
			b.Fatal(err)
		}
	}
}
