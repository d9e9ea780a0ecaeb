package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/irpa"
	"github.com/hlocc/hlocc/runtime/internal/elf"
	"github.com/hlocc/hlocc/runtime/internal/hal"
	"github.com/hlocc/hlocc/runtime/internal/params"
	"github.com/hlocc/hlocc/runtime/internal/vm"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// layer is two matrix products with weights that are parameters, and a cache
// that is updated in place: a decoding step in small.
const layer = `module @layer {
  util.global private @up = #flow.parameter.named<"model"::"up"> : tensor<512x128xf32>
  util.global private @down = #flow.parameter.named<"model"::"down"> : tensor<128x512xbf16>
  func.func public @step(%x: tensor<1x128xf32>, %pos: tensor<1xi32>, %cache: tensor<64x128xf32> {tf.aliasing_output = 1 : i32}) -> (tensor<1x128xf32>, tensor<64x128xf32>) {
    %up = util.global.load @up : tensor<512x128xf32>
    %down = util.global.load @down : tensor<128x512xbf16>
    %wide = stablehlo.convert %down : (tensor<128x512xbf16>) -> tensor<128x512xf32>
    %0 = stablehlo.dot_general %x, %up, contracting_dims = [1] x [1] : (tensor<1x128xf32>, tensor<512x128xf32>) -> tensor<1x512xf32>
    %1 = stablehlo.tanh %0 : tensor<1x512xf32>
    %2 = stablehlo.dot_general %1, %wide, contracting_dims = [1] x [1] : (tensor<1x512xf32>, tensor<128x512xf32>) -> tensor<1x128xf32>
    %i = stablehlo.reshape %pos : (tensor<1xi32>) -> tensor<1x1xi32>
    %new = "stablehlo.scatter"(%cache, %i, %2) <{unique_indices = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
    ^bb0(%p: tensor<f32>, %q: tensor<f32>):
      stablehlo.return %q : tensor<f32>
    }) : (tensor<64x128xf32>, tensor<1x1xi32>, tensor<1x128xf32>) -> tensor<64x128xf32>
    %3 = stablehlo.dot_general %2, %new, contracting_dims = [1] x [1] : (tensor<1x128xf32>, tensor<64x128xf32>) -> tensor<1x64xf32>
    %4 = stablehlo.dot_general %3, %new, contracting_dims = [1] x [0] : (tensor<1x64xf32>, tensor<64x128xf32>) -> tensor<1x128xf32>
    return %4, %new : tensor<1x128xf32>, tensor<64x128xf32>
  }
}
`

