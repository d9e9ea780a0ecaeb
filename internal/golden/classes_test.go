package golden

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

func TestSharedPrograms(t *testing.T) {
	dir := t.TempDir()
	if shared, err := SharedPrograms(dir); shared != nil || err != nil {
		t.Errorf("without the file: %v, %v", shared, err)
	}
	const text = "# Families and their fixtures, in blocks\n# a second line\n\nalone            alone\n\nc                c_2\n\na                a1 a2\nc                c\n\na                a3\nb                b\n"
	if err := os.WriteFile(filepath.Join(dir, equalFile), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	shared, err := SharedPrograms(dir)
	if got := fmt.Sprint(shared); err != nil || got != "map[a:[b c] b:[a] c:[a]]" {
		t.Errorf("%v, %v", got, err)
	}
	if err := os.Remove(filepath.Join(dir, equalFile)); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(dir, equalFile), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := SharedPrograms(dir); err == nil {
		t.Error("a folder is read")
	}
}
