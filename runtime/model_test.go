package runtime

import (
	"context"
	"errors"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/internal/diag"
)

func TestPickTarget(t *testing.T) {
	level := func(name string) []string {
		l, ok := cpu.ByName(name)
		if !ok {
			t.Fatal(name)
		}
		return l.Features
	}
	target := func(name string) bundle.Target {
		return bundle.Target{Name: name, OS: "linux", Arch: "amd64", CPUFeatures: level(name), ABI: bundle.ABI{Bytecode: 17, HAL: 7, ExecutableLibrary: 6}, Compiler: bundle.Compiler{Version: "IREE 9.9"}}
	}
	change := func(name string, f func(*bundle.Target)) bundle.Target { t := target(name); f(&t); return t }
	v2, v3, v4 := target("x86-64-v2"), target("x86-64-v3"), target("x86-64-v4")
	arm := bundle.Target{Name: "arm64-v8", OS: "linux", Arch: "arm64", ABI: v2.ABI}
	host := func(name string) machine { return machine{"linux", "amd64", cpu.NewSet("amd64", level(name)...)} }
	for _, c := range []struct {
		name    string
		targets []bundle.Target
		machine machine
		want    string // asked for
		picked  string
		reason  string // part of it
		errs    []string
	}{
		{"best", []bundle.Target{v2, v4, v3, arm}, host("x86-64-v4"), "", "x86-64-v4", "uses the most of this CPU of x86-64-v2, x86-64-v4", nil},
		{"best that runs", []bundle.Target{v4, v2, v3}, host("x86-64-v3"), "", "x86-64-v3", "uses the most", nil},
		{"only", []bundle.Target{v3}, host("x86-64-v4"), "", "x86-64-v3", "the only one in the bundle", nil},
		{"only that runs", []bundle.Target{v4, v2}, host("x86-64-v3"), "", "x86-64-v2", "the only one of x86-64-v4, x86-64-v2 that this CPU can run", nil},
		{"asked for", []bundle.Target{v2, v3}, host("x86-64-v4"), "x86-64-v2", "x86-64-v2", "asked for", nil},
		{"asked for another", []bundle.Target{v2, v3}, host("x86-64-v4"), "x86-64-v4", "", "", []string{`no target "x86-64-v4"`, "x86-64-v2, x86-64-v3", "--target x86-64-v4"}},
		{"asked for too much", []bundle.Target{v2, v4}, host("x86-64-v3"), "x86-64-v4", "", "", []string{"lacks avx512f, avx512bw", "linux/amd64 x86-64-v3", "--target x86-64-v3"}},
		{"too much", []bundle.Target{v4}, host("x86-64-v3"), "", "", "", []string{`target "x86-64-v4"`, "lacks avx512f"}},
		{"all too much", []bundle.Target{v3, v4, arm}, host("x86-64-v2"), "", "", "", []string{"none of", "x86-64-v3, x86-64-v4, arm64-v8; this is linux/amd64 x86-64-v2", "--target x86-64-v2"}},
		{"none", nil, host("x86-64-v3"), "", "", "", []string{"no compiled modules", "--target x86-64-v3"}},
		{"platform", []bundle.Target{v2}, machine{"darwin", "arm64", cpu.NewSet("arm64")}, "", "", "", []string{"another platform", "want linux/amd64, found darwin/arm64"}},
		{"bytecode", []bundle.Target{change("x86-64-v2", func(t *bundle.Target) { t.ABI.Bytecode = 18 })}, host("x86-64-v2"), "", "", "", []string{"bytecode version", "want 17, found 18, from IREE 9.9"}},
		{"newer hal", []bundle.Target{change("x86-64-v2", func(t *bundle.Target) { t.ABI.HAL = 8 })}, host("x86-64-v2"), "", "", "", []string{"hal version"}},
		{"older hal", []bundle.Target{change("x86-64-v2", func(t *bundle.Target) { t.ABI.HAL = 6 })}, host("x86-64-v2"), "", "x86-64-v2", "", nil},
		{"library", []bundle.Target{change("x86-64-v2", func(t *bundle.Target) { t.ABI.ExecutableLibrary = 5 })}, host("x86-64-v2"), "", "", "", []string{"executable library version"}},
		{"unknown feature", []bundle.Target{change("x86-64-v2", func(t *bundle.Target) { t.CPUFeatures = append(t.CPUFeatures[:1:1], "warp") })}, host("x86-64-v4"), "", "", "", []string{"lacks warp"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, reason, err := pickTarget(&bundle.Manifest{Targets: c.targets}, c.machine, c.want)
			if c.errs != nil {
				if diag.KindOf(err) != diag.Unsupported {
					t.Fatalf("%v", err)
				}
				for _, s := range c.errs {
					if !strings.Contains(err.Error(), s) {
						t.Errorf("%v\nlacks %q", err, s)
					}
				}
				return
			}
			if err != nil || got.Name != c.picked || !strings.Contains(reason, c.reason) {
				t.Errorf("%v, %q, %v", got, reason, err)
			}
		})
	}
}

func TestOpenRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(m *bundle.Manifest)
		opts   Options
		fake   *fake
		want   string
	}{
		{"no decode", func(m *bundle.Manifest) { m.Targets[0].Modules = m.Targets[0].Modules[1:] }, Options{}, &fake{}, "no decode step"},
		{"target", func(m *bundle.Manifest) { m.Targets[0].CPUFeatures = []string{"avx512f"} }, Options{}, &fake{}, "lacks avx512f"},
		{"load", func(*bundle.Manifest) {}, Options{}, &fake{failLoad: "decode"}, `member "targets/x86-64-v3/decode.vmfb": cannot be loaded: cannot load`},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := toyManifest(4)
			c.change(m)
			r, err := bundle.Open(writeToy(t, m, nil))
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = r.Close() }()
			_, err = openReader(bg, r, c.opts, testMachine, c.fake.open)
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "toy.hlocc") {
				t.Errorf("%v", err)
			}
			c.fake.clean(t)
		})
	}
	if _, err := Open("none.hlocc", Options{}); diag.KindOf(err) != diag.BadInput {
		t.Errorf("%v", err)
	}
	for _, n := range []int{-1, MaxThreads + 1} {
		if _, err := Open("none.hlocc", Options{Threads: n}); diag.KindOf(err) != diag.Usage || !strings.Contains(err.Error(), "want 1 to 256") {
			t.Errorf("%d threads: %v", n, err)
		}
	}
}

func TestVerifyOption(t *testing.T) {
	path := writeToy(t, toyManifest(4), nil)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	b[4096] ^= 1
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	r, err := bundle.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = r.Close() }()
	f := &fake{}
	if _, err := openReader(bg, r, Options{Verify: true}, testMachine, f.open); diag.KindOf(err) != diag.Verification || !strings.Contains(err.Error(), `tensor "scale"`) {
		t.Errorf("%v", err)
	}
	f.clean(t)
	ctx, cancel := context.WithCancel(bg)
	cancel()
	if _, err := openReader(ctx, r, Options{Verify: true}, testMachine, f.open); !errors.Is(err, context.Canceled) {
		t.Errorf("%v", err)
	}
}

func TestNewSessionFailsCleanly(t *testing.T) {
	for n := int64(1); n < 8; n++ {
		f := &fake{failTensors: n}
		m := openToy(t, f, Options{}, 4, 8)
		s, err := m.NewSession()
		if n < 8 && err == nil {
			t.Errorf("with %d tensors: no error", n)
			_ = s.Close()
		}
		if f.tensors.Load() != 0 || f.instances.Load() != 0 {
			t.Errorf("with %d tensors: %d tensors, %d instances left", n, f.tensors.Load(), f.instances.Load())
		}
	}
	f := &fake{failInstance: "prefill_8"}
	m := openToy(t, f, Options{}, 4, 8)
	if _, err := m.NewSession(); err == nil || !strings.Contains(err.Error(), `graph "prefill_8"`) {
		t.Errorf("%v", err)
	}
	if f.tensors.Load() != 0 || f.instances.Load() != 0 {
		t.Errorf("%d tensors, %d instances left", f.tensors.Load(), f.instances.Load())
	}
}

func TestCapabilities(t *testing.T) {
	m := openToy(t, &fake{batches: []int{3, 2}}, Options{}, 16, 4)
	got := m.Capabilities()
	want := Capabilities{Target: Target{"x86-64-v3", "the only one in the bundle"}, Threads: 1, VocabSize: toyVocab, Context: toyContext,
		BOS: []int32{1}, EOS: []int32{3, 4}, Buckets: []int{4, 16}, Batches: []int{2, 3}, WeightBytes: 12, SessionBytes: 2 * 4 * 64}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got  %+v\nwant %+v", got, want)
	}
	if _, err := m.Tokenizer(); diag.KindOf(err) != diag.Unsupported || !strings.Contains(err.Error(), "--tokens") {
		t.Errorf("%v", err)
	}
}
