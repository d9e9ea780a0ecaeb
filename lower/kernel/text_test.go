package kernel

import (
	stdflag "flag"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/cpu"
	"github.com/hlocc/hlocc/lower/ir"
)

var update = stdflag.Bool("update", false, "rewrite testdata")

// TestText keeps the texts of some kernels, so that a review shows what changes in them.
func TestText(t *testing.T) {
	for _, test := range []struct {
		file   string
		kernel Kernel
		isa    ISA
	}{
		{"activations", Activations{T: 4, K: 100, Normalize: true, Norm: ir.Norm{Eps: 1e-5}, Params: 1, Quantize: true}, AVX512VNNI},
		{"linear_1_vnni", Linear{T: 1, N: 960, K: 576, Bits: 4, ActI8: true, Scales: ir.F16}, AVX512VNNI},
		{"linear_2_generic", Linear{T: 2, N: 40, K: 64, Bits: 4, ActI8: true, Scales: ir.F16, Bias: true}, Generic},
		{"place", Place{T: 5, Heads: 2, KVHeads: 1, D: 32, Dims: 16, Rows: 9, KV: ir.F16}, AVX2},
		{"attention_rows", Attention{T: 1, Heads: 2, KVHeads: 1, D: 16, Rows: 80, Context: 70, Slots: 1, Scale: 0.25, KV: ir.F32}, Generic},
		{"attention_tiles", Attention{T: 9, Heads: 2, KVHeads: 1, D: 16, Rows: 80, Context: 70, Slots: 1, Scale: 0.25, KV: ir.F16}, AVX2},
		{"linear_17_vnni", Linear{T: 17, N: 40, K: 128, Bits: 4, ActI8: true, Scales: ir.F16, Bias: true}, AVX512VNNI},
		{"linear_17_f32", Linear{T: 17, N: 32, K: 64, Bits: 8, Scales: ir.F32, Gate: ir.SiLU, Residual: true}, AVX2},
	} {
		text, err := test.kernel.Text(test.isa)
		if err != nil {
			t.Fatal(err)
		}
		if again, _ := test.kernel.Text(test.isa); again != text {
			t.Errorf("%s: two texts differ", test.file)
		}
		file := filepath.Join("testdata", test.file+".mlir")
		if *update {
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if string(want) != text {
			t.Errorf("%s: %s\nIf this is meant: go test ./lower/kernel -run TestText -update", file, firstDifference(text, string(want)))
		}
	}
}

// What linears have on the stack fits it, however wide the matrix: otherwise they do not compile.
func TestLinearStack(t *testing.T) {
	size := regexp.MustCompile(`memref\.alloca\(\).*memref<(\d+)x(\d+)xf32>`)
	for _, k := range []Linear{
		{T: 16, N: 32, K: 53248, Bits: 4, Scales: ir.F16},
		{T: 1, N: 32, K: 53248, Bits: 4, Scales: ir.F16},
		{T: 512, N: 32, K: 53248, Bits: 8, Scales: ir.F32},
		{T: 512, N: 64, K: 53248, Bits: 4, Scales: ir.F16, Experts: 8},
		{T: 16, N: 128, K: 53248, Bits: 4, ActI8: true, Scales: ir.F16, Gate: ir.SiLU, QuantizeOut: true},
	} {
		for _, isa := range ISAs() {
			text, err := k.Text(isa)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0
			for _, m := range size.FindAllStringSubmatch(text, -1) {
				rows, _ := strconv.Atoi(m[1])
				cols, _ := strconv.Atoi(m[2])
				sum += 4 * rows * cols
			}
			if n := strings.Count(text, "memref.alloca"); n != len(size.FindAllString(text, -1)) || sum > stackBytes {
				t.Errorf("%s for %s: %d bytes in %d places", k.Name(), isa.Name, sum, n)
			}
		}
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return "got\n" + g[i] + "\nwant\n" + w[i]
		}
	}
	return "one is the beginning of the other"
}

