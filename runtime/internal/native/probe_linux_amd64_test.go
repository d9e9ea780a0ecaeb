package native

import "testing"

// A probe reads all of its memory, again and again, faster than any disk.
func TestProbe(t *testing.T) {
	for _, threads := range []int{1, 2} {
		p := pool(t, threads)
		r, err := NewProbe(p, 8<<20+1)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.mem) != 8<<20+probePiece {
			t.Errorf("%d bytes", len(r.mem))
		}
		for range 3 {
			if speed, err := r.Run(); err != nil || speed < 1e7 || speed > 1e13 {
				t.Errorf("%g bytes per second, %v", speed, err)
			}
		}
		r.Close()
		r.Close()
		if _, err := r.Run(); err == nil {
			t.Error("a closed probe runs")
		}
	}
}

// Profiled runs tell the dispatches apart, and others count nothing.
func TestTicks(t *testing.T) {
	spin := assemble(t, codeDispatchSpin)
	for _, threads := range []int{1, 2} {
		p := pool(t, threads)
		var b Batch
		short, long := newJob(t, [3]uint32{4, 1, 1}, []uint32{1e3}), newJob(t, [3]uint32{4, 1, 1}, []uint32{1e6})
		for _, j := range []*job{short, long, short} {
			add(t, &b, j.dispatch(spin))
			b.Barrier()
		}
		for _, profile := range []bool{false, true} {
			b.Profile = profile
			for !b.Idle() {
				pause()
			}
			if err := p.Run(&b, true, new(uint32)); err != nil {
				t.Fatal(err)
			}
			ticks := b.Ticks()
			if len(ticks) != 3 || profile != (ticks[1] > 1e5) || profile != (ticks[0] > 0) || ticks[1] < ticks[0] {
				t.Errorf("%d threads, profile %t: %v", threads, profile, ticks)
			}
		}
	}
}
