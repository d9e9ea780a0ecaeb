// Package layering holds the tests of how packages may depend on each other.
// docs and RATIONALE.md say why the boundaries are where they are.
package layering

import (
	"bytes"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/testenv"
)

const module = "github.com/hlocc/hlocc/"

// A rule says what packages must not depend on, directly or through others,
// test files aside. Names are relative to the module; they stand for a package
// and all below it. A name that does not exist (yet) may be forbidden.
type rule struct {
	packages []string
	not      []string
	except   []string // packages that the rule is not for
	because  string
}

var buildSide = []string{
	"arch", "lower", "quantize", "internal/build", "internal/compile", "internal/review", "internal/serve", "internal/oci", "internal/attest",
}

var rules = []rule{
	{packages: []string{"runtime", "bundle", "internal/text"}, not: buildSide, because: "a bundle runs without what built it"},
	{packages: []string{"lower/ir"}, not: []string{"*"}, except: testHelpers, because: "the IR is self-contained"},
	{packages: []string{"arch"}, not: []string{"lower", "quantize", "bundle", "runtime"}, because: "a model is described without saying how it runs"},
	{packages: []string{"arch", "lower", "quantize", "bundle", "runtime", "internal/text"}, not: []string{"net", "os/exec"}, except: testHelpers, because: "only internal/compile starts processes, and only what serves or fetches uses the network"},
	{packages: []string{"internal", "arch", "lower", "quantize", "bundle", "runtime"}, not: []string{"cmd"}, because: "commands are on top"},
	{packages: []string{"arch", "lower", "quantize", "bundle", "runtime", "internal"}, not: []string{"internal/build"}, except: []string{"internal/build"}, because: "only cmd/hlocc puts a build together"},
	{packages: []string{"*"}, not: []string{"testing", "internal/testenv"}, except: testHelpers, because: "tests' helpers stay in tests"},
	{packages: []string{"*"}, not: []string{"runtime/cgo", "github.com/urfave/cli"}, except: []string{"cmd"}, because: "everything works without cgo, and flags are the command's business"},
	{packages: []string{"cmd"}, not: []string{"runtime/cgo"}, because: "the binary is static"},
}

// testHelpers are the packages that exist for tests.
var testHelpers = []string{"internal/testenv", "internal/compile/compiletest", "lower/ir/irtest", "fixtures"}

func TestImports(t *testing.T) {
	deps := dependencies(t)
	for _, r := range rules {
		matched := 0
		for _, pkg := range sortedKeys(deps) {
			if !under(pkg, r.packages) || under(pkg, r.except) {
				continue
			}
			matched++
			for _, dep := range deps[pkg] {
				if forbidden(dep, r.not) && !under(dep, r.except) {
					t.Errorf("%s depends on %s: %s", pkg, strings.TrimPrefix(dep, module), r.because)
				}
			}
		}
		if matched == 0 {
			t.Errorf("no package in %v: the rule checks nothing", r.packages)
		}
	}
}

func TestRulesCatch(t *testing.T) {
	for _, test := range []struct {
		dep  string
		not  []string
		want bool
	}{
		{module + "lower/ir", []string{"lower"}, true},
		{module + "lowering", []string{"lower"}, false},
		{module + "runtime", []string{"runtime"}, true},
		{"runtime", []string{"runtime"}, false}, // the standard library's
		{"runtime/cgo", []string{"runtime/cgo"}, true},
		{"net/http", []string{"net"}, true},
		{"golang.org/x/sys/unix", []string{"*"}, true},
		{module + "internal/diag", []string{"*"}, true},
		{"fmt", []string{"*"}, false},
	} {
		if got := forbidden(test.dep, test.not); got != test.want {
			t.Errorf("forbidden(%s, %v) = %v", test.dep, test.not, got)
		}
	}
}

// forbidden reports whether an import path is below one of the names: of this
// module, of the standard library, or of another module. "*" is every package
// outside the standard library.
func forbidden(path string, names []string) bool {
	own, isOwn := strings.CutPrefix(path, module)
	first, _, _ := strings.Cut(path, "/")
	standard := !strings.Contains(first, ".")
	for _, name := range names {
		switch {
		case name == "*":
			if !standard {
				return true
			}
		case isOwn:
			if below(own, name) {
				return true
			}
		// "runtime" and "internal" mean ours: the standard library's are in everything.
		case standard && (name == "runtime" || strings.HasPrefix(name, "internal") || name == "cmd" || name == "arch"):
		case below(path, name):
			return true
		}
	}
	return false
}

func under(pkg string, names []string) bool {
	pkg = strings.TrimPrefix(pkg, module)
	return slices.ContainsFunc(names, func(name string) bool { return name == "*" || below(pkg, name) })
}

func below(path, name string) bool {
	return path == name || strings.HasPrefix(path, name+"/")
}

// dependencies are all packages that each of our packages needs to be built.
func dependencies(t *testing.T) map[string][]string {
	t.Helper()
	out := goTool(t, testenv.Root(t), nil, "list", "-f", `{{.ImportPath}} {{join .Deps " "}}`, "./...")
	deps := map[string][]string{}
	for line := range strings.Lines(out) {
		words := strings.Fields(line)
		if len(words) > 0 && strings.HasPrefix(words[0], module) {
			deps[strings.TrimPrefix(words[0], module)] = words[1:]
		}
	}
	return deps
}

func sortedKeys(m map[string][]string) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func goTool(t *testing.T, dir string, env []string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir = dir
	// PWD makes go see dir as it is spelled here, through a symbolic link too.
	cmd.Env = append(append(os.Environ(), "PWD="+dir), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s %s: %v\n%s", strings.Join(env, " "), strings.Join(args, " "), err, stderr.Bytes())
	}
	return string(out)
}
