package engine

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/runtime/internal/hal"
)

// This file runs the compiler and the stock runtime, to compare with.

// flags are those of every compilation in these tests.
var flags = []string{
	"--iree-input-type=stablehlo",
	"--iree-hal-target-device=local",
	"--iree-hal-local-target-device-backends=llvm-cpu",
	"--iree-opt-level=O2",
	"--iree-llvmcpu-debug-symbols=false",
	"--iree-vm-bytecode-module-strip-source-map=true",
}

// compile gives the path of a compiled module. Modules are kept in the tests'
// cache under the hash of text and flags.
func compile(t testing.TB, text, cpu string, extra ...string) string {
	t.Helper()
	args := append(append([]string{"-", "--iree-llvmcpu-target-cpu=" + cpu}, flags...), extra...)
	dir := filepath.Join(testenv.CacheDir(t), "engine-test")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256([]byte(text + "\x00" + strings.Join(args, "\x00")))
	path := filepath.Join(dir, fmt.Sprintf("%x.vmfb", sum[:12]))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	tmp, err := os.CreateTemp(dir, "tmp-*")
	if err != nil {
		t.Fatal(err)
	}
	_ = tmp.Close()
	defer os.Remove(tmp.Name())
	cmd := exec.Command(testenv.IREE(t).Compile, append(args, "-o", tmp.Name())...)
	cmd.Env, cmd.Stdin = []string{}, strings.NewReader(text)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("iree-compile: %v\n%s", err, out)
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		t.Fatal(err)
	}
	return path
}

// tensor is an argument or result in test data.
type tensor struct {
	element hal.ElementType
	shape   []int
	data    []byte
}

// stockType is a tensor's type as the stock tools write it, such as 4x8xf32.
func (a *tensor) stockType() string {
	var b strings.Builder
	for _, d := range a.shape {
		fmt.Fprintf(&b, "%dx", d)
	}
	return b.String() + a.element.String()
}

// stockTool is the path of a native tool: the one in the toolchain's bin folder
// is a script that starts it.
func stockTool(t testing.TB, name string) string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(testenv.Toolchain(t), "lib", "python3.*", "site-packages", "iree", "_runtime_libs", name))
	if err != nil || len(found) != 1 {
		t.Fatalf("%s is not in the toolchain (%v, %q): run `make setup`", name, err, found)
	}
	return found[0]
}

// stockRun calls a function with the stock runtime. Scalars are written as the
// tool wants them; outs tells the types of the results.
func stockRun(t testing.TB, module, function string, args []any, outs []*tensor, extra ...string) [][]byte {
	t.Helper()
	dir := t.TempDir()
	cmd := []string{"--module=" + module, "--function=" + function, "--device=local-sync"}
	for i, a := range args {
		switch a := a.(type) {
		case *tensor:
			path := filepath.Join(dir, fmt.Sprintf("in%d.bin", i))
			if err := os.WriteFile(path, a.data, 0o644); err != nil {
				t.Fatal(err)
			}
			cmd = append(cmd, fmt.Sprintf("--input=%s=@%s", a.stockType(), path))
		default:
			cmd = append(cmd, fmt.Sprintf("--input=%v", a))
		}
	}
	for i := range outs {
		cmd = append(cmd, fmt.Sprintf("--output=@%s", filepath.Join(dir, fmt.Sprintf("out%d.bin", i))))
	}
	c := exec.Command(stockTool(t, "iree-run-module"), append(cmd, extra...)...)
	var text bytes.Buffer
	c.Stdout, c.Stderr = &text, &text
	if err := c.Run(); err != nil {
		t.Fatalf("iree-run-module %s: %v\n%s", strings.Join(cmd, " "), err, text.String())
	}
	results := make([][]byte, len(outs))
	for i := range outs {
		b, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("out%d.bin", i)))
		if err != nil {
			t.Fatal(err)
		}
		results[i] = b
	}
	return results
}
