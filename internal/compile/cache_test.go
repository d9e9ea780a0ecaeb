package compile

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

var fakeCompiler = &Compiler{Path: "/none", Version: "1.2.3", Digest: "00ff"}

func openCache(t *testing.T) *Cache {
	t.Helper()
	c, err := OpenCache(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func action(text string) Action {
	return Action{Graph: "decode", Text: []byte(text), Target: targets[0]}
}

func put(t *testing.T, c *Cache, text string, module []byte) string {
	t.Helper()
	a := action(text)
	key := Key(a.Text, a.Target.Flags(), fakeCompiler)
	if err := c.put(key, a, fakeCompiler, module); err != nil {
		t.Fatal(err)
	}
	return key
}

func TestKey(t *testing.T) {
	base := Key([]byte("text"), []string{"-a", "-b"}, fakeCompiler)
	for name, other := range map[string]string{
		"text":    Key([]byte("texu"), []string{"-a", "-b"}, fakeCompiler),
		"flags":   Key([]byte("text"), []string{"-a"}, fakeCompiler),
		"order":   Key([]byte("text"), []string{"-b", "-a"}, fakeCompiler),
		"joined":  Key([]byte("text"), []string{"-a-b"}, fakeCompiler),
		"shifted": Key([]byte("-btext"), []string{"-a"}, fakeCompiler),
		"version": Key([]byte("text"), []string{"-a", "-b"}, &Compiler{Version: "1.2.4", Digest: "00ff"}),
		"digest":  Key([]byte("text"), []string{"-a", "-b"}, &Compiler{Version: "1.2.3", Digest: "00fe"}),
	} {
		if other == base {
			t.Errorf("%s does not change the key", name)
		}
	}
	if again := Key([]byte("text"), []string{"-a", "-b"}, &Compiler{Path: "/elsewhere", From: "PATH", Version: "1.2.3", Digest: "00ff"}); again != base {
		t.Error("the compiler's place changes the key")
	}
}

func TestDamagedEntries(t *testing.T) {
	module := bytes.Repeat([]byte("module "), 100)
	tests := map[string]func(data []byte) []byte{
		"whole":       func(d []byte) []byte { return d },
		"empty":       func([]byte) []byte { return nil },
		"cut":         func(d []byte) []byte { return d[:len(d)-1] },
		"cut to head": func(d []byte) []byte { return d[:40] },
		"longer":      func(d []byte) []byte { return append(d, 'x') },
		"bit flipped": func(d []byte) []byte { d[len(d)-9] ^= 4; return d },
		"head":        func(d []byte) []byte { return bytes.Replace(d, []byte(`"graph"`), []byte(`"graph`), 1) },
		"other magic": func(d []byte) []byte { d[0] ^= 1; return d },
		"other key":   func(d []byte) []byte { return bytes.Replace(d, []byte(`{"key":"`), []byte(`{"key":"0`), 1) },
	}
	for name, damage := range tests {
		c := openCache(t)
		key := put(t, c, "text", module)
		path := c.entry(key)
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, damage(data), 0o644); err != nil {
			t.Fatal(err)
		}
		got, ok := c.get(key)
		if ok != (name == "whole") || ok && !bytes.Equal(got, module) {
			t.Errorf("%s: %d bytes, %v", name, len(got), ok)
		}
		if _, err := os.Stat(path); !ok && !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the damaged entry stays", name)
		}
	}
}

func TestGC(t *testing.T) {
	c := openCache(t)
	module := make([]byte, 1000)
	var keys []string
	for i := range 5 { // entry i was used i days ago
		key := put(t, c, fmt.Sprint("text ", i), module)
		when := time.Now().Add(-time.Duration(i) * 24 * time.Hour)
		if err := os.Chtimes(c.entry(key), when, when); err != nil {
			t.Fatal(err)
		}
		keys = append(keys, key)
	}
	entries, err := c.Entries()
	if err != nil || len(entries) != 5 || entries[0].Key != keys[0] || entries[4].Key != keys[4] {
		t.Fatalf("%+v, %v", entries, err)
	}
	if e := entries[0]; e.Graph != "decode" || e.Target != "x86-64-v2" || e.Compiler != "1.2.3" || e.Size < 1000 {
		t.Errorf("%+v", e)
	}
	gc := func(o GCOptions) GCResult {
		t.Helper()
		r, err := c.GC(o)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	if r := gc(GCOptions{}); r.Removed != 0 || r.Kept != 5 {
		t.Errorf("no limits: %+v", r)
	}
	if r := gc(GCOptions{MaxAge: 84 * time.Hour, DryRun: true}); r.Removed != 1 || r.Kept != 4 {
		t.Errorf("dry run: %+v", r)
	}
	if r := gc(GCOptions{MaxAge: 84 * time.Hour}); r.Removed != 1 || r.Kept != 4 {
		t.Errorf("by age: %+v", r)
	}
	lock, ok := tryLock(c.path("lock", keys[3]))
	if !ok {
		t.Fatal("lock is taken")
	}
	if r := gc(GCOptions{MaxBytes: entries[0].Size}); r.Removed != 2 || r.Kept != 2 {
		t.Errorf("by size, the oldest in use: %+v", r)
	}
	lock.unlock()
	if _, ok := c.get(keys[3]); !ok { // which also makes it the youngest
		t.Error("an entry in use was removed")
	}
	if r := gc(GCOptions{MaxBytes: entries[0].Size}); r.Removed != 1 || r.Kept != 1 {
		t.Errorf("by size: %+v", r)
	}
	if _, ok := c.get(keys[3]); !ok {
		t.Error("the most recently used entry was removed")
	}
}

// What killed processes leave goes after a day; what is in use now stays.
func TestSweep(t *testing.T) {
	c := openCache(t)
	old := time.Now().Add(-25 * time.Hour)
	var gone, stay []string
	add := func(list *[]string, when time.Time, elem ...string) {
		path := c.path(elem...)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
		*list = append(*list, path)
	}
	add(&gone, old, "tmp", "compile-1")
	add(&stay, time.Now(), "tmp", "compile-2")
	add(&gone, old, "lock", "abc")
	add(&stay, time.Now(), "lock", "def")
	add(&gone, old, "ab", strings.Repeat("ab", 32))
	add(&gone, old, "ab", ".hlocc-123.tmp")
	add(&stay, old, "failed", "0123.log")
	if _, err := c.GC(GCOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, path := range gone {
		if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s stays", path)
		}
	}
	for _, path := range stay {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}

// The lock excludes, although its file goes away with every release.
func TestLockExcludes(t *testing.T) {
	c := openCache(t)
	var inside, most, total int
	var mu sync.Mutex
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				var l *fileLock
				for ok := false; !ok; {
					l, ok = tryLock(c.path("lock", "k"))
				}
				mu.Lock()
				inside++
				most = max(most, inside)
				mu.Unlock()
				time.Sleep(50 * time.Microsecond)
				mu.Lock()
				inside--
				total++
				mu.Unlock()
				l.unlock()
			}
		})
	}
	wg.Wait()
	if most != 1 || total != 160 {
		t.Errorf("%d at once, %d in all", most, total)
	}
	if left := children(c.path("lock")); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
}

func TestCacheFolder(t *testing.T) {
	t.Setenv(EnvCache, "relative")
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if dir, err := DefaultCacheDir(); err != nil || dir != filepath.Join(wd, "relative") {
		t.Errorf("%q, %v", dir, err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenCache(filepath.Join(file, "cache")); err == nil || !strings.Contains(err.Error(), EnvCache) {
		t.Errorf("cache below a file: %v", err)
	}
}
