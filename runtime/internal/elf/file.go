package elf

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/hlocc/hlocc/internal/diag"
)

// Machine is an instruction set, by its number in the ELF header.
type Machine uint16

const (
	X86_64  Machine = 62
	AArch64 Machine = 183
)

func (m Machine) String() string {
	switch m {
	case X86_64:
		return "x86-64"
	case AArch64:
		return "aarch64"
	}
	return fmt.Sprintf("machine %d", uint16(m))
}

// Format is the name of the executable format in modules: the machine's
// embedded ELF.
func (m Machine) Format() string {
	switch m {
	case X86_64:
		return "embedded-elf-x86_64"
	case AArch64:
		return "embedded-elf-arm_64"
	}
	return ""
}

const (
	headerSize  = 64
	segmentSize = 56
	pageSize    = 4096 // the smallest that x86-64 and AArch64 have
	maxSegments = 64
	// maxExtra is how much larger than the file an image may be: zeroed data
	// and the padding between segments.
	maxExtra = 16 << 20
)

// Types and flags of program headers.
const (
	ptLoad     = 1
	ptDynamic  = 2
	ptInterp   = 3
	ptTLS      = 7
	ptGNURelro = 0x6474e552

	flagX = 1
	flagW = 2
	flagR = 4
)

// segment is a PT_LOAD, with addresses relative to the lowest one.
type segment struct {
	flags      uint32
	offset     uint64 // in the file
	addr       uint64 // in the image
	fileSize   uint64
	size       uint64
	start, end uint64 // the pages it covers in the image
}

// File is the checked structure of an executable.
type File struct {
	Machine  Machine
	data     []byte
	segments []segment
	lowest   uint64 // virtual address of the image's first byte
	size     uint64 // of the image, whole pages
	dynamic  span   // in the image
	relro    span
}

type span struct{ off, len uint64 }

func bad(where, message, want, found string) error {
	return &diag.Error{Kind: diag.BadInput, Code: "elf", Where: where, Message: message, Want: want, Found: found}
}

func unsupported(where, message, want, found string) error {
	return &diag.Error{Kind: diag.Unsupported, Code: "elf", Where: where, Message: message, Want: want, Found: found}
}

var le = binary.LittleEndian

