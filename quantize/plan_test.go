package quantize

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	"github.com/hlocc/hlocc/fixtures"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

func TestPlanQuantized(t *testing.T) {
	bf16 := func(name string, shape ...int) arch.Weight {
		return arch.Weight{Name: name, Shape: shape, DType: safetensors.BF16}
	}
	weights := []arch.Weight{
		bf16("embed.weight", 100, 128),
		bf16("positions.weight", 64, 128),
		bf16("layers.0.attn_norm.weight", 128),
		bf16("layers.0.attn.q.weight", 64, 128), bf16("layers.0.attn.q.bias", 64),
		bf16("layers.0.attn.k.weight", 32, 128), bf16("layers.0.attn.v.weight", 32, 128), bf16("layers.0.attn.o.weight", 128, 52),
		bf16("layers.0.mlp.gate.weight", 100, 128), bf16("layers.0.mlp.up.weight", 100, 128), bf16("layers.0.mlp.down.weight", 128, 100),
		bf16("layers.1.attn.q_a.weight", 96, 128), bf16("layers.1.attn.q_b.weight", 96, 96), bf16("layers.1.attn.kv_a.weight", 48, 128),
		bf16("layers.1.attn.k_up.weight", 4, 16, 64), bf16("layers.1.attn.v_up.weight", 4, 16, 64), bf16("layers.1.attn.o.weight", 128, 40),
		bf16("layers.1.moe.router.weight", 8, 128), bf16("layers.1.moe.router.bias", 8),
		bf16("layers.1.moe.experts.gate.weight", 8, 48, 128), bf16("layers.1.moe.experts.up.weight", 8, 48, 128), bf16("layers.1.moe.experts.down.weight", 8, 128, 64),
		bf16("layers.1.moe.experts.up.bias", 8, 48),
		bf16("layers.1.moe.shared.gate.weight", 64, 128), bf16("layers.1.moe.shared.up.weight", 64, 128), bf16("layers.1.moe.shared.down.weight", 128, 64),
		bf16("layers.1.moe.shared_gate.weight", 1, 128),
		bf16("head.weight", 100, 128), bf16("head.bias", 100),
	}
	describe := func(o Options) string {
		var lines []string
		for _, s := range Plan(weights, o) {
			form := string(s.DType)
			if s.Quantized() {
				form = string(s.Scheme) + " " + string(s.Params) + " " + string(s.Method)
			}
			line := s.Weight + " " + strings.ReplaceAll(strings.Trim(fmt.Sprint(s.Shape), "[]"), " ", "x") + " " + form + " (" + s.Why + ")"
			if len(s.Parts) > 0 {
				line += " of " + strings.Join(s.Parts, ", ")
			}
			lines = append(lines, line)
		}
		return strings.Join(lines, "\n")
	}
	const want = `embed.weight 100x128 int8-g64 F16 nearest (8-bit embedding)
positions.weight 64x128 BF16 (positions)
layers.0.attn_norm.weight 128 F32 (vector)
layers.0.attn.qkv.weight 128x128 int4-g64 F16 search (4-bit linear) of layers.0.attn.q.weight, layers.0.attn.k.weight, layers.0.attn.v.weight
layers.0.attn.q.bias 64 F32 (vector)
layers.0.attn.o.weight 128x52 int4-g64 F16 search (4-bit linear)
layers.0.mlp.gate.weight 100x128 int4-g64 F16 search (4-bit linear)
layers.0.mlp.up.weight 100x128 int4-g64 F16 search (4-bit linear)
layers.0.mlp.down.weight 128x100 BF16 (kept: K=100 would be padded to 128)
layers.1.attn.q_a.weight 96x128 int4-g64 F16 search (4-bit linear)
layers.1.attn.q_b.weight 96x96 BF16 (kept: K=96 would be padded to 128)
layers.1.attn.kv_a.weight 48x128 int4-g64 F16 search (4-bit linear)
layers.1.attn.k_up.weight 4x16x64 BF16 (matrices of single heads)
layers.1.attn.v_up.weight 4x16x64 BF16 (matrices of single heads)
layers.1.attn.o.weight 128x40 BF16 (kept: K=40 is less than a group)
layers.1.moe.router.weight 8x128 BF16 (router)
layers.1.moe.router.bias 8 F32 (vector)
layers.1.moe.experts.gate_up.weight 8x96x128 int4-g64 F16 search (4-bit experts) of layers.1.moe.experts.gate.weight, layers.1.moe.experts.up.weight
layers.1.moe.experts.down.weight 8x128x64 int4-g64 F16 search (4-bit experts)
layers.1.moe.experts.up.bias 8x48 F32 (vector)
layers.1.moe.shared.gate_up.weight 128x128 int4-g64 F16 search (4-bit linear) of layers.1.moe.shared.gate.weight, layers.1.moe.shared.up.weight
layers.1.moe.shared.down.weight 128x64 int4-g64 F16 search (4-bit linear)
layers.1.moe.shared_gate.weight 1x128 BF16 (not a linear layer)
head.weight 100x128 int8-g64 F16 nearest (8-bit head)
head.bias 100 F32 (vector)`
	if got := describe(Options{Scheme: Int4}); got != want {
		t.Errorf("found\n%s\nwant\n%s", got, want)
	}
	for _, c := range []struct {
		o    Options
		want []string
	}{
		{Options{Scheme: Int8, Params: safetensors.F32}, []string{"embed.weight 100x128 int8-g64 F32 nearest", "layers.0.attn.qkv.weight 128x128 int8-g64 F32 nearest (8-bit linear)"}},
		{Options{Scheme: Int4, Method: Nearest, Head: Head{Scheme: Int4}}, []string{"embed.weight 100x128 int4-g64 F16 nearest", "head.weight 100x128 int4-g64 F16 nearest", "down.weight 8x128x64 int4-g64 F16 nearest"}},
		{Options{Scheme: Int4, DType: safetensors.F16, Head: Head{DType: safetensors.F32}}, []string{"embed.weight 100x128 F32 (embedding)", "layers.1.moe.router.weight 8x128 F16 (router)", "layers.0.attn_norm.weight 128 F32"}},
		{Options{Head: Head{Scheme: Int8}}, []string{"head.weight 100x128 int8-g64 F16 nearest (8-bit head)", "layers.0.attn.q.weight 64x128 BF16 (linear)", "head.bias 100 F32 (vector)"}},
		{Options{}, []string{"embed.weight 100x128 BF16 ()", "layers.0.attn_norm.weight 128 BF16 ()"}},
	} {
		got := describe(c.o)
		for _, line := range c.want {
			if !strings.Contains(got, line) {
				t.Errorf("%+v: no %q in\n%s", c.o, line, got)
			}
		}
	}
}

