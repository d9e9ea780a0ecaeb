package ir

// An Op is one operation with its attributes. The implementations are the
// structs of this package and no others. Each has its shape rule here, its text
// form in lower/stablehlo and its evaluator in lower/interp; tests in all three
// packages range over [Ops] and fail when one is missing.
type Op interface {
	// Mnemonic is the short name used in printed graphs and in value names.
	Mnemonic() string
	// infer is the shape and element type rule: the result type for operands of
	// the given types, or why there is none. It also checks the attributes.
	infer(args []Type) (Type, error)
	// attrs is the printed form of the attributes, "" if there are none.
	attrs() string
}

// checker is implemented by ops with a rule that types alone cannot express.
type checker interface {
	check(args []*Value) error
}

// Ops has one exemplar of every operation, attributes unset.
func Ops() []Op {
	return []Op{
		Argument{}, Parameter{}, Constant{}, Iota{},
		Unary{}, Binary{}, Compare{}, Select{}, Clamp{}, Convert{}, Bitcast{},
		Reshape{}, Broadcast{}, Transpose{}, Reverse{}, Slice{}, Concat{}, Pad{},
		DynamicSlice{}, DynamicUpdateSlice{}, GatherRows{}, ScatterRows{},
		DotGeneral{}, Reduce{}, ArgMax{},
	}
}
