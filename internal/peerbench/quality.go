package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
)

// quality is how well one model predicts the text.
type quality struct {
	Name       string  `json:"name"`
	Perplexity float64 `json:"perplexity"`
}

// A text is what quality was measured on.
type text struct {
	File   string `json:"file"`
	Scored int    `json:"tokens_scored"`
	Window int    `json:"window"`
}

// perplexity is the JSON of `hlocc eval --text` and of score-tokens.
type perplexity struct {
	Perplexity float64 `json:"perplexity"`
	Scored     int     `json:"tokens_scored"`
	Window     int     `json:"window"`
}

// What perplexity is compared of. The checkpoint's own comes first; llama.cpp's of
// it shows that both sides score alike.
var (
	ourModels  = []string{"bf16", "exact-int8head", "fast-int8head", "exact-int4head", "fast-int4head"}
	peerModels = []string{"bf16", "q4_0-q8head", "q4_0-pure", "q4_1-q8head", "q4_1-pure"}
)

// quality measures perplexity of the text with our bundles and llama.cpp's models:
// the same tokens, ours, in the same windows.
func (b *bench) quality(ctx context.Context, r *report, path string) error {
	threads := strconv.Itoa(slices.Max(b.threads))
	raw, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	tokens, err := piped(ctx, raw, b.hlocc, "tokenize", b.checkpoint, "--json")
	if err != nil {
		return err
	}
	r.Text = &text{File: path}
	add := func(name string, out []byte) error {
		var p perplexity
		if err := json.Unmarshal(out, &p); err != nil {
			return err
		}
		if len(r.Quality) == 0 {
			r.Text.Scored, r.Text.Window = p.Scored, p.Window
		}
		if p.Scored != r.Text.Scored || p.Window != r.Text.Window {
			return fmt.Errorf("%s scored %d tokens in windows of %d, others %d in windows of %d", name, p.Scored, p.Window, r.Text.Scored, r.Text.Window)
		}
		r.Quality = append(r.Quality, quality{name, p.Perplexity})
		b.log("%s: perplexity %.3f", name, p.Perplexity)
		return nil
	}
	for _, name := range ourModels {
		bundle, err := b.build(ctx, name)
		if err == nil {
			var out []byte
			if out, err = output(ctx, b.hlocc, "eval", bundle, "--text", path, "--json", "--threads", threads); err == nil {
				err = add("hlocc "+name, out)
			}
		}
		if err != nil {
			if ctx.Err() != nil || len(r.Quality) == 0 {
				return errors.Join(ctx.Err(), err)
			}
			r.Skipped = append(r.Skipped, skipped{"perplexity of " + name, err.Error()})
		}
	}
	for _, name := range peerModels {
		out, err := piped(ctx, tokens, filepath.Join(b.peers, "llama-build", "bin", "score-tokens"), filepath.Join(b.peers, "models", name+".gguf"),
			threads, strconv.Itoa(r.Text.Window))
		if err == nil {
			err = add("llama.cpp "+name, out)
		}
		if err != nil {
			return err
		}
	}
	r.finish()
	return nil
}