// layerArchive is an archive with the layer's parameters, at a page boundary.
func layerArchive(t testing.TB) (data []byte, path string) {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var up, down []byte
	for range 512 * 128 {
		up = binary.LittleEndian.AppendUint32(up, math.Float32bits(float32(rng.NormFloat64()*0.1)))
		down = binary.LittleEndian.AppendUint16(down, uint16(math.Float32bits(float32(rng.NormFloat64()*0.1))>>16))
	}
	var b bytes.Buffer
	if err := irpa.Write(&b, []irpa.Entry{{Name: "up", Data: up}, {Name: "down", Data: down}}); err != nil {
		t.Fatal(err)
	}
	path = filepath.Join(t.TempDir(), "layer.irpa")
	if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	dev := device(t, 1)
	mem, err := dev.NewBuffer(int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	copy(mem.Bytes(), b.Bytes())
	return mem.Bytes(), path
}

func layerArgs(seed uint64) []any {
	rng := rand.New(rand.NewPCG(seed, 2))
	floats := func(shape ...int) *tensor {
		a := &tensor{element: hal.F32, shape: shape}
		for range shape[0] * shape[1] {
			a.data = binary.LittleEndian.AppendUint32(a.data, math.Float32bits(float32(rng.NormFloat64())))
		}
		return a
	}
	return []any{floats(1, 128), &tensor{hal.I32, []int{1}, []byte{byte(seed % 64), 0, 0, 0}}, floats(64, 128)}
}

var layerOuts = []*tensor{{element: hal.F32, shape: []int{1, 128}}, {element: hal.F32, shape: []int{64, 128}}}

func archiveSource(t testing.TB, data []byte) ParameterSource {
	t.Helper()
	a, err := params.ReadArchive(data, "model")
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// step runs the layer and gives copies of its results.
func step(t testing.TB, inv *Invoker, args []any) ([][]byte, error) {
	dev := inv.Program().Device()
	var views []*hal.BufferView
	for _, a := range args {
		v := view(t, dev, a.(*tensor))
		defer v.Buffer().Release()
		views = append(views, v)
	}
	results, err := inv.Call(context.Background(), "step", views)
	if err != nil {
		return nil, err
	}
	if !results[1].Buffer().Same(views[2].Buffer()) {
		return nil, errors.New("the cache was not updated in place")
	}
	var got [][]byte
	for _, r := range results {
		got = append(got, bytes.Clone(r.Bytes()))
		r.Release()
	}
	return got, nil
}

func TestParameters(t *testing.T) {
	path := compile(t, layer, "x86-64-v3")
	data, archive := layerArchive(t)
	for _, threads := range []int{1, 2} {
		inv := invoker(t, load(t, device(t, threads), path, archiveSource(t, data)))
		for seed := range uint64(2) {
			args := layerArgs(seed)
			want := stockRun(t, path, "step", args, layerOuts, "--parameters=model="+archive)
			got, err := step(t, inv, args)
			if err != nil {
				t.Fatal(err)
			}
			for i := range got {
				if !bytes.Equal(got[i], want[i]) {
					t.Errorf("%d threads, seed %d: result %d differs: %s", threads, seed, i, difference(got[i], want[i]))
				}
			}
		}
	}
}

// After many calls there is no more memory in use than after the first, and
// after Close there are no libraries, threads or goroutines left.
func TestResources(t *testing.T) {
	path := compile(t, layer, "x86-64-v3")
	data, _ := layerArchive(t)
	goroutines, libraries := runtime.NumGoroutine(), elf.Loaded()
	dev, err := NewDevice(Options{Threads: 3})
	if err != nil {
		t.Fatal(err)
	}
	bytecode, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	p, err := Load(dev, bytecode, archiveSource(t, data))
	if err != nil {
		t.Fatal(err)
	}
	inv, err := p.NewInvoker(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	second, err := p.NewInvoker(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if n := elf.Loaded(); n != libraries+1 {
		t.Errorf("%d libraries are mapped for two invokers", n-libraries)
	}
	var first, peak int64
	for i := range uint64(50) {
		if _, err := step(t, inv, layerArgs(i)); err != nil {
			t.Fatal(err)
		}
		n, high, _ := dev.Memory()
		if i == 0 {
			first, peak = n, high
		}
		if n != first || high != peak {
			t.Fatalf("call %d: %d bytes in use, %d at most; %d and %d after the first", i, n, high, first, peak)
		}
	}
	if err := p.Close(); err == nil {
		t.Error("a program was closed that has invokers")
	}
	for _, i := range []*Invoker{inv, second, inv} {
		if err := i.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := step(t, inv, layerArgs(0)); err == nil {
		t.Error("a closed invoker works")
	}
	for range 2 {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		dev.Close()
	}
	if _, err := p.NewInvoker(context.Background()); err == nil {
		t.Error("a closed program gives invokers")
	}
	if n := elf.Loaded(); n != libraries {
		t.Errorf("%d libraries are still mapped", n-libraries)
	}
	for start := time.Now(); runtime.NumGoroutine() > goroutines; time.Sleep(time.Millisecond) {
		if time.Since(start) > 10*time.Second {
			t.Fatalf("%d goroutines, %d before", runtime.NumGoroutine(), goroutines)
		}
	}
	if n, _, cached := dev.Memory(); n != 0 || cached != 0 {
		t.Errorf("%d bytes in use, %d kept", n, cached)
	}
}

// Invokers of one program work on one device at the same time.
func TestConcurrentInvokers(t *testing.T) {
	path := compile(t, layer, "x86-64-v3")
	data, _ := layerArchive(t)
	dev := device(t, 3)
	p := load(t, dev, path, archiveSource(t, data))
	want := make([][][]byte, 6)
	inv := invoker(t, p)
	for i := range want {
		var err error
		if want[i], err = step(t, inv, layerArgs(uint64(i))); err != nil {
			t.Fatal(err)
		}
	}
	var wg sync.WaitGroup
	for g := range 6 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			inv, err := p.NewInvoker(context.Background())
			if err != nil {
				t.Error(err)
				return
			}
			defer inv.Close()
			for k := range 30 {
				i := (g + k) % len(want)
				got, err := step(t, inv, layerArgs(uint64(i)))
				if err != nil || !bytes.Equal(got[0], want[i][0]) || !bytes.Equal(got[1], want[i][1]) {
					t.Errorf("goroutine %d, call %d: %v", g, k, err)
					return
				}
			}
		}()
	}
	wg.Wait()
}

// endless runs a product of matrices as often as its argument says.
const endless = `module @endless {
  func.func public @run(%a: tensor<256x256xf32>, %n: tensor<i32>) -> tensor<256x256xf32> {
    %z = stablehlo.constant dense<0> : tensor<i32>
    %one = stablehlo.constant dense<1> : tensor<i32>
    %r:2 = stablehlo.while(%i = %z, %x = %a) : tensor<i32>, tensor<256x256xf32>
     cond {
      %c = stablehlo.compare LT, %i, %n : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %y = stablehlo.dot_general %x, %a, contracting_dims = [1] x [0] : (tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>
      %w = stablehlo.tanh %y : tensor<256x256xf32>
      stablehlo.return %j, %w : tensor<i32>, tensor<256x256xf32>
    }
    return %r#1 : tensor<256x256xf32>
  }
}
`

func TestCancel(t *testing.T) {
	path := compile(t, endless, "x86-64-v3")
	dev := device(t, 2)
	inv := invoker(t, load(t, dev, path, nil))
	a := view(t, dev, &tensor{hal.F32, []int{256, 256}, make([]byte, 4*256*256)})
	n := view(t, dev, &tensor{hal.I32, []int{}, []byte{0xff, 0xff, 0xff, 0x7f}})
	before, _, _ := dev.Memory()
	for range 3 {
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		start := time.Now()
		if _, err := inv.Call(ctx, "run", []*hal.BufferView{a, n}); !errors.Is(err, context.Canceled) {
			t.Fatalf("got %v", err)
		}
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("cancellation took %v", d)
		}
		if _, err := inv.Call(ctx, "run", []*hal.BufferView{a, n}); !errors.Is(err, context.Canceled) {
			t.Errorf("a context that is cancelled beforehand: %v", err)
		}
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	if _, err := inv.Call(ctx, "run", []*hal.BufferView{a, n}); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a deadline: %v", err)
	}
	if now, _, _ := dev.Memory(); now != before {
		t.Errorf("%d bytes in use after cancelled calls, %d before", now, before)
	}
	// The invoker still works.
	copy(n.Bytes(), []byte{3, 0, 0, 0})
	r, err := inv.Call(context.Background(), "run", []*hal.BufferView{a, n})
	if err != nil {
		t.Fatal(err)
	}
	r[0].Release()
}

func TestErrors(t *testing.T) {
	path := compile(t, layer, "x86-64-v3")
	data, _ := layerArchive(t)
	dev := device(t, 1)
	p := load(t, dev, path, archiveSource(t, data))
	if f := p.Functions(); len(f) != 1 || f[0] != "step" || p.Name() != "layer" || !strings.Contains(p.Declaration("step"), "@step(") || p.Declaration("x") != "" {
		t.Errorf("module %q, functions %q, %s", p.Name(), f, p.Declaration("step"))
	}
	inv := invoker(t, p)
	var views []*hal.BufferView
	for _, a := range layerArgs(0) {
		views = append(views, view(t, dev, a.(*tensor)))
	}
	big := view(t, dev, &tensor{hal.F32, []int{4096}, make([]byte, 4096*4)})
	shifted, err := big.Buffer().Subspan(32, 512)
	if err != nil {
		t.Fatal(err)
	}
	odd, err := hal.NewBufferView(shifted, hal.F32, []int{1, 128})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		want     string
		kind     diag.Kind
		function string
		args     []*hal.BufferView
	}{
		{`has no function "main"`, diag.BadInput, "main", views},
		{`has no function "__init"`, diag.BadInput, "__init", nil},
		{"do not fit the function", diag.BadInput, "step", views[:2]},
		{"argument 1 is nil", diag.Failed, "step", []*hal.BufferView{views[0], nil, views[2]}},
		{"want f32[1 128], found f32[4096]", diag.BadInput, "step", []*hal.BufferView{big, views[1], views[2]}},
		{"want i32[1], found f32[1 128]", diag.BadInput, "step", []*hal.BufferView{views[0], views[0], views[2]}},
		{"is not aligned", diag.BadInput, "step", []*hal.BufferView{odd, views[1], views[2]}},
	} {
		_, err := inv.Call(context.Background(), c.function, c.args)
		if err == nil || !strings.Contains(err.Error(), c.want) || diag.KindOf(err) != c.kind {
			t.Errorf("got %v, want an error of kind %d with %q", err, c.kind, c.want)
		}
	}
	if _, err := inv.Call(context.Background(), "step", views); err != nil {
		t.Errorf("after errors: %v", err)
	}

	bytecode, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	some := params.Map{}
	some.Add("model", "up", data[:512*128*4])
	short := params.Map{}
	short.Add("model", "up", data[:512*128*4])
	short.Add("model", "down", data[:64])
	unaligned := params.Map{}
	unaligned.Add("model", "up", data[4:][:512*128*4])
	unaligned.Add("model", "down", data[:128*512*2])
	for _, c := range []struct {
		want   string
		source ParameterSource
	}{
		{`parameter "up" of "model": the program needs a parameter`, nil},
		{`parameter "down" of "model": the program needs a parameter`, some},
		{`parameter "down" of "model": has another size`, short},
		{`parameter "up" of "model": is not aligned in memory`, unaligned},
		{"unreadable", broken{}},
	} {
		p, err := Load(dev, bytecode, c.source)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.NewInvoker(context.Background()); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want an error with %q", err, c.want)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := Load(dev, bytecode[:100], nil); err == nil {
		t.Error("a truncated module was loaded")
	}
}

type broken struct{}

func (broken) Parameter(scope, key string) ([]byte, error) { return nil, errors.New("unreadable") }

// A module for another device is refused with words, not by a crash.
func TestOtherTargets(t *testing.T) {
	const add = "module @m {\nfunc.func public @main(%a: tensor<8xf32>) -> tensor<8xf32> {\n%0 = stablehlo.add %a, %a : tensor<8xf32>\nreturn %0 : tensor<8xf32>\n}\n}\n"
	path := compile(t, add, "generic", "--iree-llvmcpu-target-triple=aarch64-linux-gnu")
	p := load(t, device(t, 1), path, nil)
	if _, err := p.NewInvoker(context.Background()); err == nil || !strings.Contains(err.Error(), "HAL device") {
		t.Errorf("got %v", err)
	}
}

func TestDependencies(t *testing.T) {
	for _, c := range []struct {
		dep  vmfb.Dependency
		want string
	}{
		{vmfb.Dependency{Name: "hal", MinVersion: 7}, ""},
		{vmfb.Dependency{Name: "hal", MinVersion: 6}, ""},
		{vmfb.Dependency{Name: "io_parameters"}, ""},
		{vmfb.Dependency{Name: "other", Optional: true}, ""},
		{vmfb.Dependency{Name: "hal", MinVersion: 8}, "want hal, version 7, found hal, version 8 or later"},
		{vmfb.Dependency{Name: "hal_loader"}, `needs the interface "hal_loader"`},
	} {
		err := checkDependencies(&vmfb.Module{Name: "m", Dependencies: []vmfb.Dependency{c.dep}})
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %v", c.dep, err)
		}
		if err != nil && diag.KindOf(err) != diag.Unsupported {
			t.Errorf("%+v: kind %d", c.dep, diag.KindOf(err))
		}
	}
}

