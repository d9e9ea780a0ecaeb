// Package golden makes the golden files: what every model family lowers to, as
// text for review. A change that means to leave the graphs alone leaves these
// files alone; one that does not shows what it changes.
//
//	FAMILY/CASE/spec.json            the Spec of a fixture's config.json
//	FAMILY/CASE/weights.txt          logical weights and the tensors they are made of
//	FAMILY/CASE/prefill_16.mlir ...  the graphs, with one layer of every kind that the Spec has: all of them
//	                                 of a family's first fixture, the decode step of the others
//	FAMILY/CASE/int4-g64/plan.txt    of a family's first fixture, how its weights are kept with 4 bits;
//	              .../decode.fast.ir the decode step then, with kernels for a CPU, operations as lower/ir prints them,
//	              .../decode.mlir    and, of some families, without kernels
//	modules/NAME.mlir                one part of the decoder by itself
//	EQUAL.txt                        which fixtures share a program if their sizes are equal
package golden

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/fsx"
)

// Folder and file that belong to no family.
const (
	modulesDir = "modules"
	equalFile  = "EQUAL.txt"
)

// A File is a golden file; Path is relative to the folder of the goldens, with slashes.
type File struct {
	Path string
	Data []byte
}

// Make makes all golden files from the fixtures, sorted by path; of one family only
// that family's, if family is not empty. Errors are the user's: a fixture that cannot be opened, or no
// such family.
func Make(fixtures, family string) ([]File, error) {
	list, err := sources(fixtures)
	if err != nil {
		return nil, err
	}
	var files []File
	known := map[string]bool{}
	for _, s := range list {
		c, err := openCase(s)
		if err != nil {
			return nil, err
		}
		if family == "" || family == c.family {
			kinds := goldenKinds
			if known[c.family] {
				kinds = variantKinds
			}
			made, err := c.files(kinds)
			if err != nil {
				return nil, fmt.Errorf("fixture %s: %w", s.name, err)
			}
			files = append(files, made...)
			if !known[c.family] {
				if made, err = c.quantizedFiles(); err != nil {
					return nil, fmt.Errorf("fixture %s, quantized: %w", s.name, err)
				}
				files = append(files, made...)
			}
		}
		known[c.family] = true
	}
	if family == "" {
		for _, part := range []func() ([]File, error){moduleFiles, func() ([]File, error) { return equalFiles(list) }} {
			made, err := part()
			if err != nil {
				return nil, err
			}
			files = append(files, made...)
		}
	} else if !known[family] {
		names := slices.Sorted(maps.Keys(known))
		return nil, &diag.Error{Kind: diag.Usage, Code: "no_golden", Where: family, Message: "no fixture is of this family",
			Want: "one of " + strings.Join(names, ", ")}
	}
	slices.SortFunc(files, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	return files, nil
}

// A Difference is a golden file that is not as it should be.
type Difference struct {
	Path    string `json:"path"`
	Problem string `json:"problem"` // "differs", "missing" or "orphan"
	// Old is what the file holds, New what it should; nil where there is none.
	Old []byte `json:"-"`
	New []byte `json:"-"`
}

// Compare holds the folder of the goldens against what they should be. Files that
// nothing makes are orphans; with a family only its folder is looked at.
func Compare(dir, family string, want []File) ([]Difference, error) {
	have, err := existing(dir, family)
	if err != nil {
		return nil, err
	}
	var list []Difference
	made := map[string]bool{}
	for _, f := range want {
		made[f.Path] = true
		if !slices.Contains(have, f.Path) {
			list = append(list, Difference{Path: f.Path, Problem: "missing", New: f.Data})
			continue
		}
		old, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.Path)))
		if err != nil {
			return nil, diag.FileError("golden", "cannot be read", filepath.Join(dir, f.Path), err)
		}
		if !bytes.Equal(old, f.Data) {
			list = append(list, Difference{f.Path, "differs", old, f.Data})
		}
	}
	for _, path := range have {
		if made[path] {
			continue
		}
		old, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		if err != nil {
			return nil, diag.FileError("golden", "cannot be read", filepath.Join(dir, path), err)
		}
		list = append(list, Difference{Path: path, Problem: "orphan", Old: old})
	}
	slices.SortFunc(list, func(a, b Difference) int { return strings.Compare(a.Path, b.Path) })
	return list, nil
}

// existing lists the files of the goldens, or of one family's; none if there is no folder.
func existing(dir, family string) ([]string, error) {
	var paths []string
	root := filepath.Join(dir, family)
	if _, err := os.Stat(root); os.IsNotExist(err) {
		return nil, nil
	}
	err := filepath.WalkDir(root, func(path string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		if !isGolden(e.Name()) {
			return &diag.Error{Kind: diag.BadInput, Code: "golden", File: path, Message: "is no golden file",
				Want: "spec.json, weights.txt, plan.txt, " + equalFile + " and graphs only", Fix: "give --dir the folder of the goldens, or take the file out of it"}
		}
		rel, err := filepath.Rel(dir, path)
		paths = append(paths, filepath.ToSlash(rel))
		return err
	})
	var foreign *diag.Error
	switch {
	case errors.As(err, &foreign):
		return nil, err
	case err != nil:
		return nil, diag.FileError("golden", "cannot be read", root, err)
	}
	return paths, nil
}

// isGolden says whether a golden file may have this name. Another one in the folder
// is no orphan to be removed: it is the wrong folder.
func isGolden(name string) bool {
	return name == "spec.json" || name == "weights.txt" || name == "plan.txt" || name == equalFile || strings.HasSuffix(name, ".mlir") || strings.HasSuffix(name, ".ir")
}

// Update makes the folder what it should be: each file is replaced whole, orphans
// and the folders that they leave empty are removed.
func Update(dir string, differences []Difference) error {
	for _, d := range differences {
		path := filepath.Join(dir, filepath.FromSlash(d.Path))
		if d.Problem == "orphan" {
			if err := os.Remove(path); err != nil {
				return diag.FileError("golden", "cannot be removed", path, err)
			}
			for parent := filepath.Dir(path); parent != filepath.Clean(dir); parent = filepath.Dir(parent) {
				if os.Remove(parent) != nil { // it is not empty
					break
				}
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return diag.FileError("golden", "cannot be made", filepath.Dir(path), err)
		}
		if err := fsx.WriteFile(path, d.New); err != nil {
			return err
		}
	}
	return nil
}
