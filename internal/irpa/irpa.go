// Package irpa writes IREE's parameter archives (.irpa), so that the stock IREE
// tools can run the modules of a bundle with its weights.
//
// The format is little-endian and packed (source: iree/schemas/parameter_archive.h,
// version 0.0):
//
//	header    magic "IRPA", u16 major, u16 minor, u64 header size, u64 next header,
//	          u64 flags, u64 entries, then offset and length of three segments:
//	          entries, metadata, storage
//	entries   each at 16 bytes: u64 size, u32 type (2 is data), u64 flags, name and
//	          metadata (offset and length in the metadata segment), u64 alignment,
//	          offset and length in the storage segment
//	metadata  the names
//	storage   the bytes, each entry at its alignment
package irpa

import (
	"encoding/binary"
	"fmt"
	"io"
)

const (
	headerSize = 88
	entrySize  = 76
	typeData   = 2
	alignment  = 64
	page       = 4096
)

// Entry is one parameter of an archive.
type Entry struct {
	Name string
	Data []byte
}

// Write writes an archive. The same entries give the same bytes.
func Write(w io.Writer, entries []Entry) error {
	head := make([]byte, 0, headerSize+len(entries)*(entrySize+4))
	u64 := func(v ...int) {
		for _, n := range v {
			head = binary.LittleEndian.AppendUint64(head, uint64(n))
		}
	}
	entriesAt := up(headerSize, 16)
	entriesLen := 0
	names, storage := 0, 0
	for _, e := range entries {
		entriesLen = up(entriesLen, 16) + entrySize
		names += len(e.Name)
		storage = up(storage, alignment) + len(e.Data)
	}
	namesAt := entriesAt + entriesLen
	storageAt := up(namesAt+names, page)

	head = append(head, "IRPA"...)
	head = binary.LittleEndian.AppendUint32(head, 0) // version 0.0
	u64(headerSize, 0, 0, len(entries), entriesAt, entriesLen, namesAt, names, storageAt, storage)
	head = pad(head, entriesAt)
	name, at := 0, 0
	for _, e := range entries {
		head = pad(head, entriesAt+up(len(head)-entriesAt, 16))
		at = up(at, alignment)
		u64(entrySize)
		head = binary.LittleEndian.AppendUint32(head, typeData)
		u64(0, name, len(e.Name), 0, 0, alignment, at, len(e.Data))
		name += len(e.Name)
		at += len(e.Data)
	}
	for _, e := range entries {
		head = append(head, e.Name...)
	}
	if _, err := w.Write(pad(head, storageAt)); err != nil {
		return fmt.Errorf("write the parameter archive: %w", err)
	}
	var zeros [alignment]byte
	at = 0
	for _, e := range entries {
		gap := up(at, alignment) - at
		_, err := w.Write(zeros[:gap])
		if err == nil {
			_, err = w.Write(e.Data)
		}
		if err != nil {
			return fmt.Errorf("write parameter %q: %w", e.Name, err)
		}
		at += gap + len(e.Data)
	}
	return nil
}

func up(n, to int) int { return (n + to - 1) / to * to }

func pad(b []byte, to int) []byte { return append(b, make([]byte, to-len(b))...) }
