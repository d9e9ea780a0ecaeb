package main

import (
	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/doctor"
)

func doctorCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "say what is missing to build and run here, and how to get it",
		Description: examples("Checks the platform, the CPU, the cache and the compiler, and gives the exact command that puts right what is wrong.",
			"hlocc doctor", "hlocc doctor --json"),
		Flags:  []cli.Flag{compilerFlags()[0], jsonFlag()},
		Action: action(e, runDoctor),
	}
}

func runDoctor(c *cli.Context, e *env) error {
	if _, err := positional(c); err != nil {
		return err
	}
	dir, err := compile.DefaultCacheDir()
	if err != nil {
		return err
	}
	r := doctor.Run(c.Context, doctor.Options{Search: compile.DefaultSearch(c.String("iree-compile")), CacheDir: dir})
	if e.json {
		if err := e.printJSON(r); err != nil {
			return err
		}
		return r.Err()
	}
	for _, check := range r.Checks {
		e.printf("%-4s  %-18s %s\n", check.Status, check.Name, check.Detail)
		if check.Fix != "" {
			e.printf("%-4s  %-18s to fix: %s\n", "", "", check.Fix)
		}
	}
	return r.Err()
}
