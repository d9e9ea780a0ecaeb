//go:build linux || darwin || freebsd

package compile

import (
	"errors"
	"os"

	"golang.org/x/sys/unix"
)

// A fileLock is held through an open file: the system lets go of it when the
// process ends, however it ends, so there are no stale locks.
type fileLock struct {
	f    *os.File
	path string
}

// tryLock takes the lock if nobody holds it. The holder removes the file before
// it lets go; whoever had it open meanwhile holds a lock on nothing, notices by
// the file's identity, and tries again.
func tryLock(path string) (*fileLock, bool) {
	for {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o644)
		if err != nil {
			return &fileLock{}, true // a cache that cannot be written fails later, and says so
		}
		if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
			f.Close()
			if errors.Is(err, unix.EINTR) {
				continue
			}
			// Anything but "taken" means that this filesystem has no locks.
			return &fileLock{}, !errors.Is(err, unix.EWOULDBLOCK)
		}
		mine, err1 := f.Stat()
		there, err2 := os.Stat(path)
		if err1 == nil && err2 == nil && os.SameFile(mine, there) {
			return &fileLock{f: f, path: path}, true
		}
		f.Close()
		if err1 != nil {
			return &fileLock{}, true
		}
	}
}

func (l *fileLock) unlock() {
	if l.f == nil {
		return
	}
	_ = os.Remove(l.path)
	l.f.Close()
}
