package ir

import (
	"errors"
	"strings"
	"testing"
)

func TestRMSNormPrints(t *testing.T) {
	b := New("norm")
	x := b.Arg("x", "x", T(F32, 2, 4))
	n := b.At("layers.0").At("attn_norm")
	w := n.Convert(n.Param("layers.0.attn_norm.weight", T(BF16, 4)), F32)
	sum := n.Reduce(ReduceAdd, n.Mul(x, x), 1)
	mean := n.Mul(sum, n.SplatLike(sum, 0.25))
	r := n.Rsqrt(n.Add(mean, n.SplatLike(mean, 1e-5)))
	y := n.Mul(n.Mul(x, n.Broadcast(r, []int{2, 4}, 0)), n.Broadcast(w, []int{2, 4}, 1))
	b.Result("y", y)
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	const want = `graph norm
  %x : f32[2,4] = arg {role=x}
  %layers.0.attn_norm.weight : bf16[4] = param {key=layers.0.attn_norm.weight}
  %layers.0.attn_norm.convert : f32[4] = convert %layers.0.attn_norm.weight
  %layers.0.attn_norm.mul : f32[2,4] = mul %x, %x
  %layers.0.attn_norm.reduce_add : f32[2] = reduce_add %layers.0.attn_norm.mul {dims=[1]}
  %layers.0.attn_norm.const : f32[2] = const {0.25}
  %layers.0.attn_norm.mul.1 : f32[2] = mul %layers.0.attn_norm.reduce_add, %layers.0.attn_norm.const
  %layers.0.attn_norm.const.1 : f32[2] = const {1e-05}
  %layers.0.attn_norm.add : f32[2] = add %layers.0.attn_norm.mul.1, %layers.0.attn_norm.const.1
  %layers.0.attn_norm.rsqrt : f32[2] = rsqrt %layers.0.attn_norm.add
  %layers.0.attn_norm.broadcast : f32[2,4] = broadcast %layers.0.attn_norm.rsqrt {dims=[0]}
  %layers.0.attn_norm.mul.2 : f32[2,4] = mul %x, %layers.0.attn_norm.broadcast
  %layers.0.attn_norm.broadcast.1 : f32[2,4] = broadcast %layers.0.attn_norm.convert {dims=[1]}
  %layers.0.attn_norm.mul.3 : f32[2,4] = mul %layers.0.attn_norm.mul.2, %layers.0.attn_norm.broadcast.1
  result y = %layers.0.attn_norm.mul.3
`
	if got := g.String(); got != want {
		t.Errorf("got\n%s", got)
	}
}

// TestPrintedAttributes pins the native form of every attribute.
func TestPrintedAttributes(t *testing.T) {
	b := New("g")
	x := b.Arg("x", "in.x", T(F32, 2, 4))
	i := b.Arg("i", "i", T(I32, 2))
	c := b.Arg("c", "c", T(F32, 4, 4))
	s := b.Splat(T(I32), 1)
	y := b.Slice(b.Transpose(x, 1, 0), []int{0, 0}, []int{4, 1})
	y = b.Concat(1, y, b.StridedSlice(b.Reverse(c, 0, 1), []int{0, 1}, []int{4, 4}, []int{1, 2}))
	y = b.Pad(y, b.Dense(T(F32), -0.5), []int{0, 1}, []int{0, 0})
	y = b.DynamicSlice(y, []*Value{s, s}, 2, 2)
	y = b.Add(b.GatherRows(y, i), b.Iota(T(F32, 2, 2), 1))
	y = b.Dot(b.Reshape(y, 2, 2, 1), x, DotGeneral{LHSBatch: []int{0}, RHSBatch: []int{0}})
	y = b.Add(b.Reduce(ReduceMax, y, 1, 2, 3), b.Dense(T(F32, 2), 1, 2.5))
	b.Result("z", b.ArgMax(y, 0))
	b.ResultInPlace("c", b.ScatterRows(c, i, x, true), c)
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	const want = `graph g
  %x : f32[2,4] = arg {role=in.x}
  %i : i32[2] = arg {role=i}
  %c : f32[4,4] = arg {role=c alias=1}
  %const : i32[] = const {1}
  %transpose : f32[4,2] = transpose %x {perm=[1,0]}
  %slice : f32[4,1] = slice %transpose {[0:4, 0:1]}
  %reverse : f32[4,4] = reverse %c {dims=[0,1]}
  %slice.1 : f32[4,2] = slice %reverse {[0:4, 1:4:2]}
  %concat : f32[4,3] = concat %slice, %slice.1 {dim=1}
  %const.1 : f32[] = const {-0.5}
  %pad : f32[4,4] = pad %concat, %const.1 {low=[0,1] high=[0,0]}
  %dynamic_slice : f32[2,2] = dynamic_slice %pad, %const, %const {sizes=[2,2]}
  %gather_rows : f32[2,2] = gather_rows %dynamic_slice, %i
  %iota : f32[2,2] = iota {dim=1}
  %add : f32[2,2] = add %gather_rows, %iota
  %reshape : f32[2,2,1] = reshape %add
  %dot : f32[2,2,1,4] = dot %reshape, %x {batch=[0]x[0] contract=[]x[]}
  %reduce_max : f32[2] = reduce_max %dot {dims=[1,2,3]}
  %const.2 : f32[2] = const {[1 2.5]}
  %add.1 : f32[2] = add %reduce_max, %const.2
  %argmax : i32[] = argmax %add.1 {dim=0}
  %scatter_rows : f32[4,4] = scatter_rows %c, %i, %x {unique}
  result z = %argmax
  result c = %scatter_rows
`
	if got := g.String(); got != want {
		t.Errorf("got\n%s", got)
	}
}

