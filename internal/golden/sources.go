package golden

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// A source is what a case is made from: a fixture, or a config by itself, of a family
// that another one's fixtures prove.
type source struct {
	name   string
	dir    string // of the fixture, "" for a config by itself
	config string // its config.json
}

// sources lists the fixtures, and the configs in the folder "configs" beside theirs.
func sources(fixtures string) ([]source, error) {
	entries, err := os.ReadDir(fixtures)
	if err != nil {
		return nil, diag.FileError("fixtures", "cannot read the fixtures", fixtures, err)
	}
	var list []source
	for _, e := range entries {
		dir := filepath.Join(fixtures, e.Name())
		config := filepath.Join(dir, "config.json")
		if _, err := os.Stat(config); err == nil {
			list = append(list, source{e.Name(), dir, config})
		}
	}
	if len(list) == 0 {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "fixtures", File: fixtures, Message: "holds no fixtures", Want: "folders with a config.json"}
	}
	configs, err := filepath.Glob(filepath.Join(filepath.Dir(filepath.Clean(fixtures)), "configs", "*.json"))
	for _, config := range configs {
		list = append(list, source{strings.TrimSuffix(filepath.Base(config), ".json"), "", config})
	}
	return list, err
}

// open opens the model of the source; done removes what was made for it.
func (s source) open() (m *arch.Model, done func(), err error) {
	if s.dir != "" {
		m, err = arch.Open(s.dir)
		return m, func() {}, err
	}
	dir, err := os.MkdirTemp("", "hlocc-golden-")
	if err != nil {
		return nil, nil, err
	}
	done = func() { _ = os.RemoveAll(dir) }
	text, err := os.ReadFile(s.config)
	if err == nil {
		err = writeZeros(dir, s.config, text)
	}
	if err == nil {
		m, err = arch.Open(dir)
	}
	if err != nil {
		done()
		return nil, nil, err
	}
	return m, done, nil
}

// writeZeros writes a checkpoint that fits a config, in bfloat16: a case is about
// where the weights are, and not about what they hold.
func writeZeros(dir, file string, config []byte) error {
	c, err := arch.ParseConfig(file, config)
	if err != nil {
		return err
	}
	f, err := arch.FamilyOf(c)
	if err != nil {
		return err
	}
	spec, err := arch.SpecOf(f, c)
	if err != nil {
		return err
	}
	var out []safetensors.Out
	written := map[string]bool{}
	for r := range arch.Expand(f.Weights(spec), spec.Layers) {
		for _, p := range r.Pieces {
			if written[p.Tensor] {
				continue
			}
			written[p.Tensor] = true
			shape, bytes := []int{}, int64(2)
			for _, d := range p.Dims {
				shape, bytes = append(shape, d.Size), bytes*int64(d.Size)
			}
			out = append(out, safetensors.Out{Name: p.Tensor, DType: safetensors.BF16, Shape: shape, Data: func(w io.Writer) error {
				_, err := io.CopyN(w, zeros{}, bytes)
				return err
			}})
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), config, 0o600); err != nil {
		return err
	}
	w, err := os.Create(filepath.Join(dir, safetensors.SingleName))
	if err != nil {
		return err
	}
	return errors.Join(safetensors.Write(w, nil, out), w.Close())
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}
