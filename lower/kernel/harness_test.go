package kernel

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

// A trial is one call of a kernel, and how near its results must come to those of
// [ir.Kernel.Reference].
type trial struct {
	kernel Kernel
	args   []interp.Tensor
	// near says why a result is too far from the wanted one; nil for equal elements.
	near func(result int, got, want interp.Tensor) error
}

// everything makes all trials run on all instruction sets, which takes many minutes of
// compilation; `make test-real` sets it.
var everything = false

// sample takes every third trial for the best instruction set of this machine, and for each
// of the others every ninth, another share for each.
func sample(isa ISA, trials []trial) []trial {
	if everything || len(trials) < 4 {
		return trials
	}
	share := 9
	if isa == Choose(cpu.Host().Names()) {
		share = 3
	}
	first := slices.Index(ISAs(), isa)
	var some []trial
	for n, tr := range trials {
		if (n+first)%share == 0 {
			some = append(some, tr)
		}
	}
	if len(some) == 0 {
		some = trials[:1]
	}
	return some
}

// checkAll checks trials on every instruction set.
func checkAll(t *testing.T, trials ...trial) {
	t.Helper()
	for _, isa := range ISAs() {
		t.Run(isa.Name, func(t *testing.T) { check(t, isa, trials...) })
	}
}

// check compiles all trials as one module for an instruction set, runs it and compares
// with the interpreter. What this machine cannot run is compiled only.
func check(t *testing.T, isa ISA, trials ...trial) {
	t.Helper()
	trials = sample(isa, trials)
	target := target(t, isa)
	g := calls(t, trials, func(b *ir.Builder, k Kernel, args []*ir.Value) []*ir.Value { return b.Dispatch(k, args...) })
	module := compiled(t, g, isa, target)
	if ok, missing := target.Runs(cpu.Host()); !ok {
		t.Logf("compiled, not run: this machine lacks %v", missing)
		return
	}
	got := run(t, g, module, trials)
	want := reference(t, trials)
	for n, tr := range trials {
		near := tr.near
		if near == nil {
			near = within(0)
		}
		for i := range want[n] {
			if err := near(i, got[n][i], want[n][i]); err != nil {
				t.Errorf("trial %d, %s, result %d: %v", n, tr.kernel.Name(), i, err)
			}
		}
	}
}

// within allows differences up to rel times the largest finite magnitude in the wanted
// tensor. Infinities and NaN must stand at the same places.
func within(rel float64) func(int, interp.Tensor, interp.Tensor) error {
	return func(_ int, got, want interp.Tensor) error {
		g, w := got.Float64s(), want.Float64s()
		largest := 0.0
		for _, x := range w {
			if a := math.Abs(x); a > largest && !math.IsInf(x, 0) {
				largest = a
			}
		}
		worst, at := 0.0, -1
		for i := range w {
			if g[i] == w[i] || math.IsNaN(g[i]) && math.IsNaN(w[i]) {
				continue
			}
			if d := math.Abs(g[i] - w[i]); at < 0 || !(d <= worst) {
				worst, at = d, i
			}
		}
		if at >= 0 && !(worst <= rel*largest) {
			return fmt.Errorf("element %d of %v is %v, want %v: off by %.3g, allowed %.3g (largest %.3g)",
				at, want.Type(), g[at], w[at], worst, rel*largest, largest)
		}
		return nil
	}
}

// target is the smallest target that has an instruction set.
func target(t *testing.T, isa ISA) compile.Target {
	t.Helper()
	tg, err := compile.FindTarget(compile.HostTarget, cpu.NewSet("amd64", isa.features()...))
	if err != nil {
		t.Fatal(err)
	}
	return tg
}

