package main

import (
	"fmt"
	"math"
	"os"
	"strconv"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/evaluate"
	"github.com/hlocc/hlocc/internal/progress"
	"github.com/hlocc/hlocc/runtime"
)

func evalCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "eval",
		Usage:     "print logits at every position, or the perplexity of a text",
		ArgsUsage: "FILE",
		Description: examples("With --tokens: one row of logits for each token, what the model says comes after it. With --text: how well the\n"+
			"model predicts the file, in windows of the context that overlap by half.",
			"hlocc eval smol.hlocc --tokens 504,3575,282 --json",
			"hlocc eval smol.hlocc --tokens 504,3575,282 --graph prefill --chunk 2 --json",
			"hlocc eval smol.hlocc --text book.txt", "hlocc eval smol.hlocc --text book.txt --concurrency 8"),
		Flags: append(modelFlags(),
			&cli.StringFlag{Name: "tokens", Usage: "token `IDS`, separated by commas"},
			&cli.StringFlag{Name: "graph", Usage: "compute rows by `decode` steps, or by prefill of each prefix (default: decode)"},
			&cli.IntFlag{Name: "chunk", Usage: "prefill in pieces of `C` tokens"},
			&cli.StringFlag{Name: "text", Usage: "measure the perplexity of `FILE`"},
			&cli.IntFlag{Name: "concurrency", Value: 1, Usage: "with --text, run `B` windows at the same time, in a batch of the bundle"},
			jsonFlag(),
		),
		Action: action(e, runEval),
	}
}

func runEval(c *cli.Context, e *env) error {
	args, err := positional(c, "FILE")
	if err != nil {
		return err
	}
	o, err := e.modelOptions(c)
	if err != nil {
		return err
	}
	mode, err := evalMode(c)
	if err != nil {
		return err
	}
	o.PrefillGraphsOnly = true
	if c.IsSet("tokens") == c.IsSet("text") {
		return usage("", "give --tokens 1,2,3 for logits or --text FILE for perplexity", "want one of --tokens and --text")
	}
	var tokens []int32
	if c.IsSet("tokens") {
		if tokens, err = tokenList("--tokens", c.String("tokens")); err != nil {
			return err
		}
	}
	m, err := runtime.OpenContext(c.Context, args[0], o)
	if err != nil {
		return err
	}
	defer m.Close()
	if c.IsSet("text") {
		return e.perplexity(c, m)
	}
	s, err := m.NewSession()
	if err != nil {
		return err
	}
	caps := m.Capabilities()
	if err := evaluate.Check(tokens, caps.VocabSize, caps.Context); err != nil {
		return err
	}
	if mode != evaluate.ByDecode && len(caps.Buckets) == 0 {
		return &diag.Error{Kind: diag.Unsupported, Code: "no_prefill", File: args[0], Where: "--graph", Message: "the bundle has no prefill graph",
			Fix: "use --graph decode"}
	}
	return e.logits(c, s, tokens, mode)
}

// evalMode reads --graph and --chunk; a chunk alone means prefill.
func evalMode(c *cli.Context) (evaluate.Mode, error) {
	graph, chunk := c.String("graph"), c.Int("chunk")
	switch {
	case c.Int("concurrency") < 1:
		return 0, usage("--concurrency", "give 1 or more", "%d windows cannot run", c.Int("concurrency"))
	case c.IsSet("concurrency") && !c.IsSet("text"):
		return 0, usage("--concurrency", "use it with --text", "rows of logits are those of one sequence")
	case c.IsSet("text") && (c.IsSet("graph") || c.IsSet("chunk")):
		return 0, usage("--text", "leave out --graph and --chunk", "perplexity is always measured by decode steps")
	case graph != "" && graph != "decode" && graph != "prefill":
		return 0, usage("--graph", "give decode or prefill", "there is no graph %q", graph)
	case c.IsSet("chunk") && chunk < 1:
		return 0, usage("--chunk", "give 1 or more", "a piece cannot have %d tokens", chunk)
	case c.IsSet("chunk") && graph == "decode":
		return 0, usage("--chunk", "use --graph prefill", "decode steps have no pieces")
	case c.IsSet("chunk"):
		return evaluate.ByChunks, nil
	case graph == "prefill":
		return evaluate.ByPrefill, nil
	}
	return evaluate.ByDecode, nil
}

