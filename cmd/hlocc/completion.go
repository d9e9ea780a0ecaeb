package main

import (
	"strings"

	"github.com/urfave/cli/v2"
)

func completionCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "completion",
		Usage:     "print a script that completes commands and flags in a shell",
		ArgsUsage: "bash|zsh|fish",
		Description: examples("Prints a completion script for the shell.",
			"source <(hlocc completion bash)", "hlocc completion fish > ~/.config/fish/completions/hlocc.fish"),
		Action: action(e, runCompletion),
	}
}

// completeArg as the last argument makes the program print what the words before
// it can be continued with.
const completeArg = "--complete-words"

// complete prints candidates: flags if the last word begins like one, else the
// commands that may follow.
func (e *env) complete(app *cli.App, words []string) {
	commands, flags := app.Commands, []string{"--help", "--version"}
	for _, w := range words {
		if c := find(commands, w); c != nil {
			commands, flags = c.Subcommands, flagNames(c)
		}
	}
	candidates := commandNames(commands)
	if n := len(words); n > 0 && strings.HasPrefix(words[n-1], "-") {
		candidates = flags
	}
	for _, c := range candidates {
		e.printf("%s\n", c)
	}
}

// The shells ask the program itself.
var completionScripts = map[string]string{
	"bash": `_hlocc() {
  local words=("${COMP_WORDS[@]:0:$COMP_CWORD}") cur="${COMP_WORDS[$COMP_CWORD]}" found
  [[ "$cur" == -* ]] && words+=("$cur")
  found=$("${words[@]}" --complete-words 2>/dev/null)
  COMPREPLY=($(compgen -W "$found" -- "$cur"))
  [[ ${#COMPREPLY[@]} -eq 0 ]] && COMPREPLY=($(compgen -f -- "$cur"))
}
complete -o filenames -F _hlocc hlocc
`,
	"zsh": `#compdef hlocc
_hlocc() {
  local -a found
  local cur="${words[CURRENT]}"
  local -a asked=("${(@)words[1,CURRENT-1]}")
  [[ "$cur" == -* ]] && asked+=("$cur")
  found=("${(@f)$("${asked[@]}" --complete-words 2>/dev/null)}")
  compadd -- "${found[@]}" || _files
}
compdef _hlocc hlocc
`,
	"fish": `function __hlocc
  set -l words (commandline -opc) (string match -- '-*' (commandline -ct))
  $words --complete-words 2>/dev/null
end
complete -c hlocc -a '(__hlocc)'
`,
}

func runCompletion(c *cli.Context, e *env) error {
	args, err := positional(c, "bash|zsh|fish")
	if err != nil {
		return err
	}
	script, ok := completionScripts[strings.ToLower(args[0])]
	if !ok {
		return usage(args[0], "choose bash, zsh or fish", "there is no completion for this shell")
	}
	e.printf("%s", script)
	return nil
}
