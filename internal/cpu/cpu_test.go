package cpu

import (
	"bufio"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// The kernel's own list agrees with ours, both ways: it too leaves out what the
// operating system does not save.
func TestHostAgreesWithKernel(t *testing.T) {
	if runtime.GOOS != "linux" || runtime.GOARCH != "amd64" {
		if len(Host().Missing(Host().Names())) != 0 {
			t.Fatal("Names and Missing disagree")
		}
		return
	}
	kernel := kernelFlags(t)
	names := map[string]string{ // where the kernel's spelling differs
		"lahf": "lahf_lm", "sse3": "pni", "sse4.1": "sse4_1", "sse4.2": "sse4_2", "lzcnt": "abm", "avxvnni": "avx_vnni",
		"avxvnniint8": "avx_vnni_int8", "avxifma": "avx_ifma", "avx512vbmi2": "avx512_vbmi2", "avx512bitalg": "avx512_bitalg",
		"avx512vpopcntdq": "avx512_vpopcntdq", "avx512vnni": "avx512_vnni", "avx512bf16": "avx512_bf16",
	}
	// Younger than some kernels' lists: the kernel may not print them.
	maybe := []string{"avxvnni", "avxvnniint8", "avxifma"}
	host := Host()
	for _, f := range features {
		if f.arch != "amd64" {
			continue
		}
		name := f.name
		if n := names[name]; n != "" {
			name = n
		}
		if host.Has(f.name) != kernel[name] && !(slices.Contains(maybe, f.name) && host.Has(f.name)) {
			t.Errorf("%s: %v here, %v in /proc/cpuinfo", f.name, host.Has(f.name), kernel[name])
		}
	}
}

func kernelFlags(t *testing.T) map[string]bool {
	f, err := os.Open("/proc/cpuinfo")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if key, value, ok := strings.Cut(sc.Text(), ":"); ok && strings.TrimSpace(key) == "flags" {
			flags := map[string]bool{}
			for _, w := range strings.Fields(value) {
				flags[w] = true
			}
			return flags
		}
	}
	t.Fatal("no flags in /proc/cpuinfo")
	return nil
}

func TestBest(t *testing.T) {
	without := func(names []string, drop string) []string {
		return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return n == drop })
	}
	tests := []struct {
		name  string
		set   Set
		level string // "" for none
	}{
		{"nothing", NewSet("amd64"), ""},
		{"v2", NewSet("amd64", v2...), "x86-64-v2"},
		{"v3", NewSet("amd64", v3...), "x86-64-v3"},
		{"v4", NewSet("amd64", v4...), "x86-64-v4"},
		{"v4 without lahf", NewSet("amd64", without(v4, "lahf")...), ""},
		{"v4 without movbe", NewSet("amd64", without(v4, "movbe")...), "x86-64-v2"},
		{"v4 without dq", NewSet("amd64", without(v4, "avx512dq")...), "x86-64-v3"},
		{"no ymm state", NewSet("amd64", without(without(v3, "avx"), "avx2")...), "x86-64-v2"},
		{"arm", NewSet("arm64", "asimd", "dotprod"), ""},
	}
	for _, test := range tests {
		level, ok := test.set.Best()
		if level.Name != test.level || ok != (test.level != "") {
			t.Errorf("%s: %q, %v; want %q", test.name, level.Name, ok, test.level)
		}
	}
}

func TestMissing(t *testing.T) {
	s := NewSet("amd64", v3...)
	if got := s.Missing(v3); got != nil {
		t.Errorf("v3 on v3: %v", got)
	}
	if got, want := s.Missing(v4), v4[len(v3):]; !slices.Equal(got, want) {
		t.Errorf("v4 on v3: %v, want %v", got, want)
	}
	if got := s.Missing([]string{"avx", "made-up"}); !slices.Equal(got, []string{"made-up"}) {
		t.Errorf("unknown feature: %v", got)
	}
	if got := s.Names(); len(s.Missing(got)) != 0 || len(got) != len(v3) {
		t.Errorf("names: %v", got)
	}
}

func TestTable(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range features {
		if seen[f.name] || f.llvm == "" || f.host == nil {
			t.Errorf("feature %q: duplicate or incomplete", f.name)
		}
		seen[f.name] = true
	}
	for _, l := range Levels() {
		for _, name := range l.Features {
			if LLVM(name) == "" {
				t.Errorf("%s: no feature %q", l.Name, name)
			}
		}
		if got, ok := ByName(l.Name); !ok || got.Name != l.Name {
			t.Errorf("ByName(%q) = %v, %v", l.Name, got, ok)
		}
	}
}
