//go:build unix

package hal

import "golang.org/x/sys/unix"

// mapBlock gives n zero bytes, page aligned.
func mapBlock(n int) (block, error) {
	b, err := unix.Mmap(-1, 0, n, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	return b, err
}

func unmapBlock(b block) error { return unix.Munmap(b) }
