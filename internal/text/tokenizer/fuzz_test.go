package tokenizer_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hlocc/hlocc/internal/text/tokenizer"
)

// A tokenizer.json is untrusted: reading it gives an error or a tokenizer that
// works, in bounded time, and never a panic.
func FuzzTokenizerJSON(f *testing.F) {
	f.Add([]byte(tiny), "ab <e> ba'll 12")
	f.Add([]byte(strings.Replace(tiny, `"merges":["a b"]`, `"merges":[["a","b"]]`, 1)), "aab")
	f.Add([]byte(strings.Replace(tiny, `"pre_tokenizer":{`, `"pre_tokenizer":{"type":"Sequence","pretokenizers":[
		{"type":"Digits","individual_digits":true},{"type":"ByteLevel","add_prefix_space":true,"trim_offsets":true,"use_regex":false}]},"x":{`, 1)), "a 1b")
	f.Add([]byte(strings.Replace(tiny, `"post_processor":null`, `"post_processor":{"type":"TemplateProcessing","single":[
		{"SpecialToken":{"id":"<e>","type_id":0}},{"Sequence":{"id":"A","type_id":0}}],"pair":[],
		"special_tokens":{"<e>":{"id":"<e>","ids":[4],"tokens":["<e>"]}}}`, 1)), "ab")
	f.Add([]byte(strings.Replace(tiny, `"unk_token":null`, `"unk_token":"a"`, 1)), "xyz")
	f.Add([]byte(`{"model":{"vocab":{"\ud83d\ude42":0}}}`), "")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		tok, err := tokenizer.Parse("t.json", data)
		if err != nil {
			return
		}
		ids, err := tok.EncodeSpecial(text)
		if err != nil {
			if utf8.ValidString(text) {
				t.Fatalf("Encode(%q): %v", text, err)
			}
			return
		}
		for _, id := range ids {
			if _, ok := tok.Token(id); !ok {
				t.Fatalf("id %d has no token", id)
			}
		}
		if whole, parts := tok.Decode(ids, false), stream(tok, ids, false); whole != parts || !utf8.ValidString(whole) {
			t.Fatalf("decoded %q, streamed %q", whole, parts)
		}
	})
}

// Any UTF-8 text comes back from the real vocabulary, but for the bytes that it
// has no symbol for. Added tokens come back as well: they are spelled out.
func FuzzEncode(f *testing.F) {
	for _, s := range []string{"", "Hello world", "  a \n\t b", "it's 'll'", "é 東京 🙂", "1234", "<|im_start|>", "x\u00a0\u2003", "\x00\x85\U000f0000"} {
		f.Add(s)
	}
	tok := smol(f)
	missing := missingBytes(tok)
	f.Fuzz(func(t *testing.T, text string) {
		ids, err := tok.Encode(text)
		if !utf8.ValidString(text) {
			if err == nil {
				t.Fatalf("%q is not UTF-8", text)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		for i := range len(text) {
			if missing[text[i]] {
				return
			}
		}
		if got := tok.Decode(ids, false); got != text {
			t.Fatalf("%q came back as %q (%v)", text, got, ids)
		}
		if got := stream(tok, ids, false); got != text {
			t.Fatalf("%q streamed as %q", text, got)
		}
	})
}

// missingBytes are those that SmolLM2's vocabulary has no symbol for: what
// encodes to nothing.
func missingBytes(tok *tokenizer.Tokenizer) (missing [256]bool) {
	have := [256]bool{}
	for id := range int32(tok.VocabSize()) {
		if s, ok := tok.Token(id); ok && utf8.RuneCountInString(s) == 1 {
			have[byteOf(s)] = true
		}
	}
	for b := range missing {
		missing[b] = !have[b]
	}
	return missing
}

// byteOf inverts GPT-2's byte alphabet for one character, from its definition.
func byteOf(s string) byte {
	r, _ := utf8.DecodeRuneInString(s)
	n := rune(0x100)
	for b := range rune(256) {
		if '!' <= b && b <= '~' || 0xa1 <= b && b <= 0xac || 0xae <= b {
			if r == b {
				return byte(b)
			}
			continue
		}
		if r == n {
			return byte(b)
		}
		n++
	}
	return 0xff
}
