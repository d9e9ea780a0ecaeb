// Package strictjson reads JSON from files that we do not trust: config.json,
// safetensors headers and indexes.
//
// It differs from encoding/json where silence would be dangerous: a duplicate
// key is an error (encoding/json keeps the last, other readers the first),
// invalid UTF-8 and unpaired surrogates are errors, integers are never rounded
// through float64, nesting is bounded, and every error has a line and a column.
// The grammar is RFC 8259: no comments, no trailing commas, no NaN or Infinity.
package strictjson

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth bounds the nesting of arrays and objects.
const MaxDepth = 64

// SyntaxError is the only error type that this package creates. Line and Column
// count from 1; Column counts bytes.
type SyntaxError struct {
	Line, Column int
	Offset       int // byte offset in the text
	Msg          string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("%d:%d: %s", e.Line, e.Column, e.Msg)
}

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of JSON values. Invalid means that no value starts here.
const (
	Invalid Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "nothing"
}

// Decoder reads one JSON text from memory, value by value, and allocates only
// what it returns. After an error it must not be used further.
type Decoder struct {
	data  []byte
	pos   int
	depth int
}

// NewDecoder returns a Decoder at the start of data, which must not change.
func NewDecoder(data []byte) *Decoder { return &Decoder{data: data} }

// Offset is the position of the next byte to be read.
func (d *Decoder) Offset() int { return d.pos }

// Errorf makes a SyntaxError at a byte offset.
func (d *Decoder) Errorf(offset int, format string, args ...any) error {
	return errorAt(d.data, offset, format, args...)
}

func errorAt(data []byte, offset int, format string, args ...any) error {
	offset = min(offset, len(data))
	line, start := 1, 0
	for i, c := range data[:offset] {
		if c == '\n' {
			line, start = line+1, i+1
		}
	}
	return &SyntaxError{Line: line, Column: offset - start + 1, Offset: offset, Msg: fmt.Sprintf(format, args...)}
}

func (d *Decoder) space() {
	for d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ' ', '\t', '\n', '\r':
			d.pos++
		default:
			return
		}
	}
}

// Kind says what the next value is, without reading it.
func (d *Decoder) Kind() Kind {
	d.space()
	if d.pos >= len(d.data) {
		return Invalid
	}
	switch c := d.data[d.pos]; {
	case c == 'n':
		return Null
	case c == 't', c == 'f':
		return Bool
	case c == '-', '0' <= c && c <= '9':
		return Number
	case c == '"':
		return String
	case c == '[':
		return Array
	case c == '{':
		return Object
	}
	return Invalid
}

// unexpected reports what stands where something else was wanted.
func (d *Decoder) unexpected(want string) error {
	d.space()
	if d.pos >= len(d.data) {
		return d.Errorf(d.pos, "want %s, found the end of the text", want)
	}
	r, _ := utf8.DecodeRune(d.data[d.pos:])
	switch {
	case r == 'N' || r == 'I':
		return d.Errorf(d.pos, "want %s, found %q (NaN and Infinity are not JSON)", want, r)
	case r == 0xFEFF:
		return d.Errorf(d.pos, "want %s, found a byte order mark", want)
	}
	return d.Errorf(d.pos, "want %s, found %q", want, r)
}

func (d *Decoder) literal(word string) error {
	d.space()
	if len(d.data)-d.pos < len(word) || string(d.data[d.pos:d.pos+len(word)]) != word {
		return d.unexpected(word)
	}
	d.pos += len(word)
	return nil
}

// Null reads null.
func (d *Decoder) Null() error { return d.literal("null") }

// Bool reads true or false.
func (d *Decoder) Bool() (bool, error) {
	if d.Kind() != Bool {
		return false, d.unexpected("true or false")
	}
	if d.data[d.pos] == 't' {
		return true, d.literal("true")
	}
	return false, d.literal("false")
}

