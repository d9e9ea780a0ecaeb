package engine

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/hal"
	"github.com/hlocc/hlocc/runtime/internal/params"
	"github.com/hlocc/hlocc/runtime/internal/vm"
	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

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

// Modules drop most of their transient memory without saying so. A loop that
// allocates in every iteration must not need more than a few of them.
func TestDroppedMemory(t *testing.T) {
	const matrix = 4 * 256 * 256
	for _, favor := range []string{"max-concurrency", "min-peak-memory"} {
		path := compile(t, endless, "x86-64-v3", "--iree-stream-partitioning-favor="+favor)
		dev := device(t, 2)
		inv := invoker(t, load(t, dev, path, nil))
		a := view(t, dev, &tensor{hal.F32, []int{256, 256}, make([]byte, matrix)})
		n := view(t, dev, &tensor{hal.I32, []int{}, []byte{100, 0, 0, 0}})
		before, _, _ := dev.Memory()
		r, err := inv.Call(context.Background(), "run", []*hal.BufferView{a, n})
		if err != nil {
			t.Fatal(err)
		}
		r[0].Release()
		after, peak, _ := dev.Memory()
		if after != before || peak-before > 8*matrix {
			t.Errorf("%s: %d bytes in use after the call, %d before, %d at most", favor, after, before, peak)
		}
	}
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
