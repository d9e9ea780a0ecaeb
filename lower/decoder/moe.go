package decoder

import (
	"fmt"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

// moe is the mixture of experts for x [T,H]; see [arch.MoE].
//
// E are the experts, K those that a row chooses, I the width of one.
func (g *graph) moe(name string, x *ir.Value) *ir.Value {
	m := g.spec.MoE
	y := g.at("experts").experts(name+"experts.", x, g.at("router").route(name, x))
	if m.SharedIntermediate > 0 {
		shared := g.at("shared").mlp(name+"shared.", arch.MLP{Activation: m.Activation, Intermediate: m.SharedIntermediate, Bias: m.SharedBias}, x)
		if m.SharedGate {
			gate := g.at("shared_gate")
			open := gate.Logistic(gate.linear(x, name+"shared_gate.weight", "", 1, g.spec.Hidden)) // [T,1]
			shared = gate.Mul(shared, gate.spread(gate.Reshape(open, g.rows), shared.Type(), 0))
		}
		y = g.Add(y, shared)
	}
	return y
}

// routed is what a router decided.
type routed struct {
	hit    *ir.Value // i1[T,K,E]: whether an expert is the row's choice of that rank
	weight *ir.Value // f32[T,K]: their weights
}

// route chooses experts; see [arch.Router].
func (g *graph) route(name string, x *ir.Value) routed {
	m, r := g.spec.MoE, &g.spec.MoE.Router
	scores := g.linear(x, name+"router.weight", biasName(r.Bias, name+"router"), m.Experts, g.spec.Hidden) // [T,E]
	switch r.Scoring {
	case arch.SoftmaxChosen:
	case arch.SoftmaxAll:
		scores = g.softmax(scores)
	case arch.Sigmoid:
		scores = g.Logistic(scores)
	default:
		scores = g.Fail(fmt.Errorf("unknown scoring %q", r.Scoring))
	}
	choice := scores
	if r.Correction {
		choice = g.Add(choice, g.spread(g.vector(name+"correction", m.Experts), choice.Type(), 1))
	}
	if r.Groups > 1 {
		choice = g.limitGroups(choice)
	}
	out := routed{hit: g.ranked(g.rank(choice), m.TopK)}
	out.weight = g.atRank(out.hit, scores)
	if r.Scoring == arch.SoftmaxChosen {
		out.weight = g.softmax(out.weight)
	}
	if r.Normalize {
		sum := g.Reduce(ir.ReduceAdd, out.weight, 1) // [T]
		if r.NormFloor > 0 {
			sum = g.Max(sum, g.SplatLike(sum, r.NormFloor))
		}
		if r.NormEps > 0 {
			sum = g.Add(sum, g.SplatLike(sum, r.NormEps))
		}
		out.weight = g.Div(out.weight, g.spread(sum, out.weight.Type(), 0))
	}
	out.weight = g.scale(out.weight, r.Scale)
	return out
}

// rank is how many elements of x [...,N] come before each when they are sorted from
// the largest to the smallest, equal ones by their index. One operation over all
// pairs in place of N maxima, each of which waits for the one before.
func (g *graph) rank(x *ir.Value) *ir.Value {
	shape := x.Shape()
	last := len(shape) - 1
	if last < 0 {
		return x // an error, see dim
	}
	axes := firstAxes(last)
	pairs := append(x.Shape(), shape[last]) // [...,N,M]: does M come before N?
	index := ir.T(ir.I32, pairs...)
	this := g.Broadcast(x, pairs, append(axes, last)...)
	other := g.Broadcast(x, pairs, append(axes[:last:last], last+1)...)
	earlier := g.Compare(ir.LT, g.Iota(index, last+1), g.Iota(index, last))
	before := g.Or(g.Compare(ir.GT, other, this), g.And(earlier, g.Compare(ir.EQ, other, this)))
	return g.Reduce(ir.ReduceAdd, g.Convert(before, ir.I32), last+1)
}

// ranked is i1[...,n,N]: whether element N of rank [...,N] is the one of rank n.
func (g *graph) ranked(rank *ir.Value, n int) *ir.Value {
	shape := rank.Shape()
	last := len(shape) - 1
	if last < 0 {
		return rank // an error, see dim
	}
	axes := firstAxes(last)
	t := ir.T(ir.I32, append(append(shape[:last:last], n), shape[last])...)
	return g.Compare(ir.EQ, g.spread(rank, t, append(axes, last+1)...), g.Iota(t, last))
}

// atRank takes from x [T,N] the elements that hit [T,n,N] marks, one for each n: [T,n].
func (g *graph) atRank(hit, x *ir.Value) *ir.Value {
	t := ir.T(ir.F32, hit.Shape()...)
	return g.Reduce(ir.ReduceAdd, g.Select(hit, g.spread(x, t, 0, 2), g.Splat(t, 0)), 2)
}

// limitGroups hides the experts outside of the best groups from the choice [T,E].
func (g *graph) limitGroups(choice *ir.Value) *ir.Value {
	m, r := g.spec.MoE, &g.spec.MoE.Router
	groups := g.Reshape(choice, g.rows, r.Groups, m.Experts/r.Groups)
	var best *ir.Value // [T,groups]
	switch r.GroupScore {
	case arch.GroupMax:
		best = g.Reduce(ir.ReduceMax, groups, 2)
	case arch.GroupTop2:
		rank := g.rank(groups)
		top := g.Compare(ir.LT, rank, g.SplatLike(rank, 2))
		best = g.Reduce(ir.ReduceAdd, g.Select(top, groups, g.SplatLike(groups, 0)), 2)
	default:
		return g.Fail(fmt.Errorf("unknown group score %q", r.GroupScore))
	}
	rank := g.rank(best)
	in := g.Compare(ir.LT, rank, g.SplatLike(rank, float64(r.TopGroups)))
	shown := g.Broadcast(in, groups.Shape(), 0, 1)
	return g.Reshape(g.Select(shown, groups, g.SplatLike(groups, masked)), choice.Shape()...)
}

// softmax is over the last axis of x [T,N].
func (g *graph) softmax(x *ir.Value) *ir.Value {
	t := x.Type()
	e := g.Exp(g.Sub(x, g.spread(g.Reduce(ir.ReduceMax, x, 1), t, 0)))
	return g.Div(e, g.spread(g.Reduce(ir.ReduceAdd, e, 1), t, 0))
}

// gated is act(gate)·up, or the unit of GPT-OSS; see [arch.MoE].
func (g *graph) gated(name string, gate, up *ir.Value) *ir.Value {
	m := g.spec.MoE
	if m.Activation != arch.SwiGLUClamped {
		return g.Mul(g.activation(name, m.Activation, gate), up)
	}
	const alpha = 1.702
	gate = g.Min(gate, g.SplatLike(gate, m.Limit))
	up = g.clip(up, m.Limit)
	glu := g.Mul(gate, g.Logistic(g.Mul(gate, g.SplatLike(gate, alpha))))
	return g.Mul(glu, g.Add(up, g.SplatLike(up, 1)))
}

// experts is the weighted sum of what each row's experts make of it.
func (g *graph) experts(name string, x *ir.Value, r routed) *ir.Value {
	m := g.spec.MoE
	chosen := g.indexOf(r.hit) // i32[T,K]
	var y *ir.Value            // [T,K,H]
	if g.rows*m.TopK <= m.Experts {
		y = g.chosenExperts(name, x, chosen)
	} else {
		y = g.sortedExperts(name, x, chosen)
	}
	return g.Reduce(ir.ReduceAdd, g.Mul(y, g.spread(r.weight, y.Type(), 0, 1)), 1)
}

// indexOf is the index along the last axis of the one element that hit [...,n,N] marks: i32[...,n].
func (g *graph) indexOf(hit *ir.Value) *ir.Value {
	t := ir.T(ir.I32, hit.Shape()...)
	last := len(hit.Shape()) - 1
	if last < 0 {
		return hit // an error, see dim
	}
	return g.Reduce(ir.ReduceAdd, g.Select(hit, g.Iota(t, last), g.Splat(t, 0)), last)
}

// sortedExperts is chosenExperts for many rows, which goes through the pairs of row
// and expert by expert, so that the weights of an expert come from the cache for
// all rows but the first. That is twice as fast, see docs/measurements.md.
func (g *graph) sortedExperts(name string, x, chosen *ir.Value) *ir.Value {
	m, h := g.spec.MoE, g.spec.Hidden
	pairs := g.rows * m.TopK
	sort := g.at("sort")
	flat := sort.Reshape(chosen, pairs)
	place := sort.rank(sort.Neg(flat))               // of each pair, in ascending order of its expert
	order := sort.indexOf(sort.ranked(place, pairs)) // of each place, the pair
	rows := sort.GatherRows(x, sort.Div(order, sort.SplatLike(order, float64(m.TopK))))
	y := g.chosenExperts(name, rows, sort.Reshape(sort.GatherRows(flat, order), pairs, 1))
	return sort.GatherRows(sort.Reshape(y, pairs, h), sort.Reshape(place, g.rows, m.TopK))
}

// chosenExperts is what the experts e i32[T,K] make of the rows x [T,H]: [T,K,H]. Their
// weights are gathered and no others are read: the compiler fuses the gathering
// with the product.
func (g *graph) chosenExperts(name string, x, expert *ir.Value) *ir.Value {
	m, h := g.spec.MoE, g.spec.Hidden
	var both func(part string, half int) *ir.Value
	if stack := g.opts.Weight(name + "gate.weight").Stack; stack != "" {
		all := g.at("gate_up").gatheredProduct(x, expert, stack, 2*m.Intermediate, h)
		both = func(part string, half int) *ir.Value {
			at := g.at(part)
			return at.gatheredBias(at.SliceDim(all, 2, half*m.Intermediate, (half+1)*m.Intermediate), expert, name+part)
		}
	} else {
		both = func(part string, _ int) *ir.Value {
			return g.at(part).gatheredLinear(x, expert, name+part, m.Intermediate, h)
		}
	}
	y := g.gated(name, both("gate", 0), both("up", 1))
	return g.at("down").gatheredLinear(y, expert, name+"down", h, m.Intermediate)
}

// gatheredLinear is W[e]·x + b[e] for the experts e i32[T,K] of each row: x is
// [T,in], or [T,K,in] with one row for each expert; the result [T,K,out].
func (g *graph) gatheredLinear(x, expert *ir.Value, name string, out, in int) *ir.Value {
	return g.gatheredBias(g.gatheredProduct(x, expert, name+".weight", out, in), expert, name)
}

// gatheredBias adds the biases of experts, if there are any, to y [T,K,out].
func (g *graph) gatheredBias(y, expert *ir.Value, name string) *ir.Value {
	if m := g.spec.MoE; m.Bias {
		b := g.opts.Weight(name + ".bias")
		y = g.Add(y, g.toFloat(g.GatherRows(g.Param(name+".bias", ir.T(b.DType, m.Experts, dim(y, 2))), expert)))
	}
	return y
}

// gatheredProduct is W[e]·x.
//
// Blocks of rows are gathered, not experts: with an index for each block the
// compiler's loop over it has nothing to compute, and runs 1.6 times as fast.
func (g *graph) gatheredProduct(x, expert *ir.Value, name string, out, in int) *ir.Value {
	g.squares.of(g, name, x)
	m := g.spec.MoE
	s := g.opts.Weight(name)
	rows, k := dim(expert, 0), dim(expert, 1)
	if s.Bits != 0 {
		if len(x.Shape()) == 2 {
			x = g.Broadcast(x, []int{rows, k, in}, 0, 2)
		}
		q, scale, offset := g.quantized(name, s, out, in, m.Experts)
		o := ir.QuantizedLinear{Bits: s.Bits, Out: out, Int8: s.Int8, Experts: m.Experts}
		return g.Reshape(g.QuantizedLinear(o, g.Reshape(x, rows*k, in), q, scale, offset, g.Reshape(expert, rows*k)), rows, k, out)
	}
	axes := []int{0, 3}
	if len(x.Shape()) == 3 {
		axes = []int{0, 1, 3}
	}
	var w *ir.Value
	if s.Block == 0 {
		w = g.GatherRows(g.Param(name, ir.T(s.DType, m.Experts, out, in)), expert) // [T,K,out,in]
	} else {
		blocks := out / s.Block
		t := ir.T(ir.I32, rows, k, blocks)
		first := g.Mul(g.spread(expert, t, 0, 1), g.Splat(t, float64(blocks)))
		all := g.Param(name, ir.T(s.DType, m.Experts, blocks, in, s.Block))
		w = g.GatherRows(g.Reshape(all, m.Experts*blocks, in, s.Block), g.Add(first, g.Iota(t, 2))) // [T,K,out/block,in,block]
	}
	w = g.toFloat(w)
	return g.Reshape(g.Reduce(ir.ReduceAdd, g.Mul(w, g.spread(x, w.Type(), axes...)), 3), rows, k, out)
}
