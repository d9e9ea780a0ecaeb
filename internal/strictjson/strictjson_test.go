package strictjson

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

func TestErrors(t *testing.T) {
	deep := strings.Repeat("[", MaxDepth+1)
	for _, c := range []struct{ text, want string }{
		{``, `1:1: want a value, found the end of the text`},
		{`{"a":1,"a":2}`, `1:8: duplicate key "a"`},
		{`{"a":{"b":1,"b":2}}`, `1:13: duplicate key "b"`},
		{`{"a":1,"\u0061":2}`, `1:8: duplicate key "a"`},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"b":2}`, `1:38: duplicate key "b"`},
		{`{"a":1,"b":1,"c":1,"d":1,"e":1,"f":1,"e":2}`, `1:38: duplicate key "e"`},
		{"{\n  \"a\": 1,\n}", `3:1: want a key, found '}'`},
		{`[1,]`, `1:4: want a value, found ']'`},
		{`[1 2]`, `1:4: want ',' or ']', found '2'`},
		{`{"a" 1}`, `1:6: want ':', found '1'`},
		{`{"a":1`, `1:7: want ',' or '}', found the end of the text`},
		{`{a:1}`, `1:2: want a key, found 'a'`},
		{`NaN`, `1:1: want a value, found 'N' (NaN and Infinity are not JSON)`},
		{`[Infinity]`, `1:2: want a value, found 'I' (NaN and Infinity are not JSON)`},
		{"\ufeff{}", `1:1: want a value, found a byte order mark`},
		{`01`, `1:1: a number must not start with 0`},
		{`-`, `1:2: want a digit, found the end of the text`},
		{`1.`, `1:3: want a digit, found the end of the text`},
		{`1e`, `1:3: want a digit, found the end of the text`},
		{`+1`, `1:1: want a value, found '+'`},
		{`tru`, `1:1: want true, found 't'`},
		{`"abc`, `1:1: string does not end`},
		{`"a\`, `1:1: string does not end`},
		{`"\x"`, `1:2: unknown escape \x`},
		{`"\u12"`, `1:2: want 4 hexadecimal digits after \u`},
		{`"\ud800"`, `1:2: unpaired surrogate in a string`},
		{`"\ud800\u0041"`, `1:2: unpaired surrogate in a string`},
		{"\"a\nb\"", `1:3: control character 0x0a in a string`},
		{"\"a\\n\x01\"", `1:5: control character 0x01 in a string`},
		{"\"\xff\"", `1:2: string is not valid UTF-8`},
		{"\"\\n\xff\"", `1:1: string is not valid UTF-8`},
		{`1 2`, `1:3: want the end of the text, found '2'`},
		{`{} x`, `1:4: want the end of the text, found 'x'`},
		{deep, `1:65: nested deeper than 64 levels`},
		{`// comment`, `1:1: want a value, found '/'`},
	} {
		_, err := Parse([]byte(c.text))
		if err == nil || err.Error() != c.want {
			t.Errorf("%q: want error %q, found %v", c.text, c.want, err)
		}
		var syntax *SyntaxError
		if err != nil && !errors.As(err, &syntax) {
			t.Errorf("%q: error of type %T", c.text, err)
		}
	}
}

func TestValues(t *testing.T) {
	v, err := Parse([]byte(` { "s" : "a\"\\\/\b\f\n\r\t\u00e4\ud83d\ude00z" , "n":null,"t":true,"f":false,
		"i":-12,"x":1.5e3,"big":12345678901234567890,"a":[1,[2],{}],"o":{"k":"v"},"e":"" } `))
	if err != nil {
		t.Fatal(err)
	}
	if got := v.Get("s").Text; got != "a\"\\/\b\f\n\r\tä😀z" {
		t.Errorf("string: %q", got)
	}
	if strings.Join(v.Keys, " ") != "s n t f i x big a o e" {
		t.Errorf("order of keys: %v", v.Keys)
	}
	for _, c := range []struct {
		key   string
		kind  Kind
		empty bool
	}{{"s", String, false}, {"n", Null, true}, {"t", Bool, false}, {"f", Bool, true}, {"i", Number, false}, {"a", Array, false},
		{"o", Object, false}, {"e", String, true}} {
		m := v.Get(c.key)
		if m.Kind != c.kind || m.IsEmpty() != c.empty {
			t.Errorf("%s: kind %v, empty %v", c.key, m.Kind, m.IsEmpty())
		}
	}
	if n, ok := v.Get("i").Int(); !ok || n != -12 {
		t.Errorf("i: %d %v", n, ok)
	}
	if n, ok := v.Get("x").Int(); !ok || n != 1500 {
		t.Errorf("x: %d %v", n, ok)
	}
	if _, ok := v.Get("big").Int(); ok {
		t.Error("big fits an int64")
	}
	if f, ok := v.Get("big").Float(); !ok || f != 12345678901234567890 {
		t.Errorf("big: %v %v", f, ok)
	}
	if v.Get("nothing") != nil || v.Get("s").Get("x") != nil || v.Get("nothing").Get("x") != nil {
		t.Error("Get finds what is not there")
	}
	if got := v.Get("a").String(); got != `[1,[2],{}]` {
		t.Errorf("print: %s", got)
	}
	if got := v.String(); len(got) > maxPrinted+3 {
		t.Errorf("print is %d bytes long", len(got))
	}
}

func TestInt(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "-5": -5, "1.0": 1, "1e3": 1000, "9223372036854775807": 9223372036854775807} {
		v, _ := Parse([]byte(text))
		if n, ok := v.Int(); !ok || n != want {
			t.Errorf("%s: %d %v", text, n, ok)
		}
	}
	for _, text := range []string{"1.5", "1e300", "9223372036854775808", `"1"`, "1e-3", "1e17"} {
		v, _ := Parse([]byte(text))
		if n, ok := v.Int(); ok {
			t.Errorf("%s: is integer %d", text, n)
		}
	}
}

