package bundle

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"
)

// benchBundle is about the size of a 135 M parameter model in bfloat16: 270 MB
// in 272 tensors, 4 modules of 500 kB, a tokenizer of 2 MB.
func benchBundle(b *testing.B) string {
	b.Helper()
	var specs []TensorSpec
	for i := range 272 {
		specs = append(specs, TensorSpec{fmt.Sprintf("t%d", i), BF16, []int{496_325}})
	}
	path := filepath.Join(b.TempDir(), "bench.hlocc")
	w, err := Create(path, specs, WriterOptions{})
	if err != nil {
		b.Fatal(err)
	}
	defer w.Abort()
	data := make([]byte, 2*496_325)
	_, _ = rand.NewChaCha8([32]byte{}).Read(data)
	for _, s := range specs {
		if err := w.WriteTensor(s.Name, func(out io.Writer) error { _, err := out.Write(data); return err }); err != nil {
			b.Fatal(err)
		}
	}
	m := testManifest()
	for i := range m.Targets {
		for _, mod := range m.Targets[i].Modules {
			if err := w.AddMember(mod.Member, data[:500_000], None); err != nil {
				b.Fatal(err)
			}
		}
	}
	var text strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&text, "\"token%d\": %d,\n", i*i%9973, i)
	}
	if err := w.AddMember(PathTokenizer, []byte(text.String()), Zstd); err != nil {
		b.Fatal(err)
	}
	if _, err := w.Finish(m); err != nil {
		b.Fatal(err)
	}
	return path
}

func BenchmarkOpen(b *testing.B) {
	path := benchBundle(b)
	for b.Loop() {
		r, err := Open(path)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := r.Tensor("t0"); err != nil {
			b.Fatal(err)
		}
		_ = r.Close()
	}
}

func BenchmarkVerify(b *testing.B) {
	path := benchBundle(b)
	for b.Loop() {
		v, err := Verify(context.Background(), path, nil)
		if err != nil || v.Err() != nil {
			b.Fatal(err, v)
		}
		b.SetBytes(v.Bytes)
	}
}