// calls makes one graph of all trials: arguments cN.M and results rN.M.
func calls(t *testing.T, trials []trial, call func(*ir.Builder, Kernel, []*ir.Value) []*ir.Value) *ir.Graph {
	t.Helper()
	b := ir.New("kernels")
	args := make([][]*ir.Value, len(trials))
	for n, tr := range trials {
		for m, a := range tr.args {
			id := fmt.Sprintf("c%d.%d", n, m)
			args[n] = append(args[n], b.Arg(id, id, a.Type()))
		}
	}
	for n, tr := range trials {
		for m, v := range call(b.Atf("c%d", n), tr.kernel, args[n]) {
			b.Result(fmt.Sprintf("r%d.%d", n, m), v)
		}
	}
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// reference evaluates what the kernels mean.
func reference(t *testing.T, trials []trial) [][]interp.Tensor {
	t.Helper()
	g := calls(t, trials, func(b *ir.Builder, k Kernel, args []*ir.Value) []*ir.Value { return k.Reference(b, args) })
	var args []interp.Tensor
	for _, tr := range trials {
		args = append(args, tr.args...)
	}
	results, err := interp.Eval(context.Background(), g, args, interp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return byTrial(t, trials, results)
}

// byTrial deals the results of a graph out to its trials.
func byTrial(t *testing.T, trials []trial, results []interp.Tensor) [][]interp.Tensor {
	t.Helper()
	var out [][]interp.Tensor
	for _, tr := range trials {
		types := make([]ir.Type, len(tr.args))
		for i, a := range tr.args {
			types[i] = a.Type()
		}
		r, err := tr.kernel.Infer(types)
		if err != nil {
			t.Fatal(err)
		}
		out, results = append(out, results[:len(r)]), results[len(r):]
	}
	return out
}

// compiled is the module of g for a target, through the cache of all tests.
func compiled(t testing.TB, g *ir.Graph, isa ISA, target compile.Target) []byte {
	t.Helper()
	var text bytes.Buffer
	if _, err := stablehlo.Print(&text, g, stablehlo.Options{Kernel: func(k ir.Kernel) (string, error) {
		own, ok := k.(Kernel)
		if !ok {
			return "", fmt.Errorf("%T has no text", k)
		}
		return own.Text(isa)
	}}); err != nil {
		t.Fatal(err)
	}
	cache, err := compile.OpenCache(testenv.CacheDir(t))
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := compile.Find(t.Context(), compile.Search{Flag: testenv.IREE(t).Compile}, cache)
	if err != nil {
		t.Fatal(err)
	}
	pool := compile.New(compile.Options{Compiler: compiler, Cache: cache})
	m, err := pool.Compile(t.Context(), compile.Action{Graph: g.Name(), Text: text.Bytes(), Target: target})
	if err != nil {
		t.Fatal(err)
	}
	return m.Bytes
}

// run calls a module by the stock runtime.
func run(t *testing.T, g *ir.Graph, module []byte, trials []trial) [][]interp.Tensor {
	t.Helper()
	dir := t.TempDir()
	file := filepath.Join(dir, "m.vmfb")
	if err := os.WriteFile(file, module, 0o600); err != nil {
		t.Fatal(err)
	}
	var flags strings.Builder
	fmt.Fprintf(&flags, "--module=%s\n--function=%s\n--device=local-sync\n", file, g.Name())
	for n, tr := range trials {
		for m, a := range tr.args {
			in := filepath.Join(dir, fmt.Sprintf("in%d.%d.bin", n, m))
			if err := os.WriteFile(in, a.Bytes(), 0o600); err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(&flags, "--input=%s=@%s\n", stockType(a.Type()), in)
		}
	}
	out := func(i int) string { return filepath.Join(dir, fmt.Sprintf("out%d.bin", i)) }
	for i := range g.Results() {
		fmt.Fprintf(&flags, "--output=@%s\n", out(i))
	}
	flagfile := filepath.Join(dir, "flags")
	if err := os.WriteFile(flagfile, []byte(flags.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.CommandContext(t.Context(), testenv.IREE(t).RunModule, "--flagfile="+flagfile).CombinedOutput(); err != nil {
		t.Fatalf("iree-run-module: %v\n%s", err, out)
	}
	var results []interp.Tensor
	for i, r := range g.Results() {
		data, err := os.ReadFile(out(i))
		if err != nil {
			t.Fatal(err)
		}
		x, err := interp.FromBytes(r.Value.Type(), data)
		if err != nil {
			t.Fatal(err)
		}
		results = append(results, x)
	}
	return byTrial(t, trials, results)
}

// stockType is the form 2x3xf32 of the stock tools.
func stockType(t ir.Type) string {
	var s strings.Builder
	for _, n := range t.Shape() {
		fmt.Fprintf(&s, "%dx", n)
	}
	if t.DType() == ir.U8 {
		return s.String() + "ui8"
	}
	return s.String() + t.DType().String()
}
