package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

// arrange moves the flags of a command before its positional arguments, where
// the flag parser wants them: `hlocc run m.hlocc "text" -n 5` becomes
// `hlocc run -n 5 -- m.hlocc "text"`. Which flags take a value comes from the
// command's own table. "--" ends the flags. On the way it finds misspelt
// commands and flags, and notes in e whether --json was given, so that errors of
// any kind can be JSON.
func arrange(app *cli.App, e *env, args []string) ([]string, error) {
	var out []string
	path, commands := app.Name, app.Commands
	for i, a := range args {
		if strings.HasPrefix(a, "-") {
			if !slices.Contains([]string{"-h", "--help", "-v", "--version"}, a) {
				return nil, usage(a, fmt.Sprintf("see `%s --help`", path), "flag does not belong to %q; flags follow the command's name", path)
			}
			out = append(out, a)
			continue
		}
		if a == "help" || a == "h" {
			return args, nil
		}
		cmd := find(commands, a)
		if cmd == nil {
			return nil, unknown("command", path, a, commandNames(commands))
		}
		out = append(out, a)
		path += " " + cmd.Name
		if len(cmd.Subcommands) == 0 {
			rest, err := arrangeLeaf(cmd, path, e, args[i+1:])
			return append(out, rest...), err
		}
		commands = cmd.Subcommands
	}
	return out, nil
}

// arrangeLeaf orders the arguments of a command without subcommands.
func arrangeLeaf(cmd *cli.Command, path string, e *env, args []string) ([]string, error) {
	var flags, positional []string
	var firstErr error
	for i := 0; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			positional = append(positional, args[i+1:]...)
			break
		}
		if len(a) < 2 || a[0] != '-' {
			positional = append(positional, a)
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimLeft(a, "-"), "=")
		if name == "help" || name == "h" {
			return []string{"--help"}, nil
		}
		flag := findFlag(cmd, name)
		switch {
		case flag == nil:
			if firstErr == nil {
				firstErr = unknown("flag", path, a, flagNames(cmd))
			}
			continue
		case name == "json" && value != "false":
			e.json = true
		}
		flags = append(flags, a)
		if _, isBool := flag.(*cli.BoolFlag); isBool || hasValue {
			continue
		}
		if i+1 == len(args) {
			if firstErr == nil {
				firstErr = usage(a, fmt.Sprintf("see `%s --help`", path), "flag needs a value")
			}
			break
		}
		i++
		flags = append(flags, args[i])
	}
	if len(positional) > 0 {
		flags = append(append(flags, "--"), positional...)
	}
	return flags, firstErr
}

func find(commands []*cli.Command, name string) *cli.Command {
	for _, c := range commands {
		if c.HasName(name) {
			return c
		}
	}
	return nil
}

func findFlag(cmd *cli.Command, name string) cli.Flag {
	for _, f := range cmd.Flags {
		if slices.Contains(f.Names(), name) {
			return f
		}
	}
	return nil
}

func commandNames(commands []*cli.Command) (names []string) {
	for _, c := range commands {
		names = append(names, c.Name)
	}
	return names
}

func flagNames(cmd *cli.Command) []string {
	names := []string{"--help"}
	for _, f := range cmd.Flags {
		for _, n := range f.Names() {
			if len(n) > 1 {
				names = append(names, "--"+n)
			}
		}
	}
	return names
}

// unknown is the error about a name that does not exist, with the nearest one
// that does.
func unknown(what, path, name string, names []string) error {
	fix := fmt.Sprintf("see `%s --help`", path)
	if near := nearest(name, names); near != "" {
		fix = fmt.Sprintf("did you mean %q? See `%s --help`", near, path)
	} else if what == "flag" {
		fix = fmt.Sprintf("see `%s --help`; put -- before an argument that starts with a dash", path)
	}
	return usage("", fix, "%s has no %s %q", path, what, name)
}

// nearest is the name with the smallest edit distance, "" if none is near.
func nearest(name string, names []string) string {
	best, at := max(1, len(strings.TrimLeft(name, "-"))/3)+1, ""
	for _, n := range names {
		if d := distance(name, n); d < best {
			best, at = d, n
		}
	}
	return at
}

// distance is the number of letters to insert, drop, change or swap with the
// next one that turns a into b (optimal string alignment).
func distance(a, b string) int {
	var before []int // the row before the last
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}

// positional checks the number of a command's positional arguments; names are
// those of its ArgsUsage, an optional one ends in "?".
func positional(c *cli.Context, names ...string) ([]string, error) {
	required := 0
	for _, n := range names {
		if !strings.HasSuffix(n, "?") {
			required++
		}
	}
	args := c.Args().Slice()
	fix := fmt.Sprintf("see `%s --help`", c.Command.HelpName)
	if len(args) < required {
		return nil, usage(names[len(args)], fix, "argument is missing")
	}
	if len(args) > len(names) {
		return nil, usage(args[len(names)], fix, "one argument too many; put quotes round a text")
	}
	return append(args, make([]string, len(names)-len(args))...), nil
}
