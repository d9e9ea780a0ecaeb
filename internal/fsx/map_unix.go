//go:build unix

package fsx

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

func mapFile(f *os.File, size int) ([]byte, func() error, error) {
	// MAP_SHARED and not MAP_PRIVATE: the pages stay the page cache's own.
	data, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return nil, nil, err
	}
	return data, func() error { return unix.Munmap(data) }, nil
}

func loadFile(f *os.File, size int) ([]byte, func() error, error) {
	// Huge pages begin at multiples of their size.
	mem, err := unix.Mmap(-1, 0, size+hugePage, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return nil, nil, err
	}
	release := func() error { return unix.Munmap(mem) }
	skip := -int(uintptr(unsafe.Pointer(unsafe.SliceData(mem)))) & (hugePage - 1)
	data := mem[skip : skip+size : skip+size]
	adviseHuge(mem)
	if err = readInto(data, f); err == nil {
		err = unix.Mprotect(mem, unix.PROT_READ)
	}
	if err != nil {
		_ = release()
		return nil, nil, err
	}
	return data, release, nil
}
