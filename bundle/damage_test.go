package bundle

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// small is a bundle of a few pages, so that every byte can be tried.
func small(t testing.TB) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "small.hlocc")
	m := testManifest()
	m.Targets = m.Targets[:1]
	m.Targets[0].Modules = m.Targets[0].Modules[:1]
	writeBundle(t, path, m, []testMember{testMembers[1], testMembers[4]}, []int{0, 1})
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// checkBytes does what Open does, on memory.
func checkBytes(b []byte) error {
	return (&file{src: bytes.NewReader(b), size: int64(len(b))}).check()
}

// verifyBytes does what Verify does, on memory.
func verifyBytes(b []byte) ([]Problem, error) {
	v := &Verification{}
	err := v.run(context.Background(), &file{src: bytes.NewReader(b), size: int64(len(b))}, nil)
	return v.Problems, err
}

// wantDamage fails unless err is a clear diagnostic of a damaged bundle.
func wantDamage(t *testing.T, what string, err error) {
	t.Helper()
	var e *diag.Error
	if !errors.As(err, &e) || e.Message == "" || e.Fix == "" || (e.Kind != diag.Verification && e.Code != "not_a_bundle") {
		t.Errorf("%s: %v", what, err)
	}
}

// TestEveryFlippedByteIsFound changes each byte in turn: Verify must notice and
// point at it, and Open too unless it is a weight.
func TestEveryFlippedByteIsFound(t *testing.T) {
	b := small(t)
	f := &file{src: bytes.NewReader(b), size: int64(len(b))}
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	weights := make([]bool, len(b))
	for _, w := range f.manifest.Weights {
		for i := range w.Length {
			weights[pageAlign+w.Offset+i] = true
		}
	}
	for i := range b {
		b[i] ^= 1 << (i % 8)
		err := checkBytes(b)
		switch {
		case weights[i] && err != nil:
			t.Errorf("byte %d is a weight, and Open says %v", i, err)
		case !weights[i]:
			wantDamage(t, "Open", err)
		}
		problems, verr := verifyBytes(b)
		if verr == nil && len(problems) == 0 {
			t.Errorf("byte %d: Verify found nothing", i)
		}
		if verr != nil {
			wantDamage(t, "Verify", verr)
		}
		for _, p := range problems {
			if p.Where == "" || p.Message == "" || p.Offset > int64(i) || (p.Offset+p.Length <= int64(i) && i >= headerSize) {
				t.Errorf("byte %d: wrong place in %+v", i, p)
			}
		}
		b[i] ^= 1 << (i % 8)
		if t.Failed() {
			t.FailNow()
		}
	}
}

func TestEveryTruncationIsFound(t *testing.T) {
	b := small(t)
	for n := range b {
		wantDamage(t, "Open", checkBytes(b[:n]))
		if problems, err := verifyBytes(b[:n]); err == nil && len(problems) == 0 {
			t.Fatalf("%d of %d bytes: Verify found nothing", n, len(b))
		}
	}
	for _, tail := range []string{"\x00", "x", strings.Repeat("\x00", 5000)} {
		wantDamage(t, "longer", checkBytes(append(bytes.Clone(b), tail...)))
	}
}

