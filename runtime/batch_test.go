//go:build linux && amd64

package runtime_test

import (
	"bytes"
	"math"
	"path/filepath"
	"testing"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/build"
	hlocc "github.com/hlocc/hlocc/runtime"
)

// Compiled code of a ragged batch gives every slot what a session gives that
// sequence alone, at positions that differ and beside slots that are idle or pause;
// it updates the caches in place, and those of other slots not at all. Sessions
// work on a bundle with batches as on any.
func TestBatch(t *testing.T) {
	for _, fixture := range []string{"llama", "gemma2", "qwen2_moe", "minicpm3", "gpt_oss"} {
		t.Run(fixture, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "m.hlocc")
			r := buildTiny(t, fixture, path, build.PlanOptions{Context: 64, Buckets: []int{8}, Slots: []int{3}})
			if len(r.Unproven) != 1 || r.Unproven[0] != "decode_batch_3" {
				t.Errorf("unproven: %v", r.Unproven)
			}
			m, err := hlocc.Open(path, hlocc.Options{Threads: 2})
			if err != nil {
				t.Fatal(err)
			}
			defer m.Close()
			b, free, err := m.NewBatch("decode_batch_3")
			if err != nil {
				t.Fatal(err)
			}
			defer free()
			var singles []*hlocc.Session
			for range 2 {
				s, err := m.NewSession()
				if err != nil {
					t.Fatal(err)
				}
				singles = append(singles, s)
			}
			cases := [][]int32{tokens(3, 40), tokens(8, 25)}
			for step := range 40 {
				// Slot 1 begins later and pauses; slot 2 never has a token.
				ids, positions := []int32{9, 9, 9}, []int32{64, 64, 64}
				active := []bool{singles[0].Len() < len(cases[0]), step >= 5 && step != 11 && singles[1].Len() < len(cases[1])}
				for slot, s := range singles {
					if active[slot] {
						ids[slot], positions[slot] = cases[slot][s.Len()], int32(s.Len())
					}
				}
				next, logits, err := b.Step(bg, ids, positions)
				if err != nil {
					t.Fatal(err)
				}
				for slot, s := range singles {
					if !active[slot] {
						continue
					}
					want, err := s.Step(bg, ids[slot])
					if err != nil {
						t.Fatal(err)
					}
					worst := 0.0
					for i, x := range want.Logits {
						worst = math.Max(worst, math.Abs(float64(logits[slot][i])-float64(x)))
					}
					if !(worst < 2e-5) || next[slot] != want.Token {
						t.Fatalf("step %d, slot %d: token %d, alone %d; logits differ by %g", step, slot, next[slot], want.Token, worst)
					}
				}
			}
			for _, kv := range m.Manifest().Model.KV {
				checkIdleSlot(t, kv, b.Cache(kv.Role))
			}
		})
	}
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
