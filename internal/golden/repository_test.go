package golden

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/testenv"
)

// The golden files are what the families lower to; every graph among them has been
// through the verifier.
func TestRepository(t *testing.T) {
	files, err := Make(fixtures(t), "")
	if err != nil {
		t.Fatal(err)
	}
	list, err := Compare(filepath.Join(testenv.Root(t), "goldens"), "", files)
	if err != nil {
		t.Fatal(err)
	}
	for i, d := range list {
		if i == 20 {
			t.Errorf("and %d more", len(list)-i)
			break
		}
		t.Errorf("%s: %s", d.Path, d.Problem)
	}
	if len(list) > 0 {
		t.Error("see hlocc golden diff; if that is what you want, make golden")
	}
}

// Any family is read, lowered and printed in under a second: all of its graphs, in
// fact, in milliseconds. The best of three counts, for other work on the machine.
func TestLoweringIsFast(t *testing.T) {
	list, err := sources(fixtures(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range list {
		best := time.Hour
		for try := 0; try < 3 && best > time.Second; try++ {
			start := time.Now()
			c, err := openCase(s)
			if err == nil {
				_, err = c.files(goldenKinds)
			}
			if err != nil {
				t.Fatal(err)
			}
			best = min(best, time.Since(start))
		}
		if best > time.Second {
			t.Errorf("%s takes %v", s.name, best)
		}
	}
}
