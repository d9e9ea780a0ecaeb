package vm

import (
	"encoding/json"
	"os"
	"testing"

	"github.com/hlocc/hlocc/runtime/internal/vmfb"
)

// TestTableMatchesISA checks the numbering against the description it was
// generated from, without the generator.
func TestTableMatchesISA(t *testing.T) {
	data, err := os.ReadFile("isa.json")
	if err != nil {
		t.Fatal(err)
	}
	var isa struct {
		BytecodeVersion struct{ Major, Minor int } `json:"bytecode_version"`
		Instructions    []struct {
			Set      string `json:"opcode_set"`
			Opcode   int
			Mnemonic string
			Kind     string
			Symbol   string
		}
	}
	if err := json.Unmarshal(data, &isa); err != nil {
		t.Fatal(err)
	}
	if isa.BytecodeVersion.Major != bytecodeMajor || isa.BytecodeVersion.Minor != bytecodeMinor {
		t.Errorf("version %v", isa.BytecodeVersion)
	}
	if vmfb.VersionMajor != bytecodeMajor || vmfb.VersionMinor != bytecodeMinor {
		t.Errorf("the reader accepts version %d.%d", vmfb.VersionMajor, vmfb.VersionMinor)
	}
	first := map[string]opcode{"core": 0, "ext_f32": firstF32, "ext_f64": firstF64}
	last := map[string]opcode{"core": firstF32, "ext_f32": firstF64, "ext_f64": firstOwn}
	special := map[string]byte{"Block": byteBlock, "PrefixExtF32": bytePrefixExtF32, "PrefixExtF64": bytePrefixExtF64}
	n := 0
	for _, in := range isa.Instructions {
		if in.Kind != "" {
			if b, ok := special[in.Symbol]; !ok || int(b) != in.Opcode {
				t.Errorf("%s %s is %d, we have %d", in.Kind, in.Symbol, in.Opcode, b)
			}
			continue
		}
		op := first[in.Set] + opcode(in.Opcode)
		if op >= last[in.Set] {
			t.Errorf("%s %d does not fit", in.Mnemonic, in.Opcode)
			continue
		}
		if got := opTable[op].name; got != in.Mnemonic {
			t.Errorf("%s %d is %q, we have %q", in.Set, in.Opcode, in.Mnemonic, got)
		}
		n++
	}
	for i := range opTable {
		if opTable[i].name != "" {
			n--
		}
	}
	if n != 0 {
		t.Errorf("%d more instructions in the description than in the table", n)
	}
}
