package params

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/irpa"
)

func archive(t testing.TB, entries ...irpa.Entry) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := irpa.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestReadArchive(t *testing.T) {
	entries := []irpa.Entry{
		{Name: "alpha", Data: []byte{1, 2, 3}},
		{Name: "empty", Data: nil},
		{Name: "layers.0.attn.q.weight", Data: bytes.Repeat([]byte{7}, 1000)},
	}
	a, err := ReadArchive(archive(t, entries...), "model")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		got, err := a.Parameter("model", e.Name)
		if err != nil || got == nil || !bytes.Equal(got, e.Data) {
			t.Errorf("%s: %d bytes, %v", e.Name, len(got), err)
		}
	}
	if strings.Join(a.Names(), " ") != "alpha empty layers.0.attn.q.weight" {
		t.Errorf("names %q", a.Names())
	}
	for _, c := range [][2]string{{"model", "beta"}, {"other", "alpha"}} {
		if got, err := a.Parameter(c[0], c[1]); got != nil || err != nil {
			t.Errorf("%v: %v, %v", c, got, err)
		}
	}
}

// raw is an archive with the given entries, which are written as they are.
func raw(next uint64, metadata, storage string, entries ...[]byte) []byte {
	le := binary.LittleEndian
	var table []byte
	for _, e := range entries {
		table = append(table, make([]byte, -len(table)&15)...)
		table = append(table, e...)
	}
	h := append([]byte("IRPA"), 0, 0, 0, 0)
	for _, v := range []int{headerSize, int(next), 0, len(entries), 96, len(table), 96 + len(table), len(metadata), 96 + len(table) + len(metadata), len(storage)} {
		h = le.AppendUint64(h, uint64(v))
	}
	h = append(h, make([]byte, 8)...)
	return slicesConcat(h, table, []byte(metadata), []byte(storage))
}

func slicesConcat(b ...[]byte) []byte { return bytes.Join(b, nil) }

func rawEntry(kind uint32, name, length uint64, rest ...any) []byte {
	le := binary.LittleEndian
	e := make([]byte, 8)
	e = le.AppendUint32(e, kind)
	for _, v := range []uint64{0, name, length, 0, 0, 64} {
		e = le.AppendUint64(e, v)
	}
	for _, r := range rest {
		switch r := r.(type) {
		case uint64:
			e = le.AppendUint64(e, r)
		case string:
			e = append(e, r...)
		}
	}
	le.PutUint64(e, uint64(len(e)))
	return e
}

func splatEntry(size uint64, pattern string, width int) []byte {
	return rawEntry(typeSplat, 0, 1, size, pattern+strings.Repeat("\x00", 16-len(pattern)), string([]byte{byte(width)}))
}

