// Package extract takes a bundle apart for the stock IREE tools: the modules as
// .vmfb files and the weights as one .irpa archive.
package extract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/fsx"
	"github.com/hlocc/hlocc/internal/irpa"
)

// WeightsName is the archive's name in the folder.
const WeightsName = "weights.irpa"

// parameterScope is the scope under which modules ask for weights.
const parameterScope = "model"

// File is one file that was written.
type File struct {
	Path   string `json:"path"`
	Target string `json:"target,omitempty"` // "" for the weights
	Graph  string `json:"graph,omitempty"`
	Bytes  int64  `json:"bytes"`
	// Command runs the graph once with the stock tool, on token 0 and an empty cache.
	Command []string `json:"command,omitempty"`
}

// Run writes the weights and the modules of the named targets (all if none is
// named) to dir, as TARGET/GRAPH.vmfb. dir is made; it must be empty or not
// there. done is told about the weights' bytes.
func Run(ctx context.Context, r *bundle.Reader, dir string, targets []string, done func(done, total int64)) ([]File, error) {
	m := r.Manifest()
	chosen, err := choose(m, targets)
	if err != nil {
		return nil, err
	}
	if err := makeEmpty(dir); err != nil {
		return nil, err
	}
	files := []File{{Path: filepath.Join(dir, WeightsName)}}
	if files[0].Bytes, err = writeWeights(ctx, r, files[0].Path, done); err != nil {
		return nil, err
	}
	for _, t := range chosen {
		if err := os.MkdirAll(filepath.Join(dir, t.Name), 0o755); err != nil {
			return nil, failed(dir, err)
		}
		for _, mod := range t.Modules {
			code, err := r.Member(mod.Member)
			if err != nil {
				return nil, err
			}
			path := filepath.Join(dir, t.Name, mod.Graph+".vmfb")
			if err := fsx.WriteFile(path, code); err != nil {
				return nil, failed(path, err)
			}
			f := File{Path: path, Target: t.Name, Graph: mod.Graph, Bytes: int64(len(code))}
			if g := m.Graph(mod.Graph); g != nil {
				f.Command = command(g, path, files[0].Path)
			}
			files = append(files, f)
		}
	}
	return files, nil
}

func choose(m *bundle.Manifest, names []string) ([]*bundle.Target, error) {
	var all []*bundle.Target
	var have []string
	for i := range m.Targets {
		all = append(all, &m.Targets[i])
		have = append(have, m.Targets[i].Name)
	}
	if len(names) == 0 {
		return all, nil
	}
	var out []*bundle.Target
	for _, n := range names {
		t := m.Target(n)
		if t == nil {
			return nil, &diag.Error{Kind: diag.Unsupported, Code: "no_target", Where: "--target", Message: fmt.Sprintf("the bundle has no target %q", n),
				Want: strings.Join(have, " or "), Found: n}
		}
		out = append(out, t)
	}
	return out, nil
}

func makeEmpty(dir string) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		err = os.MkdirAll(dir, 0o755)
	case err == nil && len(entries) > 0:
		return &diag.Error{Kind: diag.Usage, Code: "not_empty", File: dir, Message: "the folder is not empty", Fix: "choose a new one"}
	}
	if err != nil {
		return failed(dir, err)
	}
	return nil
}

func writeWeights(ctx context.Context, r *bundle.Reader, path string, done func(done, total int64)) (int64, error) {
	var entries []irpa.Entry
	var total int64
	for _, t := range r.Manifest().Weights {
		data, err := r.Tensor(t.Name)
		if err != nil {
			return 0, err
		}
		entries = append(entries, irpa.Entry{Name: t.Name, Data: data})
		total += int64(len(data))
	}
	f, err := fsx.Create(path)
	if err != nil {
		return 0, failed(path, err)
	}
	defer f.Abort()
	w := &counter{ctx: ctx, w: f, done: func(n int64) { done(min(n, total), total) }}
	if err = irpa.Write(w, entries); err == nil {
		err = f.Commit()
	}
	if err != nil {
		return 0, failed(path, err)
	}
	done(total, total)
	return w.n, nil
}

// counter passes bytes on in pieces, so that a large weight can be interrupted.
type counter struct {
	ctx  context.Context
	w    io.Writer
	n    int64
	done func(int64)
}

func (c *counter) Write(b []byte) (int, error) {
	in := bytes.NewBuffer(b)
	written := 0
	for in.Len() > 0 {
		if err := c.ctx.Err(); err != nil {
			return written, err
		}
		n, err := c.w.Write(in.Next(4 << 20))
		written += n
		c.n += int64(n)
		if err != nil {
			return written, err
		}
		c.done(c.n)
	}
	return written, nil
}

func failed(path string, err error) error {
	var d *diag.Error
	if errors.As(err, &d) || errors.Is(err, context.Canceled) {
		return err
	}
	return &diag.Error{Kind: diag.Failed, Code: "write", File: path, Message: "cannot write", Cause: err}
}

// command is how the stock tool runs a graph.
func command(g *bundle.Graph, module, weights string) []string {
	c := []string{"iree-run-module", "--device=local-sync", "--module=" + module,
		"--parameters=" + parameterScope + "=" + weights, "--function=" + g.Function}
	for _, in := range g.Inputs {
		value := "0"
		if in.Role == bundle.RoleLength {
			value = "1"
		}
		shape := ""
		for _, d := range in.Shape {
			shape += fmt.Sprintf("%dx", d)
		}
		c = append(c, fmt.Sprintf("--input=%s%s=%s", shape, in.DType, value))
	}
	return c
}
