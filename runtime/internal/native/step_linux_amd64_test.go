package native

import (
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"
)

// BenchmarkStep runs batches of the shape of a decode step: 250 dispatches that
// depend on each other. It reports the time of one, at best and in the median: what is
// beyond the workgroups' own time, divided between the threads, is overhead.
func BenchmarkStep(b *testing.B) {
	const phases = 250
	spin := assemble(b, codeDispatchSpin)
	for _, groups := range []uint32{1, 2, 8, 32} {
		for _, rounds := range []uint32{1, 1000, 10000} { // of the loop in a dispatch, all workgroups together
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("groups=%d/rounds=%d/threads=%d", groups, rounds, threads), func(b *testing.B) {
					p := pool(b, threads)
					var batch Batch
					j := newJob(b, [3]uint32{groups, 1, 1}, []uint32{max(1, rounds/groups)})
					for range phases {
						add(b, &batch, j.dispatch(spin))
						batch.Barrier()
					}
					var times []time.Duration
					for b.Loop() {
						for !batch.Idle() {
							runtime.Gosched()
						}
						start := time.Now()
						if err := p.Run(&batch, true, new(uint32)); err != nil {
							b.Fatal(err)
						}
						times = append(times, time.Since(start))
					}
					reportStep(b, times, phases)
				})
			}
		}
	}
}

func reportStep(b *testing.B, times []time.Duration, phases int) {
	slices.Sort(times)
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(times[0])/float64(phases), "ns/dispatch-best")
	b.ReportMetric(float64(times[len(times)/2])/float64(phases), "ns/dispatch")
}
