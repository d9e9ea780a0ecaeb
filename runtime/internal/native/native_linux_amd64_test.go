package native

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"os/exec"
	"runtime"
	"runtime/pprof"
	"sync"
	"sync/atomic"
	"testing"
	"time"
	"unsafe"
)

func pool(t testing.TB, threads int) *Pool {
	t.Helper()
	before := threadCount.Load()
	p, err := NewPool(threads)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.Close()
		if n := threadCount.Load(); n != before {
			t.Errorf("%d native stacks after Close, %d before", n, before)
		}
	})
	return p
}

// job is a dispatch with what its state points to.
type job struct {
	state     DispatchState
	constants []uint32
	bindings  []uintptr
	memory    [][]uint32
}

// newJob makes a job that lives as long as the test: batches hold addresses only.
func newJob(t testing.TB, groups [3]uint32, constants []uint32, memory ...[]uint32) *job {
	j := &job{constants: constants, memory: memory}
	t.Cleanup(func() { runtime.KeepAlive(j) })
	for _, m := range memory {
		j.bindings = append(j.bindings, uintptr(unsafe.Pointer(unsafe.SliceData(m))))
	}
	j.state = DispatchState{
		SizeX: 1, SizeY: 1, SizeZ: 1, CountX: groups[0], CountY: groups[1], CountZ: uint16(groups[2]),
		ConstantCount: uint16(len(constants)), BindingCount: uint8(len(memory)), MaxConcurrency: 1,
		Constants: uintptr(unsafe.Pointer(unsafe.SliceData(constants))),
		Bindings:  uintptr(unsafe.Pointer(unsafe.SliceData(j.bindings))),
	}
	return j
}

func (j *job) dispatch(fn uintptr) Dispatch {
	return Dispatch{Fn: fn, State: uintptr(unsafe.Pointer(&j.state)),
		Groups: [3]uint32{j.state.CountX, j.state.CountY, uint32(j.state.CountZ)}}
}

func add(t testing.TB, b *Batch, d Dispatch) {
	t.Helper()
	if err := b.Add(d); err != nil {
		t.Fatal(err)
	}
}

func TestLayout(t *testing.T) {
	var (
		d DispatchState
		w workgroupState
		c command
		l loop
		e Environment
	)
	for _, c := range []struct {
		name      string
		got, want uintptr
	}{
		{"DispatchState", unsafe.Sizeof(d), 48},
		{"DispatchState.CountX", unsafe.Offsetof(d.CountX), 12},
		{"DispatchState.CountZ", unsafe.Offsetof(d.CountZ), 20},
		{"DispatchState.MaxConcurrency", unsafe.Offsetof(d.MaxConcurrency), 22},
		{"DispatchState.Constants", unsafe.Offsetof(d.Constants), 24},
		{"DispatchState.Lengths", unsafe.Offsetof(d.Lengths), 40},
		{"workgroupState", unsafe.Sizeof(w), 32},
		{"workgroupState.processor", unsafe.Offsetof(w.processor), 12},
		{"workgroupState.local", unsafe.Offsetof(w.local), 16},
		{"Environment", unsafe.Sizeof(e), 96},
		{"Environment.Processor", unsafe.Offsetof(e.Processor), 32},
		{"command", unsafe.Sizeof(c), 64},
		{"command.next", unsafe.Offsetof(c.next), 24},
		{"command.gx", unsafe.Offsetof(c.gx), 40},
		{"command.last", unsafe.Offsetof(c.last), 52},
		{"loop.status", unsafe.Offsetof(l.status), 32},
		{"loop.failed", unsafe.Offsetof(l.failed), 40},
	} {
		if c.got != c.want {
			t.Errorf("%s: %d, want %d", c.name, c.got, c.want)
		}
	}
}

func TestCall(t *testing.T) {
	if r, err := Call(assemble(t, codeClobber), 0, 0, 0); err != nil || r != 7 {
		t.Errorf("got %d, %v", r, err)
	}
	// The Go runtime's registers survive: floats, closures and allocation work.
	x := math.Sqrt(float64(len(t.Name())) + 2)
	if x != math.Sqrt(10) {
		t.Error("floating point is broken after a call")
	}
}

// Native code sees denormals flushed; Go code does not.
func TestDenormals(t *testing.T) {
	fn := assemble(t, codeMXCSR)
	r, err := Call(fn, 0, 0, 0)
	if err != nil || r&0x8040 != 0x8040 {
		t.Errorf("MXCSR in native code is %#x, %v", r, err)
	}
	tiny := math.Float32frombits(1)
	two := float32(2)
	if tiny*two != math.Float32frombits(2) {
		t.Error("denormals are flushed in Go code after a call")
	}
	p := pool(t, 2)
	j := newJob(t, [3]uint32{64, 1, 1}, nil, make([]uint32, 64))
	var b Batch
	add(t, &b, j.dispatch(assemble(t, codeMark)))
	for _, parallel := range []bool{false, true} {
		if err := p.Run(&b, parallel, new(uint32)); err != nil {
			t.Fatal(err)
		}
		if tiny*two != math.Float32frombits(2) {
			t.Error("denormals are flushed in Go code after a batch")
		}
	}
}

