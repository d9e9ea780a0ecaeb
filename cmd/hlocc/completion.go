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

// Every shell asks the program itself: the words so far, and a last one that
// makes it print candidates.
var completionScripts = map[string]string{
	"bash": `_hlocc() {
  local words=("${COMP_WORDS[@]:0:$COMP_CWORD}") cur="${COMP_WORDS[$COMP_CWORD]}" found
  [[ "$cur" == -* ]] && words+=("$cur")
  found=$("${words[@]}" --generate-bash-completion 2>/dev/null)
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
  found=("${(@f)$("${asked[@]}" --generate-bash-completion 2>/dev/null)}")
  compadd -- "${found[@]}" || _files
}
compdef _hlocc hlocc
`,
}

func runCompletion(c *cli.Context, e *env) error {
	args, err := positional(c, "bash|zsh|fish")
	if err != nil {
		return err
	}
	if args[0] == "fish" {
		script, err := c.App.ToFishCompletion()
		e.printf("%s", script)
		return err
	}
	script, ok := completionScripts[strings.ToLower(args[0])]
	if !ok {
		return usage(args[0], "choose bash, zsh or fish", "there is no completion for this shell")
	}
	e.printf("%s", script)
	return nil
}
