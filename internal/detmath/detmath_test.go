package detmath

import (
	"bufio"
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"
)

//go:embed testdata/golden.txt
var golden string

// Every result equals the one rounded once from 80 digits.
func TestGolden(t *testing.T) {
	lines := bufio.NewScanner(strings.NewReader(golden))
	n, wrong := 0, 0
	for lines.Scan() {
		f := strings.Fields(lines.Text())
		var arg [3]float64
		bits := make([]uint64, len(f)-1)
		for i, s := range f[1:] {
			b, err := strconv.ParseUint(s, 16, 64)
			if err != nil {
				t.Fatal(err)
			}
			bits[i] = b
			if len(s) == 8 {
				arg[i] = float64(math.Float32frombits(uint32(b)))
			} else {
				arg[i] = math.Float64frombits(b)
			}
		}
		var got uint64
		switch f[0] {
		case "log":
			got = math.Float64bits(Log(arg[0]))
		case "exp":
			got = math.Float64bits(Exp(arg[0]))
		case "pow":
			got = math.Float64bits(Pow(arg[0], arg[1]))
		case "pow32":
			got = uint64(math.Float32bits(Pow32(float32(arg[0]), float32(arg[1]))))
		case "log32":
			got = uint64(math.Float32bits(Log32(float32(arg[0]))))
		case "sin":
			s, _ := SinCos32(float32(arg[0]))
			got = uint64(math.Float32bits(s))
		case "cos":
			_, c := SinCos32(float32(arg[0]))
			got = uint64(math.Float32bits(c))
		default:
			t.Fatalf("unknown function %s", f[0])
		}
		n++
		if want := bits[len(bits)-1]; got != want {
			wrong++
			t.Errorf("%s: found %x", lines.Text(), got)
		}
	}
	if n < 1000 {
		t.Fatalf("only %d golden values", n)
	}
	t.Logf("%d values, %d wrong", n, wrong)
}

func TestSpecialValues(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		name      string
		got, want float64
	}{
		{"log 0", Log(0), -inf}, {"log 1", Log(1), 0}, {"log -1", Log(-1), nan}, {"log inf", Log(inf), inf}, {"log nan", Log(nan), nan},
		{"log32 1", float64(Log32(1)), 0}, {"log32 0", float64(Log32(0)), -inf},
		{"exp 0", Exp(0), 1}, {"exp 1000", Exp(1000), inf}, {"exp -1000", Exp(-1000), 0}, {"exp nan", Exp(nan), nan},
		{"pow 2 10", Pow(2, 10), 1024}, {"pow 10 0", Pow(10, 0), 1}, {"pow 10 400", Pow(10, 400), inf}, {"pow 10 -400", Pow(10, -400), 0},
		{"pow -1", Pow(-1, 2), nan}, {"pow32 9 .5", float64(Pow32(9, 0.5)), 3}, {"pow32 -1", float64(Pow32(-1, 2)), nan},
	} {
		if c.got != c.want && !(math.IsNaN(c.got) && math.IsNaN(c.want)) {
			t.Errorf("%s: want %v, found %v", c.name, c.want, c.got)
		}
	}
	for _, x := range []float32{float32(inf), float32(-inf), float32(nan)} {
		if s, c := SinCos32(x); s == s || c == c {
			t.Errorf("sin and cos of %v: want NaN, found %v and %v", x, s, c)
		}
	}
	if s, c := SinCos32(0); s != 0 || c != 1 {
		t.Errorf("sin and cos of 0: %v, %v", s, c)
	}
}

// Against package math over many values: never more than one ulp apart.
func TestAgainstMath(t *testing.T) {
	ulps := func(a, b float64) float64 {
		if a == b {
			return 0
		}
		return math.Abs(a-b) / math.Abs(math.Nextafter(b, math.Inf(1))-b)
	}
	for i := range 20000 {
		x := float64(i)*0.37 + 1e-3
		if u := ulps(Log(x), math.Log(x)); u > 1 {
			t.Fatalf("log %v: %v ulp", x, u)
		}
		y := float64(i-10000) * 0.05
		if u := ulps(Exp(y), math.Exp(y)); u > 1 && Exp(y) > 1e-300 {
			t.Fatalf("exp %v: %v ulp", y, u)
		}
		a := float32(y * 50)
		s, c := SinCos32(a)
		if math.Abs(float64(s)-math.Sin(float64(a))) > 6e-8 || math.Abs(float64(c)-math.Cos(float64(a))) > 6e-8 {
			t.Fatalf("sin, cos %v: %v, %v", a, s, c)
		}
	}
}

func BenchmarkSinCos32(b *testing.B) {
	var sum float32
	for i := range b.N {
		s, c := SinCos32(float32(i&0xffff) * 0.731)
		sum += s + c
	}
	_ = sum
}
