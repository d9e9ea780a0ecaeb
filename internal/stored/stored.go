// Package stored tells the decoder's graphs in which form a plan keeps each weight.
package stored

import (
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/quantize"
)

// The layout of quantized matrices is stated twice, for graphs and for bytes: neither
// package knows the other. A difference does not compile.
const (
	_ = uint(quantize.Group-ir.GroupSize) + uint(ir.GroupSize-quantize.Group)
	_ = uint(quantize.BlockRows-ir.LaneRows) + uint(ir.LaneRows-quantize.BlockRows)
)

// Forms are the forms of all weights of a plan by their names, the parts of stacks
// included. act is how quantized linears read their activations.
func Forms(plan []quantize.Storage, act quantize.Act) map[string]decoder.Stored {
	forms := make(map[string]decoder.Stored, len(plan))
	for _, s := range plan {
		form := decoder.StoredAs(s.DType, s.Block)
		if s.Quantized() {
			form = decoder.Stored{DType: ir.F32, Bits: s.Scheme.Bits(), Int8: act == quantize.Fast}
			if s.Params == safetensors.F16 {
				form.DType = ir.F16
			}
		}
		forms[s.Weight] = form
		for _, part := range s.Parts {
			forms[part] = decoder.Stored{Stack: s.Weight}
		}
	}
	return forms
}
