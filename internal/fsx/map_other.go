//go:build !unix

package fsx

import (
	"io"
	"os"
	"unsafe"
)

// mapFile reads the file into page-aligned memory, the alignment of a mapping.
func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	const page = 4096
	buf := make([]byte, size+page)
	skip := -int(uintptr(unsafe.Pointer(&buf[0]))) & (page - 1)
	data := buf[skip : skip+size : skip+size]
	if _, err := io.ReadFull(io.NewSectionReader(f, 0, int64(size)), data); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}
