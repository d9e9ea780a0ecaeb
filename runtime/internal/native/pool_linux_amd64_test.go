package native

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"weak"
)

// A batch that a thread has not left yet cannot be run.
func TestBusyBatch(t *testing.T) {
	p := pool(t, 1)
	var b Batch
	b.refs.Store(1)
	if err := p.Run(&b, false, new(uint32)); !errors.Is(err, errBusy) {
		t.Errorf("got %v", err)
	}
}

// Every workgroup of every dispatch runs exactly once.
func TestGrid(t *testing.T) {
	mark := assemble(t, codeMark)
	grids := [][3]uint32{{1, 1, 1}, {7, 1, 1}, {1, 5, 1}, {1, 1, 9}, {3, 4, 5}, {64, 3, 2}, {1000, 1, 1}}
	for _, threads := range []int{1, 2, 4} {
		p := pool(t, threads)
		var b Batch
		var jobs []*job
		for i, g := range grids {
			j := newJob(t, g, nil, make([]uint32, g[0]*g[1]*g[2]))
			jobs = append(jobs, j)
			add(t, &b, j.dispatch(mark))
			if i%2 == 1 {
				b.Barrier()
			}
		}
		for round := range 20 {
			for !b.Idle() {
				runtime.Gosched()
			}
			if err := p.Run(&b, true, new(uint32)); err != nil {
				t.Fatal(err)
			}
			for i, j := range jobs {
				for k, n := range j.memory[0] {
					if n != 1 {
						t.Fatalf("%d threads, round %d, grid %v: workgroup %d ran %d times", threads, round, grids[i], k, n)
					}
				}
				clear(j.memory[0])
			}
		}
	}
}

func TestEmptyAndHugeDispatches(t *testing.T) {
	p := pool(t, 1)
	var b Batch
	b.Barrier()
	add(t, &b, Dispatch{Groups: [3]uint32{0, 1, 1}})
	if b.Len() != 0 {
		t.Error("a dispatch without workgroups was added")
	}
	if err := p.Run(&b, true, new(uint32)); err != nil {
		t.Error(err)
	}
	for _, g := range [][3]uint32{{1 << 31, 2, 1}, {1, 1, 65536}, {1 << 31, 1 << 31, 4}, {0xffffffff, 0xffffffff, 0xffff}} {
		if err := b.Add(Dispatch{Groups: g}); err == nil {
			t.Errorf("%v was accepted", g)
		}
	}
}

// chain is n phases that each sum all that the phase before wrote.
func chain(t testing.TB, b *Batch, n int, width uint32) (jobs []*job, result []uint32, want uint32) {
	fn := assemble(t, codeChain)
	buf := [2][]uint32{make([]uint32, width), make([]uint32, width)}
	for i := range n {
		j := newJob(t, [3]uint32{width, 1, 1}, nil, buf[(i+1)%2], buf[i%2])
		jobs = append(jobs, j)
		add(t, b, j.dispatch(fn))
		b.Barrier()
		want = want*width + 1
	}
	return jobs, buf[n%2], want
}

// A phase starts only when the one before is complete, whatever the threads do.
func TestPhases(t *testing.T) {
	for _, threads := range []int{1, 2, 3, 8} {
		p := pool(t, threads)
		var b Batch
		jobs, got, want := chain(t, &b, 301, 24)
		// busy goroutines, so that threads are descheduled anywhere
		var stop atomic.Bool
		var wg sync.WaitGroup
		for range 3 {
			wg.Add(1)
			go func() {
				defer wg.Done()
				for !stop.Load() {
					pause()
				}
			}()
		}
		for range 30 {
			for !b.Idle() {
				runtime.Gosched()
			}
			clear(jobs[0].memory[1])
			if err := p.Run(&b, true, new(uint32)); err != nil {
				t.Fatal(err)
			}
			for i, v := range got {
				if v != want {
					t.Fatalf("%d threads: element %d is %#x, want %#x", threads, i, v, want)
				}
			}
		}
		stop.Store(true)
		wg.Wait()
	}
}

