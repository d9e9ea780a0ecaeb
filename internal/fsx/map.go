package fsx

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/sync/errgroup"

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
	return newMapping(f, size, "map", mapFile)
}

// Load is Map that reads the file into memory of its own, in huge pages where the
// system has them: nothing depends on the page cache, nothing is shared. All of it
// must fit into memory.
func Load(f *os.File, size int64) (*Mapping, error) {
	return newMapping(f, size, "read", loadFile)
}

func newMapping(f *os.File, size int64, verb string, get func(*os.File, int) ([]byte, func() error, error)) (*Mapping, error) {
	if size < 0 || int64(int(size)) != size {
		return nil, &diag.Error{Kind: diag.Unsupported, Code: "file_too_big", File: f.Name(),
			Message: "too big to be mapped by a 32-bit process", Found: Bytes(size)}
	}
	if size == 0 {
		return &Mapping{}, nil
	}
	data, release, err := get(f, int(size))
	if err != nil {
		return nil, &diag.Error{Kind: diag.Failed, Code: verb, File: f.Name(),
			Message: fmt.Sprintf("cannot %s %s", verb, Bytes(size)), Cause: cause(err)}
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

// readInto fills b with the start of f, several pieces at once: one goroutine
// cannot copy as fast as memory allows.
func readInto(b []byte, f *os.File) error {
	const piece = 8 << 20
	var group errgroup.Group
	group.SetLimit(4)
	for off := 0; off < len(b); off += piece {
		part := b[off:min(off+piece, len(b))]
		group.Go(func() error {
			_, err := io.ReadFull(io.NewSectionReader(f, int64(off), int64(len(part))), part)
			return err
		})
	}
	return group.Wait()
}
