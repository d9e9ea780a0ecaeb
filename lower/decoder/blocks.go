package decoder

import (
	"strings"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/lower/ir"
)

// vector is a logical weight that is no matrix to multiply with, widened to float32.
func (g *graph) vector(name string, shape ...int) *ir.Value {
	return g.toFloat(g.stored(name, shape...))
}

// stored is such a weight in the type in which it is stored.
func (g *graph) stored(name string, shape ...int) *ir.Value {
	return g.Param(name, ir.T(g.opts.Weight(name).DType, shape...))
}

// matrix is a logical weight [rows,cols], widened to float32: as it is, or, if
// block is not 0, as [rows/block, cols, block].
func (g *graph) matrix(name string, rows, cols int) (w *ir.Value, block int) {
	s := g.opts.Weight(name)
	t := ir.T(s.DType, rows, cols)
	if s.Block != 0 {
		t = ir.T(s.DType, rows/s.Block, cols, s.Block)
	}
	return g.toFloat(g.Param(name, t)), s.Block
}

// toFloat widens to float32, in which all arithmetic is done.
func (g *graph) toFloat(v *ir.Value) *ir.Value {
	return g.Convert(v, ir.F32)
}

// dim is the size of one axis of v. After an error, which the builder keeps and
// Finish reports, values have no shape and any size will do.
func dim(v *ir.Value, axis int) int {
	if shape := v.Shape(); axis < len(shape) {
		return shape[axis]
	}
	return 1
}

// firstAxes lists the first n axes of a tensor.
func firstAxes(n int) []int {
	axes := make([]int, n)
	for i := range axes {
		axes[i] = i
	}
	return axes
}

// spread broadcasts v over t, its axes becoming the given axes of t.
func (g *graph) spread(v *ir.Value, t ir.Type, axes ...int) *ir.Value {
	return g.Broadcast(v, t.Shape(), axes...)
}

// tableRows takes the given rows of a float32 table [rows, width]: [T, width], or
// [T] for a table of scalars (width 0). Padded rows may lie behind the table's end;
// gathering clamps them, and nobody reads their result.
func (g *graph) tableRows(name string, rows, width int, at *ir.Value) *ir.Value {
	shape := []int{rows}
	if width > 0 {
		shape = append(shape, width)
	}
	return g.GatherRows(g.Param(name, ir.T(ir.F32, shape...)), at)
}

// norm is the Spec's norm over the last axis of x [T,H].
func (g *graph) norm(name string, x *ir.Value) *ir.Value {
	n := g.spec.Norm
	o := ir.Norm{Centered: n.Kind == arch.LayerNorm, Eps: n.Eps, UnitOffset: n.UnitOffset}
	if n.NoWeight {
		return g.Norm(o, x)
	}
	return g.weighted(o, name, n.Bias, x, dim(x, 1))
}

// weighted is a norm with a weight and perhaps a bias of the given shape.
func (g *graph) weighted(o ir.Norm, name string, bias bool, x *ir.Value, shape ...int) *ir.Value {
	p := []*ir.Value{g.stored(name+".weight", shape...)}
	if bias {
		p = append(p, g.stored(name+".bias", shape...))
	}
	return g.Norm(o, x, p...)
}

// scale is x*factor; a factor of 0 means 1.
func (g *graph) scale(x *ir.Value, factor float64) *ir.Value {
	if factor == 0 || factor == 1 {
		return x
	}
	return g.Mul(x, g.SplatLike(x, factor))
}

// softcap is c*tanh(x/c); c = 0 means none.
func (g *graph) softcap(x *ir.Value, c float64) *ir.Value {
	if c == 0 {
		return x
	}
	return g.Mul(g.Tanh(g.Div(x, g.SplatLike(x, c))), g.SplatLike(x, c))
}

// clip bounds x to [-c, c]; c = 0 means not at all.
func (g *graph) clip(x *ir.Value, c float64) *ir.Value {
	if c == 0 {
		return x
	}
	return g.Min(g.Max(x, g.SplatLike(x, -c)), g.SplatLike(x, c))
}

