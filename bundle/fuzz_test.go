package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"reflect"
	"testing"
)

// reseal recomputes the digests of the header, so that damage gets past them to
// the checks behind.
func reseal(b []byte) []byte {
	b = bytes.Clone(b)
	if len(b) < headerSize {
		return b
	}
	le := binary.LittleEndian
	for _, at := range []int{24, 72, 120} { // span, then digest
		off, n := le.Uint64(b[at:]), le.Uint64(b[at+8:])
		if n > 0 && off <= uint64(len(b)) && n <= uint64(len(b))-off {
			sum := sha256.Sum256(b[off : off+n])
			copy(b[at+16:], sum[:])
		}
	}
	sum := sha256.Sum256(b[:224])
	copy(b[224:], sum[:])
	return b
}

func FuzzOpen(f *testing.F) {
	b := small(f)
	f.Add(b)
	f.Add(b[:headerSize])
	f.Add(b[:len(b)-1])
	f.Add([]byte{})
	for _, at := range []int{8, 12, 16, 24, 32, 72, 80, 120, 128, 200} {
		d := bytes.Clone(b)
		d[at] ^= 0x41
		f.Add(d)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, b := range [][]byte{b, reseal(b)} {
			fl := &file{src: bytes.NewReader(b), size: int64(len(b))}
			err := fl.check()
			problems, verr := verifyBytes(b)
			if err == nil {
				if verr != nil {
					t.Fatalf("Open accepts, Verify fails: %v", verr)
				}
				for _, p := range problems {
					if p.Offset < pageAlign || p.Offset+p.Length > pageAlign+fl.dir.Entries[0].Length {
						t.Fatalf("Open accepts, Verify finds %+v", p)
					}
				}
			} else if verr == nil && len(problems) == 0 {
				t.Fatalf("Verify accepts, Open says %v", err)
			}
		}
	})
}

func FuzzManifest(f *testing.F) {
	b := small(f)
	h, err := decodeHeader(b[:headerSize])
	if err != nil {
		f.Fatal(err)
	}
	m := b[h.manifest.offset:h.manifest.end()]
	f.Add(m)
	for _, c := range manifestCases {
		f.Add(bytes.Replace(m, []byte(c.old), []byte(c.new), 1))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseManifest(b)
		if err != nil {
			return
		}
		enc, err := m.encode()
		if err != nil {
			t.Fatal(err)
		}
		again, err := ParseManifest(enc)
		if err != nil {
			t.Fatalf("accepts %s\nrefuses its own form: %v", b, err)
		}
		// Only the white space of the opaque parts may differ.
		for _, m := range []*Manifest{m, again} {
			for _, raw := range []*json.RawMessage{&m.Spec, &m.Plan, &m.Report, &m.Provenance} {
				*raw = nil
			}
		}
		if e2, _ := again.encode(); !reflect.DeepEqual(m, again) && !bytes.Equal(mustEncode(t, m), e2) {
			t.Fatalf("%+v\n%+v", m, again)
		}
	})
}

func mustEncode(t *testing.T, m *Manifest) []byte {
	t.Helper()
	b, err := m.encode()
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func FuzzDirectory(f *testing.F) {
	b := small(f)
	h, err := decodeHeader(b[:headerSize])
	if err != nil {
		f.Fatal(err)
	}
	f.Add(b[h.directory.offset:h.directory.end()])
	f.Add([]byte(`{"entries":[]}`))
	f.Add([]byte(`{"entries":[{"path":"@weights","compression":"none","offset":4096,"length":0}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		d, err := parseDirectory(b)
		if err != nil || d.check(h.manifest) != nil {
			return
		}
		for _, e := range d.Entries {
			if e.Offset < headerSize || e.Length < 0 || e.span().end() > h.manifest.offset {
				t.Fatalf("%+v lies outside", e)
			}
		}
	})
}