// The experts of a mixture, and what its tokens share, as they stand in a checkpoint.
func TestWriteExperts(t *testing.T) {
	for _, c := range []struct {
		fixture string
		stacks  []string
	}{
		{"mixtral", []string{"layers.0.moe.experts.gate_up.weight", "layers.1.attn.qkv.weight"}},
		{"qwen2_moe", []string{"layers.0.moe.experts.gate_up.weight", "layers.0.moe.shared.gate_up.weight"}},
		{"granitemoe", []string{"layers.0.moe.experts.gate_up.weight"}}, // one tensor for all experts
		{"deepseek_v3", []string{"layers.1.moe.experts.gate_up.weight", "layers.1.moe.shared.gate_up.weight", "layers.0.mlp.gate_up.weight"}},
		{"gpt_oss_mxfp4", []string{"layers.0.moe.experts.gate_up.weight"}},
		{"phi3", []string{"layers.0.attn.qkv.weight", "layers.0.mlp.gate_up.weight"}}, // fused there as well
	} {
		m, err := arch.Open(fixtures.Dir(t, c.fixture))
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		plan := Plan(m.Weights, Options{Scheme: Int4, Params: safetensors.F32})
		for _, name := range c.stacks {
			find(t, plan, name)
		}
		a, reports := written(t, m, plan)
		for _, r := range reports {
			s := find(t, plan, r.Weight)
			want, got := original(t, m, s), a.dequantize(t, s)
			var d, w, largest float64
			for i, x := range want {
				e := float64(got[i]) - float64(x)
				d += e * e
				w += float64(x) * float64(x)
				largest = max(largest, e, -e)
			}
			if close := func(a, b float64) bool { return a <= b*1.0001 && b <= a*1.0001 }; !close(d, r.RelativeError*r.RelativeError*w) || !close(largest, r.MaxError) {
				t.Errorf("%s: %s has errors %g and %g, reported as %+v", c.fixture, s.Weight, d, largest, r)
			}
			if limit := map[Scheme]float64{Int4: 0.12, Int8: 0.01}[s.Scheme]; d > limit*limit*w {
				t.Errorf("%s: %s differs by %g of its length", c.fixture, s.Weight, r.RelativeError)
			}
			if want := float64(s.Bytes()*8) / float64(len(want)); r.Bits != want {
				t.Errorf("%s: %s has %g bits a number, want %g", c.fixture, s.Weight, r.Bits, want)
			}
		}
	}
}

func TestParse(t *testing.T) {
	for _, c := range []struct {
		in     string
		scheme Scheme
		act    Act
	}{{"", Float, Exact}, {"none", Float, Exact}, {"int4-g64", Int4, Exact}, {"int4-g64:exact", Int4, Exact}, {"int4-g64:fast", Int4, Fast}, {"int8-g64:fast", Int8, Fast}} {
		if scheme, act, err := ParseQuant(c.in); scheme != c.scheme || act != c.act || err != nil {
			t.Errorf("--quant %q: %q, %q, %v", c.in, scheme, act, err)
		}
	}
	for in, want := range map[string]Head{"": {}, "int8-g64": {Scheme: Int8}, "int4-g64": {Scheme: Int4}, "bf16": {DType: safetensors.BF16}, "f32": {DType: safetensors.F32}} {
		if head, err := ParseHead(in); head != want || err != nil {
			t.Errorf("--head %q: %+v, %v", in, head, err)
		}
	}
	var bad []error
	for _, in := range []string{"int4", "int4-g32", "int4-g64:", "int4-g64:slow", ":fast", "none:fast", "f16"} {
		_, _, err := ParseQuant(in)
		bad = append(bad, err)
	}
	for _, in := range []string{"none", "f64", "int4-g64:fast", "INT8-G64"} {
		_, err := ParseHead(in)
		bad = append(bad, err)
	}
	_, err := ParseDType("int8")
	if i := slices.IndexFunc(append(bad, err), func(err error) bool {
		var e *diag.Error
		return !errors.As(err, &e) || e.Kind != diag.Usage || e.Want == "" || e.Where == ""
	}); i >= 0 {
		t.Errorf("bad option %d: %v", i, append(bad, err)[i])
	}
}

func TestParseMethod(t *testing.T) {
	for in, want := range map[string]Method{"": "", "search": Search, "nearest": Nearest} {
		if m, err := ParseMethod(in); m != want || err != nil {
			t.Errorf("%q: %q, %v", in, m, err)
		}
	}
	for _, in := range []string{"up", "kept", " search"} { // a weight is kept if the checkpoint has it in our form, not by choice
		if _, err := ParseMethod(in); diag.KindOf(err) != diag.Usage {
			t.Errorf("%q: %v", in, err)
		}
	}
}
