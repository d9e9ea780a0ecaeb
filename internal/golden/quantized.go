package golden

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/internal/stored"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/kernel"
	"github.com/hlocc/hlocc/lower/pass"
	"github.com/hlocc/hlocc/quantize"
)

// portableQuantized are the families of which the portable graph of quantized weights is
// kept too. There is one for dense layers, one for experts and one for latent attention;
// others differ from these as their float graphs do.
var portableQuantized = []string{"llama", "qwen3_moe", "deepseek_v3"}

// kernelISA is the instruction set that kernels are chosen for. Others have the same.
var kernelISA = kernel.AVX512VNNI

// quantizedFiles are what quantization makes of a case: the plan of its weights, and the
// decode step with kernels in it.
func (c *goldenCase) quantizedFiles() ([]File, error) {
	dir := c.dir() + "/int4-g64"
	plan := quantize.Plan(c.model, quantize.Options{Scheme: quantize.Int4})
	files := []File{{dir + "/plan.txt", []byte(planText(plan, len(c.spec.Layers)))}}
	short, layers := sample(c.spec)
	forms := func(act quantize.Act) func(string) decoder.Stored {
		all := stored.Forms(plan, act)
		return func(name string) decoder.Stored {
			form := all[renumber(name, layers)]
			if form.Stack != "" { // is asked for by its name in the sample
				_, part := layerOf(form.Stack)
				n, _ := layerOf(name)
				form.Stack = fmt.Sprintf("layers.%d.%s", n, part)
			}
			return form
		}
	}
	o := decoder.Options{Kind: decoder.Decode}
	fast, err := decoder.Build(short, sized(o, forms(quantize.Fast)))
	if err == nil {
		fast, err = pass.Run(fast, pass.ForCPU(kernelISA))
	}
	if err != nil {
		return nil, err
	}
	files = append(files, File{dir + "/" + o.Name() + ".fast.ir", []byte(fast.String())})
	if slices.Contains(portableQuantized, c.family) {
		text, err := lower(short, o, forms(quantize.Exact))
		if err != nil {
			return nil, err
		}
		files = append(files, File{dir + "/" + o.Name() + ".mlir", text})
	}
	return files, nil
}

// planText lists how weights are kept; what is equal in several layers on one line.
func planText(plan []quantize.Storage, all int) string {
	var order []string
	layers := map[string][]int{}
	for _, s := range plan {
		layer, name := layerOf(s.Weight)
		form := string(s.Scheme)
		if !s.Quantized() {
			form = strings.ToLower(string(s.DType))
		} else {
			form += " " + strings.ToLower(string(s.Params))
		}
		line := fmt.Sprintf("%s %s%v (%s)", name, form, s.Shape, s.Why)
		for i, part := range s.Parts {
			_, part = layerOf(part)
			line += []string{"\n  <- ", "\n   + "}[min(i, 1)] + part
		}
		if layers[line] == nil {
			order = append(order, line)
		}
		layers[line] = append(layers[line], layer)
	}
	var b strings.Builder
	for _, line := range order {
		if at := layers[line]; at[0] >= 0 {
			fmt.Fprintf(&b, "layers[%s].", layerRange(at, all))
		}
		fmt.Fprintln(&b, line)
	}
	return b.String()
}

// sized are options with the sizes of golden graphs.
func sized(o decoder.Options, form func(string) decoder.Stored) decoder.Options {
	o.Context, o.Rows, o.Weight = goldenContext, decoder.CacheRows(goldenContext, []int{goldenBucket}, true), form
	return o
}
