//go:build !unix

package hal

import "unsafe"

// mapBlock gives n zero bytes, 64-byte aligned. Nothing runs on these
// platforms, so the Go heap will do.
func mapBlock(n int) (block, error) {
	b := make([]byte, n+Alignment)
	off := int(-uintptr(unsafe.Pointer(&b[0])) & (Alignment - 1))
	return b[off : off+n : off+n], nil
}

func unmapBlock(block) error { return nil }
