package bundle

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// rebuild replaces the manifest and the directory of a bundle by edited ones
// and makes all digests right again.
func rebuild(t *testing.T, b []byte, edit func(manifest, directory string) (string, string)) []byte {
	t.Helper()
	h, err := decodeHeader(b[:headerSize])
	if err != nil {
		t.Fatal(err)
	}
	part := func(s span) string { return string(b[s.offset:s.end()]) }
	m, d := edit(part(h.manifest), part(h.directory))
	n := header{manifest: span{h.manifest.offset, int64(len(m))}, manifestSum: sha256.Sum256([]byte(m)), directorySum: sha256.Sum256([]byte(d))}
	n.directory = span{alignUp(n.manifest.end(), textAlign), int64(len(d))}
	n.fileSize = n.directory.end()
	out := make([]byte, n.fileSize)
	copy(out, b[:n.manifest.offset])
	copy(out, n.encode())
	copy(out[n.manifest.offset:], m)
	copy(out[n.directory.offset:], d)
	return out
}

// TestContradictions: a bundle whose digests are all right but whose parts
// disagree is refused, and Verify says so too.
func TestContradictions(t *testing.T) {
	b := small(t)
	const module = "targets/x86-64-v3/prefill_4.vmfb"
	digest := hexSum(testMembers[1].data)
	for _, c := range []struct {
		name     string
		old, new string // in the directory, or in the manifest if it begins with "m:"
		want     string
	}{
		{"weights renamed", `"@weights"`, `"weights"`, "first entry"},
		{"weights twice", `"` + module + `"`, `"@weights"`, "not a valid path"},
		{"weights compressed", `"@weights","compression":"none"`, `"@weights","compression":"zstd"`, "offset 4096, want 256"},
		{"weights with digest", `"length":340}`, `"length":340,"sha256":"` + digest + `"}`, "digest of its own"},
		{"weights longer", `"length":340}`, `"length":341}`, "its tensors need 340"},
		{"weights huge", `"length":340}`, `"length":9000000000000000000}`, "length 9000000000000000000"},
		{"weights over all", `"length":340}`, `"length":1000000}`, "reaches into the manifest"},
		{"negative", `"length":80,`, `"length":-80,`, "length -80"},
		{"moved", `"offset":8192`, `"offset":8256`, "want 8192"},
		{"overlap", `"offset":8192`, `"offset":4096`, "want 8192"},
		{"shorter", `"length":80,`, `"length":79,`, "size or digest differs"},
		{"hidden gap", `"length":80,`, `"length":8,`, "want 8256"},
		{"compression", `"none","offset":8192`, `"lzma","offset":8192`, "unknown compression"},
		{"no digest", `"sha256":"` + digest + `"`, `"sha256":""`, "no valid sha256"},
		{"capital digest", `"sha256":"` + digest + `"`, `"sha256":"` + strings.ToUpper(digest) + `"`, "no valid sha256"},
		{"other digest", `"sha256":"` + digest + `"`, `"sha256":"` + hexSum(nil) + `"`, "size or digest differs"},
		{"order", `"text/tokenizer.json"`, `"a"`, "not in order"},
		{"other member", `"text/tokenizer.json"`, `"text/tokenizer2.json"`, "in its place"},
		{"unknown key", `"entries":`, `"more":1,"entries":`, "unknown key"},
		{"empty", `"entries":`, `"entries":[],"entries":`, "duplicate"},
		{"content size", `m:"size":135`, `"size":134`, "134"},
		{"content size up", `m:"size":135`, `"size":136`, "136"},
		{"bomb", `m:"size":135`, `"size":1125899906842624`, "at most"},
		{"content digest", `m:` + hexSum(testMembers[4].data), hexSum(nil), "uncompressed content does not match"},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := rebuild(t, b, func(m, dir string) (string, string) {
				if old, ok := strings.CutPrefix(c.old, "m:"); ok {
					return edit(t, m, old, c.new), dir
				}
				return m, edit(t, dir, c.old, c.new)
			})
			err := checkBytes(d)
			var e *diag.Error
			if !errors.As(err, &e) || e.Kind != diag.Verification || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want something with %q", err, c.want)
			}
			if problems, err := verifyBytes(d); err != nil || len(problems) == 0 {
				t.Errorf("Verify: %v, %v", problems, err)
			}
		})
	}
	same := rebuild(t, b, func(m, d string) (string, string) { return m, d })
	if !bytes.Equal(same, b) {
		t.Error("rebuild changes a bundle by itself")
	}
}

func edit(t *testing.T, s, old, new string) string {
	t.Helper()
	if !strings.Contains(s, old) {
		t.Fatalf("no %s in %s", old, s)
	}
	return strings.Replace(s, old, new, 1)
}
