package pass

import (
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/kernel"
)

// ForCPU are the passes for a CPU of the given instruction set, in order: what they
// produce calls kernels of ours.
func ForCPU(isa kernel.ISA) []Pass {
	return append([]Pass{{"kernels", "puts kernels in the place of the operations that they stand for", func(g *ir.Graph) (*ir.Graph, error) {
		return Kernels(g, isa)
	}}}, Portable()...)
}

// Kernels puts kernels in the place of quantized linears and attention, and takes what
// stands around them into the same kernels:
//
//   - norm, and rounding to 8 bits, in front of a linear, once for all linears that read it;
//   - bias, gated activation, the sum with the residual, and the rounding for the next
//     linear, behind it;
//   - norm and rotation of queries and keys with the update of the caches.
//
// What no kernel takes stays as it is.
func Kernels(g *ir.Graph, isa kernel.ISA) (*ir.Graph, error) {
	s := &selector{isa: isa, uses: map[*ir.Value]int{}, placed: map[*ir.Value]*placement{}, prepared: map[preparedKey][]*ir.Value{}}
	for _, v := range g.Ops() {
		for _, a := range v.Args() {
			s.uses[a]++
		}
	}
	for _, r := range g.Results() {
		s.uses[r.Value]++
	}
	for _, v := range g.Ops() {
		if _, ok := v.Op().(ir.Attention); ok {
			s.findPlacement(v)
		}
	}
	return ir.RewriteWith(g, s.edit)
}

// selector is the state of one run of Kernels.
type selector struct {
	isa      kernel.ISA
	uses     map[*ir.Value]int           // in the graph that is rewritten
	placed   map[*ir.Value]*placement    // by each of the three values that one makes
	prepared map[preparedKey][]*ir.Value // rows that are ready for linears
}

type preparedKey struct {
	x    *ir.Value
	int8 bool
}

func (s *selector) edit(b *ir.Builder, v *ir.Value, args []*ir.Value, copied func(*ir.Value) *ir.Value) *ir.Value {
	if p := s.placed[v]; p != nil && p.scatters(v) {
		return p.result(b, v, copied)
	}
	switch o := v.Op().(type) {
	case ir.QuantizedLinear:
		return s.linear(b, o, args)
	case ir.Attention:
		if p := s.placed[v.Args()[0]]; p != nil {
			args = slices.Clone(args)
			args[0] = p.values[0]
		}
		return s.attention(b, o, args)
	case ir.Binary:
		switch o.Fn {
		case ir.Add:
			return s.add(b, v, args)
		case ir.Multiply:
			return gate(b, v, args)
		}
	}
	return nil
}

// linear is the kernel of a quantized linear.
func (s *selector) linear(b *ir.Builder, o ir.QuantizedLinear, args []*ir.Value) *ir.Value {
	x := args[0].Type()
	k := kernel.Linear{T: x.Dim(0), N: o.Out, K: x.Dim(1), Bits: o.Bits, ActI8: o.Int8, Scales: args[2].Type().DType(), Experts: o.Experts}
	return b.Dispatch(k, append(slices.Clone(s.prepare(b, unshaped(args[0]), o.Int8)), args[1:]...)...)[0]
}

// unshaped is the value of the same type from which v comes by reshapes alone, v if there
// is none.
func unshaped(v *ir.Value) *ir.Value {
	for x := v; ; x = x.Args()[0] {
		if _, ok := x.Op().(ir.Reshape); !ok {
			if x.Type() == v.Type() {
				return x
			}
			return v
		}
	}
}

// prepare makes rows x f32[T,K] what linears take.
func (s *selector) prepare(b *ir.Builder, x *ir.Value, int8 bool) []*ir.Value {
	key := preparedKey{x, int8}
	if s.prepared[key] == nil {
		s.prepared[key] = prepare(b, x, int8)
	}
	return s.prepared[key]
}

func prepare(b *ir.Builder, x *ir.Value, int8 bool) []*ir.Value {
	t := x.Type()
	k := kernel.Activations{T: t.Dim(0), K: t.Dim(1), Quantize: int8}
	switch o := x.Op().(type) {
	case ir.Norm:
		k.Normalize, k.Norm, k.Params = true, o, len(x.Args())-1
		operands := []*ir.Value{x.Args()[0]}
		for _, p := range x.Args()[1:] {
			operands = append(operands, b.Convert(p, ir.F32))
		}
		if all := (ir.Dispatch{Kernel: k}); infers(all, operands) {
			return b.Dispatch(k, operands...)
		}
	case ir.Dispatch:
		// Rounded where it is made, if that is a gated linear that makes whole groups.
		if l, ok := o.Kernel.(kernel.Linear); ok && int8 && l.Gate != 0 && !l.QuantizeOut {
			l.QuantizeOut = true
			if infers(ir.Dispatch{Kernel: l}, x.Args()) {
				return b.Dispatch(l, x.Args()...)
			}
		}
	}
	k.Normalize, k.Norm, k.Params = false, ir.Norm{}, 0
	if !int8 && t.Dim(1)%ir.GroupSize == 0 {
		return []*ir.Value{x}
	}
	return b.Dispatch(k, x)
}