// Constants are used where they are in the module's bytes, or copied if these
// are not aligned.
func TestConstants(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	var hex strings.Builder
	for range 8192 {
		hex.WriteString(fmt.Sprintf("%08x", rng.Uint32()))
	}
	text := `module @constants {
  func.func public @main(%x: tensor<8192xi32>, %i: tensor<4x1xi32>) -> tensor<8192xi32> {
    %c = stablehlo.constant dense<"0x` + hex.String() + `"> : tensor<8192xi32>
    %0 = stablehlo.add %x, %c : tensor<8192xi32>
    return %0 : tensor<8192xi32>
  }
}
`
	path := compile(t, text, "x86-64-v3")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	dev := device(t, 1)
	args := []any{&tensor{hal.I32, []int{8192}, make([]byte, 8192*4)}, &tensor{hal.I32, []int{4, 1}, make([]byte, 16)}}
	want := stockRun(t, path, "main", args, []*tensor{{element: hal.I32, shape: []int{8192}}})
	for _, shift := range []int{0, 1, 8, 32, 64} {
		mem, err := dev.NewBuffer(int64(len(data) + shift))
		if err != nil {
			t.Fatal(err)
		}
		at := mem.Bytes()[shift:]
		copy(at, data)
		before, _, _ := dev.Memory()
		p, err := Load(dev, at, nil)
		if err != nil {
			t.Fatal(err)
		}
		inv, err := p.NewInvoker(context.Background())
		if err != nil {
			t.Fatalf("shifted by %d: %v", shift, err)
		}
		after, _, _ := dev.Memory()
		if copied := after - before; (copied != 0) != (shift%64 != 0) {
			t.Errorf("shifted by %d: %d bytes were copied", shift, copied)
		}
		c := testCase{name: "main", results: "8192xi32"}
		if got := call(t, inv, &c, args); !bytes.Equal(got[0], want[0]) {
			t.Errorf("shifted by %d: %s", shift, difference(got[0], want[0]))
		}
		if err := errors.Join(inv.Close(), p.Close()); err != nil {
			t.Error(err)
		}
	}
}

