package main

import (
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/build"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/evaluate"
	"github.com/hlocc/hlocc/internal/oracle"
	"github.com/hlocc/hlocc/internal/progress"
	"github.com/hlocc/hlocc/runtime"
)

func validateCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "validate",
		Usage:     "compare a model with the results of its original implementation",
		ArgsUsage: "DIR|FILE",
		Description: examples("Builds DIR to a temporary bundle (or takes the bundle FILE), runs every case of the oracle by decode steps and by\n"+
			"prefill, and compares logits and greedy tokens. Exit code 5 means that they differ. The oracle is DIR/oracle.json unless\n"+
			"--oracle names another.",
			"hlocc validate ./SmolLM2-135M-Instruct --oracle oracle.json", "hlocc validate fixtures/tiny/gemma2", "hlocc validate smol.hlocc --oracle oracle.json --json"),
		Flags: append(append(append([]cli.Flag{
			&cli.StringFlag{Name: "oracle", Usage: "what must come out: `FILE`.json"},
			&cli.IntFlag{Name: "threads", Usage: "share the work between `N` threads (0: one for each CPU)"},
			&cli.StringSliceFlag{Name: "target", Usage: "build for and run target `NAME` (default: the best for this CPU)"},
		}, planFlags()...), compilerFlags()...), jsonFlag()),
		Action: action(e, runValidate),
	}
}

func runValidate(c *cli.Context, e *env) error {
	args, err := positional(c, "DIR|FILE")
	if err != nil {
		return err
	}
	if len(c.StringSlice("target")) > 1 {
		return usage("--target", "validate one target after the other", "more than one target")
	}
	o := runtime.Options{Threads: c.Int("threads"), PrefillGraphsOnly: true}
	if o.Threads < 0 {
		return usage("--threads", "give 1 or more, or 0 for one for each CPU", "there cannot be %d threads", o.Threads)
	}
	for _, t := range c.StringSlice("target") {
		o.Target = t
	}
	path := args[0]
	dir, err := isDir(path)
	if err != nil {
		return err
	}
	file, err := oracleFile(c.String("oracle"), path, dir)
	if err != nil {
		return err
	}
	expect, err := oracle.Load(file)
	if err != nil {
		return err
	}
	if dir {
		temp, err := os.MkdirTemp("", "hlocc-validate-")
		if err != nil {
			return &diag.Error{Kind: diag.Failed, Code: "temp", Message: "cannot make a temporary folder", Cause: err}
		}
		defer os.RemoveAll(temp)
		bo, err := e.buildOptions(c, path)
		if err != nil {
			return err
		}
		bo.Output = filepath.Join(temp, "validate.hlocc")
		if _, err := build.Run(c.Context, bo); err != nil {
			return err
		}
		path = bo.Output
	} else if name := setPlanFlag(c); name != "" {
		return usage("--"+name, "leave it out", "a bundle is built already")
	}
	m, err := runtime.OpenContext(c.Context, path, o)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := m.NewSession()
	if err != nil {
		return err
	}
	stage := e.progress().Stage("validate", int64(len(expect.Cases)), progress.Items)
	v, err := evaluate.Validate(c.Context, s, expect, m.Capabilities().Context, func() { stage.Add(1) })
	stage.Abandon()
	if err != nil {
		return err
	}
	e.endProgress()
	if e.json {
		if err := e.printJSON(v); err != nil {
			return err
		}
	}
	var failure error
	for _, r := range v.Cases {
		verdict := "agrees"
		if !r.Pass() {
			verdict = "DIFFERS"
			if failure == nil {
				failure = &diag.Error{Kind: diag.Verification, Code: "oracle", File: args[0], Where: r.Name,
					Message: "the model does not give what the oracle has", Found: r.Problem}
			}
		}
		if !e.json {
			e.printf("%-16s %s: %d of %d tokens, logits within %.2g (allowed %.2g)\n", r.Name, verdict, r.TokensAgree, r.TokensTotal, r.MaxAbsDLogit, r.Tolerance)
		}
	}
	return failure
}

// oracleFile is the oracle that was named, or the one in the model's directory.
func oracleFile(named, path string, isDir bool) (string, error) {
	if named != "" {
		return named, nil
	}
	if isDir {
		file := filepath.Join(path, "oracle.json")
		if _, err := os.Stat(file); err == nil {
			return file, nil
		}
		return "", usage("--oracle", "give --oracle FILE.json, or put oracle.json into the directory", "there is nothing to compare with")
	}
	return "", usage("--oracle", "give --oracle FILE.json", "there is nothing to compare with")
}

// setPlanFlag is the name of a flag that only makes sense for a directory.
func setPlanFlag(c *cli.Context) string {
	for _, f := range append(planFlags(), compilerFlags()...) {
		if name := f.Names()[0]; c.IsSet(name) {
			return name
		}
	}
	return ""
}
