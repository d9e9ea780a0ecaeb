package runtime

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync"
	"unsafe"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
)

// executor is a set of graphs made ready to be called, one call at a time: those of
// one Session, or those that all slots of a Batch use in turns. The caches that they
// are called with belong to the sessions.
type executor struct {
	m    *Model
	what string // "session" or "batch", for errors

	mu     sync.Mutex // held during calls; Model.Close takes it
	closed bool
	broken error // set when the state of a cache is not known any more

	all      []*call
	decode   *call
	prefills map[int]*call // by bucket
}

// call is a graph made ready to be called: of its arguments only the caches change.
type call struct {
	graph    *bundle.Graph
	instance instance
	inputs   map[string]tensor // by role, all but the caches
	args     []tensor          // in the order of the compiled function
	// For each argument and each result the cache that it is, as an index of
	// Model.KV; -1 for what is no cache.
	kvArgs, kvResults []int
}

// prepareSequence makes the graphs of one sequence ready.
func (e *executor) prepareSequence() (err error) {
	e.prefills = map[int]*call{}
	for _, g := range e.m.prefills {
		if e.prefills[g.Bucket], err = e.prepare(g); err != nil {
			return err
		}
	}
	e.decode, err = e.prepare(e.m.decode)
	return err
}

// prepare makes a graph ready.
func (e *executor) prepare(g *bundle.Graph) (_ *call, err error) {
	c := &call{graph: g, inputs: map[string]tensor{}}
	e.all = append(e.all, c)
	for _, in := range g.Inputs {
		k := e.cache(in.Role)
		c.kvArgs = append(c.kvArgs, k)
		if k < 0 {
			if c.inputs[in.Role], err = e.m.device.tensor(in.DType, in.Shape); err != nil {
				return nil, err
			}
		}
		c.args = append(c.args, c.inputs[in.Role])
	}
	for _, r := range g.Results {
		c.kvResults = append(c.kvResults, e.cache(r.Role))
	}
	if c.instance, err = e.m.programs[g.ID].instance(context.Background()); err != nil {
		return nil, at(err, fmt.Sprintf("graph %q", g.ID))
	}
	return c, nil
}

// cache is the index of the cache with a role, -1 if it is another role.
func (e *executor) cache(role string) int {
	if i, ok := e.m.caches[role]; ok {
		return i
	}
	return -1
}

// put sets element i of an input; one that the graph does not have is passed over.
func (c *call) put(role string, i int, v int32) {
	if t := c.inputs[role]; t != nil {
		binary.LittleEndian.PutUint32(t.bytes()[4*i:], uint32(v))
	}
}

// begin locks e; there is nothing to unlock after an error.
func (e *executor) begin() error {
	e.mu.Lock()
	err := e.broken
	switch {
	case e.closed && e.m.closing.Load():
		err = e.m.errClosed("the model")
	case e.closed:
		err = e.m.errClosed("the " + e.what)
	}
	if err != nil {
		e.mu.Unlock()
	}
	return err
}

// call runs c on the given caches. Row i of its results is the output of rows[i];
// nil leaves a row out.
func (e *executor) call(ctx context.Context, c *call, kv []tensor, rows []*Session, outs []Output) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if e.m.closing.Load() {
		return e.m.errClosed("the model")
	}
	for i, k := range c.kvArgs {
		if k >= 0 {
			c.args[i] = kv[k]
		}
	}
	results, err := c.instance.call(ctx, c.graph.Function, c.args)
	if err != nil {
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return err
		}
		return e.m.graphError(c.graph, err)
	}
	if e.broken = e.read(c, kv, results, rows, outs); e.broken != nil {
		clear(outs)
		for _, t := range results {
			if !slices.ContainsFunc(c.args, t.same) {
				t.release()
			}
		}
		return e.broken
	}
	for i, t := range results {
		if c.kvResults[i] < 0 {
			t.release()
		}
	}
	return nil
}

// read takes the outputs from the results of a call.
func (e *executor) read(c *call, kv, results []tensor, rows []*Session, outs []Output) error {
	if len(results) != len(c.graph.Results) {
		return e.m.graphError(c.graph, fmt.Errorf("%d results, the manifest has %d", len(results), len(c.graph.Results)))
	}
	vocab := e.m.manifest.Model.VocabSize
	for i, r := range c.graph.Results {
		if k := c.kvResults[i]; k >= 0 {
			if !results[i].same(kv[k]) {
				return &diag.Error{Kind: diag.Failed, Code: "kv_not_in_place", File: e.m.path, Where: fmt.Sprintf("graph %q, result %q", c.graph.ID, r.Role),
					Message: "the compiled module did not update the KV cache in place", Fix: "build the bundle again; this " + e.what + " cannot be used any more"}
			}
			continue
		}
		b, row := results[i].bytes(), 4
		if r.Role == bundle.RoleLogits {
			row = 4 * vocab
		}
		if want := row * c.graph.Batch; len(b) != want {
			return e.m.graphError(c.graph, fmt.Errorf("result %q has %d bytes, want %d", r.Role, len(b), want))
		}
		for j, s := range rows {
			if s == nil {
				continue
			}
			if part := b[row*j:][:row]; r.Role == bundle.RoleLogits {
				// A copy: what a caller holds must not be memory that Close unmaps.
				copyFloats(s.logits, part)
				outs[j].Logits = s.logits
			} else if outs[j].Token = int32(binary.LittleEndian.Uint32(part)); outs[j].Token < 0 || int(outs[j].Token) >= vocab {
				return e.m.graphError(c.graph, fmt.Errorf("next token %d is outside the vocabulary", outs[j].Token))
			}
		}
	}
	return nil
}

// copyFloats copies floats in the machine's byte order, which wherever compiled code
// runs is the little-endian one.
func copyFloats(to []float32, from []byte) {
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(to))), 4*len(to)), from)
}

// shut closes the owner of e: a Session or a Batch.
func (e *executor) shut(owner interface{ free() error }) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return nil
	}
	e.closed = true
	// Freed before it leaves the list: Model.Close waits for those that it finds
	// there, and unmaps what instances use.
	err := owner.free()
	e.m.mu.Lock()
	delete(e.m.open, e)
	e.m.mu.Unlock()
	return err
}

// free releases what prepare has got so far.
func (e *executor) free() error {
	var errs []error
	for _, c := range e.all {
		if c.instance != nil {
			errs = append(errs, c.instance.close())
		}
		for _, t := range c.inputs {
			if t != nil {
				t.release()
			}
		}
	}
	e.all, e.decode, e.prefills = nil, nil, nil
	return errors.Join(errs...)
}

func (m *Model) badInput(code, message, want, found, fix string) error {
	return &diag.Error{Kind: diag.BadInput, Code: code, Message: message, Want: want, Found: found, Fix: fix}
}

// graphError reports a graph that failed although its arguments were right.
func (m *Model) graphError(g *bundle.Graph, err error) error {
	return &diag.Error{Kind: diag.Failed, Code: "graph", File: m.path, Where: fmt.Sprintf("graph %q of target %q", g.ID, m.target.Name),
		Message: "failed while running", Cause: err, Fix: "check the bundle with hlocc verify"}
}