// Number reads a number and returns its text.
func (d *Decoder) Number() (string, error) {
	if d.Kind() != Number {
		return "", d.unexpected("a number")
	}
	start := d.pos
	if d.data[d.pos] == '-' {
		d.pos++
	}
	first := d.pos
	if d.digits() == 0 {
		return "", d.unexpected("a digit")
	}
	if d.data[first] == '0' && d.pos > first+1 {
		return "", d.Errorf(first, "a number must not start with 0")
	}
	if d.pos < len(d.data) && d.data[d.pos] == '.' {
		d.pos++
		if d.digits() == 0 {
			return "", d.unexpected("a digit")
		}
	}
	if d.pos < len(d.data) && (d.data[d.pos] == 'e' || d.data[d.pos] == 'E') {
		d.pos++
		if d.pos < len(d.data) && (d.data[d.pos] == '+' || d.data[d.pos] == '-') {
			d.pos++
		}
		if d.digits() == 0 {
			return "", d.unexpected("a digit")
		}
	}
	return string(d.data[start:d.pos]), nil
}

func (d *Decoder) digits() int {
	start := d.pos
	for d.pos < len(d.data) && '0' <= d.data[d.pos] && d.data[d.pos] <= '9' {
		d.pos++
	}
	return d.pos - start
}

// Uint reads a non-negative integer that is written as one: 1.0 and 1e3 are
// errors, and so is a value that does not fit.
func (d *Decoder) Uint() (uint64, error) {
	d.space()
	start := d.pos
	s, err := d.Number()
	if err != nil {
		return 0, err
	}
	n, err := strconv.ParseUint(s, 10, 64)
	if err != nil {
		return 0, d.Errorf(start, "want a non-negative integer below 2^64, found %s", clip(s))
	}
	return n, nil
}

// String reads a string.
func (d *Decoder) String() (string, error) {
	if d.Kind() != String {
		return "", d.unexpected("a string")
	}
	start := d.pos
	d.pos++
	for i := d.pos; i < len(d.data); i++ { // the common case: no escapes
		switch c := d.data[i]; {
		case c == '"':
			s := d.data[d.pos:i]
			if !utf8.Valid(s) {
				return "", d.Errorf(d.pos, "string is not valid UTF-8")
			}
			d.pos = i + 1
			return string(s), nil
		case c == '\\':
			return d.escaped(start)
		case c < 0x20:
			return "", d.Errorf(i, "control character %#02x in a string", c)
		}
	}
	return "", d.Errorf(start, "string does not end")
}

func (d *Decoder) escaped(start int) (string, error) {
	var out []byte
	for d.pos < len(d.data) {
		c := d.data[d.pos]
		switch {
		case c == '"':
			d.pos++
			if !utf8.Valid(out) {
				return "", d.Errorf(start, "string is not valid UTF-8")
			}
			return string(out), nil
		case c < 0x20:
			return "", d.Errorf(d.pos, "control character %#02x in a string", c)
		case c != '\\':
			out = append(out, c)
			d.pos++
			continue
		}
		if d.pos+1 >= len(d.data) {
			break
		}
		at := d.pos
		d.pos += 2
		switch e := d.data[at+1]; e {
		case '"', '\\', '/':
			out = append(out, e)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := d.hex4()
			if !ok {
				return "", d.Errorf(at, "want 4 hexadecimal digits after \\u")
			}
			if utf16.IsSurrogate(r) {
				low := rune(-1)
				if d.pos+1 < len(d.data) && d.data[d.pos] == '\\' && d.data[d.pos+1] == 'u' {
					d.pos += 2
					low, _ = d.hex4()
				}
				r = utf16.DecodeRune(r, low)
				if r == utf8.RuneError {
					return "", d.Errorf(at, "unpaired surrogate in a string")
				}
			}
			out = utf8.AppendRune(out, r)
		default:
			return "", d.Errorf(at, "unknown escape \\%c", e)
		}
	}
	return "", d.Errorf(start, "string does not end")
}

