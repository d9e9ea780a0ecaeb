package ir

import (
	"errors"
	"fmt"
	"math"
	"strings"
)

// The operations of this file are high: they say what is meant, in the terms of the
// model, and have no StableHLO form. A pass rewrites them to portable operations, or to
// kernels of ours.

// HighOps has one exemplar of every high operation, attributes unset.
func HighOps() []Op {
	return []Op{QuantizedLinear{}, Norm{}, Activate{}, Rotate{}, Attention{}}
}

// TinyGroup is the largest magnitude below which a group of activations rounds to zeros.
const TinyGroup = 0x1p-100

// GroupSize is how many inputs of a row share one scale and one offset.
const GroupSize = 64

// LaneRows is how many rows of a quantized matrix lie side by side.
const LaneRows = 16

// CeilDiv is n/d, rounded up.
func CeilDiv(n, d int) int { return (n + d - 1) / d }

// QuantizedTypes are the types of a quantized matrix [rows,cols] of 4 or 8 bits as it is
// stored: q, and scale and offset of type params; with experts > 0 a stack of them.
//
// With NB = rows/16 and G = cols/64, rounded up, row 16*b+r and column k = 64*g+j: 4-bit
// values lie in q u8[NB][G][8][16][4], where byte [b][g][p][r][c] holds j = 4p+c in its
// low and j = 32+4p+c in its high half; 8-bit values in q u8[NB][G][16][16][4], where
// [b][g][p][r][c] is j = 4p+c. Scale and offset are [NB][G][16]. An element is
// scale*q + offset. Columns from cols on count as 0, and rows from rows on are not used.
func QuantizedTypes(bits, rows, cols, experts int, params DType) (q, scale Type) {
	nb, g := CeilDiv(rows, LaneRows), CeilDiv(cols, GroupSize)
	var stack []int
	if experts > 0 {
		stack = []int{experts}
	}
	return T(U8, append(stack, nb, g, 2*bits, LaneRows, 4)...), T(params, append(stack[:len(stack):len(stack)], nb, g, LaneRows)...)
}

// QuantizedLinear is x·Wᵀ for a quantized matrix W [Out,K]: operands x f32[T,K], then q,
// scale and offset as [QuantizedTypes] has them; result f32[T,Out]. With Experts a fifth
// operand i32[T] says which matrix of the stack belongs to each row.
//
// With Int8 each row of x is first rounded, by groups of 64 columns, to 8 bits: with
// a = max|x| of the group and s = a*(1/127), x becomes s*xq for xq = round(x*(127/a)),
// ties to even, and 0 where a < 2^-100, long before 127/a overflows. The sum of the
// products q*xq is then exact.
type QuantizedLinear struct {
	Bits    int
	Out     int
	Int8    bool
	Experts int
}

// Mnemonic implements [Op].
func (QuantizedLinear) Mnemonic() string { return "quantized_linear" }

func (o QuantizedLinear) infer(args []Type) (Type, error) {
	want := 4
	if o.Experts > 0 {
		want++
	}
	if len(args) != want {
		return Type{}, arity(want, args)
	}
	if o.Bits != 4 && o.Bits != 8 || o.Out < 1 {
		return Type{}, fmt.Errorf("%d bits and %d rows", o.Bits, o.Out)
	}
	x, params := args[0], args[2].dtype
	if x.dtype != F32 || x.Rank() != 2 || params != F16 && params != F32 {
		return Type{}, fmt.Errorf("rows %v with scales of %v", x, params)
	}
	q, scale := QuantizedTypes(o.Bits, o.Out, x.Dim(1), o.Experts, params)
	if args[1] != q || args[2] != scale || args[3] != scale {
		return Type{}, fmt.Errorf("a matrix of %v, %v and %v, must be %v, %v and %v", args[1], args[2], args[3], q, scale, scale)
	}
	if o.Experts > 0 && args[4] != T(I32, x.Dim(0)) {
		return Type{}, fmt.Errorf("experts %v for rows %v", args[4], x)
	}
	t := T(F32, x.Dim(0), o.Out)
	return t, t.Check()
}

