package main

import (
	"bytes"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/fsx"
	"github.com/hlocc/hlocc/internal/report"
)

func reportCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "report",
		Usage:     "show what quantization did to a bundle's weights",
		ArgsUsage: "FILE",
		Description: examples("Prints a table of all quantized weights: size, relative and largest error, saturation. With -o, writes a page with plots,\n"+
			"which needs nothing but a browser.",
			"hlocc report smol.hlocc", "hlocc report smol.hlocc -o report.html", "hlocc report smol.hlocc --json"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Usage: "write the page to `FILE`.html"},
			jsonFlag(),
		},
		Action: action(e, runReport),
	}
}

func runReport(c *cli.Context, e *env) error {
	args, err := positional(c, "FILE")
	if err != nil {
		return err
	}
	b, err := bundle.Open(args[0])
	if err != nil {
		return err
	}
	defer b.Close()
	r, err := report.Of(b)
	if err != nil {
		return err
	}
	if out := c.String("o"); out != "" {
		var page bytes.Buffer
		if err := r.WriteHTML(&page); err != nil {
			return err
		}
		if err := fsx.WriteFile(out, page.Bytes()); err != nil {
			return err
		}
		if !e.json {
			e.printf("%s: %s\n", out, size(int64(page.Len())))
			return nil
		}
	}
	if e.json {
		return e.printJSON(r)
	}
	return r.WriteText(e.out)
}
