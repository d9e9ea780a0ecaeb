package tokenizer

// GPT-2 writes every byte as a printable character, so that a vocabulary is
// readable text: the printable bytes of Latin-1 stand for themselves, the other
// 68 are numbered from U+0100 on (source: the ByteLevel component of Hugging Face
// tokenizers, after OpenAI's bytes_to_unicode).
var (
	byteChar  [256]string  // byte -> its character
	charBytes [0x144]int16 // character -> its byte, -1 if it has none
)

func init() {
	for i := range charBytes {
		charBytes[i] = -1
	}
	next := rune(0x100)
	for b := range 256 {
		r := rune(b)
		if !('!' <= b && b <= '~' || 0xa1 <= b && b <= 0xac || 0xae <= b) {
			r = next
			next++
		}
		byteChar[b] = string(r)
		charBytes[r] = int16(b)
	}
}

// appendToken appends what a token decodes to: its characters as bytes, or its
// own UTF-8 when one of them is not in the byte alphabet.
func appendToken(b []byte, token string) []byte {
	n := len(b)
	for _, r := range token {
		if int(r) >= len(charBytes) || charBytes[r] < 0 {
			return append(b[:n], token...)
		}
		b = append(b, byte(charBytes[r]))
	}
	return b
}

// scan cuts s as GPT-2's pattern does and gives the pieces to emit:
//
//	's|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+
func scan(s string, emit func(string)) {
	for len(s) > 0 {
		n := contraction(s)
		if n == 0 {
			n = gpt2Word(s)
		}
		emit(s[:n])
		s = s[n:]
	}
}

// contraction is the length of the English contraction that s starts with, else 0.
func contraction(s string) int {
	if s[0] != '\'' || len(s) < 2 {
		return 0
	}
	switch s[1] {
	case 's', 't', 'm', 'd':
		return 2
	}
	if len(s) >= 3 {
		switch s[1:3] {
		case "re", "ve", "ll":
			return 3
		}
	}
	return 0
}

// gpt2Word is the length of the match of the other alternatives at the start of s.
func gpt2Word(s string) int {
	i := 0
	if s[0] == ' ' {
		i = 1
	}
	if r, w := decode(s[i:]); w > 0 {
		if c := classOf(r); c != classSpace {
			for i += w; i < len(s); i += w {
				if r, w = decode(s[i:]); classOf(r) != c {
					break
				}
			}
			return i
		}
	}
	// White space: all of it at the end of the text, else all but the last
	// character, which \s+(?!\S) leaves to the word after it.
	last := 0
	for i = 0; i < len(s); {
		r, w := decode(s[i:])
		if classOf(r) != classSpace {
			if last > 0 {
				return last
			}
			return i
		}
		last = i
		i += w
	}
	return i
}