func TestFailure(t *testing.T) {
	fail, mark := assemble(t, codeFail), assemble(t, codeMark)
	for _, threads := range []int{1, 2, 4} {
		p := pool(t, threads)
		for range 20 {
			var b Batch
			ok := newJob(t, [3]uint32{8, 1, 1}, nil, make([]uint32, 8))
			bad := newJob(t, [3]uint32{8, 1, 1}, []uint32{42, 5})
			after := newJob(t, [3]uint32{8, 1, 1}, nil, make([]uint32, 8))
			add(t, &b, ok.dispatch(mark))
			b.Barrier()
			add(t, &b, bad.dispatch(fail))
			b.Barrier()
			add(t, &b, after.dispatch(mark))
			err := p.Run(&b, true, new(uint32))
			var de *DispatchError
			if !errors.As(err, &de) || de.Index != 1 || de.Code != 42 {
				t.Fatalf("got %v", err)
			}
			if !b.Idle() {
				t.Fatal("a thread is still inside a batch that failed")
			}
			for _, n := range after.memory[0] {
				if n != 0 {
					t.Fatal("a dispatch ran after one that failed")
				}
			}
		}
	}
}

func TestCancel(t *testing.T) {
	spin := assemble(t, codeDispatchSpin)
	for _, threads := range []int{1, 2} {
		p := pool(t, threads)
		var b Batch
		j := newJob(t, [3]uint32{4, 1, 1}, []uint32{1e6}) // about 0.2 ms each
		for range 20000 {
			add(t, &b, j.dispatch(spin))
			b.Barrier()
		}
		flag := new(uint32)
		time.AfterFunc(5*time.Millisecond, func() { atomic.StoreUint32(flag, 1) })
		start := time.Now()
		if err := p.Run(&b, true, flag); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if d := time.Since(start); d > 3*time.Second {
			t.Errorf("cancellation took %v", d)
		}
		if !b.Idle() {
			t.Error("a thread is still inside a batch that was cancelled")
		}
		if err := p.Run(&b, true, flag); !errors.Is(err, context.Canceled) {
			t.Errorf("a run that is cancelled beforehand gave %v", err)
		}
	}
}

// The flag lives as long as the batch, which a thread may still look at.
func TestCancelFlagIsKept(t *testing.T) {
	p := pool(t, 2)
	var b Batch
	run := func() weak.Pointer[uint32] {
		flag := &new(struct { // of its own: small objects without pointers share memory
			flag uint32
			_    *byte
		}).flag
		if err := p.Run(&b, true, flag); err != nil {
			t.Error(err)
		}
		return weak.Make(flag)
	}
	flag := run()
	runtime.GC()
	if flag.Value() == nil {
		t.Error("the flag was collected before its batch")
	}
	runtime.KeepAlive(&b)
}

func TestLocalMemory(t *testing.T) {
	fn := assemble(t, codeLocal)
	p := pool(t, 2)
	for _, pages := range []int{1, 16, 2} {
		j := newJob(t, [3]uint32{64, 1, 1}, []uint32{uint32(pages * 4096)})
		var b Batch
		d := j.dispatch(fn)
		d.Local = pages * 4096
		add(t, &b, d)
		if err := p.Run(&b, true, new(uint32)); err != nil {
			t.Errorf("%d pages: %v", pages, err)
		}
	}
}

// Many goroutines run batches on one pool at the same time.
func TestManyCallers(t *testing.T) {
	p := pool(t, 4)
	var wg sync.WaitGroup
	for range 16 {
		var b Batch
		jobs, got, want := chain(t, &b, 40, 8)
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 25 {
				for !b.Idle() {
					runtime.Gosched()
				}
				clear(jobs[0].memory[1])
				if err := p.Run(&b, true, new(uint32)); err != nil {
					t.Error(err)
					return
				}
				if got[0] != want {
					t.Errorf("%#x, want %#x", got[0], want)
					return
				}
			}
		}()
	}
	wg.Wait()
}

func TestClose(t *testing.T) {
	p, err := NewPool(4)
	if err != nil {
		t.Fatal(err)
	}
	j := newJob(t, [3]uint32{4, 1, 1}, nil, make([]uint32, 4))
	var b Batch
	add(t, &b, j.dispatch(assemble(t, codeMark)))
	if err := p.Run(&b, true, new(uint32)); err != nil {
		t.Fatal(err)
	}
	goroutines := runtime.NumGoroutine()
	p.Close()
	p.Close()
	if n := runtime.NumGoroutine(); n > goroutines-3 {
		t.Errorf("%d goroutines after Close, %d before", n, goroutines)
	}
	if err := p.Run(&b, true, new(uint32)); err == nil {
		t.Error("Run works on a closed pool")
	}
}
