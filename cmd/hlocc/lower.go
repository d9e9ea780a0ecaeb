package main

import (
	"bytes"
	"context"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/build"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/fsx"
	"github.com/hlocc/hlocc/quantize"
)

func lowerCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "lower",
		Usage:     "print a graph of a model as StableHLO",
		ArgsUsage: "DIR",
		Description: examples("Prints the text that the compiler gets. It holds no weights, and is the same for every checkpoint of one\n"+
			"architecture. --weights args makes it pure StableHLO for any consumer, with the weights as arguments; comments at\n"+
			"its top say which argument is which, and --values writes what they hold.",
			"hlocc lower ./SmolLM2-135M-Instruct --graph decode",
			"hlocc lower ./SmolLM2-135M-Instruct --graph decode --batch 4",
			"hlocc lower ./SmolLM2-135M-Instruct --graph decode --quant int4-g64:fast --target x86-64-v4-vnni",
			"hlocc lower ./SmolLM2-135M-Instruct --graph prefill --bucket 128 --weights args --values weights.safetensors"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "graph", Value: "decode", Usage: "`prefill` or decode"},
			&cli.IntFlag{Name: "bucket", Usage: "size `N` of the prefill (default: the smallest of a build)"},
			&cli.IntFlag{Name: "batch", Value: 1, Usage: "a decode step of `B` sequences, each at its own position"},
			&cli.IntFlag{Name: "context", Usage: "`N` tokens of context (default: as for build)"},
			quantFlag(), headFlag(), scalesFlag(),
			&cli.StringFlag{Name: "target", Usage: "with the kernels of target `NAME` (default: none, a graph for any consumer of StableHLO)"},
			&cli.StringFlag{Name: "kernels", Usage: "`on` or off: off leaves them out although a target is given", DefaultText: "on with --target"},
			&cli.StringFlag{Name: "weights", Value: "params", Usage: "`params` (named parameters of IREE) or args"},
			&cli.StringFlag{Name: "values", Usage: "with --weights args: also write the weights to `FILE`, as safetensors"},
			&cli.BoolFlag{Name: "locations", Usage: "say of every operation where in the model it belongs", DisableDefaultText: true},
			jsonFlag(),
		},
		Action: action(e, runLower),
	}
}

func runLower(c *cli.Context, e *env) error {
	args, err := positional(c, "DIR")
	if err != nil {
		return err
	}
	o := build.PrintOptions{Graph: c.String("graph"), Bucket: c.Int("bucket"), Batch: c.Int("batch"), Context: c.Int("context"), Locations: c.Bool("locations")}
	switch w := c.String("weights"); w {
	case "args":
		o.WeightArgs = true
	case "params":
	default:
		return usage("--weights", "give params or args", "there is no form %q", w)
	}
	switch {
	case o.Graph != "prefill" && o.Graph != "decode":
		return usage("--graph", "give prefill or decode", "there is no graph %q", o.Graph)
	case c.IsSet("bucket") && o.Graph == "decode":
		return usage("--bucket", "leave it out, or give --graph prefill", "a decode step has no bucket")
	case c.IsSet("batch") && o.Graph == "prefill":
		return usage("--batch", "leave it out, or give --graph decode", "a prefill is of one sequence")
	case o.Batch < 1:
		return usage("--batch", "give 1 or more", "there is no batch of %d", o.Batch)
	case c.String("values") != "" && !o.WeightArgs:
		return usage("--values", "add --weights args", "only weights that are arguments have values to give")
	}
	if o.Weights.Scheme, o.Act, err = quantize.ParseQuant(c.String("quant")); err != nil {
		return err
	}
	if o.Weights.Head, err = quantize.ParseHead(c.String("head")); err != nil {
		return err
	}
	if o.Weights.Params, err = quantize.ParseParams(c.String("scales")); err != nil {
		return err
	}
	if o.Kernels, err = kernelTarget(c); err != nil {
		return err
	}
	if o.Kernels != nil && o.WeightArgs {
		return usage("--weights", "leave out --target", "kernels belong to the compiler's own form, whose weights are parameters")
	}
	m, err := arch.Open(args[0])
	if err != nil {
		return err
	}
	defer m.Close()
	var text bytes.Buffer
	listing, err := build.PrintGraph(&text, m, o)
	if err != nil {
		return err
	}
	if path := c.String("values"); path != "" {
		if err := writeValues(c.Context, path, m, o); err != nil {
			return err
		}
	}
	if e.json {
		type input struct {
			Name string `json:"name"`
			Role string `json:"role,omitempty"`
			Key  string `json:"weight,omitempty"`
			Type string `json:"type"`
		}
		type output struct {
			Role string `json:"role"`
			Type string `json:"type"`
		}
		inputs, outputs := []input{}, []output{}
		for _, in := range listing.Inputs {
			inputs = append(inputs, input{in.Name, in.Role, in.Key, fmt.Sprint(in.Type)})
		}
		for _, out := range listing.Outputs {
			outputs = append(outputs, output{out.Role, fmt.Sprint(out.Type)})
		}
		return e.printJSON(map[string]any{"text": text.String(), "inputs": inputs, "results": outputs})
	}
	if o.WeightArgs {
		for _, in := range listing.Inputs {
			e.printf("// %%%s: %s%s %v\n", in.Name, in.Role, in.Key, in.Type)
		}
	}
	_, err = text.WriteTo(e.out)
	return err
}

// kernelTarget is the target whose kernels a graph is to call, nil for none.
func kernelTarget(c *cli.Context) (*compile.Target, error) {
	name, kernels := c.String("target"), c.String("kernels")
	switch {
	case kernels != "" && kernels != "on" && kernels != "off":
		return nil, usage("--kernels", "give on or off", "there is no choice %q", kernels)
	case name == "" && kernels == "on":
		return nil, usage("--kernels", "add --target NAME", "kernels are of a target")
	case name == "":
		return nil, nil
	}
	t, err := compile.FindTarget(name, cpu.Host())
	if err != nil || kernels == "off" {
		return nil, err
	}
	return &t, nil
}

func writeValues(ctx context.Context, path string, m *arch.Model, o build.PrintOptions) error {
	f, err := fsx.Create(path)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := build.WriteValues(ctx, f, m, o); err != nil {
		return err
	}
	return f.Commit()
}
