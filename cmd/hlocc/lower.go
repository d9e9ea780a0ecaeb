package main

import (
	"bytes"
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/build"
)

func lowerCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "lower",
		Usage:     "print a graph of a model as StableHLO",
		ArgsUsage: "DIR",
		Description: examples("Prints the text that the compiler gets. It holds no weights, and is the same for every checkpoint of one\n"+
			"architecture. --weights args makes it pure StableHLO for any consumer, with the weights as arguments; comments at\n"+
			"its top say which argument is which.",
			"hlocc lower ./SmolLM2-135M-Instruct --graph decode",
			"hlocc lower ./SmolLM2-135M-Instruct --graph prefill --bucket 128 --weights args"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "graph", Value: "decode", Usage: "`prefill` or decode"},
			&cli.IntFlag{Name: "bucket", Usage: "size `N` of the prefill (default: the smallest of a build)"},
			&cli.IntFlag{Name: "context", Usage: "`N` tokens of context (default: as for build)"},
			&cli.StringFlag{Name: "weights", Value: "params", Usage: "`params` (named parameters of IREE) or args"},
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
	o := build.PrintOptions{Graph: c.String("graph"), Bucket: c.Int("bucket"), Context: c.Int("context"), Locations: c.Bool("locations")}
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
	if e.json {
		type input struct {
			Name string `json:"name"`
			Role string `json:"role,omitempty"`
			Key  string `json:"weight,omitempty"`
			Type string `json:"type"`
		}
		inputs := []input{}
		for _, in := range listing.Inputs {
			inputs = append(inputs, input{in.Name, in.Role, in.Key, fmt.Sprint(in.Type)})
		}
		return e.printJSON(map[string]any{"text": text.String(), "inputs": inputs})
	}
	if o.WeightArgs {
		for _, in := range listing.Inputs {
			e.printf("// %%%s: %s%s %v\n", in.Name, in.Role, in.Key, in.Type)
		}
	}
	_, err = text.WriteTo(e.out)
	return err
}
