//go:build !linux

package fsx

import "os"

func allocate(f *os.File, n int64) error { return grow(f, n) }
