package bundle

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// put writes all of a tensor.
func put(w *Writer, s TensorSpec) error {
	return w.WriteTensor(s.Name, func(out io.Writer) error {
		_, err := out.Write(tensorBytes(s))
		return err
	})
}

func TestSameBytesInAnyOrder(t *testing.T) {
	first, err := os.ReadFile(writeTest(t))
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "again.hlocc")
	var mu sync.Mutex
	var last, total int64
	w, err := Create(path, testTensors, WriterOptions{Progress: func(d, n int64) {
		mu.Lock()
		last, total = max(last, d), n
		mu.Unlock()
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	var wg sync.WaitGroup
	for _, s := range slices.Backward(testTensors) {
		wg.Go(func() {
			if err := w.WriteTensor(s.Name, func(out io.Writer) error {
				b := tensorBytes(s)
				for len(b) > 0 { // in pieces
					n := 1 + rand.IntN(len(b))
					if _, err := out.Write(b[:n]); err != nil {
						return err
					}
					b = b[n:]
				}
				return nil
			}); err != nil {
				t.Error(err)
			}
		})
	}
	for _, m := range slices.Backward(testMembers) {
		wg.Go(func() {
			if err := w.AddMember(m.path, m.data, m.c); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	digest, err := w.Finish(testManifest())
	if err != nil {
		t.Fatal(err)
	}
	again, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first, again) {
		t.Error("the bytes differ")
	}
	if last != total || total != 320+20+4+21 {
		t.Errorf("progress ended at %d of %d", last, total)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if r.Digest() != digest {
		t.Errorf("Finish says %s, Open %s", digest, r.Digest())
	}
}

// TestDigestIgnoresCompression: a signature must survive another compressor.
func TestDigestIgnoresCompression(t *testing.T) {
	digest := func(c Compression) string {
		members := slices.Clone(testMembers)
		members[4].c = c
		path := filepath.Join(t.TempDir(), "x.hlocc")
		return writeBundle(t, path, testManifest(), members, nil)
	}
	if a, b := digest(None), digest(Zstd); a != b {
		t.Errorf("%s and %s", a, b)
	}
}

// Tensors that are written side by side, a piece of each in turn, become what they
// become one after another.
func TestOpenTensor(t *testing.T) {
	specs := []TensorSpec{{"a", U8, []int{100}}, {"b", U8, []int{37}}}
	var files [2][]byte
	for i := range files {
		path := filepath.Join(t.TempDir(), "x.hlocc")
		w, err := Create(path, specs, WriterOptions{})
		if err != nil {
			t.Fatal(err)
		}
		defer w.Abort()
		if i == 0 {
			for _, s := range specs {
				if err := w.WriteTensor(s.Name, func(out io.Writer) error {
					_, err := out.Write(bytes.Repeat([]byte(s.Name), s.Shape[0]))
					return err
				}); err != nil {
					t.Fatal(err)
				}
			}
		} else {
			a, err := w.OpenTensor("a")
			if err != nil {
				t.Fatal(err)
			}
			b, err := w.OpenTensor("b")
			if err != nil {
				t.Fatal(err)
			}
			for n := range 100 {
				if _, err := a.Write([]byte("a")); err != nil {
					t.Fatal(err)
				}
				if n < 37 {
					if _, err := b.Write([]byte("b")); err != nil {
						t.Fatal(err)
					}
				}
			}
			if err := errors.Join(b.Close(), a.Close(), a.Close()); err != nil {
				t.Fatal(err)
			}
		}
		m := testManifest()
		m.Graphs, m.Targets = nil, nil
		if _, err := w.Finish(m); err != nil {
			t.Fatal(err)
		}
		if files[i], err = os.ReadFile(path); err != nil {
			t.Fatal(err)
		}
	}
	if !bytes.Equal(files[0], files[1]) {
		t.Error("two ways of writing give two files")
	}
}

func TestWriterErrors(t *testing.T) {
	one := []TensorSpec{{"t", F32, []int{2}}}
	boom := errors.New("boom")
	for _, c := range []struct {
		name    string
		tensors []TensorSpec
		do      func(w *Writer) error
		want    string
	}{
		{"nothing written", one, func(w *Writer) error { return nil }, `"t" was not written`},
		{"too much", one, func(w *Writer) error {
			return w.WriteTensor("t", func(out io.Writer) error { _, err := out.Write(make([]byte, 9)); return err })
		}, "1 bytes more"},
		{"too little", one, func(w *Writer) error {
			return w.WriteTensor("t", func(out io.Writer) error { _, err := out.Write(make([]byte, 7)); return err })
		}, "1 of 8 bytes were not written"},
		{"closed too early", one, func(w *Writer) error {
			t, err := w.OpenTensor("t")
			if err != nil {
				return err
			}
			return t.Close()
		}, "8 of 8 bytes were not written"},
		{"not closed", one, func(w *Writer) error {
			t, err := w.OpenTensor("t")
			if err == nil {
				_, err = t.Write(make([]byte, 8))
			}
			return err
		}, `"t" was not written`},
		{"opened twice", one, func(w *Writer) error {
			_, err := w.OpenTensor("t")
			_, err2 := w.OpenTensor("t")
			return errors.Join(err, err2)
		}, "written twice"},
		{"twice", one, func(w *Writer) error { return errors.Join(put(w, one[0]), put(w, one[0])) }, "written twice"},
		{"unknown tensor", one, func(w *Writer) error { return put(w, TensorSpec{"u", F32, nil}) }, "not announced"},
		{"source fails", one, func(w *Writer) error { return w.WriteTensor("t", func(io.Writer) error { return boom }) }, "boom"},
		{"member twice", nil, func(w *Writer) error {
			return errors.Join(w.AddMember("a", nil, None), w.AddMember("a", nil, None))
		}, "added twice"},
		{"member path", nil, func(w *Writer) error { return w.AddMember("../a", nil, None) }, `".."`},
		{"member compression", nil, func(w *Writer) error { return w.AddMember("a", nil, "xz") }, "unknown compression"},
		{"module missing", nil, func(w *Writer) error { return nil }, "does not exist"},
		{"opaque JSON", nil, func(w *Writer) error {
			m := testManifest()
			m.Spec = []byte("{")
			_, err := w.Finish(m)
			return err
		}, "unexpected end"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			path := filepath.Join(dir, "x.hlocc")
			w, err := Create(path, c.tensors, WriterOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer w.Abort()
			err = c.do(w)
			if err == nil {
				_, err = w.Finish(testManifest())
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want something with %q", err, c.want)
			}
			w.Abort()
			if err := w.AddMember("late", nil, None); err == nil {
				t.Error("AddMember after Abort succeeded")
			}
			if _, err := w.Finish(testManifest()); err == nil {
				t.Error("Finish after Abort succeeded")
			}
			if es, _ := os.ReadDir(dir); len(es) != 0 {
				t.Errorf("left over: %v", es)
			}
		})
	}
}

func TestCreateRefusesTensors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct {
		name    string
		tensors []TensorSpec
		want    string
	}{
		{"dtype", []TensorSpec{{"t", "i4", []int{2}}}, "unknown dtype"},
		{"shape", []TensorSpec{{"t", F32, []int{0}}}, "below 1"},
		{"huge", []TensorSpec{{"t", F32, []int{1 << 30, 1 << 30}}}, "too large"},
		{"huge together", slices.Repeat([]TensorSpec{{"t", F32, []int{1 << 24, 1 << 23}}}, 3), "listed twice"},
		{"name", []TensorSpec{{"", F32, []int{1}}}, "is empty"},
		{"twice", []TensorSpec{{"t", F32, []int{1}}, {"t", F32, []int{1}}}, "listed twice"},
	} {
		_, err := Create(filepath.Join(dir, "x.hlocc"), c.tensors, WriterOptions{})
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want something with %q", c.name, err, c.want)
		}
	}
	_, err := Create(filepath.Join(dir, "x.hlocc"), []TensorSpec{{"t", F32, []int{1 << 24, 1 << 23}}}, WriterOptions{})
	var e *diag.Error
	if !errors.As(err, &e) || e.Code != "disk_full" {
		t.Errorf("562 TB: %v", err)
	}
	if es, _ := os.ReadDir(dir); len(es) != 0 {
		t.Errorf("left over: %v", es)
	}
}

func TestEmptyBundle(t *testing.T) {
	path := filepath.Join(t.TempDir(), "empty.hlocc")
	m := &Manifest{Model: Model{VocabSize: 1, Context: 1}}
	writeBundle(t, path, m, nil, []int{})
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if _, err := r.Tensor("t"); err == nil {
		t.Error("Tensor")
	}
	if _, err := r.Member("m"); err == nil || r.HasMember("m") {
		t.Error("Member")
	}
}
