package main

import (
	"context"
	"errors"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/internal/evaluate"
	"github.com/hlocc/hlocc/runtime"
)

func runCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "run",
		Usage:     "generate text from a bundle",
		ArgsUsage: "FILE [TEXT]",
		Description: examples("Continues TEXT (\"-\" reads it from standard input) or the tokens of --tokens, greedily, and prints what comes\n"+
			"as it comes. With --tokens it prints token ids.",
			`hlocc run smol.hlocc "The capital of France is" -n 32`,
			`hlocc run smol.hlocc --tokens 504,3575,282,4649,314 --json`,
			`hlocc run smol.hlocc - --stats < prompt.txt`),
		Flags: append(modelFlags(),
			&cli.StringFlag{Name: "tokens", Usage: "the prompt as token `IDS`, separated by commas"},
			&cli.IntFlag{Name: "n", Value: 128, Usage: "generate at most `COUNT` tokens"},
			&cli.BoolFlag{Name: "ignore-eos", Usage: "go on after an end-of-text token", DisableDefaultText: true},
			&cli.BoolFlag{Name: "stats", Usage: "print load time, speed and memory on stderr (with --json: in the object)", DisableDefaultText: true},
			&cli.BoolFlag{Name: "verify", Usage: "check the digests of the weights first", DisableDefaultText: true},
			jsonFlag(),
		),
		Action: action(e, runRun),
	}
}

// modelFlags are those of every command that opens a bundle to run it.
func modelFlags() []cli.Flag {
	return []cli.Flag{
		&cli.IntFlag{Name: "threads", Usage: "share the work between `N` threads (0: one for each CPU)"},
		&cli.StringFlag{Name: "target", Usage: "run the modules of target `NAME` (default: the best for this CPU)"},
		&cli.BoolFlag{Name: "copy-weights", Usage: "read the weights into memory, do not map them: slower to load, not shared, in huge pages", DisableDefaultText: true},
	}
}

func (e *env) modelOptions(c *cli.Context) (runtime.Options, error) {
	o := runtime.Options{Threads: c.Int("threads"), Target: c.String("target"), CopyWeights: c.Bool("copy-weights")}
	if o.Threads < 0 {
		return o, usage("--threads", "give 1 or more, or 0 for one for each CPU", "there cannot be %d threads", o.Threads)
	}
	if c.Bool("verify") {
		o.Verify, o.Progress = true, e.meter("verify")
	}
	return o, nil
}

// runStats is what --stats tells. Speeds are 0 where nothing was timed.
type runStats struct {
	LoadMS  float64 `json:"load_ms"`
	Prompt  int     `json:"prompt_tokens"`
	New     int     `json:"new_tokens"`
	Prefill float64 `json:"prefill_tokens_per_s"`
	Decode  float64 `json:"decode_tokens_per_s"`
	PeakRSS int64   `json:"peak_rss_bytes"`
	Threads int     `json:"threads"`
	Target  string  `json:"target"`
}

type runResult struct {
	Prompt []int32            `json:"prompt_tokens"`
	Tokens []int32            `json:"tokens"`
	Text   string             `json:"text"`
	Stop   runtime.StopReason `json:"stop"`
	Stats  *runStats          `json:"stats,omitempty"`
}

func runRun(c *cli.Context, e *env) error {
	args, err := positional(c, "FILE", "TEXT?")
	if err != nil {
		return err
	}
	byText := c.Args().Len() == 2
	switch {
	case byText && c.IsSet("tokens"):
		return usage("--tokens", "give one of them", "the prompt is given twice, as text and as tokens")
	case !byText && !c.IsSet("tokens"):
		return usage("TEXT", `give a text in quotes, or --tokens 1,2,3`, "there is no prompt")
	case c.Int("n") < 0:
		return usage("-n", "give 0 or more", "cannot generate %d tokens", c.Int("n"))
	}
	o, err := e.modelOptions(c)
	if err != nil {
		return err
	}
	var prompt []int32
	text := args[1]
	if !byText {
		prompt, err = tokenList("--tokens", c.String("tokens"))
	} else if text == "-" {
		text, err = e.readText(c.Context)
	}
	if err != nil {
		return err
	}

	begin := time.Now()
	m, err := runtime.OpenContext(c.Context, args[0], o)
	if err != nil {
		return err
	}
	defer m.Close()
	s, err := m.NewSession()
	if err != nil {
		return err
	}
	load := time.Since(begin)
	e.endProgress()

	// Ids need no tokenizer; a bundle without one, or with one of another kind,
	// then gives no text.
	var tok *runtime.Tokenizer
	if byText || e.json {
		tok, err = m.Tokenizer()
	}
	if byText {
		if err != nil {
			return err
		}
		if prompt, err = tok.EncodeSpecial(text); err != nil {
			return err
		}
	}
	p := printer{e: e, byText: byText}
	if tok != nil {
		p.decoder = tok.NewDecoder(true)
	}
	g, err := s.Generate(c.Context, prompt, runtime.GenerateOptions{
		MaxNewTokens: c.Int("n"), IgnoreEOS: c.Bool("ignore-eos"), OnToken: p.token,
	})
	if err != nil && !errors.Is(err, context.Canceled) {
		return err
	}
	p.end()
	var stats *runStats
	if c.Bool("stats") {
		caps := m.Capabilities()
		stats = &runStats{LoadMS: ms(load), Prompt: len(prompt), New: len(g.Tokens), Prefill: rate(len(prompt), g.PromptTime),
			Decode: rate(g.Steps, g.StepTime), PeakRSS: evaluate.PeakRSS(), Threads: caps.Threads, Target: caps.Target.Name}
	}
	if e.json {
		if prompt == nil {
			prompt = []int32{}
		}
		if jerr := e.printJSON(runResult{prompt, append([]int32{}, g.Tokens...), p.text, g.Stop, stats}); jerr != nil {
			return jerr
		}
		return err
	}
	if stats != nil {
		if ferr := e.out.Flush(); ferr != nil {
			return ferr
		}
		stats.print(e)
	}
	return err
}

// printer shows tokens as they come.
type printer struct {
	e       *env
	byText  bool
	decoder *runtime.Decoder // nil without a tokenizer
	text    string
	n       int
}

// token takes one token; false ends the generation, as nobody reads it.
func (p *printer) token(id int32) bool {
	piece := ""
	if p.decoder != nil {
		piece = p.decoder.Next(id)
	}
	p.n++
	if p.e.json {
		p.text += piece
		return true
	}
	if p.byText {
		p.e.printf("%s", piece)
	} else {
		if p.n > 1 {
			p.e.printf(" ")
		}
		p.e.printf("%d", id)
	}
	return p.e.out.Flush() == nil
}

func (p *printer) end() {
	rest := ""
	if p.decoder != nil {
		rest = p.decoder.Flush()
	}
	p.text += rest
	if p.e.json {
		return
	}
	if p.byText {
		p.e.printf("%s", rest)
	}
	p.e.printf("\n")
}

func (s *runStats) print(e *env) {
	e.note("load %.1f ms, %d threads, target %s", s.LoadMS, s.Threads, s.Target)
	e.note("prefill %d tokens at %.1f tokens/s", s.Prompt, s.Prefill)
	e.note("decode %d tokens at %.1f tokens/s", s.New, s.Decode)
	if s.PeakRSS > 0 {
		e.note("peak memory %s", size(s.PeakRSS))
	}
}

func ms(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

// rate is n per second, 0 if nothing was done.
func rate(n int, d time.Duration) float64 {
	if n == 0 || d <= 0 {
		return 0
	}
	return float64(n) / d.Seconds()
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
