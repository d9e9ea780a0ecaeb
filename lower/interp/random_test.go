package interp

import (
	"fmt"
	"math"

	"pgregory.net/rapid"

	"github.com/hlocc/hlocc/lower/ir"
)

// drawing is a random graph in the making.
type drawing struct {
	t       *rapid.T
	b       *ir.Builder
	args    []Tensor
	values  []bounded
	results []bounded
}

// bounded is a value with bounds: no element is larger than mag, and no two evaluations lie
// further apart than off.
type bounded struct {
	v        *ir.Value
	mag, off float64
}

func (d *drawing) int(lo, hi int) int { return rapid.IntRange(lo, hi).Draw(d.t, "n") }

// pick is a random one.
func pick[T any](d *drawing, from []T) T { return from[d.int(0, len(from)-1)] }

func (d *drawing) shape(rank int) []int {
	s := make([]int, rank)
	for i := range s {
		s[i] = pick(d, []int{1, 2, 3, 4, 8})
	}
	return s
}

func (d *drawing) draw() {
	for _, t := range []ir.DType{ir.F32, ir.F32, ir.I32, ir.I1, pick(d, []ir.DType{ir.BF16, ir.F16}), pick(d, []ir.DType{ir.I8, ir.U8})} {
		d.arg(ir.T(t, d.shape(d.int(1, 3))...))
	}
	for range d.int(3, 14) {
		d.step()
	}
	// The last value, and everything that is used by nothing else.
	used := map[*ir.Value]bool{}
	for _, x := range d.values {
		for _, a := range x.v.Args() {
			used[a] = true
		}
	}
	for i, x := range d.values {
		if _, isArg := x.v.Op().(ir.Argument); !isArg && (!used[x.v] || i == len(d.values)-1) {
			d.b.Result(fmt.Sprintf("%s.r%d", d.b.Loc(), i), x.v)
			d.results = append(d.results, x)
		}
	}
}

// arg adds an argument of small multiples of a quarter, which every float type holds.
func (d *drawing) arg(t ir.Type) {
	values := make([]float64, t.Elems())
	for i := range values {
		switch n := d.int(-16, 16); t.DType() {
		case ir.I1:
			values[i] = float64(n & 1)
		case ir.U8:
			values[i] = float64(n & 255)
		case ir.I8, ir.I32:
			values[i] = float64(n)
		default:
			values[i] = float64(n) / 4
		}
	}
	e := &evaluation{}
	name := fmt.Sprintf("%s.a%d", d.b.Loc(), len(d.args))
	d.args = append(d.args, Tensor{t, e.fromFloats(values, t.DType())})
	mag := 4.0
	if t.DType().IsInt() {
		mag = 256
	}
	d.values = append(d.values, bounded{d.b.Arg(name, name, t), mag, 0})
}

// of are the values that satisfy a predicate.
func (d *drawing) of(ok func(bounded) bool) []bounded {
	var out []bounded
	for _, x := range d.values {
		if ok(x) {
			out = append(out, x)
		}
	}
	return out
}

func float(x bounded) bool { return x.v.Type().DType() == ir.F32 }
func calc(x bounded) bool  { return float(x) || x.v.Type().DType().IsInt() }
func sharp(x bounded) bool { return x.off == 0 }
func any1(bounded) bool    { return true }

// add keeps a new value unless its bounds have become useless.
func (d *drawing) add(v *ir.Value, mag, off float64) {
	if err := d.b.Err(); err != nil {
		d.t.Fatal(err)
	}
	d.values = append(d.values, bounded{v, mag, off})
}

// eps bounds the error of one elementary operation relative to the result.
const eps = 1e-6

// step adds one random operation, or nothing if the draw does not fit.
func (d *drawing) step() {
	steps := []func(){d.unary, d.smooth, d.binary, d.compare, d.choose, d.convert, d.move, d.move, d.join, d.rows, d.dot, d.reduce, d.reduce}
	pick(d, steps)()
}

func (d *drawing) unary() {
	x := pick(d, d.of(calc))
	t := x.v.Type().DType()
	switch pick(d, []string{"neg", "abs", "not", "round"}) {
	case "neg":
		if t != ir.U8 {
			d.add(d.b.Neg(x.v), x.mag, x.off)
		}
	case "abs":
		if t != ir.U8 {
			d.add(d.b.Abs(x.v), x.mag, x.off)
		}
	case "not":
		if t.IsInt() {
			d.add(d.b.Not(x.v), x.mag+1, 0)
		}
	case "round":
		if t == ir.F32 && sharp(x) {
			d.add(d.b.Unary(pick(d, []ir.UnaryFn{ir.Floor, ir.Ceil, ir.Round}), x.v), x.mag+1, 0)
		}
	}
}

