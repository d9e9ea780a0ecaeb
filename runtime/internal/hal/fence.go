package hal

import "fmt"

// Status codes of modules (iree_status_code_t).
const (
	statusOK               = 0
	statusCancelled        = 1
	statusDeadlineExceeded = 4
	statusDeferred         = 17

	statusMask = 0x1f
)

// Fence is a point in time that has been reached or not. Work is complete when
// it returns, so a fence that work signals is reached at once.
type Fence struct {
	code  int32 // statusDeferred until it is signaled
	parts []*Fence
}

func (*Fence) RefType() string { return "hal.fence" }

func newFence() *Fence { return &Fence{code: statusDeferred} }

// status is statusOK if f was reached, statusDeferred if not, else how it failed.
// The null fence is always reached.
func (f *Fence) status() int32 {
	if f == nil {
		return statusOK
	}
	if f.parts == nil {
		return f.code
	}
	all := int32(statusOK)
	for _, p := range f.parts {
		switch s := p.status(); s {
		case statusOK:
		case statusDeferred:
			all = s
		default:
			return s
		}
	}
	return all
}

func (f *Fence) signal() {
	if f != nil && f.code == statusDeferred {
		f.code = statusOK
	}
}

func (f *Fence) fail(code int32) {
	if code &= statusMask; code != statusOK {
		f.code = code
	}
}

// reached is an error unless f was reached: nobody else could still signal it.
func (f *Fence) reached() error {
	switch s := f.status(); s {
	case statusOK:
		return nil
	case statusDeferred:
		return bad("fence_deadlock", "an operation waits for a fence that nothing signals", "", "")
	default:
		return bad("fence_failed", "an operation waits for a fence that failed", "", fmt.Sprintf("status %d", s))
	}
}
