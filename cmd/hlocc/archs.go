package main

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families" // registers them
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/golden"
)

func archsCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "archs",
		Usage:     "list the model families that can be built",
		ArgsUsage: "[FAMILY]",
		Description: examples("Lists the families by the model_type of config.json: the models that users know, what sets the family apart, and\n"+
			"which tiny checkpoints prove it against the results of its original implementation. Within the repository also which families\n"+
			"share a program, as its golden files show.",
			"hlocc archs", "hlocc archs gemma2", "hlocc archs --json"),
		Flags:  []cli.Flag{jsonFlag()},
		Action: action(e, runArchs),
	}
}

// familyReport is the JSON of one family.
type familyReport struct {
	Name          string   `json:"name"`
	Title         string   `json:"title"`
	Architectures []string `json:"architectures"`
	Quirks        []string `json:"quirks"`
	Proven        bool     `json:"proven"`
	Proof         []string `json:"proof"` // fixtures
	// SharesProgram names families whose graphs are equal for some models.
	SharesProgram []string `json:"shares_program,omitempty"`
}

func runArchs(c *cli.Context, e *env) error {
	args, err := positional(c, "FAMILY?")
	if err != nil {
		return err
	}
	var shared map[string][]string
	if root, err := repository(); err == nil {
		if shared, err = golden.SharedPrograms(filepath.Join(root, "goldens")); err != nil {
			return err
		}
	}
	list := []familyReport{}
	var names []string
	for _, f := range arch.Families() {
		names = append(names, f.Name)
		if args[0] == "" || args[0] == f.Name {
			list = append(list, familyReport{f.Name, f.Title, f.Architectures, append([]string{}, f.Quirks...), len(f.Proof) > 0, append([]string{}, f.Proof...), shared[f.Name]})
		}
	}
	if len(list) == 0 {
		return unknownFamily(args[0], names)
	}
	if e.json {
		return e.printJSON(map[string]any{"families": list})
	}
	width := len(slices.MaxFunc(names, func(a, b string) int { return len(a) - len(b) }))
	line := func(name, format string, args ...any) {
		e.printf("%-*s  "+format+"\n", append([]any{width, name}, args...)...)
	}
	fixtures := 0
	for _, f := range list {
		line(f.Name, "%s", f.Title)
		for _, q := range f.Quirks {
			line("", "- %s", q)
		}
		switch {
		case f.Proven:
			line("", "proven by %s", strings.Join(f.Proof, ", "))
		default:
			line("", "not proven yet")
		}
		if len(f.SharesProgram) > 0 {
			line("", "shares its program with %s", strings.Join(f.SharesProgram, ", "))
		}
		fixtures += len(f.Proof)
	}
	if len(list) > 1 {
		e.printf("\n%d families, proven by %d checkpoints\n", len(list), fixtures)
	}
	return nil
}

func unknownFamily(name string, names []string) error {
	e := &diag.Error{Kind: diag.Unsupported, Code: "model_type", Where: name, Message: "there is no such family", Fix: "see `hlocc archs` for all of them"}
	if what, needs := arch.RefusedModel(name); what != "" {
		e.Message = "the family is not supported: " + what
		e.Fix = "support would need " + needs
	} else if near := nearest(name, names); near != "" {
		e.Fix = "did you mean " + near + "? See `hlocc archs` for all of them"
	}
	return e
}
