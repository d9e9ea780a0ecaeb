// Package fsx has the file operations that the standard library lacks: files
// that appear whole or not at all, and read-only mappings.
package fsx

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"github.com/hlocc/hlocc/internal/diag"
)

// File is a file being written. It lives under an unpredictable temporary name
// next to its destination until Commit gives it its own; Abort removes it.
// Write, WriteAt and Reserve report a full disk with the space that is left.
// WriteAt may be called from several goroutines.
type File struct {
	f     *os.File
	path  string // as the user named it, for messages
	final string // path with symbolic links resolved
	need  int64  // bytes that Reserve was asked for

	mu     sync.Mutex
	done   bool
	primed map[int64]bool // by offset, see Prime
}

// Create starts writing the file that will be called path. Its folder must
// exist. If path is a symbolic link, the file that it points to is replaced.
func Create(path string) (*File, error) {
	final := path
	switch st, err := os.Stat(path); {
	case err == nil && !st.Mode().IsRegular():
		return nil, &diag.Error{Kind: diag.Failed, Code: "not_a_file", File: path,
			Message: "exists and is not a regular file", Fix: "choose another output file"}
	case err == nil:
		if final, err = filepath.EvalSymlinks(path); err != nil {
			return nil, writeError(path, 0, err)
		}
	case !errors.Is(err, os.ErrNotExist):
		return nil, writeError(path, 0, err)
	}
	f, err := createTemp(filepath.Dir(final), filepath.Base(final))
	if err != nil {
		if errors.Is(err, os.ErrNotExist) {
			return nil, &diag.Error{Kind: diag.Failed, Code: "no_such_folder", File: path,
				Message: "cannot be written: its folder does not exist", Fix: fmt.Sprintf("run mkdir -p %s", filepath.Dir(final))}
		}
		return nil, writeError(path, 0, err)
	}
	return &File{f: f, path: path, final: final}, nil
}

// WriteFile writes data to path atomically and durably.
func WriteFile(path string, data []byte) error {
	f, err := Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// Path is the final name, as given to Create.
func (f *File) Path() string { return f.path }

// TempPath is the name that the file has until Commit.
func (f *File) TempPath() string { return f.f.Name() }

// Reserve allocates n bytes of disk space from the start of the file, where the
// filesystem can, so that a full disk is found before the work is done. The
// file's size becomes n if it was less.
func (f *File) Reserve(n int64) error {
	f.need = max(f.need, n)
	if n <= 0 {
		return nil
	}
	st, err := f.f.Stat()
	if err != nil {
		return f.fail(err)
	}
	// Asking the filesystem for more than it has would fill it for a moment.
	if free, ok := Free(filepath.Dir(f.final)); ok && n-st.Size() > free {
		return f.fail(errNoSpace)
	}
	if err := allocate(f.f, n); err != nil {
		return f.fail(err)
	}
	return nil
}

// Write appends at the file's position.
func (f *File) Write(p []byte) (int, error) {
	n, err := f.f.Write(p)
	return n, f.fail(err)
}

// WriteAt writes at an offset.
func (f *File) WriteAt(p []byte, off int64) (int, error) {
	n, err := f.f.WriteAt(p, off)
	return n, f.fail(err)
}

// ReadAt reads back what was written.
func (f *File) ReadAt(p []byte, off int64) (int, error) { return f.f.ReadAt(p, off) }

// Truncate sets the size of the file.
func (f *File) Truncate(size int64) error { return f.fail(f.f.Truncate(size)) }

// Commit makes the file durable and gives it its final name, replacing what was
// there. After an error nothing is left but what was there before.
func (f *File) Commit() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return f.fail(os.ErrClosed)
	}
	f.done = true
	tmp := f.f.Name()
	// fsync before rename: else a crash may leave the final name on an empty file.
	err := f.f.Sync()
	if e := f.f.Close(); err == nil {
		err = e
	}
	if err == nil {
		err = os.Rename(tmp, f.final)
	}
	if err != nil {
		_ = os.Remove(tmp)
		return f.fail(err)
	}
	// The file is in place: a folder that cannot be synced is not a failure
	// (some network filesystems refuse it).
	_ = syncDir(filepath.Dir(f.final))
	return nil
}

// Abort removes the temporary file. It does nothing after Commit or another
// Abort, so that it can be deferred.
func (f *File) Abort() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.done {
		return
	}
	f.done = true
	_ = f.f.Close()
	_ = os.Remove(f.f.Name())
}

func (f *File) fail(err error) error {
	if err == nil {
		return nil
	}
	return writeError(f.path, f.need, err)
}

// writeError explains an error of writing path, which needs about need bytes (0: unknown).
func writeError(path string, need int64, err error) error {
	e := &diag.Error{Kind: diag.Failed, Code: "write", File: path, Message: "cannot be written", Cause: cause(err)}
	switch {
	case isNoSpace(err):
		e.Code, e.Message = "disk_full", "no space left on the disk"
		if need > 0 {
			e.Want = Bytes(need) + " for the file"
		}
		if free, ok := Free(filepath.Dir(path)); ok {
			e.Found = Bytes(free) + " free"
		}
		e.Fix = "free some space, or write to another disk"
	case isTooBig(err):
		e.Code, e.Message = "file_too_big", "larger than the filesystem or the file size limit (ulimit -f) allows"
		if need > 0 {
			e.Want = Bytes(need) + " for the file"
		}
		e.Fix = "raise the limit, or write to another disk"
	case errors.Is(err, os.ErrPermission):
		e.Fix = "check the permissions of its folder, or choose another output file"
	}
	return e
}

// cause strips the operation and the temporary name, which would only puzzle.
func cause(err error) error {
	var pe *os.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	var le *os.LinkError
	if errors.As(err, &le) {
		return le.Err
	}
	return err
}

// Bytes prints a size for people: "270.1 MB" (powers of 1000).
func Bytes(n int64) string {
	const units = "kMGTPE"
	if n < 1000 {
		return fmt.Sprintf("%d bytes", n)
	}
	v, i := float64(n)/1000, 0
	for v >= 999.95 && i < len(units)-1 {
		v, i = v/1000, i+1
	}
	return fmt.Sprintf("%.1f %cB", v, units[i])
}
