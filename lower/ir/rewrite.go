package ir

// Rewrite makes a copy of g, operation by operation in order, without those that
// contribute to no result. For each, edit gets a builder at the operation's location
// and the operands as they are in the copy, and returns the value that takes the
// operation's place: one of the operands, something newly built, or nil for an
// unchanged copy. Arguments and results keep their order, names and aliasing.
func Rewrite(g *Graph, edit func(b *Builder, v *Value, args []*Value) *Value) (*Graph, error) {
	if edit == nil {
		edit = func(*Builder, *Value, []*Value) *Value { return nil }
	}
	return RewriteWith(g, func(b *Builder, v *Value, args []*Value, _ func(*Value) *Value) *Value { return edit(b, v, args) })
}

// RewriteWith is Rewrite with a function that gives the value in the copy of any value of
// g that stands before the operation.
func RewriteWith(g *Graph, edit func(b *Builder, v *Value, args []*Value, copied func(*Value) *Value) *Value) (*Graph, error) {
	b := New(g.name)
	to := make([]*Value, g.NumValues())
	copied := func(v *Value) *Value { return to[v.id] }
	alias := map[int]*Value{}
	for _, v := range g.args {
		o := argument(v)
		to[v.id] = (&Builder{g: b.g, loc: v.loc}).Arg(o.Name, o.Role, v.typ)
		if o.Alias >= 0 {
			alias[o.Alias] = to[v.id]
		}
	}
	for _, v := range g.params {
		if o, ok := v.op.(Parameter); ok {
			to[v.id] = (&Builder{g: b.g, loc: v.loc}).Param(o.Key, v.typ)
		}
	}
	for _, v := range g.ops {
		at := &Builder{g: b.g, loc: v.loc}
		args := make([]*Value, len(v.args))
		for i, a := range v.args {
			args[i] = to[a.id]
		}
		to[v.id] = edit(at, v, args, copied)
		if to[v.id] == nil {
			to[v.id] = at.Apply(v.op, args...)
		}
	}
	for i, r := range g.results {
		if arg := alias[i]; arg != nil {
			b.ResultInPlace(r.Role, to[r.Value.id], arg)
		} else {
			b.Result(r.Role, to[r.Value.id])
		}
	}
	b.g.graph.prune()
	return b.Finish()
}

// prune drops the operations and parameters that contribute to no result.
func (g *Graph) prune() {
	g.number()
	live := g.live()
	keep := func(vs []*Value) []*Value {
		var kept []*Value
		for _, v := range vs {
			if live[v.id] {
				kept = append(kept, v)
			}
		}
		return kept
	}
	g.params, g.ops = keep(g.params), keep(g.ops)
}
