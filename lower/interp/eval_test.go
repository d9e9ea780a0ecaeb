package interp

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/hlocc/hlocc/lower/ir"
)

func finish(t *testing.T, b *ir.Builder) *ir.Graph {
	t.Helper()
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func floats32(t *testing.T, v ...float32) Tensor {
	t.Helper()
	x, err := Float32s(v, len(v))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// TestParameters asks for each parameter once, when it is needed, and forgets it after its last use.
func TestParameters(t *testing.T) {
	b := ir.New("g")
	x := b.Arg("x", "x", ir.T(ir.F32, 2))
	v := b.Param("late", ir.T(ir.BF16, 2))
	y := b.Add(b.Neg(x), b.Param("early", ir.T(ir.F32, 2)))
	b.Result("y", b.Add(b.Add(y, b.Convert(v, ir.F32)), b.Convert(v, ir.F32)))
	g := finish(t, b)
	var asked []string
	opt := Options{
		Param: func(key string, typ ir.Type) (Tensor, error) {
			asked = append(asked, key)
			if key == "early" {
				return floats32(t, 10, 20), nil
			}
			return FromBytes(typ, []byte{0x80, 0x3f, 0x00, 0x40}) // 1, 2
		},
		Trace: func(v *ir.Value, x Tensor) { asked = append(asked, fmt.Sprint(v, x.Float32s())) },
	}
	got, err := Eval(context.Background(), g, []Tensor{floats32(t, 1, 2)}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if want := []float32{11, 22}; !reflect.DeepEqual(got[0].Float32s(), want) {
		t.Errorf("got %v, want %v", got[0].Float32s(), want)
	}
	want := "%x [1 2]|%neg [-1 -2]|early|%early [10 20]|%add [9 18]|late|%late [1 2]|%convert [1 2]|%add.1 [10 20]|%convert.1 [1 2]|%add.2 [11 22]"
	if s := strings.Join(asked, "|"); s != want {
		t.Errorf("got %s", s)
	}
}

func TestEvalErrors(t *testing.T) {
	b := ir.New("g")
	x := b.Arg("x", "x", ir.T(ir.F32, 2))
	i := b.Arg("i", "i", ir.T(ir.I32, 2))
	b.Result("y", b.At("layers.3").ScatterRows(x, i, b.Param("w", ir.T(ir.F32, 2)), true))
	g := finish(t, b)
	ints := func(v ...int32) Tensor {
		x, err := Int32s(v, len(v))
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	good := func(string, ir.Type) (Tensor, error) { return floats32(t, 1, 2), nil }
	args := []Tensor{floats32(t, 1, 2), ints(0, 1)}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	tests := []struct {
		name  string
		ctx   context.Context
		args  []Tensor
		param func(string, ir.Type) (Tensor, error)
		want  string // "" for success
	}{
		{"good", context.Background(), args, good, ""},
		{"too few arguments", context.Background(), args[:1], good, "graph g takes 2 arguments, got 1"},
		{"wrong argument", context.Background(), []Tensor{args[1], args[1]}, good, "graph g: argument %x is i32[2], must be f32[2]"},
		{"no parameters", context.Background(), args, nil, "layers.3: scatter_rows: no parameters given"},
		{"no such parameter", context.Background(), args, func(string, ir.Type) (Tensor, error) { return Tensor{}, errors.New("not found") },
			"layers.3: scatter_rows: parameter w: not found"},
		{"wrong parameter", context.Background(), args, func(string, ir.Type) (Tensor, error) { return args[1], nil },
			"layers.3: scatter_rows: parameter w is i32[2], must be f32[2]"},
		{"indices not unique", context.Background(), []Tensor{args[0], ints(1, 1)}, good,
			"layers.3: scatter_rows: row 1 is updated twice although indices are said to be unique"},
		{"cancelled", cancelled, args, good, "context canceled"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Eval(tt.ctx, g, tt.args, Options{Param: tt.param})
			if tt.want == "" && err == nil {
				return
			}
			if err == nil || err.Error() != tt.want {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestFloat64 has a sum that float32 loses: 2^24 + 1 - 2^24.
func TestFloat64(t *testing.T) {
	b := ir.New("g")
	x := b.Arg("x", "x", ir.T(ir.F32, 3))
	part := func(i int) *ir.Value { return b.SliceDim(x, 0, i, i+1) }
	y := b.Sub(b.Add(part(0), part(1)), part(2))
	b.Result("y", y)
	b.Result("bits", b.Bitcast(b.Div(y, b.SplatLike(y, 3)), ir.I32))
	g := finish(t, b)
	for _, tt := range []struct {
		wide bool
		want float64
	}{{false, 0}, {true, 1}} {
		got, err := Eval(context.Background(), g, []Tensor{floats32(t, 1<<24, 1, 1<<24)}, Options{Float64: tt.wide})
		if err != nil {
			t.Fatal(err)
		}
		if got[0].Float64s()[0] != tt.want || got[0].Float32s()[0] != float32(tt.want) {
			t.Errorf("float64 %t: got %v, want %v", tt.wide, got[0].Float64s(), tt.want)
		}
		// Bits are those of the rounded value.
		if want := math.Float32bits(float32(tt.want / 3)); uint32(got[1].Int32s()[0]) != want {
			t.Errorf("float64 %t: got bits %x, want %x", tt.wide, got[1].Int32s()[0], want)
		}
		// Results can be arguments again, in either mode.
		for _, wide := range []bool{false, true} {
			args := []Tensor{{ir.T(ir.F32, 3), repeat3(got[0])}}
			if _, err := Eval(context.Background(), g, args, Options{Float64: wide}); err != nil {
				t.Error(err)
			}
		}
	}
}

// repeat3 repeats a one-element tensor three times.
func repeat3(x Tensor) any { return broadcast(x, []int{3}, []int{0}) }

func TestTensorsRejectWrongSizes(t *testing.T) {
	for what, err := range map[string]error{
		"2 elements for f32[3]":                          second(Float32s(make([]float32, 2), 3)),
		"2 elements for i32[]":                           second(Int32s(make([]int32, 2))),
		"3 bytes for bf16[2], must be 4":                 second(FromBytes(ir.T(ir.BF16, 2), make([]byte, 3))),
		"f32[0]: dimension 0 is 0, must be at least 1":   second(FromBytes(ir.T(ir.F32, 0), nil)),
		"i32[-1]: dimension 0 is -1, must be at least 1": second(Int32s(nil, -1)),
		"1 elements for f32[2]":                          second(Floats(ir.T(ir.F32, 2), []float64{1})),
	} {
		if err == nil || err.Error() != what {
			t.Errorf("got %v, want %s", err, what)
		}
	}
}

func second(_ Tensor, err error) error { return err }

// TestBytesRoundTrip reads and writes every type.
func TestBytesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom(ir.DTypes()).Draw(t, "type")
		typ := ir.T(d, rapid.IntRange(1, 5).Draw(t, "n"))
		raw := rapid.SliceOfN(rapid.Byte(), typ.Bytes(), typ.Bytes()).Draw(t, "bytes")
		if d == ir.I1 {
			for i := range raw {
				raw[i] &= 1
			}
		}
		x, err := FromBytes(typ, raw)
		if err != nil {
			t.Fatal(err)
		}
		if got := x.Bytes(); !reflect.DeepEqual(got, raw) {
			t.Fatalf("got %x, want %x", got, raw)
		}
		if n := len(x.Float64s()); n != typ.Elems() {
			t.Fatalf("%d elements", n)
		}
	})
}

// TestElementaryFunctions compares with the standard library, which on this machine is within an
// ulp or two of the truth.
func TestElementaryFunctions(t *testing.T) {
	near := func(t *rapid.T, name string, x, got, want float64) {
		if math.IsNaN(want) != math.IsNaN(got) || math.Abs(got-want) > 1e-15*math.Abs(want)+1e-300 && got != want {
			t.Fatalf("%s(%v): got %v, want %v", name, x, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		x := rapid.Float64Range(-800, 800).Draw(t, "x")
		near(t, "exp", x, exp(x), math.Exp(x))
		near(t, "tanh", x, tanh(x), math.Tanh(x))
		near(t, "tanh", x/1000, tanh(x/1000), math.Tanh(x/1000))
		y := math.Exp(x * 0.8) // the standard library loses digits on subnormals
		near(t, "log", y, log(y), math.Log(y))
		p := rapid.Float64Range(-3, 3).Draw(t, "p")
		if got, want := pow(math.Exp(x/10), p), math.Pow(math.Exp(x/10), p); math.Abs(got-want) > 1e-13*want {
			t.Fatalf("pow: got %v, want %v", got, want)
		}
		a := rapid.Float64Range(-1e6, 1e6).Draw(t, "a")
		if s, c := math.Sincos(a); math.Abs(sin(a)-s) > 1e-15 || math.Abs(cos(a)-c) > 1e-15 {
			t.Fatalf("sin, cos(%v): got %v, %v, want %v, %v", a, sin(a), cos(a), s, c)
		}
	})
	if got := log(1e-310); math.Abs(got+310*math.Ln10) > 1e-12 { // where the standard library is wrong on amd64
		t.Errorf("log(1e-310): got %v", got)
	}
	for _, x := range []float64{0, math.Copysign(0, -1), math.Inf(1), math.Inf(-1), math.NaN(), 1, -1, 2, -2, 0.5, 3} {
		same := func(name string, got, want float64) {
			if math.Float64bits(got) != math.Float64bits(want) && !(math.IsNaN(got) && math.IsNaN(want)) && !(math.Abs(got-want) <= 1e-15*math.Abs(want)) {
				t.Errorf("%s(%v): got %v, want %v", name, x, got, want)
			}
		}
		same("exp", exp(x), math.Exp(x))
		same("log", log(x), math.Log(x))
		same("tanh", tanh(x), math.Tanh(x))
		same("sin", sin(x), math.Sin(x))
		same("cos", cos(x), math.Cos(x))
		for _, y := range []float64{0, 1, -1, 2, 3, 0.5, math.Inf(1), math.Inf(-1), math.NaN()} {
			same(fmt.Sprintf("pow %v", y), pow(x, y), math.Pow(x, y))
		}
	}
}

// TestSameBitsEverywhere pins the bits of everything that another machine could compute otherwise:
// run it with GOAMD64=v3, where the compiler may fuse products and sums, and on arm64.
func TestSameBitsEverywhere(t *testing.T) {
	b := ir.New("g")
	n := 512
	x := b.Arg("x", "x", ir.T(ir.F32, 8, n))
	w := b.Arg("w", "w", ir.T(ir.F32, 8, n))
	pos := b.Add(b.Abs(x), b.SplatLike(x, 0.001))
	for _, fn := range []ir.UnaryFn{ir.Exp, ir.Tanh, ir.Logistic, ir.Cosine, ir.Sine} {
		b.Result(fn.String(), b.Unary(fn, x))
	}
	b.Result("log", b.Log(pos))
	b.Result("rsqrt", b.Rsqrt(pos))
	b.Result("pow", b.Pow(pos, w))
	b.Result("rem", b.Rem(x, w))
	b.Result("chain", b.Add(b.Mul(x, w), b.Sub(b.Mul(w, w), x)))
	b.Result("dot", b.Dot(x, w, ir.DotGeneral{LHSContract: []int{1}, RHSContract: []int{1}}))
	b.Result("sum", b.Reduce(ir.ReduceAdd, b.Mul(x, w), 0, 1))
	g := finish(t, b)
	values := func(seed uint32) []float32 {
		v := make([]float32, 8*n)
		for i := range v {
			seed = seed*1664525 + 1013904223 // Numerical Recipes' generator
			v[i] = float32(int32(seed)>>8) / (1 << 21)
		}
		return v
	}
	var args []Tensor
	for _, seed := range []uint32{1, 2} {
		a, err := Float32s(values(seed), 8, n)
		if err != nil {
			t.Fatal(err)
		}
		args = append(args, a)
	}
	for _, tt := range []struct {
		wide bool
		want string
	}{
		{false, "62fef43c786ee82d3f0352aa00524f4c8460b0881e709466d574c869032b7271"},
		{true, "81d2f207009bf96b8c402828a69cb28e7d44e0d598ebb962dae969e7426b2186"},
	} {
		results, err := Eval(context.Background(), g, args, Options{Float64: tt.wide})
		if err != nil {
			t.Fatal(err)
		}
		h := sha256.New()
		for _, r := range results {
			for _, f := range r.Float64s() {
				fmt.Fprintf(h, "%016x", math.Float64bits(f))
			}
		}
		if got := hex.EncodeToString(h.Sum(nil)); got != tt.want {
			t.Errorf("float64 %t: got %s, want %s", tt.wide, got, tt.want)
		}
	}
}
