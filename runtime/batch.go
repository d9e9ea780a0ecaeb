package runtime

import (
	"context"
	"fmt"
	"slices"

	"github.com/hlocc/hlocc/bundle"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/runtime/internal/hal"
)

// Idle stands for no token in the arguments of Batch.Step.
const Idle int32 = -1

// Batch is a fixed number of slots, each with a sequence of its own, that advance
// together: one Step reads the weights once for all of them, which makes it far
// cheaper than a step of each. Sequences may have any lengths, and come and go at any
// time.
//
//	batch, err := model.NewBatch(8)
//	out, err := batch.Slot(3).Prefill(ctx, prompt) // any slot, at any time
//	tokens := []int32{hlocc.Idle, ...}
//	tokens[3] = out.Token
//	outs, err := batch.Step(ctx, tokens)           // outs[3] is the next
//	batch.Slot(3).Reset()                          // free for another sequence
//
// A Batch and its slots are for one goroutine at a time; batches and sessions of a
// model are independent.
type Batch struct {
	*executor
	step  *call
	slots []*Session
	kv    []tensor // of all slots

	rows []*Session
	outs []Output
}

// NewBatch makes a batch of size slots, with the smallest of the compiled batches
// (Capabilities.Batches) that has so many. A step costs what one of the compiled
// batch costs, whatever the size and however many slots are idle.
func (m *Model) NewBatch(size int) (*Batch, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.closed {
		return nil, m.errClosed("the model")
	}
	g, err := m.pickBatch(size)
	if err != nil {
		return nil, err
	}
	b := &Batch{executor: &executor{m: m, what: "batch"}}
	if err := b.init(g, size); err != nil {
		_ = b.free()
		return nil, m.inFile(err)
	}
	m.open[b.executor] = b
	return b, nil
}

// pickBatch finds the graph for a batch and loads its module.
func (m *Model) pickBatch(size int) (*bundle.Graph, error) {
	i := slices.IndexFunc(m.batches, func(g *bundle.Graph) bool { return g.Batch >= size })
	if i < 0 || size < 1 {
		e := &diag.Error{Kind: diag.Unsupported, Code: "no_batch", File: m.path, Message: fmt.Sprintf("a batch of %d sequences was not compiled", size),
			Want: "no batches: it has none", Fix: fmt.Sprintf("build the bundle with --slots %d", max(size, 2))}
		if n := len(m.batches); n > 0 {
			e.Want = fmt.Sprintf("1 to %d", m.batches[n-1].Batch)
		}
		return nil, e
	}
	g := m.batches[i]
	for _, kv := range m.manifest.Model.KV {
		if kv.Bytes()%hal.Alignment != 0 {
			return nil, &diag.Error{Kind: diag.Unsupported, Code: "batch_alignment", File: m.path, Where: kv.Role,
				Message: "the caches of a batch's slots cannot be used one by one", Want: fmt.Sprintf("a multiple of %d bytes for each", hal.Alignment),
				Found: fmt.Sprintf("%d bytes", kv.Bytes()), Fix: "build the bundle again"}
		}
	}
	if m.programs[g.ID] == nil {
		p, err := m.loadGraph(g)
		if err != nil {
			return nil, m.inFile(err)
		}
		m.programs[g.ID] = p
	}
	return g, nil
}

// init allocates the caches of all slots that g has, and makes graphs ready.
func (b *Batch) init(g *bundle.Graph, size int) (err error) {
	b.rows, b.outs = make([]*Session, size), make([]Output, size)
	for range size {
		b.slots = append(b.slots, sessionOf(b.executor, true))
	}
	d := b.m.device
	for _, kv := range b.m.manifest.Model.KV {
		all, err := d.tensor(kv.DType, append([]int{g.Batch}, kv.Shape...))
		if err != nil {
			return err
		}
		b.kv = append(b.kv, all)
		for i, s := range b.slots {
			part, err := d.part(all, int64(i)*kv.Bytes(), kv.DType, kv.Shape)
			if err != nil {
				return err
			}
			s.kv = append(s.kv, part)
		}
	}
	if err := b.prepareSequence(); err != nil {
		return err
	}
	if b.step, err = b.prepare(g); err != nil {
		return err
	}
	for i := range g.Batch {
		b.idle(i)
	}
	return nil
}

