// Command hlocc compiles language models ahead of time into one file and runs
// them from it. Each subcommand has a file of its own here; they read flags,
// call the packages that do the work, and print.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/progress"
)

func main() {
	ctx, stop := withSignals(context.Background())
	e := newEnv(os.Stdin, os.Stdout, os.Stderr)
	e.width = progress.TerminalWidth(os.Stderr)
	code := run(ctx, e, os.Args[1:])
	stop()
	os.Exit(code)
}

// run is the whole program; args are without the program's name. It returns the
// exit code.
func run(ctx context.Context, e *env, args []string) (code int) {
	defer func() {
		// Go's own exit code of a panic is 2, which here means wrong usage.
		if p := recover(); p != nil {
			fmt.Fprintf(e.err, "hlocc: internal error: %v\n%s\nplease report this as a bug\n", p, debug.Stack())
			code = diag.Failed.ExitCode()
		}
	}()
	app := newApp(e)
	if n := len(args); n > 0 && args[n-1] == completeArg {
		e.complete(app, args[:n-1])
		_ = e.out.Flush() // to a shell that may have lost interest
		return 0
	}
	args, err := arrange(app, e, args)
	if err == nil {
		err = app.RunContext(ctx, append([]string{app.Name}, args...))
	}
	e.endProgress()
	if ferr := e.out.Flush(); err == nil && ferr != nil {
		err = &diag.Error{Kind: diag.Failed, Code: "stdout", Message: "cannot write the output", Cause: ferr}
	}
	if err == nil {
		return 0
	}
	var s signalError
	if errors.As(context.Cause(ctx), &s) {
		// Whatever failed, it did because it was interrupted: a subprocess that
		// got the signal as well may say so in other words.
		e.report(context.Canceled)
		return 128 + int(s.Signal)
	}
	e.report(err)
	return diag.ExitCode(err)
}

// signalError is the cause of a context that a signal ended.
type signalError struct{ syscall.Signal }

func (s signalError) Error() string { return s.Signal.String() }

// Is makes the cause of the context count as what it is: a cancellation.
func (s signalError) Is(target error) bool { return target == context.Canceled }

// withSignals gives a context that ends at the first SIGINT, SIGTERM or SIGHUP (the
// terminal was closed), so that work can be cleaned up. A signal a second later ends the
// process at once.
func withSignals(parent context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(parent)
	c := make(chan os.Signal, 2)
	signal.Notify(c, syscall.SIGINT, syscall.SIGTERM)
	// Notify would undo what nohup did.
	if !signal.Ignored(syscall.SIGHUP) {
		signal.Notify(c, syscall.SIGHUP)
	}
	go func() {
		s, ok := <-c
		if !ok {
			return
		}
		sig := s.(syscall.Signal)
		cancel(signalError{sig})
		// coreutils' timeout signals the process and then its group: the same signal twice
		// at once is one.
		for first := time.Now(); ; {
			if _, ok := <-c; !ok {
				return
			}
			if time.Since(first) > time.Second {
				os.Exit(128 + int(sig))
			}
		}
	}()
	return ctx, func() {
		signal.Stop(c)
		close(c)
		cancel(nil)
	}
}
