package strictjson

import (
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Value is a parsed JSON value. Members of objects keep the order of the text.
type Value struct {
	Kind   Kind
	Offset int // where it starts in the text

	Bool     bool
	Text     string   // of a Number as written, of a String decoded
	Elements []*Value // of an Array
	Keys     []string // of an Object, in order
	members  map[string]*Value
}

// Parse reads a whole text into memory. The caller bounds the size of data; the
// result takes at most some 100 bytes per byte of it.
func Parse(data []byte) (*Value, error) {
	d := NewDecoder(data)
	v, err := d.Value()
	if err != nil {
		return nil, err
	}
	return v, d.End()
}

// Value reads one value of any kind.
func (d *Decoder) Value() (*Value, error) {
	v := &Value{Kind: d.Kind()}
	v.Offset = d.pos
	var err error
	switch v.Kind {
	case Null:
		err = d.Null()
	case Bool:
		v.Bool, err = d.Bool()
	case Number:
		v.Text, err = d.Number()
	case String:
		v.Text, err = d.String()
	case Array:
		err = d.Array(func(int) error {
			e, err := d.Value()
			v.Elements = append(v.Elements, e)
			return err
		})
	case Object:
		v.members = map[string]*Value{}
		err = d.Object(func(key string, _ int) error {
			m, err := d.Value()
			v.Keys = append(v.Keys, key)
			v.members[key] = m
			return err
		})
	default:
		err = d.unexpected("a value")
	}
	if err != nil {
		return nil, err
	}
	return v, nil
}

// Get returns the member of an object, nil if it has none of that name or v is
// no object.
func (v *Value) Get(key string) *Value {
	if v == nil {
		return nil
	}
	return v.members[key]
}

// With is an object that has the members of v and those of w whose names v lacks.
func (v *Value) With(w *Value) *Value {
	u := &Value{Kind: Object, Offset: v.Offset, Keys: slices.Clone(v.Keys), members: maps.Clone(v.members)}
	for _, key := range w.Keys {
		if u.members[key] == nil {
			u.Keys = append(u.Keys, key)
			u.members[key] = w.members[key]
		}
	}
	return u
}

// IsEmpty says that v is null, false, "", [] or {}.
func (v *Value) IsEmpty() bool {
	switch v.Kind {
	case Null:
		return true
	case Bool:
		return !v.Bool
	case String:
		return v.Text == ""
	case Array:
		return len(v.Elements) == 0
	case Object:
		return len(v.Keys) == 0
	}
	return false
}

// Int returns a number as an integer. Like Python's int fields it accepts an
// integral value that is written with a fraction or an exponent (4096.0, 1e6),
// as long as it is exact.
func (v *Value) Int() (int64, bool) {
	if v.Kind != Number {
		return 0, false
	}
	if n, err := strconv.ParseInt(v.Text, 10, 64); err == nil {
		return n, true
	}
	if !strings.ContainsAny(v.Text, ".eE") {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	if err != nil || f != float64(int64(f)) || f > 1<<53 || f < -1<<53 {
		return 0, false
	}
	return int64(f), true
}

// Float returns a number as the nearest float64; false if it is none or it
// overflows.
func (v *Value) Float() (float64, bool) {
	if v.Kind != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(v.Text, 64)
	return f, err == nil
}

// Equal says whether two values mean the same: the order of an object's keys and
// the way a number is written (2, 2.0, 2e0) do not matter. Numbers with a fraction
// or an exponent are compared as the nearest float64, integers exactly. An absent
// value (nil) equals only another.
func (v *Value) Equal(w *Value) bool {
	if v == nil || w == nil {
		return v == w
	}
	if v.Kind != w.Kind {
		return false
	}
	switch v.Kind {
	case Bool:
		return v.Bool == w.Bool
	case Number:
		return equalNumbers(v, w)
	case String:
		return v.Text == w.Text
	case Array:
		return slices.EqualFunc(v.Elements, w.Elements, (*Value).Equal)
	case Object:
		return maps.EqualFunc(v.members, w.members, (*Value).Equal)
	}
	return true
}

func equalNumbers(v, w *Value) bool {
	if v.Text == w.Text {
		return true
	}
	a, okA := v.Float()
	b, okB := w.Float()
	if !okA || !okB || a != b {
		return false
	}
	// Without a fraction and leading zeros there is one way to write an integer,
	// except 0: these two are different integers that round to one float64.
	return a == 0 || strings.ContainsAny(v.Text, ".eE") || strings.ContainsAny(w.Text, ".eE")
}

// String writes v as compact JSON with sorted keys, cut after some 120 bytes:
// for messages, not for files.
func (v *Value) String() string {
	var b strings.Builder
	v.write(&b)
	if s := b.String(); len(s) > maxPrinted {
		return strings.ToValidUTF8(s[:maxPrinted], "") + "..."
	}
	return b.String()
}

const maxPrinted = 120

func (v *Value) write(b *strings.Builder) {
	if b.Len() > maxPrinted {
		return
	}
	switch v.Kind {
	case Null:
		b.WriteString("null")
	case Bool:
		b.WriteString(strconv.FormatBool(v.Bool))
	case Number:
		b.WriteString(v.Text)
	case String:
		b.WriteString(strconv.Quote(v.Text))
	case Array:
		b.WriteByte('[')
		for i, e := range v.Elements {
			if i > 0 {
				b.WriteByte(',')
			}
			if b.Len() > maxPrinted {
				break
			}
			e.write(b)
		}
		b.WriteByte(']')
	case Object:
		keys := append([]string(nil), v.Keys...)
		sort.Strings(keys)
		b.WriteByte('{')
		for i, k := range keys {
			if b.Len() > maxPrinted {
				break
			}
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(strconv.Quote(k))
			b.WriteByte(':')
			v.members[k].write(b)
		}
		b.WriteByte('}')
	}
}
