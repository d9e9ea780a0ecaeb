package fsx

import (
	"crypto/rand"
	"errors"
	"os"
	"path/filepath"
)

// createTemp makes a new file with the permissions that the umask gives
// (os.CreateTemp would make it private) under a name that nobody can guess and
// so nobody can have prepared.
func createTemp(dir, base string) (*os.File, error) {
	const maxBase = 128 // file names are limited to 255 bytes
	if len(base) > maxBase {
		base = base[:maxBase]
	}
	for {
		name := filepath.Join(dir, "."+base+"."+rand.Text()+".tmp")
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, os.ErrExist) {
			return f, err
		}
	}
}
