//go:build linux || darwin || freebsd

package fsx

import "golang.org/x/sys/unix"

// Free is the space that an ordinary user can still fill on dir's filesystem.
func Free(dir string) (int64, bool) {
	var st unix.Statfs_t
	if unix.Statfs(dir, &st) != nil || st.Bsize <= 0 {
		return 0, false
	}
	return int64(st.Bavail) * int64(st.Bsize), true
}
