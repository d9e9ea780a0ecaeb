package kernel

import (
	"slices"

	"github.com/hlocc/hlocc/internal/cpu"
)

// An ISA says which instructions kernels may use.
type ISA struct {
	Name string
	// Level is the named level of package cpu that it builds on, and Extra the feature
	// that it wants besides, "" for none.
	Level, Extra string
	// Lanes is how many float32 a vector register holds.
	Lanes int
	// FMA says that a product and a sum can be one operation.
	FMA bool
	// Dot is the instruction that multiplies bytes and adds the products of four neighbours
	// to a 32-bit lane.
	Dot DotInstruction
	// PermuteF32 says that a register can be indexed by another's lanes (vpermps of 16
	// lanes): a table of the 16 values of a nibble.
	PermuteF32 bool
}

// DotInstruction is a way to sum the products of unsigned and signed bytes by four.
type DotInstruction uint8

// The dot instructions.
const (
	DotWiden      DotInstruction = iota // none: bytes are widened and multiplied by plain operations
	DotMaddAVX2                         // vpmaddubsw + vpmaddwd, 256 bits
	DotVNNI256                          // vpdpbusd, 256 bits, of AVX-VNNI
	DotMaddAVX512                       // vpmaddubsw + vpmaddwd, 512 bits
	DotVNNI512                          // vpdpbusd, 512 bits, of AVX-512 VNNI
)

// The instruction sets.
var (
	Generic    = ISA{Name: "generic", Level: "x86-64-v2", Lanes: 4}
	AVX2       = ISA{Name: "avx2", Level: "x86-64-v3", Lanes: 8, FMA: true, Dot: DotMaddAVX2}
	AVXVNNI    = ISA{Name: "avxvnni", Level: "x86-64-v3", Extra: "avxvnni", Lanes: 8, FMA: true, Dot: DotVNNI256}
	AVX512     = ISA{Name: "avx512", Level: "x86-64-v4", Lanes: 16, FMA: true, Dot: DotMaddAVX512, PermuteF32: true}
	AVX512VNNI = ISA{Name: "avx512vnni", Level: "x86-64-v4", Extra: "avx512vnni", Lanes: 16, FMA: true, Dot: DotVNNI512, PermuteF32: true}
)

// ISAs lists all instruction sets, the best last. The first needs nothing of an
// architecture.
func ISAs() []ISA { return []ISA{Generic, AVX2, AVXVNNI, AVX512, AVX512VNNI} }

// Choose is the best instruction set within the features of a target, by their names in
// package cpu.
func Choose(features []string) ISA {
	best := Generic
	for _, isa := range ISAs() {
		if !slices.ContainsFunc(isa.features(), func(f string) bool { return !slices.Contains(features, f) }) {
			best = isa
		}
	}
	return best
}

// features are the CPU features that code for the instruction set may use.
func (isa ISA) features() []string {
	l, _ := cpu.ByName(isa.Level)
	if isa.Extra == "" {
		return l.Features
	}
	return append(slices.Clone(l.Features), isa.Extra)
}
