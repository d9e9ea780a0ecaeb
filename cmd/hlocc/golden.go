package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/golden"
)

func goldenCommand(e *env) *cli.Command {
	sub := func(name, usage, description string, run func(*cli.Context, *env) error, examplesOf ...string) *cli.Command {
		return &cli.Command{
			Name: name, Usage: usage, ArgsUsage: "[FAMILY]", Description: examples(description, examplesOf...),
			Flags: []cli.Flag{
				&cli.StringFlag{Name: "dir", Usage: "the `FOLDER` of the golden files (default: goldens of the repository)"},
				&cli.StringFlag{Name: "fixtures", Usage: "the `FOLDER` of the fixtures (default: fixtures/tiny of the repository)"},
				jsonFlag(),
			},
			Action: action(e, run),
		}
	}
	return &cli.Command{
		Name:  "golden",
		Usage: "compare what the families lower to with the golden files",
		Subcommands: []*cli.Command{
			sub("check", "fail if a golden file is not what is made now", "Makes every golden file anew and compares, byte for byte. Files that differ, are missing, or that nothing makes any\n"+
				"more are listed; exit code 5.", runGoldenCheck, "hlocc golden check", "hlocc golden check qwen2"),
			sub("update", "write the golden files anew", "Each file is replaced whole; files that nothing makes any more are removed.", runGoldenUpdate,
				"hlocc golden update", "hlocc golden update gemma2"),
			sub("diff", "say what changed since the golden files were written", "Says it in the terms of the model, then shows the lines.", runGoldenDiff,
				"hlocc golden diff", "hlocc golden diff llama"),
		},
	}
}

// goldenDifferences compares the golden files with what is made now.
func goldenDifferences(c *cli.Context) (dir string, made int, list []golden.Difference, err error) {
	args, err := positional(c, "FAMILY?")
	if err != nil {
		return "", 0, nil, err
	}
	dir, fixtures := c.String("dir"), c.String("fixtures")
	if dir == "" || fixtures == "" {
		root, err := repository()
		if err != nil {
			return "", 0, nil, err
		}
		if dir == "" {
			dir = filepath.Join(root, "goldens")
		}
		if fixtures == "" {
			fixtures = filepath.Join(root, "fixtures", "tiny")
		}
	}
	files, err := golden.Make(fixtures, args[0])
	if err != nil {
		return "", 0, nil, err
	}
	list, err = golden.Compare(dir, args[0], files)
	return dir, len(files), list, err
}

// repository is the folder with fixtures/tiny, here or above.
func repository() (string, error) {
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for dir := here; ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(filepath.Join(dir, "fixtures", "tiny")); err == nil && info.IsDir() {
			return dir, nil
		}
		if dir == filepath.Dir(dir) {
			return "", usage("--dir", "run it in the repository, or give --dir and --fixtures", "there is no folder fixtures/tiny here or above")
		}
	}
}

func runGoldenCheck(c *cli.Context, e *env) error {
	dir, made, list, err := goldenDifferences(c)
	if err != nil {
		return err
	}
	if e.json {
		if list == nil {
			list = []golden.Difference{}
		}
		if err := e.printJSON(map[string]any{"files": made, "differences": list, "pass": len(list) == 0}); err != nil {
			return err
		}
	} else {
		for _, d := range list {
			e.printf("%-8s %s\n", d.Problem, d.Path)
		}
		if len(list) == 0 {
			e.printf("%d golden files are as they should be\n", made)
		}
	}
	return goldenError(dir, list)
}

// goldenError is the verdict on differences, nil if there are none.
func goldenError(dir string, list []golden.Difference) error {
	if len(list) == 0 {
		return nil
	}
	e := &diag.Error{Kind: diag.Verification, Code: "golden", File: filepath.Join(dir, filepath.FromSlash(list[0].Path)), Message: "golden file " + list[0].Problem,
		Fix: "see hlocc golden diff; if that is what you want, run hlocc golden update and commit"}
	switch list[0].Problem {
	case "missing":
		e.Message = "golden file is missing"
	case "orphan":
		e.Message = "nothing makes this golden file"
	}
	if n := len(list); n > 1 {
		e.Message += fmt.Sprintf(", and %d more files are not right", n-1)
	}
	return e
}

func runGoldenUpdate(c *cli.Context, e *env) error {
	dir, made, list, err := goldenDifferences(c)
	if err != nil {
		return err
	}
	if err := golden.Update(dir, list); err != nil {
		return err
	}
	if e.json {
		if list == nil {
			list = []golden.Difference{}
		}
		return e.printJSON(map[string]any{"files": made, "updated": list})
	}
	for _, d := range list {
		e.printf("%-8s %s\n", map[string]string{"differs": "changed", "missing": "new", "orphan": "removed"}[d.Problem], d.Path)
	}
	e.printf("%d golden files, %d updated\n", made, len(list))
	return nil
}

// goldenDiffLines bounds what is shown of one file.
const goldenDiffLines = 40

func runGoldenDiff(c *cli.Context, e *env) error {
	_, made, list, err := goldenDifferences(c)
	if err != nil {
		return err
	}
	type difference struct {
		Path    string   `json:"path"`
		Problem string   `json:"problem"`
		Changes []string `json:"changes"`
		Diff    string   `json:"diff"`
	}
	all := []difference{}
	for _, d := range list {
		changes, text := golden.Explain(d, goldenDiffLines)
		all = append(all, difference{d.Path, d.Problem, changes, text})
	}
	if e.json {
		return e.printJSON(map[string]any{"files": made, "differences": all})
	}
	for _, d := range all {
		e.printf("%s\n", d.Path)
		for _, change := range d.Changes {
			e.printf("  %s\n", change)
		}
		if d.Diff != "" {
			e.printf("\n    %s\n", strings.ReplaceAll(strings.TrimSuffix(d.Diff, "\n"), "\n", "\n    "))
		}
		e.printf("\n")
	}
	if len(all) == 0 {
		e.printf("%d golden files are as they should be\n", made)
	}
	return nil
}