// quantized are q, scale and offset of a quantized weight, a matrix or a stack of matrices.
func (g *graph) quantized(name string, s Stored, rows, cols, experts int) (q, scale, offset *ir.Value) {
	qt, st := ir.QuantizedTypes(s.Bits, rows, cols, experts, s.DType)
	qn, sn, on := quantizedNames(name)
	return g.Param(qn, qt), g.Param(sn, st), g.Param(on, st)
}

// quantizedRows is rowsOf for a quantized matrix. It takes the blocks that hold the rows
// and then the rows' lanes.
func (g *graph) quantizedRows(name string, s Stored, indices *ir.Value, rows, cols int) *ir.Value {
	q, scale, offset := g.quantized(name, s, rows, cols, 0)
	size := g.SplatLike(indices, ir.LaneRows)
	block, lane := g.Div(indices, size), g.Rem(indices, size)
	take := func(v *ir.Value, axis int) *ir.Value { // without its axis of 16 lanes
		v = g.GatherRows(v, block)
		if v.Type().DType() != ir.U8 {
			v = g.toFloat(v)
		}
		t := v.Type()
		at := ir.T(ir.I32, t.Shape()...)
		hit := g.Compare(ir.EQ, g.Iota(at, axis), g.spread(lane, at, 0))
		return g.Reduce(ir.ReduceAdd, g.Select(hit, v, g.Splat(t, 0)), axis)
	}
	bytes := take(q, 3) // u8[T,G,P,4]
	groups, p := dim(bytes, 1), dim(bytes, 2)
	t := ir.T(ir.F32, dim(indices, 0), groups, ir.GroupSize)
	flat := func(v *ir.Value) *ir.Value { return g.Reshape(g.toFloat(v), dim(v, 0), groups, 4*p) }
	var values *ir.Value
	if s.Bits == 8 {
		values = flat(bytes)
	} else {
		values = g.Concat(2, flat(g.And(bytes, g.SplatLike(bytes, 15))), flat(g.ShiftRightLogical(bytes, g.SplatLike(bytes, 4))))
	}
	values = g.Add(g.Mul(values, g.spread(take(scale, 2), t, 0, 1)), g.spread(take(offset, 2), t, 0, 1))
	y := g.Reshape(values, dim(values, 0), groups*ir.GroupSize)
	if groups*ir.GroupSize > cols {
		y = g.SliceDim(y, 1, 0, cols)
	}
	return y
}

// rowsOf takes the rows of a matrix [rows,cols] at the given indices i32[T]: [T,cols].
func (g *graph) rowsOf(name string, indices *ir.Value, rows, cols int) *ir.Value {
	s := g.opts.Weight(name)
	if s.Bits != 0 {
		return g.quantizedRows(name, s, indices, rows, cols)
	}
	if s.Block == 0 {
		return g.toFloat(g.GatherRows(g.Param(name, ir.T(s.DType, rows, cols)), indices))
	}
	// Take the block that holds the row, then the row's lane.
	size := g.SplatLike(indices, float64(s.Block))
	blocks := g.toFloat(g.GatherRows(g.Param(name, ir.T(s.DType, rows/s.Block, cols, s.Block)), g.Div(indices, size)))
	t := blocks.Type() // [T,cols,block]
	lane := g.Iota(ir.T(ir.I32, t.Shape()...), 2)
	wanted := g.Compare(ir.EQ, lane, g.spread(g.Rem(indices, size), t, 0))
	return g.Reduce(ir.ReduceAdd, g.Select(wanted, blocks, g.Splat(t, 0)), 2)
}

// linear is x·Wᵀ + b: x [T,in], W [out,in], result [T,out]. An empty bias name means none.
func (g *graph) linear(x *ir.Value, weight, bias string, out, in int) *ir.Value {
	y := g.product(x, weight, out, in)
	if bias != "" {
		y = g.Add(y, g.spread(g.vector(bias, out), y.Type(), 1))
	}
	return y
}

