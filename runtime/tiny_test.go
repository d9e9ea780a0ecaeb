//go:build linux && amd64

package runtime_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/build"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/testenv"
)

// scratch holds the bundles of this package's tests.
var scratch string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		var err error
		if scratch, err = os.MkdirTemp("", "hlocc-runtime-test-"); err != nil {
			panic(err)
		}
		defer func() { _ = os.RemoveAll(scratch) }()
		return m.Run()
	}())
}

// panicky lets examples, which have no testing.T, use helpers that want one.
type panicky struct{ testing.TB }

func (panicky) Helper()                           {}
func (panicky) Fatal(args ...any)                 { panic(fmt.Sprint(args...)) }
func (panicky) Fatalf(format string, args ...any) { panic(fmt.Sprintf(format, args...)) }

// tinyBundle is a bundle of the fixture "llama" for this machine: context 64,
// buckets 8 and 32, as in the tests of package build, which share the compile cache.
var tinyBundle = sync.OnceValue(func() string {
	path := filepath.Join(scratch, "tiny.hlocc")
	buildTiny(panicky{}, "llama", path, build.PlanOptions{Context: 64, Buckets: []int{8, 32}})
	return path
})

// buildTiny builds a fixture for this machine.
func buildTiny(t testing.TB, fixture, path string, plan build.PlanOptions) *build.Result {
	t.Helper()
	cache, err := compile.OpenCache(testenv.CacheDir(t))
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := compile.Find(context.Background(), compile.DefaultSearch(testenv.IREE(t).Compile), cache)
	if err != nil {
		t.Fatal(err)
	}
	r, err := build.Run(context.Background(), build.Options{Dir: fixtures.Dir(t, fixture), Output: path, Plan: plan, Compiler: compiler, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	return r
}
