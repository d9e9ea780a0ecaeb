package vm

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// This file runs the compiler's own tools: its VM assembler and its runtime, to
// compare with.

// stockAssemble turns VM assembly into a module file with the stock assembler.
func stockAssemble(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "m.vmasm"), filepath.Join(dir, "m.vmfb")
	if err := os.WriteFile(in, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	tool := filepath.Join(filepath.Dir(testenv.IREE(t).RunModule), "iree-as-module")
	stock(t, tool, "--output="+out, in)
	return out
}

// stockCompile compiles MLIR to a module file without a device.
func stockCompile(t *testing.T, source string, flags ...string) string {
	t.Helper()
	dir := t.TempDir()
	in, out := filepath.Join(dir, "m.mlir"), filepath.Join(dir, "m.vmfb")
	if err := os.WriteFile(in, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	stock(t, testenv.IREE(t).Compile, append([]string{in, "-o", out}, flags...)...)
	return out
}

func stock(t *testing.T, tool string, args ...string) string {
	t.Helper()
	var out, diag bytes.Buffer
	cmd := exec.Command(tool, args...)
	cmd.Stdout, cmd.Stderr = &out, &diag
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %s: %v\n%s%s", tool, strings.Join(args, " "), err, out.String(), diag.String())
	}
	return out.String()
}

var resultLine = regexp.MustCompile(`(?m)^result\[\d+\]: (i32|i64|f32|f64)=(\S+)$`)

// stockRun calls a function with the stock runtime. Floats are printed with few
// digits there, so tests return their bits as integers.
func stockRun(t *testing.T, file, function string, inputs ...string) []Value {
	t.Helper()
	args := []string{"--module=" + file, "--function=" + function}
	for _, in := range inputs {
		args = append(args, "--input="+in)
	}
	var values []Value
	for _, m := range resultLine.FindAllStringSubmatch(stock(t, testenv.IREE(t).RunModule, args...), -1) {
		var v Value
		switch m[1] {
		case "i32":
			n, err := strconv.ParseInt(m[2], 10, 32)
			if err != nil {
				t.Fatal(err)
			}
			v = I32Value(int32(n))
		case "i64":
			n, err := strconv.ParseInt(m[2], 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			v = I64Value(n)
		default:
			t.Fatalf("a result of type %s: return its bits", m[1])
		}
		values = append(values, v)
	}
	return values
}

// load parses a module file and makes an initialised instance without imports.
func load(t testing.TB, file string) *Instance {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	m, err := vmfb.Parse(data)
	if err != nil {
		t.Fatal(err)
	}
	return newInstance(t, m, noImports, Limits{})
}

var noImports = ResolverFunc(func(string, string) (HostFunc, error) { return nil, nil })

// invoke calls a function that must succeed.
func invoke(t testing.TB, in *Instance, function string, args ...Value) []Value {
	t.Helper()
	out, err := in.Invoke(context.Background(), function, args)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
