package safetensors

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/hlocc/hlocc/internal/diag"
)

// Tensor is a named array in a file. Its bytes are row-major, little-endian and
// in general not aligned.
type Tensor struct {
	Name  string
	DType DType
	Shape []int

	file       *File
	begin, end int64 // in the file
}

// Size is the number of bytes of the tensor.
func (t *Tensor) Size() int64 { return t.end - t.begin }

// Elements is the number of elements of the tensor.
func (t *Tensor) Elements() int64 { return t.Size() * 8 / int64(t.DType.Bits()) }

// File is the name of the file that holds the tensor.
func (t *Tensor) File() string { return t.file.Name }

// ReadAt reads from byte off of the tensor on. It may be called concurrently.
// A file that became shorter since it was opened gives an error, not a signal:
// that is why checkpoints are read and not mapped.
func (t *Tensor) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 || off > t.Size() {
		return 0, fmt.Errorf("offset %d outside tensor %s of %d bytes", off, quote(t.Name), t.Size())
	}
	short := int64(len(p)) > t.Size()-off
	if short {
		p = p[:t.Size()-off]
	}
	n, err := t.file.r.ReadAt(p, t.begin+off)
	if n == len(p) {
		err = nil
	}
	switch {
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return n, &diag.Error{Kind: diag.BadInput, Code: "safetensors_truncated", File: t.file.Name,
			Where: "tensor " + quote(t.Name), Message: "file became shorter while it was read"}
	case err != nil:
		return n, &diag.Error{Kind: diag.Failed, Code: "read", File: t.file.Name,
			Where: "tensor " + quote(t.Name), Message: "cannot read", Cause: err}
	case short:
		return n, io.EOF
	}
	return n, nil
}

// Reader returns a reader over the bytes of the tensor.
func (t *Tensor) Reader() *io.SectionReader { return io.NewSectionReader(t, 0, t.Size()) }

// File is one open safetensors file.
type File struct {
	Name     string            // as the user named it, for diagnostics
	Metadata map[string]string // the free text of the header; nil if it has none

	r       io.ReaderAt
	closer  io.Closer
	tensors []*Tensor
	byName  map[string]*Tensor
}

// Open opens a file and checks its header; no tensor is read.
func Open(path string) (*File, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, diag.FileError("safetensors_open", "cannot open", path, err)
	}
	info, err := f.Stat()
	if err != nil {
		err = diag.FileError("safetensors_open", "cannot open", path, err)
	} else if !info.Mode().IsRegular() {
		err = &diag.Error{Kind: diag.BadInput, Code: "safetensors_open", File: path, Message: "not a regular file"}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	file, err := NewFile(f, info.Size(), path)
	if err != nil {
		f.Close()
		return nil, err
	}
	file.closer = f
	return file, nil
}

// NewFile reads the header of a file of size bytes from r. name is used in
// diagnostics. The result reads from r until Close, which does not close r.
func NewFile(r io.ReaderAt, size int64, name string) (*File, error) {
	h, err := readHeader(r, size)
	if err != nil {
		var e *diag.Error
		if errors.As(err, &e) && e.File == "" {
			e.File = name
		}
		return nil, err
	}
	f := &File{Name: name, Metadata: h.metadata, r: r, tensors: h.tensors, byName: make(map[string]*Tensor, len(h.tensors))}
	for _, t := range h.tensors {
		t.file = f
		f.byName[t.Name] = t
	}
	return f, nil
}

func readHeader(r io.ReaderAt, size int64) (*header, error) {
	var prefix [8]byte
	if size < 8 {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "safetensors_truncated", Message: "file is truncated",
			Want: "at least 8 bytes", Found: fmt.Sprintf("%d bytes", size), Fix: "download it again"}
	}
	if _, err := r.ReadAt(prefix[:], 0); err != nil {
		return nil, &diag.Error{Kind: diag.Failed, Code: "read", Message: "cannot read", Cause: err}
	}
	if string(prefix[:]) == "version " { // "version https://git-lfs.github.com/spec/v1"
		return nil, &diag.Error{Kind: diag.BadInput, Code: "git_lfs_pointer", Message: "this is a Git LFS pointer, not the file itself",
			Fix: "run git lfs pull in the checkpoint's repository"}
	}
	n := binary.LittleEndian.Uint64(prefix[:])
	if n > MaxHeader {
		return nil, headerError("the first 8 bytes", "header is too long, or this is no safetensors file",
			fmt.Sprintf("a length up to %d", MaxHeader), fmt.Sprint(n))
	}
	if int64(n) > size-8 {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "safetensors_truncated", Message: "file is truncated inside its header",
			Want: fmt.Sprintf("at least %d bytes", n+8), Found: fmt.Sprintf("%d bytes", size), Fix: "download it again"}
	}
	text := make([]byte, n)
	if _, err := r.ReadAt(text, 8); err != nil && !(err == io.EOF && size == 8+int64(n)) {
		return nil, &diag.Error{Kind: diag.Failed, Code: "read", Message: "cannot read", Cause: err}
	}
	base := 8 + int64(n)
	return parseHeader(text, base, size-base)
}

// Tensors lists the tensors in the order of their bytes.
func (f *File) Tensors() []*Tensor { return f.tensors }

// Tensor finds a tensor by name; nil if the file has none of that name.
func (f *File) Tensor(name string) *Tensor { return f.byName[name] }

// Close closes the file if Open opened it.
func (f *File) Close() error {
	if f.closer == nil {
		return nil
	}
	return f.closer.Close()
}
