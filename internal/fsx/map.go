package fsx

import (
	"fmt"
	"os"

	"github.com/hlocc/hlocc/internal/diag"
)

// Mapping is a file's content as memory, read-only. On unix it is mapped: pages
// come from the page cache, are shared between processes, and reading a page of
// a file that was truncated meanwhile kills the process (SIGBUS), so files are
// replaced by rename and never written in place. Elsewhere it is read into
// memory.
type Mapping struct {
	data    []byte
	release func() error
}

// Map maps the first size bytes of f, which may be closed afterwards.
func Map(f *os.File, size int64) (*Mapping, error) {
	if size < 0 || int64(int(size)) != size {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "file_too_big", File: f.Name(),
			Message: "too big to be mapped by a 32-bit process", Found: Bytes(size)}
	}
	if size == 0 {
		return &Mapping{}, nil
	}
	data, release, err := mapFile(f, int(size))
	if err != nil {
		return nil, &diag.Error{Kind: diag.Failed, Code: "map", File: f.Name(),
			Message: fmt.Sprintf("cannot map %s", Bytes(size)), Cause: cause(err)}
	}
	return &Mapping{data: data, release: release}, nil
}

// Bytes is the content; it must not be written to, nor used after Close.
func (m *Mapping) Bytes() []byte { return m.data }

// Close gives the memory back. A second call does nothing.
func (m *Mapping) Close() error {
	if m.release == nil {
		return nil
	}
	release := m.release
	m.data, m.release = nil, nil
	return release()
}
