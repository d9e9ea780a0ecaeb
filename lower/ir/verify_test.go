package ir

import (
	"strings"
	"testing"
)

// step is a well-formed graph with every kind of value, to be damaged.
func step(t *testing.T) *Graph {
	t.Helper()
	b := New("step")
	position := b.Arg("position", "position", T(I32, 1))
	cache := b.Arg("cache", "cache", T(F32, 8, 4))
	x := b.At("q").Add(b.Arg("x", "x", T(F32, 1, 4)), b.Param("w", T(F32, 1, 4)))
	keys := b.At("k").ScatterRows(cache, position, x, true)
	b.Result("y", b.At("o").Neg(keys))
	b.ResultInPlace("cache", keys, cache)
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// TestVerifyDamage breaks a good graph in every way that the verifier knows.
func TestVerifyDamage(t *testing.T) {
	const add, scatter, neg = 0, 1, 2 // positions in ops
	tests := []struct {
		name   string
		damage func(g *Graph)
		want   string
	}{
		{"graph name", func(g *Graph) { g.name = "a b" }, `graph name "a b" is not an identifier`},
		{"order", func(g *Graph) {
			g.ops[add].id, g.ops[scatter].id = 5, 4
			g.ops[add], g.ops[scatter] = g.ops[scatter], g.ops[add]
		},
			"k: %k.scatter_rows: operand 2 does not stand before its use"},
		{"numbering", func(g *Graph) { g.ops[neg].id = 3 }, "%o.neg: has id 3 at position 6"},
		{"twice", func(g *Graph) { g.ops = append(g.ops[:neg:neg], g.ops[neg], g.ops[neg]); g.ops[neg].id = 7 }, "at position 6"},
		{"nil operand", func(g *Graph) { g.ops[neg].args = []*Value{nil} }, "%o.neg: operand 0"},
		{"foreign operand", func(g *Graph) { g.ops[neg].args = []*Value{{typ: T(F32, 8, 4)}} }, "%o.neg: operand 0"},
		{"arity", func(g *Graph) { g.ops[neg].args = g.args[1:] }, "%o.neg: takes 1 operands, got 2"},
		{"type", func(g *Graph) { g.ops[neg].typ = T(F32, 32) }, "%o.neg: has type f32[32], must be f32[8,4]"},
		{"rule", func(g *Graph) { g.ops[add].args[1] = g.args[0] }, "%q.add: operand types f32[1,4] and i32[1] differ"},
		{"no operation", func(g *Graph) { g.ops[neg].op = nil }, "has no operation"},
		{"argument among operations", func(g *Graph) { g.ops[neg].op = Argument{Name: "a", Role: "a", Alias: -1} }, "among the wrong values"},
		{"operation among arguments", func(g *Graph) { g.args[2].op = Iota{} }, "among the wrong values"},
		{"argument type", func(g *Graph) { g.args[2].typ = T(F32, 0) }, "%x: f32[0]: dimension 0 is 0"},
		{"no results", func(g *Graph) { g.results = nil }, "graph step: no results"},
		{"foreign result", func(g *Graph) { g.results[0].Value = &Value{} }, "graph step: result y is not in the graph"},
		{"name twice", func(g *Graph) { g.ops[neg].name = "x" }, `name "x" is used twice`},
		{"bad name", func(g *Graph) { g.ops[neg].name = "0" }, `name "0" is used twice or no identifier`},
		{"role twice", func(g *Graph) { g.args[2].op = Argument{Name: "x", Role: "cache", Alias: -1} }, `role "cache" is used twice`},
		{"empty role", func(g *Graph) { g.args[2].op = Argument{Name: "x", Alias: -1} }, `role "" is used twice or empty`},
		{"result role twice", func(g *Graph) { g.results[0].Role = "cache" }, `result role "cache" is used twice`},
		{"bad key", func(g *Graph) { g.params[0].op = Parameter{Key: `"`} }, "no identifier"},
		{"dead operation", func(g *Graph) { g.results[0].Value = g.ops[scatter] }, "o: %o.neg: contributes to no result"},
		{"dead parameter", func(g *Graph) { g.ops[add].args[1] = g.args[2] }, "%w: contributes to no result"},
		{"alias out of range", func(g *Graph) { g.args[1].op = Argument{Name: "cache", Role: "cache", Alias: 2} }, "goes to result 2, which does not exist"},
		{"alias of another type", func(g *Graph) { g.args[2].op = Argument{Name: "x", Role: "x", Alias: 0} }, "its memory goes to result y of type f32[8,4]"},
		{"alias taken", func(g *Graph) { g.args[2].op = Argument{Name: "x", Role: "x", Alias: 1} }, "result 1, which does not exist or has another's"},
		{"not in place", func(g *Graph) { g.args[1].op = Argument{Name: "cache", Role: "cache", Alias: 0} }, "%o.neg: on the way from argument cache to result y"},
		{"read after update", func(g *Graph) { g.ops[neg].args[0] = g.args[1] }, "%o.neg: reads %cache, which %k.scatter_rows has updated"},
		{"old value as result", func(g *Graph) {
			g.results = append(g.results, Result{"old", g.args[1]})
		}, "updates %cache in place, which is result old"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			g := step(t)
			if err := Verify(g); err != nil {
				t.Fatal(err)
			}
			tt.damage(g)
			if err := Verify(g); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, want %s", err, tt.want)
			}
		})
	}
}

