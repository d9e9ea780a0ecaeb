//go:build linux || darwin

package fsx

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/hlocc/hlocc/internal/diag"
)

// TestFileSizeLimit writes more than the process may, in a process of its own.
func TestFileSizeLimit(t *testing.T) {
	const key = "FSX_TEST_LIMITED"
	if dir := os.Getenv(key); dir != "" {
		if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &unix.Rlimit{Cur: 1 << 16, Max: 1 << 16}); err != nil {
			t.Fatal(err)
		}
		f, err := Create(filepath.Join(dir, "out"))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Abort()
		for err == nil {
			_, err = f.Write(make([]byte, 10_000))
		}
		var e *diag.Error
		if !errors.As(err, &e) || e.Code != "file_too_big" {
			t.Error(err)
		}
		fmt.Println("reported:", err)
		return
	}
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0], "-test.run", "^TestFileSizeLimit$")
	cmd.Env = append(os.Environ(), key+"="+dir)
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "ulimit -f") {
		t.Errorf("%v\n%s", err, out)
	}
	if got := names(t, dir); got != nil {
		t.Errorf("left over: %v", got)
	}
}
