package runtime

import "slices"

// Costs of calls, in units of what one more token costs in a large prefill. A
// decode step is dominated by reading all the weights, which a prefill does once
// for all of its tokens, padded or not. Measured with SmolLM2-135M in bfloat16
// on x86-64-v4: a step takes 17 ms, a prefill of P tokens about (P + 8) * 7 ms.
const (
	stepCost = 3
	callCost = 8
)

// chunk is one call of a graph: a prefill of the given bucket with length real
// tokens, or, if bucket is 0, a decode step of one token.
type chunk struct{ bucket, length int }

// planPrefill divides n tokens into calls so that their cost is least. buckets
// are the available prefill sizes, ascending; decode says whether decode steps
// may be used. One of them must be. The plan depends on nothing else, so equal
// prompts take equal paths. Chunks come largest first; only the last prefill
// is padded, and steps come after it.
func planPrefill(n int, buckets []int, decode bool) []chunk {
	var plan []chunk
	if len(buckets) > 0 {
		// Far from the end nothing beats the largest bucket, if it is worth more
		// than the steps it replaces; this bounds the table below.
		largest := buckets[len(buckets)-1]
		for n >= 8*largest && (!decode || largest+callCost < largest*stepCost) {
			plan = append(plan, chunk{largest, largest})
			n -= largest
		}
	}
	return append(plan, planTail(n, buckets, decode)...)
}

// planTail solves the rest exactly: best[i] is the least cost of i tokens.
func planTail(n int, buckets []int, decode bool) []chunk {
	best := make([]int, n+1)
	pick := make([]int, n+1) // bucket of the first call, 0 for a step
	for i := 1; i <= n; i++ {
		best[i] = -1
		if decode {
			best[i], pick[i] = best[i-1]+stepCost, 0
		}
		for _, b := range buckets {
			// Among equals the larger bucket wins: fewer calls.
			if c := best[max(0, i-b)] + callCost + b; best[i] < 0 || c <= best[i] {
				best[i], pick[i] = c, b
			}
		}
	}
	var calls []int
	for i := n; i > 0; {
		calls = append(calls, pick[i])
		i -= max(1, pick[i])
	}
	slices.SortFunc(calls, func(a, b int) int { return b - a })
	var plan []chunk
	for _, b := range calls {
		k := max(1, min(b, n))
		plan = append(plan, chunk{b, k})
		n -= k
	}
	return plan
}
