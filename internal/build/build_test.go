package build

import (
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/testenv"
)

// toolchain is the pinned compiler with the cache that all tests share.
func toolchain(t *testing.T) (*compile.Compiler, *compile.Cache) {
	t.Helper()
	cache, err := compile.OpenCache(testenv.CacheDir(t))
	if err != nil {
		t.Fatal(err)
	}
	c, err := compile.Find(t.Context(), compile.DefaultSearch(testenv.IREE(t).Compile), cache)
	if err != nil {
		t.Fatal(err)
	}
	return c, cache
}

func TestBuild(t *testing.T) {
	c, cache := toolchain(t)
	out := filepath.Join(t.TempDir(), "m.hlocc")
	r, err := Run(t.Context(), Options{Dir: fixtures.Dir(t, "llama"), Output: out, Compiler: c, Cache: cache})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v", r)
}