func TestFirstErrorSticks(t *testing.T) {
	b := New("g")
	x := b.Arg("x", "x", T(F32, 4, 64))
	w := b.Param("w", T(F32, 8, 65))
	q := b.At("layers.7.attn.q")
	y := q.Exp(q.Dot(x, w, DotGeneral{LHSContract: []int{1}, RHSContract: []int{1}}))
	if b.Err() == nil {
		t.Error("no error at once")
	}
	later := b.At("later")
	later.Add(y, x)
	later.SliceDim(y, 5, 0, 1)
	later.SplatLike(y, 1)
	later.Convert(later.Reshape(y, 5), F64)
	later.Fail(errors.New("too late"))
	b.ResultInPlace("y", y, y)
	_, err := b.Finish()
	const want = "layers.7.attn.q: dot: contracting sizes differ: dimension 1 of f32[4,64] and 1 of f32[8,65]"
	if err == nil || err.Error() != want {
		t.Errorf("got %v", err)
	}
	var located *Error
	if !errors.As(err, &located) || located.Loc != "layers.7.attn.q" || located.Op != "dot" || located.Graph != "g" {
		t.Errorf("got %+v", located)
	}
}

// TestBuilderErrors are mistakes that a model's description can lead to.
func TestBuilderErrors(t *testing.T) {
	tests := []struct {
		name  string
		build func(b *Builder)
		want  string
	}{
		{"argument too large", func(b *Builder) { b.Arg("x", "x", T(F32, 1<<40, 1<<40)) },
			"at: arg x: f32[1099511627776,1099511627776]: size overflows"},
		{"empty parameter", func(b *Builder) { b.Param("w", T(F32, 0)) }, "at: param w: f32[0]: dimension 0 is 0, must be at least 1"},
		{"two types of a parameter", func(b *Builder) { b.Param("w", T(F32, 2)); b.Param("w", T(F32, 3)) },
			"at: param w: is f32[3] here and f32[2] before"},
		{"no such dimension", func(b *Builder) { b.SliceDim(b.Splat(T(F32, 2), 0), 1, 0, 1) }, "at: slice: no dimension 1 in f32[2]"},
		{"own error", func(b *Builder) { b.Fail(errors.New("heads do not divide")) }, "at: heads do not divide"},
		{"no results", func(*Builder) {}, "graph g: no results"},
		{"unsigned into dot", func(b *Builder) {
			w := b.Convert(b.Param("w", T(U8, 4, 4)), F32)
			b.Dot(b.Arg("x", "x", T(F32, 4)), b.Transpose(w, 1, 0), DotGeneral{LHSContract: []int{0}, RHSContract: []int{0}})
		}, "at: dot: operand f32[4,4] is converted from unsigned u8, which the compiler mistakes for signed"},
		{"unsigned by two conversions", func(b *Builder) {
			w := b.Convert(b.Convert(b.Arg("w", "w", T(I1, 4)), I32), F32)
			b.Dot(w, w, DotGeneral{LHSContract: []int{0}, RHSContract: []int{0}})
		}, "at: dot: operand f32[4] is converted from unsigned i1"},
		{"integer to storage", func(b *Builder) {
			b.Convert(b.Reshape(b.Convert(b.Arg("x", "x", T(I32, 4)), F32), 2, 2), BF16)
		}, "at: convert: i32 to bf16 by way of f32, which the compiler cannot do"},
		{"rows known in advance", func(b *Builder) {
			b.GatherRows(b.Param("w", T(F32, 4)), b.Add(b.Iota(T(I32, 2), 0), b.Splat(T(I32, 2), 1)))
		}, "at: gather_rows: the indices depend on no argument"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := New("g")
			tt.build(b.At("at"))
			if g, err := b.Finish(); err == nil || !strings.HasPrefix(err.Error(), tt.want) {
				t.Errorf("got %v, %v; want %s", g, err, tt.want)
			}
		})
	}
}

