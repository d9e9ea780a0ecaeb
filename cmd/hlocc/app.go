package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/version"
)

// newApp is the table of all commands.
func newApp(e *env) *cli.App {
	app := &cli.App{
		Name:  "hlocc",
		Usage: "compile a language model ahead of time into one file, and run it",
		Description: "Start with:\n\n" +
			"  hlocc build ./SmolLM2-135M-Instruct -o smol.hlocc\n" +
			"  hlocc run smol.hlocc \"The capital of France is\"\n\n" +
			"Exit codes: 0 ok, 1 failed, 2 usage, 3 unsupported, 4 bad input,\n" +
			"5 verification failed, 6 compiler missing or wrong, 130 on ^C, 143 on TERM, 129 on HUP.",
		Version:        version.Version,
		Writer:         e.out,
		ErrWriter:      e.err,
		ExitErrHandler: func(*cli.Context, error) {}, // run decides
		Commands: []*cli.Command{
			buildCommand(e),
			runCommand(e),
			evalCommand(e),
			validateCommand(e),
			inspectCommand(e),
			reportCommand(e),
			verifyCommand(e),
			lowerCommand(e),
			benchCommand(e),
			extractCommand(e),
			tokenizeCommand(e),
			doctorCommand(e),
			targetsCommand(e),
			archsCommand(e),
			goldenCommand(e),
			cacheCommand(e),
			versionCommand(e),
			completionCommand(e),
		},
	}
	prepare(app.Commands)
	return app
}

// prepare sets what is the same for every command.
func prepare(commands []*cli.Command) {
	for _, c := range commands {
		c.HideHelpCommand = true // else a positional argument "help" would be one
		c.OnUsageError = func(c *cli.Context, err error, _ bool) error {
			return usage("", fmt.Sprintf("see `%s --help`", c.Command.HelpName), "%v", err)
		}
		prepare(c.Subcommands)
	}
}

// action adapts a command's function to the flag parser's type.
func action(e *env, f func(*cli.Context, *env) error) cli.ActionFunc {
	return func(c *cli.Context) error { return f(c, e) }
}

// jsonFlag is --json, the same everywhere.
func jsonFlag() cli.Flag {
	return &cli.BoolFlag{Name: "json", Usage: "print one JSON object, and errors as JSON on stderr", DisableDefaultText: true}
}

// examples formats the Description of a command: what it does, and examples.
func examples(text string, lines ...string) string {
	s := text + "\n\nExamples:\n"
	for _, l := range lines {
		s += "\n  " + l
	}
	return s
}
