package main

import (
	"os"
	"unsafe"

	"golang.org/x/sys/unix"
)

// evict asks the kernel to forget the pages of a file.
func evict(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := f.Sync(); err != nil { // pages not yet written stay
		return err
	}
	return unix.Fadvise(int(f.Fd()), 0, 0, unix.FADV_DONTNEED)
}

// cached is how many bytes of a file are in memory, by whomever they were read.
func cached(path string) (int64, error) {
	f, err := os.Open(path)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return 0, err
	}
	size := int(info.Size())
	data, err := unix.Mmap(int(f.Fd()), 0, size, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		return 0, err
	}
	defer unix.Munmap(data)
	page := os.Getpagesize()
	in := make([]byte, (size+page-1)/page)
	if _, _, errno := unix.Syscall(unix.SYS_MINCORE, uintptr(unsafe.Pointer(&data[0])), uintptr(size), uintptr(unsafe.Pointer(&in[0]))); errno != 0 {
		return 0, errno
	}
	var n int64
	for _, b := range in {
		n += int64(b&1) * int64(page)
	}
	return n, nil
}
