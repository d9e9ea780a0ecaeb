package bundle

// Bounds on what a reader accepts. They keep the memory and the time that a
// hostile file can cost in proportion to what honest ones need.
const (
	maxFileSize      = int64(1) << 50 // keeps every sum of two offsets inside an int64
	maxManifestSize  = 64 << 20
	maxDirectorySize = 16 << 20
	maxSealSize      = 64 << 20
	maxTextSize      = 1 << 30 // uncompressed size of a compressed member
	maxRank          = 8
	maxName          = 512
)

const (
	tensorAlign = 64   // the widest vector load that compiled code makes
	textAlign   = 64   // compressed members, the manifest, the directory, the seal
	pageAlign   = 4096 // the weight archive and raw members, so that they can be mapped
)

// alignUp rounds n up to a multiple of a, a power of two.
func alignUp(n, a int64) int64 { return (n + a - 1) &^ (a - 1) }
