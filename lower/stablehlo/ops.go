package stablehlo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/hlocc/hlocc/lower/ir"
)

// op prints one operation, as one line but for ArgMax.
func (p *printer) op(v *ir.Value) error {
	switch o := v.Op().(type) {
	case ir.Constant:
		p.line("    %v = stablehlo.constant dense<%s> : %s", v, dense(o), tensor(v.Type()))
	case ir.Iota:
		p.line("    %v = stablehlo.iota dim = %d : %s", v, o.Dim, tensor(v.Type()))
	case ir.Unary:
		p.line("    %v = stablehlo.%s %v : %s", v, unaryName(o.Fn), v.Args()[0], tensor(v.Type()))
	case ir.Binary:
		p.line("    %v = stablehlo.%s %s : %s", v, binaryName(o.Fn), operands(v), tensor(v.Type()))
	case ir.Compare:
		p.line("    %v = stablehlo.compare %s, %s : %s", v, strings.ToUpper(o.Dir.String()), operands(v), signature(v))
	case ir.Select:
		p.line("    %v = stablehlo.select %s : %s, %s", v, operands(v), tensor(v.Args()[0].Type()), tensor(v.Type()))
	case ir.Clamp:
		p.line("    %v = stablehlo.clamp %s : %s", v, operands(v), signature(v))
	case ir.Convert:
		p.plain(v, "convert", "")
	case ir.Bitcast:
		p.plain(v, "bitcast_convert", "")
	case ir.Reshape:
		p.plain(v, "reshape", "")
	case ir.Broadcast:
		p.plain(v, "broadcast_in_dim", ", dims = "+ints(o.Dims))
	case ir.Transpose:
		p.plain(v, "transpose", ", dims = "+ints(o.Perm))
	case ir.Reverse:
		p.line("    %v = stablehlo.reverse %v, dims = %s : %s", v, v.Args()[0], ints(o.Dims), tensor(v.Type()))
	case ir.Slice:
		p.plain(v, "slice", " "+ranges(o))
	case ir.Concat:
		p.plain(v, "concatenate", ", dim = "+strconv.Itoa(o.Dim))
	case ir.Pad:
		p.plain(v, "pad", fmt.Sprintf(", low = %s, high = %s, interior = %s", ints(o.Low), ints(o.High), ints(make([]int, len(o.Low)))))
	case ir.DynamicSlice:
		p.plain(v, "dynamic_slice", ", sizes = "+ints(o.Sizes))
	case ir.DynamicUpdateSlice:
		p.plain(v, "dynamic_update_slice", "")
	case ir.GatherRows:
		p.gather(v)
	case ir.ScatterRows:
		p.scatter(v, o)
	case ir.DotGeneral:
		batch := ""
		if len(o.LHSBatch) > 0 {
			batch = fmt.Sprintf(", batching_dims = %s x %s", ints(o.LHSBatch), ints(o.RHSBatch))
		}
		p.plain(v, "dot_general", fmt.Sprintf("%s, contracting_dims = %s x %s", batch, ints(o.LHSContract), ints(o.RHSContract)))
	case ir.Reduce:
		p.reduce(v.String(), v.Args()[0].String(), o.Fn, v.Args()[0].Type(), v.Type(), o.Dims)
	case ir.ArgMax:
		p.argMax(v, o)
	case ir.Dispatch:
		p.dispatch(v, o.Kernel)
	case ir.Also: // printed with its dispatch
	default:
		return fmt.Errorf("graph has %T, which has no StableHLO form: BUG in the list of passes", o)
	}
	return nil
}

// plain prints the common form: operands, attributes, functional type.
func (p *printer) plain(v *ir.Value, name, attrs string) {
	p.line("    %v = stablehlo.%s %s%s : %s", v, name, operands(v), attrs, signature(v))
}

// gather takes whole rows: the index tensor holds scalars, so the index vector
// dimension is the one after its last.
func (p *printer) gather(v *ir.Value) {
	x, idx := v.Args()[0].Type(), v.Args()[1].Type()
	offset := make([]int, x.Rank()-1)
	for i := range offset {
		offset[i] = idx.Rank() + i
	}
	sizes := "1"
	for _, n := range x.Shape()[1:] {
		sizes += ", " + strconv.Itoa(n)
	}
	p.line(`    %v = "stablehlo.gather"(%s) <{dimension_numbers = #stablehlo.gather<%scollapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = %d>, `+
		`indices_are_sorted = false, slice_sizes = array<i64: %s>}> : %s`,
		v, operands(v), dimsAttr("offset_dims", offset), idx.Rank(), sizes, signature(v))
}

// scatter overwrites whole rows.
func (p *printer) scatter(v *ir.Value, o ir.ScatterRows) {
	x := v.Args()[0].Type()
	window := make([]int, x.Rank()-1)
	for i := range window {
		window[i] = 1 + i
	}
	e := "tensor<" + element(x.DType()) + ">"
	p.line(`    %v = "stablehlo.scatter"(%s) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<%sinserted_window_dims = [0], `+
		`scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = %t}> ({ ^bb0(%%old: %s, %%new: %s): stablehlo.return %%new : %s }) : %s`,
		v, operands(v), dimsAttr("update_window_dims", window), o.Unique, e, e, e, signature(v))
}

// dimsAttr is a list of dimensions in an attribute, left out when empty.
func dimsAttr(name string, dims []int) string {
	if len(dims) == 0 {
		return ""
	}
	return name + " = " + ints(dims) + ", "
}

