package tokenizer

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/hlocc/hlocc/internal/diag"
)

// maxDepth bounds the nesting of a tokenizer.json; real ones stay under 10.
const maxDepth = 32

// jsonReader is a strict pull parser over one JSON text. A tokenizer.json holds
// some hundred thousand strings; reading them in place, as substrings of the
// file, takes a quarter of the time of a general decoder and lets every error
// say where it is.
type jsonReader struct {
	file  string
	s     string
	i     int
	depth int
}

// bad reports malformed JSON, or a value of the wrong kind, at the reader's position.
func (r *jsonReader) bad(where, want string) error {
	found := "end of file"
	if r.i < len(r.s) {
		found = strconv.Quote(clip(r.s[r.i:], 20))
	}
	if where == "" {
		where = "top level"
	}
	return &diag.Error{
		Kind: diag.BadInput, Code: "tokenizer_json", File: r.file,
		Where:   fmt.Sprintf("%s (line %d, byte %d)", where, 1+strings.Count(r.s[:r.i], "\n"), r.i),
		Message: "tokenizer file is malformed", Want: want, Found: found,
		Fix: "fetch the file again from where the model comes from",
	}
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "..."
}

func (r *jsonReader) space() {
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case ' ', '\n', '\t', '\r':
			r.i++
		default:
			return
		}
	}
}

// peek is the first byte of the next value, 0 at the end.
func (r *jsonReader) peek() byte {
	r.space()
	if r.i == len(r.s) {
		return 0
	}
	return r.s[r.i]
}

func (r *jsonReader) accept(c byte) bool {
	if r.peek() == c && r.i < len(r.s) {
		r.i++
		return true
	}
	return false
}

// word accepts one of the literals null, true and false.
func (r *jsonReader) word(w string) bool {
	r.space()
	if strings.HasPrefix(r.s[r.i:], w) {
		r.i += len(w)
		return true
	}
	return false
}

func (r *jsonReader) null() bool { return r.word("null") }

func (r *jsonReader) boolean(where string) (bool, error) {
	switch {
	case r.word("true"):
		return true, nil
	case r.word("false"):
		return false, nil
	}
	return false, r.bad(where, "true or false")
}

// id reads a token id.
func (r *jsonReader) id(where string) (int32, error) {
	r.space()
	j := r.i
	for j < len(r.s) && '0' <= r.s[j] && r.s[j] <= '9' {
		j++
	}
	n, err := strconv.ParseUint(r.s[r.i:j], 10, 31)
	if err != nil || n > math.MaxInt32 {
		return 0, r.bad(where, "a token id (a whole number)")
	}
	r.i = j
	return int32(n), nil
}

// object calls field for every member, with the reader at its value. Keys that
// occur twice are the business of field.
func (r *jsonReader) object(where string, field func(key string) error) error {
	if !r.accept('{') {
		return r.bad(where, "an object")
	}
	return r.members(where, '}', func(int) error {
		key, err := r.str(where)
		if err != nil {
			return err
		}
		if !r.accept(':') {
			return r.bad(where, `":" after a key`)
		}
		r.space()
		return field(key)
	})
}

// array calls elem for every element, with the reader at it.
func (r *jsonReader) array(where string, elem func(i int) error) error {
	if !r.accept('[') {
		return r.bad(where, "an array")
	}
	return r.members(where, ']', elem)
}

func (r *jsonReader) members(where string, end byte, f func(i int) error) error {
	if r.depth++; r.depth > maxDepth {
		return r.bad(where, fmt.Sprintf("at most %d levels of nesting", maxDepth))
	}
	defer func() { r.depth-- }()
	if r.accept(end) {
		return nil
	}
	for i := 0; ; i++ {
		if err := f(i); err != nil {
			return err
		}
		if r.accept(end) {
			return nil
		}
		if !r.accept(',') {
			return r.bad(where, `"," or "`+string(end)+`"`)
		}
	}
}

// str reads a string. Without escapes the result shares the file's memory.
func (r *jsonReader) str(where string) (string, error) {
	if !r.accept('"') {
		return "", r.bad(where, "a string")
	}
	for j := r.i; j < len(r.s); j++ {
		switch c := r.s[j]; {
		case c == '"':
			s := r.s[r.i:j]
			r.i = j + 1
			return s, nil
		case c == '\\':
			return r.escaped(where, j)
		case c < ' ':
			r.i = j
			return "", r.bad(where, "an escaped control character")
		}
	}
	r.i = len(r.s)
	return "", r.bad(where, "the end of a string")
}

// escaped reads the rest of a string whose first escape is at j.
func (r *jsonReader) escaped(where string, j int) (string, error) {
	var b strings.Builder
	b.WriteString(r.s[r.i:j])
	for r.i = j; r.i < len(r.s); {
		c := r.s[r.i]
		switch {
		case c == '"':
			r.i++
			return b.String(), nil
		case c < ' ':
			return "", r.bad(where, "an escaped control character")
		case c != '\\':
			b.WriteByte(c)
			r.i++
			continue
		}
		if r.i+1 == len(r.s) {
			break
		}
		if k := strings.IndexByte(`"\/bfnrt`, r.s[r.i+1]); k >= 0 {
			b.WriteByte("\"\\/\b\f\n\r\t"[k])
			r.i += 2
			continue
		}
		c1, ok := r.unit(r.i)
		if !ok {
			return "", r.bad(where, "a valid escape")
		}
		n := 6
		if utf16.IsSurrogate(c1) {
			c2, ok := r.unit(r.i + 6)
			if c1 = utf16.DecodeRune(c1, c2); !ok || c1 == utf8.RuneError {
				return "", r.bad(where, "a surrogate pair")
			}
			n = 12
		}
		b.WriteRune(c1)
		r.i += n
	}
	r.i = len(r.s)
	return "", r.bad(where, "the end of a string")
}

// unit reads \uXXXX at position i.
func (r *jsonReader) unit(i int) (rune, bool) {
	if i+6 > len(r.s) || r.s[i] != '\\' || r.s[i+1] != 'u' {
		return 0, false
	}
	n, err := strconv.ParseUint(r.s[i+2:i+6], 16, 16)
	return rune(n), err == nil
}

// skip passes over any value, checking its syntax.
func (r *jsonReader) skip(where string) error {
	switch c := r.peek(); {
	case c == '{':
		return r.object(where, func(string) error { return r.skip(where) })
	case c == '[':
		return r.array(where, func(int) error { return r.skip(where) })
	case c == '"':
		_, err := r.str(where)
		return err
	case r.word("null"), r.word("true"), r.word("false"):
		return nil
	}
	j := r.i
	for j < len(r.s) && strings.IndexByte("+-.0123456789eE", r.s[j]) >= 0 {
		j++
	}
	if _, err := strconv.ParseFloat(r.s[r.i:j], 64); err != nil {
		return r.bad(where, "a value")
	}
	r.i = j
	return nil
}

// typeOf is the "type" of the object at the reader's position, which stays
// where it is; "" if the value is no object or has none.
func (r *jsonReader) typeOf(where string) (string, error) {
	if r.peek() != '{' {
		return "", nil
	}
	start, typ := r.i, ""
	err := r.object(where, func(key string) (err error) {
		if key == "type" && r.peek() == '"' {
			typ, err = r.str(where + ".type")
			return err
		}
		return r.skip(where + "." + key)
	})
	if err != nil {
		return "", err
	}
	r.i = start
	return typ, nil
}
