package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/hlocc/hlocc/internal/fsx"
)

// file is a bundle's bytes with what has been understood of them so far. All
// checks read through ReadAt and not through a mapping, so that a file which
// shrinks meanwhile gives an error and not a signal.
type file struct {
	src      io.ReaderAt
	size     int64
	header   *header
	manifest *Manifest  // nil until readManifest
	dir      *directory // nil until readDirectory
}

// readHeader reads and checks the header and the size of the file.
func (f *file) readHeader() error {
	b := make([]byte, min(headerSize, f.size))
	if err := f.read(b, 0); err != nil {
		return err
	}
	h, err := decodeHeader(b)
	if err != nil {
		return err
	}
	want, found := fmt.Sprintf("%d bytes", h.fileSize), fmt.Sprintf("%d bytes", f.size)
	if f.size < h.fileSize {
		return errTruncated(want, found)
	}
	if f.size > h.fileSize {
		return errCorrupt("end of file", fmt.Sprintf("%d bytes follow the bundle, which has %d", f.size-h.fileSize, h.fileSize))
	}
	f.header = h
	return nil
}

// read fills b from an offset inside the file.
func (f *file) read(b []byte, off int64) error {
	n, err := f.src.ReadAt(b, off)
	if n == len(b) {
		return nil
	}
	if err == nil || errors.Is(err, io.EOF) {
		return errTruncated(fmt.Sprintf("%d bytes at offset %d", len(b), off), fmt.Sprintf("%d", n))
	}
	return err
}

// readManifest and readDirectory need the header only.

func (f *file) readManifest() error {
	b, err := f.section(f.header.manifest, f.header.manifestSum, "manifest")
	if err != nil {
		return err
	}
	f.manifest, err = ParseManifest(b)
	return err
}

func (f *file) readDirectory() error {
	b, err := f.section(f.header.directory, f.header.directorySum, "directory")
	if err != nil {
		return err
	}
	d, err := parseDirectory(b)
	if err != nil {
		return err
	}
	if err := d.check(f.header.manifest); err != nil {
		return err
	}
	f.dir = d
	return nil
}

// section reads a span that the header bounds and compares its digest.
func (f *file) section(s span, sum [32]byte, where string) ([]byte, error) {
	b := make([]byte, s.length)
	if err := f.read(b, s.offset); err != nil {
		return nil, err
	}
	if sha256.Sum256(b) != sum {
		return nil, errDigest(where, s)
	}
	return b, nil
}

func errDigest(where string, s span) error {
	return errCorrupt(where, fmt.Sprintf("SHA-256 does not match (bytes %d to %d of the file)", s.offset, s.end()-1))
}

// checkSeal checks the seal's digest; what it means is not for this package.
func (f *file) checkSeal() error {
	if f.header.seal.length == 0 {
		return nil
	}
	_, err := f.section(f.header.seal, f.header.sealSum, "seal")
	return err
}

// gap is a stretch of the file that must be zeros.
type gap struct {
	span
	after string
}

// gaps lists the padding of the file: between its parts, and between tensors as
// far as they are known.
func (f *file) gaps() []gap {
	var gs []gap
	pos, after := int64(headerSize), "header"
	add := func(s span, name string) {
		if s.offset > pos {
			gs = append(gs, gap{span{pos, s.offset - pos}, after})
		}
		pos, after = s.end(), name
	}
	if f.manifest != nil {
		for _, t := range f.manifest.Weights {
			add(span{pageAlign + t.Offset, t.Length}, fmt.Sprintf("tensor %q", t.Name))
		}
	}
	if f.dir != nil {
		for i, e := range f.dir.Entries {
			if i == 0 && f.manifest != nil && e.Length > 0 {
				continue // its tensors have been added
			}
			add(e.span(), fmt.Sprintf("%q", e.Path))
		}
		add(f.header.manifest, "manifest")
	}
	pos, after = f.header.manifest.end(), "manifest"
	add(f.header.directory, "directory")
	if f.header.seal.length > 0 {
		add(f.header.seal, "seal")
	}
	return gs
}

