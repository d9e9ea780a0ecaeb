package ir

// A Value is the result of one operation, an argument or a parameter.
type Value struct {
	owner *graphState
	id    int
	name  string
	typ   Type
	op    Op
	args  []*Value
	loc   string
}

// ID is the position of the value in the graph's order: arguments first, then
// parameters, then operations. It is valid in finished graphs only.
func (v *Value) ID() int { return v.id }

// Name is unique in the finished graph and stable: it is made of the location
// and the operation, so that a change in one layer renames nothing in another.
func (v *Value) Name() string { return v.name }

// Type is the type of the value.
func (v *Value) Type() Type { return v.typ }

// Shape is short for Type().Shape().
func (v *Value) Shape() []int { return v.typ.Shape() }

// Op is the operation that makes the value.
func (v *Value) Op() Op { return v.op }

// Args are the operands. The slice must not be changed.
func (v *Value) Args() []*Value { return v.args }

// Loc is the location in the model, for example "layers.7.attn.q".
func (v *Value) Loc() string { return v.loc }

// A Result is one result of a graph.
type Result struct {
	Role  string // what the runtime finds it by
	Value *Value
}

// A Graph is one public function. It is immutable.
type Graph struct {
	name    string
	args    []*Value
	params  []*Value
	ops     []*Value
	results []Result
}

// Name is the name of the function and of its module.
func (g *Graph) Name() string { return g.name }

// Args are the arguments in order; the Op of each is an [Argument].
func (g *Graph) Args() []*Value { return g.args }

// Params are the parameters in order of first use; the Op of each is a [Parameter].
func (g *Graph) Params() []*Value { return g.params }

// Ops are the operations in an order in which every operand comes before its use.
func (g *Graph) Ops() []*Value { return g.ops }

// Results are the results in order.
func (g *Graph) Results() []Result { return g.results }

// NumValues is the number of arguments, parameters and operations; IDs are below it.
func (g *Graph) NumValues() int { return len(g.args) + len(g.params) + len(g.ops) }

// all is every value, in order of ID.
func (g *Graph) all() []*Value {
	all := make([]*Value, 0, g.NumValues())
	all = append(all, g.args...)
	all = append(all, g.params...)
	return append(all, g.ops...)
}
