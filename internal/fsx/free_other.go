//go:build !linux && !darwin && !freebsd

package fsx

// Free is not known on this platform.
func Free(string) (int64, bool) { return 0, false }
