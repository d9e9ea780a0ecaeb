package compile

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Entry describes one module in the cache.
type Entry struct {
	Key      string    `json:"key"`
	Graph    string    `json:"graph"`
	Target   string    `json:"target"`
	Compiler string    `json:"compiler"`
	Size     int64     `json:"size"` // of the file, bytes
	LastUse  time.Time `json:"last_use"`
}

// Entries lists the cache, the most recently used first. Files that are not
// whole entries are left out.
func (c *Cache) Entries() ([]Entry, error) {
	paths, err := filepath.Glob(filepath.Join(escapeGlob(c.path()), "[0-9a-f][0-9a-f]", strings.Repeat("[0-9a-f]", 64)))
	if err != nil {
		return nil, cacheError(c.dir, err)
	}
	entries := []Entry{}
	for _, path := range paths {
		if e, ok := readEntry(path); ok {
			entries = append(entries, e)
		}
	}
	slices.SortFunc(entries, func(a, b Entry) int {
		if d := b.LastUse.Compare(a.LastUse); d != 0 {
			return d
		}
		return strings.Compare(a.Key, b.Key)
	})
	return entries, nil
}

func readEntry(path string) (Entry, bool) {
	f, err := os.Open(path)
	if err != nil {
		return Entry{}, false
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return Entry{}, false
	}
	r := bufio.NewReader(io.LimitReader(f, 4096))
	magic, err := r.ReadString('\n')
	if err != nil || magic != entryMagic {
		return Entry{}, false
	}
	line, err := r.ReadBytes('\n')
	if err != nil {
		return Entry{}, false
	}
	var head entryHead
	if json.Unmarshal(line, &head) != nil || head.Key != filepath.Base(path) {
		return Entry{}, false
	}
	return Entry{
		Key: head.Key, Graph: head.Graph, Target: head.Target, Compiler: head.Compiler,
		Size: info.Size(), LastUse: info.ModTime(),
	}, true
}

// GCOptions say what to keep. Zero means no limit of that kind.
type GCOptions struct {
	MaxAge   time.Duration // since the last use
	MaxBytes int64         // of all entries
	DryRun   bool          // only report
}

// DefaultGC is what `hlocc cache gc` does unless told otherwise.
var DefaultGC = GCOptions{MaxAge: 30 * 24 * time.Hour, MaxBytes: 2 << 30}

// GCResult is what a collection removed and left.
type GCResult struct {
	Removed      int   `json:"removed"`
	RemovedBytes int64 `json:"removed_bytes"`
	Kept         int   `json:"kept"`
	KeptBytes    int64 `json:"kept_bytes"`
}

// What a crashed or killed process leaves behind is certainly unused after this
// time: no compilation is allowed to take as long.
const staleAfter = 24 * time.Hour

// GC removes the entries that were not used for longest until the limits hold,
// and what killed processes left. An entry that a build works with is in its
// memory, and one that it computes is locked: neither can be taken from it.
func (c *Cache) GC(o GCOptions) (GCResult, error) {
	var r GCResult
	entries, err := c.Entries()
	if err != nil {
		return r, err
	}
	now := time.Now()
	for _, e := range entries {
		old := o.MaxAge > 0 && now.Sub(e.LastUse) > o.MaxAge
		full := o.MaxBytes > 0 && r.KeptBytes+e.Size > o.MaxBytes
		if old || full {
			if o.DryRun || c.remove(e.Key) {
				r.Removed++
				r.RemovedBytes += e.Size
				continue
			}
		}
		r.Kept++
		r.KeptBytes += e.Size
	}
	if !o.DryRun {
		c.sweep(now)
	}
	return r, nil
}

// remove deletes an entry unless somebody is computing it.
func (c *Cache) remove(key string) bool {
	l, ok := tryLock(c.path("lock", key))
	if !ok {
		return false
	}
	defer l.unlock()
	err := os.Remove(c.entry(key))
	return err == nil || missing(err)
}

// sweep removes working folders, reports and damaged files that are stale.
func (c *Cache) sweep(now time.Time) {
	removeStale(c.path("tmp"), staleAfter, now)
	removeStale(c.path("failed"), 7*24*time.Hour, now)
	for _, path := range children(c.path("lock")) {
		if stale(path, staleAfter, now) {
			if l, ok := tryLock(path); ok {
				l.unlock() // removes it
			}
		}
	}
	for _, dir := range children(c.path()) {
		if len(filepath.Base(dir)) != 2 {
			continue
		}
		for _, path := range children(dir) {
			if _, ok := readEntry(path); !ok && stale(path, staleAfter, now) {
				_ = os.Remove(path)
			}
		}
	}
}

func stale(path string, limit time.Duration, now time.Time) bool {
	info, err := os.Lstat(path)
	return err == nil && now.Sub(info.ModTime()) > limit
}

func removeStale(dir string, limit time.Duration, now time.Time) {
	for _, path := range children(dir) {
		if stale(path, limit, now) {
			_ = os.RemoveAll(path)
		}
	}
}

func children(dir string) []string {
	list, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var paths []string
	for _, e := range list {
		paths = append(paths, filepath.Join(dir, e.Name()))
	}
	return paths
}
