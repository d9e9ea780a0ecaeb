package main

import (
	"fmt"
	"strings"

	"github.com/hlocc/hlocc/lower/ir"
	"github.com/hlocc/hlocc/lower/kernel"
)

// read is a kernel that adds up bytes and does nothing else with them: what a core reads
// from memory in the best case.
type read struct{ Bytes int }

// readBytes is the share of a workgroup.
const readBytes = 64 << 10

func (k read) Name() string { return fmt.Sprintf("read_%d", k.Bytes) }

func (k read) Infer([]ir.Type) ([]ir.Type, error) {
	return []ir.Type{ir.T(ir.I32, k.Bytes/readBytes*16)}, nil
}

func (read) Ties() []int { return nil }

func (k read) Reference(b *ir.Builder, _ []*ir.Value) []*ir.Value {
	return []*ir.Value{b.Splat(ir.T(ir.I32, k.Bytes/readBytes*16), 0)} // nothing looks at the sum
}

func (k read) Text(kernel.ISA) (string, error) {
	groups := k.Bytes / readBytes
	var loads, sums strings.Builder
	for i := range 4 {
		fmt.Fprintf(&loads, "        %%o%d = arith.constant %d : index\n        %%i%d = arith.addi %%i, %%o%d : index\n", i, 16*i, i, i)
		fmt.Fprintf(&loads, "        %%p%d = arith.constant %d : index\n        %%f%d = arith.addi %%i, %%p%d : index\n", i, 16*i+1024, i, i)
		fmt.Fprintf(&loads, "        memref.prefetch %%x[%%f%d], read, locality<3>, data : memref<%dxi32>\n", i, k.Bytes/4)
		fmt.Fprintf(&loads, "        %%v%d = vector.load %%x[%%i%d] : memref<%dxi32>, vector<16xi32>\n", i, i, k.Bytes/4)
		fmt.Fprintf(&sums, "        %%n%d = arith.addi %%a%d, %%v%d : vector<16xi32>\n", i, i, i)
	}
	return fmt.Sprintf(`stream.executable private @%[1]s {
  stream.executable.export public @%[1]s workgroups() -> (index, index, index) {
    %%n = arith.constant %[2]d : index
    %%c1 = arith.constant 1 : index
    stream.return %%n, %%c1, %%c1 : index, index, index
  }
  builtin.module {
    func.func @%[1]s(%%in: !stream.binding, %%out: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = #iree_codegen.no_pipeline>} {
      %%c0 = arith.constant 0 : index
      %%step = arith.constant 64 : index
      %%share = arith.constant %[3]d : index
      %%lanes = arith.constant 16 : index
      %%z = arith.constant dense<0> : vector<16xi32>
      %%x = stream.binding.subspan %%in[%%c0] : !stream.binding -> memref<%[4]dxi32>
      %%y = stream.binding.subspan %%out[%%c0] : !stream.binding -> memref<%[5]dxi32>
      %%group = stream.dispatch.workgroup.id[0] : index
      %%first = arith.muli %%group, %%share : index
      %%end = arith.addi %%first, %%share : index
      %%r:4 = scf.for %%i = %%first to %%end step %%step iter_args(%%a0 = %%z, %%a1 = %%z, %%a2 = %%z, %%a3 = %%z) -> (vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>) {
%[6]s%[7]s        scf.yield %%n0, %%n1, %%n2, %%n3 : vector<16xi32>, vector<16xi32>, vector<16xi32>, vector<16xi32>
      }
      %%s0 = arith.addi %%r#0, %%r#1 : vector<16xi32>
      %%s1 = arith.addi %%r#2, %%r#3 : vector<16xi32>
      %%s = arith.addi %%s0, %%s1 : vector<16xi32>
      %%at = arith.muli %%group, %%lanes : index
      vector.store %%s, %%y[%%at] : memref<%[5]dxi32>, vector<16xi32>
      return
    }
  }
}
`, k.Name(), groups, readBytes/4, k.Bytes/4, groups*16, loads.String(), sums.String()), nil
}
