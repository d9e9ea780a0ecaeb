package compile

import (
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
)

var (
	errorLine = regexp.MustCompile(`(?m)^(?:<stdin>|-):(\d+):(\d+): error: (.*)$`)
	llvmError = regexp.MustCompile(`(?m)^LLVM ERROR: (.*)$`)
	anyError  = regexp.MustCompile(`(?mi)^(?:.*\b)?error: (.*)$`)
)

// diagnose says what a failed compilation means for the graph: which operation
// of the model, on which target, and what to do. report is the path of the text
// that was kept, "" if it could not be.
func diagnose(a Action, err error, report string) error {
	var f *Failure
	if !errors.As(err, &f) {
		return err
	}
	e := &diag.Error{
		Kind: diag.Failed, Code: "compile_failed",
		Where: fmt.Sprintf("graph %s for %s", a.Graph, a.Target.Name),
	}
	if f.DiskFull {
		e.Code, e.Message = "disk_full", "no space left on the device of the cache folder"
		e.Fix = "free some space, or set " + EnvCache + " to a folder on another device"
		return e
	}
	if report != "" {
		e.Fix = "report it with " + report + " and the .log next to it"
	}
	if line, column, message, more := firstError(f.Stderr); message != "" {
		where := fmt.Sprintf("line %d:%d of the graph's text", line, column)
		if a.Location != nil {
			if op := a.Location(line); op != "" {
				where = op + " (" + where + ")"
			}
		}
		e.Where += ", " + where
		e.Message = "the compiler refused the graph: " + message
		if more > 0 {
			e.Message += fmt.Sprintf(" (and %d more)", more)
		}
	}
	switch {
	case f.TimedOut > 0:
		e.Code, e.Message = "compile_timeout", f.Error()
	case f.Signal == 9:
		e.Code, e.Message = "compiler_killed", f.Error()+", which is how the system ends a process when memory runs out"
		e.Fix = "free some memory and try again"
	case f.Signal != 0:
		e.Code, e.Message = "compiler_crash", f.Error()
	case llvmError.Match(f.Stderr):
		e.Code, e.Message = "compiler_crash", "LLVM ERROR: "+clip(string(llvmError.FindSubmatch(f.Stderr)[1]), 300)
	case e.Message != "":
	case anyError.Match(f.Stderr):
		e.Message = "the compiler refused the graph: " + clip(string(anyError.FindSubmatch(f.Stderr)[1]), 300)
	default:
		e.Message = f.Error()
		e.Found = firstLine(f.Stderr)
	}
	return e
}

// firstError is the first error that the compiler places in the text, without
// the dump of the operation that follows some messages, and how many there are
// besides.
func firstError(stderr []byte) (line, column int, message string, more int) {
	all := errorLine.FindAllSubmatch(stderr, -1)
	if len(all) == 0 {
		return 0, 0, "", 0
	}
	line, err1 := strconv.Atoi(string(all[0][1]))
	column, err2 := strconv.Atoi(string(all[0][2]))
	if err1 != nil || err2 != nil {
		return 0, 0, "", 0
	}
	message, _, _ = strings.Cut(string(all[0][3]), ": %")
	return line, column, clip(message, 300), len(all) - 1
}
