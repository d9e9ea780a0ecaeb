//go:build linux || darwin || freebsd

package doctor

import "golang.org/x/sys/unix"

// mapExecutable does what loading a module does: writes anonymous memory, then
// makes it executable and no longer writable.
func mapExecutable() error {
	mem, err := unix.Mmap(-1, 0, unix.Getpagesize(), unix.PROT_READ|unix.PROT_WRITE, unix.MAP_PRIVATE|unix.MAP_ANON)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Munmap(mem) }()
	mem[0] = 1
	return unix.Mprotect(mem, unix.PROT_READ|unix.PROT_EXEC)
}
