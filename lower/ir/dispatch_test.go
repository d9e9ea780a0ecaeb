package ir

import (
	"errors"
	"strings"
	"testing"
)

// testKernel has results of the first operand's type, the second in place of operand tie.
type testKernel struct {
	name         string
	results, tie int
	fail         bool
}

func (k testKernel) Name() string { return k.name }

func (k testKernel) Infer(args []Type) ([]Type, error) {
	if k.fail {
		return nil, errors.New("refused")
	}
	var types []Type
	for range k.results {
		types = append(types, args[0])
	}
	return types, nil
}

func (k testKernel) Ties() []int { return []int{-1, k.tie} }

func (k testKernel) Reference(*Builder, []*Value) []*Value { return nil }

// A kernel may update an argument in place, and nothing may read it afterwards.
func TestDispatchInPlace(t *testing.T) {
	k := testKernel{name: "k", results: 2, tie: 1}
	build := func(late bool) error {
		b := New("g")
		x, cache := b.Arg("x", "x", T(F32, 4)), b.Arg("c", "c", T(F32, 4))
		all := b.Dispatch(k, x, cache)
		y := all[0]
		if late {
			y = b.Add(y, cache)
		}
		b.Result("y", y)
		b.ResultInPlace("c", all[1], cache)
		g, err := b.Finish()
		if err == nil && !strings.Contains(g.String(), "%also : f32[4] = also %kernel {result=1}") {
			t.Error(g)
		}
		return err
	}
	if err := build(false); err != nil {
		t.Error(err)
	}
	if err := build(true); err == nil || !strings.Contains(err.Error(), "updated in place") {
		t.Errorf("reads the cache after its update: %v", err)
	}
	b := New("g")
	x, cache := b.Arg("x", "x", T(F32, 4)), b.Arg("c", "c", T(F32, 4))
	b.ResultInPlace("c", b.Dispatch(testKernel{name: "k", results: 1}, x)[0], cache)
	if _, err := b.Finish(); err == nil || !strings.Contains(err.Error(), "on the way") {
		t.Errorf("a result of its own in place of an argument: %v", err)
	}
	b = New("g")
	x = b.Arg("x", "x", T(F32, 4))
	b.Result("y", b.Apply(Also{Index: 1, Type: T(F32, 4)}, b.Neg(x)))
	if _, err := b.Finish(); err == nil || !strings.Contains(err.Error(), "calls no kernel") {
		t.Errorf("a further result of no kernel: %v", err)
	}
}
