//go:build unix

package fsx

import (
	"os"

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

// Advise passes advice about the bytes [off, off+n). It is a hint: there is no error.
func (m *Mapping) Advise(off, n int, a Advice) {
	page := os.Getpagesize()
	end := min(off+n, len(m.data))
	off = off / page * page
	if off < 0 || off >= end {
		return
	}
	flag := map[Advice]int{Normal: unix.MADV_NORMAL, Sequential: unix.MADV_SEQUENTIAL, WillNeed: unix.MADV_WILLNEED}[a]
	_ = unix.Madvise(m.data[off:end], flag)
}
