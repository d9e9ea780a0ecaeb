// Command peerbench compares hlocc with other engines for the same checkpoint on
// this machine: llama.cpp, OpenVINO GenAI and ONNX Runtime GenAI, which
// tools/peers/build.sh builds.
//
//	go run ./internal/peerbench -checkpoint DIR [-out .peers/results] [-docs docs]
//
// It builds a bundle for each way to quantize, measures ours and theirs in turns, one
// process each, the order reversed every other round, and writes peers.md, peers.json
// and peers.svg. A ratio is the median of those of neighbouring runs, with its
// quartiles; above 1 ours is better. What our side cannot do is named and left out.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
)

func main() {
	var b bench
	flag.StringVar(&b.hlocc, "hlocc", "bin/hlocc", "our program")
	flag.StringVar(&b.checkpoint, "checkpoint", "", "folder of the checkpoint that the models in -peers were made from")
	flag.StringVar(&b.peers, "peers", ".peers", "what tools/peers/build.sh wrote")
	flag.IntVar(&b.rounds, "rounds", 9, "interleaved rounds of each contest")
	flag.BoolVar(&b.reuse, "reuse", false, "take bundles that are there, even if they are of another version of hlocc")
	only := flag.String("only", "", "contests whose title matches this expression")
	threads := flag.String("threads", "1,2", "numbers of threads, separated by commas")
	text := flag.String("text", "", "instead compare perplexity on this text")
	out := flag.String("out", ".peers/results", "folder to write to")
	docs := flag.String("docs", "", "folder with measurements.md, to put the tables in and the chart beside")
	flag.Parse()
	if flag.NArg() != 0 || b.checkpoint == "" {
		flag.Usage()
		os.Exit(2)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := b.main(ctx, *only, *threads, *text, *out, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "peerbench:", err)
		stop()
		os.Exit(1)
	}
}

func (b *bench) main(ctx context.Context, only, threads, text, out, docs string) error {
	for s := range strings.SplitSeq(threads, ",") {
		n, err := strconv.Atoi(s)
		if err != nil || n < 1 {
			return fmt.Errorf("-threads %s: %q is not a number of threads", threads, s)
		}
		b.threads = append(b.threads, n)
	}
	match, err := regexp.Compile(only)
	if err != nil {
		return fmt.Errorf("-only: %w", err)
	}
	b.log = func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }
	r := newReport(b.rounds)
	if text != "" {
		err = b.quality(ctx, r, text)
	} else {
		err = b.speed(ctx, r, match)
	}
	// What was measured before an error is worth keeping.
	if len(r.Results)+len(r.Quality) == 0 {
		return errors.Join(err, errors.New("nothing was measured"))
	}
	return errors.Join(err, r.write(out, docs))
}

// bench holds the settings of a run.
type bench struct {
	hlocc, checkpoint, peers string

	rounds  int
	threads []int
	reuse   bool
	log     func(format string, args ...any)
}

// speed runs the contests that match.
func (b *bench) speed(ctx context.Context, r *report, match *regexp.Regexp) error {
	unable := map[string]error{} // bundle -> why it could not be built
	built := map[string]string{}
	var failed error
	for _, c := range contests {
		if !match.MatchString(c.title) {
			continue
		}
		if built[c.ours] == "" && unable[c.ours] == nil {
			built[c.ours], unable[c.ours] = b.build(ctx, c.ours)
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := unable[c.ours]; err != nil {
			r.skip(c, err)
			continue
		}
		for _, threads := range b.threads {
			b.log("%s, %d threads", c.title, threads)
			measured, err := play(ctx, c, hloccEngine{b.hlocc, built[c.ours]}, b.engine, threads, b.rounds)
			if err := ctx.Err(); err != nil {
				return err
			}
			var cannot ourFailure
			if errors.As(err, &cannot) {
				r.skip(c, cannot.err)
				break
			}
			failed = errors.Join(failed, err)
			for _, m := range measured {
				b.log("  %s", m)
			}
			r.Results = append(r.Results, measured...)
		}
	}
	r.finish()
	return failed
}

// build makes the bundle that is named so, and gives its path.
func (b *bench) build(ctx context.Context, name string) (string, error) {
	dir := filepath.Join(b.peers, "bundles")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", err
	}
	path := filepath.Join(dir, name+".hlocc")
	if _, err := os.Stat(path); err == nil && b.reuse {
		return path, nil
	}
	b.log("building %s", path)
	_, err := output(ctx, b.hlocc, append([]string{"build", b.checkpoint, "-o", path}, bundles[name]...)...)
	return path, err
}
