package doctor

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/testenv"
)

func names(r Report) map[string]Check {
	m := map[string]Check{}
	for _, c := range r.Checks {
		m[c.Name] = c
	}
	return m
}

func TestHealthy(t *testing.T) {
	r := Run(t.Context(), Options{Search: compile.Search{Flag: testenv.IREE(t).Compile}, CacheDir: testenv.CacheDir(t)})
	if !r.OK || r.Err() != nil || len(r.Checks) != 7 {
		t.Errorf("%+v", r)
	}
	for _, c := range r.Checks {
		if c.Status == Fail || c.Detail == "" || c.Status == OK && c.Fix != "" {
			t.Errorf("%+v", c)
		}
	}
	data, err := json.Marshal(r)
	if err != nil || !strings.HasPrefix(string(data), `{"ok":true,"checks":[{"name":"platform","status":"ok",`) {
		t.Errorf("%s, %v", data, err)
	}
}

func TestProblems(t *testing.T) {
	empty := t.TempDir()
	file := filepath.Join(empty, "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(empty, "broken")
	if err := os.MkdirAll(broken, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"iree-compile": "\x7fELF nothing", "libIREECompiler.so": ""} {
		if err := os.WriteFile(filepath.Join(broken, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	v3, _ := cpu.ByName("x86-64-v3")
	good := cpu.NewSet("amd64", v3.Features...)
	tests := []struct {
		name     string
		search   compile.Search
		cache    string
		machine  cpu.Set
		platform string
		check    string
		status   Status
		exit     int
		say, fix string
	}{
		{"no compiler", compile.Search{WorkDir: empty}, empty, good, runs, "compiler", Fail, 6, "not found", compile.Install},
		{"broken compiler", compile.Search{Flag: broken}, empty, good, runs, "compiler", Fail, 6, "does not run", compile.Install},
		{"cache", compile.Search{WorkDir: empty}, filepath.Join(file, "x"), good, runs, "cache", Fail, 1, file, compile.EnvCache},
		{"old cpu", compile.Search{WorkDir: empty}, empty, cpu.NewSet("amd64", "sse3"), runs, "cpu", Warn, 6, "sse3", "--target"},
		{"good cpu", compile.Search{WorkDir: empty}, empty, good, runs, "cpu", OK, 6, "x86-64-v3", ""},
		{"platform", compile.Search{WorkDir: empty}, empty, cpu.NewSet("arm64", "asimd"), "darwin/arm64", "platform", Warn, 6, "darwin/arm64", runs},
	}
	for _, test := range tests {
		r := run(t.Context(), Options{Search: test.search, CacheDir: test.cache}, test.machine, test.platform)
		c := names(r)[test.check]
		if c.Status != test.status || !strings.Contains(c.Detail, test.say) || !strings.Contains(c.Fix, test.fix) {
			t.Errorf("%s: %+v", test.name, c)
		}
		if c.Fix != "" && strings.Contains(c.Detail, c.Fix) {
			t.Errorf("%s: the fix is in the detail too: %s", test.name, c.Detail)
		}
		if got := diag.ExitCode(r.Err()); got != test.exit || r.OK {
			t.Errorf("%s: exit code %d, want %d", test.name, got, test.exit)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := Run(ctx, Options{Search: compile.Search{Flag: testenv.IREE(t).Compile}, CacheDir: t.TempDir()})
	if diag.ExitCode(r.Err()) != 130 {
		t.Errorf("%v", r.Err())
	}
}
