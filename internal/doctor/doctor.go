// Package doctor finds out whether this machine can build and run bundles, and
// for each thing that is missing gives the exact command that puts it right.
package doctor

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/hlocc/hlocc/internal/compile"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/fsx"
)

// Status is the outcome of one check.
type Status string

// The statuses. Warn is for what limits this machine without being wrong.
const (
	OK   Status = "ok"
	Warn Status = "warn"
	Fail Status = "fail"
)

// A Check is one finding.
type Check struct {
	Name   string `json:"name"`
	Status Status `json:"status"`
	Detail string `json:"detail"`
	Fix    string `json:"fix,omitempty"` // the command or step that puts it right

	err error
}

// A Report is the result of all checks, always in the same order.
type Report struct {
	OK     bool    `json:"ok"` // no check failed
	Checks []Check `json:"checks"`
}

// Err is nil if nothing failed, else the error of the first check that failed,
// whose kind decides the exit code.
func (r Report) Err() error {
	for _, c := range r.Checks {
		if c.Status == Fail {
			return c.err
		}
	}
	return nil
}

// Options say what to check.
type Options struct {
	Search   compile.Search
	CacheDir string // as compile.DefaultCacheDir gives it
}

// Run performs all checks. It takes a second or two with a compiler that has
// not been identified before, far less afterwards.
func Run(ctx context.Context, o Options) Report {
	return run(ctx, o, cpu.Host(), runtime.GOOS+"/"+runtime.GOARCH)
}

func run(ctx context.Context, o Options, machine cpu.Set, platform string) Report {
	checks := []Check{checkPlatform(platform), checkCPU(machine), checkExecutable(platform)}
	cache, cacheCheck := checkCache(o.CacheDir)
	checks = append(checks, cacheCheck, checkDisk(o.CacheDir))
	compiler, compilerCheck := checkCompiler(ctx, o.Search, cache)
	checks = append(checks, compilerCheck)
	if compiler != nil && cache != nil {
		checks = append(checks, checkCompiles(ctx, compiler))
	}
	r := Report{OK: true, Checks: checks}
	for _, c := range checks {
		r.OK = r.OK && c.Status != Fail
	}
	return r
}

// runs is the platform on which bundles run; building works everywhere.
const runs = "linux/amd64"

func checkPlatform(platform string) Check {
	if platform == runs {
		return Check{Name: "platform", Status: OK, Detail: platform + ": builds and runs bundles"}
	}
	return Check{
		Name: "platform", Status: Warn, Detail: platform + ": builds, inspects and verifies bundles, but does not run them",
		Fix: "run bundles on " + runs,
	}
}

func checkCPU(machine cpu.Set) Check {
	target, err := compile.DefaultTarget(machine)
	if err != nil {
		return Check{
			Name: "cpu", Status: Warn, Detail: "none of the targets runs on this CPU (" + features(machine) + ")",
			Fix: "build for another machine with --target, see `hlocc targets`",
		}
	}
	return Check{Name: "cpu", Status: OK, Detail: "default target " + target.Name + " (" + features(machine) + ")"}
}

func features(machine cpu.Set) string {
	names := machine.Names()
	if len(names) == 0 {
		return machine.Arch
	}
	return machine.Arch + ": " + strings.Join(names, " ")
}

func checkExecutable(platform string) Check {
	const name = "executable memory"
	if platform != runs {
		return Check{Name: name, Status: OK, Detail: "not needed for building"}
	}
	if err := mapExecutable(); err != nil {
		err = &diag.Error{
			Kind: diag.Failed, Code: "no_executable_memory", Message: "the system refuses memory that code can be loaded into", Cause: err,
			Fix: "allow it: on SELinux `setsebool -P deny_execmem 0`, under systemd MemoryDenyWriteExecute=no",
		}
		return failed(name, err)
	}
	return Check{Name: name, Status: OK, Detail: "compiled code can be loaded"}
}

