package ir

import (
	"fmt"
	"slices"
)

// A Builder makes one [Graph]. Its methods return values and never errors: the
// first error sticks, with its location, later operations on its result are
// skipped, and [Builder.Finish] reports it.
//
// At gives a view of the same graph at another location; all views share one state.
// A Builder is for one goroutine.
type Builder struct {
	g   *graphState
	loc string
}

// graphState is the graph under construction.
type graphState struct {
	graph  Graph
	params map[string]*Value
	roles  map[string]bool
	err    error
	done   bool
}

// New starts a graph. The name becomes that of the function and of its module.
func New(name string) *Builder {
	checkIdent("", name)
	return &Builder{g: &graphState{
		graph:  Graph{name: name},
		params: map[string]*Value{},
		roles:  map[string]bool{},
	}}
}

// At is the same builder at a location below the current one:
// b.At("layers.7").At("attn") makes operations at "layers.7.attn".
func (b *Builder) At(path string) *Builder {
	if b.loc != "" {
		path = b.loc + "." + path
	}
	checkIdent(b.loc, path)
	return &Builder{g: b.g, loc: path}
}

// Atf is At with a formatted path.
func (b *Builder) Atf(format string, a ...any) *Builder { return b.At(fmt.Sprintf(format, a...)) }

// Loc is the current location.
func (b *Builder) Loc() string { return b.loc }

// Err is the first error so far.
func (b *Builder) Err() error { return b.g.err }

// Fail records err at the current location unless there is an error already, and
// returns a value that operations can be applied to without effect.
func (b *Builder) Fail(err error) *Value {
	b.fail("", err)
	return b.poison()
}

func (b *Builder) fail(op string, err error) {
	if b.g.err == nil {
		b.g.err = &Error{Graph: b.g.graph.name, Loc: b.loc, Op: op, Err: err}
	}
}

// poison is the value that stands for the result of a failed operation.
func (b *Builder) poison() *Value { return &Value{owner: b.g, loc: b.loc} }

// Arg adds an argument. The role is what the runtime finds it by; the name is an
// identifier, shown in the printed graph. Both are unique among the arguments.
func (b *Builder) Arg(name, role string, t Type) *Value {
	b.open()
	checkIdent(b.loc, name)
	for _, a := range b.g.graph.args {
		if o := argument(a); o.Name == name || o.Role == role {
			misuse(b.loc, "argument %s (%s) exists", name, role)
		}
	}
	v := &Value{owner: b.g, typ: t, op: Argument{Name: name, Role: role, Alias: -1}, loc: b.loc}
	b.g.graph.args = append(b.g.graph.args, v)
	if err := t.Check(); err != nil {
		b.fail("arg "+name, err)
		return b.poison()
	}
	return v
}

// Param is the parameter of the given key, the same value each time it is asked for.
func (b *Builder) Param(key string, t Type) *Value {
	b.open()
	checkIdent(b.loc, key)
	if v := b.g.params[key]; v != nil {
		if v.typ != t {
			b.fail("param "+key, fmt.Errorf("is %v here and %v before", t, v.typ))
			return b.poison()
		}
		return v
	}
	if err := t.Check(); err != nil {
		b.fail("param "+key, err)
		return b.poison()
	}
	v := &Value{owner: b.g, typ: t, op: Parameter{Key: key}, loc: b.loc}
	b.g.params[key] = v
	b.g.graph.params = append(b.g.graph.params, v)
	return v
}

// Result appends a result. Roles are unique among the results.
func (b *Builder) Result(role string, v *Value) {
	b.open()
	b.own(v)
	if b.g.roles[role] {
		misuse(b.loc, "result %s exists", role)
	}
	b.g.roles[role] = true
	b.g.graph.results = append(b.g.graph.results, Result{Role: role, Value: v})
}

// ResultInPlace appends a result that takes over the memory of the argument arg.
// v must come from arg by updates in place; see [Verify] for the rules.
func (b *Builder) ResultInPlace(role string, v, arg *Value) {
	b.own(arg)
	b.Result(role, v)
	if arg.op == nil {
		return
	}
	o, ok := arg.op.(Argument)
	if !ok || o.Alias >= 0 {
		misuse(b.loc, "result %s cannot take over %v", role, arg)
	}
	o.Alias = len(b.g.graph.results) - 1
	arg.op = o
}

// Apply adds an operation. The typed methods (Add, Dot, ...) are short for it.
func (b *Builder) Apply(op Op, args ...*Value) *Value {
	b.open()
	types := make([]Type, len(args))
	for i, a := range args {
		b.own(a)
		if a.op == nil { // the result of a failed operation
			return b.poison()
		}
		types[i] = a.typ
	}
	switch op.(type) {
	case Argument, Parameter:
		misuse(b.loc, "%s is not made by Apply", op.Mnemonic())
	}
	t, err := op.infer(types)
	if c, ok := op.(checker); ok && err == nil {
		err = c.check(args)
	}
	if err != nil {
		b.fail(op.Mnemonic(), err)
		return b.poison()
	}
	v := &Value{owner: b.g, typ: t, op: op, args: slices.Clone(args), loc: b.loc}
	b.g.graph.ops = append(b.g.graph.ops, v)
	return v
}

// Finish returns the graph, verified, or the first error. The builder cannot be
// used afterwards.
func (b *Builder) Finish() (*Graph, error) {
	b.open()
	b.g.done = true
	if b.g.err != nil {
		return nil, b.g.err
	}
	g := b.g.graph
	g.number()
	if err := Verify(&g); err != nil {
		return nil, err
	}
	return &g, nil
}

func (b *Builder) open() {
	if b.g.done {
		misuse(b.loc, "graph %s is finished", b.g.graph.name)
	}
}

func (b *Builder) own(v *Value) {
	if v == nil {
		misuse(b.loc, "nil value in graph %s", b.g.graph.name)
	} else if v.owner != b.g {
		misuse(b.loc, "value of another graph in graph %s", b.g.graph.name)
	}
}

// checkIdent panics unless s is an identifier: letters, digits, '_', '.' and '-',
// not starting with a digit, '.' or '-'. Such names need no quoting anywhere.
func checkIdent(loc, s string) {
	if !isIdent(s) {
		misuse(loc, "%q is not an identifier", s)
	}
}

func isIdent(s string) bool {
	for i := range len(s) {
		switch c := s[i]; {
		case 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c == '_':
		case i > 0 && ('0' <= c && c <= '9' || c == '.' || c == '-'):
		default:
			return false
		}
	}
	return s != ""
}

func argument(v *Value) Argument { return v.op.(Argument) }
