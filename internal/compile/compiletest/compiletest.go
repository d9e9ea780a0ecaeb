// Package compiletest compiles graphs in tests, with the repository's own
// toolchain and a cache that all test packages share.
package compiletest

import (
	"sync"
	"testing"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/testenv"
)

var (
	mu   sync.Mutex
	pool *compile.Pool
)

// Pool compiles through the shared test cache. The test fails if the toolchain
// is missing.
func Pool(t testing.TB) *compile.Pool {
	t.Helper()
	mu.Lock()
	defer mu.Unlock()
	if pool != nil {
		return pool
	}
	cache, err := compile.OpenCache(testenv.CacheDir(t))
	if err != nil {
		t.Fatal(err)
	}
	compiler, err := compile.Find(t.Context(), compile.Search{Flag: testenv.IREE(t).Compile}, cache)
	if err != nil {
		t.Fatal(err)
	}
	pool = compile.New(compile.Options{Compiler: compiler, Cache: cache})
	return pool
}

// Target finds a target; "" is the highest that this machine runs.
func Target(t testing.TB, name string) compile.Target {
	t.Helper()
	find := compile.DefaultTarget
	if name != "" {
		find = func(machine cpu.Set) (compile.Target, error) { return compile.FindTarget(name, machine) }
	}
	target, err := find(cpu.Host())
	if err != nil {
		t.Fatal(err)
	}
	return target
}

// Module compiles a StableHLO text for the named target ("": the highest that
// this machine runs). The test fails if it does not compile.
func Module(t testing.TB, graph, text, target string) []byte {
	t.Helper()
	m, err := Pool(t).Compile(t.Context(), compile.Action{Graph: graph, Text: []byte(text), Target: Target(t, target)})
	if err != nil {
		t.Fatal(err)
	}
	return m.Bytes
}
