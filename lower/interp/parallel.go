package interp

import (
	"runtime"
	"sync"
)

// parallel calls f for ranges that make up [0, n), at least grain long but for the
// last, on several processors. No result depends on the split: f writes only what
// belongs to its range.
func parallel(n, grain int, f func(lo, hi int)) {
	parts := min(runtime.GOMAXPROCS(0), (n+grain-1)/grain)
	if parts <= 1 {
		f(0, n)
		return
	}
	var wg sync.WaitGroup
	for p := range parts {
		wg.Go(func() { f(n*p/parts, n*(p+1)/parts) })
	}
	wg.Wait()
}
