package native

import (
	"context"
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unsafe"
)

// MaxThreads bounds the threads of a Pool.
const MaxThreads = 256

// How long a worker looks for the next batch before it parks: it is less than
// what waking it costs, so a busy machine loses little and a tight sequence of
// batches finds the workers awake.
const spinTime = 20 * time.Microsecond

var (
	errClosed = errors.New("the device is closed")
	errBusy   = errors.New("a batch is run while a thread still looks at it")
)

// Pool runs batches on up to a fixed number of threads. It may be used by any
// number of goroutines: each runs its own batches and the workers help whoever
// has the fewest of them.
type Pool struct {
	threads int
	epoch   atomic.Uint32 // grows whenever a batch is opened

	mu      sync.Mutex
	wake    sync.Cond // a batch was opened, or the pool closes
	parked  int
	open    []*Batch // batches that workers may join
	free    []*thread
	running int       // callers inside Run
	idle    sync.Cond // running became 0
	closed  bool
	workers sync.WaitGroup
}

// NewPool makes a pool for n threads, the calling one included: n-1 goroutines
// are started, which cost nothing while there is no work. n is clamped to
// 1...MaxThreads.
func NewPool(n int) (*Pool, error) {
	if err := Supported(); err != nil {
		return nil, err
	}
	p := &Pool{threads: min(max(n, 1), MaxThreads)}
	p.wake.L, p.idle.L = &p.mu, &p.mu
	for i := 1; i < p.threads; i++ {
		t, err := newThread(i)
		if err != nil {
			p.Close()
			return nil, err
		}
		p.workers.Add(1)
		go p.work(t)
	}
	return p, nil
}

// Threads is the number of threads that may work on one batch.
func (p *Pool) Threads() int { return p.threads }

// Close waits for the calls of Run in progress, ends the workers and frees all
// stacks. Run fails afterwards. Close may be called more than once.
func (p *Pool) Close() {
	p.mu.Lock()
	p.closed = true
	p.wake.Broadcast()
	for p.running > 0 {
		p.idle.Wait()
	}
	free := p.free
	p.free = nil
	p.mu.Unlock()
	p.epoch.Add(1)
	p.workers.Wait()
	for _, t := range free {
		t.close()
	}
}

// Run executes b, with other threads if parallel, and returns when it is
// complete, when a dispatch fails (*DispatchError), or, soon after *cancel
// becomes nonzero, with context.Canceled. In all cases no thread touches b's
// buffers and dispatch states any more.
//
// *cancel may be set from any goroutine by an atomic store.
func (p *Pool) Run(b *Batch, parallel bool, cancel *uint32) error {
	if atomic.LoadUint32(cancel) != 0 {
		return context.Canceled
	}
	t, err := p.acquire()
	if err != nil {
		return err
	}
	defer p.release(t)
	if err := t.reserveLocal(b.local); err != nil {
		return err
	}
	if !b.Idle() {
		return errBusy
	}
	parallel = parallel && p.threads > 1 && b.width > 1
	threads := 1
	if parallel {
		threads = p.threads
	}
	b.prepare(threads, cancel)
	if !parallel {
		enterSerial(&b.loop, uintptr(unsafe.Pointer(t.state())), t.stack())
	} else {
		p.publish(b)
		enterParallel(&b.loop, uintptr(unsafe.Pointer(t.state())), t.stack())
		p.withdraw(b)
	}
	switch b.loop.status {
	case cancelled:
		return context.Canceled
	case failed:
		return b.failure()
	}
	return nil
}

// publish lets workers join b and wakes as many as could be of use.
func (p *Pool) publish(b *Batch) {
	b.refs.Store(1)
	p.mu.Lock()
	p.open = append(p.open, b)
	p.epoch.Add(1)
	for n := min(p.parked, b.width-1); n > 0; n-- {
		p.wake.Signal()
	}
	p.mu.Unlock()
}

// withdraw ends the caller's part in b. If b is complete nobody needs to be
// waited for: whoever is still there finds no work. Otherwise some thread may be
// inside a workgroup.
func (p *Pool) withdraw(b *Batch) {
	p.mu.Lock()
	if i := slices.Index(p.open, b); i >= 0 {
		p.open = slices.Delete(p.open, i, i+1)
	}
	var drain chan struct{}
	if b.refs.Add(-1) > 0 && atomic.LoadUint32(&b.loop.status) != finished {
		drain = make(chan struct{})
		b.drain = drain
	}
	p.mu.Unlock()
	if drain != nil {
		<-drain
	}
}

// leave ends a worker's part in b.
func (p *Pool) leave(b *Batch) {
	p.mu.Lock()
	if b.refs.Add(-1) == 0 && b.drain != nil {
		close(b.drain)
		b.drain = nil
	}
	p.mu.Unlock()
}

// join gives the worker the open batch with the fewest threads, nil if there is none.
// p.mu is held.
func (p *Pool) join() *Batch {
	var best *Batch
	for _, b := range p.open {
		if atomic.LoadUint32(&b.loop.status) == running && int(b.refs.Load()) < b.width &&
			(best == nil || b.refs.Load() < best.refs.Load()) {
			best = b
		}
	}
	if best != nil {
		best.refs.Add(1)
	}
	return best
}

func (p *Pool) work(t *thread) {
	defer p.workers.Done()
	defer t.close()
	for {
		b := p.await()
		if b == nil {
			return
		}
		if t.reserveLocal(b.local) == nil {
			enterParallel(&b.loop, uintptr(unsafe.Pointer(t.state())), t.stack())
		}
		p.leave(b)
	}
}

// await gives the next batch to work on, nil when the pool closes.
func (p *Pool) await() *Batch {
	seen := p.epoch.Load()
	for start := time.Now(); ; {
		p.mu.Lock()
		if b := p.join(); b != nil || p.closed {
			p.mu.Unlock()
			return b
		}
		p.mu.Unlock()
		for p.epoch.Load() == seen {
			if time.Since(start) > spinTime {
				return p.park()
			}
			pause()
		}
		seen = p.epoch.Load()
	}
}

func (p *Pool) park() *Batch {
	p.mu.Lock()
	defer p.mu.Unlock()
	for {
		if b := p.join(); b != nil || p.closed {
			return b
		}
		p.parked++
		p.wake.Wait()
		p.parked--
	}
}

// acquire takes a free stack, or makes one: there are as many as there were
// callers at the same time.
func (p *Pool) acquire() (*thread, error) {
	p.mu.Lock()
	if p.closed {
		p.mu.Unlock()
		return nil, errClosed
	}
	p.running++
	if n := len(p.free); n > 0 {
		t := p.free[n-1]
		p.free = p.free[:n-1]
		p.mu.Unlock()
		return t, nil
	}
	p.mu.Unlock()
	t, err := newThread(0)
	if err != nil {
		p.release(nil)
	}
	return t, err
}

func (p *Pool) release(t *thread) {
	p.mu.Lock()
	if t != nil {
		p.free = append(p.free, t)
	}
	if p.running--; p.running == 0 {
		p.idle.Broadcast()
	}
	p.mu.Unlock()
}
