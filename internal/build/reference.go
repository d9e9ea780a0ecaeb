package build

import (
	"bytes"
	"context"
	"fmt"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/quantize"
)

// Reference runs a model on the IR interpreter, straight from the checkpoint:
// the oracle that compiled graphs are held against. Slow, and for one goroutine.
type Reference struct {
	model  *arch.Model
	plan   *Plan
	graphs map[string]*ir.Graph
	params map[string]interp.Tensor // those that are kept, see param
	kept   int                      // their bytes
	kv     map[string]interp.Tensor
	length int
	opt    interp.Options
}

// maxKept bounds the parameters that a Reference keeps, in bytes: small models are
// read once. Of larger ones the first parameters are kept and the rest is read
// at every call, which is the best that can be done for reads in a fixed order.
const maxKept = 256 << 20

// RowMajor is the plan with every weight kept row-major: the same numbers from a
// simpler graph.
func (p *Plan) RowMajor() *Plan {
	q := *p
	q.Weights = append([]quantize.Storage{}, p.Weights...)
	q.storage = map[string]quantize.Storage{}
	for i := range q.Weights {
		q.Weights[i].Block = 0
		q.storage[q.Weights[i].Weight] = q.Weights[i]
	}
	return &q
}

// NewReference starts a sequence on the interpreter.
func NewReference(m *arch.Model, p *Plan) *Reference {
	r := &Reference{model: m, plan: p, graphs: map[string]*ir.Graph{}, params: map[string]interp.Tensor{}}
	r.Reset()
	return r
}

// Reset empties the sequence.
func (r *Reference) Reset() { r.kv, r.length = map[string]interp.Tensor{}, 0 }

// Step appends one token by the decode graph and returns the next token and its logits.
func (r *Reference) Step(ctx context.Context, token int32) (int32, []float32, error) {
	return r.call(ctx, r.plan.Decode(), 1, map[string][]int32{
		decoder.RoleToken: {token}, decoder.RolePosition: {int32(r.length)},
	})
}

// Prefill appends up to a bucket of tokens by the prefill graph g.
func (r *Reference) Prefill(ctx context.Context, g GraphPlan, tokens []int32) (int32, []float32, error) {
	if len(tokens) == 0 || len(tokens) > g.Bucket {
		return 0, nil, fmt.Errorf("%d tokens for %s", len(tokens), g.ID)
	}
	padded := make([]int32, g.Bucket)
	copy(padded, tokens)
	return r.call(ctx, g, len(tokens), map[string][]int32{
		decoder.RoleTokens: padded, decoder.RoleStart: {int32(r.length)}, decoder.RoleLength: {int32(len(tokens))},
	})
}

func (r *Reference) call(ctx context.Context, g GraphPlan, n int, inputs map[string][]int32) (int32, []float32, error) {
	if r.length+n > r.plan.Context {
		return 0, nil, fmt.Errorf("%d tokens do not fit the context of %d", r.length+n, r.plan.Context)
	}
	next, logits, err := r.eval(ctx, g, inputs)
	if err != nil {
		return 0, nil, err
	}
	r.length += n
	return next[0], logits, nil
}

// Batch appends a token to each slot of the decode graph g, at the given positions.
// The caches are those of slots, which no other method uses; the logits are [B,V].
func (r *Reference) Batch(ctx context.Context, g GraphPlan, tokens, positions []int32) (next []int32, logits []float32, err error) {
	return r.eval(ctx, g, map[string][]int32{decoder.RoleToken: tokens, decoder.RolePosition: positions})
}

// eval runs a graph on the caches.
func (r *Reference) eval(ctx context.Context, g GraphPlan, inputs map[string][]int32) (next []int32, logits []float32, err error) {
	graph := r.graphs[g.ID]
	if graph == nil {
		if graph, err = Graph(r.model.Spec, r.plan, g); err != nil {
			return nil, nil, err
		}
		r.graphs[g.ID] = graph
	}
	var args []interp.Tensor
	for _, v := range graph.Args() {
		role := v.Op().(ir.Argument).Role
		t, ok := r.kv[role]
		if ids := inputs[role]; ids != nil {
			t, err = interp.Int32s(ids, v.Type().Shape()...)
		} else if !ok {
			t, err = interp.Float32s(make([]float32, v.Type().Elems()), v.Type().Shape()...)
		}
		if err != nil {
			return nil, nil, err
		}
		args = append(args, t)
	}
	opt := r.opt
	opt.Param = func(key string, t ir.Type) (interp.Tensor, error) {
		if p, ok := r.params[key]; ok {
			return p, nil
		}
		p, err := r.param(ctx, key, t)
		if err == nil && r.kept+t.Bytes() <= maxKept {
			r.params[key] = p
			r.kept += t.Bytes()
		}
		return p, err
	}
	out, err := interp.Eval(ctx, graph, args, opt)
	if err != nil {
		return nil, nil, fmt.Errorf("interpret %s: %w", g.ID, err)
	}
	for i, result := range graph.Results() {
		switch result.Role {
		case decoder.RoleNextID:
			next = out[i].Int32s()
		case decoder.RoleLogits:
			logits = out[i].Float32s()
		default:
			r.kv[result.Role] = out[i]
		}
	}
	return next, logits, nil
}

// param reads a parameter as the archive would hold it.
func (r *Reference) param(ctx context.Context, key string, t ir.Type) (interp.Tensor, error) {
	for _, table := range tables(r.model.Spec, r.plan.Context) {
		if table.Name == key {
			return interp.Float32s(table.values(), table.Shape...)
		}
	}
	s, ok := r.plan.storage[key]
	if !ok {
		return interp.Tensor{}, fmt.Errorf("graph asks for parameter %q, which the plan does not have", key)
	}
	var raw bytes.Buffer
	raw.Grow(int(s.Bytes()))
	if err := quantize.Write(ctx, r.model, s, &raw); err != nil {
		return interp.Tensor{}, err
	}
	return interp.FromBytes(t, raw.Bytes())
}
