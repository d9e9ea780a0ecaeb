package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/diag"
)

// maxText bounds what is read from standard input.
const maxText = 256 << 20

func tokenizeCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "tokenize",
		Usage:     "turn text on standard input into token ids",
		ArgsUsage: "DIR|FILE",
		Description: examples("Reads text on standard input and prints the ids that the model's tokenizer gives. Tokens that the tokenizer puts\n"+
			"round a text are left out unless --special is given.",
			"echo -n 'Hello world' | hlocc tokenize ./SmolLM2-135M-Instruct", "hlocc tokenize smol.hlocc --json < prompt.txt"),
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "special", Usage: "add the tokens that the post-processor puts round a text", DisableDefaultText: true},
			jsonFlag(),
		},
		Action: action(e, runTokenize),
	}
}

func runTokenize(c *cli.Context, e *env) error {
	args, err := positional(c, "DIR|FILE")
	if err != nil {
		return err
	}
	tok, err := openTokenizer(args[0])
	if err != nil {
		return err
	}
	text, err := e.readText(c.Context)
	if err != nil {
		return err
	}
	encode := tok.Encode
	if c.Bool("special") {
		encode = tok.EncodeSpecial
	}
	ids, err := encode(text)
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(map[string]any{"ids": ids})
	}
	e.printf("%s\n", strings.Trim(fmt.Sprint(ids), "[]"))
	return nil
}

// readText reads all of standard input. A read that waits for a terminal cannot
// be ended, so it is left behind when ctx ends.
func (e *env) readText(ctx context.Context) (string, error) {
	var b []byte
	var err error
	done := make(chan struct{})
	go func() {
		defer close(done)
		b, err = io.ReadAll(io.LimitReader(e.in, maxText+1))
	}()
	select {
	case <-done:
	case <-ctx.Done():
		return "", ctx.Err()
	}
	if err == nil && len(b) > maxText {
		err = fmt.Errorf("more than %d bytes", maxText)
	}
	if err != nil {
		return "", &diag.Error{Kind: diag.BadInput, Code: "stdin", Message: "cannot read standard input", Cause: err}
	}
	return string(b), nil
}
