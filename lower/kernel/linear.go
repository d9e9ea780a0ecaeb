package kernel

import (
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// Linear is x·Wᵀ for a quantized matrix W [N,K] as [ir.QuantizedTypes] lays it out, and
// what follows it. With y[t,n], per group g of 64 columns, sums in float32:
//
//	ActI8:  Σg scale[n,g] * (s[t,g] * Σk q*xq) + offset[n,g]*sum[t,g], the inner sum exact
//	else:   Σg scale[n,g] * Σk q*x + offset[n,g] * Σk x
//
//	y += bias[n]
//	y = act(y[t,n]) * y[t,I+n] for n < I = N/2, with Gate
//	y += residual[t,n]
//
// Operands are the rows as [Activations] makes them, i8[T,64G] and f32[2,T,G] or f32[T,64G];
// q, scale, offset; then, with Experts, expert i32[T]; then bias f32[N] and residual
// f32[T,W], where W is N or I. The result is f32[T,W], or y as quantized Activations with
// QuantizeOut.
//
// With Experts the matrix is a stack of so many, of which row t is multiplied with that of
// number expert[t], clamped into the stack. Only those matrices are read.
type Linear struct {
	T, N, K     int
	Bits        int // 4 or 8
	ActI8       bool
	Scales      ir.DType // of scale and offset, F16 or F32
	Bias        bool
	Gate        ir.ActivateFn // 0 for none; I is a multiple of 16
	Residual    bool
	QuantizeOut bool // W is a multiple of 64
	Experts     int  // 0 for one matrix; else there is no bias and no residual
}

// Name implements [ir.Kernel].
func (k Linear) Name() string {
	gate := ""
	if k.Gate != 0 {
		gate = "_" + k.Gate.String()
	}
	return fmt.Sprintf("linear_int%d_%v_%dx%dx%d", k.Bits, k.Scales, k.T, k.N, k.K) + flag(k.ActI8, "_i8") + flag(k.Bias, "_bias") + gate +
		flag(k.Residual, "_residual") + flag(k.QuantizeOut, "_quantize") + flag(k.Experts > 0, fmt.Sprintf("_experts%d", k.Experts))
}

func (k Linear) check() error {
	switch {
	case k.T < 1 || k.N < 1 || k.K < 1, k.Bits != 4 && k.Bits != 8, k.Scales != ir.F16 && k.Scales != ir.F32:
		return fmt.Errorf("%d rows through a matrix [%d,%d] of %d bits with scales of %v", k.T, k.N, k.K, k.Bits, k.Scales)
	case k.Gate != 0 && k.Gate != ir.SiLU && k.Gate != ir.GELUTanh:
		return fmt.Errorf("gate %v", k.Gate)
	case k.Gate != 0 && k.N%(2*ir.LaneRows) != 0:
		return fmt.Errorf("%d rows are not two times a multiple of %d", k.N, ir.LaneRows)
	case k.Experts < 0 || k.Experts > 0 && (k.Bias || k.Residual):
		return fmt.Errorf("%d experts with a bias or residual", k.Experts)
	case k.QuantizeOut && k.width()%ir.GroupSize != 0:
		return fmt.Errorf("%d results are no whole groups of %d", k.width(), ir.GroupSize)
	}
	return nil
}

// width is how many results a row has.
func (k Linear) width() int {
	if k.Gate != 0 {
		return k.N / 2
	}
	return k.N
}

// operands are the operands, activations first.
func (k Linear) operands() []binding {
	q, scale := ir.QuantizedTypes(k.Bits, k.N, k.K, k.Experts, k.Scales)
	list := append(activationBindings(k.T, k.K, k.ActI8), binding{"q", q}, binding{"scale", scale}, binding{"offset", scale})
	if k.Experts > 0 {
		list = append(list, binding{"expert", ir.T(ir.I32, k.T)})
	}
	if k.Bias {
		list = append(list, binding{"bias", ir.T(ir.F32, k.N)})
	}
	if k.Residual {
		list = append(list, binding{"residual", ir.T(ir.F32, k.T, k.width())})
	}
	return list
}

// results are the results.
func (k Linear) results() []binding {
	if k.QuantizeOut {
		types := activationTypes(k.T, k.width(), true)
		return []binding{{"yq", types[0]}, {"ys", types[1]}}
	}
	return []binding{{"y", ir.T(ir.F32, k.T, k.width())}}
}

// Infer implements [ir.Kernel].
func (k Linear) Infer(args []ir.Type) ([]ir.Type, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	if err := wantTypes(args, k.operands()); err != nil {
		return nil, err
	}
	var types []ir.Type
	for _, r := range k.results() {
		types = append(types, r.typ)
	}
	return types, nil
}

// Ties implements [ir.Kernel].
func (Linear) Ties() []int { return nil }

// Text implements [Kernel].
func (k Linear) Text(isa ISA) (string, error) {
	if err := k.check(); err != nil {
		return "", err
	}
	if k.Experts == 0 && (k.T > matvecRows || k.matvecBytes() > stackBytes) {
		return k.matmul(isa), nil
	}
	return k.matvec(isa), nil
}

// matvecBytes is what the form for few rows has on the stack.
func (k Linear) matvecBytes() int {
	n := 0
	if !k.ActI8 {
		n += ir.CeilDiv(k.K, ir.GroupSize) // sums of groups
	}
	if k.QuantizeOut {
		n += ir.GroupSize
	}
	if k.Experts > 0 {
		return 4 * n
	}
	return 4 * k.T * n
}

// Reference implements [ir.Kernel].
func (k Linear) Reference(b *ir.Builder, args []*ir.Value) []*ir.Value {
	if k.Experts > 0 {
		return k.expertsReference(b, args)
	}
	g, n := ir.CeilDiv(k.K, ir.GroupSize), ir.CeilDiv(k.N, ir.LaneRows)*ir.LaneRows
	shape := []int{g, k.T, n}
	rows, scales, sums, args := k.rows(b, g, args)
	dots := b.Dot(rows, k.integers(b, args[0]), ir.DotGeneral{LHSBatch: []int{1}, RHSBatch: []int{1}, LHSContract: []int{2}, RHSContract: []int{2}})
	perRow := func(v *ir.Value) *ir.Value { return b.Broadcast(b.Transpose(v, 1, 0), shape, 0, 1) } // [T,G]
	perColumn := func(v *ir.Value) *ir.Value {                                                      // [NB,G,16]
		return b.Broadcast(b.Reshape(b.Transpose(b.Convert(v, ir.F32), 1, 0, 2), g, n), shape, 0, 2)
	}
	if scales != nil {
		dots = b.Mul(dots, perRow(scales))
	}
	y := b.Reduce(ir.ReduceAdd, b.Add(b.Mul(perColumn(args[1]), dots), b.Mul(perColumn(args[2]), perRow(sums))), 0)
	y, args = b.SliceDim(y, 1, 0, k.N), args[3:]
	if k.Bias {
		y, args = b.Add(y, b.Broadcast(args[0], []int{k.T, k.N}, 1)), args[1:]
	}
	if k.Gate != 0 {
		y = b.Mul(k.Gate.Portable(b, b.SliceDim(y, 1, 0, k.N/2)), b.SliceDim(y, 1, k.N/2, k.N))
	}
	if k.Residual {
		y = b.Add(y, args[0])
	}
	if k.QuantizeOut {
		return quantizedRows(b, y, k.T, k.width()/ir.GroupSize)
	}
	return []*ir.Value{y}
}

// expertsReference multiplies all rows with all matrices, and takes of each row the
// results of its own.
func (k Linear) expertsReference(b *ir.Builder, args []*ir.Value) []*ir.Value {
	one := k
	one.Experts, one.QuantizeOut = 0, false
	first := len(args) - 4 // q; after scale and offset comes expert
	index := b.Min(b.Max(args[first+3], b.SplatLike(args[first+3], 0)), b.SplatLike(args[first+3], float64(k.Experts-1)))
	t := ir.T(ir.F32, k.T, k.width())
	y := b.Splat(t, 0)
	for e := range k.Experts {
		operands := args[:first:first]
		for _, stack := range args[first : first+3] {
			operands = append(operands, b.Reshape(b.SliceDim(stack, 0, e, e+1), stack.Shape()[1:]...))
		}
		chosen := b.Broadcast(b.Compare(ir.EQ, index, b.SplatLike(index, float64(e))), t.Shape(), 0)
		y = b.Select(chosen, one.Reference(b, operands)[0], y)
	}
	if k.QuantizeOut {
		return quantizedRows(b, y, k.T, k.width()/ir.GroupSize)
	}
	return []*ir.Value{y}
}

// rows takes the activations off args: f32[T,G,64], scales (nil for 1) and sums f32[T,G].
func (k Linear) rows(b *ir.Builder, g int, args []*ir.Value) (x, scales, sums *ir.Value, rest []*ir.Value) {
	x = b.Reshape(b.Convert(args[0], ir.F32), k.T, g, ir.GroupSize)
	if !k.ActI8 {
		return x, nil, b.Reduce(ir.ReduceAdd, x, 2), args[1:]
	}
	part := func(i int) *ir.Value { return b.Reshape(b.SliceDim(args[1], 0, i, i+1), k.T, g) }
	return x, part(0), part(1), args[2:]
}

// integers are the q as f32[16NB,G,64].
func (k Linear) integers(b *ir.Builder, q *ir.Value) *ir.Value {
	q = b.Convert(q, ir.I32) // [NB,G,P,16,4]
	nb, g, p := q.Type().Dim(0), q.Type().Dim(1), q.Type().Dim(2)
	if k.Bits == 4 {
		halves := b.Concat(2, b.And(q, b.SplatLike(q, 15)), b.ShiftRightLogical(q, b.SplatLike(q, 4)))
		q, p = halves, 2*p // the high halves hold the second 32 columns
	} else {
		q = b.And(q, b.SplatLike(q, 255)) // dots must not read conversions of bytes, see ir.Verify
	}
	return b.Convert(b.Reshape(b.Transpose(q, 0, 3, 1, 2, 4), nb*ir.LaneRows, g, 4*p), ir.F32)
}
