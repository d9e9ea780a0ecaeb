// Package progress shows how far long work has come: named stages with totals
// in bytes or items, their rate and the time left.
//
// On a terminal one line is rewritten in place and every finished stage leaves a
// line behind. Elsewhere (a file, a CI log) plain lines appear: one when a stage
// ends, and one now and then while it runs.
//
// A nil *Reporter and a nil *Stage are silent and work, so packages take one
// without asking whether anybody watches.
package progress

import (
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// Unit says what a stage counts.
type Unit uint8

// The units of a stage.
const (
	Items Unit = iota // files, graphs, tensors
	Bytes             // shown as MB, of a million bytes
)

const (
	redraw = 100 * time.Millisecond // of the line on a terminal, at most
	remind = 10 * time.Second       // between plain lines of a running stage
)

// Options say where the reporter writes; only tests set more than Width.
type Options struct {
	// Width is the number of columns of the terminal that the writer is, 0 if it
	// is none: then lines are plain.
	Width int
	// Now is the clock, time.Now if nil.
	Now func() time.Time
	// Tick makes the line of a terminal redraw while nothing else happens. Nil
	// means a ticker of the reporter's own.
	Tick <-chan time.Time
}

// Reporter shows the stages that run. It is safe for concurrent use.
type Reporter struct {
	mu     sync.Mutex
	w      io.Writer
	opt    Options
	stages []*Stage // running, in order of their start
	drawn  time.Time
	line   string // what stands on the terminal's line
	closed bool
	stop   chan struct{}
	done   sync.WaitGroup
}

// New makes a Reporter that writes to w. Close it.
func New(w io.Writer, opt Options) *Reporter {
	if opt.Now == nil {
		opt.Now = time.Now
	}
	r := &Reporter{w: w, opt: opt, stop: make(chan struct{})}
	if opt.Width > 0 {
		r.done.Go(r.tick)
	}
	return r
}

// tick keeps the line moving while a stage waits for something that does not
// report, such as a compiler.
func (r *Reporter) tick() {
	c := r.opt.Tick
	if c == nil {
		t := time.NewTicker(time.Second)
		defer t.Stop()
		c = t.C
	}
	for {
		select {
		case <-r.stop:
			return
		case <-c:
			r.mu.Lock()
			r.draw(true)
			r.mu.Unlock()
		}
	}
}

// Close clears the line and ends the reporter; stages still running say nothing
// more. It may be called twice.
func (r *Reporter) Close() {
	if r == nil {
		return
	}
	r.mu.Lock()
	first := !r.closed
	r.closed = true
	if first {
		r.show("")
		close(r.stop)
	}
	r.mu.Unlock()
	r.done.Wait()
}

// Stage starts a stage; total 0 means that it is not known.
func (r *Reporter) Stage(name string, total int64, unit Unit) *Stage {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.opt.Now()
	s := &Stage{r: r, name: name, total: total, unit: unit, start: now, said: now}
	r.stages = append(r.stages, s)
	r.draw(true)
	return s
}

// A Stage is one part of the work.
type Stage struct {
	r     *Reporter
	name  string
	total int64
	unit  Unit
	count int64
	start time.Time
	said  time.Time // last plain line
	ended bool
}

// Add says that n more bytes or items are done.
func (s *Stage) Add(n int64) {
	if s == nil {
		return
	}
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	s.count += n
	if s.r.opt.Width > 0 {
		s.r.draw(false)
		return
	}
	if now := s.r.opt.Now(); now.Sub(s.said) >= remind && !s.ended {
		s.said = now
		s.r.print(s.running(now))
	}
}

// Write counts bytes that pass by, so that a stage can stand in an io.TeeReader
// or io.MultiWriter.
func (s *Stage) Write(b []byte) (int, error) {
	s.Add(int64(len(b)))
	return len(b), nil
}

// Done ends the stage and leaves a line about it. Detail, if not "", is added to
// the line. A second call does nothing.
func (s *Stage) Done(detail string) {
	if s == nil {
		return
	}
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if s.remove() {
		s.r.print(s.finished(s.r.opt.Now(), detail))
	}
}

// Abandon ends the stage without a line: it failed, and the error will say more.
// After Done it does nothing, so it can be deferred.
func (s *Stage) Abandon() {
	if s == nil {
		return
	}
	s.r.mu.Lock()
	defer s.r.mu.Unlock()
	if s.remove() {
		s.r.draw(true)
	}
}

func (s *Stage) remove() bool {
	if s.ended {
		return false
	}
	s.ended = true
	for i, x := range s.r.stages {
		if x == s {
			s.r.stages = append(s.r.stages[:i], s.r.stages[i+1:]...)
		}
	}
	return true
}

// print writes a line that stays, above the one that is rewritten.
func (r *Reporter) print(s string) {
	if r.closed {
		return
	}
	r.show("")
	fmt.Fprintln(r.w, s)
	r.draw(true)
}

// draw rewrites the terminal's line; not more often than redraw unless now.
func (r *Reporter) draw(now bool) {
	if r.closed || r.opt.Width == 0 {
		return
	}
	t := r.opt.Now()
	if !now && t.Sub(r.drawn) < redraw {
		return
	}
	r.drawn = t
	parts := make([]string, len(r.stages))
	for i, s := range r.stages {
		parts[i] = s.running(t)
	}
	r.show(strings.Join(parts, " | "))
}

// show makes s the terminal's line. It stays one column short of the width: a
// full line would wrap and could not be taken back.
func (r *Reporter) show(s string) {
	if r.opt.Width == 0 || s == r.line {
		return
	}
	if n := r.opt.Width - 1; utf8.RuneCountInString(s) > n {
		s = string([]rune(s)[:max(n, 0)])
	}
	fmt.Fprint(r.w, "\r\x1b[K", s) // erase to the end of the line
	r.line = s
}
