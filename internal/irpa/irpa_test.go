package irpa_test

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/internal/irpa"
	"github.com/hlocc/hlocc/internal/testenv"
)

var entries = []irpa.Entry{
	{Name: "alpha", Data: []byte{0, 0, 0, 0, 0, 0, 128, 63, 0, 0, 0, 64}},
	{Name: "be", Data: []byte{1, 2, 3, 4, 5}},
	{Name: "layers.0.attn.q.weight", Data: bytes.Repeat([]byte{7}, 1000)},
}

// IREE's own Python module reads the archive back.
func TestStockReads(t *testing.T) {
	path := filepath.Join(t.TempDir(), "w.irpa")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := irpa.Write(f, entries); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	const script = `
import sys, json, iree.runtime as rt
index = rt.ParameterIndex()
index.load(sys.argv[1])
print(json.dumps([[k, list(bytes(v.file_view))] for k, v in index.items()]))`
	cmd := exec.Command(testenv.IREE(t).Python, "-c", script, path)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got [][2]json.RawMessage
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(entries) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, e := range entries {
		var name string
		var data []int
		if err := errors.Join(json.Unmarshal(got[i][0], &name), json.Unmarshal(got[i][1], &data)); err != nil {
			t.Fatal(err)
		}
		if name != e.Name || len(data) != len(e.Data) {
			t.Errorf("entry %d: %q of %d bytes", i, name, len(data))
			continue
		}
		for k, b := range data {
			if byte(b) != e.Data[k] {
				t.Errorf("%s: byte %d is %d", name, k, b)
				break
			}
		}
	}
}

func TestLayout(t *testing.T) {
	var b bytes.Buffer
	if err := irpa.Write(&b, entries); err != nil {
		t.Fatal(err)
	}
	at := binary.LittleEndian.Uint64(b.Bytes()[72:])
	size := binary.LittleEndian.Uint64(b.Bytes()[80:])
	if at%4096 != 0 || at+size != uint64(b.Len()) {
		t.Errorf("storage at %d of %d, file %d", at, size, b.Len())
	}
	b.Reset()
	if err := irpa.Write(&b, nil); err != nil || b.Len() != 4096 {
		t.Errorf("empty archive: %v, %d bytes", err, b.Len())
	}
}

// full is a disk with room for n bytes.
type full struct{ n int }

func (f *full) Write(b []byte) (int, error) {
	if f.n -= len(b); f.n < 0 {
		return 0, errors.New("no space left")
	}
	return len(b), nil
}

func TestWriteErrors(t *testing.T) {
	for _, n := range []int{0, 4096, 4120, 4200} {
		if err := irpa.Write(&full{n}, entries); err == nil {
			t.Errorf("room for %d bytes: no error", n)
		}
	}
}
