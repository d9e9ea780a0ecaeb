package arch_test

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/arch"
	_ "github.com/hlocc/hlocc/arch/families"
	"github.com/hlocc/hlocc/internal/diag"
	"github.com/hlocc/hlocc/internal/safetensors"
	"github.com/hlocc/hlocc/internal/testenv"
)

var packedFixtures = []string{"awq", "gptq", "gptq_asym", "gptq_v2", "mlx", "mlx_mixed"}

// Packed matrices hold the numbers that the format's own formula gives; see
// tools/oracles/packed.py.
func TestPacked(t *testing.T) {
	for _, name := range packedFixtures {
		dir := testenv.Fixture(t, "packed", name)
		text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
		if err != nil {
			t.Fatal(err)
		}
		var expected map[string]string
		if err := json.Unmarshal(text, &expected); err != nil {
			t.Fatal(err)
		}
		m, err := arch.Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		if in, err := arch.Inspect(dir); err != nil || in.Packing == nil || in.Parameters != m.Parameters() || in.Parameters < 100000 {
			t.Errorf("%s: inspected as %+v, %v", name, in, err)
		} else if size := in.Bytes["I32"] + in.Bytes["U32"]; size < 40000 || size > 100000 {
			t.Errorf("%s: %d bytes of packed integers", name, size)
		}
		for i := range m.Weights {
			w := &m.Weights[i]
			tensor := strings.Replace(w.Pieces[0].Tensor.Name, ".qweight", ".weight", 1)
			want, packed := expected[tensor]
			if bits, _ := w.Packed(); packed != (bits != 0) {
				t.Errorf("%s: %s has %d bits", name, w.Name, bits)
			}
			if !packed {
				continue
			}
			delete(expected, tensor)
			numbers, err := m.ReadFloat32(t.Context(), w)
			if err != nil {
				t.Fatal(err)
			}
			raw := make([]byte, 0, 4*len(numbers))
			for _, x := range numbers {
				raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(x))
			}
			if sum := sha256.Sum256(raw); hex.EncodeToString(sum[:]) != want {
				t.Errorf("%s: %s holds other numbers", name, w.Name)
			}
		}
		if len(expected) != 0 {
			t.Errorf("%s: no weights of %v", name, expected)
		}
	}
}

