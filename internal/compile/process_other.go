//go:build !linux && !darwin && !freebsd

package compile

import (
	"os"
	"os/exec"
)

func isolate(*exec.Cmd) {}

func killedBy(*os.ProcessState) (signal int, name string) { return 0, "" }

func inode(os.FileInfo) uint64 { return 0 }

func peakRSS(*os.ProcessState) int64 { return 0 }

// childEnv is the environment of the compiler; without SYSTEMROOT no program
// starts on Windows.
func childEnv() []string {
	return []string{"SYSTEMROOT=" + os.Getenv("SYSTEMROOT"), "TMP=.", "TEMP=."}
}

const quotesPaths = true
