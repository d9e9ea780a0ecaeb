package compile

import (
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
)

func machine(t *testing.T, level string, more ...string) cpu.Set {
	t.Helper()
	l, ok := cpu.ByName(level)
	if !ok {
		t.Fatalf("no level %s", level)
	}
	return cpu.NewSet(l.Arch, slices.Concat(l.Features, more)...)
}

func TestTargetOfMachine(t *testing.T) {
	for _, level := range cpu.Levels() {
		got, err := DefaultTarget(machine(t, level.Name))
		if err != nil || got.Name != level.Name || !got.Reproducible {
			t.Errorf("default on %s: %+v, %v", level.Name, got, err)
		}
		if ok, missing := got.Runs(machine(t, level.Name)); !ok || missing != nil {
			t.Errorf("%s does not run on itself: missing %v", level.Name, missing)
		}
	}
	v4, err := FindTarget("x86-64-v4", cpu.NewSet("arm64", "asimd"))
	if err != nil {
		t.Fatal("a named target can be built for anywhere:", err)
	}
	if ok, missing := v4.Runs(machine(t, "x86-64-v3")); ok || !slices.Contains(missing, "avx512f") || slices.Contains(missing, "avx2") {
		t.Errorf("v4 on v3: %v, missing %v", ok, missing)
	}
	if ok, _ := v4.Runs(cpu.NewSet("arm64", "asimd")); ok {
		t.Error("v4 runs on arm64")
	}
}

func TestHostTarget(t *testing.T) {
	host, err := FindTarget("host", machine(t, "x86-64-v3", "avxvnni"))
	if err != nil {
		t.Fatal(err)
	}
	if host.Name != "host" || host.Level != "x86-64-v3" || host.Reproducible {
		t.Errorf("%+v", host)
	}
	flags := strings.Join(host.Flags(), " ")
	for _, want := range []string{"-target-cpu=x86-64-v3", "-target-cpu-features=+avxvnni"} {
		if !strings.Contains(flags, want) {
			t.Errorf("no %s in %s", want, flags)
		}
	}
	if ok, missing := host.Runs(machine(t, "x86-64-v4")); ok || !slices.Equal(missing, []string{"avxvnni"}) {
		t.Errorf("host with avxvnni on a machine without: %v, missing %v", ok, missing)
	}
	v3, err := FindTarget("x86-64-v3", machine(t, "x86-64-v3"))
	if err != nil || strings.Contains(strings.Join(v3.Flags(), " "), "avxvnni") || slices.Contains(v3.Features, "avxvnni") {
		t.Errorf("making the host target changed v3: %+v, %v", v3, err)
	}
}

func TestTargetErrors(t *testing.T) {
	tests := []struct {
		name    string
		machine cpu.Set
		say     string
	}{
		{"x86-64-v5", machine(t, "x86-64-v4"), "want x86-64-v2, x86-64-v3, x86-64-v3-avxvnni, x86-64-v4, x86-64-v4-vnni, host"},
		{"host", cpu.NewSet("arm64", "asimd"), "--target"},
		{"host", cpu.NewSet("amd64", "sse3"), "amd64 without cx16"},
	}
	for _, test := range tests {
		_, err := FindTarget(test.name, test.machine)
		if diag.KindOf(err) != diag.Unsupported || !strings.Contains(err.Error(), test.say) {
			t.Errorf("%s: %v, want %q", test.name, err, test.say)
		}
	}
}

// Targets beyond a level ask for their feature, of the CPU and of the compiler.
func TestTargetsBeyondALevel(t *testing.T) {
	for _, test := range []struct{ name, level, feature string }{
		{"x86-64-v3-avxvnni", "x86-64-v3", "avxvnni"},
		{"x86-64-v4-vnni", "x86-64-v4", "avx512vnni"},
	} {
		with := machine(t, test.level, test.feature)
		got, err := DefaultTarget(with)
		if err != nil || got.Name != test.name || got.Level != test.level || !got.Reproducible {
			t.Errorf("default on %s with %s: %+v, %v", test.level, test.feature, got, err)
		}
		if !slices.Contains(got.Flags(), "--iree-llvmcpu-target-cpu-features=+"+test.feature) {
			t.Errorf("%s: flags %v", test.name, got.Flags())
		}
		if ok, missing := got.Runs(machine(t, test.level)); ok || !slices.Equal(missing, []string{test.feature}) {
			t.Errorf("%s without its feature: %t, missing %v", test.name, ok, missing)
		}
	}
}
