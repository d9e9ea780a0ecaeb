package fsx

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	goruntime "runtime"
	"strings"
	"sync"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// names lists a folder.
func names(t *testing.T, dir string) []string {
	t.Helper()
	es, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range es {
		out = append(out, e.Name())
	}
	return out
}

func TestCommit(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "out")
	if err := os.WriteFile(path, []byte("before"), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Reserve(10); err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Go(func() {
			if _, err := f.WriteAt([]byte{byte('0' + i)}, int64(i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got, _ := os.ReadFile(path); string(got) != "before" {
		t.Errorf("before Commit the old file is %q", got)
	}
	if err := f.Truncate(8); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(path); string(got) != "01234567" {
		t.Errorf("after Commit: %q", got)
	}
	f.Abort()
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
	if err := f.Commit(); err == nil {
		t.Error("a second Commit succeeded")
	}
}

func TestAbortLeavesNothing(t *testing.T) {
	dir := t.TempDir()
	f, err := Create(filepath.Join(dir, "out"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write(make([]byte, 1000)); err != nil {
		t.Fatal(err)
	}
	f.Abort()
	f.Abort()
	if got := names(t, dir); got != nil {
		t.Errorf("left over: %v", got)
	}
	if _, err := f.Write([]byte("x")); err == nil {
		t.Error("Write after Abort succeeded")
	}
}

func TestTwoWritersOfOneFile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, strings.Repeat("n", 200))
	var fs []*File
	for i := range 3 {
		f, err := Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.Write(bytes.Repeat([]byte{byte(i)}, 5)); err != nil {
			t.Fatal(err)
		}
		fs = append(fs, f)
	}
	for i, f := range fs {
		if err := f.Commit(); err != nil {
			t.Fatal(err)
		}
		if got, _ := os.ReadFile(path); !bytes.Equal(got, bytes.Repeat([]byte{byte(i)}, 5)) {
			t.Errorf("after %d: %v", i, got)
		}
	}
	if got := names(t, dir); len(got) != 1 {
		t.Errorf("left over: %v", got)
	}
}

func TestCreateErrors(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, path, code string }{
		{"a folder", dir, "not_a_file"},
		{"no folder", filepath.Join(dir, "none", "out"), "no_such_folder"},
		{"below a file", filepath.Join(dir, "file", "out"), "write"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := os.WriteFile(filepath.Join(dir, "file"), nil, 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Create(c.path)
			var e *diag.Error
			if !errors.As(err, &e) || e.Kind != diag.Failed || e.File != c.path {
				t.Fatalf("%v", err)
			}
			if goruntime.GOOS == "linux" && e.Code != c.code {
				t.Errorf("code %q, want %q (%v)", e.Code, c.code, err)
			}
		})
	}
}

func TestSymlinkTargetIsReplaced(t *testing.T) {
	dir := t.TempDir()
	real, link := filepath.Join(dir, "real"), filepath.Join(dir, "link")
	if err := os.WriteFile(real, []byte("old"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("real", link); err != nil {
		t.Logf("no symbolic links here: %v", err)
		return
	}
	if err := WriteFile(link, []byte("new")); err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(real); string(got) != "new" {
		t.Errorf("the file behind the link is %q", got)
	}
	if st, err := os.Lstat(link); err != nil || st.Mode()&fs.ModeSymlink == 0 {
		t.Errorf("the link was replaced: %v %v", st.Mode(), err)
	}
}

func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if _, ok := Free(dir); !ok {
		t.Logf("free space is not known on this platform")
		return
	}
	path := filepath.Join(dir, "out")
	f, err := Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Abort()
	err = f.Reserve(1 << 60)
	var e *diag.Error
	if !errors.As(err, &e) || e.Kind != diag.Failed || e.Code != "disk_full" || e.File != path {
		t.Fatalf("%v", err)
	}
	if e.Want != "1.2 EB for the file" || !strings.HasSuffix(e.Found, " free") || e.Fix == "" {
		t.Errorf("%v", err)
	}
	if strings.Contains(err.Error(), ".tmp") {
		t.Errorf("names the temporary file: %v", err)
	}
}

func TestWriteErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		code string
	}{
		{&fs.PathError{Op: "write", Path: "/x/.out.QWERTY.tmp", Err: errNoSpace}, "disk_full"},
		{&os.LinkError{Op: "rename", Old: "/x/.out.QWERTY.tmp", New: "out", Err: os.ErrPermission}, "write"},
		{errors.New("other"), "write"},
	} {
		err := writeError("out", 0, c.err)
		var e *diag.Error
		if !errors.As(err, &e) || e.Code != c.code || strings.Contains(err.Error(), "QWERTY") {
			t.Errorf("%v", err)
		}
	}
}

func TestMap(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	want := bytes.Repeat([]byte("0123456789"), 1000)
	if err := os.WriteFile(path, want, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range []int64{0, 1, 4096, 10000} {
		for _, get := range []func(*os.File, int64) (*Mapping, error){Map, Load} {
			m, err := get(f, n)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(m.Bytes(), want[:n]) {
				t.Errorf("%d bytes differ", n)
			}
			for range 2 {
				if err := m.Close(); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if _, err := Load(f, 10001); err == nil {
		t.Error("more was read than the file has")
	}
	if _, err := Map(f, -1); err == nil {
		t.Error("a negative size was mapped")
	}
	m, err := Map(f, 10000)
	if err != nil {
		t.Fatal(err)
	}
	_ = f.Close()
	if !bytes.Equal(m.Bytes(), want) {
		t.Error("the mapping did not outlive the file")
	}
	_ = m.Close()
	if _, err := Map(f, 10); err == nil {
		t.Error("a closed file was mapped")
	}
}

func TestBytes(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 999: "999 bytes", 1000: "1.0 kB", 999_949: "999.9 kB", 999_950: "1.0 MB", 270_100_000: "270.1 MB", 1 << 62: "4.6 EB"} {
		if got := Bytes(n); got != want {
			t.Errorf("Bytes(%d) = %q, want %q", n, got, want)
		}
	}
}
