package compile

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/diag"
)

// tree writes files; a name that ends in "*" is executable and loses the star.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		mode := os.FileMode(0o644)
		if n, ok := strings.CutSuffix(name, "*"); ok {
			name, mode = n, 0o755
		}
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.ReplaceAll(content, "$ROOT", root)), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

const elf = "\x7fELF…"

// wheel is what pip installs below a virtual environment.
func wheel(venv, python string) map[string]string {
	libs := venv + "/lib/" + python + "/site-packages/iree/compiler/_mlir_libs/"
	return map[string]string{
		venv + "/bin/iree-compile*":      "#!$ROOT/" + venv + "/bin/python3\nimport re\n",
		libs + "iree-compile*":           elf,
		libs + "libIREECompiler.so":      elf,
		venv + "/bin/python3*":           elf,
		venv + "/bin/something-else.txt": "",
	}
}

func merge(maps ...map[string]string) map[string]string {
	all := map[string]string{}
	for _, m := range maps {
		for k, v := range m {
			all[k] = v
		}
	}
	return all
}

func TestSearchOrder(t *testing.T) {
	root := tree(t, merge(wheel("flag", "python3.11"), wheel("env", "python3.12"), wheel("app/.toolchain", "python3.9"),
		wheel("work/.toolchain", "python3.10"), wheel("onpath", "python3.13"),
		map[string]string{"static/iree-compile*": elf, "sysbin/iree-compile*": "#!$ROOT/onpath/bin/python3\n", "relative/bin/iree-compile*": elf}))
	in := func(elem ...string) string { return filepath.Join(append([]string{root}, elem...)...) }
	native := func(venv, python string) string {
		return in(venv, "lib", python, "site-packages/iree/compiler/_mlir_libs/iree-compile")
	}
	link := in("link")
	if err := os.Symlink(native("flag", "python3.11"), link); err != nil {
		t.Fatal(err)
	}
	t.Chdir(root)
	all := Search{Flag: in("flag"), Env: in("env"), Executable: in("app/bin/hlocc"), WorkDir: in("work"), Path: in("onpath/bin")}
	without := func(change func(s *Search)) Search { s := all; change(&s); return s }
	tests := []struct {
		name   string
		search Search
		path   string
		from   string
	}{
		{"flag", all, native("flag", "python3.11"), "--iree-compile"},
		{"environment", without(func(s *Search) { s.Flag = "" }), native("env", "python3.12"), EnvCompiler},
		{"executable", without(func(s *Search) { s.Flag, s.Env = "", "" }), native("app/.toolchain", "python3.9"), in("app/.toolchain")},
		{"working folder", Search{WorkDir: all.WorkDir, Path: all.Path}, native("work/.toolchain", "python3.10"), in("work/.toolchain")},
		{"PATH", Search{Executable: in("bin/hlocc"), WorkDir: in("app"), Path: in("nothing") + ":" + in("onpath/bin")}, native("app/.toolchain", "python3.9"), in("app/.toolchain")},
		{"script on PATH", Search{Path: in("nothing") + ":" + in("onpath/bin")}, native("onpath", "python3.13"), "PATH"},
		{"script elsewhere", Search{Path: in("sysbin")}, native("onpath", "python3.13"), "PATH"},
		{"static on PATH", Search{Path: in("static")}, in("static/iree-compile"), "PATH"},
		{"flag: script", Search{Flag: in("flag/bin/iree-compile")}, native("flag", "python3.11"), "--iree-compile"},
		{"flag: binary", Search{Flag: native("flag", "python3.11")}, native("flag", "python3.11"), "--iree-compile"},
		{"flag: link", Search{Flag: link}, native("flag", "python3.11"), "--iree-compile"},
		{"flag: relative", Search{Flag: "env"}, native("env", "python3.12"), "--iree-compile"},
		{"flag: site-packages", Search{Flag: in("flag/lib/python3.11/site-packages")}, native("flag", "python3.11"), "--iree-compile"},
	}
	for _, test := range tests {
		path, from, err := test.search.Locate()
		if err != nil || path != test.path || from != test.from {
			t.Errorf("%s: %q from %q, %v\nwant %q from %q", test.name, path, from, err, test.path, test.from)
		}
	}
}

