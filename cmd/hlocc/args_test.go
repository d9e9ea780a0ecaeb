package main

import (
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"
)

func testApp() (*cli.App, *env) {
	e := newEnv(strings.NewReader(""), io.Discard, io.Discard)
	return newApp(e), e
}

// leaves calls f with every command that has no subcommands.
func leaves(commands []*cli.Command, path []string, f func(path []string, c *cli.Command)) {
	for _, c := range commands {
		p := append(slices.Clone(path), c.Name)
		if len(c.Subcommands) > 0 {
			leaves(c.Subcommands, p, f)
		} else {
			f(p, c)
		}
	}
}

// Every form that a help text shows means the same with its flags before, after
// and between the positional arguments.
func TestDocumentedFormsInBothOrders(t *testing.T) {
	app, _ := testApp()
	forms := 0
	leaves(app.Commands, nil, func(path []string, c *cli.Command) {
		for _, line := range exampleLines(c) {
			words := shellWords(line)
			rest := words[1+len(path):]
			var flags [][]string
			var positional []string
			for i := 0; i < len(rest); i++ {
				if rest[i] == "-" || !strings.HasPrefix(rest[i], "-") {
					positional = append(positional, rest[i])
					continue
				}
				f := findFlag(c, strings.TrimLeft(rest[i], "-"))
				if f == nil {
					t.Errorf("%q: no flag %s", line, rest[i])
					return
				}
				if _, isBool := f.(*cli.BoolFlag); isBool {
					flags = append(flags, []string{rest[i]})
				} else {
					flags = append(flags, rest[i:i+2])
					i++
				}
			}
			forms++
			before := slices.Concat(path, slices.Concat(flags...), positional)
			after := slices.Concat(path, positional, slices.Concat(flags...))
			between := slices.Clone(path)
			for i := range max(len(flags), len(positional)) {
				if i < len(positional) {
					between = append(between, positional[i])
				}
				if i < len(flags) {
					between = append(between, flags[i]...)
				}
			}
			want := arranged(t, before)
			for _, args := range [][]string{after, between, words[1:]} {
				if got := arranged(t, args); !slices.Equal(got, want) {
					t.Errorf("%q becomes %q, want %q", args, got, want)
				}
			}
		}
	})
	if forms < 15 {
		t.Errorf("only %d examples were found", forms)
	}
}

func exampleLines(c *cli.Command) (lines []string) {
	_, after, _ := strings.Cut(c.Description, "Examples:")
	for _, l := range strings.Split(after, "\n") {
		if i := strings.Index(l, "hlocc "); i >= 0 && !strings.Contains(l, "<(") {
			lines = append(lines, l[i:])
		}
	}
	return lines
}

// shellWords splits a command line at blanks outside quotes, up to a redirection.
func shellWords(s string) (words []string) {
	quote, word, in := byte(0), "", false
	for i := range len(s) {
		c := s[i]
		switch {
		case quote != 0 && c == quote:
			quote = 0
		case quote != 0:
			word += string(c)
		case c == '"' || c == '\'':
			quote, in = c, true
		case c == ' ':
			if in {
				words = append(words, word)
			}
			word, in = "", false
		case c == '<' || c == '>' || c == '|':
			return words
		default:
			word, in = word+string(c), true
		}
	}
	if in {
		words = append(words, word)
	}
	return words
}

func arranged(t *testing.T, args []string) []string {
	t.Helper()
	app, e := testApp()
	out, err := arrange(app, e, args)
	if err != nil {
		t.Fatalf("%q: %v", args, err)
	}
	return out
}

func TestArrange(t *testing.T) {
	for _, c := range []struct {
		in, out string
		json    bool
	}{
		{"version", "version", false},
		{"version --json", "version --json", true},
		{"version --json=false", "version --json=false", false},
		{"run m.hlocc text -n 5", "run -n 5 -- m.hlocc text", false},
		{"run m.hlocc -n=5 text", "run -n=5 -- m.hlocc text", false},
		{"run --tokens 1,2 m.hlocc --json", "run --tokens 1,2 --json -- m.hlocc", true},
		{"run m.hlocc - --stats", "run --stats -- m.hlocc -", false},
		{"run m.hlocc -n 3 -- --json", "run -n 3 -- m.hlocc --json", false},
		{"run -- --json -n", "run -- --json -n", false},
		{"run m.hlocc help", "run -- m.hlocc help", false},
		{"run --tokens -1 m", "run --tokens -1 -- m", false},
		{"run --help", "run --help", false},
		{"help run", "help run", false},
		{"--help", "--help", false},
		{"", "", false},
	} {
		app, e := testApp()
		out, err := arrange(app, e, strings.Fields(c.in))
		if err != nil || strings.Join(out, " ") != c.out || e.json != c.json {
			t.Errorf("%q: %q, json %v, %v; want %q, json %v", c.in, out, e.json, err, c.out, c.json)
		}
	}
}

