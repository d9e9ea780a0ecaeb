package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/build"
	"github.com/hlocc/hlocc/internal/progress"
)

func buildCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "build",
		Usage:     "compile a model directory into a bundle",
		ArgsUsage: "DIR",
		Description: examples("Reads a model in Hugging Face form, compiles its graphs and writes one file that `hlocc run` needs nothing else for.\n"+
			"Before the file gets its name it is run and held against the reference interpreter.",
			"hlocc build ./SmolLM2-135M-Instruct -o smol.hlocc",
			"hlocc build ./SmolLM2-135M-Instruct -o smol.hlocc --target x86-64-v3 --target x86-64-v4 --context 4096"),
		Flags: append(append([]cli.Flag{
			&cli.StringFlag{Name: "o", Aliases: []string{"output"}, Usage: "the bundle to write, `FILE`.hlocc"},
			&cli.StringSliceFlag{Name: "target", Usage: "compile for `NAME` (see `hlocc targets`; may be repeated; default: the highest level of this CPU)"},
			&cli.StringFlag{Name: "calibrate", Value: "default", Usage: "search for 4-bit weights that do well on `TEXT`, a file; default is a text of its own, none is no text"},
			&cli.StringFlag{Name: "slots", Usage: "also compile decode steps for batches of these `SIZES`, such as 4,8 (default: none)"},
		}, planFlags()...), append(compilerFlags(), jsonFlag())...),
		Action: action(e, runBuild),
	}
}

func runBuild(c *cli.Context, e *env) error {
	args, err := positional(c, "DIR")
	if err != nil {
		return err
	}
	if c.String("o") == "" {
		return usage("-o", "give -o FILE.hlocc", "no file to write to")
	}
	o, err := e.buildOptions(c, args[0])
	if err != nil {
		return err
	}
	o.Output = c.String("o")
	if o.Calibration, err = calibration(c.String("calibrate"), args[0], o.Plan); err != nil {
		return err
	}
	r, err := build.Run(c.Context, o)
	if err != nil {
		return err
	}
	e.endProgress()
	if e.json {
		return e.printJSON(r)
	}
	cached := 0
	for _, m := range r.Modules {
		if m.Cached {
			cached++
		}
	}
	e.printf("%s: %s, %s, built in %s\n%s\n", r.Output, r.Family, size(r.Bytes), progress.Duration(seconds(r.Seconds)), r.Digest)
	e.row("targets", "%s", strings.Join(r.Targets, ", "))
	e.row("context", "%d tokens", r.Context)
	if k := r.Calibration; k != nil && k.Skipped != "" {
		e.row("calibration", "none: %s; --calibrate TEXT does it all the same", k.Skipped)
	}
	e.row("modules", "%d, %d of them from the cache", len(r.Modules), cached)
	for _, p := range r.Replays {
		if p.Skipped != "" {
			e.row("not run", "%s: %s", p.Target, p.Skipped)
		} else {
			e.row("proven", "%s: %d tokens as the interpreter, logits within %.1e", p.Target, p.Tokens, p.MaxAbsDLogit)
		}
		if len(p.Unproven) > 0 {
			e.row("not run", "%s: %s, there is no memory for the caches", p.Target, strings.Join(p.Unproven, ", "))
		}
	}
	return nil
}
