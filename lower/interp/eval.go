package interp

import (
	"context"
	"errors"
	"fmt"

	"github.com/hlocc/hlocc/lower/ir"
)

// Options of an evaluation.
type Options struct {
	// Float64 keeps values of type F32 in float64 and rounds nothing to float32: the
	// numbers that a float32 program approximates.
	Float64 bool
	// Param gives the parameter of a key. It is asked when the first operation needs
	// the parameter, once per evaluation, and the tensor is dropped after the last use;
	// a callback that wants to save the conversion from bytes keeps the tensors.
	Param func(key string, t ir.Type) (Tensor, error)
	// Trace, if set, sees every argument, parameter and operation with its value.
	Trace func(v *ir.Value, t Tensor)
}

// Eval evaluates a graph that [ir.Verify] accepts and returns its results in order.
// Arguments whose memory a result takes over are not changed: tensors are immutable.
func Eval(ctx context.Context, g *ir.Graph, args []Tensor, opt Options) ([]Tensor, error) {
	if len(args) != len(g.Args()) {
		return nil, fmt.Errorf("graph %s takes %d arguments, got %d", g.Name(), len(g.Args()), len(args))
	}
	e := &evaluation{opt: opt, values: make([]Tensor, g.NumValues()), uses: make([]int, g.NumValues())}
	for _, v := range g.Ops() {
		for _, a := range v.Args() {
			e.uses[a.ID()]++
		}
	}
	for _, r := range g.Results() {
		e.uses[r.Value.ID()]++
	}
	for i, v := range g.Args() {
		if args[i].typ != v.Type() {
			return nil, fmt.Errorf("graph %s: argument %v is %v, must be %v", g.Name(), v, args[i].typ, v.Type())
		}
		e.set(v, args[i])
	}
	for _, v := range g.Ops() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := e.op(v); err != nil {
			return nil, &ir.Error{Graph: g.Name(), Loc: v.Loc(), Op: v.Op().Mnemonic(), Err: err}
		}
	}
	results := make([]Tensor, len(g.Results()))
	for i, r := range g.Results() {
		t, err := e.get(r.Value)
		if err != nil {
			return nil, &ir.Error{Graph: g.Name(), Loc: r.Value.Loc(), Err: err}
		}
		results[i] = t
	}
	return results, nil
}

// evaluation is the state of one Eval.
type evaluation struct {
	opt    Options
	values []Tensor // by ID
	uses   []int    // by ID: uses still to come
}

func (e *evaluation) op(v *ir.Value) error {
	args := make([]Tensor, len(v.Args()))
	for i, a := range v.Args() {
		t, err := e.get(a)
		if err != nil {
			return err
		}
		args[i] = t
	}
	data, err := e.apply(v, args)
	if err != nil {
		return err
	}
	e.set(v, Tensor{v.Type(), data})
	return nil
}

// set records the value of v, in the form in which this evaluation keeps floats.
func (e *evaluation) set(v *ir.Value, t Tensor) {
	if t.typ.DType() == ir.F32 {
		switch x := t.data.(type) {
		case []float32:
			if e.opt.Float64 {
				t.data = widened(x)
			}
		case []float64:
			if !e.opt.Float64 {
				t.data = t.Float32s()
			}
		}
	}
	if e.opt.Trace != nil {
		e.opt.Trace(v, t)
	}
	e.values[v.ID()] = t
}

// get is the value of v for one of its uses; with the last it is forgotten.
func (e *evaluation) get(v *ir.Value) (Tensor, error) {
	id := v.ID()
	if e.values[id].data == nil {
		if err := e.load(v); err != nil {
			return Tensor{}, err
		}
	}
	t := e.values[id]
	if e.uses[id]--; e.uses[id] == 0 {
		e.values[id] = Tensor{}
	}
	return t, nil
}

// load asks for a parameter.
func (e *evaluation) load(v *ir.Value) error {
	p, ok := v.Op().(ir.Parameter)
	if !ok {
		return fmt.Errorf("%v has no value", v)
	}
	if e.opt.Param == nil {
		return errors.New("no parameters given")
	}
	t, err := e.opt.Param(p.Key, v.Type())
	if err != nil {
		return fmt.Errorf("parameter %s: %w", p.Key, err)
	}
	if t.typ != v.Type() {
		return fmt.Errorf("parameter %s is %v, must be %v", p.Key, t.typ, v.Type())
	}
	e.set(v, t)
	return nil
}