func TestVerifyListsEverything(t *testing.T) {
	path := writeTest(t)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := &file{src: bytes.NewReader(b), size: int64(len(b))}
	if err := f.check(); err != nil {
		t.Fatal(err)
	}
	hit := func(off int64) { b[off] ^= 0x10 }
	w := f.manifest.Weights
	hit(pageAlign + w[0].Offset + 3)
	hit(pageAlign + w[3].Offset)
	hit(pageAlign + w[2].Offset + w[2].Length) // padding
	for _, e := range f.dir.Entries[1:] {
		if e.Length > 0 {
			hit(e.Offset + e.Length/2)
		}
	}
	hit(f.header.directory.offset - 1) // padding
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	v, err := Verify(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, p := range v.Problems {
		got = append(got, p.Where)
	}
	want := []string{
		`tensor "embed.weight"`, `padding after tensor "scale"`, `tensor "packed"`,
		`member "graphs/decode.mlir"`, `member "targets/x86-64-v3/decode.vmfb"`, `member "targets/x86-64-v3/prefill_4.vmfb"`,
		`member "targets/x86-64-v4/decode.vmfb"`, `member "text/tokenizer.json"`, "padding after manifest",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if msg := v.Err().Error(); !strings.Contains(msg, "and 8 more problems") || !strings.Contains(msg, path) {
		t.Error(msg)
	}

	// What the directory says is still checked when the manifest is damaged, and
	// the other way round.
	for _, c := range []struct {
		part span
		want []string
	}{
		{f.header.manifest, []string{`member "graphs/decode.mlir"`, `member "text/tokenizer.json"`, "manifest"}},
		{f.header.directory, []string{`tensor "embed.weight"`, `tensor "packed"`, "directory"}},
	} {
		d := bytes.Clone(b)
		d[c.part.offset+1] ^= 1
		problems, err := verifyBytes(d)
		if err != nil {
			t.Fatal(err)
		}
		all := ""
		for _, p := range problems {
			all += p.Where + "\n"
		}
		for _, w := range c.want {
			if !strings.Contains(all, w+"\n") {
				t.Errorf("%q is missing in:\n%s", w, all)
			}
		}
	}
}

func TestVerifyWeights(t *testing.T) {
	path := writeTest(t)
	b, _ := os.ReadFile(path)
	b[pageAlign+1] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	var last, total int64
	err = r.VerifyWeights(context.Background(), func(d, n int64) { last, total = max(last, d), n })
	var e *diag.Error
	if !errors.As(err, &e) || e.Kind != diag.Verification || e.Where != `tensor "embed.weight"` || !strings.Contains(e.Message, "bytes 4096 to 4415") {
		t.Errorf("%v", err)
	}
	if last != total || total == 0 {
		t.Errorf("progress ended at %d of %d", last, total)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := r.VerifyWeights(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Verify(ctx, path, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestOpenErrors(t *testing.T) {
	dir := t.TempDir()
	write := func(name, data string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	for _, c := range []struct{ name, path, code, text string }{
		{"none", filepath.Join(dir, "none"), "open", "no such file"},
		{"folder", dir, "not_a_bundle", "a folder"},
		{"empty", write("empty", ""), "not_a_bundle", "an empty file"},
		{"text", write("text", strings.Repeat("hello\n", 100)), "not_a_bundle", "68 65 6c 6c 6f"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, open := range []func() error{
				func() error { _, err := Open(c.path); return err },
				func() error {
					v, err := Verify(context.Background(), c.path, nil)
					if err == nil {
						err = v.Err()
					}
					return err
				},
			} {
				err := open()
				var e *diag.Error
				if !errors.As(err, &e) || e.Kind != diag.BadInput || e.Code != c.code || e.File != c.path || !strings.Contains(err.Error(), c.text) {
					t.Errorf("%v", err)
				}
			}
		})
	}
}

func TestFutureVersions(t *testing.T) {
	b := small(t)
	b[8] = 2
	err := checkBytes(reseal(b))
	if e := (*diag.Error)(nil); !errors.As(err, &e) || e.Kind != diag.Unsupported || e.Code != "format_version" {
		t.Errorf("%v", err)
	}
	if _, err := verifyBytes(reseal(b)); diag.KindOf(err) != diag.Unsupported {
		t.Errorf("Verify: %v", err)
	}
	b = bytes.Replace(small(t), []byte(`"schema":"1.0"`), []byte(`"schema":"2.0"`), 1)
	err = checkBytes(reseal(b))
	if e := (*diag.Error)(nil); !errors.As(err, &e) || e.Kind != diag.Unsupported || e.Code != "schema" || e.Found != `"2.0"` {
		t.Errorf("%v", err)
	}
}

// TestSeal reads a bundle with a section that this version only checks the digest of.
func TestSeal(t *testing.T) {
	b := small(t)
	before, err := decodeHeader(b[:headerSize])
	if err != nil {
		t.Fatal(err)
	}
	h := *before
	seal := []byte(`{"signatures":[]}`)
	at := alignUp(int64(len(b)), textAlign)
	b = append(b, make([]byte, at-int64(len(b)))...)
	b = append(b, seal...)
	h.seal, h.fileSize = span{at, int64(len(seal))}, at+int64(len(seal))
	copy(b, h.encode())
	b = reseal(b)
	if err := checkBytes(b); err != nil {
		t.Fatal(err)
	}
	for _, i := range []int64{at - 1, at, h.fileSize - 1} {
		if i >= before.fileSize {
			b[i] ^= 1
			wantDamage(t, "seal", checkBytes(b))
			b[i] ^= 1
		}
	}
	path := filepath.Join(t.TempDir(), "sealed.hlocc")
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	if r.Digest() != digestString(before.manifestSum) {
		t.Error("the seal changed the root digest")
	}
	if c := r.Contents(); c[len(c)-1].Path != "seal" {
		t.Errorf("%v", c)
	}
}

// failing gives an error for reads that touch a byte.
type failing struct {
	io.ReaderAt
	at  int64
	err error
}

func (f *failing) ReadAt(p []byte, off int64) (int, error) {
	if off <= f.at && f.at < off+int64(len(p)) {
		return 0, f.err
	}
	return f.ReaderAt.ReadAt(p, off)
}

// TestReadErrors: a file that cannot be read is not called damaged.
func TestReadErrors(t *testing.T) {
	b := small(t)
	good := &file{src: bytes.NewReader(b), size: int64(len(b))}
	if err := good.check(); err != nil {
		t.Fatal(err)
	}
	e := good.dir.Entries[len(good.dir.Entries)-1]
	if e.Compression != Zstd {
		t.Fatal("the last member is not compressed")
	}
	m := good.manifest.Members[len(good.manifest.Members)-1]
	broken := *good
	broken.src = &failing{bytes.NewReader(b), e.Offset + e.Length - 1, syscall.EIO}
	for name, err := range map[string]error{
		"check":       broken.check(),
		"checkMember": broken.checkMember(e, &m, make([]byte, 4096)),
		"content":     func() error { _, err := broken.content(e, m.Size); return err }(),
		"decompress":  func() error { _, err := broken.decompress(e, io.Discard, m.Size); return err }(),
	} {
		if err = inFile("x", err); !errors.Is(err, syscall.EIO) || diag.KindOf(err) != diag.Failed {
			t.Errorf("%s: %v", name, err)
		}
	}
	// Shorter than it was: truncated.
	broken.src = bytes.NewReader(b[:e.Offset+e.Length-1])
	_, err := broken.content(e, m.Size)
	if d := (*diag.Error)(nil); !errors.As(err, &d) || d.Code != "truncated" {
		t.Errorf("shorter: %v", err)
	}
	// Other bytes: damaged.
	d := bytes.Clone(b)
	d[e.Offset] ^= 1
	broken.src = bytes.NewReader(d)
	_, err = broken.content(e, m.Size)
	wantDamage(t, "content", err)
}

func TestClosedReader(t *testing.T) {
	r, err := Open(writeTest(t))
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Close(); err != nil {
		t.Fatal(err)
	}
	_, raw := r.Member(ModulePath("x86-64-v3", "decode"))
	_, packed := r.Member(PathTokenizer)
	_, tensor := r.Tensor("scale")
	for name, err := range map[string]error{"raw member": raw, "compressed member": packed, "tensor": tensor, "weights": r.VerifyWeights(context.Background(), nil)} {
		if !errors.Is(err, os.ErrClosed) || diag.KindOf(err) != diag.Failed {
			t.Errorf("%s: %v", name, err)
		}
	}
}