// idle gives slot i of the graph any token at the position behind the context.
func (b *Batch) idle(i int) {
	b.step.put(bundle.RoleToken, i, 0)
	b.step.put(bundle.RolePosition, i, int32(b.m.manifest.Model.Context))
	b.step.put(bundle.RoleExtent, i, 1)
}

// Size is the number of slots.
func (b *Batch) Size() int { return len(b.slots) }

// Slot is the sequence of slot i, 0 <= i < Size, for as long as the batch is open. All
// that a Session does works on it: a Prefill of a prompt, a Step of this sequence
// alone, and Reset to make room for another. Its Close only resets it.
func (b *Batch) Slot(i int) *Session { return b.slots[i] }

// Step appends tokens[i] to the sequence of slot i, for every slot at once; a slot whose
// token is Idle is left as it is. outs[i] is the output of slot i, empty for idle ones;
// outs is valid until the next Step, its logits until the next call of their slot.
//
// What a slot gives depends on its own sequence only, not on which slots are idle.
// Its logits are those of a Session within the rounding of sums in another order.
//
// Errors are those of Session.Step, and that all slots are idle; the error names the slot.
// After an error no slot has changed.
func (b *Batch) Step(ctx context.Context, tokens []int32) (outs []Output, err error) {
	if err := b.begin(); err != nil {
		return nil, err
	}
	defer b.mu.Unlock()
	if err := b.check(tokens); err != nil {
		return nil, err
	}
	for i, s := range b.slots {
		if b.rows[i] = nil; tokens[i] == Idle {
			b.idle(i)
			continue
		}
		if err := s.catchUp(ctx, tokens[i]); err != nil {
			return nil, err
		}
		b.rows[i] = s
		b.step.put(bundle.RoleToken, i, tokens[i])
		b.step.put(bundle.RolePosition, i, int32(s.length))
		b.step.put(bundle.RoleExtent, i, s.extent(s.length+1))
	}
	clear(b.outs)
	if err := b.call(ctx, b.step, b.kv, b.rows, b.outs); err != nil {
		return nil, err
	}
	for _, s := range b.rows {
		if s != nil {
			s.length++
			s.cached = s.length
		}
	}
	return b.outs, nil
}

// check says whether tokens can be appended.
func (b *Batch) check(tokens []int32) error {
	if len(tokens) != len(b.slots) {
		return b.m.badInput("batch_size", "a step of a batch takes one token for each slot", fmt.Sprint(len(b.slots)), fmt.Sprint(len(tokens)), "give Idle for slots without a token")
	}
	busy := false
	for i, t := range tokens {
		if t == Idle {
			continue
		}
		busy = true
		if err := b.slots[i].check(tokens[i : i+1]); err != nil {
			return at(err, fmt.Sprintf("slot %d", i))
		}
	}
	if !busy {
		return b.m.badInput("empty_step", "all slots are idle", "", "", "give at least one slot a token")
	}
	return nil
}

// catchUp computes the cache of the tokens before token again if token makes the
// sequence one that is computed in another way.
func (s *Session) catchUp(ctx context.Context, token int32) error {
	past := s.m.manifest.Model.RecomputePast
	if past == 0 {
		return nil
	}
	first := s.follow(s.length, []int32{token}, past)
	if first == s.length {
		return nil
	}
	_, err := s.compute(ctx, s.tokens[first:s.length], s.plan(s.length-first), first, s.length+1)
	return err
}

// Close gives the batch's memory back. It waits for a call that is running in another
// goroutine. A second Close does nothing.
func (b *Batch) Close() error { return b.shut(b) }

// free releases what init has got so far.
func (b *Batch) free() error {
	for _, t := range b.kv {
		t.release()
	}
	b.kv = nil
	for _, s := range b.slots {
		s.kv = nil
	}
	return b.executor.free()
}
