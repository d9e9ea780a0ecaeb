package bundle

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"strings"
	"unicode/utf8"
)

// maxJSONDepth is far more than a manifest has (about 6).
const maxJSONDepth = 64

// strictJSON decodes one JSON value into v, a pointer to a struct. Beyond what
// encoding/json checks it refuses invalid UTF-8, duplicate keys, keys that
// differ from a field's only in case, null for anything, and, unless
// allowUnknown, keys that v has no field for. json.RawMessage fields may hold
// any value without duplicate keys.
func strictJSON(b []byte, v any, allowUnknown bool) error {
	if !utf8.Valid(b) {
		return errors.New("not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	w := keyWalker{dec: dec, allowUnknown: allowUnknown}
	if err := w.value(reflect.TypeOf(v).Elem(), 0); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = errors.New("unexpected end")
		}
		return fmt.Errorf("at byte %d: %w", dec.InputOffset(), err)
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return fmt.Errorf("at byte %d: something follows the value", dec.InputOffset())
	}
	return json.Unmarshal(b, v)
}

// keyWalker reads the tokens of a value and checks the keys of its objects
// against the type that it will be decoded into.
type keyWalker struct {
	dec          *json.Decoder
	allowUnknown bool
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// value checks the next value; t is nil where anything goes.
func (w *keyWalker) value(t reflect.Type, depth int) error {
	if depth > maxJSONDepth {
		return fmt.Errorf("nested more than %d deep", maxJSONDepth)
	}
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t == rawMessage {
		t = nil
	}
	tok, err := w.dec.Token()
	if err != nil {
		return err
	}
	switch tok {
	case json.Delim('{'):
		return w.object(t, depth)
	case json.Delim('['):
		var elem reflect.Type
		if t != nil && t.Kind() == reflect.Slice {
			elem = t.Elem()
		}
		for w.dec.More() {
			if err := w.value(elem, depth+1); err != nil {
				return err
			}
		}
		_, err = w.dec.Token()
		return err
	case nil:
		if t != nil {
			return errors.New("null where a value must be")
		}
	}
	return nil
}

func (w *keyWalker) object(t reflect.Type, depth int) error {
	if t != nil && t.Kind() != reflect.Struct {
		return errors.New("an object where none must be")
	}
	seen := map[string]bool{}
	for w.dec.More() {
		tok, err := w.dec.Token()
		if err != nil {
			return err
		}
		key, ok := tok.(string)
		if !ok {
			return errors.New("a key that is not a string")
		}
		if seen[key] {
			return fmt.Errorf("key %q twice", key)
		}
		seen[key] = true
		var field reflect.Type
		if t != nil {
			f, alike := fieldFor(t, key)
			switch {
			case f != nil:
				field = f
			case alike || !w.allowUnknown:
				return fmt.Errorf("unknown key %q", key)
			}
		}
		if err := w.value(field, depth+1); err != nil {
			return err
		}
	}
	_, err := w.dec.Token()
	return err
}

// fieldFor finds the type of the field that a key is decoded into; alike says
// that encoding/json, which ignores case, would decode it into a field of
// another name.
func fieldFor(t reflect.Type, key string) (f reflect.Type, alike bool) {
	for i := range t.NumField() {
		name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
		if name == key {
			return t.Field(i).Type, false
		}
		alike = alike || strings.EqualFold(name, key)
	}
	return nil, alike
}

// isHexSHA256 accepts exactly what hex.EncodeToString makes of a digest.
func isHexSHA256(s string) bool {
	if len(s) != 64 || strings.ToLower(s) != s {
		return false
	}
	_, err := hex.DecodeString(s)
	return err == nil
}
