package kernel

import (
	"fmt"
	"math"
	"testing"

	"github.com/hlocc/hlocc/lower/interp"
	"github.com/hlocc/hlocc/lower/ir"
)

func integers(t testing.TB, v ...int32) interp.Tensor {
	t.Helper()
	x, err := interp.Int32s(v, len(v))
	if err != nil {
		t.Fatal(err)
	}
	return x
}

// placeTrial places rows in some order of the cache.
func placeTrial(t testing.TB, k Place, seed uint64) trial {
	rng := random(seed)
	tr := trial{kernel: k, near: func(result int, got, want interp.Tensor) error {
		if k.KV == ir.F16 && result == 1 { // a rounding of the last bit that went the other way
			return within(0x1p-10)(result, got, want)
		}
		if result == 2 { // values are copied
			return within(0)(result, got, want)
		}
		return within(1e-6)(result, got, want)
	}}
	for _, o := range k.operands() {
		switch o.hint {
		case "rows":
			rows := make([]int32, k.T)
			for i, r := range rng.Perm(k.Rows)[:k.T] {
				rows[i] = int32(r)
			}
			tr.args = append(tr.args, integers(t, rows...))
		case "cos", "sin":
			tr.args = append(tr.args, floats(t, o.typ, func(int) float64 { return math.Cos(rng.Float64() * 6) }))
		default:
			tr.args = append(tr.args, normal(t, rng, o.typ, 1))
		}
	}
	return tr
}

func TestPlace(t *testing.T) {
	norm := QKNorm{On: true, Eps: 1e-6}
	kernels := []Place{
		{T: 1, Heads: 9, KVHeads: 3, D: 64, Dims: 64, Rows: 7},
		{T: 5, Heads: 4, KVHeads: 1, D: 80, Dims: 32, Rows: 9},
		{T: 4, Heads: 2, KVHeads: 2, D: 16, Dims: 16, Interleaved: true, Rows: 4},
		{T: 2, Heads: 3, KVHeads: 3, D: 48, Dims: 20, Interleaved: true, Rows: 5, QKNorm: norm, QScale: true},
		{T: 17, Heads: 8, KVHeads: 2, D: 128, Dims: 128, Rows: 33, QKNorm: QKNorm{On: true, Eps: 1e-5, UnitOffset: true}},
		{T: 3, Heads: 2, KVHeads: 1, D: 6, Dims: 0, Rows: 3, QScale: true},
	}
	for _, isa := range ISAs() {
		t.Run(isa.Name, func(t *testing.T) {
			var trials []trial
			for i, k := range kernels {
				for _, d := range []ir.DType{ir.F32, ir.F16} {
					if k.KV = d; k.Supports(isa) == nil {
						trials = append(trials, placeTrial(t, k, uint64(i)))
					}
				}
			}
			check(t, isa, trials...)
		})
	}
}

func TestPlaceErrors(t *testing.T) {
	good := Place{T: 1, Heads: 2, KVHeads: 1, D: 8, Dims: 8, Rows: 3, KV: ir.F32}
	for _, change := range []func(k *Place){
		func(k *Place) { k.T = 0 }, func(k *Place) { k.Dims = 7 }, func(k *Place) { k.Dims = 10 }, func(k *Place) { k.KV = ir.BF16 },
		func(k *Place) { k.QKNorm.Eps = 1 },
	} {
		k := good
		change(&k)
		if _, err := k.Text(AVX2); err == nil {
			t.Errorf("%+v has a text", k)
		}
	}
	half := good
	half.KV = ir.F16
	if half.Supports(Generic) == nil || half.Supports(AVX2) != nil {
		t.Error("f16 caches need conversions")
	}
	var types []ir.Type
	for _, o := range good.operands() {
		types = append(types, o.typ)
	}
	if _, err := good.Infer(types); err != nil {
		t.Error(err)
	}
	for i := range types {
		bad := append([]ir.Type(nil), types...)
		bad[i] = ir.T(ir.F64, 1)
		if _, err := good.Infer(bad); err == nil {
			t.Errorf("operand %d may be anything", i)
		}
	}
}

func TestVectors(t *testing.T) {
	got := ""
	for at, n := range vectors(3, 30) {
		got += fmt.Sprint(at, ":", n, " ")
	}
	if got != "3:16 19:8 27:2 29:1 " {
		t.Error(got)
	}
}