// smooth applies functions whose slope is at most that of the bound given.
func (d *drawing) smooth() {
	x := pick(d, d.of(float))
	switch pick(d, []string{"tanh", "logistic", "cos", "sin", "exp", "rsqrt", "log"}) {
	case "tanh":
		d.add(d.b.Tanh(x.v), 1, x.off+4*eps)
	case "logistic":
		d.add(d.b.Logistic(x.v), 1, x.off+eps)
	case "cos":
		d.add(d.b.Cos(x.v), 1, x.off+4*eps*max(1, x.mag))
	case "sin":
		d.add(d.b.Sin(x.v), 1, x.off+4*eps*max(1, x.mag))
	case "exp":
		if x.mag <= 4 {
			m := math.Exp(x.mag)
			d.add(d.b.Exp(x.v), m, m*(math.Exp(x.off)-1+eps))
		}
	case "rsqrt": // of |x|+1: slope at most 1/2
		d.add(d.b.Rsqrt(d.b.Add(d.b.Abs(x.v), d.b.SplatLike(x.v, 1))), 1, x.off+eps*(2+x.mag))
	case "log": // of |x|+1: slope at most 1
		d.add(d.b.Log(d.b.Add(d.b.Abs(x.v), d.b.SplatLike(x.v, 1))), 1+x.mag, x.off+eps*(2+x.mag))
	}
}

func (d *drawing) binary() {
	x := pick(d, d.of(calc))
	y := pick(d, d.of(func(y bounded) bool { return y.v.Type() == x.v.Type() }))
	if !float(x) {
		fn := pick(d, []ir.BinaryFn{
			ir.Add, ir.Subtract, ir.Multiply, ir.Divide, ir.Maximum, ir.Minimum, ir.Remainder,
			ir.And, ir.Or, ir.Xor, ir.ShiftLeft, ir.ShiftRightLogical, ir.ShiftRightArithmetic,
		})
		d.add(d.b.Binary(fn, x.v, y.v), 1<<31, 0)
		return
	}
	grow := func(make func() *ir.Value, mag, off float64) {
		if mag < 1e5 && off < 1e-2 {
			d.add(make(), mag, off)
		}
	}
	switch pick(d, []string{"add", "sub", "mul", "div", "max", "min", "clamp"}) {
	case "add":
		grow(func() *ir.Value { return d.b.Add(x.v, y.v) }, x.mag+y.mag, sumOff(x, y))
	case "sub":
		grow(func() *ir.Value { return d.b.Sub(x.v, y.v) }, x.mag+y.mag, sumOff(x, y))
	case "mul":
		grow(func() *ir.Value { return d.b.Mul(x.v, y.v) }, x.mag*y.mag, x.mag*y.off+y.mag*x.off+x.off*y.off+eps*x.mag*y.mag)
	case "div": // by |y|+1: at least 1
		grow(func() *ir.Value {
			return d.b.Div(x.v, d.b.Add(d.b.Abs(y.v), d.b.SplatLike(y.v, 1)))
		}, x.mag, x.off+x.mag*y.off+eps*x.mag*(2+y.mag))
	case "max":
		d.add(d.b.Max(x.v, y.v), max(x.mag, y.mag), max(x.off, y.off))
	case "min":
		d.add(d.b.Min(x.v, y.v), max(x.mag, y.mag), max(x.off, y.off))
	case "clamp":
		s := func(v float64) *ir.Value { return d.b.Splat(ir.T(ir.F32), v) }
		d.add(d.b.Clamp(s(-1), x.v, s(2.5)), 2.5, x.off)
	}
}

// sumOff is the bound of a sum: exact operands are multiples of a quarter and add exactly.
func sumOff(x, y bounded) float64 {
	if sharp(x) && sharp(y) && x.mag+y.mag < 1<<20 {
		return 0
	}
	return x.off + y.off + eps*(x.mag+y.mag)
}

func (d *drawing) compare() {
	x := pick(d, d.of(func(x bounded) bool { return calc(x) && sharp(x) }))
	y := pick(d, d.of(func(y bounded) bool { return y.v.Type() == x.v.Type() && sharp(y) }))
	d.add(d.b.Compare(pick(d, ir.Directions()), x.v, y.v), 1, 0)
}

func (d *drawing) choose() {
	x := pick(d, d.of(any1))
	y := pick(d, d.of(func(y bounded) bool { return y.v.Type() == x.v.Type() }))
	cond := d.of(func(c bounded) bool {
		return c.v.Type().DType() == ir.I1 && c.v.Type().SameShape(x.v.Type())
	})
	if len(cond) > 0 {
		d.add(d.b.Select(pick(d, cond).v, x.v, y.v), max(x.mag, y.mag), max(x.off, y.off))
	}
}