// The type of scales and offsets is the smallest that holds them exactly.
func TestPackedParams(t *testing.T) {
	for name, want := range map[string]safetensors.DType{"awq": safetensors.F32, "gptq": safetensors.F16, "gptq_asym": safetensors.F32, "mlx": safetensors.F16, "mlx_mixed": safetensors.F32} {
		m, err := arch.Open(testenv.Fixture(t, "packed", name))
		if err != nil {
			t.Fatal(err)
		}
		if bits, params := m.Weight("layers.0.attn.q.weight").Packed(); bits != 4 || params != want {
			t.Errorf("%s: %d bits with %s, want %s", name, bits, params, want)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// What cannot be kept without loss is refused, by the key that says so.
func TestPackedRefused(t *testing.T) {
	const gptq, awq, mlx = `"quantization_config":{"quant_method":"gptq",%s}`, `"quantization_config":{"quant_method":"awq",%s}`, `"quantization":{%s}`
	for _, c := range []struct{ form, config, where, want string }{
		{gptq, `"bits":3,"group_size":128`, "quantization_config.bits", "number of bits"},
		{gptq, `"group_size":128`, "quantization_config.bits", "missing"},
		{gptq, `"bits":4`, "quantization_config.group_size", "missing"},
		{gptq, `"bits":4,"group_size":32`, "quantization_config.group_size", "without loss"},
		{gptq, `"bits":4,"group_size":96`, "quantization_config.group_size", "multiple of 64"},
		{gptq, `"bits":4,"group_size":128,"desc_act":true`, "quantization_config.desc_act", "act-order"},
		{gptq, `"bits":4,"group_size":128,"checkpoint_format":"marlin"`, "quantization_config.checkpoint_format", "gptq_v2"},
		{gptq, `"bits":4,"group_size":128,"is_marlin_format":true`, "is_marlin_format", "not read"},
		{gptq, `"bits":4,"group_size":128,"dynamic":{"a":{}}`, "dynamic", "single modules"},
		{gptq, `"bits":4,"group_size":128,"pack_dtype":"int64"`, "pack_dtype", "int32"},
		{gptq, `"bits":"four","group_size":128`, "quantization_config.bits", "integer"},
		{awq, `"bits":8,"group_size":128`, "quantization_config.bits", "number of bits"},
		{awq, `"bits":4,"group_size":128,"version":"gemv"`, "version", "gemm"},
		{awq, `"bits":4,"group_size":128,"zero_point":false`, "zero_point", "zero points"},
		{mlx, `"bits":2,"group_size":64`, "quantization.bits", "4 or 8"},
		{mlx, `"bits":4,"group_size":32`, "quantization.group_size", "without loss"},
		{mlx, `"bits":4,"group_size":-1`, "quantization.group_size", "without loss"},
		{mlx, `"bits":4,"group_size":32,"mode":"mxfp4"`, "quantization", "groups of this size"},
		{mlx, `"bits":4,"group_size":64,"mode":"nvfp4"`, "quantization.mode", "affine"},
		{mlx, `"bits":4,"group_size":64,"lm_head":{"group_size":32,"bits":6}`, "quantization", "lm_head"},
		{`"quantization_config":{%s}`, `"quant_method":"fp8"`, "quantization_config", "8-bit floats"},
		{`"quantization_config":{%s}`, `"quant_method":"bitsandbytes","load_in_4bit":true`, "quantization_config", "bitsandbytes"},
		{`"quantization_config":{%s}`, `"quant_method":"compressed-tensors"`, "quantization_config", "packed integers"},
	} {
		dir := packedCopy(t, "gptq", fmt.Sprintf(c.form, c.config))
		_, err := arch.Open(dir)
		var e *diag.Error
		if !errors.As(err, &e) || e.Kind != diag.Unsupported && e.Code != "config_type" {
			t.Errorf("%s: %v", c.config, err)
			continue
		}
		if !strings.Contains(e.Where, c.where) || !strings.Contains(e.Error(), c.want) || !strings.Contains(e.File, "config.json") {
			t.Errorf("%s: %v, want %q and %q", c.config, err, c.where, c.want)
		}
	}
}

// packedCopy is a copy of a fixture with another key for its quantization.
func packedCopy(t *testing.T, name, quantization string) string {
	t.Helper()
	dir, from := t.TempDir(), testenv.Fixture(t, "packed", name)
	text, err := os.ReadFile(filepath.Join(from, "config.json"))
	if err != nil {
		t.Fatal(err)
	}
	var config map[string]json.RawMessage
	if err := json.Unmarshal(text, &config); err != nil {
		t.Fatal(err)
	}
	delete(config, "quantization")
	delete(config, "quantization_config")
	if text, err = json.Marshal(config); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(strings.TrimSuffix(string(text), "}")+","+quantization+"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(filepath.Join(from, "model.safetensors"), filepath.Join(dir, "model.safetensors")); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A config that disagrees with the tensors is found before anything is built of it.
func TestPackedContradicts(t *testing.T) {
	for _, c := range []struct{ fixture, config, want string }{
		{"gptq", `"quantization_config":{"quant_method":"gptq","bits":4,"group_size":64}`, "wrong shape"},
		{"gptq", `"quantization_config":{"quant_method":"awq","bits":4,"group_size":128}`, "wrong shape"},
		{"mlx", `"quantization":{"bits":8,"group_size":64}`, "wrong shape"},
		{"mlx", `"quantization":{"bits":4,"group_size":128}`, "wrong shape"},
		{"mlx", `"quantization":{"bits":4,"group_size":192}`, "whole groups"},
		{"awq", `"torch_dtype":"bfloat16"`, "missing in the checkpoint"},
	} {
		_, err := arch.Open(packedCopy(t, c.fixture, c.config))
		var e *diag.Error
		if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.fixture, c.config, err, c.want)
		}
	}
	// A symmetric quantization whose zero points are not is found when it is read.
	m, err := arch.Open(packedCopy(t, "gptq_asym", `"quantization_config":{"quant_method":"gptq","bits":4,"group_size":64,"sym":true}`))
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if _, err := m.ReadFloat32(t.Context(), m.Weight("layers.0.attn.q.weight")); err == nil || !strings.Contains(err.Error(), "zero point") {
		t.Errorf("other zero points than sym says: %v", err)
	}
}

// FuzzPackedConfig: no quantization of a config makes Open panic or take long.
func FuzzPackedConfig(f *testing.F) {
	for _, s := range []string{
		`"quantization_config":{"quant_method":"gptq","bits":4,"group_size":128,"desc_act":false,"sym":true}`,
		`"quantization_config":{"quant_method":"awq","bits":4,"group_size":-1,"version":"GEMM","zero_point":true}`,
		`"quantization":{"group_size":64,"bits":4,"mode":"affine","lm_head":false,"a.b":{"group_size":128,"bits":8}}`,
		`"quantization":{"group_size":9223372036854775807,"bits":4}`,
		`"quantization_config":{"quant_method":"gptq","bits":4,"group_size":1048576,"dynamic":{}}`,
		`"quantization":[],"quantization_config":null`,
	} {
		f.Add(s)
	}
	text, err := os.ReadFile(filepath.Join(testenv.Root(f), "fixtures", "packed", "gptq", "config.json"))
	if err != nil {
		f.Fatal(err)
	}
	head, _, _ := strings.Cut(string(text), `"quantization_config"`)
	tensors := filepath.Join(testenv.Root(f), "fixtures", "packed", "gptq", "model.safetensors")
	dir := f.TempDir()
	if err := os.Symlink(tensors, filepath.Join(dir, "model.safetensors")); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, quantization string) {
		if err := os.WriteFile(filepath.Join(dir, "config.json"), []byte(head+quantization+"}"), 0o600); err != nil {
			t.Fatal(err)
		}
		m, err := arch.Open(dir)
		if err != nil {
			var e *diag.Error
			if !errors.As(err, &e) {
				t.Fatalf("%q: %v is no diagnostic", quantization, err)
			}
			return
		}
		defer m.Close()
		for i := range m.Weights {
			if _, err := m.ReadFloat32(t.Context(), &m.Weights[i]); err != nil {
				return
			}
		}
	})
}