// TestMisuse are mistakes in the program.
func TestMisuse(t *testing.T) {
	arg := func(b *Builder) *Value { return b.Arg("x", "x", T(F32)) }
	tests := []struct {
		name string
		do   func(b *Builder)
		want string
	}{
		{"nil", func(b *Builder) { b.Neg(nil) }, "at: nil value in graph g"},
		{"nil result", func(b *Builder) { b.Result("y", nil) }, "nil value"},
		{"value of another graph", func(b *Builder) { b.Neg(arg(New("other"))) }, "value of another graph"},
		{"graph name", func(*Builder) { New("a b") }, `"a b" is not an identifier`},
		{"empty name", func(*Builder) { New("") }, `"" is not an identifier`},
		{"location", func(b *Builder) { b.At("layers 7") }, `"at.layers 7" is not an identifier`},
		{"argument name", func(b *Builder) { b.Arg("%x", "x", T(F32)) }, `"%x" is not an identifier`},
		{"key", func(b *Builder) { b.Param(`w"`, T(F32)) }, `is not an identifier`},
		{"argument twice", func(b *Builder) { arg(b); b.Arg("y", "x", T(F32)) }, "argument y (x) exists"},
		{"result twice", func(b *Builder) { b.Result("r", arg(b)); b.Result("r", b.Splat(T(F32), 0)) }, "result r exists"},
		{"in place of no argument", func(b *Builder) { v := b.Splat(T(F32), 0); b.ResultInPlace("r", v, v) }, "result r cannot take over"},
		{"in place twice", func(b *Builder) { x := arg(b); b.ResultInPlace("r", x, x); b.ResultInPlace("s", x, x) }, "result s cannot take over"},
		{"argument as operation", func(b *Builder) { b.Apply(Argument{}) }, "arg is not made by Apply"},
		{"finished", func(b *Builder) { b.Result("r", arg(b)); _, _ = b.Finish(); b.Splat(T(F32), 0) }, "graph g is finished"},
		{"free dimensions", func(*Builder) {
			DotGeneral{LHSContract: []int{3}}.FreeDims(T(F32), T(F32))
		}, "no dimension 3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			defer func() {
				if got, _ := recover().(string); !strings.HasPrefix(got, "ir: BUG: ") || !strings.Contains(got, tt.want) {
					t.Errorf("got %q, want %q", got, tt.want)
				}
			}()
			tt.do(New("g").At("at"))
		})
	}
}

func TestSharedValues(t *testing.T) {
	b := New("g")
	x := b.Arg("x", "x", T(F32, 2))
	if b.Param("w", T(F32, 2)) != b.At("elsewhere").Param("w", T(F32, 2)) {
		t.Error("a parameter is two values")
	}
	if b.Convert(x, F32) != x || b.Reshape(x, 2) != x {
		t.Error("a conversion to the same type is an operation")
	}
	if b.Atf("layers.%d", 3).At("7").Loc() != "layers.3.7" {
		t.Error(b.Atf("layers.%d", 3).At("7").Loc())
	}
}
