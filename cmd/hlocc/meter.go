package main

import (
	"sync"

	"github.com/hlocc/hlocc/internal/progress"
)

// meter turns calls with absolute numbers into a progress stage.
type meter struct {
	mu    sync.Mutex
	stage *progress.Stage
	done  int64
}

func (m *meter) update(r *progress.Reporter, name string, done, total int64, unit progress.Unit) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.stage == nil {
		m.stage = r.Stage(name, total, unit)
	}
	if done > m.done {
		m.stage.Add(done - m.done)
		m.done = done
	}
	if done == total {
		m.stage.Done("")
	}
}
