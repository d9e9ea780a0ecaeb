//go:build linux

package main

import (
	"bytes"
	"debug/elf"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/testenv"
)

// binary builds the program as users get it.
func binary(t *testing.T) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "hlocc")
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, ".")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

// The program is one static file: it runs where there is nothing but the bundle.
func TestStaticInEmptyRoot(t *testing.T) {
	_, tok := bundles(t)
	want := hlocc(t, "run", tok, "Hello", "-n", "8", "--ignore-eos").out
	bin := binary(t)
	f, err := elf.Open(bin)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the program is dynamically linked (%v)", p.Type)
		}
	}
	root := t.TempDir()
	for from, to := range map[string]string{bin: "hlocc", tok: "m.hlocc"} {
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, to), data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("/hlocc", "run", "/m.hlocc", "Hello", "-n", "8", "--ignore-eos")
	cmd.Dir = "/"
	cmd.Env = []string{}
	cmd.SysProcAttr = &syscall.SysProcAttr{Chroot: root}
	if os.Getuid() != 0 { // a user may change the root inside a user namespace
		cmd.SysProcAttr.Cloneflags = syscall.CLONE_NEWUSER
		cmd.SysProcAttr.UidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}}
		cmd.SysProcAttr.GidMappings = []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}}
	}
	out, err := cmd.Output()
	if err != nil || string(out) != want {
		t.Errorf("%q, %v; want %q", out, err, want)
	}
}

// exitCode waits for a command that is given some time.
func exitCode(t *testing.T, cmd *exec.Cmd) int {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		var e *exec.ExitError
		if err != nil && !errors.As(err, &e) {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode()
	case <-time.After(60 * time.Second):
		_ = cmd.Process.Kill()
		t.Fatal("does not end after the signal")
		return 0
	}
}

// ^C, TERM and a closed terminal end a benchmark at once, with their exit codes.
func TestSignalsDuringBench(t *testing.T) {
	plain, _ := bundles(t)
	bin := binary(t)
	for sig, code := range map[syscall.Signal]int{syscall.SIGINT: 130, syscall.SIGTERM: 143, syscall.SIGHUP: 129} {
		var out, stderr bytes.Buffer
		cmd := exec.Command(bin, "bench", plain, "--runs", "1000000000", "--json")
		cmd.Stdout, cmd.Stderr = &out, &stderr
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(500 * time.Millisecond)
		if err := cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		if got := exitCode(t, cmd); got != code {
			t.Errorf("%v: exit code %d, want %d; %s", sig, got, code, stderr.String())
		}
		var e map[string]map[string]string
		if err := json.Unmarshal(stderr.Bytes(), &e); err != nil || e["error"]["code"] != "cancelled" || out.Len() > 0 {
			t.Errorf("%v: stdout %q, stderr %q", sig, out.String(), stderr.String())
		}
	}
}

// Under nohup a closed terminal ends nothing.
func TestNohup(t *testing.T) {
	_, tok := bundles(t)
	var out bytes.Buffer
	cmd := exec.Command("sh", "-c", `trap "" HUP; exec "$0" "$@"`, binary(t), "tokenize", tok)
	cmd.Stdout = &out
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGHUP); err != nil {
		t.Fatal(err)
	}
	time.Sleep(100 * time.Millisecond)
	if _, err := io.WriteString(stdin, "Hello"); err != nil {
		t.Error(err)
	}
	stdin.Close()
	if got := exitCode(t, cmd); got != 0 || out.Len() == 0 {
		t.Errorf("exit code %d, stdout %q", got, out.String())
	}
}

// ^C ends a command that waits for standard input.
func TestSignalWhileReading(t *testing.T) {
	_, tok := bundles(t)
	cmd := exec.Command(binary(t), "tokenize", tok)
	stdin, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	time.Sleep(300 * time.Millisecond)
	if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	if got := exitCode(t, cmd); got != 130 {
		t.Errorf("exit code %d, want 130", got)
	}
}

// children are the /proc folders of a process's children.
func children(t *testing.T, pid int) (list []string) {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range stats {
		data, err := os.ReadFile(s)
		if err != nil { // it has ended
			continue
		}
		// "pid (name) state ppid ..."; the name may hold anything.
		fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:]))
		if len(fields) > 1 && fields[1] == strconv.Itoa(pid) {
			list = append(list, filepath.Dir(s))
		}
	}
	return list
}

// ^C while the compiler runs, even when it comes twice at once, leaves no bundle, no temporary file and no compiler.
func TestSignalDuringBuild(t *testing.T) {
	bin := binary(t)
	dir, cache := t.TempDir(), t.TempDir()
	cmd := exec.Command(bin, "build", fixtures.Dir(t, "llama"), "-o", filepath.Join(dir, "m.hlocc"))
	cmd.Env = append(os.Environ(), "HLOCC_CACHE="+cache, "HLOCC_IREE_COMPILE="+testenv.IREE(t).Compile, "TMPDIR="+cache)
	cmd.Stderr = io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var compilers []string
	for range 1200 { // until a compiler runs
		if compilers = children(t, cmd.Process.Pid); len(compilers) > 0 {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if len(compilers) == 0 {
		t.Error("no compiler was seen")
	}
	for range 2 {
		if err := cmd.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Millisecond) // equal signals that wait together are one
	}
	if got := exitCode(t, cmd); got != 130 {
		t.Errorf("exit code %d, want 130", got)
	}
	for _, proc := range compilers {
		if _, err := os.Stat(proc); err == nil {
			t.Errorf("%s still runs", proc)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

// A result that cannot be written is an error, not silence.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer full.Close()
	for _, args := range [][]string{{"version"}, {"version", "--json"}, {"archs"}, {"--help"}} {
		var stderr bytes.Buffer
		if code := run(t.Context(), newEnv(strings.NewReader(""), full, &stderr), args); code != 1 || !strings.Contains(stderr.String(), "no space") {
			t.Errorf("%q: exit code %d, %s", args, code, stderr.String())
		}
	}
}
