//go:build linux && amd64

package runtime_test

import (
	"bytes"
	"context"
	"errors"
	"math"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/build"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// Compiled code of a ragged batch gives every slot what a session gives that
// sequence alone, at positions that differ and beside slots that are idle, pause, or
// come in by a prefill; it updates the caches in place, and those of other slots not at
// all.
func TestBatch(t *testing.T) {
	for _, fixture := range []string{"llama", "gemma2", "qwen2_moe", "minicpm3", "gpt_oss"} {
		t.Run(fixture, func(t *testing.T) {
			m := openBatched(t, fixture)
			b, err := m.NewBatch(3)
			if err != nil {
				t.Fatal(err)
			}
			var singles []*hlocc.Session
			for range 2 {
				s, err := m.NewSession()
				if err != nil {
					t.Fatal(err)
				}
				singles = append(singles, s)
			}
			cases := [][]int32{tokens(3, 40), tokens(8, 45)}
			for step := range 40 {
				// Slot 1 comes in late, with 11 tokens at once, pauses, and later begins
				// anew. Slot 2 never has a token.
				if step == 5 || step == 30 {
					b.Slot(1).Reset()
					singles[1].Reset()
					got, err := b.Slot(1).Prefill(bg, cases[1][:11])
					if err != nil {
						t.Fatal(err)
					}
					want, err := singles[1].Prefill(bg, cases[1][:11])
					if err != nil {
						t.Fatal(err)
					}
					if !slices.Equal(got.Logits, want.Logits) || got.Token != want.Token {
						t.Fatalf("step %d: prefill of a slot differs from that of a session", step)
					}
				}
				ids := []int32{hlocc.Idle, hlocc.Idle, hlocc.Idle}
				for slot, s := range singles {
					if slot == 0 || step >= 5 && step != 11 {
						ids[slot] = cases[slot][s.Len()]
					}
				}
				outs, err := b.Step(bg, ids)
				if err != nil {
					t.Fatal(err)
				}
				for slot, s := range singles {
					if ids[slot] == hlocc.Idle {
						continue
					}
					want, err := s.Step(bg, ids[slot])
					if err != nil {
						t.Fatal(err)
					}
					worst := 0.0
					for i, x := range want.Logits {
						worst = math.Max(worst, math.Abs(float64(outs[slot].Logits[i])-float64(x)))
					}
					if !(worst < 2e-5) || outs[slot].Token != want.Token {
						t.Fatalf("step %d, slot %d: token %d, alone %d; logits differ by %g", step, slot, outs[slot].Token, want.Token, worst)
					}
				}
			}
			for i, kv := range m.Manifest().Model.KV {
				checkIdleSlot(t, kv, b.Cache(i))
			}
		})
	}
}

func openBatched(t *testing.T, fixture string) *hlocc.Model {
	t.Helper()
	path := filepath.Join(t.TempDir(), "m.hlocc")
	buildTiny(t, fixture, path, build.PlanOptions{Context: 64, Buckets: []int{8}, Slots: []int{3}})
	m, err := hlocc.Open(path, hlocc.Options{Threads: 2})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// checkIdleSlot makes sure that slot 2 holds nothing but the row behind the context.
func checkIdleSlot(t *testing.T, kv bundle.KV, cache []byte) {
	t.Helper()
	slot := kv.Bytes()
	row := slot / int64(kv.Shape[0])
	idle := cache[2*slot:]
	if int64(len(idle)) != slot || len(bytes.Trim(idle[64*row:65*row], "\x00")) == 0 {
		t.Errorf("%s: %d bytes, or row 64 was not written", kv.Role, len(idle))
	}
	if n := len(bytes.Trim(idle[:64*row], "\x00")) + len(bytes.Trim(idle[65*row:], "\x00")); n != 0 {
		t.Errorf("%s: %d bytes of the idle slot were written", kv.Role, n)
	}
}

// TestBatchCancel cancels steps at random points: a step that was cut short leaves
// every slot as it was, and done again it gives the same.
func TestBatchCancel(t *testing.T) {
	m := openBatched(t, "llama")
	b, err := m.NewBatch(2) // of a compiled 3
	if err != nil {
		t.Fatal(err)
	}
	alone, err := m.NewSession()
	if err != nil {
		t.Fatal(err)
	}
	cut := 0
	for n := range 60 {
		ids := []int32{tokens(1, 64)[n], tokens(2, 64)[n]}
		ctx, cancel := context.WithTimeout(bg, time.Duration(n)*time.Microsecond)
		outs, err := b.Step(ctx, ids)
		cancel()
		if errors.Is(err, context.DeadlineExceeded) {
			cut++
			if b.Slot(0).Len() != n || b.Slot(1).Len() != n {
				t.Fatalf("step %d: lengths %d and %d after a cancel", n, b.Slot(0).Len(), b.Slot(1).Len())
			}
			outs, err = b.Step(bg, ids)
		}
		if err != nil {
			t.Fatal(err)
		}
		want, err := alone.Step(bg, ids[1])
		if err != nil || want.Token != outs[1].Token {
			t.Fatalf("step %d: token %d, alone %d, %v", n, outs[1].Token, want.Token, err)
		}
	}
	if cut == 0 {
		t.Error("nothing was cut short")
	}
}
