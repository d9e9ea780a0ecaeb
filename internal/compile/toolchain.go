package compile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
)

// Package and Pinned name the compiler that this program works with: module
// format and ABI are only kept within one release.
const (
	Package = "iree-base-compiler"
	Pinned  = "3.13.0"
	// what the pinned release calls itself
	pinnedLine = "3.13.0rc20261016 @ 89ece87b89852100c0a4ac3d515e14842d090967"
)

// EnvCompiler is the environment variable that names the compiler.
const EnvCompiler = "HLOCC_IREE_COMPILE"

// Install is the command that installs the pinned compiler where it is found.
const Install = "python3 -m venv .toolchain && .toolchain/bin/pip install " + Package + "==" + Pinned

// A Search is where the compiler is looked for, in the order of the fields. An
// empty field is passed over.
type Search struct {
	Flag       string // --iree-compile
	Env        string // $HLOCC_IREE_COMPILE
	Executable string // path of this program: ../.toolchain next to its folder
	WorkDir    string // its .toolchain
	Path       string // a PATH list
}

// DefaultSearch is the search of this process; flag is the value of --iree-compile.
func DefaultSearch(flag string) Search {
	s := Search{Flag: flag, Env: os.Getenv(EnvCompiler), Path: os.Getenv("PATH")}
	if exe, err := os.Executable(); err == nil {
		if real, err := filepath.EvalSymlinks(exe); err == nil {
			exe = real
		}
		s.Executable = exe
	}
	if dir, err := os.Getwd(); err == nil {
		s.WorkDir = dir
	}
	return s
}

// Locate gives the path of the native compiler and where it came from. A
// compiler that was named explicitly and is not there is an error: nothing else
// is tried in its place.
func (s Search) Locate() (path, from string, err error) {
	for _, named := range []struct{ value, from string }{{s.Flag, "--iree-compile"}, {s.Env, EnvCompiler}} {
		if named.value == "" {
			continue
		}
		path, err := native(named.value)
		if err != nil {
			return "", "", &diag.Error{
				Kind: diag.Toolchain, Code: "compiler_missing", Message: "no compiler where " + named.from + " says",
				File: named.value, Cause: err, Fix: "name an iree-compile of " + Package + " " + Pinned + ", or leave it out after `" + Install + "`",
			}
		}
		return path, named.from, nil
	}
	var looked []string
	for _, dir := range s.folders() {
		if path, err := native(dir); err == nil {
			return path, dir, nil
		}
		looked = append(looked, dir)
	}
	for _, dir := range filepath.SplitList(s.Path) {
		if !filepath.IsAbs(dir) { // as os/exec: never run what happens to lie in the working directory
			continue
		}
		if path, err := native(filepath.Join(dir, exe("iree-compile"))); err == nil {
			return path, "PATH", nil
		}
	}
	return "", "", &diag.Error{
		Kind: diag.Toolchain, Code: "compiler_missing", Message: "the compiler iree-compile was not found",
		Want: Package + " " + Pinned, Found: "nothing in " + strings.Join(append(looked, "PATH"), ", "),
		Fix: "run `" + Install + "`, or give its path with --iree-compile",
	}
}

func (s Search) folders() []string {
	var dirs []string
	if s.Executable != "" {
		dirs = append(dirs, filepath.Join(filepath.Dir(filepath.Dir(s.Executable)), ".toolchain"))
	}
	if s.WorkDir != "" {
		if dir := filepath.Join(s.WorkDir, ".toolchain"); len(dirs) == 0 || dirs[0] != dir {
			dirs = append(dirs, dir)
		}
	}
	return dirs
}

// native finds the native compiler from what a user may point at: the binary
// itself, the Python script of that name, a virtual environment, or a folder of
// a wheel. The script is never run: it needs Python and passes on the user's
// environment.
func native(path string) (string, error) {
	path, err := filepath.Abs(path) // the compiler runs in another folder
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	if info.IsDir() {
		if found := inFolder(path); found != "" {
			return found, nil
		}
		return "", fmt.Errorf("no iree-compile in %s", path)
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return "", err
	}
	script, interpreter, err := readShebang(real)
	if err != nil {
		return "", err
	}
	if !script && library(real) != "" {
		return real, nil
	}
	// A console script, or a launcher without the library next to it.
	roots := []string{filepath.Dir(filepath.Dir(path)), filepath.Dir(filepath.Dir(real))}
	if interpreter != "" {
		roots = append(roots, filepath.Dir(filepath.Dir(interpreter)))
	}
	for _, root := range roots {
		if found := inFolder(root); found != "" && found != real {
			return found, nil
		}
	}
	if !script && runtime.GOOS != "windows" { // statically linked
		return real, nil
	}
	return "", fmt.Errorf("%s is a script, and the native compiler that belongs to it was not found", path)
}

