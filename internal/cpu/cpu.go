// Package cpu says which instruction-set extensions this machine can run, and
// which of the named x86-64 levels that makes.
//
// A feature counts only if the operating system saves its registers too
// (XGETBV): a CPU with AVX-512 under a kernel that does not save ZMM state has
// no AVX-512.
package cpu

import (
	"runtime"
	"slices"
)

// A Set is the features of one machine.
type Set struct {
	Arch string // GOARCH
	has  map[string]bool
}

// NewSet is the set of the named features, for tests and for machines other
// than this one. Unknown names are ignored.
func NewSet(arch string, names ...string) Set {
	s := Set{Arch: arch, has: map[string]bool{}}
	for _, f := range features {
		if f.arch == arch && slices.Contains(names, f.name) {
			s.has[f.name] = true
		}
	}
	return s
}

// Host is the features of this machine.
func Host() Set {
	s := Set{Arch: runtime.GOARCH, has: map[string]bool{}}
	for _, f := range features {
		if f.arch == runtime.GOARCH && *f.host {
			s.has[f.name] = true
		}
	}
	return s
}

// Has reports whether the machine has the feature. It does not have one that
// this package does not know.
func (s Set) Has(name string) bool { return s.has[name] }

// Names lists the features in the order of the table.
func (s Set) Names() []string {
	names := []string{}
	for _, f := range features {
		if f.arch == s.Arch && s.has[f.name] {
			names = append(names, f.name)
		}
	}
	return names
}

// Missing lists those of the wanted features that the machine lacks, in the
// order given.
func (s Set) Missing(want []string) []string {
	var missing []string
	for _, name := range want {
		if !s.has[name] {
			missing = append(missing, name)
		}
	}
	return missing
}

// Best is the highest level that the machine has; ok is false if it has none
// (another architecture, or an x86-64 older than 2009).
func (s Set) Best() (level Level, ok bool) {
	for _, l := range levels {
		if l.Arch == s.Arch && len(s.Missing(l.Features)) == 0 {
			level, ok = l, true
		}
	}
	return level, ok
}

// LLVM is the name that LLVM's target features use for a feature of this
// package, "" if it is unknown.
func LLVM(name string) string {
	for _, f := range features {
		if f.name == name {
			return f.llvm
		}
	}
	return ""
}

// A Level is a named set of features, as defined by the x86-64 psABI
// (microarchitecture levels).
type Level struct {
	Name     string
	Arch     string   // GOARCH
	Features []string // all of them, those of the lower levels included
}

// Levels lists the levels, lowest first.
func Levels() []Level { return slices.Clone(levels) }

// ByName finds a level.
func ByName(name string) (Level, bool) {
	for _, l := range levels {
		if l.Name == name {
			return l, true
		}
	}
	return Level{}, false
}

var (
	v2     = []string{"cx16", "lahf", "popcnt", "sse3", "ssse3", "sse4.1", "sse4.2"}
	v3     = slices.Concat(v2, []string{"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave"})
	v4     = slices.Concat(v3, []string{"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})
	levels = []Level{
		{Name: "x86-64-v2", Arch: "amd64", Features: v2},
		{Name: "x86-64-v3", Arch: "amd64", Features: v3},
		{Name: "x86-64-v4", Arch: "amd64", Features: v4},
	}
)
