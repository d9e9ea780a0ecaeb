//go:build !linux && !darwin

package progress

import "os"

// TerminalWidth is 0: progress is plain lines on this platform.
func TerminalWidth(*os.File) int { return 0 }
