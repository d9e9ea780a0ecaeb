package diag

import (
	"errors"
	"io/fs"
	"testing"
)

func TestFileError(t *testing.T) {
	for _, c := range []struct {
		err  error
		code int
		want string
	}{
		{&fs.PathError{Op: "open", Path: "/a/b", Err: fs.ErrNotExist}, 4, "b: cannot open: file does not exist"},
		{&fs.PathError{Op: "open", Path: "/a/b", Err: fs.ErrPermission}, 1, "b: cannot open: permission denied; check its permissions"},
		{errors.New("input/output error"), 1, "b: cannot open: input/output error"},
	} {
		err := FileError("open", "cannot open", "b", c.err)
		if ExitCode(err) != c.code || errors.Is(err, fs.ErrNotExist) != (c.code == 4) {
			t.Errorf("%v: exit code %d, want %d", err, ExitCode(err), c.code)
		}
		if c.want != err.Error() || err.Code != "open" || err.File != "b" {
			t.Errorf("%q, want %q", err, c.want)
		}
	}
}
