// Package testenv tells tests where the repository and its private toolchain
// are. Only tests may import it.
//
// A missing toolchain is a failure, never a skip: a test that did not run has
// shown nothing. The message holds the command that puts it right.
package testenv

import (
	"os"
	"path/filepath"
	"testing"
)

// Tools are absolute paths into the private toolchain that `make setup` creates.
type Tools struct {
	Compile         string // the native iree-compile; runs with an empty environment
	RunModule       string // iree-run-module, stock runtime
	BenchmarkModule string // iree-benchmark-module, stock runtime
	DumpModule      string // iree-dump-module
	Python          string // the virtual environment's interpreter, with numpy
}

const fix = "run `make setup` in the root of the repository"

// Root is the root folder of the repository: the nearest folder above the
// test's working directory that holds go.mod.
func Root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d
		}
		if d == filepath.Dir(d) {
			t.Fatalf("no go.mod above %s", dir)
		}
	}
}

// Toolchain is the private toolchain's folder, <root>/.toolchain; the test
// fails if it is not there.
func Toolchain(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(Root(t), ".toolchain")
	if _, err := os.Stat(dir); err != nil {
		t.Fatalf("no toolchain at %s: %s", dir, fix)
	}
	return dir
}

// IREE locates the pinned compiler and the stock runtime tools; the test fails
// if one of them is not installed.
func IREE(t testing.TB) Tools {
	t.Helper()
	dir := Toolchain(t)
	site := filepath.Join(dir, "lib", "python3.*", "site-packages", "iree")
	tools := Tools{
		Compile: one(t, filepath.Join(site, "compiler", "_mlir_libs", "iree-compile")),
		// The native tools: those in bin are Python scripts around them.
		RunModule:       one(t, filepath.Join(site, "_runtime_libs", "iree-run-module")),
		BenchmarkModule: one(t, filepath.Join(site, "_runtime_libs", "iree-benchmark-module")),
		DumpModule:      one(t, filepath.Join(site, "_runtime_libs", "iree-dump-module")),
		Python:          one(t, filepath.Join(dir, "bin", "python3")),
	}
	return tools
}

// CacheDir is the compile cache that all test packages share, so that equal
// graphs are compiled once per checkout: HLOCC_TEST_CACHE if set, else
// <root>/.cache/hlocc. The user's own cache is never touched.
func CacheDir(t testing.TB) string {
	t.Helper()
	dir := os.Getenv("HLOCC_TEST_CACHE")
	if dir == "" {
		dir = filepath.Join(Root(t), ".cache", "hlocc")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Fixture is the path of a file or folder under <root>/fixtures; the test
// fails if it is not there.
func Fixture(t testing.TB, elem ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{Root(t), "fixtures"}, elem...)...)
	if _, err := os.Stat(path); err != nil {
		t.Fatal(err)
	}
	return path
}

func one(t testing.TB, pattern string) string {
	t.Helper()
	found, err := filepath.Glob(pattern)
	if err != nil {
		t.Fatal(err)
	}
	if len(found) == 0 {
		t.Fatalf("no %s: %s", pattern, fix)
	}
	return found[len(found)-1]
}
