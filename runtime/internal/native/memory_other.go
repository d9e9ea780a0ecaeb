//go:build !unix

package native

func mapMemory(n int) ([]byte, error) { return nil, Supported() }
func protectNone(b []byte) error      { return Supported() }
func unmapMemory(b []byte) error      { return Supported() }
