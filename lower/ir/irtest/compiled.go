package irtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

// Compiled runs g as the pinned compiler and the stock runtime have it: arguments, then
// parameters, and results as little-endian bytes. The error says what the tools say.
func Compiled(t testing.TB, g *ir.Graph, args [][]byte) ([][]byte, error) {
	t.Helper()
	tools, dir := testenv.IREE(t), t.TempDir()
	var text bytes.Buffer
	list, err := stablehlo.Print(&text, g, stablehlo.Options{Weights: stablehlo.Args})
	if err != nil {
		return nil, err
	}
	module := filepath.Join(dir, "m.vmfb")
	compile := exec.Command(tools.Compile, "--iree-input-type=stablehlo", "--iree-hal-target-device=local",
		"--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=x86-64-v3", "--iree-opt-level=O2",
		"--iree-input-demote-f64-to-f32=false",
		"-", "-o", module)
	compile.Stdin = &text
	if out, err := compile.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("iree-compile: %w\n%s\n%v", err, out, g)
	}
	var flags strings.Builder
	fmt.Fprintf(&flags, "--module=%s\n--function=%s\n--device=local-sync\n", module, "main")
	for i, in := range list.Inputs {
		file := filepath.Join(dir, fmt.Sprintf("in%d.bin", i))
		if err := os.WriteFile(file, args[i], 0o600); err != nil {
			return nil, err
		}
		fmt.Fprintf(&flags, "--input=%s=@%s\n", ireeType(in.Type), file)
	}
	for i := range g.Results() {
		fmt.Fprintf(&flags, "--output=@%s\n", filepath.Join(dir, fmt.Sprintf("out%d.bin", i)))
	}
	flagfile := filepath.Join(dir, "flags")
	if err := os.WriteFile(flagfile, []byte(flags.String()), 0o600); err != nil {
		return nil, err
	}
	if out, err := exec.Command(tools.RunModule, "--flagfile="+flagfile).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("iree-run-module: %w\n%s", err, out)
	}
	results := make([][]byte, len(g.Results()))
	for i := range results {
		if results[i], err = os.ReadFile(filepath.Join(dir, fmt.Sprintf("out%d.bin", i))); err != nil {
			return nil, err
		}
	}
	return results, nil
}

// ireeType is the form 2x3xf32.
func ireeType(t ir.Type) string {
	s := ""
	for _, n := range t.Shape() {
		s += fmt.Sprintf("%dx", n)
	}
	if t.DType() == ir.U8 {
		return s + "ui8"
	}
	return s + t.DType().String()
}
