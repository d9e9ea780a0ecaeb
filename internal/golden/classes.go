package golden

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
)

// SharedPrograms says of each family which others share a program with it, for
// some of their models, as the golden files in dir have it. Nil if there are none.
func SharedPrograms(dir string) (map[string][]string, error) {
	file := filepath.Join(dir, equalFile)
	text, err := os.ReadFile(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, diag.FileError("golden", "cannot be read", file, err)
	}
	shared := map[string][]string{}
	for block := range strings.SplitSeq(string(text), "\n\n") {
		var families []string
		for line := range strings.Lines(block) {
			if f := strings.Fields(line); len(f) > 1 && f[0] != "#" {
				families = append(families, f[0])
			}
		}
		for _, f := range families {
			for _, other := range families {
				if other != f && !slices.Contains(shared[f], other) {
					shared[f] = append(shared[f], other)
				}
			}
		}
	}
	for _, list := range shared {
		slices.Sort(list)
	}
	return shared, nil
}
