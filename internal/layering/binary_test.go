package layering

import (
	"crypto/sha256"
	"debug/elf"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/testenv"
)

// buildFlags are those of the Makefile.
var buildFlags = []string{"-trimpath", "-buildvcs=false", "-ldflags=-s -w -buildid="}

func buildBinary(t *testing.T, dir string) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "hlocc")
	args := append(append([]string{"build"}, buildFlags...), "-o", bin, "./cmd/hlocc")
	goTool(t, dir, []string{"GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0"}, args...)
	return bin
}

// TestBuildFlags keeps this test and the Makefile together.
func TestBuildFlags(t *testing.T) {
	makefile, err := os.ReadFile(filepath.Join(testenv.Root(t), "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	want := "go build -trimpath -buildvcs=false -ldflags='-s -w -buildid='\n"
	if !strings.Contains(string(makefile), want) {
		t.Errorf("the Makefile does not build with %q", want)
	}
}

// TestStatic: the program needs no loader and no library, so it runs in an
// empty root folder.
func TestStatic(t *testing.T) {
	f, err := elf.Open(buildBinary(t, testenv.Root(t)))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("the program has a segment %v", p.Type)
		}
		if p.Type == elf.PT_GNU_STACK && p.Flags&elf.PF_X != 0 {
			t.Error("the program asks for executable stacks")
		}
	}
	if libs, err := f.ImportedLibraries(); err != nil || len(libs) > 0 {
		t.Errorf("libraries %v, %v", libs, err)
	}
}

// TestReproducible: where the sources lie leaves no trace in the program.
func TestReproducible(t *testing.T) {
	root := testenv.Root(t)
	elsewhere := filepath.Join(t.TempDir(), "a folder of another name")
	if err := os.Symlink(root, elsewhere); err != nil {
		t.Fatal(err)
	}
	here, err := os.ReadFile(buildBinary(t, root))
	if err != nil {
		t.Fatal(err)
	}
	there, err := os.ReadFile(buildBinary(t, elsewhere))
	if err != nil {
		t.Fatal(err)
	}
	if sha256.Sum256(here) != sha256.Sum256(there) {
		t.Error("equal sources in two folders give different programs")
	}
	for _, trace := range []string{root, "a folder of another name"} {
		if strings.Contains(string(here)+string(there), trace) {
			t.Errorf("the program holds the path %q", trace)
		}
	}
}

// TestCrossBuild: building, inspecting and verifying bundles works on these
// platforms, so everything compiles for them.
func TestCrossBuild(t *testing.T) {
	for _, platform := range []string{"linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"} {
		t.Run(strings.ReplaceAll(platform, "/", "_"), func(t *testing.T) {
			goos, goarch, _ := strings.Cut(platform, "/")
			env := []string{"GOOS=" + goos, "GOARCH=" + goarch, "CGO_ENABLED=0"}
			// Of several packages nothing is linked.
			goTool(t, testenv.Root(t), env, "build", "./...")
			goTool(t, testenv.Root(t), env, "build", "-o", filepath.Join(t.TempDir(), "hlocc"), "./cmd/hlocc")
		})
	}
}