func TestUsageErrors(t *testing.T) {
	for _, c := range []struct {
		args string
		says []string
	}{
		{"verison", []string{`no command "verison"`, `"version"`}},
		{"zzzzzz", []string{`no command "zzzzzz"`}},
		{"run --thread 1 m x", []string{`no flag "--thread"`, `"--threads"`}},
		{"run m --token", []string{`no flag "--token"`, `"--tokens"`}},
		{"run m -5", []string{`no flag "-5"`, "put -- before"}},
		{"run m x -n", []string{"-n", "needs a value"}},
		{"run m x -n five", []string{"five"}},
		{"run m x -n -1", []string{"-n", "-1"}},
		{"run m x --threads -2", []string{"--threads"}},
		{"run", []string{"FILE", "missing"}},
		{"run m", []string{"no prompt", "--tokens"}},
		{"run m x --tokens 1", []string{"twice"}},
		{"run m x y", []string{"y", "one argument too many", "quotes"}},
		{"--json version", []string{"--json", "follow"}},
		{"version x", []string{"too many"}},
		{"inspect", []string{"DIR|FILE"}},
		{"verify", []string{"FILE"}},
		{"eval m", []string{"--tokens and --text"}},
		{"eval m --tokens 1 --text f", []string{"--tokens and --text"}},
		{"eval m --tokens 1 --graph loop", []string{"loop", "decode or prefill"}},
		{"eval m --tokens 1 --chunk 0", []string{"--chunk"}},
		{"eval m --tokens 1 --chunk 2 --graph decode", []string{"--chunk"}},
		{"eval m --text f --graph prefill", []string{"--text"}},
		{"build m -o f --rounding up", []string{"--rounding", "search or nearest"}},
		{"build m -o f --scales bf16", []string{"--scales", "f16 or f32"}},
		{"lower m --scales bf16", []string{"--scales", "f16 or f32"}},
		{"eval m --text f --concurrency 0", []string{"--concurrency"}},
		{"eval m --tokens 1 --concurrency 2", []string{"--concurrency", "--text"}},
		{"bench m --runs 2", []string{"--runs", "5 or more"}},
		{"bench m --prompt-tokens 0", []string{"--prompt-tokens"}},
		{"extract m", []string{"-o"}},
		{"completion tcsh", []string{"bash, zsh or fish"}},
	} {
		r := hlocc(t, strings.Fields(c.args)...)
		if r.code != 2 || r.out != "" {
			t.Errorf("%q: exit code %d, stdout %q", c.args, r.code, r.out)
		}
		for _, s := range c.says {
			if !strings.Contains(r.err, s) {
				t.Errorf("%q: %q does not say %q", c.args, r.err, s)
			}
		}
	}
}

// With --json every error is one object on stderr, those about flags included.
func TestUsageErrorsAsJSON(t *testing.T) {
	for _, args := range []string{"run --json", "run m --json --nope", "run --json=true m x y", "run m x --json -n", "run m x --json -n z", "eval m --json"} {
		r := hlocc(t, strings.Fields(args)...)
		if e := r.failure(t, 2); e.Code != "usage" {
			t.Errorf("%q: %+v", args, e)
		}
		if r.out != "" {
			t.Errorf("%q: stdout %q", args, r.out)
		}
	}
}

// Every command explains itself, shows an example, and --help succeeds in both
// places.
func TestHelp(t *testing.T) {
	app, _ := testApp()
	leaves(app.Commands, nil, func(path []string, c *cli.Command) {
		if c.Usage == "" || len(exampleLines(c)) == 0 && c.Name != "completion" {
			t.Errorf("%v has no usage or no example", path)
		}
		for _, args := range [][]string{append(slices.Clone(path), "--help"), append(slices.Clone(path), "x", "-h")} {
			r := hlocc(t, args...)
			if r.code != 0 || r.err != "" || !strings.Contains(r.out, c.Usage) {
				t.Errorf("%q: exit code %d, stderr %q, stdout %q", args, r.code, r.err, r.out)
			}
			if strings.Contains(r.out, "(default: false)") {
				t.Errorf("%q says that a switch is off by default", args)
			}
		}
	})
	for _, args := range [][]string{nil, {"help"}, {"--help"}, {"help", "run"}, {"--version"}} {
		if r := hlocc(t, args...); r.code != 0 || r.err != "" || r.out == "" {
			t.Errorf("%q: %+v", args, r)
		}
	}
}

func TestNearest(t *testing.T) {
	names := []string{"build", "run", "verify", "version", "inspect"}
	for in, want := range map[string]string{"biuld": "build", "verfy": "verify", "versoin": "version", "rnu": "run", "xyzzy": "", "runn": "run"} {
		if got := nearest(in, names); got != want {
			t.Errorf("nearest(%q) = %q, want %q", in, got, want)
		}
	}
}
