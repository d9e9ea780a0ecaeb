package compile_test

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/compile/compiletest"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/testenv"
)

const text = `module @m {
  util.global private @w = #flow.parameter.named<"model"::"w"> : tensor<2x64x32xbf16>
  func.func public @main(%x: tensor<64xf32>) -> tensor<2x32xf32> {
    %w = util.global.load @w : tensor<2x64x32xbf16>
    %0 = stablehlo.convert %w : (tensor<2x64x32xbf16>) -> tensor<2x64x32xf32>
    %1 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<64xf32>) -> tensor<2x64x32xf32>
    %2 = stablehlo.multiply %0, %1 : tensor<2x64x32xf32>
    %3 = stablehlo.constant dense<0.0> : tensor<f32>
    %4 = stablehlo.reduce(%2 init: %3) applies stablehlo.add across dimensions = [1] : (tensor<2x64x32xf32>, tensor<f32>) -> tensor<2x32xf32>
    return %4 : tensor<2x32xf32>
  }
}
`

// The bytes depend on text, target and compiler only: not on the working folder,
// the temporary folder (with all that a shell would trip over) or the compiler's path.
func TestDeterministic(t *testing.T) {
	installed := testenv.IREE(t).Compile
	elsewhere := filepath.Join(t.TempDir(), "tool $(chain)'s", "libs")
	if err := os.MkdirAll(elsewhere, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"iree-compile", "iree-lld", "libIREECompiler.so"} {
		from, to := filepath.Join(filepath.Dir(installed), name), filepath.Join(elsewhere, name)
		if os.Link(from, to) == nil {
			continue
		}
		// Another filesystem: the binaries are small, and find the library by a link.
		if name == "libIREECompiler.so" {
			if err := os.Symlink(from, to); err != nil {
				t.Fatal(err)
			}
			continue
		}
		data, err := os.ReadFile(from)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(to, data, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	var want []byte
	for _, place := range []struct{ compiler, cache string }{
		{installed, "cache"}, {installed, "other $(cache); it's\" here"}, {filepath.Join(elsewhere, "iree-compile"), "third"},
	} {
		t.Chdir(t.TempDir())
		t.Setenv("TMPDIR", t.TempDir())
		cache, err := compile.OpenCache(place.cache)
		if err != nil {
			t.Fatal(err)
		}
		compiler, err := compile.Find(t.Context(), compile.Search{Flag: place.compiler}, cache)
		if err != nil {
			t.Fatal(err)
		}
		m, err := compile.New(compile.Options{Compiler: compiler, Cache: cache}).Compile(t.Context(),
			compile.Action{Graph: "main", Text: []byte(text), Target: compiletest.Target(t, "x86-64-v3")})
		if err != nil {
			t.Fatal(err)
		}
		if m.Cached {
			t.Fatal("a new cache had the module")
		}
		if want == nil {
			want = m.Bytes
		}
		if !bytes.Equal(m.Bytes, want) {
			t.Errorf("%s in %s: %d bytes that differ from the first %d", place.compiler, place.cache, len(m.Bytes), len(want))
		}
		if left, err := filepath.Glob(filepath.Join(os.Getenv("TMPDIR"), "*")); err != nil || len(left) != 0 {
			t.Errorf("left in TMPDIR: %v, %v", left, err)
		}
	}
	if bytes.Contains(want, []byte(filepath.Dir(installed))) {
		t.Error("the module names the compiler's folder")
	}
}

// Every target compiles, what it may use is what the table says, and the stock
// runtime agrees with the numbers where this machine can run it.
func TestTargets(t *testing.T) {
	tools := testenv.IREE(t)
	for _, name := range compile.TargetNames() {
		target, err := compile.FindTarget(name, cpu.Host())
		if err != nil {
			t.Fatal(err)
		}
		module := compiletest.Module(t, "main", strings.Replace(text, `#flow.parameter.named<"model"::"w">`, "dense<0.5>", 1), name)
		if ok, _ := target.Runs(cpu.Host()); !ok {
			continue
		}
		path := filepath.Join(t.TempDir(), "m.vmfb")
		if err := os.WriteFile(path, module, 0o644); err != nil {
			t.Fatal(err)
		}
		out, err := exec.CommandContext(t.Context(), tools.RunModule, "--device=local-sync", "--module="+path,
			"--function=main", "--input=64xf32=2", "--expected_output=2x32xf32=64").CombinedOutput()
		if err != nil || !bytes.Contains(out, []byte("[SUCCESS]")) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// LLVM's idea of a level is ours: a feature that it would use and we do not
// check for would be SIGILL on some machine.
func TestLevelsAreLLVMs(t *testing.T) {
	// Every x86-64 has the first; LLVM's crc32 is the part of SSE4.2 that uses no
	// vector registers.
	base := map[string]bool{"cmov": true, "cx8": true, "fxsr": true, "mmx": true, "sse": true, "sse2": true, "x87": true, "crc32": true}
	for _, target := range compile.Targets() {
		cmd := exec.CommandContext(t.Context(), testenv.IREE(t).Compile, append([]string{"-", "--compile-to=flow"}, target.Flags()...)...)
		cmd.Env, cmd.Stdin = []string{}, strings.NewReader(text)
		out, err := cmd.Output()
		if err != nil {
			t.Fatal(err)
		}
		_, rest, ok := strings.Cut(string(out), `cpu_features = "`)
		list, _, ok2 := strings.Cut(rest, `"`)
		if !ok || !ok2 {
			t.Fatalf("%s: no features in the output", target.Name)
		}
		ours := map[string]bool{}
		for _, f := range target.Features {
			ours[cpu.LLVM(f)] = true
		}
		n := 0
		for _, f := range strings.Split(list, ",") {
			f, on := strings.CutPrefix(f, "+")
			if on && !base[f] && !ours[f] {
				t.Errorf("%s: the compiler may use %s, which is not checked for", target.Name, f)
			}
			if ours[f] {
				n++
			}
		}
		if n != len(ours) {
			t.Errorf("%s: only %d of the %d features that we ask for are used: %s", target.Name, n, len(ours), list)
		}
	}
}

func TestRealErrors(t *testing.T) {
	tests := []struct {
		name, from, to string
		say            []string
	}{
		{"unknown operation", "stablehlo.multiply", "stablehlo.multiplied", []string{"op of line 7", "'stablehlo.multiplied' is unknown"}},
		{"wrong shape", "dims = [1]", "dims = [0]", []string{"op of line 6"}},
		{"not legal", "tensor<2x64x32xbf16>", "tensor<2x64x32xui4>", []string{"failed to legalize"}},
	}
	for _, test := range tests {
		_, err := compiletest.Pool(t).Compile(t.Context(), compile.Action{
			Graph: "main", Text: []byte(strings.ReplaceAll(text, test.from, test.to)), Target: compiletest.Target(t, "x86-64-v3"),
			Location: func(line int) string { return "op of line " + string(rune('0'+line)) },
		})
		var d *diag.Error
		if !errors.As(err, &d) || d.Code != "compile_failed" {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		for _, want := range append(test.say, "graph main for x86-64-v3") {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v\nwant %q", test.name, err, want)
			}
		}
		if len(err.Error()) > 1000 {
			t.Errorf("%s: a message of %d bytes", test.name, len(err.Error()))
		}
	}
}
