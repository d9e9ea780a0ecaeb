//go:build linux && amd64

package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	goruntime "runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
	hlocc "github.com/hlocc/hlocc/runtime"
)

var bg = context.Background()

func open(t testing.TB, o hlocc.Options) (*hlocc.Model, *hlocc.Session) {
	t.Helper()
	m, err := hlocc.Open(tinyBundle(), o)
	if err != nil {
		t.Fatal(err)
	}
	s, err := m.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := errors.Join(s.Close(), m.Close()); err != nil {
			t.Error(err)
		}
	})
	return m, s
}

// tokens is a prompt of n tokens that depends on seed.
func tokens(seed, n int) []int32 {
	p := make([]int32, n)
	for i := range p {
		p[i] = int32((i*37 + seed*11 + 5) % 256)
	}
	return p
}

// TestAllWaysAgree: prefill by graphs, in pieces and by steps give the same
// logits, and so does a session that was used before, and one whose weights are
// a copy.
func TestAllWaysAgree(t *testing.T) {
	_, graphs := open(t, hlocc.Options{Threads: 1, PrefillGraphsOnly: true})
	_, mixed := open(t, hlocc.Options{Threads: 2, CopyWeights: true})
	for _, n := range []int{1, 2, 7, 8, 9, 31, 33, 40, 64} {
		p := tokens(n, n)
		var rows [][]float32
		for _, way := range []func() (hlocc.Output, error){
			func() (hlocc.Output, error) { return graphs.Prefill(bg, p) },
			func() (hlocc.Output, error) { return mixed.Prefill(bg, p) },
			func() (out hlocc.Output, err error) {
				for _, id := range p {
					if out, err = mixed.Step(bg, id); err != nil {
						break
					}
				}
				return out, err
			},
			func() (out hlocc.Output, err error) {
				for piece := range slices.Chunk(p, 5) {
					if out, err = graphs.Prefill(bg, piece); err != nil {
						break
					}
				}
				return out, err
			},
		} {
			graphs.Reset()
			mixed.Reset()
			out, err := way()
			if err != nil {
				t.Fatal(err)
			}
			rows = append(rows, slices.Clone(out.Logits))
		}
		for w, row := range rows[1:] {
			for i := range row {
				if d := row[i] - rows[0][i]; d > 1e-4 || d < -1e-4 {
					t.Fatalf("%d tokens, way %d: logit %d is %v, want %v", n, w+1, i, row[i], rows[0][i])
				}
			}
		}
	}
}

// TestSessionsShareAModel runs sessions at the same time, some of them
// cancelled at random points, and wants each to give what it gives alone.
func TestSessionsShareAModel(t *testing.T) {
	m, alone := open(t, hlocc.Options{Threads: 2})
	opts := hlocc.GenerateOptions{MaxNewTokens: 40, IgnoreEOS: true}
	var want [6][]int32
	for i := range want {
		alone.Reset()
		g, err := alone.Generate(bg, tokens(i, 3+4*i), opts)
		if err != nil {
			t.Fatal(err)
		}
		want[i] = g.Tokens
	}
	var wg sync.WaitGroup
	for i := range want {
		wg.Go(func() {
			for round := range 10 {
				s, err := m.NewSession()
				if err != nil {
					t.Error(err)
					return
				}
				ctx, cancel := context.WithTimeout(bg, time.Duration(round*(i+1))*20*time.Microsecond)
				g, err := s.Generate(ctx, tokens(i, 3+4*i), opts)
				cancel()
				if err != nil && (!errors.Is(err, context.DeadlineExceeded) || g.Stop != hlocc.StopCancel || !slices.Equal(g.Tokens, want[i][:len(g.Tokens)])) {
					t.Errorf("cancelled: %+v, %v", g, err)
				}
				s.Reset()
				if g, err = s.Generate(bg, tokens(i, 3+4*i), opts); err != nil || !slices.Equal(g.Tokens, want[i]) {
					t.Errorf("%v, %v, want %v", g.Tokens, err, want[i])
				}
				if err := s.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

// TestCloseFreesEverything: no goroutine, mapping or memory stays behind.
func TestCloseFreesEverything(t *testing.T) {
	use := func() {
		m, err := hlocc.Open(tinyBundle(), hlocc.Options{Threads: 3, Verify: true})
		if err != nil {
			t.Fatal(err)
		}
		for i := range 3 { // the sessions are left to the model
			s, err := m.NewSession()
			if err != nil {
				t.Fatal(err)
			}
			if _, err := s.Generate(bg, tokens(i, 20), hlocc.GenerateOptions{MaxNewTokens: 10}); err != nil {
				t.Fatal(err)
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	use()
	before, mapped := goruntime.NumGoroutine(), mappings(t)
	for range 10 {
		use()
	}
	deadline := time.Now().Add(5 * time.Second)
	for goruntime.NumGoroutine() > before && time.Now().Before(deadline) {
		time.Sleep(time.Millisecond)
	}
	if n := goruntime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
	// The Go heap may have grown by a few mappings; a leak would be hundreds.
	if n := mappings(t); n > mapped+20 {
		t.Errorf("%d mappings, %d before", n, mapped)
	}
}

// mappings counts the memory mappings of this process.
func mappings(t *testing.T) int {
	t.Helper()
	b, err := os.ReadFile("/proc/self/maps")
	if err != nil {
		t.Fatal(err)
	}
	return bytes.Count(b, []byte("\n"))
}

// TestDamagedBundles flips bytes all over a bundle: each is an error of Open or,
// in a weight, of Open with Verify, never a crash.
func TestDamagedBundles(t *testing.T) {
	good, err := os.ReadFile(tinyBundle())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bad.hlocc")
	for i := 0; i < len(good); i += 1 + len(good)/200 {
		bad := bytes.Clone(good)
		bad[i] ^= 0x20
		if err := os.WriteFile(path, bad, 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := hlocc.Open(path, hlocc.Options{Verify: true, Threads: 1})
		if err == nil {
			_ = m.Close()
			t.Fatalf("byte %d: opened", i)
		}
		if k := diag.KindOf(err); (k != diag.Verification && k != diag.BadInput) || !strings.Contains(err.Error(), path) {
			t.Errorf("byte %d: %v", i, err)
		}
		if err := os.WriteFile(path, good[:i], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := hlocc.Open(path, hlocc.Options{Threads: 1}); err == nil {
			t.Fatalf("truncated to %d: opened", i)
		}
	}
}

// BenchmarkLoad is Open to the first session ready, page cache warm.
func BenchmarkLoad(b *testing.B) {
	path := tinyBundle()
	for b.Loop() {
		m, err := hlocc.Open(path, hlocc.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := m.NewSession(); err != nil {
			b.Fatal(err)
		}
		if err := m.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