func (d *drawing) convert() {
	x := pick(d, d.of(any1))
	from := x.v.Type().DType()
	switch to := pick(d, []ir.DType{ir.I1, ir.U8, ir.I8, ir.I32, ir.BF16, ir.F16, ir.F32}); {
	case from == to, to == ir.F16 && x.mag > 6e4:
	case (to == ir.BF16 || to == ir.F16) && from != ir.F32, (from == ir.BF16 || from == ir.F16) && to != ir.F32:
	case to == ir.F32:
		off := x.off
		if x.mag > 1<<24 {
			off = x.mag * eps
		}
		d.add(d.b.Convert(x.v, to), x.mag, off)
	case to == ir.BF16 || to == ir.F16:
		if unsigned(x.v) || integral(x.v) {
			return // an integer must not be converted on to a storage type
		}
		d.add(d.b.Convert(x.v, to), x.mag*1.01, x.off+x.mag/128)
	case from.IsFloat() && (!sharp(x) || x.mag > 100 || to == ir.U8): // would jump or be out of range
	default:
		d.add(d.b.Convert(x.v, to), max(1, x.mag), 0)
	}
}

// move applies an operation that only moves elements.
func (d *drawing) move() {
	x := pick(d, d.of(any1))
	s := x.v.Shape()
	rank := len(s)
	var v *ir.Value
	switch pick(d, []string{"reshape", "transpose", "reverse", "slice", "broadcast", "pad", "dynamic_slice", "gather"}) {
	case "reshape":
		v = d.b.Reshape(x.v, 1, x.v.Type().Elems())
	case "transpose":
		v = d.b.Transpose(x.v, rapid.Permutation(upTo(rank)).Draw(d.t, "perm")...)
	case "reverse":
		if rank > 0 && x.v.Type().DType() != ir.U8 {
			v = d.b.Reverse(x.v, d.int(0, rank-1))
		}
	case "slice":
		start, limit, stride := make([]int, rank), make([]int, rank), make([]int, rank)
		for i, n := range s {
			start[i] = d.int(0, n-1)
			limit[i], stride[i] = d.int(start[i]+1, n), d.int(1, 2)
		}
		v = d.b.StridedSlice(x.v, start, limit, stride)
	case "broadcast":
		if rank < 4 {
			v = d.b.Broadcast(x.v, append([]int{2}, s...), seq(1, rank)...)
		}
	case "pad":
		if calc(x) {
			low, high := make([]int, rank), make([]int, rank)
			for i := range s {
				low[i], high[i] = d.int(0, 2), d.int(0, 2)
			}
			v = d.b.Pad(x.v, d.b.Splat(ir.T(x.v.Type().DType()), 3), low, high)
			x.mag = max(x.mag, 3)
		}
	case "dynamic_slice":
		var starts []*ir.Value
		sizes := make([]int, rank)
		for i, n := range s {
			starts = append(starts, d.b.Splat(ir.T(ir.I32), float64(d.int(-1, n))))
			sizes[i] = d.int(1, n)
		}
		v = d.b.DynamicSlice(x.v, starts, sizes...)
	case "gather":
		if idx := d.indices(); rank > 0 && rank+idx.Type().Rank() < 6 {
			v = d.b.GatherRows(x.v, idx)
		}
	}
	if v != nil {
		d.add(v, x.mag, x.off)
	}
}

// indices is an I32 argument; gather clamps what lies outside. Not a computed value: it may turn
// out to be constant (x-x), see [ir.GatherRows].
func (d *drawing) indices() *ir.Value {
	return pick(d, d.of(func(x bounded) bool {
		_, isArg := x.v.Op().(ir.Argument)
		return isArg && x.v.Type().DType() == ir.I32
	})).v
}

// join puts two values together.
func (d *drawing) join() {
	x := pick(d, d.of(func(x bounded) bool { return x.v.Type().Rank() > 0 }))
	y := pick(d, d.of(func(y bounded) bool { return y.v.Type() == x.v.Type() }))
	v := d.b.Concat(d.int(0, x.v.Type().Rank()-1), x.v, y.v)
	d.add(v, max(x.mag, y.mag), max(x.off, y.off))
}

