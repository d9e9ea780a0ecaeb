//go:build !unix

package fsx

import (
	"errors"
	"syscall"
)

// ERROR_DISK_FULL and ERROR_HANDLE_DISK_FULL of Windows.
const (
	errNoSpace        = syscall.Errno(112)
	errHandleDiskFull = syscall.Errno(39)
)

func isNoSpace(err error) bool {
	return errors.Is(err, errNoSpace) || errors.Is(err, errHandleDiskFull)
}

// ERROR_FILE_TOO_LARGE of Windows.
func isTooBig(err error) bool { return errors.Is(err, syscall.Errno(223)) }

// Folders cannot be synced here; rename is journalled.
func syncDir(string) error { return nil }
