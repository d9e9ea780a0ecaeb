package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/extract"
)

func extractCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "extract",
		Usage:     "write a bundle's modules and weights as files for the stock IREE tools",
		ArgsUsage: "FILE",
		Description: examples("Writes weights.irpa and TARGET/GRAPH.vmfb to a new folder, and prints the command that runs each module.",
			"hlocc extract smol.hlocc -o smol", "hlocc extract smol.hlocc -o smol --target x86-64-v3"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Usage: "the `FOLDER` to write; it must be empty or not there"},
			&cli.StringSliceFlag{Name: "target", Usage: "only the modules of target `NAME` (may be repeated)"},
			jsonFlag(),
		},
		Action: action(e, runExtract),
	}
}

func runExtract(c *cli.Context, e *env) error {
	args, err := positional(c, "FILE")
	if err != nil {
		return err
	}
	if c.String("o") == "" {
		return usage("-o", "give -o FOLDER", "no folder to write to")
	}
	r, err := bundle.Open(args[0])
	if err != nil {
		return err
	}
	defer r.Close()
	files, err := extract.Run(c.Context, r, c.String("o"), c.StringSlice("target"), e.meter("weights"))
	if err != nil {
		return err
	}
	e.endProgress()
	if e.json {
		return e.printJSON(map[string]any{"files": files})
	}
	for _, f := range files {
		e.printf("%s  %s\n", f.Path, size(f.Bytes))
		if f.Command != nil {
			e.printf("  %s\n", strings.Join(f.Command, " "))
		}
	}
	return nil
}
