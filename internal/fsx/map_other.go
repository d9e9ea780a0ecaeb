//go:build !unix

package fsx

import (
	"os"
	"unsafe"
)

// mapFile reads the file into page-aligned memory, the alignment of a mapping.
func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	const page = 4096
	buf := make([]byte, size+page)
	skip := -int(uintptr(unsafe.Pointer(&buf[0]))) & (page - 1)
	data := buf[skip : skip+size : skip+size]
	if err := readInto(data, f); err != nil {
		return nil, nil, err
	}
	return data, func() error { return nil }, nil
}

func loadFile(f *os.File, size int) ([]byte, func() error, error) { return mapFile(f, size) }
