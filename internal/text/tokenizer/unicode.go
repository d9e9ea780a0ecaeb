package tokenizer

import "unicode"

// The classes of the GPT-2 split pattern.
const (
	classOther  = iota // [^\s\p{L}\p{N}]
	classLetter        // \p{L}
	classNumber        // \p{N}
	classSpace         // \s, that is White_Space
)

// Hugging Face tokenizers 0.23.3 follows Unicode 16 in the pattern (Oniguruma)
// and in the word test of single_word (the regex crate), and Unicode 17 in
// Digits (Rust's char::is_numeric). Go's tables are of Unicode 15, so these hold
// the difference. A test compares a digest over all code points with the one of
// the original: it fails when a Go release brings newer tables.
var (
	letters16 = &unicode.RangeTable{
		R16: []unicode.Range16{{0x1c89, 0x1c8a, 1}, {0xa7cb, 0xa7cd, 1}, {0xa7da, 0xa7dc, 1}},
		R32: []unicode.Range32{
			{0x105c0, 0x105f3, 1}, {0x10d4a, 0x10d65, 1}, {0x10d6f, 0x10d85, 1}, {0x10ec2, 0x10ec4, 1},
			{0x11380, 0x11389, 1}, {0x1138b, 0x1138b, 1}, {0x1138e, 0x1138e, 1}, {0x11390, 0x113b5, 1},
			{0x113b7, 0x113b7, 1}, {0x113d1, 0x113d1, 1}, {0x113d3, 0x113d3, 1}, {0x11bc0, 0x11be0, 1},
			{0x13460, 0x143fa, 1}, {0x16100, 0x1611d, 1}, {0x16d40, 0x16d6c, 1}, {0x18cff, 0x18cff, 1},
			{0x1e5d0, 0x1e5ed, 1}, {0x1e5f0, 0x1e5f0, 1}, {0x2ebf0, 0x2ee5d, 1},
		},
	}
	numbers16 = &unicode.RangeTable{
		R32: []unicode.Range32{
			{0x10d40, 0x10d49, 1}, {0x116d0, 0x116e3, 1}, {0x11bf0, 0x11bf9, 1}, {0x16130, 0x16139, 1},
			{0x16d70, 0x16d79, 1}, {0x1ccf0, 0x1ccf9, 1}, {0x1e5f1, 0x1e5fa, 1},
		},
	}
	numbers17 = &unicode.RangeTable{
		R32: []unicode.Range32{{0x11de0, 0x11de9, 1}, {0x16ff4, 0x16ff6, 1}},
	}
	words16 = &unicode.RangeTable{
		R16: []unicode.Range16{{0x0897, 0x0897, 1}, {0x1c89, 0x1c8a, 1}, {0xa7cb, 0xa7cd, 1}, {0xa7da, 0xa7dc, 1}},
		R32: []unicode.Range32{
			{0x105c0, 0x105f3, 1}, {0x10d40, 0x10d65, 1}, {0x10d69, 0x10d6d, 1}, {0x10d6f, 0x10d85, 1},
			{0x10ec2, 0x10ec4, 1}, {0x10efc, 0x10efc, 1}, {0x11380, 0x11389, 1}, {0x1138b, 0x1138b, 1},
			{0x1138e, 0x1138e, 1}, {0x11390, 0x113b5, 1}, {0x113b7, 0x113c0, 1}, {0x113c2, 0x113c2, 1},
			{0x113c5, 0x113c5, 1}, {0x113c7, 0x113ca, 1}, {0x113cc, 0x113d3, 1}, {0x113e1, 0x113e2, 1},
			{0x116d0, 0x116e3, 1}, {0x11bc0, 0x11be0, 1}, {0x11bf0, 0x11bf9, 1}, {0x11f5a, 0x11f5a, 1},
			{0x13460, 0x143fa, 1}, {0x16100, 0x16139, 1}, {0x16d40, 0x16d6c, 1}, {0x16d70, 0x16d79, 1},
			{0x18cff, 0x18cff, 1}, {0x1ccf0, 0x1ccf9, 1}, {0x1e5d0, 0x1e5fa, 1}, {0x2ebf0, 0x2ee5d, 1},
		},
	}
)

// asciiClass answers classOf for the characters that matter for speed.
var asciiClass = func() (t [128]uint8) {
	for r := range rune(128) {
		t[r] = slowClass(r)
	}
	return t
}()

func classOf(r rune) uint8 {
	if r < 128 {
		return asciiClass[r]
	}
	return slowClass(r)
}

func slowClass(r rune) uint8 {
	switch {
	case unicode.IsLetter(r) || unicode.Is(letters16, r):
		return classLetter
	case unicode.IsNumber(r) || unicode.Is(numbers16, r):
		return classNumber
	case unicode.Is(unicode.White_Space, r):
		return classSpace
	}
	return classOther
}

// isDigit is Rust's char::is_numeric, the test of the Digits pre-tokenizer.
func isDigit(r rune) bool {
	if r < 128 {
		return '0' <= r && r <= '9'
	}
	return unicode.IsNumber(r) || unicode.In(r, numbers16, numbers17)
}

// isWord is \w of the regex crate, the test of single_word.
func isWord(r rune) bool {
	return unicode.In(r, unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.M, unicode.Nd, unicode.Pc,
		unicode.Join_Control, words16)
}

func isSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }
