package main

import (
	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/version"
)

func versionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:        "version",
		Usage:       "print the version",
		Description: examples("Prints the version, the compiler it works with, and the bundle schema it writes.", "hlocc version --json"),
		Flags:       []cli.Flag{jsonFlag()},
		Action:      action(e, runVersion),
	}
}

func runVersion(c *cli.Context, e *env) error {
	if _, err := positional(c); err != nil {
		return err
	}
	info, compiler := version.Read(), compile.Package+" "+compile.Pinned
	if e.json {
		return e.printJSON(struct {
			version.Info
			Compiler string `json:"compiler"`
			Schema   string `json:"bundle_schema"`
		}{info, compiler, bundle.Schema})
	}
	e.printf("hlocc %s (%s/%s, %s)\n", info.Version, info.OS, info.Arch, info.Go)
	e.printf("compiler %s\n", compiler)
	e.printf("bundle schema %s\n", bundle.Schema)
	return nil
}