// chainModule is n dispatches, each of which needs the one before.
func chainModule(n int) string {
	var b strings.Builder
	b.WriteString("module @chain {\nfunc.func public @main(%x0: tensor<64xf32>, %w: tensor<64x64xf32>) -> tensor<64xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, "%%m%d = stablehlo.dot_general %%x%d, %%w, contracting_dims = [0] x [0] : (tensor<64xf32>, tensor<64x64xf32>) -> tensor<64xf32>\n", i, i)
		fmt.Fprintf(&b, "%%x%d = stablehlo.tanh %%m%d : tensor<64xf32>\n", i+1, i)
	}
	fmt.Fprintf(&b, "return %%x%d : tensor<64xf32>\n}\n}\n", n)
	return b.String()
}

// BenchmarkChain is a function of many small dispatches.
func BenchmarkChain(b *testing.B) {
	const n = 300
	path := compile(b, chainModule(n), "x86-64-v3")
	for _, threads := range []int{1, 2} {
		b.Run(fmt.Sprintf("threads=%d", threads), func(b *testing.B) {
			dev := device(b, threads)
			inv := invoker(b, load(b, dev, path, nil))
			x := view(b, dev, &tensor{hal.F32, []int{64}, make([]byte, 256)})
			w := view(b, dev, &tensor{hal.F32, []int{64, 64}, make([]byte, 64*256)})
			ctx := context.Background()
			var out []*hal.BufferView
			b.ReportAllocs()
			for b.Loop() {
				var err error
				if out, err = inv.CallAppend(ctx, out[:0], "main", []*hal.BufferView{x, w}); err != nil {
					b.Fatal(err)
				}
				for _, r := range out {
					r.Release()
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/n, "ns/dispatch")
		})
	}
}

// An argument of the wrong kind is an error.
func TestScalarForTensor(t *testing.T) {
	path := compile(t, module(suite), "x86-64-v3", "--iree-input-demote-f64-to-f32=false")
	inv := invoker(t, load(t, device(t, 1), path, nil))
	if _, err := inv.Invoke(context.Background(), "add", []vm.Value{vm.I32Value(1), vm.I32Value(2)}); err == nil {
		t.Error("scalars were accepted for tensors")
	}
	if _, err := inv.Invoke(context.Background(), "add", []vm.Value{vm.RefValue(nil), vm.RefValue(nil)}); err == nil {
		t.Error("null was accepted for a tensor")
	}
}
