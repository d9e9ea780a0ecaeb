package quantize

import (
	"fmt"
	"strings"

	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
)

// Act is how a quantized linear reads its activations. It is part of what the
// graph means.
type Act string

const (
	Exact Act = "f32"    // as they are
	Fast  Act = "i8-g64" // rounded to 8 bits, with a scale per group of 64
)

// ParseDType reads the --dtype option: "", "f32", "f16" or "bf16".
func ParseDType(s string) (safetensors.DType, error) {
	if d, ok := floatTypes[s]; ok || s == "" {
		return d, nil
	}
	return "", usage("--dtype", "weights cannot be stored in this type", "bf16, f16 or f32", s)
}

var floatTypes = map[string]safetensors.DType{"f32": safetensors.F32, "f16": safetensors.F16, "bf16": safetensors.BF16}

// ParseQuant reads the --quant option: a scheme and how activations are read,
// such as "int4-g64:fast"; "" and "none" are floats. Activations are exact unless
// the option says otherwise.
func ParseQuant(s string) (Scheme, Act, error) {
	if s == "" || s == "none" {
		return Float, Exact, nil
	}
	name, mode, found := strings.Cut(s, ":")
	acts := map[string]Act{"exact": Exact, "fast": Fast}
	act, ok := acts[mode]
	if !found {
		act, ok = Exact, true
	}
	if scheme := Scheme(name); ok && scheme.Bits() != 0 {
		return scheme, act, nil
	}
	return "", "", usage("--quant", "weights cannot be quantized like this", "none, int4-g64 or int8-g64, with :exact or :fast", s)
}

// ParseMethod reads the --rounding option; "" leaves it to the plan.
func ParseMethod(s string) (Method, error) {
	switch m := Method(s); m {
	case "", Nearest, Search:
		return m, nil
	}
	return "", usage("--rounding", "there is no such way to choose 4-bit weights", "search or nearest", s)
}

// ParseParams reads the --scales option: "", "f16" or "f32".
func ParseParams(s string) (safetensors.DType, error) {
	if s == "" || s == "f16" || s == "f32" {
		return floatTypes[s], nil
	}
	return "", usage("--scales", "scales and offsets cannot be stored in this type", "f16 or f32", s)
}

// ParseHead reads the --head option: a scheme or the type of floats; "" leaves it
// to the plan.
func ParseHead(s string) (Head, error) {
	if d, ok := floatTypes[s]; ok || s == "" {
		return Head{DType: d}, nil
	}
	if scheme := Scheme(s); scheme.Bits() != 0 {
		return Head{Scheme: scheme}, nil
	}
	return Head{}, usage("--head", "head and embedding cannot be stored like this", "int4-g64, int8-g64, f32, f16 or bf16", s)
}

func usage(flag, message, want, found string) error {
	return &diag.Error{Kind: diag.Usage, Code: "usage", Message: message, Where: flag, Want: want, Found: fmt.Sprintf("%q", found)}
}