// infers says whether a kernel takes such operands.
func infers(d ir.Dispatch, operands []*ir.Value) bool {
	types := make([]ir.Type, len(operands))
	for i, v := range operands {
		types[i] = v.Type()
	}
	_, err := d.Kernel.Infer(types)
	return err == nil
}

// extend calls the linear that makes y again with one more operand, in another form; nil
// if y is no such linear or the form does not exist. The first call is dropped.
func extend(b *ir.Builder, y *ir.Value, change func(l *kernel.Linear) bool, operand ...*ir.Value) *ir.Value {
	d, ok := y.Op().(ir.Dispatch)
	if !ok {
		return nil
	}
	l, ok := d.Kernel.(kernel.Linear)
	if !ok || !change(&l) {
		return nil
	}
	operands := append(slices.Clone(y.Args()), operand...)
	if !infers(ir.Dispatch{Kernel: l}, operands) {
		return nil
	}
	return b.Dispatch(l, operands...)[0]
}

// add takes the sum of a linear with a bias, or with anything else, into the linear.
func (s *selector) add(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	for i, y := range args {
		if s.uses[v.Args()[i]] != 1 {
			continue
		}
		other := args[1-i]
		if bias := spreadVector(other); bias != nil {
			if sum := extend(b, y, func(l *kernel.Linear) bool {
				ok := !l.Bias && !l.Residual && l.Gate == 0 && !l.QuantizeOut
				l.Bias = true
				return ok
			}, bias); sum != nil {
				return sum
			}
		}
		if sum := extend(b, y, func(l *kernel.Linear) bool {
			ok := !l.Residual && !l.QuantizeOut
			l.Residual = true
			return ok
		}, other); sum != nil {
			return sum
		}
	}
	return nil
}

// spreadVector is the vector f32[N] that v repeats in every row, nil if it does not.
func spreadVector(v *ir.Value) *ir.Value {
	o, ok := v.Op().(ir.Broadcast)
	if !ok || len(o.Dims) != 1 || o.Dims[0] != 1 || v.Type().Rank() != 2 || v.Args()[0].Type().Dim(0) != v.Type().Dim(1) {
		return nil
	}
	return v.Args()[0]
}

// gate takes act(a)*b into the linear of which a and b are the halves.
func gate(b *ir.Builder, v *ir.Value, args []*ir.Value) *ir.Value {
	o, ok := args[0].Op().(ir.Activate)
	if !ok {
		return nil
	}
	last := v.Type().Rank() - 1
	half := v.Type().Dim(last)
	y := columns(args[0].Args()[0], 0, half)
	if y == nil || y != columns(args[1], half, 2*half) || y.Type().Dim(last) != 2*half {
		return nil
	}
	if _, ok := y.Op().(ir.Reshape); ok && y.Args()[0].Type() == ir.T(ir.F32, y.Type().Elems()/(2*half), 2*half) {
		y = y.Args()[0] // of experts: rows and their experts are two dimensions
	}
	gated := extend(b, y, func(l *kernel.Linear) bool {
		ok := l.Gate == 0 && !l.Residual && !l.QuantizeOut
		l.Gate = o.Fn
		return ok
	})
	if gated == nil {
		return nil
	}
	return b.Reshape(gated, v.Shape()...)
}

// columns is the tensor of which v is from ... to-1 of the last dimension, nil if it is not.
func columns(v *ir.Value, from, to int) *ir.Value {
	o, ok := v.Op().(ir.Slice)
	if !ok {
		return nil
	}
	x := v.Args()[0]
	for i, n := range x.Shape() {
		first, end := 0, n
		if i == len(o.Start)-1 {
			first, end = from, to
		}
		if o.Start[i] != first || o.Limit[i] != end || o.Stride[i] != 1 {
			return nil
		}
	}
	return x
}

// attention is the kernel of attention, nil if there is none for its sizes.
func (s *selector) attention(b *ir.Builder, o ir.Attention, args []*ir.Value) *ir.Value {
	q, keys := args[0].Type(), args[1].Type()
	k := kernel.Attention{
		T: q.Dim(0), Heads: q.Dim(1), KVHeads: keys.Dim(1), D: q.Dim(2), Rows: o.Rows, Context: o.Context, Slots: o.Slots,
		Scale: o.Scale, Window: o.Window, Softcap: o.Softcap, Sinks: o.Sinks, KV: keys.DType(),
	}
	if k.Supports(s.isa) != nil {
		return nil
	}
	operands := []*ir.Value{args[0], args[1], args[2], args[4]}
	if o.Sinks {
		operands = append(operands, b.Reshape(args[5], k.Heads))
	}
	return b.Dispatch(k, operands...)[0]
}
