package kernel

import (
	"fmt"
	"math"
	"strings"

	"github.com/hlocc/hlocc/lower/ir"
)

// Activations prepares rows of activations for linears of grouped weights: normalizes
// them, pads them with zeros to whole groups, quantizes them to int8.
//
//	x f32[T,K] [, weight f32[K] [, bias f32[K]]] -> f32[T,64G], or (i8[T,64G], f32[2,T,G])
//
// with G = K/64 rounded up. Quantized, with a = max|x| of a row's group: the scale is a/127, as a product with the
// float32 nearest to 1/127; the elements are x*(127/a), rounded to nearest, ties to even; and
// the second result holds all scales, then all products of a scale with the sum of its 64 elements.
// Groups with a < 2^-100 count as zeros, long before 127/a overflows and before scales become
// denormal: runtimes differ in whether they flush those to zero.
type Activations struct {
	T, K      int
	Normalize bool
	Norm      ir.Norm // if Normalize
	Params    int     // how many of weight and bias there are
	Quantize  bool
}

// tiny is the smallest max|x| of a group that is not all zeros.
const tiny = ir.TinyGroup

// inverse127 is 1/127 in float32, exactly.
var inverse127 = float64(float32(1.0 / 127))

// Name implements [ir.Kernel].
func (k Activations) Name() string {
	name := fmt.Sprintf("activations_%dx%d", k.T, k.K)
	if k.Normalize {
		name += fmt.Sprintf("_%s_%x%s_%d", flag(k.Norm.Centered, "layer")+flag(!k.Norm.Centered, "rms"), math.Float64bits(k.Norm.Eps), flag(k.Norm.UnitOffset, "_unit"), k.Params)
	}
	return name + flag(k.Quantize, "_i8")
}

// flag is s if on.
func flag(on bool, s string) string {
	if on {
		return s
	}
	return ""
}

// Infer implements [ir.Kernel].
func (k Activations) Infer(args []ir.Type) ([]ir.Type, error) {
	if err := k.check(); err != nil {
		return nil, err
	}
	if err := wantTypes(args, k.operands()); err != nil {
		return nil, err
	}
	return activationTypes(k.T, k.K, k.Quantize), nil
}

func (k Activations) check() error {
	if k.T < 1 || k.K < 1 {
		return fmt.Errorf("%d rows of %d", k.T, k.K)
	}
	if k.Params < 0 || k.Params > 2 || !k.Normalize && (k.Params > 0 || k.Norm != ir.Norm{}) {
		return fmt.Errorf("norm %+v of %d operands", k.Norm, k.Params)
	}
	return nil
}

// operands are x, weight and bias, as far as there are any.
func (k Activations) operands() []binding {
	all := []binding{{"x", ir.T(ir.F32, k.T, k.K)}, {"weight", ir.T(ir.F32, k.K)}, {"bias", ir.T(ir.F32, k.K)}}
	return all[:1+k.Params]
}

// activationTypes are the types of t rows of activations of width k, as linears take them.
func activationTypes(t, k int, quantized bool) []ir.Type {
	g := ir.CeilDiv(k, ir.GroupSize)
	if quantized {
		return []ir.Type{ir.T(ir.I8, t, g*ir.GroupSize), ir.T(ir.F32, 2, t, g)}
	}
	return []ir.Type{ir.T(ir.F32, t, g*ir.GroupSize)}
}

// activationBindings are bindings of these types.
func activationBindings(t, k int, quantized bool) []binding {
	types := activationTypes(t, k, quantized)
	if quantized {
		return []binding{{"xq", types[0]}, {"xs", types[1]}}
	}
	return []binding{{"xp", types[0]}}
}

// padded is k, rounded up to whole groups.
func padded(k int) int { return ir.CeilDiv(k, ir.GroupSize) * ir.GroupSize }

// wantTypes says which operand is not what the kernel takes.
func wantTypes(args []ir.Type, want []binding) error {
	if len(args) != len(want) {
		var names []string
		for _, w := range want {
			names = append(names, fmt.Sprintf("%s %v", w.hint, w.typ))
		}
		return fmt.Errorf("%d operands, want %s", len(args), strings.Join(names, ", "))
	}
	for i, w := range want {
		if args[i] != w.typ {
			return fmt.Errorf("operand %s is %v, must be %v", w.hint, args[i], w.typ)
		}
	}
	return nil
}

// Ties implements [ir.Kernel].
func (Activations) Ties() []int { return nil }

// Reference implements [ir.Kernel].
func (k Activations) Reference(b *ir.Builder, args []*ir.Value) []*ir.Value {
	x := k.normalized(b, args)
	if pad := padded(k.K) - k.K; pad > 0 {
		x = b.Pad(x, b.Splat(ir.T(ir.F32), 0), []int{0, 0}, []int{0, pad})
	}
	if !k.Quantize {
		return []*ir.Value{x}
	}
	return quantizedRows(b, x, k.T, ir.CeilDiv(k.K, ir.GroupSize))
}

func (k Activations) normalized(b *ir.Builder, args []*ir.Value) *ir.Value {
	x := args[0]
	if !k.Normalize {
		return x
	}
	rows, full := ir.T(ir.F32, k.T), []int{k.T, k.K}
	mean := func(v *ir.Value) *ir.Value { return b.Div(b.Reduce(ir.ReduceAdd, v, 1), b.Splat(rows, float64(k.K))) }
	if k.Norm.Centered {
		x = b.Sub(x, b.Broadcast(mean(x), full, 0))
	}
	r := b.Rsqrt(b.Add(mean(b.Mul(x, x)), b.Splat(rows, k.Norm.Eps)))
	x = b.Mul(x, b.Broadcast(r, full, 0))
	if k.Params > 0 {
		w := args[1]
		if k.Norm.UnitOffset {
			w = b.Add(w, b.SplatLike(w, 1))
		}
		x = b.Mul(x, b.Broadcast(w, full, 1))
	}
	if k.Params > 1 {
		x = b.Add(x, b.Broadcast(args[2], full, 1))
	}
	return x
}

// quantizedRows quantizes x f32[t,64g] as Activations says.
func quantizedRows(b *ir.Builder, x *ir.Value, t, g int) []*ir.Value {
	groups := ir.T(ir.F32, t, g)
	shape := []int{t, g, ir.GroupSize}
	x = b.Reshape(x, shape...)
	a := b.Reduce(ir.ReduceMax, b.Abs(x), 2)
	some, zero := b.Compare(ir.GE, a, b.Splat(groups, tiny)), b.Splat(groups, 0)
	inverse := b.Select(some, b.Div(b.Splat(groups, 127), a), zero)
	rounded := b.Round(b.Mul(x, b.Broadcast(inverse, shape, 0, 1)))
	scale := b.Select(some, b.Mul(a, b.Splat(groups, inverse127)), zero)
	sum := b.Mul(scale, b.Reduce(ir.ReduceAdd, rounded, 2))
	return []*ir.Value{
		b.Reshape(b.Convert(rounded, ir.I8), t, g*ir.GroupSize),
		b.Concat(0, b.Reshape(scale, 1, t, g), b.Reshape(sum, 1, t, g)),
	}
}
