// Package diag holds the one error type that reaches users: what is wrong,
// where, what was expected, what was found, and what to do about it.
//
// Every package may return a *diag.Error; cmd/hlocc turns it into text or JSON
// and into an exit code. An error that is not a *diag.Error is reported as
// Failed (exit code 1).
package diag

import (
	"context"
	"errors"
	"io/fs"
	"strings"
)

// Kind classifies an error; it decides the exit code of the command line.
type Kind uint8

const (
	Failed       Kind = iota + 1 // I/O, full disk, internal
	Usage                        // flags and arguments
	Unsupported                  // model, tokenizer, CPU, target or schema that we do not handle
	BadInput                     // a file, template, prompt or token id that is wrong
	Verification                 // digest, signature, replay or oracle that does not hold
	Toolchain                    // compiler missing or of the wrong version
)

// ExitCode is the process exit code of an error of this kind.
func (k Kind) ExitCode() int {
	switch k {
	case Failed:
		return 1
	case Usage:
		return 2
	case Unsupported:
		return 3
	case BadInput:
		return 4
	case Verification:
		return 5
	case Toolchain:
		return 6
	}
	return 1
}

// Error says what is wrong in terms of the user's input. Only Kind and Message
// are required; the other fields are left empty where they say nothing.
type Error struct {
	Kind    Kind
	Code    string // stable identifier for machines, e.g. "tensor_shape"
	Message string // one clause, no trailing period
	File    string // the file concerned, as the user named it
	Where   string // the place inside it: a key, a tensor, a line:column
	Want    string // what was expected, and from where
	Found   string // what was found
	Fix     string // the next step, an imperative clause
	Cause   error  // the underlying error, if any
}

// Error gives the whole diagnostic on one line:
// "FILE: WHERE: MESSAGE: want WANT, found FOUND: CAUSE; FIX".
func (e *Error) Error() string {
	var parts []string
	for _, s := range []string{e.File, e.Where, e.Message} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	switch {
	case e.Want != "" && e.Found != "":
		parts = append(parts, "want "+e.Want+", found "+e.Found)
	case e.Want != "":
		parts = append(parts, "want "+e.Want)
	case e.Found != "":
		parts = append(parts, "found "+e.Found)
	}
	if e.Cause != nil {
		parts = append(parts, e.Cause.Error())
	}
	s := strings.Join(parts, ": ")
	if e.Fix != "" {
		s += "; " + e.Fix
	}
	return s
}

func (e *Error) Unwrap() error { return e.Cause }

// FileError is the error of a file that cannot be opened or read: BadInput where
// there is none of that name, Failed where the system refuses. The message is a
// clause such as "cannot open"; err's own path is dropped, File has it.
func FileError(code, message, path string, err error) *Error {
	e := &Error{Kind: Failed, Code: code, File: path, Message: message, Cause: err}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.Kind = BadInput
	case errors.Is(err, fs.ErrPermission):
		e.Fix = "check its permissions"
	}
	if p, ok := errors.AsType[*fs.PathError](err); ok {
		e.Cause = p.Err
	}
	return e
}

// KindOf is the kind of the outermost *Error in err's chain, Failed if there is none.
func KindOf(err error) Kind {
	var e *Error
	if errors.As(err, &e) {
		return e.Kind
	}
	return Failed
}

// ExitCode maps an error to the exit code of the process: 0 for nil, 130 for
// an interrupted run, else the code of its kind.
func ExitCode(err error) int {
	if err == nil {
		return 0
	}
	if errors.Is(err, context.Canceled) {
		return 130
	}
	return KindOf(err).ExitCode()
}
