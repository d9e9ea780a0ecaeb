package hal

import "golang.org/x/sys/cpu"

// feature is a CPU feature by the name that modules ask for, with its bit in
// the first word of the processor data (iree/schemas/cpu_feature_bits.inl).
type feature struct {
	name string
	bit  uint
	have bool
}

func features() []feature {
	x := &cpu.X86
	return []feature{
		{"sse3", 0, x.HasSSE3},
		{"ssse3", 1, x.HasSSSE3},
		{"sse4.1", 2, x.HasSSE41},
		{"sse4.2", 3, x.HasSSE42},
		{"avx", 10, x.HasAVX},
		{"fma", 11, x.HasFMA},
		{"f16c", 14, x.HasAVX2}, // not told apart: every CPU with AVX2 has F16C
		{"avx2", 15, x.HasAVX2},
		{"avx512f", 20, x.HasAVX512F},
		{"avx512cd", 21, x.HasAVX512CD},
		{"avx512vl", 22, x.HasAVX512VL},
		{"avx512dq", 23, x.HasAVX512DQ},
		{"avx512bw", 24, x.HasAVX512BW},
		{"avx512ifma", 25, x.HasAVX512IFMA},
		{"avx512vbmi", 26, x.HasAVX512VBMI},
		{"avx512vpopcntdq", 27, x.HasAVX512VPOPCNTDQ},
		{"avx512vnni", 28, x.HasAVX512VNNI},
		{"avx512vbmi2", 29, x.HasAVX512VBMI2},
		{"avx512bitalg", 30, x.HasAVX512BITALG},
		{"avx512bf16", 31, x.HasAVX512BF16},
		{"amx-tile", 50, x.HasAMXTile},
		{"amx-int8", 51, x.HasAMXInt8},
		{"amx-bf16", 52, x.HasAMXBF16},
	}
}
