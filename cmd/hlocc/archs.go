package main

import (
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families" // registers them
)

func archsCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:        "archs",
		Usage:       "list the model families that can be built",
		Description: examples("Lists the families by the model_type of config.json, with what sets each apart.", "hlocc archs", "hlocc archs --json"),
		Flags:       []cli.Flag{jsonFlag()},
		Action:      action(e, runArchs),
	}
}

func runArchs(c *cli.Context, e *env) error {
	if _, err := positional(c); err != nil {
		return err
	}
	if e.json {
		type family struct {
			Name          string   `json:"name"`
			Title         string   `json:"title"`
			Architectures []string `json:"architectures"`
			Quirks        []string `json:"quirks"`
			Proof         []string `json:"proof"`
		}
		list := []family{}
		for _, f := range arch.Families() {
			list = append(list, family{f.Name, f.Title, f.Architectures, f.Quirks, f.Proof})
		}
		return e.printJSON(map[string]any{"families": list})
	}
	for _, f := range arch.Families() {
		e.printf("%-12s %s\n", f.Name, f.Title)
		for _, q := range f.Quirks {
			e.printf("%-12s   %s\n", "", q)
		}
		if len(f.Proof) > 0 {
			e.printf("%-12s   judged by: %s\n", "", strings.Join(f.Proof, ", "))
		}
	}
	return nil
}
