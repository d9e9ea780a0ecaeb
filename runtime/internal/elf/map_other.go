//go:build !unix

package elf

import "github.com/hlocc/hlocc/runtime/internal/native"

func mapImage(n int) ([]byte, error)            { return nil, native.Supported() }
func protectPages(b []byte, flags uint32) error { return native.Supported() }
func unmapImage(b []byte) error                 { return native.Supported() }
