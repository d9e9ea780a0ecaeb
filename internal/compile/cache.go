package compile

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/fsx"
)

// EnvCache is the environment variable that names the cache folder.
const EnvCache = "HLOCC_CACHE"

// formatVersion is part of every key and of the folder's name; it changes when
// entries of before must not be used any more.
const formatVersion = "1"

// A Cache is a folder of compiled modules under the digests of what they were
// compiled from. Any number of processes may use it at once:
//
//	v1/ab/abcdef…     an entry: it appears by rename, complete, and is checked on every read
//	v1/lock/abcdef…   held (flock) while its entry is computed; the system lets go when the holder dies
//	v1/tmp/…          one working folder per running compiler
//	v1/failed/…       text and output of compilations that failed, for a report
//	compilers.json    identities of compilers
type Cache struct{ dir string }

// DefaultCacheDir is $HLOCC_CACHE, else "hlocc" in the user's cache folder.
func DefaultCacheDir() (string, error) {
	if dir := os.Getenv(EnvCache); dir != "" {
		abs, err := filepath.Abs(dir)
		if err != nil {
			return "", cacheError(dir, err)
		}
		return abs, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return "", &diag.Error{
			Kind: diag.Failed, Code: "cache_unknown", Message: "no folder for the cache", Cause: err,
			Fix: "set " + EnvCache + " to a folder",
		}
	}
	return filepath.Join(dir, "hlocc"), nil
}

// OpenCache uses dir as the cache, and makes it if it is not there. Relative
// names are taken from the current folder, now.
func OpenCache(dir string) (*Cache, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, cacheError(dir, err)
	}
	c := &Cache{dir: abs}
	for _, sub := range []string{"lock", "tmp"} {
		if err := os.MkdirAll(c.path(sub), 0o755); err != nil {
			return nil, cacheError(dir, err)
		}
	}
	removeStale(c.path("tmp"), staleAfter, time.Now())
	return c, nil
}

// Dir is the cache's folder.
func (c *Cache) Dir() string { return c.dir }

func (c *Cache) path(elem ...string) string {
	return filepath.Join(append([]string{c.dir, "v" + formatVersion}, elem...)...)
}

func (c *Cache) entry(key string) string { return c.path(key[:2], key) }

func cacheError(path string, err error) error {
	return &diag.Error{
		Kind: diag.Failed, Code: "cache_unwritable", Message: "the cache folder cannot be used", File: path, Cause: err,
		Fix: "make it writable, or set " + EnvCache + " to another folder",
	}
}

// Key is the digest of all that a module is a function of. Each part is
// preceded by its length, so that no two lists of parts run into one.
func Key(text []byte, flags []string, compiler *Compiler) string {
	h := sha256.New()
	part := func(b []byte) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(b)))
		h.Write(n[:])
		h.Write(b)
	}
	part([]byte("hlocc module " + formatVersion))
	part([]byte(compiler.Version))
	part([]byte(compiler.Digest))
	for _, f := range flags {
		part([]byte(f))
	}
	part(text)
	return hex.EncodeToString(h.Sum(nil))
}

// An entry is a line of magic, a line of JSON (entryHead) and the module.
const entryMagic = "hlocc compile cache 1\n"

type entryHead struct {
	Key      string `json:"key"`
	Graph    string `json:"graph"`
	Target   string `json:"target"`
	Compiler string `json:"compiler"`
	Size     int64  `json:"size"`
	SHA256   string `json:"sha256"` // of the module
}

// get gives the module of that key if it is there and whole. A damaged entry is
// removed and reported as absent: it will be compiled again.
func (c *Cache) get(key string) ([]byte, bool) {
	path := c.entry(key)
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, false
	}
	head, module, err := parseEntry(data)
	if err == nil && head.Key != key {
		err = errors.New("entry of another key")
	}
	if err == nil {
		if sum := sha256.Sum256(module); head.SHA256 != hex.EncodeToString(sum[:]) {
			err = errors.New("digest differs")
		}
	}
	if err != nil {
		_ = os.Remove(path)
		return nil, false
	}
	now := time.Now()
	_ = os.Chtimes(path, now, now) // its age for gc is since its last use
	return module, true
}

func parseEntry(data []byte) (entryHead, []byte, error) {
	var head entryHead
	rest, ok := bytes.CutPrefix(data, []byte(entryMagic))
	if !ok {
		return head, nil, errors.New("not a cache entry")
	}
	line, module, ok := bytes.Cut(rest, []byte("\n"))
	if !ok {
		return head, nil, errors.New("cut short")
	}
	if err := json.Unmarshal(line, &head); err != nil {
		return head, nil, err
	}
	if head.Size != int64(len(module)) {
		return head, nil, fmt.Errorf("%d bytes of %d", len(module), head.Size)
	}
	return head, module, nil
}

func (c *Cache) put(key string, a Action, compiler *Compiler, module []byte) error {
	sum := sha256.Sum256(module)
	line, err := json.Marshal(entryHead{
		Key: key, Graph: a.Graph, Target: a.Target.Name, Compiler: compiler.Version,
		Size: int64(len(module)), SHA256: hex.EncodeToString(sum[:]),
	})
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(c.entry(key)), 0o755); err != nil {
		return cacheError(c.dir, err)
	}
	data := bytes.Join([][]byte{[]byte(entryMagic), line, []byte("\n"), module}, nil)
	// A cut or mixed entry would be noticed on reading; syncing is for the rename
	// to mean what it says after a crash of the machine.
	return fsx.WriteFile(c.entry(key), data)
}

// fail keeps what is needed to report a failed compilation and says where.
func (c *Cache) fail(key string, text, output []byte) string {
	base := c.path("failed", key[:16])
	if os.MkdirAll(c.path("failed"), 0o755) != nil {
		return ""
	}
	if fsx.WriteFile(base+".log", output) != nil || fsx.WriteFile(base+".mlir", text) != nil {
		return ""
	}
	return base + ".mlir"
}

func missing(err error) bool { return errors.Is(err, fs.ErrNotExist) }