// checkGap reads a gap; an honest one is shorter than a page.
func (f *file) checkGap(g gap) error {
	where := "padding after " + g.after
	if g.length >= pageAlign {
		return errCorrupt(where, fmt.Sprintf("%d bytes of it", g.length))
	}
	b := make([]byte, g.length)
	if err := f.read(b, g.offset); err != nil {
		return err
	}
	for i, c := range b {
		if c != 0 {
			return errCorrupt(where, fmt.Sprintf("byte %d of the file is %#02x, want 0", g.offset+int64(i), c))
		}
	}
	return nil
}

// checkMember compares the stored bytes of a directory entry with its digest
// and, where compressed, the content with the manifest's.
func (f *file) checkMember(e entry, m *Member, buf []byte) error {
	where := fmt.Sprintf("member %q", e.Path)
	sum, err := f.hash(e.span(), buf, nil)
	if err != nil {
		return err
	}
	if sum != e.SHA256 {
		return errDigest(where, e.span())
	}
	if e.Compression == None || m == nil {
		return nil
	}
	h := sha256.New()
	n, err := f.decompress(e, h, m.Size)
	if err != nil {
		return err
	}
	if n != m.Size {
		return errCorrupt(where, fmt.Sprintf("%d bytes uncompressed, want %d", n, m.Size))
	}
	if got := hex.EncodeToString(h.Sum(nil)); got != m.SHA256 {
		return errCorrupt(where, "SHA-256 of the uncompressed content does not match")
	}
	return nil
}

// hash digests a span in pieces of len(buf). tick, if any, is told of every
// piece and can stop the work.
func (f *file) hash(s span, buf []byte, tick func(n int) error) (string, error) {
	h := sha256.New()
	for at := s.offset; at < s.end(); {
		b := buf[:min(int64(len(buf)), s.end()-at)]
		if err := f.read(b, at); err != nil {
			return "", err
		}
		h.Write(b)
		at += int64(len(b))
		if tick != nil {
			if err := tick(len(b)); err != nil {
				return "", err
			}
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// decompress writes the content of a compressed entry to w, at most one byte
// more than size. What cannot be read is not taken for what is damaged.
func (f *file) decompress(e entry, w io.Writer, size int64) (int64, error) {
	src := &spanReader{f: f, span: e.span()}
	dec, err := zstd.NewReader(src, zstd.WithDecoderConcurrency(1),
		zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxMemory(maxTextSize), zstd.WithDecoderMaxWindow(8<<20))
	if err != nil {
		return 0, err
	}
	defer dec.Close()
	n, err := io.Copy(w, io.LimitReader(dec, size+1))
	if src.err != nil {
		return n, src.err
	}
	if err != nil {
		return n, errCorrupt(fmt.Sprintf("member %q", e.Path), "does not decompress: "+err.Error())
	}
	return n, nil
}

// spanReader reads a span and keeps the error that ended it early.
type spanReader struct {
	f *file
	span
	err error
}

func (r *spanReader) Read(p []byte) (int, error) {
	if r.length == 0 {
		return 0, io.EOF
	}
	p = p[:min(int64(len(p)), r.length)]
	if r.err = r.f.read(p, r.offset); r.err != nil {
		return 0, r.err
	}
	r.offset += int64(len(p))
	r.length -= int64(len(p))
	return len(p), nil
}

// content returns the uncompressed bytes of a compressed entry.
func (f *file) content(e entry, size int64) ([]byte, error) {
	var b bytes.Buffer
	b.Grow(int(min(size+1, 64<<20)))
	n, err := f.decompress(e, &b, size)
	if err != nil {
		return nil, err
	}
	if n != size {
		return nil, errCorrupt(fmt.Sprintf("member %q", e.Path), "does not decompress to "+fsx.Bytes(size))
	}
	return b.Bytes(), nil
}
