//go:build real

package kernel

func init() { everything = true }
