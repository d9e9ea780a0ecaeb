package bundle

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/fsx"
)

// hashBuffer is the size of the pieces in which digests are computed.
const hashBuffer = 1 << 20

// Reader is an open bundle. Its methods may be called from several goroutines,
// Close only when no slice that they returned is in use any more. Content that
// is asked for after Close is an error with os.ErrClosed in its chain.
type Reader struct {
	path string
	f    *os.File
	file
	tensors map[string]int

	mu      sync.Mutex
	mapping *fsx.Mapping
	closed  bool
}

// Open opens a bundle and checks all of it but the weights: header, size,
// manifest, directory, padding, and the digest of every member. A flipped or
// missing byte anywhere else than inside a tensor is an error here; tensors are
// checked by VerifyWeights or Verify.
func Open(path string) (*Reader, error) {
	f, size, err := openFile(path)
	if err != nil {
		return nil, err
	}
	r := &Reader{path: path, f: f, file: file{src: f, size: size}}
	if err := r.check(); err != nil {
		_ = f.Close()
		return nil, inFile(path, err)
	}
	r.tensors = make(map[string]int, len(r.manifest.Weights))
	for i, t := range r.manifest.Weights {
		r.tensors[t.Name] = i
	}
	return r, nil
}

func openFile(path string) (*os.File, int64, error) {
	f, err := os.Open(path)
	if err != nil {
		e := diag.FileError("open", "cannot be opened", path, err)
		if e.Fix == "" {
			e.Fix = "give the path of a bundle, or make one with hlocc build"
		}
		return nil, 0, e
	}
	st, err := f.Stat()
	if err == nil && !st.Mode().IsRegular() {
		err = &diag.Error{Kind: diag.BadInput, Code: "not_a_bundle", Message: "not a file", Found: kindOf(st.Mode()),
			Fix: "give the path of a bundle, or make one with hlocc build"}
	}
	if err != nil {
		_ = f.Close()
		return nil, 0, inFile(path, err)
	}
	return f, st.Size(), nil
}

func kindOf(m os.FileMode) string {
	if m.IsDir() {
		return "a folder"
	}
	return "a device, pipe or socket"
}

// check does all of Open's checks.
func (f *file) check() error {
	for _, step := range []func() error{f.readHeader, f.readManifest, f.readDirectory, func() error { return f.dir.match(f.manifest) }, f.checkSeal} {
		if err := step(); err != nil {
			return err
		}
	}
	for _, g := range f.gaps() {
		if err := f.checkGap(g); err != nil {
			return err
		}
	}
	return f.firstProblem(context.Background(), checkMembers, nil)
}

// Path is the name that the bundle was opened by.
func (r *Reader) Path() string { return r.path }

// Manifest describes the bundle; it must not be changed.
func (r *Reader) Manifest() *Manifest { return r.manifest }

// Digest is the root digest, "sha256:" and 64 hex digits: the SHA-256 of the
// manifest, which holds the digests of everything else.
func (r *Reader) Digest() string { return digestString(r.header.manifestSum) }

// HasMember says whether the bundle has a member of this path.
func (r *Reader) HasMember(path string) bool { return r.manifest.member(path) != nil }

// Member returns the uncompressed content of a member. That of an uncompressed
// one is part of the mapped file: read-only, page-aligned and valid until Close.
func (r *Reader) Member(path string) ([]byte, error) {
	for i, m := range r.manifest.Members {
		if m.Path != path {
			continue
		}
		e := r.dir.Entries[i+1]
		if e.Compression == Zstd {
			if r.isClosed() {
				return nil, inFile(r.path, os.ErrClosed)
			}
			b, err := r.content(e, m.Size)
			return b, inFile(r.path, err)
		}
		return r.bytes(e.span())
	}
	return nil, &diag.Error{Kind: diag.BadInput, Code: "no_member", File: r.path, Message: fmt.Sprintf("the bundle has no %q", path)}
}

// Tensor returns the bytes of a tensor: part of the mapped file, read-only, 64-byte
// aligned and valid until Close.
func (r *Reader) Tensor(name string) ([]byte, error) {
	i, ok := r.tensors[name]
	if !ok {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "no_tensor", File: r.path, Message: fmt.Sprintf("the bundle has no tensor %q", name)}
	}
	t := r.manifest.Weights[i]
	return r.bytes(span{pageAlign + t.Offset, t.Length})
}

// Load reads the whole file into memory of its own, instead of mapping it, for the
// slices that Member and Tensor return from now on; before it there must have been
// none. It is faster to read than small pages of the page cache (see
// docs/measurements.md), takes its time, and is not shared between processes.
func (r *Reader) Load() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return inFile(r.path, os.ErrClosed)
	}
	if r.mapping != nil {
		return errors.New("bundle: Load after the file was mapped")
	}
	m, err := fsx.Load(r.f, r.size)
	if err != nil {
		return err
	}
	r.mapping = m
	return nil
}

// bytes returns a span of the mapped file, mapping it if need be.
func (r *Reader) bytes(s span) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil, inFile(r.path, os.ErrClosed)
	}
	if r.mapping == nil {
		m, err := fsx.Map(r.f, r.size)
		if err != nil {
			return nil, err
		}
		r.mapping = m
	}
	return r.mapping.Bytes()[s.offset:s.end():s.end()], nil
}

func (r *Reader) isClosed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.closed
}

// Close unmaps and closes the file. A second call does nothing.
func (r *Reader) Close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	var err error
	if r.mapping != nil {
		err = r.mapping.Close()
	}
	if e := r.f.Close(); err == nil {
		err = e
	}
	return err
}

// Item is a part of the file, as Contents lists them.
type Item struct {
	Path        string      `json:"path"` // a member's path, or "weights", "manifest", "directory", "seal"
	Offset      int64       `json:"offset"`
	Stored      int64       `json:"stored"` // bytes in the file
	Size        int64       `json:"size"`   // bytes uncompressed
	Compression Compression `json:"compression"`
	SHA256      string      `json:"sha256,omitempty"` // of the uncompressed content; none for the weights
}

// Contents lists the parts of the file in the order of their offsets.
func (r *Reader) Contents() []Item {
	var items []Item
	for i, e := range r.dir.Entries {
		it := Item{Path: strings.TrimPrefix(e.Path, "@"), Offset: e.Offset, Stored: e.Length, Size: e.Length, Compression: e.Compression, SHA256: e.SHA256}
		if i > 0 {
			it.Size, it.SHA256 = r.manifest.Members[i-1].Size, r.manifest.Members[i-1].SHA256
		}
		items = append(items, it)
	}
	part := func(path string, s span, sum [32]byte) {
		items = append(items, Item{Path: path, Offset: s.offset, Stored: s.length, Size: s.length, Compression: None, SHA256: strings.TrimPrefix(digestString(sum), "sha256:")})
	}
	part("manifest", r.header.manifest, r.header.manifestSum)
	part("directory", r.header.directory, r.header.directorySum)
	if r.header.seal.length > 0 {
		part("seal", r.header.seal, r.header.sealSum)
	}
	return items
}

// Size is the size of the file in bytes.
func (r *Reader) Size() int64 { return r.size }

var _ io.Closer = (*Reader)(nil)
