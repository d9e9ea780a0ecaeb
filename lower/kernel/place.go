package kernel

import (
	"fmt"
	"math"
	"slices"

	"github.com/hlocc/hlocc/lower/ir"
)

// Place brings the projections of attention to where they belong: queries and keys are
// normalized (if QKNorm says so) and rotated, keys and values go into the caches.
//
//	qkv f32[T,(Heads+2*KVHeads)*D]: the queries of all heads, then the keys, then the values
//	cos, sin f32[T,Dims/2], not there if Dims is 0
//	rows i32[T]: the row of the caches for each; in range and all different
//	keys, values KV[Rows,KVHeads,D], updated in place
//	q_norm, k_norm f32[D], with QKNorm.On
//	scale f32[T], with QScale
//	-> queries f32[T,Heads,D], keys, values
//
// For the rotation see [ir.Rotate], for the norm, which comes before it, [ir.Norm]. The
// queries are multiplied by scale last of all.
type Place struct {
	T, Heads, KVHeads, D int
	Dims                 int // rotated elements of a head, 0 for none
	Interleaved          bool
	Rows                 int // of the caches, those of all slots
	QKNorm               QKNorm
	QScale               bool
	KV                   ir.DType // F32 or F16
}

// QKNorm is the norm of queries and keys, over each head: x*rsqrt(mean(x²) + Eps) * w, or
// * (1+w) with UnitOffset. The zero value is none.
type QKNorm struct {
	On         bool
	Eps        float64
	UnitOffset bool
}

// Name implements [ir.Kernel].
func (k Place) Name() string {
	name := fmt.Sprintf("place_%dx%dx%dx%d_rope%d%s_rows%d", k.T, k.Heads, k.KVHeads, k.D, k.Dims, flag(k.Interleaved, "i"), k.Rows)
	if n := k.QKNorm; n != (QKNorm{}) {
		name += fmt.Sprintf("_norm_%x%s%s", math.Float64bits(n.Eps), flag(n.UnitOffset, "_unit"), flag(!n.On, "_off"))
	}
	return name + flag(k.QScale, "_scaled") + "_" + k.KV.String()
}

// Infer implements [ir.Kernel].
func (k Place) Infer(args []ir.Type) ([]ir.Type, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	operands := k.operands()
	if err := wantTypes(args, operands); err != nil {
		return nil, err
	}
	keys := args[k.Ties()[1]]
	return []ir.Type{k.queries().typ, keys, keys}, nil
}

func (k Place) check() error {
	if k.T < 1 || k.Heads < 1 || k.KVHeads < 1 || k.D < 1 || k.Rows < 1 || k.Dims < 0 || k.Dims > k.D || k.Dims%2 != 0 {
		return fmt.Errorf("%+v", k)
	}
	if !k.QKNorm.On && k.QKNorm != (QKNorm{}) {
		return fmt.Errorf("norm %+v", k.QKNorm)
	}
	return checkCache(k.KV)
}

// checkCache reports an element type that caches do not have.
func checkCache(d ir.DType) error {
	if d != ir.F32 && d != ir.F16 {
		return fmt.Errorf("a cache of %v", d)
	}
	return nil
}

// supportsCache reports why an instruction set cannot work on caches of type d.
func supportsCache(d ir.DType, isa ISA) error {
	if d == ir.F16 && isa.Level == Generic.Level {
		return fmt.Errorf("%s converts f16 by library calls, which modules cannot make", isa.Level)
	}
	return nil
}

// Supports says why there is no text for an instruction set.
func (k Place) Supports(isa ISA) error {
	if err := k.check(); err != nil {
		return err
	}
	return supportsCache(k.KV, isa)
}