func TestUint(t *testing.T) {
	for _, text := range []string{"-1", "1.0", "1e3", "18446744073709551616", `"1"`, ""} {
		if n, err := NewDecoder([]byte(text)).Uint(); err == nil {
			t.Errorf("%s: accepted as %d", text, n)
		}
	}
	if n, err := NewDecoder([]byte(" 18446744073709551615")).Uint(); err != nil || n != 1<<64-1 {
		t.Errorf("%d %v", n, err)
	}
}

// What we accept, encoding/json accepts too, and understands alike.
func FuzzParse(f *testing.F) {
	for _, s := range []string{`{"a":[1,2.5,-3e4,true,false,null,"x\u00e4"]}`, `[]`, `"\ud83d\ude00"`, `{"a":{"b":{}}}`, `{"a":1,"a":2}`, `[1,]`, "\"\xff\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Parse(text)
		if err != nil {
			if _, ok := errors.AsType[*SyntaxError](err); !ok {
				t.Fatalf("error of type %T", err)
			}
			return
		}
		var std any
		if err := json.Unmarshal(text, &std); err != nil {
			if strings.Contains(err.Error(), "UnmarshalTypeError") || strings.Contains(err.Error(), "cannot unmarshal number") {
				return // a number beyond float64
			}
			t.Fatalf("encoding/json refuses %q: %v", text, err)
		}
		same(t, v, std)
		if err := NewDecoder(text).Skip(); err != nil {
			t.Fatalf("Skip refuses %q: %v", text, err)
		}
		_ = v.String()
	})
}

func same(t *testing.T, v *Value, std any) {
	switch s := std.(type) {
	case nil:
		if v.Kind != Null {
			t.Fatalf("%v is not null", v)
		}
	case bool:
		if v.Kind != Bool || v.Bool != s {
			t.Fatalf("%v is not %v", v, s)
		}
	case string:
		if v.Kind != String || v.Text != s {
			t.Fatalf("%v is not %q", v, s)
		}
	case float64:
		if f, ok := v.Float(); !ok || f != s {
			t.Fatalf("%v is not %v", v, s)
		}
	case []any:
		if v.Kind != Array || len(v.Elements) != len(s) {
			t.Fatalf("%v is not an array of %d", v, len(s))
		}
		for i := range s {
			same(t, v.Elements[i], s[i])
		}
	case map[string]any:
		if v.Kind != Object || len(v.Keys) != len(s) {
			t.Fatalf("%v is not an object of %d", v, len(s))
		}
		for k, m := range s {
			same(t, v.Get(k), m)
		}
	}
}

func TestEqual(t *testing.T) {
	long := `"` + strings.Repeat("x", 2*maxPrinted) + `"`
	for _, c := range []struct {
		a, b string
		want bool
	}{
		{`{"a":1,"b":[true,null,"s"]}`, `{"b":[true,null,"s"],"a":1.0}`, true},
		{`{"a":` + long + `,"z":1}`, `{"z":1,"a":` + long + `}`, true},
		{`{"a":` + long + `,"z":1}`, `{"a":` + long + `,"z":2}`, false},
		{`{"a":null}`, `{}`, false},
		{`{"a":1}`, `{"b":1}`, false},
		{`{"a":1}`, `{"a":1,"b":1}`, false},
		{`[1,2]`, `[2,1]`, false},
		{`[1,2]`, `[1]`, false},
		{`1e2`, `100`, true},
		{`0.1`, `1e-1`, true},
		{`0`, `-0`, true},
		{`9007199254740993`, `9007199254740992`, false},
		{`1e999`, `1e998`, false},
		{`1e999`, `1e999`, true},
		{`true`, `false`, false},
		{`null`, `null`, true},
		{`"1"`, `1`, false},
		{`"\u0041"`, `"A"`, true},
	} {
		a, errA := Parse([]byte(c.a))
		b, errB := Parse([]byte(c.b))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if a.Equal(b) != c.want || b.Equal(a) != c.want {
			t.Errorf("%.40s and %.40s: want %v", c.a, c.b, c.want)
		}
		if a.Equal(nil) || (*Value)(nil).Equal(a) {
			t.Errorf("%.40s equals nothing", c.a)
		}
	}
	if !(*Value)(nil).Equal(nil) {
		t.Error("nothing differs from nothing")
	}
}
