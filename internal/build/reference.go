package build

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"slices"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/decoder"
	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/pass"
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
	// archive reads a tensor of the bundle, of weights that are quantized: it costs much
	// to quantize them again. nil reads all from the checkpoint.
	archive func(name string) ([]byte, error)
	last    map[string]*tensorBuffer // tensors of the weight that was read last, as far as not asked for yet
	kv      map[string]interp.Tensor
	tokens  []int32
	opt     interp.Options

	expected int // tokens that the sequence will have at least
	extent   int // tokens that it was computed for
}

// maxKept bounds the parameters that a Reference keeps, in bytes: small models are
// read once. Of larger ones the first parameters are kept and the rest is read
// at every call, which is the best that can be done for reads in a fixed order.
const maxKept = 256 << 20

// RowMajor is the plan with every weight kept row-major: the same numbers from a
// simpler graph.
func (p *Plan) RowMajor() *Plan {
	q := *p
	weights := slices.Clone(p.Weights)
	for i := range weights {
		weights[i].Block = 0
	}
	q.setWeights(weights, p.Act)
	return &q
}

// exact is the plan, row-major, with activations that are not rounded.
func (p *Plan) exact() *Plan {
	q := p.RowMajor()
	q.setWeights(q.Weights, quantize.Exact)
	return q
}

// NewReference starts a sequence on the interpreter.
func NewReference(m *arch.Model, p *Plan) *Reference {
	r := &Reference{model: m, plan: p, graphs: map[string]*ir.Graph{}, params: map[string]interp.Tensor{}}
	r.Reset()
	return r
}

// Reset empties the sequence.
func (r *Reference) Reset() {
	r.kv, r.tokens, r.expected, r.extent = map[string]interp.Tensor{}, nil, 0, 0
}

// Expect says that the sequence will have at least n tokens, where that makes a
// difference to the earlier ones (see [decoder.Switch]): the rows of a prompt that
// is taken step by step are then those of the whole prompt.
func (r *Reference) Expect(n int) { r.expected = n }

// Step appends one token by the decode graph and returns the next token and its logits.
func (r *Reference) Step(ctx context.Context, token int32) (int32, []float32, error) {
	return r.append(ctx, r.plan.Decode(), []int32{token})
}

// Prefill appends up to a bucket of tokens by the prefill graph g.
func (r *Reference) Prefill(ctx context.Context, g GraphPlan, tokens []int32) (int32, []float32, error) {
	if len(tokens) == 0 || len(tokens) > g.Bucket {
		return 0, nil, fmt.Errorf("%d tokens for %s", len(tokens), g.ID)
	}
	return r.append(ctx, g, tokens)
}

// append runs the graph for new tokens, and for all tokens where the new ones make
// the caches useless.
func (r *Reference) append(ctx context.Context, g GraphPlan, tokens []int32) (int32, []float32, error) {
	all := append(slices.Clone(r.tokens), tokens...)
	if len(all) > r.plan.Context {
		return 0, nil, fmt.Errorf("%d tokens do not fit the context of %d", len(all), r.plan.Context)
	}
	from, extent := len(r.tokens), max(len(all), r.expected)
	if at := decoder.Switch(r.model.Spec, r.plan.Context); r.extent <= at && extent > at {
		from = 0
	}
	var next []int32
	var logits []float32
	for from < len(all) {
		to := min(from+max(g.Bucket, 1), len(all))
		inputs := map[string][]int32{
			decoder.RoleToken: all[from:to], decoder.RolePosition: {int32(from)}, decoder.RoleExtent: {int32(extent)},
			decoder.RoleStart: {int32(from)}, decoder.RoleLength: {int32(to - from)},
		}
		inputs[decoder.RoleTokens] = append(slices.Clone(all[from:to]), make([]int32, max(g.Bucket-(to-from), 0))...)
		var err error
		if next, logits, err = r.eval(ctx, g, inputs); err != nil {
			return 0, nil, err
		}
		from = to
	}
	r.tokens, r.extent = all, extent
	return next[0], logits, nil
}

// Batch appends a token to each slot of the decode graph g, at the given positions of
// sequences that have, or are to have, so many tokens (see Expect). The caches are
// those of slots, which no other method uses; nothing in them is computed again. The
// logits are [B,V].
func (r *Reference) Batch(ctx context.Context, g GraphPlan, tokens, positions, extents []int32) (next []int32, logits []float32, err error) {
	return r.eval(ctx, g, map[string][]int32{decoder.RoleToken: tokens, decoder.RolePosition: positions, decoder.RoleExtent: extents})
}

// eval runs a graph on the caches.
func (r *Reference) eval(ctx context.Context, g GraphPlan, inputs map[string][]int32) (next []int32, logits []float32, err error) {
	graph := r.graphs[g.ID]
	if graph == nil {
		if graph, err = lowered(r.model.Spec, r.plan, g, pass.Reference()); err != nil {
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
			t, err = interp.FromBytes(v.Type(), make([]byte, v.Type().Bytes()))
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
	var raw []byte
	var err error
	if r.archive != nil && r.plan.storage[key].Quantized() {
		raw, err = r.archive(key)
	} else {
		raw, err = r.stored(ctx, key)
	}
	if err != nil {
		return interp.Tensor{}, err
	}
	return interp.FromBytes(t, raw)
}

// stored is a tensor of the archive. A weight is quantized once for all its tensors, if
// they are asked for one after another.
func (r *Reference) stored(ctx context.Context, key string) ([]byte, error) {
	if raw, ok := r.last[key]; ok {
		delete(r.last, key)
		return raw.Bytes(), nil
	}
	s, ok := r.plan.storage[key]
	if !ok {
		return nil, fmt.Errorf("graph asks for parameter %q, which the plan does not have", key)
	}
	r.last = map[string]*tensorBuffer{}
	_, err := quantize.Write(ctx, r.model, s, r.plan.importance, func(name string) (io.WriteCloser, error) {
		r.last[name] = &tensorBuffer{}
		return r.last[name], nil
	})
	if err != nil {
		return nil, err
	}
	raw := r.last[key]
	delete(r.last, key)
	return raw.Bytes(), nil
}

// tensorBuffer is a tensor of the archive in memory.
type tensorBuffer struct{ bytes.Buffer }

func (*tensorBuffer) Close() error { return nil }