// TestNames changes every attribute of every kind of kernel: the name must change too,
// since kernels of equal names are printed once.
func TestNames(t *testing.T) {
	for _, k := range []Kernel{
		Activations{Normalize: true}, Linear{}, Linear{Gate: ir.SiLU}, Place{QKNorm: QKNorm{On: true}}, Attention{},
	} {
		changed := reflect.New(reflect.TypeOf(k)).Elem()
		changed.Set(reflect.ValueOf(k))
		change(changed, "", func(field string) {
			other, ok := changed.Interface().(Kernel)
			if !ok {
				t.Fatalf("%T is no kernel", k)
			}
			if other.Name() == k.Name() {
				t.Errorf("%T: %s does not show in the name %s", k, field, k.Name())
			}
		})
	}
}

// change gives each field of a struct another value, calls f, and puts the old one back.
func change(v reflect.Value, path string, f func(field string)) {
	for i := range v.NumField() {
		field, name := v.Field(i), path+v.Type().Field(i).Name
		old := reflect.ValueOf(field.Interface())
		switch field.Kind() {
		case reflect.Struct:
			change(field, name+".", f)
			continue
		case reflect.Bool:
			field.SetBool(!field.Bool())
		case reflect.Int:
			field.SetInt(field.Int() + 3)
		case reflect.Uint8:
			field.SetUint(field.Uint() + 1)
		case reflect.Float64:
			field.SetFloat(field.Float() + 0x1p-40)
		default:
			panic("a field of a new kind: " + name)
		}
		f(name)
		field.Set(old)
	}
}

func TestChoose(t *testing.T) {
	for _, l := range cpu.Levels() {
		want := map[string]string{"x86-64-v2": "generic", "x86-64-v3": "avx2", "x86-64-v4": "avx512"}[l.Name]
		if got := Choose(l.Features); got.Name != want {
			t.Errorf("%s: %s, want %s", l.Name, got.Name, want)
		}
	}
	for _, isa := range ISAs() {
		if got := Choose(isa.features()); got != isa {
			t.Errorf("the features of %s choose %s", isa.Name, got.Name)
		}
	}
	if got := Choose(nil); got != Generic {
		t.Errorf("no features choose %s", got.Name)
	}
}

// TestErrors: what no kernel computes has no type and no text.
func TestErrors(t *testing.T) {
	ok := Linear{T: 1, N: 128, K: 64, Bits: 4, Scales: ir.F16, Gate: ir.SiLU, QuantizeOut: true}
	change := func(f func(k *Linear)) Linear {
		k := ok
		f(&k)
		return k
	}
	for _, k := range []Kernel{
		change(func(k *Linear) { k.T = 0 }),
		change(func(k *Linear) { k.Bits = 5 }),
		change(func(k *Linear) { k.Scales = ir.BF16 }),
		change(func(k *Linear) { k.N = 40 }),
		change(func(k *Linear) { k.N = 96 }), // 48 results are no whole group
		change(func(k *Linear) { k.Gate = 9 }),
		Activations{T: 0, K: 64},
		Activations{T: 1, K: 64, Params: 1},
		Activations{T: 1, K: 64, Normalize: true, Params: 3},
	} {
		if _, err := k.Infer(nil); err == nil {
			t.Errorf("%+v has a type", k)
		}
		if _, err := k.Text(AVX2); err == nil {
			t.Errorf("%+v has a text", k)
		}
	}
	types := func(list []binding) (types []ir.Type) {
		for _, b := range list {
			types = append(types, b.typ)
		}
		return types
	}
	args := types(ok.operands())
	if r, err := ok.Infer(args); err != nil || len(r) != 1+1 {
		t.Errorf("%v, %v", r, err)
	}
	if _, err := ok.Infer(args[1:]); err == nil {
		t.Error("an operand less is taken")
	}
	args[1] = ir.T(ir.I8, 3)
	if _, err := ok.Infer(args); err == nil {
		t.Error("an operand of another type is taken")
	}
}
