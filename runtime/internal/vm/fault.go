package vm

import (
	"context"
	"errors"
	"fmt"

	"github.com/hlocc/hlocc/internal/diag"
)

// status is how a fault is classified; the numbers are those of vm.fail.
type status uint32

const (
	statusInvalidArgument    status = 3
	statusNotFound           status = 5
	statusPermissionDenied   status = 7
	statusResourceExhausted  status = 8
	statusFailedPrecondition status = 9
	statusOutOfRange         status = 11
	statusInternal           status = 13
)

var statusNames = [...]string{
	"ok", "cancelled", "unknown", "invalid_argument", "deadline_exceeded", "not_found", "already_exists",
	"permission_denied", "resource_exhausted", "failed_precondition", "aborted", "out_of_range",
	"unimplemented", "internal", "unavailable", "data_loss", "unauthenticated", "deferred", "incompatible",
}

func (s status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return fmt.Sprintf("status_%d", uint32(s))
}

// fault is an error that running an instruction ended with; located says where.
type fault struct {
	status status
	text   string
}

func (f *fault) Error() string { return f.text }

func trap(s status, format string, args ...any) error {
	return &fault{s, fmt.Sprintf(format, args...)}
}

// importError is an error that an import ended with.
type importError struct {
	name string
	err  error
}

func (e *importError) Error() string { return e.name + ": " + e.err.Error() }
func (e *importError) Unwrap() error { return e.err }

// located makes the error that an invocation ends with. offset is that of the
// instruction in the function's bytecode.
func (p *Program) located(fn *function, offset uint32, err error) error {
	where := fmt.Sprintf("%s.%s+%#x", p.module.Name, fn.name, offset)
	var f *fault
	if errors.As(err, &f) {
		return &diag.Error{Kind: diag.Failed, Code: "vm_" + f.status.String(), Where: where, Message: f.text}
	}
	e := &diag.Error{Kind: diag.KindOf(err), Code: "vm_import", Where: where, Message: "a host function failed", Cause: err}
	var ie *importError
	if errors.As(err, &ie) {
		e.Message, e.Cause = ie.name+" failed", ie.err
	}
	if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		e.Code, e.Message = "vm_cancelled", "the invocation was interrupted"
	}
	return e
}
