package engine

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/irpa"
	"github.com/hlocc/hlocc/runtime/internal/elf"
	"github.com/hlocc/hlocc/runtime/internal/hal"
	"github.com/hlocc/hlocc/runtime/internal/params"
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
