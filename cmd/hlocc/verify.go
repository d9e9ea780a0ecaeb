package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/progress"
)

func verifyCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check every byte of a bundle",
		ArgsUsage: "FILE",
		Description: examples("Checks every byte of a bundle, weights included, and names each part that is wrong. Exit code 5 means damage.",
			"hlocc verify smol.hlocc", "hlocc verify smol.hlocc --json"),
		Flags:  []cli.Flag{jsonFlag()},
		Action: action(e, runVerify),
	}
}

func runVerify(c *cli.Context, e *env) error {
	args, err := positional(c, "FILE")
	if err != nil {
		return err
	}
	v, err := bundle.Verify(c.Context, args[0], e.meter("verify"))
	if err != nil {
		return err
	}
	e.endProgress()
	if e.json {
		err := e.printJSON(struct {
			OK bool `json:"ok"`
			*bundle.Verification
		}{len(v.Problems) == 0, v})
		if err != nil {
			return err
		}
		return v.Err()
	}
	if len(v.Problems) == 0 {
		e.printf("%s: all %d bytes are as they should be\n%s\n", v.Path, v.Bytes, v.Digest)
		return nil
	}
	for _, p := range v.Problems {
		place := ""
		if p.Length > 0 && !strings.Contains(p.Message, "(bytes ") { // a digest's message has the range already
			place = fmt.Sprintf(" (bytes %d to %d)", p.Offset, p.Offset+p.Length-1)
		}
		e.printf("%s: %s%s\n", p.Where, p.Message, place)
	}
	return v.Err()
}

// meter shows a bundle's progress as a stage. Calls come from any goroutine and
// may overtake each other: what is behind is dropped.
func (e *env) meter(name string) bundle.Progress {
	var m meter
	return func(done, total int64) { m.update(e.progress(), name, done, total, progress.Bytes) }
}
