package pass

import (
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/kernel"
)

// placement is what [kernel.Place] stands for: queries, keys and values cut out of the
// rows of one linear, normalized and rotated, and the two updates of the caches.
type placement struct {
	kernel               kernel.Place
	queries, keys, value *ir.Value   // what attention reads, in the graph that is rewritten
	operands             []*ir.Value // of the kernel, in that graph
	values               []*ir.Value // results of the kernel in the copy, once it is called
}

// scatters says that v is one of the updates of the caches.
func (p *placement) scatters(v *ir.Value) bool { return v == p.keys || v == p.value }

// result calls the kernel at the first of the updates.
func (p *placement) result(b *ir.Builder, v *ir.Value, copied func(*ir.Value) *ir.Value) *ir.Value {
	if p.values == nil {
		operands := make([]*ir.Value, len(p.operands))
		for i, o := range p.operands {
			operands[i] = copied(o)
			if i >= len(operands)-p.weights() {
				operands[i] = b.Convert(operands[i], ir.F32)
			}
		}
		p.values = b.Dispatch(p.kernel, operands...)
	}
	if v == p.keys {
		return p.values[1]
	}
	return p.values[2]
}

// weights is the number of operands at the end that may be of other float types.
func (p *placement) weights() int {
	if p.kernel.QKNorm.On {
		return 2
	}
	return 0
}

// head is how queries or keys come from the rows of a linear.
type head struct {
	rows     *ir.Value // f32[T,N]
	from, to int       // columns of rows
	norm     ir.Norm
	weight   *ir.Value // of the norm, nil if there is none
	rotate   ir.Rotate
	cos, sin *ir.Value // nil if they are not rotated
}

// headOf follows v [T,heads,D] back to the linear; ok is false where something else was done.
func headOf(v *ir.Value) (h head, ok bool) {
	if o, rotated := v.Op().(ir.Rotate); rotated {
		h.rotate, h.cos, h.sin = o, v.Args()[1], v.Args()[2]
		v = v.Args()[0]
	}
	if o, normed := v.Op().(ir.Norm); normed {
		if o.Centered || len(v.Args()) != 2 || v.Args()[1].Type().Rank() != 1 {
			return h, false
		}
		h.norm, h.weight = o, v.Args()[1]
		v = v.Args()[0]
	}
	if _, reshaped := v.Op().(ir.Reshape); !reshaped {
		return h, false
	}
	v = v.Args()[0]
	o, sliced := v.Op().(ir.Slice)
	if !sliced || len(o.Start) != 2 {
		return h, false
	}
	h.from, h.to = o.Start[1], o.Limit[1]
	h.rows = columns(v, h.from, h.to)
	return h, h.rows != nil
}

// unrounded is what was rounded to the type of a cache.
func unrounded(v *ir.Value) *ir.Value {
	if _, ok := v.Op().(ir.Convert); ok && v.Args()[0].Type().DType() == ir.F32 {
		return v.Args()[0]
	}
	return v
}

// findPlacement looks for a placement in front of the attention v.
func (s *selector) findPlacement(v *ir.Value) {
	q, keys, values := v.Args()[0], v.Args()[1], v.Args()[2]
	ks, ok1 := keys.Op().(ir.ScatterRows)
	vs, ok2 := values.Op().(ir.ScatterRows)
	if !ok1 || !ok2 || !ks.Unique || !vs.Unique || keys == values || keys.Args()[1] != values.Args()[1] || keys.ID() > values.ID() {
		return
	}
	query, ok1 := headOf(q)
	key, ok2 := headOf(unrounded(keys.Args()[2]))
	value, ok3 := headOf(unrounded(values.Args()[2]))
	cache := keys.Type()
	heads, kv, d := q.Type().Dim(1), cache.Dim(1), cache.Dim(2)
	if !ok1 || !ok2 || !ok3 || key.rows != query.rows || value.rows != query.rows || query.rows.Type().Dim(1) != (heads+2*kv)*d ||
		query.from != 0 || key.from != heads*d || value.from != (heads+kv)*d || s.uses[q] != 1 ||
		query.rotate != key.rotate || query.cos != key.cos || query.sin != key.sin || value.cos != nil ||
		query.norm != key.norm || (query.weight == nil) != (key.weight == nil) || value.weight != nil {
		return
	}
	p := &placement{queries: q, keys: keys, value: values, kernel: kernel.Place{
		T: q.Type().Dim(0), Heads: heads, KVHeads: kv, D: d, Interleaved: query.rotate.Interleaved, Rows: cache.Dim(0), KV: cache.DType(),
	}}
	p.operands = []*ir.Value{query.rows}
	if query.cos != nil {
		p.kernel.Dims = 2 * query.cos.Type().Dim(1)
		p.operands = append(p.operands, query.cos, query.sin)
	}
	p.operands = append(p.operands, keys.Args()[1], keys.Args()[0], values.Args()[0])
	if query.weight != nil {
		p.kernel.QKNorm = kernel.QKNorm{On: true, Eps: query.norm.Eps, UnitOffset: query.norm.UnitOffset}
		p.operands = append(p.operands, query.weight, key.weight)
	}
	late := func(o *ir.Value) bool { return o.ID() > keys.ID() } // the kernel stands where the keys are stored
	if p.kernel.Supports(s.isa) != nil || slices.ContainsFunc(p.operands, late) {
		return
	}
	s.placed[q], s.placed[keys], s.placed[values] = p, p, p
}