func TestSearchFails(t *testing.T) {
	root := tree(t, merge(wheel("good", "python3.11"), map[string]string{
		"orphan/iree-compile*": "#!/usr/bin/env python3\n", "empty/readme": "", "odd[1]*?/.toolchain/readme": "",
	}))
	in := func(elem ...string) string { return filepath.Join(append([]string{root}, elem...)...) }
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	relative, err := filepath.Rel(wd, in("good/bin"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		search Search
		say    string
	}{
		{"nowhere", Search{WorkDir: in("empty"), Path: in("empty")}, in("empty/.toolchain") + ", PATH"},
		{"flag wrong, rest right", Search{Flag: in("nothing"), Path: in("good/bin")}, "--iree-compile says"},
		{"environment wrong, rest right", Search{Env: in("empty"), Path: in("good/bin")}, EnvCompiler + " says"},
		{"script alone", Search{Flag: in("orphan/iree-compile")}, "is a script"},
		{"relative PATH", Search{Path: relative}, "was not found"},
		{"glob characters", Search{WorkDir: in("odd[1]*?")}, "was not found"},
	}
	for _, test := range tests {
		path, _, err := test.search.Locate()
		if diag.ExitCode(err) != 6 || !strings.Contains(err.Error(), test.say) || !strings.Contains(err.Error(), Package+"==3.13.0") {
			t.Errorf("%s: %q, %v\nwant %q and how to install", test.name, path, err, test.say)
		}
	}
}

func TestIdentity(t *testing.T) {
	ctx := context.Background()
	libs := "lib/python3.11/site-packages/iree/compiler/_mlir_libs/"
	say := func(version string) string {
		return "#!/bin/sh\ntest -z \"$HOME\" || exit 9\necho 'IREE (x):'\necho '  IREE compiler version " + version + "'\n"
	}
	root := tree(t, map[string]string{libs + "iree-compile*": say(pinnedLine), libs + "libIREECompiler.so": "one"})
	binary, lib := filepath.Join(root, libs, "iree-compile"), filepath.Join(root, libs, "libIREECompiler.so")
	cache := openCache(t)

	first, err := identify(ctx, binary, cache)
	if err != nil || first.Version != pinnedLine || len(first.Digest) != 64 {
		t.Fatalf("%+v, %v", first, err)
	}
	// Remembered: the binary is not even started.
	info, err := os.Stat(binary)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.OpenFile(binary, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteAt([]byte("#!/bin/no"), 0); err != nil {
		t.Fatal(err)
	}
	f.Close()
	if err := os.Chtimes(binary, info.ModTime(), info.ModTime()); err != nil {
		t.Fatal(err)
	}
	again, err := identify(ctx, binary, cache)
	if err != nil || *again != *first {
		t.Errorf("again: %+v, %v", again, err)
	}
	if _, err := identify(ctx, binary, openCache(t)); diag.ExitCode(err) != 6 {
		t.Errorf("with nothing remembered it must run: %v", err)
	}
	// Another library in its place is noticed.
	if err := os.WriteFile(binary, []byte(say(pinnedLine)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(lib, []byte("two!"), 0o644); err != nil {
		t.Fatal(err)
	}
	other, err := identify(ctx, binary, cache)
	if err != nil || other.Digest == first.Digest {
		t.Errorf("other library: %+v, %v", other, err)
	}
	// A damaged memory is only a slow one.
	if err := os.WriteFile(filepath.Join(cache.Dir(), knownName), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := identify(ctx, binary, cache); err != nil || *c != *other {
		t.Errorf("damaged memory: %+v, %v", c, err)
	}
}

func TestIdentityErrors(t *testing.T) {
	ctx := context.Background()
	tests := []struct {
		name, script string
		mode         string
		say          string
	}{
		{"other version", "#!/bin/sh\necho '  IREE compiler version 3.12.0 @ abc'\n", "*", "3.12.0 @ abc"},
		{"not a compiler", "#!/bin/sh\necho hello\n", "*", "not an IREE compiler"},
		{"does not start", "#!/bin/sh\necho 'error while loading shared libraries: libIREECompiler.so' >&2; exit 127\n", "*", "found error while loading"},
		{"not executable", "#!/bin/sh\n", "", "make it executable"},
	}
	for _, test := range tests {
		// The library makes a script pass for the native binary in identify.
		root := tree(t, map[string]string{"iree-compile" + test.mode: test.script, "libIREECompiler.so": ""})
		_, err := identify(ctx, filepath.Join(root, "iree-compile"), nil)
		if test.name == "other version" {
			if err != nil {
				t.Fatal(err)
			}
			err = wrongVersion(&Compiler{Path: "x", Version: "3.12.0 @ abc"})
		}
		if diag.ExitCode(err) != 6 || !strings.Contains(err.Error(), test.say) || !strings.Contains(err.Error(), Package+"==3.13.0") {
			t.Errorf("%s: %v, want %q", test.name, err, test.say)
		}
	}
	cancelled, cancel := context.WithCancel(ctx)
	cancel()
	root := tree(t, map[string]string{"iree-compile*": "#!/bin/sh\nsleep 60\n", "libIREECompiler.so": ""})
	if _, err := identify(cancelled, filepath.Join(root, "iree-compile"), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
