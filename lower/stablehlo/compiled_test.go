package stablehlo_test

import (
	"encoding/binary"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/hlocc/hlocc/internal/testenv"
	"github.com/hlocc/hlocc/lower/stablehlo"
)

// TestNamedParameters runs a module with a weight as the stock tools do: from an archive, by key, in bf16.
func TestNamedParameters(t *testing.T) {
	tools, dir := testenv.IREE(t), t.TempDir()
	vmfb, archive := filepath.Join(dir, "m.vmfb"), filepath.Join(dir, "w.safetensors")
	s, _ := text(t, module(t), stablehlo.Options{Locations: true})
	compile := exec.Command(tools.Compile, "--iree-input-type=stablehlo", "--iree-hal-target-device=local",
		"--iree-hal-local-target-device-backends=llvm-cpu", "--iree-llvmcpu-target-cpu=x86-64-v3", "--iree-opt-level=O2", "-", "-o", vmfb)
	compile.Stdin = strings.NewReader(s)
	if out, err := compile.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	header := `{"layers.0.attn.k.weight":{"dtype":"BF16","shape":[4,4],"data_offsets":[0,32]}}`
	header += strings.Repeat(" ", 128-8-len(header)) // data at a multiple of 64
	file := append(binary.LittleEndian.AppendUint64(nil, uint64(len(header))), header...)
	for i := range 16 { // 1, 2, 4, 8 on the diagonal
		bits := uint16(0)
		if i%5 == 0 {
			bits = 0x3f80 + uint16(i/5)<<7
		}
		file = binary.LittleEndian.AppendUint16(file, bits)
	}
	if err := os.WriteFile(archive, file, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(tools.RunModule, "--module="+vmfb, "--function=step", "--device=local-sync", "--parameters=model="+archive,
		"--input=1xi32=7", "--input=1x4xf32=1 2 3 4", "--input=9x4xf32=1").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	// Eight rows of ones and the row 1*1, 2*2, 3*4, 4*8.
	if !strings.Contains(string(out), "4xf32=9 12 20 40") {
		t.Errorf("got %s", out)
	}
}
