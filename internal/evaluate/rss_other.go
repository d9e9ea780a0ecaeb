//go:build !linux

package evaluate

// PeakRSS is not known on this platform.
func PeakRSS() int64 { return 0 }
