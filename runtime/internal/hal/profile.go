package hal

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/hlocc/hlocc/runtime/internal/native"
)

// Profile collects how long dispatches take, by name. Of a dispatch that several threads
// share it is the time in which the calling thread got past it, its wait for the others
// included.
type Profile struct {
	mu    sync.Mutex
	times map[string]*DispatchTime
}

// DispatchTime is the time of all dispatches of one name.
type DispatchTime struct {
	Name  string
	Calls int64
	Time  time.Duration
}

// Take gives what was collected since the last Take, the longest first.
func (p *Profile) Take() []DispatchTime {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []DispatchTime
	for _, name := range slices.Sorted(maps.Keys(p.times)) {
		list = append(list, *p.times[name])
	}
	p.times = nil
	slices.SortStableFunc(list, func(a, b DispatchTime) int { return cmp.Compare(b.Time, a.Time) })
	return list
}

// add counts one call.
func (p *Profile) add(name string, t time.Duration) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.times == nil {
		p.times = map[string]*DispatchTime{}
	}
	e := p.times[name]
	if e == nil {
		e = &DispatchTime{Name: name}
		p.times[name] = e
	}
	e.Calls++
	e.Time += t
}

// runBatch runs b, whose dispatches are ops, and counts them. Ticks are turned into
// time by what the whole batch took.
func (p *Profile) runBatch(pool *native.Pool, b *native.Batch, parallel bool, cancel *uint32, ops []*op) error {
	b.Profile = true
	start := time.Now()
	err := pool.Run(b, parallel, cancel)
	wall := float64(time.Since(start))
	ticks := b.Ticks()
	var total uint64
	for _, t := range ticks {
		total += t
	}
	for i, o := range ops {
		if total > 0 {
			p.add(o.name(), time.Duration(wall*float64(ticks[i])/float64(total)))
		}
	}
	return err
}
