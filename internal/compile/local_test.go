//go:build linux || darwin || freebsd

package compile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
)

// fake makes a compiler of a shell script; $OUT is the module's path.
func fake(t *testing.T, script string) *Local {
	t.Helper()
	root := tree(t, map[string]string{"bin dir/iree-compile*": "#!/bin/sh\nOUT=$3\n" + script})
	l := &Local{Compiler: filepath.Join(root, "bin dir/iree-compile"), TempDir: filepath.Join(root, "temp dir"), Timeout: time.Minute}
	if err := os.Mkdir(l.TempDir, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if left := children(l.TempDir); len(left) != 0 {
			t.Errorf("left behind: %v", left)
		}
	})
	return l
}

func TestLocal(t *testing.T) {
	t.Setenv("SECRET", "x")
	// PWD, SHLVL and _ are the shell's own.
	l := fake(t, `test "$TMPDIR" = . && test -z "$SECRET" || exit 7
(cat; echo "$@"; env | cut -d= -f1 | grep -v -e PWD -e SHLVL -e '^_$' | sort) > "$OUT"`)
	out, err := l.Execute(context.Background(), Job{Text: []byte("text\n"), Flags: []string{"--flag=1"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(out.Module), "text\n- -o module.vmfb --flag=1\nOUT\nTMPDIR\n"; strings.ReplaceAll(got, "OUT\n", "") != strings.ReplaceAll(want, "OUT\n", "") {
		t.Errorf("got %q, want %q", got, want)
	}
	if out.PeakRSS < 100<<10 || out.PeakRSS > 1<<30 {
		t.Errorf("peak RSS %d", out.PeakRSS)
	}
}

func TestLocalFailures(t *testing.T) {
	a := Action{Graph: "prefill_32", Target: targets[1], Location: func(line int) string {
		return map[int]string{3: "layers.7.attn.q"}[line]
	}}
	tests := []struct {
		name, script string
		code         string
		say          []string
	}{
		{"error with a place", `echo "<stdin>:3:10: error: 'stablehlo.dot' op wrong: %1 = \"stablehlo.dot\"(%0) : long dump" >&2
echo "<stdin>:9:1: error: second" >&2; exit 1`, "compile_failed", []string{"graph prefill_32 for x86-64-v3, layers.7.attn.q (line 3:10", "op wrong (and 1 more)"}},
		{"place without operation", `echo "-:4:2: error: no" >&2; exit 1`, "compile_failed", []string{"x86-64-v3, line 4:2", "no"}},
		{"error without a place", `echo "iree-lld: error: no input" >&2; exit 1`, "compile_failed", []string{"no input"}},
		{"llvm error", `echo "LLVM ERROR: 64-bit code requested" >&2; exit 1`, "compiler_crash", []string{"LLVM ERROR: 64-bit code requested"}},
		{"crash", `kill -SEGV $$`, "compiler_crash", []string{"signal 11 (segmentation fault)", "prefill_32"}},
		{"abort with a place", `echo "<stdin>:3:1: error: x" >&2; kill -ABRT $$`, "compiler_crash", []string{"signal 6", "layers.7.attn.q"}},
		{"out of memory", `kill -KILL $$`, "compiler_killed", []string{"memory"}},
		{"disk full", `echo "LLVM ERROR: IO failure on output stream: No space left on device" >&2; exit 1`, "disk_full", []string{EnvCache}},
		{"silent", `exit 3`, "compile_failed", []string{"exit status 3"}},
		{"success without a module", `exit 0`, "compile_failed", []string{"exit status 0"}},
		{"endless output", `yes | head -c 3000000 >&2; echo "<stdin>:3:1: error: found" >&2; exit 1`, "compile_failed", []string{"layers.7.attn.q", "found"}},
		{"timeout", `sleep 100 & wait`, "compile_timeout", []string{"within 300ms"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			l := fake(t, test.script)
			if test.name == "timeout" {
				l.Timeout = 300 * time.Millisecond
			}
			_, err := l.Execute(context.Background(), Job{Text: []byte("text")})
			var f *Failure
			if !errors.As(err, &f) {
				t.Fatalf("not a Failure: %v", err)
			}
			if len(f.Stderr) > 4*endsLimit {
				t.Errorf("%d bytes of stderr kept", len(f.Stderr))
			}
			err = diagnose(a, err, "/cache/x.mlir")
			var d *diag.Error
			if !errors.As(err, &d) || d.Code != test.code || d.Kind != diag.Failed {
				t.Fatalf("%v, want code %s", err, test.code)
			}
			for _, want := range append(test.say, "graph prefill_32") {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%v\nwant %q", err, want)
				}
			}
		})
	}
}

// Cancelling ends the compiler and what it started, and reports the cancellation.
func TestLocalCancel(t *testing.T) {
	pids := filepath.Join(t.TempDir(), "pids")
	l := fake(t, `sleep 100 & echo $$ $! > `+pids+`.new && mv `+pids+`.new `+pids+`; wait`)
	ctx := cancelWhen(t, pids)
	start := time.Now()
	if _, err := l.Execute(ctx, Job{}); !errors.Is(err, context.Canceled) || diag.ExitCode(err) != 130 {
		t.Errorf("%v", err)
	}
	if d := time.Since(start); d > 20*time.Second {
		t.Errorf("took %v", d)
	}
	allGone(t, pids)
	if _, err := l.Execute(ctx, Job{}); !errors.Is(err, context.Canceled) {
		t.Errorf("starting cancelled: %v", err)
	}
}

// cancelWhen gives a context that ends when there is a file of that name.
func cancelWhen(t *testing.T, path string) context.Context {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	go func() {
		for ctx.Err() == nil {
			if _, err := os.Stat(path); err == nil {
				cancel()
			}
			time.Sleep(5 * time.Millisecond)
		}
	}()
	return ctx
}

// allGone waits for the processes that a file lists to end.
func allGone(t *testing.T, pids string) {
	t.Helper()
	data, err := os.ReadFile(pids)
	if err != nil {
		t.Fatal(err)
	}
	for _, word := range strings.Fields(string(data)) {
		pid, err := strconv.Atoi(word)
		if err != nil {
			t.Fatal(err)
		}
		gone := false
		for range 200 { // an orphan is a zombie until init takes it
			if syscall.Kill(pid, 0) != nil || zombie(pid) {
				gone = true
				break
			}
			time.Sleep(10 * time.Millisecond)
		}
		if !gone {
			t.Errorf("process %d lives on", pid)
		}
	}
}

func zombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

func TestLocalMissing(t *testing.T) {
	l := fake(t, "")
	l.Compiler += "-not-there"
	if _, err := l.Execute(context.Background(), Job{}); diag.ExitCode(err) != 6 {
		t.Errorf("%v", err)
	}
	l.TempDir = filepath.Join(l.TempDir, "gone")
	if _, err := l.Execute(context.Background(), Job{}); err == nil || !strings.Contains(err.Error(), EnvCache) {
		t.Errorf("%v", err)
	}
}

// Asking for the version runs in a folder of its own, and cancelling ends the
// compiler and what it started.
func TestVersionIsolated(t *testing.T) {
	cache, err := OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []*Cache{cache, nil} {
		where := filepath.Join(t.TempDir(), "where")
		l := fake(t, `echo left > file; (pwd; ls) > `+where+`; echo "  IREE compiler version 1 @ x"`)
		if v, err := askVersion(t.Context(), l.Compiler, c); v != "1 @ x" || err != nil {
			t.Errorf("%q, %v", v, err)
		}
		data, err := os.ReadFile(where)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Fields(string(data))
		if len(lines) != 2 || lines[1] != "file" {
			t.Fatalf("%q", lines)
		}
		if _, err := os.Stat(lines[0]); err == nil || c != nil && !strings.HasPrefix(lines[0], c.path("tmp")) {
			t.Errorf("ran in %s: %v", lines[0], err)
		}
	}
	pids := filepath.Join(t.TempDir(), "pids")
	l := fake(t, `sleep 100 & echo $$ $! > `+pids+`.new && mv `+pids+`.new `+pids+`; wait`)
	ctx := cancelWhen(t, pids)
	if _, err := askVersion(ctx, l.Compiler, cache); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
	allGone(t, pids)
}
