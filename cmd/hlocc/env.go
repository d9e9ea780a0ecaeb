package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/progress"
)

// env is where a command reads and writes. Nothing here uses os.Stdout, so that
// tests run commands in-process.
type env struct {
	in    io.Reader
	out   *bufio.Writer // results; flushed at the end
	err   io.Writer     // errors, progress, statistics
	json  bool          // --json was given
	width int           // columns of the terminal that err is, 0 if it is none

	reporter *progress.Reporter
}

func newEnv(in io.Reader, out, err io.Writer) *env {
	return &env{in: in, out: bufio.NewWriterSize(out, 1<<16), err: err}
}

// printf writes to the result. Errors stick to the writer and are reported at
// the end.
func (e *env) printf(format string, args ...any) { fmt.Fprintf(e.out, format, args...) }

// printJSON writes the one object of --json.
func (e *env) printJSON(v any) error {
	enc := json.NewEncoder(e.out)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// progress is the reporter of this run, made when first asked for. With --json
// it is silent unless it goes to a terminal: a program that reads stderr finds
// an error there, or nothing.
func (e *env) progress() *progress.Reporter {
	if e.reporter == nil && (!e.json || e.width > 0) {
		e.reporter = progress.New(e.err, progress.Options{Width: e.width})
	}
	return e.reporter
}

func (e *env) endProgress() { e.reporter.Close() }

// report prints an error for people, or as JSON.
func (e *env) report(err error) {
	var d *diag.Error
	isDiag := errors.As(err, &d)
	if diag.ExitCode(err) == 130 {
		d = &diag.Error{Code: "cancelled", Message: "interrupted"}
		err = d
	}
	if e.json {
		e.reportJSON(err, d)
		return
	}
	// A diagnostic that nothing was wrapped round has its fix on a line of its own.
	if isDiag && d.Error() == err.Error() && d.Fix != "" {
		head := *d
		head.Fix = ""
		fmt.Fprintf(e.err, "hlocc: %v\n  to fix: %s\n", &head, d.Fix)
		return
	}
	fmt.Fprintf(e.err, "hlocc: %v\n", err)
}

func (e *env) reportJSON(err error, d *diag.Error) {
	type body struct {
		Code    string `json:"code"`
		Message string `json:"message"`
		File    string `json:"file"`
		Where   string `json:"where"`
		Want    string `json:"want"`
		Found   string `json:"found"`
		Fix     string `json:"fix"`
	}
	b := body{Code: "failed", Message: err.Error()}
	if d != nil {
		b = body{d.Code, d.Message, d.File, d.Where, d.Want, d.Found, d.Fix}
		if d.Cause != nil {
			b.Message += ": " + d.Cause.Error()
		}
	}
	enc := json.NewEncoder(e.err)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(map[string]body{"error": b}); err != nil {
		fmt.Fprintf(e.err, "hlocc: %v\n", err)
	}
}

// usage is an error about flags and arguments.
func usage(where, fix, format string, args ...any) error {
	return &diag.Error{Kind: diag.Usage, Code: "usage", Where: where, Message: fmt.Sprintf(format, args...), Fix: fix}
}

// note prints a line on stderr that is neither a result nor an error.
func (e *env) note(format string, args ...any) { fmt.Fprintf(e.err, format+"\n", args...) }