// TestInPlace builds caches the right and the wrong way.
func TestInPlace(t *testing.T) {
	type parts struct{ cache, row, at, i *Value }
	tests := []struct {
		name  string
		build func(b *Builder, p parts) *Value
		want  string // "" for a good graph
	}{
		{"scatter", func(b *Builder, p parts) *Value { return b.ScatterRows(p.cache, p.at, p.row, true) }, ""},
		{"two updates", func(b *Builder, p parts) *Value {
			c := b.DynamicUpdateSlice(p.cache, p.row, p.i, p.i)
			return b.DynamicUpdateSlice(c, p.row, p.i, p.i)
		}, ""},
		{"reshaped", func(b *Builder, p parts) *Value {
			c := b.ScatterRows(b.Reshape(p.cache, 8, 2, 2), p.at, b.Reshape(p.row, 1, 2, 2), true)
			return b.Reshape(c, 8, 4)
		}, ""},
		{"read before", func(b *Builder, p parts) *Value {
			return b.ScatterRows(p.cache, p.at, b.Add(p.row, b.SliceDim(p.cache, 0, 0, 1)), true)
		}, ""},
		{"passed through", func(_ *Builder, p parts) *Value { return p.cache }, ""},
		{"read after", func(b *Builder, p parts) *Value {
			c := b.DynamicUpdateSlice(p.cache, p.row, p.i, p.i)
			return b.DynamicUpdateSlice(c, b.SliceDim(p.cache, 0, 0, 1), p.i, p.i)
		}, "reads %cache, which %dynamic_update_slice has updated in place"},
		{"reshape read after", func(b *Builder, p parts) *Value {
			flat := b.Reshape(p.cache, 32)
			c := b.ScatterRows(b.Reshape(p.cache, 8, 4, 1), p.at, b.Reshape(p.row, 1, 4, 1), true)
			b.Result("old", b.Neg(flat))
			return b.Reshape(c, 8, 4)
		}, "%neg: reads %reshape, which %scatter_rows has updated"},
		{"row of itself", func(b *Builder, p parts) *Value {
			return b.DynamicUpdateSlice(p.cache, p.cache, p.i, p.i)
		}, "reads %cache, which %dynamic_update_slice has updated"},
		{"computed", func(b *Builder, p parts) *Value {
			return b.Neg(b.ScatterRows(p.cache, p.at, p.row, true))
		}, "%neg: on the way from argument cache to result cache"},
		{"updates into another", func(b *Builder, p parts) *Value {
			return b.DynamicUpdateSlice(b.Splat(T(F32, 8, 4), 0), b.SliceDim(p.cache, 0, 0, 1), p.i, p.i)
		}, "%const: on the way"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := New("g")
			p := parts{b.Arg("cache", "cache", T(F32, 8, 4)), b.Arg("row", "row", T(F32, 1, 4)), b.Arg("at", "at", T(I32, 1)), b.Arg("i", "i", T(I32))}
			b.ResultInPlace("cache", tt.build(b, p), p.cache)
			g, err := b.Finish()
			switch {
			case tt.want == "" && err != nil:
				t.Errorf("got %v", err)
			case tt.want != "" && (err == nil || !strings.Contains(err.Error(), tt.want)):
				t.Errorf("got %v, %v; want %s", g, err, tt.want)
			}
		})
	}
}

func TestRewrite(t *testing.T) {
	g := step(t)
	same, err := Rewrite(g, nil)
	if err != nil {
		t.Fatal(err)
	}
	if same.String() != g.String() {
		t.Errorf("a copy differs:\n%v\n%v", g, same)
	}
	// Replacing the sum by its first operand leaves the parameter without a use.
	next, err := Rewrite(g, func(_ *Builder, v *Value, args []*Value) *Value {
		if v.Op() == (Binary{Add}) {
			return args[0]
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	const want = `graph step
  %position : i32[1] = arg {role=position}
  %cache : f32[8,4] = arg {role=cache alias=1}
  %x : f32[1,4] = arg {role=x}
  %k.scatter_rows : f32[8,4] = scatter_rows %cache, %position, %x {unique}
  %o.neg : f32[8,4] = neg %k.scatter_rows
  result y = %o.neg
  result cache = %k.scatter_rows
`
	if next.String() != want {
		t.Errorf("got\n%v", next)
	}
	// An edit at a location reports errors there.
	_, err = Rewrite(g, func(b *Builder, v *Value, args []*Value) *Value {
		if v.Op() == (Unary{Negate}) {
			return b.Reshape(args[0], 5)
		}
		return nil
	})
	if err == nil || !strings.HasPrefix(err.Error(), "o: reshape: f32[8,4] has 32 elements") {
		t.Errorf("got %v", err)
	}
}

// TestNamesAreUnique has names that could be taken for each other's counters.
func TestNamesAreUnique(t *testing.T) {
	b := New("g")
	x := b.Arg("neg.1", "x", T(F32))
	y := b.Neg(b.Neg(b.Neg(x)))
	y = b.At("a").Neg(b.At("a.neg").Neg(y))
	y = b.Add(y, b.Param("a.neg", T(F32)))
	b.Result("y", y)
	g, err := b.Finish()
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, v := range g.Ops() {
		names = append(names, v.Name())
	}
	if got := strings.Join(names, " "); got != "neg neg.2 neg.3 a.neg.neg a.neg.1 add" {
		t.Errorf("got %s", got)
	}
}
