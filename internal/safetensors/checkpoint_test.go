package safetensors

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// shard writes a file with one U8 tensor per name.
func shard(t *testing.T, dir, name string, tensors ...string) {
	t.Helper()
	var out []Out
	for _, n := range tensors {
		out = append(out, Out{n, U8, []int{1}, Bytes([]byte{1})})
	}
	var b bytes.Buffer
	if err := Write(&b, nil, out); err != nil {
		t.Fatal(err)
	}
	put(t, dir, name, b.String())
}

func put(t *testing.T, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func index(pairs ...string) string {
	var m []string
	for i := 0; i < len(pairs); i += 2 {
		m = append(m, fmt.Sprintf("%q:%q", pairs[i], pairs[i+1]))
	}
	return `{"metadata":{"total_size":2},"weight_map":{` + strings.Join(m, ",") + `}}`
}

func TestCheckpoint(t *testing.T) {
	const s1, s2 = "model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors"
	good := index("a", s1, "b", s1, "c", s2)
	for _, c := range []struct {
		name string
		make func(t *testing.T, dir string)
		want string // "" for success
		kind diag.Kind
	}{
		{"single", func(t *testing.T, dir string) { shard(t, dir, SingleName, "a", "b", "c") }, "", 0},
		{"shards", func(t *testing.T, dir string) {
			shard(t, dir, s1, "a", "b")
			shard(t, dir, s2, "c")
			put(t, dir, IndexName, good)
		}, "", 0},
		{"single wins", func(t *testing.T, dir string) {
			shard(t, dir, SingleName, "a", "b", "c")
			put(t, dir, IndexName, "garbage")
		}, "", 0},
		{"missing shard", func(t *testing.T, dir string) {
			shard(t, dir, s1, "a", "b")
			put(t, dir, IndexName, good)
		}, "1 of 2 shards are missing: found no " + s2 + "; download the missing files", diag.BadInput},
		{"tensor not in its shard", func(t *testing.T, dir string) {
			shard(t, dir, s1, "a")
			shard(t, dir, s2, "c")
			put(t, dir, IndexName, good)
		}, `tensor "b": is not in ` + s1 + " as the index says", diag.BadInput},
		{"tensor not in the index", func(t *testing.T, dir string) {
			shard(t, dir, s1, "a", "b")
			shard(t, dir, s2, "c", "d")
			put(t, dir, IndexName, good)
		}, `tensor "d": is not in the index`, diag.BadInput},
		{"tensor in the wrong shard", func(t *testing.T, dir string) {
			shard(t, dir, s1, "a")
			shard(t, dir, s2, "b", "c")
			put(t, dir, IndexName, good)
		}, `tensor "b": is in ` + s1 + " according to the index", diag.BadInput},
		{"broken shard", func(t *testing.T, dir string) {
			shard(t, dir, s1, "a", "b")
			put(t, dir, s2, "short")
			put(t, dir, IndexName, good)
		}, s2 + ": file is truncated", diag.BadInput},
		{"path in a shard name", func(t *testing.T, dir string) { put(t, dir, IndexName, index("a", "../x.safetensors")) }, "weight_map.a: shard name contains a path", diag.BadInput},
		{"absolute path", func(t *testing.T, dir string) { put(t, dir, IndexName, index("a", "/etc/x.safetensors")) }, "contains a path", diag.BadInput},
		{"other extension", func(t *testing.T, dir string) { put(t, dir, IndexName, index("a", "x.bin")) }, "has another extension", diag.BadInput},
		{"index syntax", func(t *testing.T, dir string) { put(t, dir, IndexName, "{\n \"weight_map\": {\"a\" 1}}") }, IndexName + ": 2:21: want ':'", diag.BadInput},
		{"duplicate in the index", func(t *testing.T, dir string) { put(t, dir, IndexName, index("a", s1, "a", s2)) }, `duplicate key "a"`, diag.BadInput},
		{"no map", func(t *testing.T, dir string) { put(t, dir, IndexName, `{"metadata":{}}`) }, "weight_map: missing or empty", diag.BadInput},
		{"empty map", func(t *testing.T, dir string) { put(t, dir, IndexName, `{"weight_map":{}}`) }, "weight_map: missing or empty", diag.BadInput},
		{"nothing", func(*testing.T, string) {}, "no weights found: want model.safetensors or", diag.BadInput},
		{"pickle", func(t *testing.T, dir string) { put(t, dir, "pytorch_model.bin", "") }, "pickled checkpoints can run code", diag.Unsupported},
		{"GGUF", func(t *testing.T, dir string) { put(t, dir, "m.gguf", "") }, "GGUF files are not read", diag.Unsupported},
		{"other name", func(t *testing.T, dir string) { put(t, dir, "weights.safetensors", "") }, "rename it to model.safetensors", diag.BadInput},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.make(t, dir)
			got, err := OpenCheckpoint(dir)
			if c.want != "" {
				var e *diag.Error
				if !errors.As(err, &e) || e.Kind != c.kind || !strings.Contains(err.Error(), c.want) || e.File == "" {
					t.Fatalf("want %q, found %v", c.want, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if names := strings.Join(got.Names(), ""); names != "abc" || got.Tensor("c") == nil || got.Tensor("x") != nil {
				t.Errorf("tensors %s", names)
			}
			if err := got.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	if _, err := OpenCheckpoint(filepath.Join(t.TempDir(), "none")); err == nil {
		t.Error("a missing directory opens")
	}
}

func FuzzHeader(f *testing.F) {
	add := func(head string, data int) { f.Add(file(head, data)) }
	add(`{"b":{"dtype":"BF16","shape":[2,3],"data_offsets":[4,16]},"__metadata__":{"format":"pt"},"a":{"shape":[],"data_offsets":[0,4],"dtype":"F32"}}  `, 16)
	add(`{"x":{"dtype":"F4","shape":[4],"data_offsets":[0,2]},"y":{"dtype":"I64","shape":[0,9],"data_offsets":[0,0]}}`, 2)
	add(`{"x":{"dtype":"F64","shape":[4611686018427387904],"data_offsets":[0,18446744073709551615]}}`, 1)
	add(`{}`, 0)
	f.Fuzz(func(t *testing.T, b []byte) {
		file, err := open(b)
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) || e.Message == "" {
				t.Fatalf("error without a diagnostic: %v", err)
			}
			return
		}
		// What is accepted tiles the data and can be read and written again.
		var out []Out
		total := int64(0)
		for _, x := range file.Tensors() {
			p := make([]byte, x.Size())
			if _, err := x.ReadAt(p, 0); err != nil {
				t.Fatalf("tensor %q: %v", x.Name, err)
			}
			total += x.Size()
			out = append(out, Out{x.Name, x.DType, x.Shape, Bytes(p)})
		}
		if n := int64(len(b)); total > n-8 {
			t.Fatalf("%d bytes of tensors in a file of %d", total, n)
		}
		var again bytes.Buffer
		if err := Write(&again, file.Metadata, out); err != nil {
			t.Fatal(err)
		}
		twin, err := open(again.Bytes())
		if err != nil {
			t.Fatalf("what was written is refused: %v", err)
		}
		if len(twin.Tensors()) != len(out) {
			t.Fatal("tensors were lost")
		}
	})
}

func FuzzIndex(f *testing.F) {
	f.Add([]byte(index("a", "model-00001-of-00002.safetensors", "b", "model-00002-of-00002.safetensors")))
	f.Add([]byte(index("a", "../x.safetensors")))
	f.Add([]byte(`{"metadata":null,"weight_map":{"a":"b.safetensors"},"other":[1,{}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := ParseIndex(b)
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) || e.Message == "" {
				t.Fatalf("error without a diagnostic: %v", err)
			}
			return
		}
		if len(x.Map) == 0 || len(x.Shards) == 0 {
			t.Fatal("empty index accepted")
		}
		for name, file := range x.Map {
			if file != filepath.Base(file) || strings.HasPrefix(file, "..") && file == ".." || name == "" {
				t.Fatalf("%q in %q", name, file)
			}
		}
	})
}