func TestStack(t *testing.T) {
	fn := assemble(t, codeDeep)
	if _, err := Call(fn, stackSize-4096-128, 0, 0); err != nil {
		t.Fatal(err)
	}
	th, err := newThread(3)
	if err != nil {
		t.Fatal(err)
	}
	defer th.close()
	if th.stack()%64 != 0 {
		t.Errorf("stack %#x is not aligned", th.stack())
	}
	// The callee must see a stack pointer that was 16-byte aligned before the call.
	if sp := enterCall(fn, 0, 0, 0, th.stack()); (sp+8)%16 != 0 {
		t.Errorf("stack pointer %#x at entry", sp)
	}
	if th.state().processor != 3 {
		t.Error("the workgroup state was overwritten by the stack")
	}
}

// Code that runs out of stack faults on the guard instead of writing to what
// lies below. That ends the process, so it is tried in another one.
func TestGuard(t *testing.T) {
	if os.Getenv("NATIVE_TEST_OVERFLOW") != "" {
		_, err := Call(assemble(t, codeDeep), stackSize+4096, 0, 0)
		t.Fatalf("survived: %v", err)
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestGuard$")
	cmd.Env = append(os.Environ(), "NATIVE_TEST_OVERFLOW=1")
	out, err := cmd.CombinedOutput()
	if err == nil || !bytes.Contains(out, []byte("SIGSEGV")) {
		t.Errorf("%v: %.300s", err, out)
	}
}

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

// The collector makes progress while native code runs for long.
func TestCollectorDuringLongCall(t *testing.T) {
	spin := assemble(t, codeSpin)
	done := make(chan struct{})
	go func() {
		_, _ = Call(spin, 3e9, 0, 0) // about a second
		close(done)
	}()
	time.Sleep(20 * time.Millisecond)
	collections := 0
	for start := time.Now(); collections < 5 && time.Since(start) < 20*time.Second; collections++ {
		runtime.GC()
	}
	select {
	case <-done:
		t.Errorf("%d collections took as long as the native call", collections)
	default:
	}
	<-done
}

// Preemption and profiling signals arrive while native code runs.
func TestSignals(t *testing.T) {
	p := pool(t, 3)
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		t.Fatal(err)
	}
	defer pprof.StopCPUProfile()
	var stop atomic.Bool
	var wg sync.WaitGroup
	wg.Add(2)
	go func() {
		defer wg.Done()
		for !stop.Load() {
			runtime.GC()
		}
	}()
	go func() {
		defer wg.Done()
		for !stop.Load() {
			_ = make([]byte, 1<<16)
		}
	}()
	spin := assemble(t, codeDispatchSpin)
	deadline := time.Now().Add(400 * time.Millisecond)
	var callers sync.WaitGroup
	for range 4 {
		callers.Add(1)
		go func() {
			defer callers.Done()
			j := newJob(t, [3]uint32{8, 1, 1}, []uint32{20000})
			b := &Batch{}
			for range 20 {
				_ = b.Add(j.dispatch(spin))
				b.Barrier()
			}
			for time.Now().Before(deadline) {
				if !b.Idle() {
					runtime.Gosched()
					continue
				}
				if err := p.Run(b, true, new(uint32)); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	callers.Wait()
	stop.Store(true)
	wg.Wait()
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

func BenchmarkDispatch(b *testing.B) {
	mark := assemble(b, codeMark)
	for _, c := range []struct {
		name     string
		threads  int
		groups   uint32
		parallel bool
	}{{"serial/1", 1, 1, false}, {"serial/2", 1, 2, false}, {"parallel/2x2", 2, 2, true}, {"parallel/2x16", 2, 16, true}} {
		b.Run(c.name, func(b *testing.B) {
			p := pool(b, c.threads)
			j := newJob(b, [3]uint32{c.groups, 1, 1}, nil, make([]uint32, c.groups))
			var batch [2]Batch
			for k := range batch {
				for range 300 {
					add(b, &batch[k], j.dispatch(mark))
					batch[k].Barrier()
				}
			}
			flag := new(uint32)
			for i := 0; b.Loop(); i++ {
				k := i % 2
				for !batch[k].Idle() {
					pause()
				}
				if err := p.Run(&batch[k], c.parallel, flag); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/300, "ns/dispatch")
		})
	}
}
