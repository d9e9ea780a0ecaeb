package progress

import (
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// fake is a clock that moves when told.
type fake struct{ t time.Time }

func (f *fake) now() time.Time { return f.t }
func (f *fake) wait(s float64) { f.t = f.t.Add(time.Duration(s * float64(time.Second))) }

func TestPlain(t *testing.T) {
	var out strings.Builder
	c := &fake{}
	r := New(&out, Options{Now: c.now})
	s := r.Stage("weights", 100e6, Bytes)
	c.wait(4)
	s.Add(20e6)
	c.wait(6)
	s.Add(30e6)
	g := r.Stage("compile", 3, Items)
	c.wait(1)
	g.Add(3)
	g.Done("2 from the cache")
	g.Done("again")
	s.Add(50e6)
	s.Done("")
	r.Stage("broken", 0, Items).Abandon()
	r.Close()
	want := `weights 50.0/100.0 MB 50% 5 MB/s 10s left
compile: 3 in 1.0s, 2 from the cache
weights: 100.0 MB in 11s (9 MB/s)
`
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestTerminal(t *testing.T) {
	var out strings.Builder
	c := &fake{}
	tick := make(chan time.Time)
	r := New(&out, Options{Now: c.now, Width: 40, Tick: tick})
	s := r.Stage("compile", 2, Items)
	c.wait(2)
	tick <- c.t
	for { // until it has been drawn
		r.mu.Lock()
		line := r.line
		r.mu.Unlock()
		if line != "compile 0/2" {
			break
		}
		time.Sleep(time.Millisecond)
	}
	w := r.Stage("weights", 0, Bytes)
	c.wait(0.05)
	w.Add(1e6) // too soon to draw
	c.wait(1)
	if _, err := io.Copy(w, strings.NewReader(strings.Repeat("x", 1e6))); err != nil {
		t.Fatal(err)
	}
	s.Add(1)
	s.Done("")
	w.Abandon()
	r.Close()
	r.Close()
	lines := strings.Split(out.String(), "\r\x1b[K")
	want := []string{
		"",
		"compile 0/2",
		"compile 0/2 2.0s",
		"compile 0/2 2.0s | weights",
		"compile 0/2 3.0s | weights 2.0 MB 2 MB/", // cut one column short of the width
		"compile: 1 in 3.0s\n",
		"weights 2.0 MB 2 MB/s 1.1s",
		"",
	}
	if strings.Join(lines, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%q\nwant\n%q", lines, want)
	}
}

func TestNilIsSilent(t *testing.T) {
	var r *Reporter
	s := r.Stage("x", 1, Items)
	s.Add(1)
	if n, err := s.Write([]byte("abc")); n != 3 || err != nil {
		t.Errorf("Write = %d, %v", n, err)
	}
	s.Done("")
	s.Abandon()
	r.Close()
}

func TestCloseStopsTheTicker(t *testing.T) {
	before := runtime.NumGoroutine()
	for range 50 {
		r := New(io.Discard, Options{Width: 80})
		r.Stage("x", 1, Items)
		r.Close()
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines, %d before", n, before)
	}
}

func TestConcurrent(t *testing.T) {
	var out strings.Builder
	r := New(&out, Options{Width: 80})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			s := r.Stage("part", 100, Items)
			for range 100 {
				s.Add(1)
			}
			s.Done("")
		})
	}
	wg.Wait()
	r.Close()
	if n := strings.Count(out.String(), "part: 100 in"); n != 4 {
		t.Errorf("%d stages finished, want 4", n)
	}
}

func TestDuration(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0.0s", 440 * time.Millisecond: "0.4s", 9949 * time.Millisecond: "9.9s", 9950 * time.Millisecond: "10s",
		59*time.Second + 600*time.Millisecond: "1m00s", 185 * time.Second: "3m05s", 3599*time.Second + 999*time.Millisecond: "1h00m",
		130 * time.Minute: "2h10m",
	} {
		if got := Duration(d); got != want {
			t.Errorf("Duration(%v) = %q, want %q", d, got, want)
		}
	}
}

func TestTerminalWidthOfAFile(t *testing.T) {
	f, err := os.CreateTemp(t.TempDir(), "")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n := TerminalWidth(f); n != 0 {
		t.Errorf("a file has %d columns", n)
	}
}
