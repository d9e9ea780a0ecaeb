package vm

import (
	"context"
	"fmt"
	"slices"
	"testing"
)

// What bytecode has dropped is not given, what it still holds is.
func TestEachRef(t *testing.T) {
	// f(a, b, c): keeps a in a register, moves b away, stores c in a global.
	inner := newAsm().block("a").op("call", imp, regs{}, regs{}).op("return", regs{})
	m := testModule(
		testFunc{"f", "0rrr_v", 0, 4, newAsm().block("a").
			op("global.store.ref", 1, tThing, mv(2)).
			op("call", imp, regs{}, regs{}).
			op("discard.refs", regs{mv(1)}).
			op("call", 1, regs{}, regs{}).
			op("return", regs{})},
		testFunc{"inner", "0v_v", 0, 1, inner},
	)
	m = withImports(m, "host.look", "0v_v")
	var in *Instance
	var got []string
	look := func() string {
		var names []string
		in.EachRef(func(r Ref) {
			switch r := r.(type) {
			case *thing:
				names = append(names, fmt.Sprint(r.id))
			case *List:
				names = append(names, "list")
			}
		})
		slices.Sort(names)
		return fmt.Sprint(names)
	}
	in = newInstance(t, m, hosts{"host.look": func(*Call) error { got = append(got, look()); return nil }}, Limits{})
	loop := NewList(0, 2)
	loop.Set(0, RefValue(&thing{10}))
	loop.Set(1, RefValue(loop)) // holds itself
	if _, err := in.Invoke(context.Background(), "f", []Value{RefValue(loop), RefValue(&thing{2}), RefValue(&thing{3})}); err != nil {
		t.Fatal(err)
	}
	got = append(got, look())
	if want := []string{"[10 2 3 list]", "[10 3 list]", "[3]"}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}
