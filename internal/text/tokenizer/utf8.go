package tokenizer

import "unicode/utf8"

// decode is utf8.DecodeRuneInString with a short way for ASCII.
func decode(s string) (rune, int) {
	if len(s) > 0 && s[0] < utf8.RuneSelf {
		return rune(s[0]), 1
	}
	return utf8.DecodeRuneInString(s)
}

// firstInvalid is the offset of the first byte of s that is not UTF-8, -1 if there is none.
func firstInvalid(s string) int {
	if utf8.ValidString(s) {
		return -1
	}
	for i, r := range s {
		if r == utf8.RuneError {
			if _, w := utf8.DecodeRuneInString(s[i:]); w == 1 {
				return i
			}
		}
	}
	return -1
}

// lossy appends b to dst as UTF-8, replacing each maximal subpart of an
// ill-formed sequence by one U+FFFD (Unicode chapter 3.9, and Rust's
// from_utf8_lossy). Go's own conversions replace every single byte, or a whole
// run. It stops before a sequence that more bytes could complete, and returns
// how many bytes it took.
func lossy(dst, b []byte) ([]byte, int) {
	for i := 0; i < len(b); {
		n, ok := sequence(b[i:])
		switch {
		case ok:
			dst = append(dst, b[i:i+n]...)
		case n == len(b)-i && incomplete(b[i:]):
			return dst, i
		default:
			dst = append(dst, "\uFFFD"...)
		}
		i += n
	}
	return dst, len(b)
}

// sequence is the length of the first character of b, or of the maximal
// subpart in its place.
func sequence(b []byte) (n int, ok bool) {
	size, lo, hi := lead(b[0])
	if size == 0 {
		return 1, false
	}
	for n = 1; n < size; n++ {
		if n == len(b) || b[n] < lo || b[n] > hi {
			return n, false
		}
		lo, hi = 0x80, 0xbf
	}
	return size, true
}

// incomplete says whether b, a maximal subpart, lacks only bytes after it.
func incomplete(b []byte) bool {
	size, _, _ := lead(b[0])
	return len(b) < size
}

// lead gives the size of the sequence that c starts, 0 if none, and the range
// of its second byte (Unicode table 3-7).
func lead(c byte) (size int, lo, hi byte) {
	switch {
	case c < 0x80:
		return 1, 0x80, 0xbf
	case c < 0xc2:
		return 0, 0, 0
	case c < 0xe0:
		return 2, 0x80, 0xbf
	case c == 0xe0:
		return 3, 0xa0, 0xbf
	case c == 0xed:
		return 3, 0x80, 0x9f
	case c < 0xf0:
		return 3, 0x80, 0xbf
	case c == 0xf0:
		return 4, 0x90, 0xbf
	case c < 0xf4:
		return 4, 0x80, 0xbf
	case c == 0xf4:
		return 4, 0x80, 0x8f
	}
	return 0, 0, 0
}