// Parse checks the ELF header and the program headers. The File refers to data.
func Parse(data []byte) (*File, error) {
	const where = "executable"
	if len(data) < headerSize {
		return nil, bad(where, "too short for an ELF header", "at least 64 bytes", fmt.Sprintf("%d bytes", len(data)))
	}
	if string(data[:4]) != "\x7fELF" {
		return nil, bad(where, "not an ELF file", `"\x7fELF"`, fmt.Sprintf("%q", data[:4]))
	}
	if data[4] != 2 || data[5] != 1 || data[6] != 1 || le.Uint32(data[20:]) != 1 {
		return nil, unsupported(where, "unknown kind of ELF file", "64-bit, little endian, version 1",
			fmt.Sprintf("class %d, encoding %d, version %d", data[4], data[5], data[6]))
	}
	if t := le.Uint16(data[16:]); t != 3 {
		return nil, unsupported(where, "not a shared object", "ELF type 3", fmt.Sprint(t))
	}
	f := &File{Machine: Machine(le.Uint16(data[18:])), data: data}
	if f.Machine.Format() == "" {
		return nil, unsupported(where, "unknown instruction set", "x86-64 or aarch64", f.Machine.String())
	}
	if n := le.Uint16(data[54:]); n != segmentSize {
		return nil, bad(where, "program headers of unknown size", "56 bytes", fmt.Sprint(n))
	}
	off, n := le.Uint64(data[32:]), uint64(le.Uint16(data[56:]))
	if n == 0 || n > maxSegments {
		return nil, bad(where, "number of program headers", "1 to 64", fmt.Sprint(n))
	}
	if off > uint64(len(data)) || n*segmentSize > uint64(len(data))-off {
		return nil, bad(where, "program headers lie outside the file", fmt.Sprintf("within %d bytes", len(data)), fmt.Sprintf("offset %d", off))
	}
	if err := f.programHeaders(data[off:][:n*segmentSize]); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *File) programHeaders(table []byte) error {
	var dynamic, relro *span
	for i := 0; len(table) > 0; i, table = i+1, table[segmentSize:] {
		where := fmt.Sprintf("program header %d", i)
		flags := le.Uint32(table[4:])
		addr, size := le.Uint64(table[16:]), le.Uint64(table[40:])
		switch le.Uint32(table) {
		case ptLoad:
			s := segment{flags: flags, offset: le.Uint64(table[8:]), addr: addr, fileSize: le.Uint64(table[32:]), size: size}
			if err := f.load(where, s, le.Uint64(table[48:])); err != nil {
				return err
			}
		case ptDynamic:
			if dynamic != nil {
				return bad(where, "a second dynamic section", "one", "two")
			}
			dynamic = &span{addr, size}
		case ptGNURelro:
			if relro != nil {
				return bad(where, "a second read-only-after-relocation range", "one", "two")
			}
			relro = &span{addr, size}
		case ptInterp, ptTLS:
			return unsupported(where, "executables with an interpreter or thread-local storage are not supported", "", fmt.Sprintf("type %d", le.Uint32(table)))
		}
	}
	if len(f.segments) == 0 {
		return bad("executable", "nothing to load", "at least one PT_LOAD", "none")
	}
	for i := range f.segments {
		s := &f.segments[i]
		s.addr, s.start, s.end = s.addr-f.lowest, s.start-f.lowest, s.end-f.lowest
		f.size = s.end
	}
	if f.size > uint64(len(f.data))+maxExtra+uint64(len(f.segments))<<16 {
		return bad("executable", "the image is much larger than the file", fmt.Sprintf("at most %d MiB more than %d bytes", maxExtra>>20, len(f.data)), fmt.Sprintf("%d bytes", f.size))
	}
	if dynamic == nil {
		return bad("executable", "no dynamic section", "PT_DYNAMIC", "none")
	}
	var ok bool
	if f.dynamic, ok = f.inSegment(*dynamic, 0); !ok {
		return bad("executable", "the dynamic section lies outside the segments", "", fmt.Sprintf("%d bytes at %#x", dynamic.len, dynamic.off))
	}
	if relro != nil {
		if f.relro, ok = f.inSegment(*relro, flagW); !ok {
			return bad("executable", "the read-only-after-relocation range lies outside the writable segments", "", fmt.Sprintf("%d bytes at %#x", relro.len, relro.off))
		}
	}
	return nil
}

func (f *File) load(where string, s segment, align uint64) error {
	n := uint64(len(f.data))
	if s.offset > n || s.fileSize > n-s.offset {
		return bad(where, "segment lies outside the file", fmt.Sprintf("within %d bytes", n), fmt.Sprintf("%d bytes at %d", s.fileSize, s.offset))
	}
	if s.size < s.fileSize || s.size > n+maxExtra {
		return bad(where, "size of the segment in memory", fmt.Sprintf("%d to %d", s.fileSize, n+maxExtra), fmt.Sprint(s.size))
	}
	if s.addr > 1<<47 {
		return bad(where, "address of the segment", "less than 2^47", fmt.Sprintf("%#x", s.addr))
	}
	if align < pageSize || align > 1<<16 || bits.OnesCount64(align) != 1 || (s.addr-s.offset)%align != 0 {
		return bad(where, "alignment of the segment", "a page size, and an address and offset that agree", fmt.Sprintf("alignment %#x, address %#x, offset %#x", align, s.addr, s.offset))
	}
	if s.flags&flagW != 0 && s.flags&flagX != 0 {
		return unsupported(where, "a segment that is writable and executable", "W or X", "W and X")
	}
	if s.size == 0 {
		return nil
	}
	s.start, s.end = s.addr&^(align-1), (s.addr+s.size+align-1)&^(align-1)
	if len(f.segments) == 0 {
		f.lowest = s.start
	} else if last := f.segments[len(f.segments)-1]; s.start < last.end {
		return bad(where, "segments overlap or are out of order", fmt.Sprintf("at or above %#x", last.end), fmt.Sprintf("%#x", s.start))
	}
	f.segments = append(f.segments, s)
	return nil
}

// inSegment translates a range of virtual addresses to the image if it lies in
// one segment that has all the given flags.
func (f *File) inSegment(v span, flags uint32) (span, bool) {
	off := v.off - f.lowest // wraps if below; then it is in no segment
	for i := range f.segments {
		s := &f.segments[i]
		if off >= s.addr && off-s.addr <= s.size && v.len <= s.size-(off-s.addr) {
			return span{off, v.len}, s.flags&flags == flags
		}
	}
	return span{}, false
}
