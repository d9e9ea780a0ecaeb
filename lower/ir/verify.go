package ir

import (
	"errors"
	"fmt"
)

// Verify checks that g is well formed:
//
//   - every operand stands before its use and belongs to the graph;
//   - every type is valid and is what the op's rule gives for its operands;
//   - names and roles are unique identifiers;
//   - every operation and parameter contributes to a result;
//   - an argument whose memory a result takes over has the result's type, comes to it
//     by nothing but ScatterRows, DynamicUpdateSlice (as the updated operand), kernels
//     that tie a result to it and Reshape, and neither it nor a value on the way is used after its update, so
//     that the compiler can update in place;
//   - no dot product reads a conversion from an unsigned type (see [DotGeneral]).
//
// It runs when a graph is finished and after every pass.
func Verify(g *Graph) error {
	for _, check := range []func(*Graph) error{verifyOps, verifyNames, verifyUsed, verifyAliases} {
		if err := check(g); err != nil {
			return err
		}
	}
	return nil
}

// errAt is an error at v.
func errAt(g *Graph, v *Value, format string, a ...any) error {
	return &Error{Graph: g.name, Loc: v.loc, Op: v.String(), Err: fmt.Errorf(format, a...)}
}

func verifyOps(g *Graph) error {
	if !isIdent(g.name) {
		return &Error{Err: fmt.Errorf("graph name %q is not an identifier", g.name)}
	}
	seen := map[*Value]bool{}
	for i, v := range g.all() {
		if v.id != i {
			return errAt(g, v, "has id %d at position %d", v.id, i)
		}
		if seen[v] {
			return errAt(g, v, "stands twice in the graph")
		}
		types := make([]Type, len(v.args))
		for j, a := range v.args {
			if a == nil || !seen[a] {
				return errAt(g, v, "operand %d does not stand before its use", j)
			}
			types[j] = a.typ
		}
		seen[v] = true
		if err := verifyType(g, v, i, types); err != nil {
			return err
		}
	}
	if len(g.results) == 0 {
		return &Error{Graph: g.name, Err: errors.New("no results")}
	}
	for _, r := range g.results {
		if !seen[r.Value] {
			return &Error{Graph: g.name, Err: fmt.Errorf("result %s is not in the graph", r.Role)}
		}
	}
	return nil
}

// verifyType checks the type of the i-th value v against its op.
func verifyType(g *Graph, v *Value, i int, types []Type) error {
	_, isArg := v.op.(Argument)
	_, isParam := v.op.(Parameter)
	if isArg != (i < len(g.args)) || isParam != (i >= len(g.args) && i < len(g.args)+len(g.params)) {
		return errAt(g, v, "%T among the wrong values", v.op)
	}
	if isArg || isParam {
		if err := v.typ.Check(); err != nil {
			return errAt(g, v, "%w", err)
		}
		return nil
	}
	if v.op == nil {
		return errAt(g, v, "has no operation")
	}
	t, err := v.op.infer(types)
	if c, ok := v.op.(checker); ok && err == nil {
		err = c.check(v.args)
	}
	if err != nil {
		return errAt(g, v, "%w", err)
	}
	if t != v.typ {
		return errAt(g, v, "has type %v, must be %v", v.typ, t)
	}
	return nil
}

func verifyNames(g *Graph) error {
	names, roles := map[string]bool{}, map[string]bool{}
	for _, v := range g.all() {
		if names[v.name] || !isIdent(v.name) {
			return errAt(g, v, "name %q is used twice or no identifier", v.name)
		}
		names[v.name] = true
	}
	for _, v := range g.args {
		if r := argument(v).Role; r == "" || roles[r] {
			return errAt(g, v, "role %q is used twice or empty", r)
		} else {
			roles[r] = true
		}
	}
	clear(roles)
	for _, r := range g.results {
		if r.Role == "" || roles[r.Role] {
			return errAt(g, r.Value, "result role %q is used twice or empty", r.Role)
		}
		roles[r.Role] = true
	}
	keys := map[string]bool{}
	for _, v := range g.params {
		o, ok := v.op.(Parameter)
		if !ok || keys[o.Key] || !isIdent(o.Key) {
			return errAt(g, v, "key %q is used twice or no identifier", o.Key)
		}
		keys[o.Key] = true
	}
	return nil
}

func verifyUsed(g *Graph) error {
	live := g.live()
	for _, v := range g.all() {
		if _, isArg := v.op.(Argument); !isArg && !live[v.id] {
			return errAt(g, v, "contributes to no result")
		}
	}
	return nil
}

// live reports by ID which values contribute to a result.
func (g *Graph) live() []bool {
	live := make([]bool, g.NumValues())
	for _, r := range g.results {
		live[r.Value.id] = true
	}
	for i := len(g.ops) - 1; i >= 0; i-- {
		if v := g.ops[i]; live[v.id] {
			for _, a := range v.args {
				live[a.id] = true
			}
		}
	}
	return live
}

func verifyAliases(g *Graph) error {
	taken := map[int]bool{}
	for _, arg := range g.args {
		n := argument(arg).Alias
		if n < 0 {
			continue
		}
		if n >= len(g.results) || taken[n] {
			return errAt(g, arg, "its memory goes to result %d, which does not exist or has another's", n)
		}
		taken[n] = true
		if err := verifyInPlace(g, arg, g.results[n]); err != nil {
			return err
		}
	}
	return nil
}

// verifyInPlace walks from the result back to arg.
func verifyInPlace(g *Graph, arg *Value, r Result) error {
	if r.Value.typ != arg.typ {
		return errAt(g, arg, "of type %v, its memory goes to result %s of type %v", arg.typ, r.Role, r.Value.typ)
	}
	// updated[v] is the first operation after v that changes the memory v stands in.
	type update struct {
		by      *Value
		operand int
	}
	updated := map[*Value]update{}
	for v := r.Value; v != arg; {
		by, operand := v.updates()
		switch {
		case by != nil:
			next := by.args[operand]
			updated[next] = update{by, operand}
			v = next
		case v.isReshape():
			updated[v.args[0]] = updated[v]
			v = v.args[0]
		default:
			return errAt(g, v, "on the way from argument %s to result %s, which updates in place", arg.name, r.Role)
		}
	}
	for _, v := range g.ops {
		for i, a := range v.args {
			u := updated[a]
			for view := a; u.by == nil && view.isReshape(); view = view.args[0] {
				u = updated[view.args[0]]
			}
			if u.by != nil && v.id >= u.by.id && !(v == u.by && i == u.operand) {
				return errAt(g, v, "reads %v, which %v has updated in place", a, u.by)
			}
		}
	}
	for _, other := range g.results {
		if u := updated[other.Value].by; u != nil {
			return errAt(g, u, "updates %v in place, which is result %s", other.Value, other.Role)
		}
	}
	return nil
}

func (v *Value) isReshape() bool {
	_, ok := v.op.(Reshape)
	return ok
}