// identities prints the initial values of the graph's reductions, each once.
func (p *printer) identities(g *ir.Graph) {
	seen := map[string]bool{}
	add := func(fn ir.ReduceFn, d ir.DType) {
		name := initName(fn, d)
		if !seen[name] {
			seen[name] = true
			p.line("    %s = stablehlo.constant dense<%s> : tensor<%s>", name, identity(fn, d), element(d))
		}
	}
	for _, v := range g.Ops() {
		switch o := v.Op().(type) {
		case ir.Reduce:
			add(o.Fn, v.Type().DType())
		case ir.ArgMax:
			add(ir.ReduceMax, v.Args()[0].Type().DType())
			add(ir.ReduceMin, ir.I32)
		}
	}
}

// initName cannot be the name of a value: those hold no '$'.
func initName(fn ir.ReduceFn, d ir.DType) string {
	return fmt.Sprintf("%%$%s_%s", fn.Binary(), d)
}

func (p *printer) reduce(result, x string, fn ir.ReduceFn, from, to ir.Type, dims []int) {
	p.line("    %s = stablehlo.reduce(%s init: %s) applies stablehlo.%s across dimensions = %s : (%s, tensor<%s>) -> %s",
		result, x, initName(fn, to.DType()), binaryName(fn.Binary()), ints(dims), tensor(from), element(to.DType()), tensor(to))
}

// argMax prints the lowest index of an element that equals the maximum. Two plain
// reductions are 2.5 times as fast as one over pairs (21 against 54 us for 49152
// elements), and the result cannot depend on the order in which they combine elements.
func (p *printer) argMax(v *ir.Value, o ir.ArgMax) {
	x := v.Args()[0]
	d, tx := x.Type().DType(), tensor(x.Type())
	ti, tb := tensor(x.Type().WithDType(ir.I32)), tensor(x.Type().WithDType(ir.I1))
	var rest []int
	for i := range x.Type().Rank() {
		if i != o.Dim {
			rest = append(rest, i)
		}
	}
	part := func(name string) string { return fmt.Sprintf("%v$%s", v, name) }
	p.reduce(part("max"), x.String(), ir.ReduceMax, x.Type(), v.Type().WithDType(d), []int{o.Dim})
	p.line("    %s = stablehlo.broadcast_in_dim %s, dims = %s : (%s) -> %s", part("bound"), part("max"), ints(rest), tensor(v.Type().WithDType(d)), tx)
	p.line("    %s = stablehlo.compare EQ, %v, %s : (%s, %s) -> %s", part("hit"), x, part("bound"), tx, tx, tb)
	hit := part("hit")
	if d.IsFloat() { // if there is a NaN then the maximum is NaN too and equals nothing
		p.line("    %s = stablehlo.compare NE, %v, %v : (%s, %s) -> %s", part("nan"), x, x, tx, tx, tb)
		p.line("    %s = stablehlo.or %s, %s : %s", part("any"), hit, part("nan"), tb)
		hit = part("any")
	}
	p.line("    %s = stablehlo.iota dim = %d : %s", part("index"), o.Dim, ti)
	p.line("    %s = stablehlo.constant dense<%s> : %s", part("never"), highest(ir.I32), ti)
	p.line("    %s = stablehlo.select %s, %s, %s : %s, %s", part("hits"), hit, part("index"), part("never"), tb, ti)
	p.reduce(v.String(), part("hits"), ir.ReduceMin, x.Type().WithDType(ir.I32), v.Type(), []int{o.Dim})
}

func operands(v *ir.Value) string {
	s := make([]string, len(v.Args()))
	for i, a := range v.Args() {
		s[i] = a.String()
	}
	return strings.Join(s, ", ")
}

// signature is the functional type of an operation: (operands) -> result.
func signature(v *ir.Value) string {
	s := make([]string, len(v.Args()))
	for i, a := range v.Args() {
		s[i] = tensor(a.Type())
	}
	return "(" + strings.Join(s, ", ") + ") -> " + tensor(v.Type())
}

func ints(a []int) string {
	s := make([]string, len(a))
	for i, n := range a {
		s[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(s, ", ") + "]"
}

// ranges prints a slice: [0:2, 1:9:2].
func ranges(o ir.Slice) string {
	s := make([]string, len(o.Start))
	for i := range s {
		s[i] = fmt.Sprintf("%d:%d", o.Start[i], o.Limit[i])
		if slices.Max(o.Stride) > 1 {
			s[i] += fmt.Sprintf(":%d", o.Stride[i])
		}
	}
	return "[" + strings.Join(s, ", ") + "]"
}

func unaryName(fn ir.UnaryFn) string {
	switch fn {
	case ir.Negate:
		return "negate"
	case ir.Exp:
		return "exponential"
	case ir.Cosine:
		return "cosine"
	case ir.Sine:
		return "sine"
	case ir.Round:
		return "round_nearest_even"
	case ir.Abs, ir.Log, ir.Sqrt, ir.Rsqrt, ir.Tanh, ir.Logistic, ir.Floor, ir.Ceil, ir.Not:
	}
	return fn.String()
}

func binaryName(fn ir.BinaryFn) string {
	switch fn {
	case ir.Subtract:
		return "subtract"
	case ir.Multiply:
		return "multiply"
	case ir.Divide:
		return "divide"
	case ir.Maximum:
		return "maximum"
	case ir.Minimum:
		return "minimum"
	case ir.Power:
		return "power"
	case ir.Remainder:
		return "remainder"
	case ir.ShiftLeft:
		return "shift_left"
	case ir.ShiftRightLogical:
		return "shift_right_logical"
	case ir.ShiftRightArithmetic:
		return "shift_right_arithmetic"
	case ir.Add, ir.And, ir.Or, ir.Xor:
	}
	return fn.String()
}