func (o QuantizedLinear) attrs() string {
	s := fmt.Sprintf("bits=%d", o.Bits)
	if o.Int8 {
		s += " act=i8-g64"
	}
	if o.Experts > 0 {
		s += fmt.Sprintf(" experts=%d", o.Experts)
	}
	return s
}

// Norm normalizes over the last dimension of x, of size n: y = x*rsqrt(mean(x²) + Eps),
// of x - mean(x) if Centered (LayerNorm; without it RMSNorm). The second operand, if there
// is one, is a weight and the third a bias, both of the shape of x's last dimensions, of
// any float type: y*w + b, or y*(1+w) + b with UnitOffset.
type Norm struct {
	Centered   bool
	Eps        float64
	UnitOffset bool
}

// Mnemonic implements [Op].
func (Norm) Mnemonic() string { return "norm" }

func (o Norm) infer(args []Type) (Type, error) {
	if len(args) < 1 || len(args) > 3 {
		return Type{}, arity(1, args)
	}
	x := args[0]
	if x.dtype != F32 || x.Rank() == 0 {
		return Type{}, undefinedFor(x.dtype)
	}
	for _, p := range args[1:] {
		if !p.dtype.IsFloat() || p.Rank() == 0 || p.Rank() > x.Rank() {
			return Type{}, fmt.Errorf("weight %v for %v", p, x)
		}
		for i := range p.Rank() {
			if p.Dim(i) != x.Dim(x.Rank()-p.Rank()+i) {
				return Type{}, fmt.Errorf("weight %v for %v", p, x)
			}
		}
	}
	return x, nil
}

func (o Norm) attrs() string {
	s := fmt.Sprintf("eps=%v", o.Eps)
	if o.Centered {
		s += " centered"
	}
	if o.UnitOffset {
		s += " unit_offset"
	}
	return s
}

// ActivateFn is an activation that kernels know.
type ActivateFn uint8

// The activations: x*logistic(x), and GELU's approximation by tanh,
// 0.5*x*(1 + tanh(sqrt(2/π)*(x + 0.044715*x³))).
const (
	SiLU ActivateFn = iota + 1
	GELUTanh
)

func (f ActivateFn) String() string {
	switch f {
	case SiLU:
		return "silu"
	case GELUTanh:
		return "gelu_tanh"
	}
	return "invalid"
}

// Portable is the activation of x by portable operations.
func (f ActivateFn) Portable(b *Builder, x *Value) *Value {
	if f == SiLU {
		return b.Mul(x, b.Logistic(x))
	}
	cube := b.Mul(b.Mul(x, x), x)
	inner := b.Mul(b.Add(x, b.Mul(cube, b.SplatLike(x, 0.044715))), b.SplatLike(x, math.Sqrt(2/math.Pi)))
	return b.Mul(b.Mul(x, b.SplatLike(x, 0.5)), b.Add(b.Tanh(inner), b.SplatLike(x, 1)))
}

// Activate applies an activation to every element.
type Activate struct{ Fn ActivateFn }

// Mnemonic implements [Op].
func (o Activate) Mnemonic() string { return "activate" }

func (o Activate) infer(args []Type) (Type, error) {
	if len(args) != 1 {
		return Type{}, arity(1, args)
	}
	if o.Fn != SiLU && o.Fn != GELUTanh {
		return Type{}, errors.New("unknown activation")
	}
	if args[0].dtype != F32 {
		return Type{}, undefinedFor(args[0].dtype)
	}
	return args[0], nil
}

func (o Activate) attrs() string { return o.Fn.String() }

// Rotate is the rotary position embedding of x f32[T,heads,D]: operands x, cos and sin
// f32[T,n/2]. The first n elements of each head are pairs (a,b), halves of the n or, with
// Interleaved, neighbours; a pair becomes (a·cos - b·sin, b·cos + a·sin).
type Rotate struct{ Interleaved bool }

