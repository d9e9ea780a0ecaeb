package arch

import (
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/internal/safetensors"
)

// Further describes layers that a checkpoint holds after those that its config
// counts, such as DeepSeek's for multi-token prediction. Their tensors are left out.
type Further struct {
	// Layer is the beginning of the names of a layer's tensors, with a '*' for its
	// number.
	Layer string
	// Marker is the rest of the name of a tensor that such a layer has, and that no
	// layer of the model has: without it the config counts too few layers.
	Marker string
	Reason string
}

// has says whether the tensor belongs to a further layer of a model of so many.
func (f *Further) has(name string, layers int, ckpt *safetensors.Checkpoint) bool {
	prefix, suffix, _ := strings.Cut(f.Layer, "*")
	rest, ok := strings.CutPrefix(name, prefix)
	if !ok {
		return false
	}
	number, _, ok := strings.Cut(rest, suffix)
	n, err := strconv.Atoi(number)
	return ok && err == nil && strconv.Itoa(n) == number && n >= layers && ckpt.Tensor(prefix+number+suffix+f.Marker) != nil
}
