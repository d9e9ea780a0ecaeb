// Package version is what hlocc calls itself.
package version

import (
	goruntime "runtime"
	"runtime/debug"
)

// Version is the version of this source tree. It is recorded in bundles, so it
// is a constant and not a property of the build: two builds of one tree write
// the same bytes.
const Version = "0.1.0"

// Info describes the program for people and bug reports.
type Info struct {
	Version  string `json:"version"`
	Commit   string `json:"commit"`   // of the source, "" if the build did not record it
	Modified bool   `json:"modified"` // the source had changes that were not committed
	Go       string `json:"go"`
	OS       string `json:"os"`
	Arch     string `json:"arch"`
}

// Read gives the Info of the running program.
func Read() Info {
	i := Info{Version: Version, Go: goruntime.Version(), OS: goruntime.GOOS, Arch: goruntime.GOARCH}
	if b, ok := debug.ReadBuildInfo(); ok {
		for _, s := range b.Settings {
			switch s.Key {
			case "vcs.revision":
				i.Commit = s.Value
			case "vcs.modified":
				i.Modified = s.Value == "true"
			}
		}
	}
	return i
}