// Mnemonic implements [Op].
func (Rotate) Mnemonic() string { return "rotate" }

func (o Rotate) infer(args []Type) (Type, error) {
	if len(args) != 3 {
		return Type{}, arity(3, args)
	}
	x, cos := args[0], args[1]
	if x.dtype != F32 || x.Rank() != 3 {
		return Type{}, undefinedFor(x.dtype)
	}
	if cos != args[2] || cos.dtype != F32 || cos.Rank() != 2 || cos.Dim(0) != x.Dim(0) || 2*cos.Dim(1) > x.Dim(2) {
		return Type{}, fmt.Errorf("tables %v and %v for %v", cos, args[2], x)
	}
	return x, nil
}

func (o Rotate) attrs() string {
	if o.Interleaved {
		return "interleaved"
	}
	return ""
}

// Attention is grouped-query attention: softmax(q·kᵀ * Scale) · v over the keys that the
// mask shows. Operands are q f32[T,heads,D], the key and value caches [Slots*Rows,K,D]
// (the same value, if keys are values), the mask i1[T,Context], the rows' positions i32[T]
// and, with Sinks, scores f32[K,heads/K] that take part in the softmax and have no
// value. The result is [T,heads*D].
//
// Row t sees rows slot*Rows+j of the caches for those j that the mask shows; slot is t if
// there are several, 0 otherwise. The mask is redundant: it shows j <= position and, with a
// Window, j > position-Window. It is shared between layers, which portable code wants;
// kernels go by the position.
type Attention struct {
	Scale   float64
	Softcap float64 // c*tanh(score/c), 0 for none
	Window  int     // 0 for none
	Context int
	Rows    int
	Slots   int
	Sinks   bool
}

// Mnemonic implements [Op].
func (Attention) Mnemonic() string { return "attention" }

func (o Attention) infer(args []Type) (Type, error) {
	want := 5
	if o.Sinks {
		want++
	}
	if len(args) != want {
		return Type{}, arity(want, args)
	}
	q, keys := args[0], args[1]
	if q.dtype != F32 || q.Rank() != 3 || keys.Rank() != 3 || keys != args[2] || !keys.dtype.IsFloat() {
		return Type{}, fmt.Errorf("queries %v, keys %v, values %v", q, keys, args[2])
	}
	rows, heads, d := q.Dim(0), q.Dim(1), q.Dim(2)
	if keys.Dim(2) != d || heads%keys.Dim(1) != 0 || o.Slots < 1 || keys.Dim(0) != o.Slots*o.Rows || o.Context > o.Rows ||
		o.Slots > 1 && o.Slots != rows {
		return Type{}, fmt.Errorf("queries %v, keys %v of %d slots", q, keys, o.Slots)
	}
	if args[3] != T(I1, rows, o.Context) || args[4] != T(I32, rows) {
		return Type{}, fmt.Errorf("mask %v and positions %v for queries %v", args[3], args[4], q)
	}
	if o.Sinks && args[5] != T(F32, keys.Dim(1), heads/keys.Dim(1)) {
		return Type{}, fmt.Errorf("sinks %v for queries %v, keys %v", args[5], q, keys)
	}
	t := T(F32, rows, heads*d)
	return t, t.Check()
}

func (o Attention) attrs() string {
	s := []string{fmt.Sprintf("scale=%v context=%d rows=%d", o.Scale, o.Context, o.Rows)}
	if o.Softcap != 0 {
		s = append(s, fmt.Sprintf("softcap=%v", o.Softcap))
	}
	if o.Window != 0 {
		s = append(s, fmt.Sprintf("window=%d", o.Window))
	}
	if o.Slots > 1 {
		s = append(s, fmt.Sprintf("slots=%d", o.Slots))
	}
	if o.Sinks {
		s = append(s, "sinks")
	}
	return strings.Join(s, " ")
}