// rows updates rows of an argument, as caches are, by another argument: iree-compile 3.13
// rejects a scatter that is fused with a producer of its operands that has other uses too
// ("restricted to workgroup distributed contexts").
func (d *drawing) rows() {
	x := pick(d, d.of(func(x bounded) bool { _, isArg := x.v.Op().(ir.Argument); return isArg }))
	y := pick(d, d.of(func(y bounded) bool { return y.v.Type() == x.v.Type() }))
	if _, isArg := y.v.Op().(ir.Argument); !isArg || y.v == x.v {
		return
	}
	n := x.v.Type().Dim(0)
	mag, off := max(x.mag, y.mag), max(x.off, y.off)
	if d.int(0, 1) == 0 {
		index := make([]float64, n)
		for i, p := range rapid.Permutation(upTo(n)).Draw(d.t, "rows") {
			index[i] = float64(p)
		}
		d.add(d.b.ScatterRows(x.v, d.b.Dense(ir.T(ir.I32, n), index...), y.v, true), mag, off)
		return
	}
	starts := []*ir.Value{d.b.Splat(ir.T(ir.I32), float64(d.int(-1, n)))}
	for range x.v.Type().Rank() - 1 {
		starts = append(starts, d.b.Splat(ir.T(ir.I32), 0))
	}
	d.add(d.b.DynamicUpdateSlice(x.v, d.b.SliceDim(y.v, 0, 0, 1), starts...), mag, off)
}

// unsigned reports whether x may be a conversion from an unsigned type, which a dot product
// must not read.
func unsigned(x *ir.Value) bool {
	t := x.Type().DType()
	return t == ir.U8 || t == ir.I1 || len(x.Args()) > 0 && unsigned(x.Args()[0])
}

// integral reports whether x may be a conversion from an integer.
func integral(x *ir.Value) bool {
	return x.Type().DType().IsInt() || len(x.Args()) > 0 && integral(x.Args()[0])
}

func (d *drawing) dot() {
	multipliable := func(x bounded) bool {
		t := x.v.Type()
		return (t.DType() == ir.F32 || t.DType() == ir.BF16 || t.DType() == ir.F16) && t.Rank() > 0 && x.mag < 300 && !unsigned(x.v)
	}
	if len(d.of(multipliable)) == 0 {
		return
	}
	x := pick(d, d.of(multipliable))
	y := pick(d, d.of(func(y bounded) bool { return y.v.Type().DType() == x.v.Type().DType() && multipliable(y) }))
	// Contract the first pair of equal sizes, batch over the next.
	var dims ir.DotGeneral
	usedR := map[int]bool{}
	for i, n := range x.v.Shape() {
		for j, m := range y.v.Shape() {
			if n != m || usedR[j] || len(dims.LHSBatch) > 0 {
				continue
			}
			if len(dims.LHSContract) == 0 {
				dims.LHSContract, dims.RHSContract = []int{i}, []int{j}
			} else {
				dims.LHSBatch, dims.RHSBatch = []int{i}, []int{j}
			}
			usedR[j] = true
			break
		}
	}
	if len(dims.LHSContract) == 0 || x.v.Type().Rank()+y.v.Type().Rank() > 6 {
		return
	}
	k := float64(x.v.Type().Dim(dims.LHSContract[0]))
	if k == 1 && !float(x) {
		return // the compiler refuses such a product of f16
	}
	mag := k * x.mag * y.mag
	off := k*(x.mag*y.off+y.mag*x.off+x.off*y.off) + k*eps*mag
	if mag < 1e5 && off < 1e-1 {
		d.add(d.b.Dot(x.v, y.v, dims), mag, off)
	}
}

func (d *drawing) reduce() {
	x := pick(d, d.of(func(x bounded) bool { return calc(x) && x.v.Type().Rank() > 0 }))
	t := x.v.Type()
	dim := d.int(0, t.Rank()-1)
	n := float64(t.Dim(dim))
	switch pick(d, []string{"add", "max", "min", "argmax", "or"}) {
	case "add":
		off := n*x.off + n*eps*x.mag*n
		if !float(x) || sharp(x) && n*x.mag < 1<<20 {
			off = 0
		}
		if x.mag *= n; x.mag < 1e5 || !float(x) {
			d.add(d.b.Reduce(ir.ReduceAdd, x.v, dim), x.mag, off)
		}
	case "max":
		d.add(d.b.Reduce(ir.ReduceMax, x.v, dim), x.mag, x.off)
	case "min":
		d.add(d.b.Reduce(ir.ReduceMin, x.v, dim), x.mag, x.off)
	case "argmax":
		if sharp(x) {
			d.add(d.b.ArgMax(x.v, dim), n, 0)
		}
	case "or":
		if !float(x) {
			d.add(d.b.Reduce(pick(d, []ir.ReduceFn{ir.ReduceAnd, ir.ReduceOr}), x.v, dim), 1<<31, 0)
		}
	}
}

func seq(from, n int) []int {
	s := make([]int, n)
	for i := range s {
		s[i] = from + i
	}
	return s
}

func upTo(n int) []int { return seq(0, n) }