// logits prints rows for people as they come, and as JSON at the end.
func (e *env) logits(c *cli.Context, s *runtime.Session, tokens []int32, mode evaluate.Mode) error {
	stage := e.progress().Stage("eval", int64(len(tokens)), progress.Items)
	defer stage.Abandon()
	rows := func(row func(int, []float32) error) error {
		return evaluate.Logits(c.Context, s, tokens, mode, c.Int("chunk"), func(i int, logits []float32) error {
			stage.Add(1)
			return row(i, logits)
		})
	}
	if e.json {
		return e.logitsJSON(rows)
	}
	return rows(func(i int, logits []float32) error {
		best := 0
		for k, v := range logits {
			if v > logits[best] {
				best = k
			}
		}
		e.printf("%d: token %d, then most likely %d (logit %g)\n", i, tokens[i], best, logits[best])
		return nil
	})
}

// logitsInMemory is how much text of logits is kept in memory; a long context and
// a large vocabulary give gigabytes.
const logitsInMemory = 16 << 20

// logitsJSON prints what rows calls its argument with, or nothing if it fails.
func (e *env) logitsJSON(rows func(row func(int, []float32) error) error) error {
	all := spool{limit: logitsInMemory}
	defer all.close()
	line := []byte(`{"logits":[`)
	err := rows(func(i int, logits []float32) error {
		if i > 0 {
			line = append(line, ',')
		}
		line = append(line, '[')
		for k, v := range logits {
			if k > 0 {
				line = append(line, ',')
			}
			if f := float64(v); math.IsNaN(f) || math.IsInf(f, 0) {
				return &diag.Error{Kind: diag.Failed, Code: "not_finite", Where: fmt.Sprintf("row %d, logit %d", i, k),
					Message: "the model gives logits that are not numbers", Fix: "check the bundle with hlocc verify"}
			}
			line = strconv.AppendFloat(line, float64(v), 'g', -1, 32)
		}
		line = append(line, ']')
		_, err := all.Write(line)
		line = line[:0]
		return err
	})
	if err != nil {
		return err
	}
	if err := all.copyTo(e.out); err != nil {
		return err
	}
	e.printf("]}\n")
	return nil
}

// lanes are what runs the windows of a text.
func lanes(m *runtime.Model, concurrency int) (evaluate.Lanes, error) {
	if concurrency == 1 {
		s, err := m.NewSession()
		return evaluate.One(s), err
	}
	b, err := m.NewBatch(concurrency)
	return evaluate.Batched(b), err
}

func (e *env) perplexity(c *cli.Context, m *runtime.Model) error {
	tok, err := m.Tokenizer()
	if err != nil {
		return err
	}
	path := c.String("text")
	if dir, err := isDir(path); err != nil || dir {
		if err == nil {
			err = &diag.Error{Kind: diag.BadInput, Code: "open", File: path, Message: "is a folder, not a text"}
		}
		return err
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return diag.FileError("read", "cannot read the text", path, err)
	}
	tokens, err := tok.EncodeSpecial(string(data))
	if err != nil {
		return err
	}
	l, err := lanes(m, c.Int("concurrency"))
	if err != nil {
		return err
	}
	var stage *progress.Stage
	p, err := evaluate.MeasurePerplexity(c.Context, l, tokens, m.Capabilities().Context, func(total int) {
		if stage == nil {
			stage = e.progress().Stage("perplexity", int64(total), progress.Items)
		}
		stage.Add(1)
	})
	stage.Abandon()
	if err != nil {
		return err
	}
	if e.json {
		return e.printJSON(p)
	}
	e.printf("perplexity %.4f over %d tokens (of %d; %d windows of %d, stride %d)\n", p.Perplexity, p.Scored, p.Tokens, p.Windows, p.Window, p.Stride)
	return nil
}
