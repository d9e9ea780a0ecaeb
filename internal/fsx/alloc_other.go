//go:build !linux

package fsx

import "os"

func adviseHuge([]byte) {}

func allocate(f *os.File, n int64) error { return grow(f, n) }