func checkCache(dir string) (*compile.Cache, Check) {
	const name = "cache"
	cache, err := compile.OpenCache(dir)
	if err != nil {
		return nil, failed(name, err)
	}
	entries, err := cache.Entries()
	if err != nil {
		return nil, failed(name, err)
	}
	var size int64
	for _, e := range entries {
		size += e.Size
	}
	probe := filepath.Join(dir, "doctor.probe")
	if err := fsx.WriteFile(probe, []byte("probe\n")); err != nil {
		return nil, failed(name, &diag.Error{
			Kind: diag.Failed, Code: "cache_unwritable", Message: "the cache folder cannot be written", File: dir, Cause: err,
			Fix: "make it writable, or set " + compile.EnvCache + " to another folder",
		})
	}
	if err := os.Remove(probe); err != nil {
		return nil, failed(name, err)
	}
	return cache, Check{Name: name, Status: OK, Detail: fmt.Sprintf("%s: %d modules, %s", dir, len(entries), fsx.Bytes(size))}
}

// lowDisk is less than what compiling the graphs of a model of common size needs
// for working files and modules, with room to spare.
const lowDisk = 500 << 20

func checkDisk(dir string) Check {
	const name = "disk"
	free, ok := fsx.Free(existing(dir))
	switch {
	case !ok:
		return Check{Name: name, Status: OK, Detail: "free space is not known on this platform"}
	case free < lowDisk:
		return Check{
			Name: name, Status: Warn, Detail: fmt.Sprintf("only %s are free for %s", fsx.Bytes(free), dir),
			Fix: "run `hlocc cache gc`, or set " + compile.EnvCache + " to a folder with more space",
		}
	}
	return Check{Name: name, Status: OK, Detail: fmt.Sprintf("%s free for the cache", fsx.Bytes(free))}
}

// existing is the nearest folder above dir that exists.
func existing(dir string) string {
	for d := dir; ; d = filepath.Dir(d) {
		if _, err := os.Stat(d); err == nil || d == filepath.Dir(d) {
			return d
		}
	}
}

func checkCompiler(ctx context.Context, search compile.Search, cache *compile.Cache) (*compile.Compiler, Check) {
	compiler, err := compile.Find(ctx, search, cache)
	if err != nil {
		return nil, failed("compiler", err)
	}
	return compiler, Check{
		Name: "compiler", Status: OK,
		Detail: fmt.Sprintf("%s (found by %s): %s, library sha256 %.16s…", compiler.Path, compiler.From, compiler.Version, compiler.Digest),
	}
}

// probeText uses the linker too, which is a program of its own.
const probeText = `module @probe {
  func.func public @probe(%x: tensor<16xf32>) -> tensor<16xf32> {
    %0 = stablehlo.add %x, %x : tensor<16xf32>
    return %0 : tensor<16xf32>
  }
}
`

func checkCompiles(ctx context.Context, compiler *compile.Compiler) Check {
	const name = "compiling"
	fail := func(err error) Check {
		return failed(name, &diag.Error{
			Kind: diag.Toolchain, Code: "compiler_broken", Message: "the compiler does not compile", File: compiler.Path, Cause: err,
			Fix: "run `" + compile.Install + "`",
		})
	}
	dir, err := os.MkdirTemp("", "hlocc-doctor-")
	if err != nil {
		return failed(name, err)
	}
	defer os.RemoveAll(dir)
	// A cache of its own: the point is that the compiler runs.
	cache, err := compile.OpenCache(dir)
	if err != nil {
		return failed(name, err)
	}
	target := compile.Targets()[0]
	pool := compile.New(compile.Options{Compiler: compiler, Cache: cache, Jobs: 1, Timeout: time.Minute})
	start := time.Now()
	if _, err = pool.Compile(ctx, compile.Action{Graph: "probe", Text: []byte(probeText), Target: target}); err != nil {
		if ctx.Err() != nil {
			return failed(name, ctx.Err())
		}
		return fail(err)
	}
	return Check{Name: name, Status: OK, Detail: fmt.Sprintf("a small graph for %s in %d ms", target.Name, time.Since(start).Milliseconds())}
}

func failed(name string, err error) Check {
	c := Check{Name: name, Status: Fail, Detail: err.Error(), err: err}
	var d *diag.Error
	if errors.As(err, &d) {
		c.Fix = d.Fix
		without := *d
		without.Fix = ""
		c.Detail = without.Error()
	}
	return c
}
