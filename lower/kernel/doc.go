// Package kernel holds the kernels that we write ourselves, as text in MLIR's vector
// dialect: what the compiler makes of the same operations in StableHLO is several times
// slower (docs/measurements.md).
//
// A kernel is a comparable struct of attributes that implements [Kernel]. Its Reference
// says what it computes, in portable operations; tests hold the text, compiled for
// every instruction set of this machine, against it. One stream.executable with one
// export carries each; it sits in the same module as the rest of the graph, which calls
// it by flow.dispatch.
package kernel

import "github.com/hlocc/hlocc/lower/ir"

// Kernel is a kernel with its text.
type Kernel interface {
	ir.Kernel
	// Text is the kernel for an instruction set: a stream.executable whose only export is
	// called like the kernel. Its bindings are the operands in order, then the results
	// that are not tied to operands.
	Text(isa ISA) (string, error)
}
