package hal

import (
	"encoding/binary"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/runtime/internal/params"
	"github.com/hlocc/hlocc/runtime/internal/vm"
)

func TestParameters(t *testing.T) {
	f := newFixture(t, 1)
	mem := f.buffer(make([]byte, 4096)...).Bytes()
	for i := range mem {
		mem[i] = byte(i)
	}
	source := params.Map{}
	source.Add("model", "a", mem[:128])
	source.Add("model", "bb", mem[128:256])
	source.Add("model", "odd", mem[1:65])
	f.host.params = source
	le := binary.LittleEndian
	tables := func(spans ...any) (keys, text, table string) {
		var k, t []byte
		for i := 0; i < len(spans); i += 4 {
			name := spans[i].(string)
			k = le.AppendUint32(le.AppendUint32(k, uint32(len(text))), uint32(len(name)))
			text += name
			for _, v := range spans[i+1 : i+4] {
				t = le.AppendUint64(t, uint64(v.(int)))
			}
		}
		return string(k), text, string(t)
	}
	load := func(spans ...any) ([]vm.Value, error) {
		k, d, s := tables(spans...)
		return f.try("io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, k, d, s)
	}
	r, err := load("a", 0, 0, 128, "bb", 64, 0, 64)
	if err != nil {
		t.Fatal(err)
	}
	l := r[0].Ref().(*vm.List)
	for i, want := range []int{0, 192} {
		b := l.At(i).Ref().(*Buffer)
		if &b.Bytes()[0] != &mem[want] || !b.ReadOnly() {
			t.Errorf("parameter %d is not used in place", i)
		}
	}
	for _, c := range []struct {
		want  string
		spans []any
	}{
		{"needs a parameter", []any{"c", 0, 0, 1}},
		{"another size", []any{"a", 0, 0, 129}},
		{"another size", []any{"a", 129, 0, 0}},
		{"another size", []any{"a", -1, 0, 1}},
		{"not aligned", []any{"odd", 0, 0, 64}},
		{"not aligned", []any{"a", 8, 0, 8}},
	} {
		if _, err := load(c.spans...); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: got %v, want an error with %q", c.spans, err, c.want)
		}
	}
	k, d, s := tables("a", 0, 0, 1)
	f.fails("parameter tables", "io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, k, d, s+"x")
	f.fails("parameter tables", "io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, "", d, s)
	f.fails("outside its text", "io_parameters.load", f.dev, int64(-1), nil, nil, "model", int64(-1), 0, 0, k, "", s)
	f.fails("needs a parameter", "io_parameters.load", f.dev, int64(-1), nil, nil, "other", int64(-1), 0, 0, k, d, s)

	target := f.buffer(make([]byte, 8)...)
	k, d, s = tables("a", 5, 0, 2, "bb", 1, 4, 3)
	f.call("io_parameters.gather", f.dev, int64(-1), nil, nil, "model", target, k, d, s)
	f.holds(target, 5, 6, 0, 0, 129, 130, 131, 0)
	k, d, s = tables("a", 0, 7, 2)
	f.fails("outside its buffer", "io_parameters.gather", f.dev, int64(-1), nil, nil, "model", target, k, d, s)
	f.fails("can only be read", "io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
	f.host.params = writable{source}
	k, d, s = tables("a", 10, 4, 2)
	f.call("io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
	if mem[10] != 129 || mem[11] != 130 || mem[12] != 12 {
		t.Errorf("scattered %v", mem[8:16])
	}
	k, d, s = tables("a", 10, 7, 2)
	f.fails("outside its buffer", "io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
	k, d, s = tables("zz", 0, 0, 2)
	f.fails("needs a parameter", "io_parameters.scatter", f.dev, int64(-1), nil, nil, target, "model", k, d, s)
}

type writable struct{ params.Map }

func (w writable) WriteParameter(scope, key string) ([]byte, error) { return w.Map[scope][key], nil }
