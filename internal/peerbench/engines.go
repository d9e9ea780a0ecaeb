package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// figures are what one process measured: medians over its runs. 0 is not measured.
type figures struct {
	LoadMS  float64 `json:"load_ms"`
	Prefill float64 `json:"prefill_tokens_per_s"` // of all sequences together
	Decode  float64 `json:"decode_tokens_per_s"`
	PeakRSS float64 `json:"peak_rss_bytes"`
}

// An engine measures a workload in a process of its own.
type engine interface {
	measure(ctx context.Context, threads int, w workload) (figures, error)
}

// engine gives the engine of a variant.
func (b *bench) engine(v variant) engine {
	model := filepath.Join(b.peers, "models", v.model)
	if v.engine == "llama" {
		return llamaEngine{filepath.Join(b.peers, "llama-build", "bin"), model, v.option}
	}
	command := []string{filepath.Join(b.peers, "venv", "bin", "python3"), "-B", filepath.Join("tools", "peers", "run_"+v.engine+".py"), model}
	if v.option != "" {
		command = append(command, "--attention", v.option)
	}
	return scriptEngine(command)
}

func (w workload) flags(threads int) []string {
	return []string{"--threads", strconv.Itoa(threads), "--prompt-tokens", strconv.Itoa(w.prompt), "--gen-tokens", strconv.Itoa(w.generate),
		"--concurrency", strconv.Itoa(w.concurrency)}
}

type hloccEngine struct{ program, bundle string }

func (e hloccEngine) measure(ctx context.Context, threads int, w workload) (figures, error) {
	return reported(output(ctx, e.program, append([]string{"bench", e.bundle, "--json"}, w.flags(threads)...)...))
}

// scriptEngine is a command that takes the options of `hlocc bench`.
type scriptEngine []string

func (e scriptEngine) measure(ctx context.Context, threads int, w workload) (figures, error) {
	return reported(output(ctx, e[0], append(e[1:len(e):len(e)], w.flags(threads)...)...))
}

func reported(out []byte, err error) (figures, error) {
	var f figures
	if err == nil {
		err = json.Unmarshal(out, &f)
	}
	return f, err
}

// llamaEngine runs llama.cpp's own programs.
type llamaEngine struct{ dir, model, flash string }

func (e llamaEngine) measure(ctx context.Context, threads int, w workload) (figures, error) {
	n := strconv.Itoa
	args := []string{"-m", e.model, "-t", n(threads), "-fa", e.flash}
	if w.concurrency > 1 {
		// Each sequence has a cache of its own. One measurement for each number in -npl, after a run that is not counted.
		level := n(w.concurrency)
		out, err := output(ctx, filepath.Join(e.dir, "llama-batched-bench"), append(args, "-npp", n(w.prompt), "-ntg", n(w.generate),
			"-npl", strings.Join([]string{level, level, level}, ","), "-c", n(w.concurrency*(w.prompt+w.generate)),
			"--output-format", "jsonl")...)
		if err != nil {
			return figures{}, err
		}
		return batchedFigures(out)
	}
	run := []string{"-p", n(w.prompt), "-n", "0"}
	if w.generate > 1 {
		run = []string{"-p", "0", "-n", n(w.generate), "-d", n(w.prompt)}
	}
	out, err := output(ctx, filepath.Join(e.dir, "llama-bench"), append(append(args, run...), "-r", "3", "-o", "json")...)
	if err != nil {
		return figures{}, err
	}
	return benchFigures(out)
}

// benchFigures reads what llama-bench prints for one test.
func benchFigures(out []byte) (figures, error) {
	var tests []struct {
		Prompt  int       `json:"n_prompt"`
		Samples []float64 `json:"samples_ts"`
	}
	if err := json.Unmarshal(out, &tests); err != nil {
		return figures{}, err
	}
	if len(tests) != 1 || len(tests[0].Samples) == 0 {
		return figures{}, errors.New("llama-bench gave no figures")
	}
	m := quantile(tests[0].Samples, 0.5)
	if tests[0].Prompt > 0 {
		return figures{Prefill: m}, nil
	}
	return figures{Decode: m}, nil
}

// batchedFigures reads what llama-batched-bench prints: a line for each
// measurement, between others.
func batchedFigures(out []byte) (figures, error) {
	var prefill, decode []float64
	for line := range bytes.Lines(out) {
		if !bytes.HasPrefix(line, []byte("{")) {
			continue
		}
		var m struct {
			Prefill float64 `json:"speed_pp"`
			Decode  float64 `json:"speed_tg"`
		}
		if err := json.Unmarshal(line, &m); err != nil {
			return figures{}, err
		}
		prefill, decode = append(prefill, m.Prefill), append(decode, m.Decode)
	}
	if len(decode) == 0 {
		return figures{}, errors.New("llama-batched-bench gave no figures")
	}
	return figures{Prefill: quantile(prefill, 0.5), Decode: quantile(decode, 0.5)}, nil
}

// output runs a program; its error has the last lines that the program wrote to
// standard error.
func output(ctx context.Context, program string, args ...string) ([]byte, error) {
	return piped(ctx, nil, program, args...)
}

func piped(ctx context.Context, stdin []byte, program string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, program, args...)
	if stdin != nil {
		cmd.Stdin = bytes.NewReader(stdin)
	}
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err == nil {
		return out, nil
	}
	lines := strings.Split(strings.TrimSpace(stderr.String()), "\n")
	if last := strings.TrimSpace(strings.Join(lines[max(0, len(lines)-3):], "; ")); last != "" {
		return nil, fmt.Errorf("%s: %w: %s", filepath.Base(program), err, last)
	}
	return nil, fmt.Errorf("%s: %w", filepath.Base(program), err)
}