func inFolder(dir string) string {
	wheel := filepath.Join("iree", "compiler", "_mlir_libs")
	name := exe("iree-compile")
	for _, pattern := range []string{
		filepath.Join("lib*", "python3*", "site-packages", wheel, name),
		filepath.Join("lib*", "python3*", "dist-packages", wheel, name),
		filepath.Join("Lib", "site-packages", wheel, name),
		filepath.Join(wheel, name), // a site-packages folder
		name,                       // _mlir_libs itself
		filepath.Join("bin", name), // a build of IREE's own tree
	} {
		found, err := filepath.Glob(filepath.Join(escapeGlob(dir), pattern))
		if err != nil {
			continue
		}
		for i := len(found) - 1; i >= 0; i-- { // the highest Python version
			real, err := filepath.EvalSymlinks(found[i])
			if err != nil {
				continue
			}
			if script, _, err := readShebang(real); err == nil && !script {
				return real
			}
		}
	}
	return ""
}

func escapeGlob(path string) string {
	if runtime.GOOS == "windows" { // no escapes there, and no such characters but [
		return path
	}
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(path)
}

// readShebang reports whether the file is a script, and its absolute interpreter.
func readShebang(path string) (script bool, interpreter string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return false, "", err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() {
		return false, "", errors.Join(err, fmt.Errorf("%s is not a regular file", path))
	}
	head := make([]byte, 512)
	n, _ := f.Read(head) // an empty file is neither script nor program; running it says so
	line, found := bytes.CutPrefix(head[:n], []byte("#!"))
	if !found {
		return false, "", nil
	}
	line, _, _ = bytes.Cut(line, []byte("\n"))
	if words := strings.Fields(string(line)); len(words) > 0 && filepath.IsAbs(words[0]) {
		interpreter = words[0]
	}
	return true, interpreter, nil
}

// library is the shared library that holds the compiler proper, "" if there is
// none next to the binary.
func library(binary string) string {
	name := "libIREECompiler.so"
	switch runtime.GOOS {
	case "darwin":
		name = "libIREECompiler.dylib"
	case "windows":
		name = "IREECompiler.dll"
	}
	dir := filepath.Dir(binary)
	for _, path := range []string{filepath.Join(dir, name), filepath.Join(filepath.Dir(dir), "lib", name)} {
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

func exe(name string) string {
	if runtime.GOOS == "windows" {
		return name + ".exe"
	}
	return name
}

// Find locates the compiler, identifies it and checks that it is the pinned one.
func Find(ctx context.Context, s Search, cache *Cache) (*Compiler, error) {
	path, from, err := s.Locate()
	if err != nil {
		return nil, err
	}
	c, err := identify(ctx, path, cache)
	if err != nil {
		return nil, err
	}
	c.From = from
	if c.Version != pinnedLine {
		return nil, wrongVersion(c)
	}
	return c, nil
}

func wrongVersion(c *Compiler) error {
	return &diag.Error{
		Kind: diag.Toolchain, Code: "compiler_version", Message: "the compiler is of another version", File: c.Path,
		Want: Package + " " + Pinned + " (" + pinnedLine + ")", Found: c.Version,
		Fix: "run `" + Install + "`, or name another with --iree-compile",
	}
}

func notRunning(path string, err error, stderr []byte) error {
	e := &diag.Error{
		Kind: diag.Toolchain, Code: "compiler_broken", Message: "the compiler does not run", File: path, Cause: err,
		Found: firstLine(stderr), Fix: "run `" + Install + "`",
	}
	if errors.Is(err, fs.ErrPermission) {
		e.Fix = "make it executable, or run `" + Install + "`"
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && e.Found != "" {
		e.Cause = nil // "exit status 127" says nothing that the message does not
	}
	return e
}

func firstLine(text []byte) string {
	line, _, _ := bytes.Cut(bytes.TrimSpace(text), []byte("\n"))
	return clip(string(line), 300)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.ToValidUTF8(s[:n], "") + "…"
}
