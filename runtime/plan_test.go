package runtime

import (
	"fmt"
	"slices"
	"testing"
)

func TestPlanPrefill(t *testing.T) {
	all := []int{32, 128, 512}
	for _, c := range []struct {
		n       int
		buckets []int
		decode  bool
		want    string
	}{
		{1, all, true, "[{0 1}]"},
		{13, all, true, "[{0 1} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1}]"},
		{14, all, true, "[{32 14}]"},
		{1, all, false, "[{32 1}]"},
		{32, all, true, "[{32 32}]"},
		{33, all, true, "[{32 32} {0 1}]"},
		{33, all, false, "[{32 32} {32 1}]"},
		{46, all, true, "[{32 32} {32 14}]"},
		{100, all, true, "[{32 32} {32 32} {32 32} {0 1} {0 1} {0 1} {0 1}]"},
		{120, all, true, "[{128 120}]"},
		{128, all, true, "[{128 128}]"},
		{130, all, true, "[{128 128} {0 1} {0 1}]"},
		{512, all, true, "[{512 512}]"},
		{500, all, true, "[{512 500}]"},
		{1030, all, true, "[{512 512} {512 512} {0 1} {0 1} {0 1} {0 1} {0 1} {0 1}]"},
		{5000, all, false, "[{512 512} {512 512} {512 512} {512 512} {512 512} {512 512} {512 512} {512 512} {512 512} {128 128} {128 128} {128 128} {32 8}]"},
		{3, nil, true, "[{0 1} {0 1} {0 1}]"},
		{9, []int{4}, false, "[{4 4} {4 4} {4 1}]"},
		{3, []int{1}, true, "[{0 1} {0 1} {0 1}]"},
	} {
		if got := fmt.Sprint(planPrefill(c.n, c.buckets, c.decode)); got != c.want {
			t.Errorf("%d tokens in %v, decode %v: got %s, want %s", c.n, c.buckets, c.decode, got, c.want)
		}
	}
}

// TestPlanIsComplete: every plan covers exactly n tokens, never pads anything
// but the last prefill, and costs no more than the plain ways.
func TestPlanIsComplete(t *testing.T) {
	for _, buckets := range [][]int{{4}, {1, 8}, {5, 7}, {32, 128, 512}} {
		for _, decode := range []bool{true, false} {
			for n := 1; n < 1500; n++ {
				plan := planPrefill(n, buckets, decode)
				sum, cost := 0, 0
				for i, c := range plan {
					sum += c.length
					cost += stepCost
					if c.bucket > 0 {
						cost += callCost + c.bucket - stepCost
					}
					switch {
					case c.length < 1, c.bucket == 0 && (c.length != 1 || !decode), c.bucket > 0 && c.length > c.bucket:
						t.Fatalf("%d in %v: %v", n, buckets, plan)
					case c.bucket > 0 && c.length < c.bucket && i != len(plan)-1:
						t.Fatalf("%d in %v: padding before the end: %v", n, buckets, plan)
					case i > 0 && c.bucket > plan[i-1].bucket:
						t.Fatalf("%d in %v: not largest first: %v", n, buckets, plan)
					}
				}
				if sum != n {
					t.Fatalf("%d in %v: covers %d: %v", n, buckets, sum, plan)
				}
				for _, b := range buckets {
					if c := (n + b - 1) / b * (b + callCost); cost > c {
						t.Fatalf("%d in %v: %v costs %d, %d alone costs %d", n, buckets, plan, cost, b, c)
					}
				}
				if decode && cost > n*stepCost {
					t.Fatalf("%d in %v: %v costs more than steps", n, buckets, plan)
				}
				if again := planPrefill(n, buckets, decode); !slices.Equal(plan, again) {
					t.Fatalf("%d in %v: two plans", n, buckets)
				}
			}
		}
	}
}