func TestEntries(t *testing.T) {
	first := raw(0, "abc", "0123456789",
		rawEntry(typeSkip, 0, 0),
		splatEntry(6, "xy", 2),
		rawEntry(typeData, 1, 1, uint64(2), uint64(3)),
		rawEntry(typeExternal, 2, 1, uint64(0), uint64(0), uint64(0), uint64(0)))
	first = append(first, make([]byte, -len(first)&15)...)
	binary.LittleEndian.PutUint64(first[16:], uint64(len(first)))
	data := append(first, raw(0, "bd", "ABC", rawEntry(typeData, 0, 1, uint64(0), uint64(1)), rawEntry(typeData, 1, 1, uint64(1), uint64(2)))...)
	a, err := ReadArchive(data, "")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"a": "xyxyxy", "b": "A", "d": "BC"} {
		got, err := a.Parameter("", name)
		if err != nil || string(got) != want {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	if strings.Join(a.Names(), "") != "abcd" {
		t.Errorf("names %q", a.Names())
	}
	if _, err := a.Parameter("", "c"); err == nil || !strings.Contains(err.Error(), "another file") {
		t.Errorf("external: %v", err)
	}
	x, _ := a.Parameter("", "a")
	y, _ := a.Parameter("", "a")
	if uintptr(unsafe.Pointer(&x[0]))%alignment != 0 || &x[0] != &y[0] {
		t.Error("a splat is not aligned, or not kept")
	}
	if a, err = ReadArchive(raw(0, "a", "", splatEntry(1<<50, "x", 1)), ""); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Parameter("", "a"); err == nil {
		t.Error("a huge splat was made")
	}
}

func TestRefused(t *testing.T) {
	le := binary.LittleEndian
	good := archive(t, irpa.Entry{Name: "a", Data: []byte{1}})
	with := func(off int, v uint64) []byte {
		b := bytes.Clone(good)
		le.PutUint64(b[off:], v)
		return b
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "truncated"},
		{"short", good[:80], "truncated"},
		{"magic", append([]byte("IRPB"), good[4:]...), "not a parameter archive"},
		{"version", append([]byte("IRPA\x01\x00"), good[6:]...), "version"},
		{"header size", with(8, 40), "size of the header"},
		{"loop", with(16, 16), "next header"},
		{"odd next", with(16, 104), "next header"},
		{"far next", with(16, 1<<63), "next header"},
		{"next is nothing", with(16, 96), "not a parameter archive"},
		{"count", with(32, math.MaxUint64), "number of entries"},
		{"count beyond the table", with(32, 2), "lies outside the entry segment"},
		{"entries", with(40, 1<<40), "entry segment lies outside"},
		{"metadata", with(64, math.MaxUint64), "metadata segment lies outside"},
		{"storage", with(80, 1<<40), "storage segment lies outside"},
		{"entry size", with(96, 59), "size of the entry"},
		{"huge entry", with(96, math.MaxUint64), "size of the entry"},
		{"name", raw(0, "a", "", rawEntry(typeData, 0, 2, uint64(0), uint64(0))), "name lies outside"},
		{"long name", raw(0, strings.Repeat("a", 2000), "", rawEntry(typeData, 0, 2000, uint64(0), uint64(0))), "length of the name"},
		{"data", raw(0, "a", "xy", rawEntry(typeData, 0, 1, uint64(1), uint64(2))), "data lie outside"},
		{"short data", raw(0, "a", "xy", rawEntry(typeData, 0, 1, uint64(1))), "truncated"},
		{"short splat", raw(0, "a", "xy", rawEntry(typeSplat, 0, 1, uint64(1))), "truncated"},
		{"pattern", raw(0, "a", "", splatEntry(6, "xyz", 3)), "repeated pattern"},
		{"pattern size", raw(0, "a", "", splatEntry(5, "xy", 2)), "repeated pattern"},
		{"kind", raw(0, "a", "", rawEntry(9, 0, 1)), "unknown kind"},
	} {
		_, err := ReadArchive(c.data, "")
		var de *diag.Error
		if !errors.As(err, &de) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want an error with %q", c.name, err, c.want)
		}
	}
}

func TestMapAndSet(t *testing.T) {
	m, n := Map{}, Map{}
	m.Add("model", "a", []byte{1})
	n.Add("model", "a", []byte{2})
	n.Add("model", "b", []byte{3})
	s := Set{m, failing{}, n}
	if got, err := s.Parameter("model", "a"); err != nil || got[0] != 1 {
		t.Errorf("a: %v, %v", got, err)
	}
	if _, err := s.Parameter("model", "b"); err == nil {
		t.Error("an error of a source was lost")
	}
	if got, err := (Set{m, n}).Parameter("model", "b"); err != nil || got[0] != 3 {
		t.Errorf("b: %v, %v", got, err)
	}
	if got, err := (Set{m, n}).Parameter("", "b"); err != nil || got != nil {
		t.Errorf("other scope: %v, %v", got, err)
	}
}

type failing struct{}

func (failing) Parameter(scope, key string) ([]byte, error) {
	if key == "b" {
		return nil, errors.New("no")
	}
	return nil, nil
}

func FuzzArchive(f *testing.F) {
	f.Add(archive(f, irpa.Entry{Name: "alpha", Data: []byte{1, 2, 3}}, irpa.Entry{Name: "b", Data: make([]byte, 100)}))
	f.Add(raw(0, "ab", "0123", splatEntry(6, "xy", 2), rawEntry(typeData, 1, 1, uint64(0), uint64(4)), rawEntry(typeExternal, 0, 1)))
	chain := raw(0, "a", "0", rawEntry(typeData, 0, 1, uint64(0), uint64(1)))
	chain = append(chain, make([]byte, -len(chain)&15)...)
	binary.LittleEndian.PutUint64(chain[16:], uint64(len(chain)))
	f.Add(append(chain, raw(0, "a", "1", rawEntry(typeSkip, 0, 1))...))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, err := ReadArchive(data, "model")
		if err != nil {
			return
		}
		total := 0
		for _, name := range a.Names() {
			e := a.entries[name]
			if e.kind == typeSplat && e.size > 1<<20 {
				continue
			}
			got, err := a.Parameter("model", name)
			if err == nil && got == nil {
				t.Fatalf("parameter %q of the archive's own list is missing", name)
			}
			if total += len(name); total > maxName*len(data)/entryHeader {
				t.Fatalf("names of %d bytes in %d", total, len(data))
			}
		}
		_ = fmt.Sprint(len(a.Names()))
	})
}
