package bundle

import (
	"encoding/hex"
	"encoding/json"
	"reflect"
	"strings"

	"github.com/hlocc/hlocc/internal/strictjson"
)

// strictJSON decodes one JSON value into v, a pointer to a struct. Beyond what
// strictjson checks (duplicate keys, invalid text, nesting) it refuses keys that
// differ from a field's only in case, which encoding/json would accept, null
// where a value must be, and, unless allowUnknown, keys that v has no field for.
// A json.RawMessage field may hold any value.
func strictJSON(b []byte, v any, allowUnknown bool) error {
	w := keyWalker{dec: strictjson.NewDecoder(b), allowUnknown: allowUnknown}
	if err := w.value(reflect.TypeOf(v).Elem()); err != nil {
		return err
	}
	if err := w.dec.End(); err != nil {
		return err
	}
	return json.Unmarshal(b, v)
}

// keyWalker reads a value and checks the keys of its objects against the type
// that it will be decoded into.
type keyWalker struct {
	dec          *strictjson.Decoder
	allowUnknown bool
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// value checks the next value; t is nil where anything goes.
func (w *keyWalker) value(t reflect.Type) error {
	if t != nil && t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch {
	case t == nil || t == rawMessage:
		return w.dec.Skip()
	case t.Kind() == reflect.Struct:
		return w.object(t)
	case t.Kind() == reflect.Slice:
		return w.dec.Array(func(int) error { return w.value(t.Elem()) })
	case w.dec.Kind() == strictjson.Null:
		return w.dec.Errorf(w.dec.Offset(), "null where a value must be")
	}
	return w.dec.Skip() // json.Unmarshal compares the type
}

func (w *keyWalker) object(t reflect.Type) error {
	return w.dec.Object(func(key string, offset int) error {
		f, alike := fieldFor(t, key)
		if f == nil && (alike || !w.allowUnknown) {
			return w.dec.Errorf(offset, "unknown key %q", key)
		}
		return w.value(f)
	})
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
