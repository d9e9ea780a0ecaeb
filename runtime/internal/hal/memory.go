package hal

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/hlocc/hlocc/internal/diag"
)

// Alignment that compiled code takes for granted of every binding: it loads and
// stores whole vectors with instructions that fault otherwise.
const Alignment = 64

// Limits of the memory that is kept for reuse.
const (
	maxCachedBlocks = 256
	defaultCache    = 256 << 20 // bytes
)

// block is a piece of anonymous memory, outside the Go heap so that it neither
// counts towards the collector's pace nor is scanned or zeroed by it.
type block []byte

// arena hands out blocks and keeps released ones of the last sizes for reuse:
// a program asks for the same sizes on every call.
type arena struct {
	mu     sync.Mutex
	live   map[*byte]block // handed out
	cached []block         // oldest first
	bytes  int64           // of cached
	limit  int64
	inUse  int64 // bytes handed out
	peak   int64
	closed bool
}

func (a *arena) init(limit int64) {
	if limit <= 0 {
		limit = defaultCache
	}
	a.live, a.limit = map[*byte]block{}, limit
}

// get gives a block of at least n bytes, and whether it is known to be zero. If
// none is kept that fits, collect, if not nil, may release some; it reports
// whether it did.
func (a *arena) get(n int64, collect func() bool) (b block, zero bool, err error) {
	size, err := roundSize(n)
	if err != nil {
		return nil, false, err
	}
	for {
		if b, err = a.reuse(size); b != nil || err != nil {
			return b, false, err
		}
		if collect == nil || !collect() {
			break
		}
		collect = nil
	}
	if b, err = mapBlock(size); err != nil {
		return nil, false, &diag.Error{Kind: diag.Failed, Code: "no_memory", Message: "memory cannot be allocated",
			Want: byteCount(int64(size)), Cause: err, Fix: "free memory, or use a smaller context or batch"}
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		_ = unmapBlock(b)
		return nil, false, errClosed
	}
	a.record(b)
	return b, true, nil
}

// reuse gives a kept block of a size, nil if there is none.
func (a *arena) reuse(size int) (block, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.closed {
		return nil, errClosed
	}
	for i := len(a.cached) - 1; i >= 0; i-- {
		if b := a.cached[i]; len(b) == size {
			a.cached = slices.Delete(a.cached, i, i+1)
			a.bytes -= int64(size)
			a.record(b)
			return b, nil
		}
	}
	return nil, nil
}

func (a *arena) record(b block) {
	a.live[unsafe.SliceData(b)] = b
	a.inUse += int64(len(b))
	a.peak = max(a.peak, a.inUse)
}

// put takes a block back.
func (a *arena) put(b block) {
	a.mu.Lock()
	defer a.mu.Unlock()
	p := unsafe.SliceData(b)
	if _, ok := a.live[p]; !ok {
		return // the arena was closed
	}
	delete(a.live, p)
	a.inUse -= int64(len(b))
	a.cached = append(a.cached, b)
	a.bytes += int64(len(b))
	for len(a.cached) > maxCachedBlocks || a.bytes > a.limit {
		old := a.cached[0]
		a.cached = slices.Delete(a.cached, 0, 1)
		a.bytes -= int64(len(old))
		_ = unmapBlock(old)
	}
}

// trim frees what is kept for reuse.
func (a *arena) trim() {
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, b := range a.cached {
		_ = unmapBlock(b)
	}
	a.cached, a.bytes = nil, 0
}

// close frees everything, also what is handed out.
func (a *arena) close() {
	a.trim()
	a.mu.Lock()
	defer a.mu.Unlock()
	for _, b := range a.live {
		_ = unmapBlock(b)
	}
	clear(a.live)
	a.inUse, a.closed = 0, true
}

// roundSize is n rounded up to whole pages, at least one.
func roundSize(n int64) (int, error) {
	const page = 4096
	if n < 0 || n > 1<<46 {
		return 0, bad("allocation_size", "size of an allocation", "0 to 64 TiB", byteCount(n))
	}
	return int(max(n+page-1, page) &^ (page - 1)), nil
}
