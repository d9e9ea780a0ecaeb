package native

import (
	"bytes"
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
		n lane
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
		{"command.gx", unsafe.Offsetof(c.gx), 24},
		{"command.share", unsafe.Offsetof(c.share), 36},
		{"command.last", unsafe.Offsetof(c.last), 44},
		{"command.target", unsafe.Offsetof(c.target), 48},
		{"command.ticks", unsafe.Offsetof(c.ticks), 56},
		{"lane", unsafe.Sizeof(n), 256},
		{"lane.done", unsafe.Offsetof(n.done), 128},
		{"loop.lanes", unsafe.Offsetof(l.lanes), 16},
		{"loop.cancel", unsafe.Offsetof(l.cancel), 32},
		{"loop.status", unsafe.Offsetof(l.status), 40},
		{"loop.failed", unsafe.Offsetof(l.failed), 48},
		{"loop.profile", unsafe.Offsetof(l.profile), 56},
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