func (k Place) operands() []binding {
	list := []binding{{"qkv", ir.T(ir.F32, k.T, (k.Heads+2*k.KVHeads)*k.D)}}
	if k.Dims > 0 {
		table := ir.T(ir.F32, k.T, k.Dims/2)
		list = append(list, binding{"cos", table}, binding{"sin", table})
	}
	cache := ir.T(k.KV, k.Rows, k.KVHeads, k.D)
	list = append(list, binding{"rows", ir.T(ir.I32, k.T)}, binding{"keys", cache}, binding{"values", cache})
	if k.QKNorm.On {
		list = append(list, binding{"q_norm", ir.T(ir.F32, k.D)}, binding{"k_norm", ir.T(ir.F32, k.D)})
	}
	if k.QScale {
		list = append(list, binding{"scale", ir.T(ir.F32, k.T)})
	}
	return list
}

// queries is the first result.
func (k Place) queries() binding { return binding{"queries", ir.T(ir.F32, k.T, k.Heads, k.D)} }

// Ties implements [ir.Kernel].
func (k Place) Ties() []int {
	if k.Dims == 0 {
		return []int{-1, 2, 3}
	}
	return []int{-1, 4, 5}
}

// Reference implements [ir.Kernel].
func (k Place) Reference(b *ir.Builder, args []*ir.Value) []*ir.Value {
	arg := map[string]*ir.Value{}
	for i, o := range k.operands() {
		arg[o.hint] = args[i]
	}
	x := b.Reshape(arg["qkv"], k.T, k.Heads+2*k.KVHeads, k.D)
	part := func(from, heads int) *ir.Value { return b.SliceDim(x, 1, from, from+heads) }
	place := func(x *ir.Value, norm string) *ir.Value {
		if k.QKNorm.On {
			x = k.normalized(b, x, arg[norm])
		}
		if k.Dims > 0 {
			x = k.rotated(b, x, arg["cos"], arg["sin"])
		}
		return x
	}
	queries, keys, values := place(part(0, k.Heads), "q_norm"), place(part(k.Heads, k.KVHeads), "k_norm"), part(k.Heads+k.KVHeads, k.KVHeads)
	if k.QScale {
		queries = b.Mul(queries, b.Broadcast(arg["scale"], queries.Shape(), 0))
	}
	store := func(cache, x *ir.Value) *ir.Value { return b.ScatterRows(cache, arg["rows"], b.Convert(x, k.KV), true) }
	return []*ir.Value{queries, store(arg["keys"], keys), store(arg["values"], values)}
}

func (k Place) normalized(b *ir.Builder, x, w *ir.Value) *ir.Value {
	sum := b.Reduce(ir.ReduceAdd, b.Mul(x, x), 2)
	r := b.Rsqrt(b.Add(b.Div(sum, b.SplatLike(sum, float64(k.D))), b.SplatLike(sum, k.QKNorm.Eps)))
	if k.QKNorm.UnitOffset {
		w = b.Add(w, b.SplatLike(w, 1))
	}
	return b.Mul(b.Mul(x, b.Broadcast(r, x.Shape(), 0, 1)), b.Broadcast(w, x.Shape(), 2))
}

// rotated takes the pairs (a, b) apart into two tensors.
func (k Place) rotated(b *ir.Builder, x, cos, sin *ir.Value) *ir.Value {
	heads, half := x.Type().Dim(1), k.Dims/2
	shape, pair := []int{k.T, heads, 2, half}, 2
	if k.Interleaved {
		shape, pair = []int{k.T, heads, half, 2}, 3
	}
	pairs := b.Reshape(b.SliceDim(x, 2, 0, k.Dims), shape...)
	of := func(i int) *ir.Value { return b.Reshape(b.SliceDim(pairs, pair, i, i+1), k.T, heads, half) }
	first, second := of(0), of(1)
	cos, sin = b.Broadcast(cos, first.Shape(), 0, 2), b.Broadcast(sin, first.Shape(), 0, 2)
	one := slices.Clone(shape)
	one[pair] = 1
	y := b.Concat(pair,
		b.Reshape(b.Sub(b.Mul(first, cos), b.Mul(second, sin)), one...),
		b.Reshape(b.Add(b.Mul(second, cos), b.Mul(first, sin)), one...))
	y = b.Reshape(y, k.T, heads, k.Dims)
	if k.Dims < k.D {
		y = b.Concat(2, y, b.SliceDim(x, 2, k.Dims, k.D))
	}
	return y
}
