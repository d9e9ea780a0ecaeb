package safetensors

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
)

// Checkpoint is the set of tensors of a model directory, in one file or in many.
type Checkpoint struct {
	Files  []*File // in the order of their names
	byName map[string]*Tensor
	names  []string
}

// OpenCheckpoint opens the tensors of a model directory, by headers only. As in
// Hugging Face, model.safetensors is taken if it exists, else
// model.safetensors.index.json and the shards that it names. Index and shards
// must agree in both directions.
func OpenCheckpoint(dir string) (*Checkpoint, error) {
	single := filepath.Join(dir, SingleName)
	if _, err := os.Stat(single); !errors.Is(err, fs.ErrNotExist) { // what else is wrong, Open says
		f, err := Open(single)
		if err != nil {
			return nil, err
		}
		return newCheckpoint(f), nil
	}
	path := filepath.Join(dir, IndexName)
	text, err := readBounded(path, maxIndex)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, missingCheckpoint(dir)
	}
	if err != nil {
		return nil, err
	}
	index, err := ParseIndex(text)
	if err != nil {
		var e *diag.Error
		if errors.As(err, &e) {
			e.File = path
		}
		return nil, err
	}
	return openShards(dir, path, index)
}

func newCheckpoint(files ...*File) *Checkpoint {
	c := &Checkpoint{Files: files, byName: map[string]*Tensor{}}
	for _, f := range files {
		for _, t := range f.tensors {
			c.byName[t.Name] = t
			c.names = append(c.names, t.Name)
		}
	}
	sort.Strings(c.names)
	return c
}

func openShards(dir, indexPath string, index *Index) (_ *Checkpoint, err error) {
	var files []*File
	defer func() {
		if err != nil {
			for _, f := range files {
				f.Close()
			}
		}
	}()
	var missing []string
	for _, name := range index.Shards {
		if _, err := os.Stat(filepath.Join(dir, name)); errors.Is(err, fs.ErrNotExist) {
			missing = append(missing, name)
		}
	}
	if len(missing) > 0 {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "shard_missing", File: indexPath,
			Message: fmt.Sprintf("%d of %d shards are missing", len(missing), len(index.Shards)),
			Found:   "no " + list(missing), Fix: "download the missing files into " + dir}
	}
	for _, name := range index.Shards {
		f, err := Open(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		files = append(files, f)
		var foreign []string
		for _, t := range f.tensors {
			if index.Map[t.Name] != name {
				foreign = append(foreign, t.Name)
			}
		}
		if len(foreign) > 0 {
			where := "is not in the index"
			if other := index.Map[foreign[0]]; other != "" {
				where = "is in " + other + " according to the index"
			}
			return nil, &diag.Error{Kind: diag.BadInput, Code: "index_mismatch", File: f.Name, Where: "tensor " + quote(foreign[0]),
				Message: fmt.Sprintf("%s (%d such tensors)", where, len(foreign)), Fix: "take index and shards from the same revision"}
		}
	}
	c := newCheckpoint(files...)
	var absent []string
	for name := range index.Map {
		if c.byName[name] == nil {
			absent = append(absent, name)
		}
	}
	if len(absent) > 0 {
		sort.Strings(absent)
		return nil, &diag.Error{Kind: diag.BadInput, Code: "index_mismatch", File: indexPath, Where: "tensor " + quote(absent[0]),
			Message: fmt.Sprintf("is not in %s as the index says (%d such tensors)", index.Map[absent[0]], len(absent)),
			Fix:     "take index and shards from the same revision"}
	}
	return c, nil
}

// missingCheckpoint says what the directory has instead.
func missingCheckpoint(dir string) error {
	e := &diag.Error{Kind: diag.BadInput, Code: "checkpoint_missing", File: dir, Message: "no weights found",
		Want: SingleName + " or " + IndexName}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return diag.FileError("checkpoint_missing", "cannot read the directory", dir, err)
	}
	for _, entry := range entries {
		switch name := entry.Name(); {
		case strings.HasSuffix(name, ".bin"), strings.HasSuffix(name, ".pt"), strings.HasSuffix(name, ".pth"):
			e.Kind, e.Code = diag.Unsupported, "checkpoint_format"
			e.Message, e.Found = "pickled checkpoints can run code and are not read", name
			e.Fix = "save the model with safe_serialization=True"
		case strings.HasSuffix(name, ".gguf"):
			e.Kind, e.Code = diag.Unsupported, "checkpoint_format"
			e.Message, e.Found = "GGUF files are not read", name
			e.Fix = "take the safetensors version of the model"
		case strings.HasSuffix(name, ".safetensors"):
			e.Found = name
			e.Fix = "rename it to " + SingleName + ", or add the index of the shards"
			return e
		}
	}
	return e
}

// Tensor finds a tensor by name; nil if there is none.
func (c *Checkpoint) Tensor(name string) *Tensor { return c.byName[name] }

// Names lists all tensor names, sorted.
func (c *Checkpoint) Names() []string { return c.names }

// Close closes all files.
func (c *Checkpoint) Close() error {
	var errs []error
	for _, f := range c.Files {
		errs = append(errs, f.Close())
	}
	return errors.Join(errs...)
}

// readBounded reads a small file. A missing file is an error that wraps
// fs.ErrNotExist.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, diag.FileError("open", "cannot open", path, err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, diag.FileError("read", "cannot read", path, err)
	}
	if int64(len(text)) > limit {
		return nil, &diag.Error{Kind: diag.BadInput, Code: "file_too_large", File: path, Message: "file is too large", Want: fmt.Sprintf("at most %d bytes", limit)}
	}
	return text, nil
}

// list names up to three things.
func list(names []string) string {
	if len(names) > 3 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:3], ", "), len(names)-3)
	}
	return strings.Join(names, ", ")
}
