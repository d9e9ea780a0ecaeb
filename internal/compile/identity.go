package compile

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/fsx"
)

// A Compiler is an iree-compile whose identity is known.
type Compiler struct {
	Path    string // the native binary
	From    string // the step of the search that found it
	Version string // "3.13.0rc20261016 @ 89ece87b…", as it calls itself
	Digest  string // hex sha256 of the library that holds it (of the binary if there is none)
}

// fileID notices that a file was replaced without reading it.
type fileID struct {
	Path  string `json:"path"`
	Size  int64  `json:"size"`
	MTime int64  `json:"mtime_ns"`
	Inode uint64 `json:"inode"`
}

// known is one remembered identity: hashing the 330 MB library takes longer
// than a cached build.
type known struct {
	Binary  fileID `json:"binary"`
	Library fileID `json:"library"`
	Version string `json:"version"`
	Digest  string `json:"digest"`
}

const knownName = "compilers.json"

func identify(ctx context.Context, path string, cache *Cache) (*Compiler, error) {
	lib := library(path)
	if lib == "" {
		lib = path
	}
	var id known
	for _, f := range []struct {
		path string
		id   *fileID
	}{{path, &id.Binary}, {lib, &id.Library}} {
		info, err := os.Stat(f.path)
		if err != nil {
			return nil, notRunning(path, err, nil)
		}
		*f.id = fileID{Path: f.path, Size: info.Size(), MTime: info.ModTime().UnixNano(), Inode: inode(info)}
	}
	all := remembered(cache)
	for _, k := range all {
		if k.Binary == id.Binary && k.Library == id.Library {
			return &Compiler{Path: path, Version: k.Version, Digest: k.Digest}, nil
		}
	}
	var err error
	if id.Version, err = askVersion(ctx, path, cache); err != nil {
		return nil, err
	}
	if id.Digest, err = fileDigest(ctx, lib); err != nil {
		return nil, err
	}
	remember(cache, all, id)
	return &Compiler{Path: path, Version: id.Version, Digest: id.Digest}, nil
}

func remembered(cache *Cache) []known {
	if cache == nil {
		return nil
	}
	data, err := os.ReadFile(filepath.Join(cache.dir, knownName))
	if err != nil {
		return nil
	}
	var all []known
	if json.Unmarshal(data, &all) != nil {
		return nil
	}
	return all
}

// remember adds id, forgetting the oldest. A write that fails costs only time.
func remember(cache *Cache, all []known, id known) {
	if cache == nil {
		return
	}
	keep := []known{id}
	for _, k := range all {
		if k.Binary.Path != id.Binary.Path && len(keep) < 16 {
			keep = append(keep, k)
		}
	}
	if data, err := json.MarshalIndent(keep, "", "  "); err == nil {
		_ = fsx.WriteFile(filepath.Join(cache.dir, knownName), append(data, '\n'))
	}
}

// askVersion runs the compiler in a folder of its own, as a compilation does.
func askVersion(ctx context.Context, path string, cache *Cache) (string, error) {
	dir, err := versionDir(cache)
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.Dir, cmd.Env = dir, childEnv()
	cmd.WaitDelay = time.Second
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	if err := runIsolated(cmd); err != nil {
		if errors.Is(context.Cause(ctx), context.Canceled) {
			return "", context.Canceled
		}
		return "", notRunning(path, err, stderr.Bytes())
	}
	for line := range strings.Lines(out.String()) {
		if _, version, ok := strings.Cut(line, "IREE compiler version "); ok {
			return strings.TrimSpace(version), nil
		}
	}
	return "", &diag.Error{
		Kind: diag.Toolchain, Code: "compiler_broken", Message: "this program is not an IREE compiler", File: path,
		Found: firstLine(out.Bytes()), Fix: "run `" + Install + "`",
	}
}

// versionDir makes a folder in the cache, or with the system's temporary files if
// there is no cache or it cannot be written.
func versionDir(cache *Cache) (string, error) {
	if cache != nil {
		if dir, err := os.MkdirTemp(cache.path("tmp"), "version-"); err == nil {
			return dir, nil
		}
	}
	dir, err := os.MkdirTemp("", "hlocc-version-")
	if err != nil {
		return "", &diag.Error{
			Kind: diag.Failed, Code: "temporary_file", Message: "cannot make a temporary folder", File: os.TempDir(), Cause: err,
			Fix: "make room, or set TMPDIR to another folder",
		}
	}
	return dir, nil
}

func fileDigest(ctx context.Context, path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", notRunning(path, err, nil)
	}
	defer f.Close()
	h := sha256.New()
	buf := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		n, err := f.Read(buf)
		h.Write(buf[:n])
		if err == io.EOF {
			return hex.EncodeToString(h.Sum(nil)), nil
		}
		if err != nil {
			return "", notRunning(path, err, nil)
		}
	}
}