// product is x·Wᵀ. The forms for blocked weights are those that the compiler
// turns into one streaming pass over the weight; see docs/measurements.md.
func (g *graph) product(x *ir.Value, weight string, out, in int) *ir.Value {
	g.squares.of(g, weight, x)
	if s := g.opts.Weight(weight); s.Bits != 0 {
		q, scale, offset := g.quantized(weight, s, out, in, 0)
		return g.QuantizedLinear(ir.QuantizedLinear{Bits: s.Bits, Out: out, Int8: s.Int8}, x, q, scale, offset)
	}
	w, block := g.matrix(weight, out, in)
	if block == 0 {
		return g.Dot(x, w, ir.DotGeneral{LHSContract: []int{1}, RHSContract: []int{1}})
	}
	rows := dim(x, 0)
	if rows == 1 { // multiply and reduce is fused with the widening; a dot is not
		sum := g.Reduce(ir.ReduceAdd, g.Mul(g.spread(g.Reshape(x, in), w.Type(), 1), w), 1) // [out/block, block]
		return g.Reshape(sum, 1, out)
	}
	each := g.Broadcast(x, []int{out / block, rows, in}, 1, 2)
	y := g.Dot(each, w, ir.DotGeneral{ // [out/block, rows, block]
		LHSBatch: []int{0}, RHSBatch: []int{0}, LHSContract: []int{2}, RHSContract: []int{1},
	})
	return g.Reshape(g.Transpose(y, 1, 0, 2), rows, out)
}

// A projection is one of several linears of the same input.
type projection struct {
	part string // below the module's name
	bias bool
	out  int
}

// projections computes linears of x [T,in], each when it is asked for. Those whose
// weights are stacked are one product, at the location of the first.
func (g *graph) projections(x *ir.Value, name string, in int, list ...projection) func(i int) *ir.Value {
	stack := g.opts.Weight(name + list[0].part + ".weight").Stack
	if stack == "" {
		return func(i int) *ir.Value {
			p := list[i]
			return g.at(p.part).linear(x, name+p.part+".weight", biasName(p.bias, name+p.part), p.out, in)
		}
	}
	total, biased := 0, false
	for _, p := range list {
		total += p.out
		biased = biased || p.bias
	}
	at := g.at(strings.TrimSuffix(strings.TrimPrefix(stack, name), ".weight"))
	all := at.product(x, stack, total, in)
	if biased {
		var biases []*ir.Value
		for _, p := range list {
			if p.bias {
				biases = append(biases, at.vector(name+p.part+".bias", p.out))
			} else {
				biases = append(biases, at.Splat(ir.T(ir.F32, p.out), 0))
			}
		}
		all = at.Add(all, at.spread(at.Concat(0, biases...), all.Type(), 1))
	}
	return func(i int) *ir.Value {
		from, p := 0, list[i]
		for _, before := range list[:i] {
			from += before.out
		}
		return g.at(p.part).SliceDim(all, 1, from, from+p.out)
	}
}

// mlp is the dense feed-forward block m; see [arch.MLP].
func (g *graph) mlp(name string, m arch.MLP, x *ir.Value) *ir.Value {
	project := func(part string, x *ir.Value, out, in int) *ir.Value {
		return g.at(part).linear(x, name+part+".weight", biasName(m.Bias, name+part), out, in)
	}
	var y *ir.Value
	if m.Plain {
		y = g.activation(name, m.Activation, project("up", x, m.Intermediate, g.spec.Hidden))
	} else {
		both := g.projections(x, name, g.spec.Hidden, projection{"gate", m.Bias, m.Intermediate}, projection{"up", m.Bias, m.Intermediate})
		y = g.activation(name, m.Activation, both(0))
		y = g.Mul(y, both(1))
	}
	return project("down", y, g.spec.Hidden, m.Intermediate)
}

func biasName(present bool, module string) string {
	if !present {
		return ""
	}
	return module + ".bias"
}
