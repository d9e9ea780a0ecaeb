// Package version is what hlocc calls itself.
package version

import goruntime "runtime"

// Version is the version of this source tree. It is recorded in bundles, so it
// is a constant and not a property of the build: two builds of one tree write
// the same bytes.
const Version = "0.1.0"

// Info describes the program for people and bug reports. The commit is not in it:
// builds of one tree give one program, with and without its history.
type Info struct {
	Version string `json:"version"`
	Go      string `json:"go"`
	OS      string `json:"os"`
	Arch    string `json:"arch"`
}

// Read gives the Info of the running program.
func Read() Info {
	return Info{Version: Version, Go: goruntime.Version(), OS: goruntime.GOOS, Arch: goruntime.GOARCH}
}
