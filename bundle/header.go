package bundle

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
)

// The header, little-endian:
//
//	  0  magic          8 bytes "\x89hlocc\r\n"
//	  8  format version u32, 1
//	 12  header size    u32, 256
//	 16  file size      u64
//	 24  manifest       u64 offset, u64 length
//	 40  manifest       32 bytes SHA-256: the root digest
//	 72  directory      u64 offset, u64 length
//	 88  directory      32 bytes SHA-256
//	120  seal           u64 offset, u64 length (both 0: none)
//	136  seal           32 bytes SHA-256 (zero: none)
//	168  reserved       56 zero bytes
//	224  header         32 bytes SHA-256 of bytes 0 to 223
const (
	headerSize    = 256
	formatVersion = 1
)

// The first byte is not ASCII and the line end is CR LF, so that a transfer
// that mangles text mangles the magic.
var magic = [8]byte{0x89, 'h', 'l', 'o', 'c', 'c', '\r', '\n'}

type span struct{ offset, length int64 }

func (s span) end() int64 { return s.offset + s.length }

type header struct {
	fileSize     int64
	manifest     span
	manifestSum  [32]byte
	directory    span
	directorySum [32]byte
	seal         span
	sealSum      [32]byte
}

func (h *header) encode() []byte {
	b := make([]byte, headerSize)
	le := binary.LittleEndian
	putSpan := func(at int, s span) {
		le.PutUint64(b[at:], uint64(s.offset))
		le.PutUint64(b[at+8:], uint64(s.length))
	}
	copy(b, magic[:])
	le.PutUint32(b[8:], formatVersion)
	le.PutUint32(b[12:], headerSize)
	le.PutUint64(b[16:], uint64(h.fileSize))
	putSpan(24, h.manifest)
	copy(b[40:], h.manifestSum[:])
	putSpan(72, h.directory)
	copy(b[88:], h.directorySum[:])
	putSpan(120, h.seal)
	copy(b[136:], h.sealSum[:])
	sum := sha256.Sum256(b[:224])
	copy(b[224:], sum[:])
	return b
}

// decodeHeader checks everything in the header but the file's actual size; b
// holds the first bytes of the file, fewer than headerSize if it has no more.
func decodeHeader(b []byte) (*header, error) {
	if len(b) < len(magic) || !bytes.Equal(b[:len(magic)], magic[:]) {
		return nil, errNotBundle(b)
	}
	if len(b) < headerSize {
		return nil, errTruncated(fmt.Sprintf("a header of %d bytes", headerSize), fmt.Sprintf("%d bytes", len(b)))
	}
	le := binary.LittleEndian
	// Every version has its checksum in this place, so that a flipped bit in the
	// version is not taken for a newer one.
	if sum := sha256.Sum256(b[:224]); !bytes.Equal(sum[:], b[224:headerSize]) {
		return nil, errCorrupt("header", "SHA-256 does not match")
	}
	if v := le.Uint32(b[8:]); v != formatVersion {
		return nil, errFormatVersion(v)
	}
	if n := le.Uint32(b[12:]); n != headerSize {
		return nil, errCorrupt("header", fmt.Sprintf("header size is %d, want %d", n, headerSize))
	}
	for _, c := range b[168:224] {
		if c != 0 {
			return nil, errCorrupt("header", "reserved bytes are not zero")
		}
	}
	h := &header{}
	var bad string
	num := func(at int, what string) int64 {
		v := le.Uint64(b[at:])
		if v > uint64(maxFileSize) && bad == "" {
			bad = fmt.Sprintf("%s is %d, more than a file can have", what, v)
		}
		return int64(v)
	}
	h.fileSize = num(16, "file size")
	h.manifest = span{num(24, "manifest offset"), num(32, "manifest length")}
	h.directory = span{num(72, "directory offset"), num(80, "directory length")}
	h.seal = span{num(120, "seal offset"), num(128, "seal length")}
	copy(h.manifestSum[:], b[40:])
	copy(h.directorySum[:], b[88:])
	copy(h.sealSum[:], b[136:])
	if bad != "" {
		return nil, errCorrupt("header", bad)
	}
	return h, h.check()
}

// check compares the spans with each other: manifest, directory and seal are the
// last things in the file, in this order and without gaps beyond alignment.
func (h *header) check() error {
	last := h.directory
	switch {
	case h.manifest.length > maxManifestSize:
		return errCorrupt("header", fmt.Sprintf("manifest of %d bytes, at most %d are allowed", h.manifest.length, maxManifestSize))
	case h.directory.length > maxDirectorySize:
		return errCorrupt("header", fmt.Sprintf("directory of %d bytes, at most %d are allowed", h.directory.length, maxDirectorySize))
	case h.seal.length > maxSealSize:
		return errCorrupt("header", fmt.Sprintf("seal of %d bytes, at most %d are allowed", h.seal.length, maxSealSize))
	case h.manifest.offset < headerSize || h.manifest.offset%textAlign != 0:
		return errCorrupt("header", fmt.Sprintf("manifest at offset %d", h.manifest.offset))
	case h.directory.offset != alignUp(h.manifest.end(), textAlign):
		return errCorrupt("header", "directory does not follow the manifest")
	case h.seal == span{}:
		if h.sealSum != [32]byte{} {
			return errCorrupt("header", "digest of a seal that does not exist")
		}
	case h.seal.length == 0 || h.seal.offset != alignUp(h.directory.end(), textAlign):
		return errCorrupt("header", "seal does not follow the directory")
	default:
		last = h.seal
	}
	if last.end() != h.fileSize {
		return errCorrupt("header", fmt.Sprintf("file size %d, but its contents end at %d", h.fileSize, last.end()))
	}
	return nil
}
