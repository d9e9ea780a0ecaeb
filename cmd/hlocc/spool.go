package main

import (
	"io"
	"os"

	"github.com/hlocc/hlocc/internal/diag"
)

// spool holds a result back until all of it is known to be good: --json promises
// one object or nothing. What does not fit into memory goes to a temporary file.
type spool struct {
	limit int // bytes kept in memory
	buf   []byte
	file  *os.File
}

func (s *spool) Write(p []byte) (int, error) {
	if len(s.buf) > 0 && len(s.buf)+len(p) > s.limit {
		if err := s.spill(); err != nil {
			return 0, err
		}
	}
	s.buf = append(s.buf, p...)
	return len(p), nil
}

func (s *spool) spill() error {
	if s.file == nil {
		f, err := os.CreateTemp("", "hlocc-*.tmp")
		if err != nil {
			return spoolError(err)
		}
		// Where an open file can be removed, nothing is left even if we are killed.
		_ = os.Remove(f.Name())
		s.file = f
	}
	if _, err := s.file.Write(s.buf); err != nil {
		return spoolError(err)
	}
	s.buf = s.buf[:0]
	return nil
}

// copyTo writes everything to w.
func (s *spool) copyTo(w io.Writer) error {
	if s.file != nil {
		if _, err := s.file.Seek(0, io.SeekStart); err != nil {
			return spoolError(err)
		}
		if _, err := io.Copy(w, s.file); err != nil {
			return err
		}
	}
	_, err := w.Write(s.buf)
	return err
}

func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close()
		_ = os.Remove(s.file.Name())
	}
}

func spoolError(err error) error {
	return &diag.Error{Kind: diag.Failed, Code: "temporary_file", Message: "the result cannot be kept in a temporary file", Cause: err,
		Fix: "make room, or set TMPDIR to another folder"}
}
