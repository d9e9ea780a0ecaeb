package compile

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/hlocc/hlocc/internal/diag"
)

// counting is an executor that answers with the text in capitals.
type counting struct {
	calls, running, most atomic.Int64
	delay                time.Duration
	fail                 string // texts that contain it fail
}

func (c *counting) Execute(ctx context.Context, job Job) (Output, error) {
	c.calls.Add(1)
	n := c.running.Add(1)
	defer c.running.Add(-1)
	for m := c.most.Load(); n > m && !c.most.CompareAndSwap(m, n); m = c.most.Load() {
	}
	select {
	case <-ctx.Done():
		return Output{}, ctx.Err()
	case <-time.After(c.delay):
	}
	if c.fail != "" && strings.Contains(string(job.Text), c.fail) {
		return Output{}, &Failure{ExitCode: 1, Stderr: []byte("<stdin>:1:1: error: no such op\n")}
	}
	return Output{Module: []byte(strings.ToUpper(string(job.Text)))}, nil
}

func pool(t *testing.T, c *Cache, e Executor, o Options) *Pool {
	t.Helper()
	o.Compiler, o.Cache, o.Executor = fakeCompiler, c, e
	return New(o)
}

func TestPoolCaches(t *testing.T) {
	e := &counting{}
	cache := openCache(t)
	p := pool(t, cache, e, Options{})
	for i := range 3 {
		m, err := p.Compile(t.Context(), action("text"))
		if err != nil {
			t.Fatal(err)
		}
		if string(m.Bytes) != "TEXT" || m.Cached != (i > 0) || m.Graph != "decode" || m.Target != "x86-64-v2" {
			t.Errorf("%d: %+v", i, m)
		}
	}
	if n := e.calls.Load(); n != 1 {
		t.Errorf("%d compilations", n)
	}
	// A damaged entry is compiled again.
	m, err := p.Compile(t.Context(), action("text"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(cache.entry(m.Key), 20); err != nil {
		t.Fatal(err)
	}
	if m, err = p.Compile(t.Context(), action("text")); err != nil || m.Cached || string(m.Bytes) != "TEXT" {
		t.Errorf("%+v, %v", m, err)
	}
}

// Two pools stand for two processes: their locks are on different open files.
func TestPoolsShareWork(t *testing.T) {
	e := &counting{delay: 50 * time.Millisecond}
	cache := openCache(t)
	var wg sync.WaitGroup
	for range 4 {
		p := pool(t, cache, e, Options{Jobs: 4})
		for i := range 3 {
			wg.Go(func() {
				text := fmt.Sprint("text ", i)
				m, err := p.Compile(t.Context(), action(text))
				if err != nil || string(m.Bytes) != strings.ToUpper(text) {
					t.Errorf("%+v, %v", m, err)
				}
			})
		}
	}
	wg.Wait()
	if n := e.calls.Load(); n != 3 {
		t.Errorf("%d compilations of 3 texts", n)
	}
}

func TestPoolBounds(t *testing.T) {
	var actions []Action
	for i := range 12 {
		actions = append(actions, action(fmt.Sprint("text ", i)))
	}
	tests := []struct {
		name string
		o    Options
		most int64
	}{
		{"jobs", Options{Jobs: 3}, 3},
		{"memory", Options{Jobs: 8, Memory: 2*estimate(actions[0].Text) + 1000}, 2},
		{"too large for the budget", Options{Jobs: 8, Memory: 1000}, 1},
	}
	for _, test := range tests {
		e := &counting{delay: 10 * time.Millisecond}
		done := 0
		modules, err := pool(t, openCache(t), e, test.o).CompileAll(t.Context(), actions, func(*Module) { done++ })
		if err != nil {
			t.Fatal(err)
		}
		if most := e.most.Load(); most > test.most || most == 0 {
			t.Errorf("%s: %d at once, want at most %d", test.name, most, test.most)
		}
		if done != len(actions) {
			t.Errorf("%s: %d done", test.name, done)
		}
		for i, m := range modules {
			if string(m.Bytes) != fmt.Sprint("TEXT ", i) {
				t.Errorf("%s: module %d is %q", test.name, i, m.Bytes)
			}
		}
	}
}

func TestPoolFailure(t *testing.T) {
	e := &counting{fail: "bad", delay: time.Millisecond}
	cache := openCache(t)
	p := pool(t, cache, e, Options{Jobs: 2})
	var actions []Action
	for i := range 50 {
		actions = append(actions, action(fmt.Sprint("text ", i)))
	}
	actions[1] = action("a bad text, which is long and therefore first")
	_, err := p.CompileAll(t.Context(), actions, nil)
	var d *diag.Error
	if !errors.As(err, &d) || d.Code != "compile_failed" || !strings.Contains(err.Error(), "no such op") {
		t.Fatal(err)
	}
	if n := e.calls.Load(); n > 10 {
		t.Errorf("%d compilations after a failure", n)
	}
	// The text and the output are there for the report that the message asks for.
	_, rest, ok := strings.Cut(d.Fix, "report it with ")
	path, _, ok2 := strings.Cut(rest, " and the .log")
	text, err := os.ReadFile(path)
	if !ok || !ok2 || err != nil || string(text) != string(actions[1].Text) {
		t.Errorf("%q: %v", d.Fix, err)
	}
	// A failure is not cached.
	before := e.calls.Load()
	if _, err := p.Compile(t.Context(), actions[1]); err == nil || e.calls.Load() != before+1 {
		t.Errorf("%v after %d calls", err, e.calls.Load()-before)
	}
}

func TestPoolCancel(t *testing.T) {
	cache := openCache(t)
	slow := &counting{delay: time.Hour}
	p := pool(t, cache, slow, Options{Jobs: 1})
	ctx, cancel := context.WithCancel(t.Context())
	var wg sync.WaitGroup
	for _, text := range []string{"computing", "computing", "waiting for a job"} {
		wg.Go(func() {
			if _, err := p.Compile(ctx, action(text)); diag.ExitCode(err) != 130 {
				t.Errorf("%s: %v", text, err)
			}
		})
	}
	for slow.running.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	cancel()
	wg.Wait()
	if left := children(cache.path("lock")); len(left) != 0 {
		t.Errorf("locks left: %v", left)
	}
	if _, err := pool(t, cache, &counting{}, Options{}).Compile(t.Context(), action("computing")); err != nil {
		t.Error(err)
	}
}
