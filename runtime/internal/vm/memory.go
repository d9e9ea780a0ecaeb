package vm

import (
	"runtime"
	"sync/atomic"
	"time"
)

// account counts the memory that one instance's bytecode holds in buffers and
// lists. The garbage collector gives it back, so what counts as held includes
// what has become garbage since its last cycle.
type account struct {
	held  atomic.Int64 // bytes
	limit int64
}

// charge is an object's share of an account. It is apart from the object since
// it is read after the object is gone.
type charge struct {
	account *account
	bytes   int64
}

func (c *charge) release() {
	if c != nil {
		c.account.held.Add(-c.bytes)
	}
}

// take adds n bytes to what is held and reports whether they are within the limit.
func (a *account) take(n int64) bool {
	if n > a.limit {
		return false
	}
	if a.held.Add(n) <= a.limit {
		return true
	}
	// Find out what is garbage. Its release runs on another goroutine.
	for range 3 {
		runtime.GC()
		for range 10 {
			if a.held.Load() <= a.limit {
				return true
			}
			time.Sleep(100 * time.Microsecond)
		}
	}
	a.held.Add(-n)
	return false
}

// Sizes that are charged on top of the content.
const (
	bufferOverhead = 128
	listOverhead   = 160
	valueSize      = 32
)

// newBuffer allocates a zeroed buffer for bytecode, nil if that is too much.
// The requested alignment is not kept: bytecode can only observe alignment
// through host functions, and those that need it check for it.
func (a *account) newBuffer(n uint64) *Buffer {
	if n > uint64(a.limit) || !a.take(int64(n)+bufferOverhead) {
		return nil
	}
	b := &Buffer{data: make([]byte, n)}
	runtime.AddCleanup(b, (*charge).release, &charge{a, int64(n) + bufferOverhead})
	return b
}

// newList allocates an empty list for bytecode, nil if that is too much.
func (a *account) newList(elem elemType, name string) *List {
	if !a.take(listOverhead) {
		return nil
	}
	l := &List{elem: elem, name: name, charge: &charge{a, listOverhead}}
	runtime.AddCleanup(l, (*charge).release, l.charge)
	return l
}

// grow makes room for n elements and reports whether that is within the limit.
func (l *List) grow(n int) bool {
	if n <= cap(l.items) {
		return true
	}
	// Double, so that a list that grows by one element has linear cost.
	want := max(n, 2*cap(l.items))
	if l.charge != nil {
		more := int64(want-cap(l.items)) * valueSize
		if !l.charge.account.take(more) {
			want = n
			if more = int64(want-cap(l.items)) * valueSize; !l.charge.account.take(more) {
				return false
			}
		}
		l.charge.bytes += more
	}
	items := make([]Value, len(l.items), want)
	copy(items, l.items)
	l.items = items
	return true
}
