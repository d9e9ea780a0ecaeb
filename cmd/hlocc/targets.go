package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
)

func targetsCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:  "targets",
		Usage: "list the targets that can be built for",
		Description: examples("Lists what --target of `hlocc build` takes, and whether this machine can run it.",
			"hlocc targets", "hlocc targets --json"),
		Flags:  []cli.Flag{jsonFlag()},
		Action: action(e, runTargets),
	}
}

type targetReport struct {
	Name         string   `json:"name"`
	Arch         string   `json:"arch"`
	Summary      string   `json:"summary"`
	Features     []string `json:"cpu_features"`
	Runs         bool     `json:"runs_here"`
	Missing      []string `json:"missing_features"`
	Default      bool     `json:"default"`
	Reproducible bool     `json:"reproducible"`
}

func runTargets(c *cli.Context, e *env) error {
	if _, err := positional(c); err != nil {
		return err
	}
	machine := cpu.Host()
	best, bestErr := compile.DefaultTarget(machine)
	list := []targetReport{}
	for _, name := range compile.TargetNames() {
		t, err := compile.FindTarget(name, machine)
		if err != nil { // "host", on a machine that has no level
			continue
		}
		runs, missing := t.Runs(machine)
		list = append(list, targetReport{t.Name, t.Arch, t.Summary, t.Features, runs, append([]string{}, missing...),
			bestErr == nil && t.Name == best.Name, t.Reproducible})
	}
	if e.json {
		return e.printJSON(map[string]any{"targets": list})
	}
	for _, t := range list {
		state := "runs here"
		switch {
		case t.Default:
			state = "runs here, the default"
		case len(t.Missing) > 0:
			state = "does not run here: the CPU lacks " + strings.Join(t.Missing, ", ")
		case !t.Runs:
			state = "does not run here"
		}
		e.printf("%-18s %s\n%-18s %s\n", t.Name, t.Summary, "", state)
	}
	return nil
}
