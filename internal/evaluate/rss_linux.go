package evaluate

import (
	"bytes"
	"os"
	"strconv"
)

// PeakRSS is VmHWM, the highest resident memory of this process so far, in
// bytes; pages of mapped files count while they are resident.
func PeakRSS() int64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	_, after, ok := bytes.Cut(b, []byte("VmHWM:"))
	if !ok {
		return 0
	}
	fields := bytes.Fields(after)
	if len(fields) == 0 {
		return 0
	}
	kb, err := strconv.ParseInt(string(fields[0]), 10, 64)
	if err != nil {
		return 0
	}
	return kb << 10
}
