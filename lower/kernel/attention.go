package kernel

import (
	"fmt"
	"math"

	"github.com/hlocc/hlocc/lower/ir"
)

// Attention is grouped-query attention over the positions in use: what [ir.Attention] is,
// without the mask.
//
//	queries f32[T,Heads,D]
//	keys, values KV[Slots*Rows,KVHeads,D]
//	position i32[T]
//	sinks f32[Heads], with Sinks
//	-> f32[T,Heads*D]
//
// Row t sees rows slot*Rows + j of the caches for j in (position-Window, position], or from
// 0 without a Window; slot is t if there are several, 0 otherwise. Rows of the caches that no row
// sees are not read, as long as positions without slots are consecutive. A position outside
// 0..Context-1 counts as one inside, for a slot without a token as 0, which is cheap; what
// Reference gives for it is something else, and neither means anything.
//
// Sums are in float32. The softmax is a streaming one: the scores' largest value so far
// is subtracted, and what was summed before is scaled when it grows.
type Attention struct {
	T, Heads, KVHeads, D int
	Rows, Context, Slots int
	Scale                float64
	Window               int     // 0 for none
	Softcap              float64 // c*tanh(score/c), 0 for none
	Sinks                bool
	KV                   ir.DType // F32 or F16
}

// Name implements [ir.Kernel].
func (k Attention) Name() string {
	name := fmt.Sprintf("attention_%dx%dx%dx%d_rows%dx%d_context%d_%x", k.T, k.Heads, k.KVHeads, k.D, k.Slots, k.Rows, k.Context, math.Float64bits(k.Scale))
	if k.Window > 0 {
		name += fmt.Sprintf("_window%d", k.Window)
	}
	if k.Softcap != 0 {
		name += fmt.Sprintf("_cap%x", math.Float64bits(k.Softcap))
	}
	return name + flag(k.Sinks, "_sinks") + "_" + k.KV.String()
}

// Infer implements [ir.Kernel].
func (k Attention) Infer(args []ir.Type) ([]ir.Type, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	if err := wantTypes(args, k.operands()); err != nil {
		return nil, err
	}
	return []ir.Type{ir.T(ir.F32, k.T, k.Heads*k.D)}, nil
}

func (k Attention) check() error {
	switch {
	case k.T < 1 || k.KVHeads < 1 || k.Heads < 1 || k.Heads%k.KVHeads != 0 || k.D < 1,
		k.Context < 1 || k.Context > k.Rows || k.Slots < 1 || k.Slots > 1 && k.Slots != k.T,
		k.Window < 0 || k.Softcap < 0:
		return fmt.Errorf("%+v", k)
	}
	return checkCache(k.KV)
}

// Supports says why there is no text for an instruction set.
func (k Attention) Supports(isa ISA) error {
	if err := k.check(); err != nil {
		return err
	}
	if k.D%attentionLanes != 0 {
		return fmt.Errorf("heads of %d, must be a multiple of %d", k.D, attentionLanes)
	}
	if n := k.rowBytes(isa); n > stackBytes {
		return fmt.Errorf("the state of %d queries takes %d bytes of stack, of %d", k.Heads, n, stackBytes)
	}
	return supportsCache(k.KV, isa)
}

// attentionLanes is what the width of a head must be a multiple of: the widest vector.
const attentionLanes = 16

func (k Attention) operands() []binding {
	cache := ir.T(k.KV, k.Slots*k.Rows, k.KVHeads, k.D)
	list := []binding{{"queries", ir.T(ir.F32, k.T, k.Heads, k.D)}, {"keys", cache}, {"values", cache}, {"position", ir.T(ir.I32, k.T)}}
	if k.Sinks {
		list = append(list, binding{"sinks", ir.T(ir.F32, k.Heads)})
	}
	return list
}

// Ties implements [ir.Kernel].
func (Attention) Ties() []int { return nil }

// group is how many queries share a key.
func (k Attention) group() int { return k.Heads / k.KVHeads }

// converts reports whether caches have to be brought into float32.
func (k Attention) converts() bool { return k.KV != ir.F32 }

// masked is the score of a key that is not to be seen; e to its power is 0 in float32, or
// next to nothing.
const masked = -1e30

// Reference implements [ir.Kernel].
func (k Attention) Reference(b *ir.Builder, args []*ir.Value) []*ir.Value {
	var sinks *ir.Value
	if k.Sinks {
		sinks = args[4]
	}
	if k.Slots == 1 {
		return []*ir.Value{k.attend(b, args[0], args[1], args[2], args[3], sinks)}
	}
	rows := make([]*ir.Value, k.T)
	for t := range rows {
		slot := func(cache *ir.Value) *ir.Value { return b.SliceDim(cache, 0, t*k.Rows, (t+1)*k.Rows) }
		row := func(v *ir.Value) *ir.Value { return b.SliceDim(v, 0, t, t+1) }
		rows[t] = k.attend(b, row(args[0]), slot(args[1]), slot(args[2]), row(args[3]), sinks)
	}
	return []*ir.Value{b.Concat(0, rows...)}
}

// attend is the attention of some rows over one slot's caches.
func (k Attention) attend(b *ir.Builder, q, keys, values, position, sinks *ir.Value) *ir.Value {
	rows, kv, group := q.Type().Dim(0), k.KVHeads, k.group()
	visible := func(cache *ir.Value) *ir.Value { return b.Convert(b.SliceDim(cache, 0, 0, k.Context), ir.F32) }
	scores := b.Dot(b.Reshape(q, rows, kv, group, k.D), visible(keys), ir.DotGeneral{
		LHSBatch: []int{1}, RHSBatch: []int{1}, LHSContract: []int{3}, RHSContract: []int{2},
	}) // [kv,rows,group,context]
	shape := scores.Shape()
	scores = b.Mul(scores, b.SplatLike(scores, k.Scale))
	if k.Softcap != 0 {
		c := b.SplatLike(scores, k.Softcap)
		scores = b.Mul(b.Tanh(b.Div(scores, c)), c)
	}
	key := b.Iota(ir.T(ir.I32, rows, k.Context), 1)
	query := b.Broadcast(position, key.Shape(), 0)
	mask := b.Compare(ir.LE, key, query)
	if k.Window > 0 {
		mask = b.And(mask, b.Compare(ir.GT, key, b.Sub(query, b.SplatLike(query, float64(k.Window)))))
	}
	scores = b.Select(b.Broadcast(mask, shape, 1, 3), scores, b.SplatLike(scores, masked))

	top := b.Reduce(ir.ReduceMax, scores, 3)
	if sinks != nil {
		sinks = b.Broadcast(b.Reshape(sinks, kv, group), top.Shape(), 0, 2)
		top = b.Max(top, sinks)
	}
	e := b.Exp(b.Sub(scores, b.Broadcast(top, shape, 0, 1, 2)))
	sum := b.Reduce(ir.ReduceAdd, e, 3)
	if sinks != nil {
		sum = b.Add(sum, b.Exp(b.Sub(sinks, top)))
	}
	p := b.Div(e, b.Broadcast(sum, shape, 0, 1, 2))
	mixed := b.Dot(p, visible(values), ir.DotGeneral{
		LHSBatch: []int{0}, RHSBatch: []int{1}, LHSContract: []int{3}, RHSContract: []int{0},
	}) // [kv,rows,group,D]
	return b.Reshape(b.Transpose(mixed, 1, 0, 2, 3), rows, k.Heads*k.D)
}
