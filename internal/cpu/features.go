package cpu

import "golang.org/x/sys/cpu"

// A feature ties our name, LLVM's name and the detection together. The names
// are written into bundles: they may be added to, never changed.
type feature struct {
	name string
	arch string // GOARCH
	llvm string
	host *bool // filled in by x/sys/cpu before main starts; false on other architectures
}

// Left out on purpose: amx-*, whose use needs a permission from the kernel that
// detection does not show.
var features = []feature{
	{"cx16", "amd64", "cx16", &cpu.X86.HasCX16},
	{"lahf", "amd64", "sahf", &cpu.X86.HasLAHF},
	{"popcnt", "amd64", "popcnt", &cpu.X86.HasPOPCNT},
	{"sse3", "amd64", "sse3", &cpu.X86.HasSSE3},
	{"ssse3", "amd64", "ssse3", &cpu.X86.HasSSSE3},
	{"sse4.1", "amd64", "sse4.1", &cpu.X86.HasSSE41},
	{"sse4.2", "amd64", "sse4.2", &cpu.X86.HasSSE42},
	{"avx", "amd64", "avx", &cpu.X86.HasAVX},
	{"avx2", "amd64", "avx2", &cpu.X86.HasAVX2},
	{"bmi1", "amd64", "bmi", &cpu.X86.HasBMI1},
	{"bmi2", "amd64", "bmi2", &cpu.X86.HasBMI2},
	{"f16c", "amd64", "f16c", &cpu.X86.HasF16C},
	{"fma", "amd64", "fma", &cpu.X86.HasFMA},
	{"lzcnt", "amd64", "lzcnt", &cpu.X86.HasLZCNT},
	{"movbe", "amd64", "movbe", &cpu.X86.HasMOVBE},
	// The psABI asks for OSXSAVE: the kernel has switched XSAVE on.
	{"xsave", "amd64", "xsave", &cpu.X86.HasOSXSAVE},
	{"avxvnni", "amd64", "avxvnni", &cpu.X86.HasAVXVNNI},
	{"avxvnniint8", "amd64", "avxvnniint8", &cpu.X86.HasAVXVNNIInt8},
	{"avxifma", "amd64", "avxifma", &cpu.X86.HasAVXIFMA},
	{"avx512f", "amd64", "avx512f", &cpu.X86.HasAVX512F},
	{"avx512bw", "amd64", "avx512bw", &cpu.X86.HasAVX512BW},
	{"avx512cd", "amd64", "avx512cd", &cpu.X86.HasAVX512CD},
	{"avx512dq", "amd64", "avx512dq", &cpu.X86.HasAVX512DQ},
	{"avx512vl", "amd64", "avx512vl", &cpu.X86.HasAVX512VL},
	{"avx512ifma", "amd64", "avx512ifma", &cpu.X86.HasAVX512IFMA},
	{"avx512vbmi", "amd64", "avx512vbmi", &cpu.X86.HasAVX512VBMI},
	{"avx512vbmi2", "amd64", "avx512vbmi2", &cpu.X86.HasAVX512VBMI2},
	{"avx512bitalg", "amd64", "avx512bitalg", &cpu.X86.HasAVX512BITALG},
	{"avx512vpopcntdq", "amd64", "avx512vpopcntdq", &cpu.X86.HasAVX512VPOPCNTDQ},
	{"avx512vnni", "amd64", "avx512vnni", &cpu.X86.HasAVX512VNNI},
	{"avx512bf16", "amd64", "avx512bf16", &cpu.X86.HasAVX512BF16},

	{"asimd", "arm64", "neon", &cpu.ARM64.HasASIMD},
	{"crc32", "arm64", "crc", &cpu.ARM64.HasCRC32},
	{"lse", "arm64", "lse", &cpu.ARM64.HasATOMICS},
	{"rdm", "arm64", "rdm", &cpu.ARM64.HasASIMDRDM},
	{"fp16", "arm64", "fullfp16", &cpu.ARM64.HasASIMDHP},
	{"fp16fml", "arm64", "fp16fml", &cpu.ARM64.HasASIMDFHM},
	{"dotprod", "arm64", "dotprod", &cpu.ARM64.HasASIMDDP},
	{"i8mm", "arm64", "i8mm", &cpu.ARM64.HasI8MM},
	{"sve", "arm64", "sve", &cpu.ARM64.HasSVE},
	{"sve2", "arm64", "sve2", &cpu.ARM64.HasSVE2},
}
