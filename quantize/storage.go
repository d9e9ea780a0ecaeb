// Package quantize decides how each weight of a model is kept in a bundle, and
// turns checkpoint tensors into that form, streamed.
package quantize

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Storage is how one logical weight is kept. It is part of a build's plan.
type Storage struct {
	Weight string            `json:"weight"`
	DType  safetensors.DType `json:"dtype"`
	Shape  []int             `json:"shape"` // of the logical weight
	// Block is the number of rows whose elements lie side by side: a matrix
	// [N,K] is kept as [N/Block][K][Block], a stack of matrices [E,N,K] as
	// [E][N/Block][K][Block]. 0 means row-major.
	Block int `json:"block,omitempty"`
}

// StoredShape is the shape of the tensor in the archive.
func (s Storage) StoredShape() []int {
	if s.Block == 0 {
		return s.Shape
	}
	n := len(s.Shape) - 2
	return append(slices.Clone(s.Shape[:n]), s.Shape[n]/s.Block, s.Shape[n+1], s.Block)
}

// Bytes is the size of the tensor in the archive.
func (s Storage) Bytes() int64 {
	n := int64(s.DType.Bits() / 8)
	for _, d := range s.Shape {
		n *= int64(d)
	}
	return n
}

// A matrix of 16-bit floats is read one row of activations at a time in the
// decode step, and the compiler vectorizes that only when the elements of
// several rows lie side by side: 20 to 26 GB/s against 4 to 5 row-major. float32
// reads equally well either way. See docs/measurements.md.
var blockSizes = []int{32, 16, 8}

// isMatrix says that a weight of two axes is one to multiply with: biases of
// experts and norms of single heads have two axes as well.
func isMatrix(name string) bool {
	return !strings.HasSuffix(name, ".bias") && !strings.HasSuffix(name, "norm.weight")
}

// Experts are gathered, whatever their type; the loop that the compiler makes of
// that reads blocks of 16 rows almost twice as fast as those of 32. See
// docs/measurements.md.
var expertBlockSizes = []int{16, 8}

// isExperts tells the weights of a layer's experts, stacks of matrices [E,N,K].
func isExperts(name string) bool {
	return strings.Contains(name, ".moe.experts.") && strings.HasSuffix(name, ".weight")
}

// isValueUp tells the matrices that expand latent values, [heads,N,K], of which each
// is multiplied with as any other. Those of keys are summed over their rows, for
// which row-major is best.
func isValueUp(name string) bool { return strings.HasSuffix(name, ".attn.v_up.weight") }

// Plan chooses the storage of every weight of a model, in order. dtype is the
// type that all of them get, "" for each one's own (float64 becomes float32, in
// which all arithmetic is done).
func Plan(weights []arch.Weight, dtype safetensors.DType) []Storage {
	plan := make([]Storage, len(weights))
	for i := range weights {
		w := &weights[i]
		s := Storage{Weight: w.Name, DType: dtype, Shape: w.Shape}
		if dtype == "" {
			s.DType = w.Storage()
		}
		s.Block = blockOf(s)
		plan[i] = s
	}
	return plan
}

func blockOf(s Storage) int {
	sizes := blockSizes
	switch {
	case isExperts(s.Weight):
		sizes = expertBlockSizes
	case s.DType.Bits() != 16 || !isMatrix(s.Weight):
		return 0
	case len(s.Shape) != 2 && !isValueUp(s.Weight):
		return 0
	}
	for _, b := range sizes {
		if s.Shape[len(s.Shape)-2]%b == 0 {
			return b
		}
	}
	return 0
}

// ParseDType reads the --dtype option: "", "f32", "f16" or "bf16".
func ParseDType(s string) (safetensors.DType, error) {
	switch s {
	case "":
		return "", nil
	case "f32":
		return safetensors.F32, nil
	case "f16":
		return safetensors.F16, nil
	case "bf16":
		return safetensors.BF16, nil
	}
	return "", &diag.Error{Kind: diag.Usage, Code: "usage", Message: "weights cannot be stored in this type",
		Where: "--dtype", Want: "bf16, f16 or f32", Found: fmt.Sprintf("%q", s)}
}