func (d *Decoder) hex4() (rune, bool) {
	if len(d.data)-d.pos < 4 {
		return -1, false
	}
	n, err := strconv.ParseUint(string(d.data[d.pos:d.pos+4]), 16, 16)
	if err != nil || d.data[d.pos] == '+' {
		return -1, false
	}
	d.pos += 4
	return rune(n), true
}

// Object reads an object and calls member for each key, in order, when the
// decoder stands before its value; member must read exactly that value.
// offset is where the key starts.
func (d *Decoder) Object(member func(key string, offset int) error) error {
	if d.Kind() != Object {
		return d.unexpected("an object")
	}
	if err := d.enter(); err != nil {
		return err
	}
	if d.space(); d.pos < len(d.data) && d.data[d.pos] == '}' {
		d.leave()
		return nil
	}
	var seen keySet
	for {
		d.space()
		offset := d.pos
		if d.Kind() != String {
			return d.unexpected("a key")
		}
		key, err := d.String()
		if err != nil {
			return err
		}
		if !seen.add(key) {
			return d.Errorf(offset, "duplicate key %s", clip(strconv.Quote(key)))
		}
		if d.space(); d.pos >= len(d.data) || d.data[d.pos] != ':' {
			return d.unexpected("':'")
		}
		d.pos++
		if err := member(key, offset); err != nil {
			return err
		}
		done, err := d.next('}')
		if err != nil || done {
			return err
		}
	}
}

// keySet remembers the keys of one object. Most objects have a handful, for which
// a map would be the most expensive part of reading them.
type keySet struct {
	few  [4]string
	n    int
	many map[string]struct{}
}

// add says whether the key is new.
func (s *keySet) add(key string) bool {
	for _, k := range s.few[:min(s.n, len(s.few))] {
		if k == key {
			return false
		}
	}
	if s.n < len(s.few) {
		s.few[s.n] = key
		s.n++
		return true
	}
	if s.many == nil {
		s.many = map[string]struct{}{}
	}
	if _, dup := s.many[key]; dup {
		return false
	}
	s.many[key] = struct{}{}
	return true
}

// Array reads an array and calls element for each index when the decoder stands
// before its value; element must read exactly that value.
func (d *Decoder) Array(element func(i int) error) error {
	if d.Kind() != Array {
		return d.unexpected("an array")
	}
	if err := d.enter(); err != nil {
		return err
	}
	if d.space(); d.pos < len(d.data) && d.data[d.pos] == ']' {
		d.leave()
		return nil
	}
	for i := 0; ; i++ {
		if err := element(i); err != nil {
			return err
		}
		done, err := d.next(']')
		if err != nil || done {
			return err
		}
	}
}

func (d *Decoder) enter() error {
	if d.depth >= MaxDepth {
		return d.Errorf(d.pos, "nested deeper than %d levels", MaxDepth)
	}
	d.depth++
	d.pos++
	return nil
}

func (d *Decoder) leave() {
	d.depth--
	d.pos++
}

func (d *Decoder) next(closing byte) (done bool, err error) {
	d.space()
	if d.pos < len(d.data) {
		switch d.data[d.pos] {
		case ',':
			d.pos++
			return false, nil
		case closing:
			d.leave()
			return true, nil
		}
	}
	return false, d.unexpected(fmt.Sprintf("',' or %q", rune(closing)))
}

// Skip reads one value of any kind, checks it and drops it.
func (d *Decoder) Skip() error {
	switch d.Kind() {
	case Null:
		return d.Null()
	case Bool:
		_, err := d.Bool()
		return err
	case Number:
		_, err := d.Number()
		return err
	case String:
		_, err := d.String()
		return err
	case Array:
		return d.Array(func(int) error { return d.Skip() })
	case Object:
		return d.Object(func(string, int) error { return d.Skip() })
	}
	return d.unexpected("a value")
}

// End checks that nothing but white space is left.
func (d *Decoder) End() error {
	if d.space(); d.pos < len(d.data) {
		return d.unexpected("the end of the text")
	}
	return nil
}

func clip(s string) string {
	if len(s) > 64 {
		return s[:61] + "..."
	}
	return s
}
