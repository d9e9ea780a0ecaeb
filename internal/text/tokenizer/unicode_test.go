package tokenizer

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
	"unicode"
)

// The digests are over one byte per code point, surrogates 0: the class that
// Hugging Face tokenizers 0.23.3 puts it in, read off its pre-tokenizers (and
// off a single_word token for the second). Newer Unicode tables in Go show here.
func TestUnicodeClasses(t *testing.T) {
	classes, words := make([]byte, unicode.MaxRune+1), make([]byte, unicode.MaxRune+1)
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if 0xd800 <= r && r < 0xe000 {
			continue
		}
		classes[r] = map[uint8]byte{classLetter: 1, classNumber: 2, classOther: 3, classSpace: 4}[classOf(r)]
		if isDigit(r) {
			classes[r] |= 8
		}
		if isWord(r) {
			words[r] = 1
		}
		if isSpace(r) {
			words[r] |= 2
		}
	}
	for name, c := range map[string]struct {
		table []byte
		want  string
	}{
		"split and digits": {classes, "b79dd2896d1b38421cf0c5eb1f657625fe698886093d8e6bbe788339cc724785"},
		"word and space":   {words, "b1133b27449bb33437fbed2618b239eceb5a314c4aa7c16de263533f90c8e42c"},
	} {
		sum := sha256.Sum256(c.table)
		if got := hex.EncodeToString(sum[:]); got != c.want {
			t.Errorf("%s: digest %s, want %s (Go has Unicode %s)", name, got, c.want, unicode.Version)
		}
	}
}
