//go:build unix

package elf

import "golang.org/x/sys/unix"

func mapImage(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

// protectPages sets the access of whole pages by the flags of a segment; 0 is none.
func protectPages(b []byte, flags uint32) error {
	prot := unix.PROT_NONE
	if flags != 0 {
		prot = unix.PROT_READ
	}
	if flags&flagW != 0 {
		prot |= unix.PROT_WRITE
	}
	if flags&flagX != 0 {
		prot |= unix.PROT_EXEC
	}
	return unix.Mprotect(b, prot)
}

func unmapImage(b []byte) error { return unix.Munmap(b) }
