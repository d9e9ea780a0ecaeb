package ir

import (
	"errors"
	"fmt"
	"slices"
)

// DynamicSlice takes a block of shape Sizes out of the first operand. The other
// operands are its start indices, one I32 scalar per dimension, each clamped to
// [0, dimension-size] so that the block always lies inside.
type DynamicSlice struct{ Sizes []int }

// Mnemonic implements [Op].
func (DynamicSlice) Mnemonic() string { return "dynamic_slice" }

func (o DynamicSlice) infer(args []Type) (Type, error) {
	if len(args) == 0 {
		return Type{}, arity(1, args)
	}
	x, t := args[0], T(args[0].dtype, o.Sizes...)
	if err := t.Check(); err != nil {
		return Type{}, err
	}
	return t, checkBlock(x, t, args[1:])
}

func (o DynamicSlice) attrs() string { return "sizes=" + ints(o.Sizes) }

// DynamicUpdateSlice is the first operand with a block replaced by the second.
// The other operands are the start indices of the block, clamped as in [DynamicSlice].
type DynamicUpdateSlice struct{}

// Mnemonic implements [Op].
func (DynamicUpdateSlice) Mnemonic() string { return "dynamic_update_slice" }

func (DynamicUpdateSlice) infer(args []Type) (Type, error) {
	if len(args) < 2 {
		return Type{}, arity(2, args)
	}
	return args[0], checkBlock(args[0], args[1], args[2:])
}

func (DynamicUpdateSlice) attrs() string { return "" }

// checkBlock reports why block is not addressed inside x by starts.
func checkBlock(x, block Type, starts []Type) error {
	if block.dtype != x.dtype || block.Rank() != x.Rank() {
		return fmt.Errorf("block %v of %v", block, x)
	}
	for i, n := range block.dims[:x.Rank()] {
		if n > x.dims[i] {
			return fmt.Errorf("block %v does not fit into %v", block, x)
		}
	}
	if len(starts) != x.Rank() {
		return fmt.Errorf("%d start indices for %v", len(starts), x)
	}
	for _, s := range starts {
		if s != T(I32) {
			return fmt.Errorf("start index %v, must be %v", s, T(I32))
		}
	}
	return nil
}

// GatherRows takes row indices[i...] of the first operand's leading dimension for
// every index of the second, an I32 tensor of rank 1 or more: [N, R...] and [I...] give
// [I..., R...]. An index outside [0, N) is clamped into it. A scalar index is not allowed
// because iree-compile 3.13 forgets to clamp that one. Neither are indices that are known when
// the graph is built: if x has other uses the compiler computes only the rows named. A [Slice]
// says the same.
type GatherRows struct{}

// Mnemonic implements [Op].
func (GatherRows) Mnemonic() string { return "gather_rows" }

func (GatherRows) infer(args []Type) (Type, error) {
	if len(args) != 2 {
		return Type{}, arity(2, args)
	}
	x, idx := args[0], args[1]
	if x.Rank() == 0 || idx.dtype != I32 || idx.Rank() == 0 {
		return Type{}, fmt.Errorf("rows %v of %v", idx, x)
	}
	t := T(x.dtype, append(idx.Shape(), x.Shape()[1:]...)...)
	return t, t.Check()
}

func (GatherRows) attrs() string { return "" }

func (GatherRows) check(args []*Value) error {
	if !fromArgument(args[1], map[*Value]bool{}) {
		return errors.New("the indices depend on no argument, which the compiler mistakes; use slices")
	}
	return nil
}

// fromArgument reports whether v depends on an argument or parameter.
func fromArgument(v *Value, seen map[*Value]bool) bool {
	switch v.op.(type) {
	case Argument, Parameter:
		return true
	}
	if seen[v] {
		return false
	}
	seen[v] = true
	return slices.ContainsFunc(v.args, func(a *Value) bool { return fromArgument(a, seen) })
}

// ScatterRows is the first operand, [N, R...], with row indices[i] replaced by row
// i of the updates: operands indices I32 [M] and updates [M, R...]. When an index occurs
// twice the later row stays, unless Unique promises the compiler that none does; breaking that
// promise is an error in the interpreter and undefined in compiled code.
//
// An index outside [0, N) updates nothing, so StableHLO; but code of iree-compile 3.13
// does not check and writes out of bounds. A graph must be built so that no argument that the
// runtime accepts leads to such an index.
type ScatterRows struct{ Unique bool }

// Mnemonic implements [Op].
func (ScatterRows) Mnemonic() string { return "scatter_rows" }

func (ScatterRows) infer(args []Type) (Type, error) {
	if len(args) != 3 {
		return Type{}, arity(3, args)
	}
	x, idx, upd := args[0], args[1], args[2]
	if x.Rank() == 0 || idx.dtype != I32 || idx.Rank() != 1 {
		return Type{}, fmt.Errorf("rows %v of %v", idx, x)
	}
	want := x
	want.dims[0] = idx.dims[0]
	if upd != want {
		return Type{}, fmt.Errorf("updates %v for rows %v of %v, must be %v", upd, idx, x, want)
	}
	return x, nil
}

func (o ScatterRows) attrs() string {
	if o.Unique {
		return "unique"
	}
	return ""
}
