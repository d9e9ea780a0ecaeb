package compile

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/hlocc/hlocc/internal/fsx"
)

// A Job is what an executor is asked to compute: a pure function of Text, Flags
// and the compiler's identity. The other fields are for messages.
type Job struct {
	Graph  string
	Target string
	Text   []byte // StableHLO
	Flags  []string
}

// An Output is the result of a Job.
type Output struct {
	Module  []byte
	PeakRSS int64 // bytes, 0 if unknown
}

// An Executor runs compilations. Failures of the compiler itself are *Failure;
// any other error is the executor's own.
type Executor interface {
	Execute(ctx context.Context, job Job) (Output, error)
}

// A Failure is a compilation that ended without a module.
type Failure struct {
	ExitCode int    // -1 if it was ended by a signal
	Signal   int    // the signal that ended it, 0 if none did
	SigName  string // its name
	TimedOut time.Duration
	DiskFull bool   // there is no room left for working files
	Stderr   []byte // what the compiler said: its beginning and its end
}

func (f *Failure) Error() string {
	switch {
	case f.TimedOut > 0:
		return fmt.Sprintf("iree-compile did not finish within %v", f.TimedOut)
	case f.Signal != 0:
		return fmt.Sprintf("iree-compile was ended by signal %d (%s)", f.Signal, f.SigName)
	}
	return fmt.Sprintf("iree-compile ended with exit status %d", f.ExitCode)
}

// Local runs the compiler on this machine.
type Local struct {
	Compiler string        // path of the native binary
	TempDir  string        // working folders are made in it
	Timeout  time.Duration // for one compilation
}

// Execute feeds the text to the compiler's standard input. On return, whatever
// the outcome, neither a process nor a file of it is left.
func (l *Local) Execute(ctx context.Context, job Job) (out Output, err error) {
	if err := ctx.Err(); err != nil {
		return Output{}, err
	}
	dir, err := os.MkdirTemp(l.TempDir, "compile-")
	if err != nil {
		return Output{}, cacheError(l.TempDir, err)
	}
	defer func() {
		if rmErr := os.RemoveAll(dir); rmErr != nil && err == nil {
			err = cacheError(dir, rmErr)
		}
	}()
	args := append([]string{"-", "-o", "module.vmfb"}, job.Flags...)
	if !quotesPaths {
		// The compiler calls its linker through a shell, unquoted; a link in the
		// working folder has a name without special characters.
		lld := filepath.Join(filepath.Dir(l.Compiler), "iree-lld")
		if _, err := os.Stat(lld); err == nil {
			if err := os.Symlink(lld, filepath.Join(dir, "lld")); err != nil {
				return Output{}, cacheError(dir, err)
			}
			args = append(args, "--iree-llvmcpu-embedded-linker-path=./lld")
		}
	}
	runCtx := ctx
	if l.Timeout > 0 {
		var cancel context.CancelFunc
		runCtx, cancel = context.WithTimeout(ctx, l.Timeout)
		defer cancel()
	}
	var stderr ends
	cmd := exec.CommandContext(runCtx, l.Compiler, args...)
	cmd.Dir, cmd.Env = dir, childEnv()
	cmd.Stdin, cmd.Stderr = bytes.NewReader(job.Text), &stderr
	cmd.WaitDelay = 5 * time.Second // for pipes that something outside the group holds open
	err = runIsolated(cmd)
	if cmd.ProcessState == nil {
		return Output{}, notRunning(l.Compiler, err, nil)
	}
	out.PeakRSS = peakRSS(cmd.ProcessState)
	if err == nil {
		out.Module, err = os.ReadFile(filepath.Join(dir, "module.vmfb"))
		if errors.Is(err, fs.ErrNotExist) || err == nil && len(out.Module) == 0 {
			return out, &Failure{Stderr: stderr.bytes(), DiskFull: diskFull(dir, &stderr)}
		}
		return out, err
	}
	if ctx.Err() != nil {
		return out, ctx.Err()
	}
	f := &Failure{ExitCode: cmd.ProcessState.ExitCode(), Stderr: stderr.bytes(), DiskFull: diskFull(dir, &stderr)}
	if runCtx.Err() != nil {
		f.TimedOut = l.Timeout
	} else {
		f.Signal, f.SigName = killedBy(cmd.ProcessState)
	}
	return out, f
}

// runIsolated runs the compiler so that it ends when cmd's context or this process does.
func runIsolated(cmd *exec.Cmd) error {
	isolate(cmd)
	runtime.LockOSThread() // see dieWithParent
	defer runtime.UnlockOSThread()
	return cmd.Run()
}

// diskFull tells a full disk, which the compiler and its linker report in many
// ways (a failed link, a bus error, a module cut short) or not at all. It is asked
// while the working files are still there.
func diskFull(dir string, stderr *ends) bool {
	if bytes.Contains(stderr.bytes(), []byte("No space left on device")) {
		return true
	}
	free, ok := fsx.Free(dir)
	return ok && free < 1<<20
}

// ends keeps the first and the last bytes that are written to it: a failing
// compiler may print its whole program, several times.
type ends struct {
	first, last []byte
	dropped     int64
}

const endsLimit = 256 << 10

func (e *ends) Write(p []byte) (int, error) {
	n := len(p)
	if room := endsLimit - len(e.first); room > 0 {
		k := min(room, len(p))
		e.first = append(e.first, p[:k]...)
		p = p[k:]
	}
	e.last = append(e.last, p...)
	if over := len(e.last) - endsLimit; over > endsLimit { // moves each byte once
		e.dropped += int64(over)
		e.last = append(e.last[:0], e.last[over:]...)
	}
	return n, nil
}

func (e *ends) bytes() []byte {
	if e.dropped == 0 {
		return slices.Concat(e.first, e.last)
	}
	return fmt.Appendf(slices.Clone(e.first), "\n… %d bytes left out …\n%s", e.dropped, e.last)
}
