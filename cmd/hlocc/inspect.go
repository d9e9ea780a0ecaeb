package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/bundle"
)

func inspectCommand(e *env) *cli.Command {
	return &cli.Command{
		Name:      "inspect",
		Usage:     "say what a model directory or a bundle is",
		ArgsUsage: "DIR|FILE",
		Description: examples("For a model directory: its family, whether it can be built and if not why, and its size. No weights are read.\n"+
			"For a bundle: what is inside, with sizes.",
			"hlocc inspect ./SmolLM2-135M-Instruct", "hlocc inspect smol.hlocc --json"),
		Flags:  []cli.Flag{jsonFlag()},
		Action: action(e, runInspect),
	}
}

func runInspect(c *cli.Context, e *env) error {
	args, err := positional(c, "DIR|FILE")
	if err != nil {
		return err
	}
	dir, err := isDir(args[0])
	if err != nil {
		return err
	}
	if dir {
		return e.inspectDir(args[0])
	}
	return e.inspectBundle(args[0])
}

// inspectDir prints the verdict even when it is no; the error then gives the
// exit code.
func (e *env) inspectDir(dir string) error {
	i, err := arch.Inspect(dir)
	if e.json {
		if jerr := e.printJSON(i); jerr != nil {
			return jerr
		}
		return err
	}
	if err != nil {
		if i.Family != "" {
			e.printf("%s: %s, not supported\n", dir, i.Family)
		}
		return err
	}
	e.printf("%s: %s, supported\n", dir, i.Family)
	e.row("parameters", "%s (%d)", count(i.Parameters), i.Parameters)
	e.row("weights", "%s", byType(i.Bytes))
	for _, r := range describe(i.Spec) {
		e.row(r.name, "%s", r.text)
	}
	e.row("context", "up to %d tokens, %s of cache for each", i.MaxPositions, size(i.KVBytesPerToken))
	if i.Generation != nil {
		e.row("end of text", "%s", strings.Trim(fmt.Sprint(i.Generation.EOS), "[]"))
	}
	for _, r := range leftOut(i.Ignored) {
		e.row(r.name, "%s", r.text)
	}
	return nil
}

// bundleReport is the JSON of a bundle.
type bundleReport struct {
	File    string           `json:"file"`
	Digest  string           `json:"digest"`
	Bytes   int64            `json:"bytes"`
	Schema  string           `json:"schema"`
	Model   bundle.Model     `json:"model"`
	Graphs  []bundle.Graph   `json:"graphs"`
	Targets []bundle.Target  `json:"targets"`
	Weights weightReport     `json:"weights"`
	Parts   []bundle.Item    `json:"contents"`
	Tensors []bundle.Tensor  `json:"tensors"`
	Spec    *json.RawMessage `json:"spec,omitempty"`
	Plan    *json.RawMessage `json:"plan,omitempty"`
	Report  *json.RawMessage `json:"report,omitempty"`
	From    *json.RawMessage `json:"provenance,omitempty"`
}

type weightReport struct {
	Tensors int              `json:"tensors"`
	Bytes   map[string]int64 `json:"bytes"` // by type
}

func (e *env) inspectBundle(path string) error {
	r, err := bundle.Open(path)
	if err != nil {
		return err
	}
	defer r.Close()
	m := r.Manifest()
	w := weightReport{Tensors: len(m.Weights), Bytes: map[string]int64{}}
	for _, t := range m.Weights {
		w.Bytes[string(t.DType)] += t.Length
	}
	if e.json {
		raw := func(b *json.RawMessage) *json.RawMessage {
			if len(*b) == 0 {
				return nil
			}
			return b
		}
		return e.printJSON(bundleReport{path, r.Digest(), r.Size(), m.Schema, m.Model, m.Graphs, m.Targets, w, r.Contents(), m.Weights,
			raw(&m.Spec), raw(&m.Plan), raw(&m.Report), raw(&m.Provenance)})
	}
	e.printf("%s: %s\n%s\n", path, strings.TrimSpace(m.Model.Family+" "+m.Model.Name), r.Digest())
	e.row("size", "%s", size(r.Size()))
	e.row("weights", "%d tensors, %s", w.Tensors, byType(w.Bytes))
	var kv int64
	for _, k := range m.Model.KV {
		kv += k.Bytes()
	}
	e.row("context", "%d tokens, %s of cache for a sequence", m.Model.Context, size(kv))
	e.row("vocabulary", "%d, end of text %s", m.Model.VocabSize, strings.Trim(fmt.Sprint(m.Model.EOS), "[]"))
	for _, g := range m.Graphs {
		e.row("graph", "%s", g.ID)
	}
	for _, t := range m.Targets {
		e.row("target", "%s (%s/%s), compiled by %s", t.Name, t.OS, t.Arch, t.Compiler.Version)
	}
	e.printf("\n%12s  %12s  %s\n", "stored", "content", "part")
	for _, p := range r.Contents() {
		e.printf("%12d  %12d  %s\n", p.Stored, p.Size, p.Path)
	}
	return nil
}

// row prints one line of a table of names and values.
func (e *env) row(name, format string, args ...any) {
	e.printf("  %-12s %s\n", name, fmt.Sprintf(format, args...))
}

func byType(bytes map[string]int64) string {
	var parts []string
	for _, t := range slices.Sorted(maps.Keys(bytes)) {
		parts = append(parts, t+" "+size(bytes[t]))
	}
	return strings.Join(parts, ", ")
}

// size is a number of bytes for people, in powers of ten.
func size(n int64) string {
	switch {
	case n >= 1e9:
		return fmt.Sprintf("%.2f GB", float64(n)/1e9)
	case n >= 1e6:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	case n >= 1e3:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	}
	return fmt.Sprintf("%d bytes", n)
}

func count(n int64) string {
	if n >= 1e9 {
		return fmt.Sprintf("%.2f B", float64(n)/1e9)
	}
	return fmt.Sprintf("%.1f M", float64(n)/1e6)
}
