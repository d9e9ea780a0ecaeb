//go:build unix

package native

import "golang.org/x/sys/unix"

// mapMemory gives n zero bytes, page aligned, outside the Go heap.
func mapMemory(n int) ([]byte, error) {
	return unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
}

func protectNone(b []byte) error { return unix.Mprotect(b, unix.PROT_NONE) }

func unmapMemory(b []byte) error { return unix.Munmap(b) }
