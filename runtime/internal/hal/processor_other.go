//go:build !amd64

package hal

type feature struct {
	name string
	bit  uint
	have bool
}

func features() []feature { return nil }
