package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
)

// A Target is a kind of machine that modules are compiled for.
type Target struct {
	Name     string   // as the user gives it: --target NAME
	Level    string   // the named level that the compiler is given
	Arch     string   // GOARCH of the machines that run it
	Features []string // all CPU features that its code may use, by the names of package cpu
	Summary  string   // one line for people

	// Reproducible says that the same model gives the same bytes wherever it is
	// built. It holds for named targets; "host" depends on the machine.
	Reproducible bool

	flags []string
}

// HostTarget is the target name that stands for this machine's CPU.
const HostTarget = "host"

// The table of named targets, per architecture from the smallest requirement to
// the largest. What a target requires of the CPU is what its level is, so that
// the check before loading and the code that was generated cannot disagree.
var targets = []Target{
	level("x86-64-v2", "2009 and later: SSE4.2"),
	level("x86-64-v3", "2013 and later (Haswell, Zen): AVX2, FMA"),
	level("x86-64-v3", "2021 and later without AVX-512 (Alder Lake): AVX2, 8-bit dot products", "avxvnni"),
	level("x86-64-v4", "servers since 2017, Zen 4 and later: AVX-512"),
	level("x86-64-v4", "servers since 2019 (Cascade Lake, Zen 4): AVX-512, 8-bit dot products", "avx512vnni"),
}

// suffixes are what a feature beyond its level adds to the name of a target.
var suffixes = map[string]string{"avxvnni": "-avxvnni", "avx512vnni": "-vnni"}

// level is the target of a CPU level, with the features that it wants besides.
func level(name, summary string, more ...string) Target {
	l, ok := cpu.ByName(name)
	if !ok {
		panic("compile: no CPU level " + name)
	}
	t := Target{
		Name: name, Level: name, Arch: l.Arch, Features: slices.Concat(l.Features, more), Summary: summary, Reproducible: true,
		flags: []string{
			// The triple is spelled out because its default is the machine that compiles.
			"--iree-llvmcpu-target-triple=x86_64-unknown-linux-gnu",
			"--iree-llvmcpu-target-cpu=" + name,
		},
	}
	for _, f := range more {
		t.Name += suffixes[f]
		t.flags = append(t.flags, "--iree-llvmcpu-target-cpu-features=+"+cpu.LLVM(f))
	}
	return t
}

// Targets lists the named targets.
func Targets() []Target { return slices.Clone(targets) }

// FindTarget gives the target of that name. "host" is resolved to the highest
// level of the given machine plus the further features that it has: LLVM's own
// "host" would also use features that we cannot check before running.
func FindTarget(name string, machine cpu.Set) (Target, error) {
	for _, t := range targets {
		if t.Name == name {
			return t, nil
		}
	}
	if name != HostTarget {
		return Target{}, &diag.Error{
			Kind: diag.Unsupported, Code: "target_unknown", Message: fmt.Sprintf("unknown target %q", name),
			Want: strings.Join(TargetNames(), ", "),
			Fix:  "see `hlocc targets`",
		}
	}
	best, err := DefaultTarget(machine)
	if err != nil {
		return Target{}, err
	}
	t, err := FindTarget(best.Level, machine)
	if err != nil {
		return Target{}, err
	}
	t.Name, t.Reproducible = HostTarget, false
	var plus []string
	for _, f := range machine.Names() {
		if !slices.Contains(t.Features, f) {
			t.Features = append(slices.Clip(t.Features), f)
			plus = append(plus, "+"+cpu.LLVM(f))
		}
	}
	t.Summary = "this machine: " + t.Level
	if len(plus) > 0 {
		t.Summary += " " + strings.Join(plus, " ")
		t.flags = append(slices.Clip(t.flags), "--iree-llvmcpu-target-cpu-features="+strings.Join(plus, ","))
	}
	return t, nil
}

// DefaultTarget is the highest named target that the machine runs.
func DefaultTarget(machine cpu.Set) (Target, error) {
	best := -1
	for i, t := range targets {
		if ok, _ := t.Runs(machine); ok {
			best = i
		}
	}
	if best < 0 {
		return Target{}, &diag.Error{
			Kind: diag.Unsupported, Code: "cpu_unsupported", Message: "no target runs on this machine's CPU",
			Want: "one of " + strings.Join(TargetNames(), ", "), Found: foundCPU(machine),
			Fix: "name the machine that the bundle is for with --target",
		}
	}
	return targets[best], nil
}

func foundCPU(machine cpu.Set) string {
	if lowest := targets[0]; machine.Arch == lowest.Arch {
		return machine.Arch + " without " + strings.Join(machine.Missing(lowest.Features), ", ")
	}
	return machine.Arch
}

// TargetNames lists the names that --target takes.
func TargetNames() []string {
	var names []string
	for _, t := range targets {
		names = append(names, t.Name)
	}
	return append(names, HostTarget)
}

// Runs reports whether the machine has all that the target's code may use, and
// if not, which features are missing (none of them if the architecture differs).
func (t Target) Runs(machine cpu.Set) (ok bool, missing []string) {
	if machine.Arch != t.Arch {
		return false, nil
	}
	missing = machine.Missing(t.Features)
	return len(missing) == 0, missing
}

// Flags are the compiler's flags for the target, those of every target included.
func (t Target) Flags() []string { return slices.Concat(commonFlags, t.flags) }

// What each of these is for was found by measurement; docs/measurements.md has
// the numbers.
var commonFlags = []string{
	"--iree-input-type=stablehlo",
	"--iree-hal-target-device=local",
	"--iree-hal-local-target-device-backends=llvm-cpu",
	// Below O2 float32 dots run ten times slower and every [out,in] weight is
	// transposed into a second copy when the module is loaded.
	"--iree-opt-level=O2",
	// Data tiling packs the weights anew on every call of a one-row graph.
	"--iree-opt-data-tiling=false",
	// Nothing may be computed from weights ahead of the call: the result would be
	// a private copy of what is mapped and shared.
	"--iree-opt-const-eval=false",
	"--iree-opt-const-expr-hoisting=false",
	// Blocks of attention that could run side by side run one after another and
	// share their memory; every block is parallel in itself. docs/measurements.md.
	"--iree-stream-partitioning-favor=min-peak-memory",
	// The transposition behind a dot over blocked weights would be folded into the
	// dot, which then runs at little more than half the speed.
	"--iree-global-opt-propagate-transposes=false",
	// A ZIP header in front would move constants off their 64-byte alignment.
	"--iree-vm-emit-polyglot-zip=false",
	// Both are needed for bytes that do not depend on where the compiler ran.
	"--iree-llvmcpu-debug-symbols=false",
	"--iree-vm-bytecode-module-strip-source-map=true",
	// Threads inside one compilation gain nothing (its time is one long chain);
	// several compilations run at once instead.
	"--mlir-disable-threading",
}
